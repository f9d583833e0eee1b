// Colours of pixels.

internal import ReelCore

/// Gives the colour of each pixel of a filled area, with alpha multiplied in.
enum PaintSource: Sendable {
  case color(SIMD4<Float>)
  case gradient(GradientRamp)

  /// - Parameter transform: from the paint's units to pixels.
  init(_ paint: Paint, transform: Transform2D) {
    switch paint {
    case .color(let color): self = .color(Self.multiplied(color))
    case .gradient(let gradient):
      let map = gradient.transform.concatenating(transform)
      if let ramp = GradientRamp(gradient, transform: map) {
        self = .gradient(ramp)
      } else {
        self = .color(Self.multiplied(gradient.stops.last?.color ?? .clear))
      }
    }
  }

  /// Components limited to 0…1; no number counts as 0.
  static func multiplied(_ color: RGBAColor) -> SIMD4<Float> {
    func unit(_ x: Double) -> Float { x > 0 ? Float(min(x, 1)) : 0 }
    let alpha = unit(color.alpha)
    return SIMD4(unit(color.red), unit(color.green), unit(color.blue), 1)
      * SIMD4(repeating: alpha)
  }

  @inline(__always)
  func color(x: Int, y: Int) -> SIMD4<Float> {
    switch self {
    case .color(let color): color
    case .gradient(let ramp): ramp.color(x: Double(x) + 0.5, y: Double(y) + 0.5)
    }
  }
}

/// A gradient as a table of colours.
struct GradientRamp: Sendable {
  private static let size = 1024
  private var colors: [SIMD4<Float>] = []
  private let inverse: Transform2D
  private let geometry: GradientDescription.Geometry
  private let spread: GradientDescription.Spread

  /// nil when the gradient has no stops, no length, or a transform without an inverse.
  init?(_ gradient: GradientDescription, transform: Transform2D) {
    let determinant = transform.a * transform.d - transform.b * transform.c
    guard determinant.isFinite, determinant.magnitude > 1e-12, !gradient.stops.isEmpty else {
      return nil
    }
    let (a, b) = (transform.d / determinant, -transform.b / determinant)
    let (c, d) = (-transform.c / determinant, transform.a / determinant)
    inverse = Transform2D(
      a: a, b: b, c: c, d: d, tx: -(a * transform.tx + c * transform.ty),
      ty: -(b * transform.tx + d * transform.ty))
    geometry = gradient.geometry
    spread = gradient.spread
    switch gradient.geometry {
    case .linear(let start, let end):
      let (dx, dy) = (end.x - start.x, end.y - start.y)
      guard (dx * dx + dy * dy).isFinite, dx * dx + dy * dy > 0 else { return nil }
    case .radial(let centre, let radius):
      guard radius.isFinite, radius > 0, centre.x.isFinite, centre.y.isFinite else { return nil }
    }
    colors = Self.table(gradient.stops)
  }

  /// Colours are interpolated before alpha is multiplied in, as SVG has it.
  private static func table(_ stops: [GradientDescription.Stop]) -> [SIMD4<Float>] {
    var ordered: [(offset: Double, color: RGBAColor)] = []
    for stop in stops {
      let own = stop.offset > 0 ? min(stop.offset, 1) : 0
      ordered.append((max(own, ordered.last?.offset ?? 0), stop.color))
    }
    return (0...size).map { index in
      let t = Double(index) / Double(size)
      guard let after = ordered.firstIndex(where: { $0.offset > t }) else {
        return PaintSource.multiplied(ordered[ordered.count - 1].color)
      }
      guard after > 0 else { return PaintSource.multiplied(ordered[0].color) }
      let (low, high) = (ordered[after - 1], ordered[after])
      let k = (t - low.offset) / (high.offset - low.offset)
      func mix(_ a: Double, _ b: Double) -> Double { a + (b - a) * k }
      return PaintSource.multiplied(
        RGBAColor(
          red: mix(low.color.red, high.color.red), green: mix(low.color.green, high.color.green),
          blue: mix(low.color.blue, high.color.blue),
          alpha: mix(low.color.alpha, high.color.alpha)))
    }
  }

  func color(x: Double, y: Double) -> SIMD4<Float> {
    let p = inverse.apply(to: Point(x: x, y: y))
    var t: Double
    switch geometry {
    case .linear(let start, let end):
      let (dx, dy) = (end.x - start.x, end.y - start.y)
      t = ((p.x - start.x) * dx + (p.y - start.y) * dy) / (dx * dx + dy * dy)
    case .radial(let centre, let radius):
      let (dx, dy) = (p.x - centre.x, p.y - centre.y)
      t = (dx * dx + dy * dy).squareRoot() / radius
    }
    switch spread {
    case .pad: break
    case .repeat: t -= t.rounded(.down)
    case .reflect:
      t -= 2 * (t / 2).rounded(.down)
      if t > 1 { t = 2 - t }
    }
    let index = t > 0 ? Int(min(t, 1) * Double(Self.size) + 0.5) : 0
    return colors[min(index, Self.size)]
  }
}
