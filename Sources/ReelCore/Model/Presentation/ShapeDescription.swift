// A vector shape as a value: what an overlay builder makes and the picture layer draws.

/// A step of a path. Points are in the units of the shape.
public enum PathElement: Sendable, Hashable, Codable {
  /// Begins a new part of the path.
  case move(Point)
  /// A straight line.
  case line(Point)
  /// A Bézier curve with one control point.
  case quadCurve(control: Point, end: Point)
  /// A Bézier curve with two control points.
  case cubicCurve(control1: Point, control2: Point, end: Point)
  /// A straight line to where the part began; what follows begins there as well.
  case close
}

/// How a line ends.
public enum LineCap: String, Sendable, Hashable, Codable, CaseIterable {
  /// At its end point.
  case butt
  /// With a half circle around its end point.
  case round
  /// Half a line width beyond its end point.
  case square
}

/// How two lines meet.
public enum LineJoin: String, Sendable, Hashable, Codable, CaseIterable {
  /// Outer edges go on until they meet, within ``ShapeDescription/miterLimit``.
  case miter
  /// With a circle around the corner.
  case round
  /// Cut off straight between the outer edges' ends.
  case bevel
}

/// Which points lie inside a path that crosses itself.
public enum FillRule: String, Sendable, Hashable, Codable, CaseIterable {
  /// Those that the path goes around, counted with its direction, a number of times other than 0.
  case nonZero
  /// Those from which a ray crosses the path an odd number of times.
  case evenOdd
}

/// A filled and stroked path, as CAShapeLayer has it.
public struct ShapeDescription: Sendable, Hashable, Codable {
  /// What the numbers of a shape count.
  public enum Units: String, Sendable, Hashable, Codable {
    /// Output pixels from the top left of the bounds.
    case points
    /// Fractions of the bounds' width and height; widths and dashes of the smaller of the two.
    case fractionOfBounds
  }

  /// The path; begins with a move.
  public var path: [PathElement]
  /// Colour of the inside; nil: not filled.
  public var fill: RGBAColor?
  /// Takes the place of `fill` where it is given.
  public var fillGradient: GradientDescription?
  /// What counts as the inside.
  public var fillRule: FillRule = .nonZero
  /// Colour of the line; nil: no line.
  public var stroke: RGBAColor?
  /// Takes the place of `stroke` where it is given.
  public var strokeGradient: GradientDescription?
  /// Width of the stroke, ≥ 0.
  public var lineWidth = 1.0
  /// Ends of the line and of its dashes.
  public var lineCap: LineCap = .butt
  /// Corners of the line.
  public var lineJoin: LineJoin = .miter
  /// A miter longer than this many line widths becomes a bevel.
  public var miterLimit = 10.0
  /// Lengths of dashes and gaps in turn; empty for a solid line.
  public var dashPattern: [Double] = []
  /// How far into the pattern the line begins.
  public var dashPhase = 0.0
  /// 0…1, over fill and stroke together.
  public var opacity = 1.0
  /// Applied to the path and the stroke.
  public var transform: Transform2D = .identity
  /// What the numbers count.
  public var units: Units = .points

  /// A shape with what most shapes have; the rest is set after.
  public init(
    path: [PathElement], fill: RGBAColor? = nil, stroke: RGBAColor? = nil, lineWidth: Double = 1
  ) {
    self.path = path
    self.fill = fill
    self.stroke = stroke
    self.lineWidth = lineWidth
  }

