// Outlines of strokes.

internal import ReelCore

/// How a stroke looks.
struct StrokeStyle: Sendable {
  var width: Double
  var cap: LineCap = .butt
  var join: LineJoin = .miter
  var miterLimit = 10.0
  /// Largest distance of the lines that stand for round joins and caps from the circle.
  var tolerance = 0.05
}

extension FlatPath {
  /// The outlines of a stroke along these lines, to be filled non-zero.
  ///
  /// - Throws: `.limitExceeded` when that makes too many points.
  func stroked(_ style: StrokeStyle) throws(MediaError) -> FlatPath {
    guard style.width > 0 else { return FlatPath() }
    var stroker = Stroker(style)
    for subpath in subpaths { try stroker.stroke(subpath) }
    return stroker.result
  }
}

private struct Stroker {
  typealias Vector = FlatPath.Vector
  private let style: StrokeStyle
  private let radius: Double
  /// Sine and cosine of the angle between the points of a round join.
  private let step: (sine: Double, cosine: Double)
  private(set) var result = FlatPath()
  private var outline: [Vector] = []

  init(_ style: StrokeStyle) {
    self.style = style
    radius = style.width / 2
    // A chord of the angle a lies r (1 − cos a/2) ≈ r a²/8 inside of the circle.
    let angle = min((8 * style.tolerance / max(radius, 1e-9)).squareRoot(), 0.25)
    step = ExactMath.sineAndCosine(max(angle, 0.02))
  }

  mutating func stroke(_ subpath: FlatPath.Subpath) throws(MediaError) {
    var points: [Vector] = []
    for point in subpath.points where points.last != point { points.append(point) }
    if subpath.isClosed, points.count > 1, points.first == points.last { points.removeLast() }
    guard points.count > 1 else {
      if let point = points.first { try dot(point) }
      return
    }
    // Two points that are closed are a line there and back.
    if subpath.isClosed && points.count > 2 {
      try side(points, isClosed: true)
      try side(points.reversed(), isClosed: true)
    } else {
      outline = []
      openSide(points)
      openSide(points.reversed())
      try result.append(outline, isClosed: true)
    }
  }

  /// The whole left side of a closed line.
  private mutating func side(_ points: [Vector], isClosed: Bool) throws(MediaError) {
    outline = []
    let count = points.count
    for i in 0..<count {
      let (before, here, after) = (points[i], points[(i + 1) % count], points[(i + 2) % count])
      join(before, here, after)
    }
    try result.append(outline, isClosed: true)
  }

  /// The left side of an open line and the cap at its end.
  private mutating func openSide(_ points: [Vector]) {
    outline.append(points[0] + normal(points[0], points[1]))
    for i in 1..<points.count - 1 { join(points[i - 1], points[i], points[i + 1]) }
    let (before, last) = (points[points.count - 2], points[points.count - 1])
    let n = normal(before, last)
    let forward = Vector(n.y, -n.x)
    outline.append(last + n)
    switch style.cap {
    case .butt: break
    case .square: outline += [last + n + forward, last - n + forward]
    case .round: arc(around: last, from: n, to: -n, through: forward)
    }
    outline.append(last - n)
  }

  /// To the left of the direction from `a` to `b`, as long as the radius. (y goes down, so that "left" is
  /// seen with the picture upside down; only that it is one side counts.)
  private func normal(_ a: Vector, _ b: Vector) -> Vector {
    let d = b - a
    let length = (d * d).sum().squareRoot()
    return length > 0 ? Vector(-d.y, d.x) * (radius / length) : .zero
  }

  private mutating func join(_ before: Vector, _ here: Vector, _ after: Vector) {
    let (n, m) = (normal(before, here), normal(here, after))
    let cross = n.x * m.y - n.y * m.x
    let dot = (n * m).sum()
    if cross >= 0 && (cross > 0 || dot > 0) {
      innerJoin(before, here, after, n, m, dot)
      return
    }
    switch style.join {
    case .bevel: outline += [here + n, here + m]
    case .round: arc(around: here, from: n, to: m, through: n + m)
    case .miter:
      // 1 ÷ sin(half of the angle between the lines) is the miter's length in line widths.
      let r2 = radius * radius
      let half = (1 + dot / r2) / 2
      if half > 0, 1 / half <= style.miterLimit * style.miterLimit {
        outline += [here + n, here + (n + m) / (1 + dot / r2), here + m]
      } else {
        outline += [here + n, here + m]
      }
    }
  }

  /// The side that the line turns to: where the borders meet, if both reach that far; else over the
  /// vertex, so that the winding stays right.
  private mutating func innerJoin(
    _ before: Vector, _ here: Vector, _ after: Vector, _ n: Vector, _ m: Vector, _ dot: Double
  ) {
    let r2 = radius * radius
    let (a, b) = (here - before, after - here)
    let shorter = min((a * a).sum(), (b * b).sum())
    // The borders meet r · tan(half of the turn) before the vertex.
    if dot > -r2, r2 * (r2 - dot) <= shorter * (r2 + dot) {
      outline.append(here + (n + m) / (1 + dot / r2))
    } else {
      outline += [here + n, here, here + m]
    }
  }

  /// Points of a circle from `from` to `to`, on the way that passes `through`.
  private mutating func arc(around centre: Vector, from: Vector, to: Vector, through: Vector) {
    outline.append(centre + from)
    // Outer sides always turn the same way: negative, as the joins above.
    var vector = from
    for _ in 0..<400 {
      let next = Vector(
        step.cosine * vector.x + step.sine * vector.y,
        -step.sine * vector.x + step.cosine * vector.y)
      // Past the end, seen from the middle of the way.
      if next.x * to.y - next.y * to.x >= 0, (next * to).sum() > 0 { break }
      if (next * through).sum() < 0 && (next * to).sum() > 0 { break }
      outline.append(centre + next)
      vector = next
    }
    outline.append(centre + to)
  }

  /// A line of no length: its caps.
  private mutating func dot(_ point: Vector) throws(MediaError) {
    let r = radius
    outline = []
    switch style.cap {
    case .butt: return
    case .square:
      outline = [
        point + Vector(-r, -r), point + Vector(-r, r), point + Vector(r, r), point + Vector(r, -r),
      ]
    case .round:
      let n = Vector(0, r)
      arc(around: point, from: n, to: -n, through: Vector(r, 0))
      arc(around: point, from: -n, to: n, through: Vector(-r, 0))
    }
    try result.append(outline, isClosed: true)
  }
}
