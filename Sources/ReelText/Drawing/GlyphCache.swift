// Masks of glyphs, kept to be used again.

internal import ReelCore
internal import ReelImaging

/// Draws glyphs, and keeps their masks within a bound. Owned by one thread at a time.
public final class GlyphCache {
  /// How the shape of a glyph is made.
  private struct Key: Hashable {
    var glyph: UInt32
    var face: Int32
    var size: Int32
    /// Quarters of a pixel from the left and the top.
    var partX, partY: UInt8
    var isSlanted, isSideways: Bool
    /// Width of a line along the outline in 1/64 pixel; 0 for the inside.
    var lineWidth: Int32
  }

  struct Entry {
    let mask: CoverageMask
    let x, y: Int
  }

  private let book: FontBook
  /// Masks that were used since the last time half of the bound was reached, and those used before.
  private var recent: [Key: Entry?] = [:]
  private var older: [Key: Entry?] = [:]
  private var recentBytes = 0
  private let mostBytes: Int

  /// - Parameter byteBudget: masks take at most about this much memory. Default: 16 MiB.
  public init(_ book: FontBook, byteBudget: Int = 16 << 20) {
    self.book = book
    mostBytes = max(byteBudget / 2, 1)
  }

  /// Bytes of the masks that are kept, for tests.
  var keptBytes: Int {
    recent.values.reduce(0) { $0 + ($1?.mask.coverage.count ?? 0) }
      + older.values.reduce(0) { $0 + ($1?.mask.coverage.count ?? 0) }
  }

  /// The mask of a glyph whose line begins at (`x`, `y`), in 1/64 pixel, with its place; nil for a blank.
  ///
  /// Places are rounded to quarters of a pixel along the line and to whole pixels across it.
  func entry(
    _ placed: PlacedGlyph, x: Int, y: Int, lineWidth: Int = 0, isVertical: Bool
  ) throws(MediaError) -> Entry? {
    let (fullX, fullY) = (placed.x + x, placed.y + y)
    let quarterX = isVertical ? ((fullX + 32) >> 6) << 2 : (fullX + 8) >> 4
    let quarterY = isVertical ? (fullY + 8) >> 4 : ((fullY + 32) >> 6) << 2
    let key = Key(
      glyph: placed.glyph, face: Int32(placed.face), size: Int32(placed.size),
      partX: UInt8(quarterX & 3), partY: UInt8(quarterY & 3), isSlanted: placed.isSlanted,
      isSideways: placed.isSideways, lineWidth: Int32(clamping: lineWidth))
    guard let found = try drawn(key) else { return nil }
    return Entry(mask: found.mask, x: found.x + quarterX >> 2, y: found.y + quarterY >> 2)
  }

  private func drawn(_ key: Key) throws(MediaError) -> Entry? {
    if let found = recent[key] { return found }
    let entry: Entry?
    if let found = older[key] { entry = found } else { entry = try draw(key) }
    recentBytes += 64 + (entry?.mask.coverage.count ?? 0)
    if recentBytes > mostBytes {
      older = recent
      recent = [:]
      recentBytes = 64 + (entry?.mask.coverage.count ?? 0)
    }
    recent[key] = .some(entry)
    return entry
  }

  private func draw(_ key: Key) throws(MediaError) -> Entry? {
    guard let face = book.face(number: Int(key.face)) else { return nil }
    let transform = face.transform(
      em: Double(key.size) / 64, isSlanted: key.isSlanted, isSideways: key.isSideways,
      to: Point(x: Double(key.partX) / 4, y: Double(key.partY) / 4))
    let width = key.lineWidth > 0 ? Double(key.lineWidth) / 64 : nil
    guard
      let drawn = try CoverageMask.drawing(
        face.outline(key.glyph), transform: transform, lineWidth: width)
    else { return nil }
    return Entry(mask: drawn.mask, x: drawn.x, y: drawn.y)
  }
}

extension FontFace {
  /// From font units, in which y is up, to glyphs of a size with their origin at a place.
  ///
  /// - Parameter em: height of the em in the units of the result. The slant is 13/64, about 11.5 degrees.
  func transform(em: Double, isSlanted: Bool, isSideways: Bool, to place: Point) -> Transform2D {
    let scale = em / Double(unitsPerEm)
    let slant = isSlanted ? scale * 13 / 64 : 0
    return isSideways
      ? Transform2D(a: 0, b: scale, c: scale, d: slant, tx: place.x, ty: place.y)
      : Transform2D(a: scale, b: 0, c: slant, d: -scale, tx: place.x, ty: place.y)
  }
}
