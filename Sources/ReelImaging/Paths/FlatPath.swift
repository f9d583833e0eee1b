// Paths as straight lines.

internal import ReelCore

/// Polylines that stand for a path.
struct FlatPath: Sendable {
  typealias Vector = SIMD2<Double>

  struct Subpath: Sendable {
    var points: [Vector]
    var isClosed: Bool
  }

  private(set) var subpaths: [Subpath] = []
  private(set) var pointCount = 0

  /// LIMIT: elements of a path; drawings of a hundred thousand are maps.
  static let mostElements = 100_000
  /// LIMIT: points that curves and strokes may make of it.
  static let mostPoints = 4_000_000
  /// LIMIT: coordinates beyond this are far outside of every picture.
  static let farthest = 250_000.0

  init() {}

  /// The path with curves cut into lines that stay within `tolerance` of them.
  ///
  /// - Throws: `.usage` for numbers that are not finite, `.limitExceeded` for too many elements or points.
  init(_ elements: [PathElement], tolerance: Double) throws(MediaError) {
    guard elements.count <= Self.mostElements else {
      throw MediaError(.limitExceeded, .pathSize, detail: "\(elements.count) elements")
    }
    var builder = FlatPathBuilder(tolerance: max(tolerance, 1e-6))
    for element in elements { try builder.take(element) }
    try builder.flush(isClosed: false)
    self = builder.path
  }

  mutating func append(_ points: [Vector], isClosed: Bool) throws(MediaError) {
    pointCount += points.count
    guard pointCount <= Self.mostPoints else {
      throw MediaError(.limitExceeded, .pathSize, detail: "more than \(Self.mostPoints) points")
    }
    subpaths.append(Subpath(points: points, isClosed: isClosed))
  }

  private static func reachable(_ x: Double) -> Double {
    x > -farthest ? min(x, farthest) : x < 0 ? -farthest : 0
  }

  /// Every point moved by `transform` and brought within reach.
  func transformed(_ transform: Transform2D) -> FlatPath {
    var result = self
    for s in result.subpaths.indices {
      for i in result.subpaths[s].points.indices {
        let p = result.subpaths[s].points[i]
        let moved = Vector(
          transform.a * p.x + transform.c * p.y + transform.tx,
          transform.b * p.x + transform.d * p.y + transform.ty)
        // Products of finite numbers may be infinite, and their sums no number.
        result.subpaths[s].points[i] = Vector(Self.reachable(moved.x), Self.reachable(moved.y))
      }
    }
    return result
  }
}

/// Cuts curves into lines.
private struct FlatPathBuilder {
  typealias Vector = FlatPath.Vector
  let tolerance: Double
  var path = FlatPath()
  private var points: [Vector] = []
  private var total = 0
  /// The subpath has a line or a curve, if only one of no length.
  private var hasSegment = false

  init(tolerance: Double) { self.tolerance = tolerance }

  mutating func take(_ element: PathElement) throws(MediaError) {
    switch element {
    case .move(let end):
      try flush(isClosed: false)
      points = [try vector(end)]
    case .line(let end): try append(vector(end))
    case .quadCurve(let control, let end):
      let (c, e) = (try vector(control), try vector(end))
      let start = try startPoint(c)
      try cut(segments(for: (start - 2 * c + e), 0.25)) { t in
        let s = 1 - t
        return s * s * start + 2 * s * t * c + t * t * e
      }
    case .cubicCurve(let first, let second, let end):
      let (c, d, e) = (try vector(first), try vector(second), try vector(end))
      let start = try startPoint(c)
      let bend = Self.longer(start - 2 * c + d, c - 2 * d + e)
      try cut(segments(for: bend, 0.75)) { t in
        let s = 1 - t
        return s * s * s * start + 3 * s * s * t * c + 3 * s * t * t * d + t * t * t * e
      }
    case .close:
      guard let first = points.first else { return }
      try flush(isClosed: true)
      points = [first]
    }
  }

  /// The point a curve starts at; one without a current point starts at its own first control point.
  private mutating func startPoint(_ control: Vector) throws(MediaError) -> Vector {
    if let last = points.last { return last }
    try append(control)
    return control
  }

  private static func longer(_ a: Vector, _ b: Vector) -> Vector {
    (a * a).sum() > (b * b).sum() ? a : b
  }

  /// n lines stay within `factor` · |second difference| ÷ n² of the curve.
  private func segments(for bend: Vector, _ factor: Double) -> Int {
    let length = (bend * bend).sum().squareRoot()
    let count = (factor * length / tolerance).squareRoot().rounded(.up)
    // LIMIT: lines of a curve; what is no number counts as too many.
    return count < 1_000 ? max(Int(count), 1) : 1_000
  }

  private mutating func cut(_ count: Int, _ at: (Double) -> Vector) throws(MediaError) {
    for i in 1...count { try append(at(Double(i) / Double(count))) }
  }

  private mutating func append(_ point: Vector) throws(MediaError) {
    total += 1
    guard total <= FlatPath.mostPoints else {
      throw MediaError(.limitExceeded, .pathSize, detail: "more than \(FlatPath.mostPoints) points")
    }
    hasSegment = true
    if points.last != point { points.append(point) }
  }

  /// Ends a subpath. A line of no length is kept, for round and square caps show it; a lone start is not.
  mutating func flush(isClosed: Bool) throws(MediaError) {
    if !points.isEmpty && (isClosed || hasSegment) {
      try path.append(points, isClosed: isClosed)
    }
    points = []
    hasSegment = false
  }

  private func vector(_ point: Point) throws(MediaError) -> Vector {
    guard point.x.isFinite, point.y.isFinite else {
      throw MediaError(.usage, .pathValue, detail: "(\(point.x), \(point.y))")
    }
    let limit = FlatPath.farthest
    return Vector(min(max(point.x, -limit), limit), min(max(point.y, -limit), limit))
  }
}
