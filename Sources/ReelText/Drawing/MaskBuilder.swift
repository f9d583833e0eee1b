// Masks of many glyphs as one.

public import ReelCore
public import ReelImaging

/// Gathers glyphs that are drawn in one colour.
public struct MaskBuilder {
  private var entries: [GlyphCache.Entry] = []

  public init() {}

  /// Adds the glyphs of a run.
  ///
  /// - Parameters:
  ///   - x, y: where the origin of their line is, in 1/64 pixel.
  ///   - lineWidth: a line along the outlines in 1/64 pixel; 0 for the inside.
  /// - Throws: `limitExceeded` for outlines that are too long.
  public mutating func add(
    _ glyphs: [PlacedGlyph], x: Int, y: Int, lineWidth: Int = 0, isVertical: Bool,
    cache: GlyphCache
  ) throws(MediaError) {
    for glyph in glyphs {
      if let entry = try cache.entry(
        glyph, x: x, y: y, lineWidth: lineWidth, isVertical: isVertical)
      {
        entries.append(entry)
      }
    }
  }

  /// What was added as a layer, cut to a picture of this size; nil when nothing of it is seen.
  ///
  /// Where masks overlap, coverages a and b make a + b − a · b.
  public func layer(color: RGBAColor, width: Int, height: Int, dx: Int = 0, dy: Int = 0)
    -> MaskLayer?
  {
    let bounds = (right: width, bottom: height)
    var (left, top, right, bottom) = (Int.max, Int.max, Int.min, Int.min)
    for entry in entries {
      left = min(left, entry.x + dx)
      top = min(top, entry.y + dy)
      right = max(right, entry.x + dx + entry.mask.width)
      bottom = max(bottom, entry.y + dy + entry.mask.height)
    }
    (left, top) = (max(left, 0), max(top, 0))
    (right, bottom) = (min(right, bounds.right), min(bottom, bounds.bottom))
    guard left < right, top < bottom else { return nil }
    var coverage = [UInt8](repeating: 0, count: (right - left) * (bottom - top))
    for entry in entries {
      let (ex, ey) = (entry.x + dx, entry.y + dy)
      let rows = max(ey, top)..<max(min(ey + entry.mask.height, bottom), max(ey, top))
      let columns = max(ex, left)..<max(min(ex + entry.mask.width, right), max(ex, left))
      for y in rows {
        var from = (y - ey) * entry.mask.width + columns.lowerBound - ex
        var to = (y - top) * (right - left) + columns.lowerBound - left
        for _ in columns {
          let (a, b) = (UInt32(coverage[to]), UInt32(entry.mask.coverage[from]))
          if b > 0 { coverage[to] = UInt8(truncatingIfNeeded: a + b - (a * b + 127) / 255) }
          from += 1
          to += 1
        }
      }
    }
    return MaskLayer(
      CoverageMask(width: right - left, height: bottom - top, coverage: coverage), x: left, y: top,
      color: color)
  }
}
