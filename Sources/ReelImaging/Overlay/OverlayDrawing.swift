// Layers as pixels.

internal import ReelCore

/// Draws layers into a canvas.
struct OverlayDrawing {
  /// Curves stay within this of their lines, in pixels.
  private static let tolerance = 0.03
  /// LIMIT: pixels of all groups together; some seconds of work.
  private static let mostPixelsApart = 1 << 29
  private(set) var canvas: Canvas
  /// What shapes in fractions are resolved in.
  private var output: Rect
  private var pixelsApart = 0
  /// Canvases around this one.
  private var level = 0

  /// - Parameter bounds: of the output.
  init(bounds: SampleRect) {
    canvas = Canvas(bounds: bounds)
    output = Rect(
      x: Double(bounds.x), y: Double(bounds.y), width: Double(bounds.width),
      height: Double(bounds.height))
  }

  /// - Throws: `.usage` for numbers that are not finite, `.limitExceeded` for paths that are too long.
  mutating func draw(_ layers: [OverlayLayer]) throws(MediaError) {
    for layer in layers { try draw(layer, depth: 0) }
  }

  private mutating func draw(_ layer: OverlayLayer, depth: Int) throws(MediaError) {
    switch layer {
    case .shape(let shape): try draw(shape)
    case .path(let path): try draw(path)
    case .image(let image): try draw(image)
    case .mask(let mask): draw(mask)
    case .group(let layers, let opacity, let clip):
      // LIMIT: deeper groups are not drawings.
      guard depth < 48 else { throw MediaError(.limitExceeded, .pathSize, detail: "nested groups") }
      guard opacity.isFinite else { throw MediaError(.usage, .pathValue, detail: "\(opacity)") }
      guard opacity > 0 else { return }
      if opacity >= 1 && clip == nil {
        for layer in layers { try draw(layer, depth: depth + 1) }
        return
      }
      let mask = try clip.map { (elements) throws(MediaError) in
        try FlatPath(elements, tolerance: Self.tolerance).transformed(.identity)
      }
      var area = mask?.pixelBounds(in: canvas.bounds) ?? canvas.bounds
      if mask == nil { area = layer.pixelExtent(in: canvas.bounds) }
      try drawApart(area, opacity: Float(min(opacity, 1)), mask: mask) {
        (inner) throws(MediaError) in
        for layer in layers { try inner.draw(layer, depth: depth + 1) }
      }
    }
  }

  /// Draws into pixels of their own, which then are drawn as one.
  private mutating func drawApart(
    _ area: SampleRect, opacity: Float, mask: FlatPath?,
    _ body: (inout OverlayDrawing) throws(MediaError) -> Void
  ) throws(MediaError) {
    guard area.width > 0, area.height > 0 else { return }
    pixelsApart += area.width * area.height
    // LIMIT: canvases that are held at once.
    guard pixelsApart <= Self.mostPixelsApart, level < 12 else {
      throw MediaError(.limitExceeded, .pathSize, detail: "too many or too deep groups")
    }
    var inner = OverlayDrawing(bounds: area)
    inner.output = output
    inner.level = level + 1
    inner.pixelsApart = pixelsApart
    try body(&inner)
    pixelsApart = inner.pixelsApart
    let coverage = mask.map { Canvas.mask($0, .nonZero, bounds: area) }
    canvas.draw(inner.canvas, opacity: opacity, mask: coverage)
  }

  private mutating func draw(_ path: PaintedPath) throws(MediaError) {
    try Self.check([
      path.transform.a, path.transform.b, path.transform.c, path.transform.d,
      path.transform.tx, path.transform.ty,
    ])
    let flat = try FlatPath(
      path.elements, tolerance: Self.tolerance / Self.scale(path.transform))
    canvas.fill(
      flat.transformed(path.transform), path.fillRule,
      PaintSource(path.paint, transform: path.transform), opacity: 1)
  }

  private mutating func draw(_ unresolved: ShapeDescription) throws(MediaError) {
    let shape = unresolved.resolved(in: output)
    let t = shape.transform
    try Self.check(
      [
        t.a, t.b, t.c, t.d, t.tx, t.ty, shape.lineWidth, shape.miterLimit, shape.dashPhase,
        shape.opacity,
      ] + shape.dashPattern)
    let opacity = min(max(shape.opacity, 0), 1)
    guard opacity > 0 else { return }
    let scale = Self.scale(t)
    let flat = try FlatPath(shape.path, tolerance: Self.tolerance / scale)
    let fill = shape.fillGradient.map(Paint.gradient) ?? shape.fill.map(Paint.color)
    let line = shape.strokeGradient.map(Paint.gradient) ?? shape.stroke.map(Paint.color)
    let stroke = shape.lineWidth > 0 ? line : nil
    // A fill under a stroke shines through it unless both are made opaque first.
    if fill != nil && stroke != nil && opacity < 1 {
      var opaque = shape
      opaque.opacity = 1
      let area = OverlayLayer.shape(opaque).pixelExtent(in: canvas.bounds)
      try drawApart(area, opacity: Float(opacity), mask: nil) { (inner) throws(MediaError) in
        try inner.draw(opaque)
      }
      return
    }
    if let fill {
      canvas.fill(
        flat.transformed(t), shape.fillRule, PaintSource(fill, transform: t),
        opacity: Float(opacity))
    }
    if let stroke {
      let outline = try Self.stroke(flat, shape, scale)
      canvas.fill(
        outline.transformed(t), .nonZero, PaintSource(stroke, transform: t),
        opacity: Float(opacity))
    }
  }

