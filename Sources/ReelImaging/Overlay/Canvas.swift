// Pixels that overlays are drawn into.

internal import ReelCore

/// Red, green, blue and alpha of pixels, sRGB, with alpha multiplied in, 0…1.
struct Canvas: Sendable {
  /// Place in the output.
  let bounds: SampleRect
  private(set) var pixels: [SIMD4<Float>]

  init(bounds: SampleRect) {
    self.bounds = bounds
    pixels = [SIMD4<Float>](repeating: .zero, count: bounds.width * bounds.height)
  }

  subscript(x: Int, y: Int) -> SIMD4<Float> {
    pixels[(y - bounds.y) * bounds.width + x - bounds.x]
  }

  /// Draws a polygon with a paint.
  mutating func fill(_ path: FlatPath, _ rule: FillRule, _ paint: PaintSource, opacity: Float) {
    let area = path.pixelBounds(in: bounds)
    guard area.width > 0, area.height > 0 else { return }
    var rasteriser = Rasteriser(bounds: area)
    rasteriser.add(path)
    rasteriser.rows(rule) { y, coverage in
      let row = (y - bounds.y) * bounds.width + area.x - bounds.x
      let scale = opacity / 255
      for x in 0..<area.width where coverage[x] > 0 {
        let source = paint.color(x: area.x + x, y: y) * (Float(coverage[x]) * scale)
        pixels[row + x] = source + pixels[row + x] * (1 - source.w)
      }
    }
  }

  /// Draws another canvas, which lies inside of this one.
  mutating func draw(_ other: Canvas, opacity: Float, mask: [UInt8]? = nil) {
    let area = other.bounds
    for y in area.y..<area.y + area.height {
      let from = (y - area.y) * area.width
      let to = (y - bounds.y) * bounds.width + area.x - bounds.x
      for x in 0..<area.width {
        let strength = opacity * (mask.map { Float($0[from + x]) / 255 } ?? 1)
        let source = other.pixels[from + x] * strength
        if source.w > 0 || source != .zero {
          pixels[to + x] = source + pixels[to + x] * (1 - source.w)
        }
      }
    }
  }

  /// Coverage of a polygon for all pixels.
  static func mask(_ path: FlatPath, _ rule: FillRule, bounds: SampleRect) -> [UInt8] {
    var mask = [UInt8](repeating: 0, count: bounds.width * bounds.height)
    var rasteriser = Rasteriser(bounds: bounds)
    rasteriser.add(path)
    rasteriser.rows(rule) { y, coverage in
      let row = (y - bounds.y) * bounds.width
      for x in 0..<bounds.width { mask[row + x] = coverage[x] }
    }
    return mask
  }

  /// Sets a pixel over what is there.
  mutating func blend(_ source: SIMD4<Float>, x: Int, y: Int) {
    let index = (y - bounds.y) * bounds.width + x - bounds.x
    pixels[index] = source + pixels[index] * (1 - source.w)
  }

  /// The smallest rectangle with something in it; nil when there is nothing.
  var usedBounds: SampleRect? {
    var (left, right, top, bottom) = (bounds.width, -1, bounds.height, -1)
    for y in 0..<bounds.height {
      for x in 0..<bounds.width where pixels[y * bounds.width + x] != .zero {
        left = min(left, x)
        right = max(right, x)
        top = min(top, y)
        bottom = y
      }
    }
    guard right >= 0 else { return nil }
    return SampleRect(
      x: bounds.x + left, y: bounds.y + top, width: right - left + 1, height: bottom - top + 1)
  }
}

extension FlatPath {
  /// The pixels of `bounds` that the path may touch.
  func pixelBounds(in bounds: SampleRect) -> SampleRect {
    var low = Vector(repeating: .infinity)
    var high = Vector(repeating: -.infinity)
    for subpath in subpaths {
      for point in subpath.points {
        low = pointwiseMin(low, point)
        high = pointwiseMax(high, point)
      }
    }
    guard low.x <= high.x else { return SampleRect(x: 0, y: 0, width: 0, height: 0) }
    let left = max(Int(low.x.rounded(.down)), bounds.x)
    let top = max(Int(low.y.rounded(.down)), bounds.y)
    let right = min(Int(high.x.rounded(.up)) + 1, bounds.x + bounds.width)
    let bottom = min(Int(high.y.rounded(.up)) + 1, bounds.y + bounds.height)
    return SampleRect(x: left, y: top, width: max(right - left, 0), height: max(bottom - top, 0))
  }
}
