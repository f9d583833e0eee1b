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

  /// Adds a rectangle of whole pixels.
  public mutating func add(_ rect: SampleRect) {
    guard rect.width > 0, rect.height > 0, rect.width <= 16_384, rect.height <= 16_384 else {
      return
    }
    entries.append(
      GlyphCache.Entry(
        mask: .solid(width: rect.width, height: rect.height), x: rect.x, y: rect.y))
  }

  /// What was added as a layer, cut to a rectangle of the picture; nil when nothing of it is seen.
  ///
  /// Where masks overlap, coverages a and b make a + b − a · b.
  public func layer(color: RGBAColor, in clip: SampleRect) -> MaskLayer? {
    var (left, top, right, bottom) = (Int.max, Int.max, Int.min, Int.min)
    for entry in entries {
      left = min(left, entry.x)
      top = min(top, entry.y)
      right = max(right, entry.x + entry.mask.width)
      bottom = max(bottom, entry.y + entry.mask.height)
    }
    (left, top) = (max(left, clip.x), max(top, clip.y))
    (right, bottom) = (min(right, clip.x + clip.width), min(bottom, clip.y + clip.height))
    guard left < right, top < bottom else { return nil }
    var coverage = [UInt8](repeating: 0, count: (right - left) * (bottom - top))
    for entry in entries {
      let (ex, ey) = (entry.x, entry.y)
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