  private static func stroke(
    _ flat: FlatPath, _ shape: ShapeDescription, _ scale: Double
  ) throws(MediaError) -> FlatPath {
    var lines = flat
    let pattern = shape.dashPattern.map { max($0, 0) }
    if !pattern.isEmpty { lines = try flat.dashed(pattern, phase: shape.dashPhase) }
    return try lines.stroked(
      StrokeStyle(
        width: min(shape.lineWidth, FlatPath.farthest), cap: shape.lineCap, join: shape.lineJoin,
        miterLimit: max(shape.miterLimit, 1), tolerance: tolerance / scale))
  }

  private static func check(_ numbers: [Double]) throws(MediaError) {
    for number in numbers where !number.isFinite {
      throw MediaError(.usage, .pathValue, detail: "\(number)")
    }
  }

  /// The largest length that a transform makes of a unit.
  private static func scale(_ t: Transform2D) -> Double {
    let sum = t.a * t.a + t.b * t.b + t.c * t.c + t.d * t.d
    let determinant = t.a * t.d - t.b * t.c
    let root = max(sum * sum - 4 * determinant * determinant, 0).squareRoot()
    let length = ((sum + root) / 2).squareRoot()
    return length < 1e6 ? max(length, 1e-6) : 1e6
  }

  private mutating func draw(_ layer: MaskLayer) {
    let (mask, b) = (layer.mask, canvas.bounds)
    let rows = max(b.y, layer.y)..<max(min(b.y + b.height, layer.y + mask.height), b.y, layer.y)
    let columns = max(b.x, layer.x)..<max(min(b.x + b.width, layer.x + mask.width), b.x, layer.x)
    let color = PaintSource.multiplied(layer.color)
    for y in rows {
      let row = (y - layer.y) * mask.width - layer.x
      for x in columns where mask.coverage[row + x] > 0 {
        canvas.blend(color * (Float(mask.coverage[row + x]) / 255), x: x, y: y)
      }
    }
  }

  // MARK: Images

  private mutating func draw(_ layer: ImageLayer) throws(MediaError) {
    let frame = layer.frame
    guard frame.isFinite, layer.opacity.isFinite else {
      throw MediaError(.usage, .pathValue, detail: "\(frame)")
    }
    guard frame.size.width > 0, frame.size.height > 0, layer.opacity > 0 else { return }
    let b = canvas.bounds
    // Pixels whose centres lie in the frame.
    let left = max((frame.origin.x - 0.5).rounded(.up), Double(b.x))
    let top = max((frame.origin.y - 0.5).rounded(.up), Double(b.y))
    let right = min(
      (frame.origin.x + frame.size.width - 0.5).rounded(.up), Double(b.x + b.width))
    let bottom = min(
      (frame.origin.y + frame.size.height - 0.5).rounded(.up), Double(b.y + b.height))
    guard right > left, bottom > top else { return }
    let columns = table(
      layer.image.width, frame.origin.x, frame.size.width, first: left, count: Int(right - left))
    let rows = table(
      layer.image.height, frame.origin.y, frame.size.height, first: top, count: Int(bottom - top))
    let opacity = Float(min(layer.opacity, 1))
    let scaled = ScaledImage(layer.image, columns: columns)
    for y in 0..<rows.outputCount {
      let row = scaled.row(rows, y)
      for x in 0..<columns.outputCount where row[x].w > 0 {
        canvas.blend(row[x] * opacity, x: Int(left) + x, y: Int(top) + y)
      }
    }
  }

  /// Weights for the pixels from `first` on of an image that is `length` wide from `origin` on.
  private func table(
    _ source: Int, _ origin: Double, _ length: Double, first: Double, count: Int
  ) -> ScaleTable {
    let ratio = Double(source) / length
    return ScaleTable(
      sourceCount: source, origin: (first - origin) * ratio, length: Double(count) * ratio,
      outputCount: count, outputLength: Double(count), source: .luma, output: .luma,
      filter: .bilinear)
  }
}

/// An image scaled along its rows.
private struct ScaledImage {
  private let width: Int
  private var rows: [[SIMD4<Float>]] = []

  init(_ image: RGBAImage, columns: ScaleTable) {
    width = columns.outputCount
    rows.reserveCapacity(image.height)
    var line = [SIMD4<Float>](repeating: .zero, count: image.width)
    let taps = columns.tapCount
    for y in 0..<image.height {
      for x in 0..<image.width {
        let at = 4 * (y * image.width + x)
        let p = image.pixels
        let alpha = Float(p[at + 3]) / 255
        line[x] =
          SIMD4(Float(p[at]), Float(p[at + 1]), Float(p[at + 2]), 255) * (alpha / 255)
      }
      rows.append(
        (0..<width).map { x in
          var sum = SIMD4<Float>.zero
          for k in 0..<taps {
            sum += line[columns.starts[x] + k] * columns.floatWeights[x * taps + k]
          }
          return sum
        })
    }
  }

  func row(_ table: ScaleTable, _ y: Int) -> [SIMD4<Float>] {
    let taps = table.tapCount
    var sums = [SIMD4<Float>](repeating: .zero, count: width)
    for k in 0..<taps {
      let weight = table.floatWeights[y * taps + k]
      if weight == 0 { continue }
      let row = rows[table.starts[y] + k]
      for x in 0..<width { sums[x] += row[x] * weight }
    }
    return sums
  }
}