  /// The shape in pixels of `bounds`; a shape in points comes back as it is.
  public func resolved(in bounds: Rect) -> ShapeDescription {
    guard units == .fractionOfBounds else { return self }
    let (width, height) = (bounds.size.width, bounds.size.height)
    let unit = min(width, height)
    func scale(_ point: Point) -> Point {
      Point(x: bounds.origin.x + point.x * width, y: bounds.origin.y + point.y * height)
    }
    var shape = self
    shape.units = .points
    shape.path = path.map { element in
      switch element {
      case .move(let end): .move(scale(end))
      case .line(let end): .line(scale(end))
      case .quadCurve(let control, let end): .quadCurve(control: scale(control), end: scale(end))
      case .cubicCurve(let first, let second, let end):
        .cubicCurve(control1: scale(first), control2: scale(second), end: scale(end))
      case .close: .close
      }
    }
    shape.lineWidth = lineWidth * unit
    shape.dashPattern = dashPattern.map { $0 * unit }
    shape.dashPhase = dashPhase * unit
    // The gradients' own units become fractions as well.
    let map = Transform2D(
      a: width, b: 0, c: 0, d: height, tx: bounds.origin.x, ty: bounds.origin.y)
    if let old = fillGradient?.transform {
      shape.fillGradient?.transform = old.concatenating(map)
    }
    if let old = strokeGradient?.transform {
      shape.strokeGradient?.transform = old.concatenating(map)
    }
    shape.transform.tx = transform.tx * width
    shape.transform.ty = transform.ty * height
    return shape
  }

  /// A closed rectangle as a path.
  public static func rectangle(_ rect: Rect) -> [PathElement] {
    let (x, y) = (rect.origin.x, rect.origin.y)
    let (right, bottom) = (x + rect.size.width, y + rect.size.height)
    return [
      .move(Point(x: x, y: y)), .line(Point(x: right, y: y)), .line(Point(x: right, y: bottom)),
      .line(Point(x: x, y: bottom)), .close,
    ]
  }

  /// A rectangle whose corners are quarter circles of `radius`, which is at most half of its sides.
  public static func roundedRectangle(_ rect: Rect, radius: Double) -> [PathElement] {
    let r = max(min(radius, rect.size.width / 2, rect.size.height / 2), 0)
    guard r > 0 else { return rectangle(rect) }
    // As for the ellipse: 1 − 0.5522847498307936 of the radius from the corner.
    let k = r * 0.4477152501692064
    let (left, top) = (rect.origin.x, rect.origin.y)
    let (right, bottom) = (left + rect.size.width, top + rect.size.height)
    func at(_ x: Double, _ y: Double) -> Point { Point(x: x, y: y) }
    return [
      .move(at(left + r, top)), .line(at(right - r, top)),
      .cubicCurve(
        control1: at(right - k, top), control2: at(right, top + k), end: at(right, top + r)),
      .line(at(right, bottom - r)),
      .cubicCurve(
        control1: at(right, bottom - k), control2: at(right - k, bottom), end: at(right - r, bottom)
      ),
      .line(at(left + r, bottom)),
      .cubicCurve(
        control1: at(left + k, bottom), control2: at(left, bottom - k), end: at(left, bottom - r)),
      .line(at(left, top + r)),
      .cubicCurve(
        control1: at(left, top + k), control2: at(left + k, top), end: at(left + r, top)),
      .close,
    ]
  }

  /// An ellipse that touches the sides of `rect`, as four cubic curves that stay within 0.03 % of it.
  public static func ellipse(in rect: Rect) -> [PathElement] {
    // 4/3 · tan(π/8): the control length that makes a cubic meet a quarter circle at its middle.
    let k = 0.5522847498307936
    let (rx, ry) = (rect.size.width / 2, rect.size.height / 2)
    let (cx, cy) = (rect.origin.x + rx, rect.origin.y + ry)
    func at(_ x: Double, _ y: Double) -> Point { Point(x: cx + x * rx, y: cy + y * ry) }
    return [
      .move(at(1, 0)),
      .cubicCurve(control1: at(1, k), control2: at(k, 1), end: at(0, 1)),
      .cubicCurve(control1: at(-k, 1), control2: at(-1, k), end: at(-1, 0)),
      .cubicCurve(control1: at(-1, -k), control2: at(-k, -1), end: at(0, -1)),
      .cubicCurve(control1: at(k, -1), control2: at(1, -k), end: at(1, 0)),
      .close,
    ]
  }
}
