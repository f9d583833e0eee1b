// The basic shapes as paths. SVG 1.1 §9.

internal import ReelCore

enum SVGShapes {
  /// The outline of an element; nil when it is no shape, empty when there is nothing to draw.
  static func path(_ element: XMLElement, port: Size) throws(MediaError) -> [PathElement]? {
    func length(_ name: String, _ whole: Double) -> Double? {
      element[name].flatMap { SVGLength.parse($0, of: whole) }
    }
    let diagonal = ((port.width * port.width + port.height * port.height) / 2).squareRoot()
    switch element.name {
    case "path": return try SVGPathData.parse(element["d"] ?? "").elements
    case "rect":
      let (x, y) = (length("x", port.width) ?? 0, length("y", port.height) ?? 0)
      guard let width = length("width", port.width), let height = length("height", port.height),
        width > 0, height > 0
      else { return [] }
      let rx = length("rx", port.width)
      let ry = length("ry", port.height)
      return rectangle(
        Rect(x: x, y: y, width: width, height: height), rx: rx ?? ry ?? 0, ry: ry ?? rx ?? 0)
    case "circle":
      guard let r = length("r", diagonal), r > 0 else { return [] }
      let (x, y) = (length("cx", port.width) ?? 0, length("cy", port.height) ?? 0)
      return ShapeDescription.ellipse(in: Rect(x: x - r, y: y - r, width: 2 * r, height: 2 * r))
    case "ellipse":
      guard let rx = length("rx", port.width), let ry = length("ry", port.height), rx > 0, ry > 0
      else { return [] }
      let (x, y) = (length("cx", port.width) ?? 0, length("cy", port.height) ?? 0)
      return ShapeDescription.ellipse(
        in: Rect(x: x - rx, y: y - ry, width: 2 * rx, height: 2 * ry))
    case "line":
      let from = Point(x: length("x1", port.width) ?? 0, y: length("y1", port.height) ?? 0)
      let to = Point(x: length("x2", port.width) ?? 0, y: length("y2", port.height) ?? 0)
      return [.move(from), .line(to)]
    case "polyline", "polygon":
      return polygon(element["points"] ?? "", isClosed: element.name == "polygon")
    default: return nil
    }
  }

  private static func polygon(_ text: String, isClosed: Bool) -> [PathElement] {
    // Up to the first number that cannot be read; an odd last one stands for nothing.
    var scanner = SVGScanner(text)
    var path: [PathElement] = []
    scanner.skipBlanks()
    while path.count < FlatPath.mostElements, let x = scanner.number() {
      scanner.skipSeparators()
      guard let y = scanner.number() else { break }
      scanner.skipSeparators()
      let point = Point(x: x, y: y)
      path.append(path.isEmpty ? .move(point) : .line(point))
    }
    if isClosed && !path.isEmpty { path.append(.close) }
    return path
  }

  /// A rectangle with elliptical corners.
  private static func rectangle(_ rect: Rect, rx: Double, ry: Double) -> [PathElement] {
    let a = min(max(rx, 0), rect.size.width / 2)
    let b = min(max(ry, 0), rect.size.height / 2)
    guard a > 0, b > 0 else { return ShapeDescription.rectangle(rect) }
    // Drawn with circles in units of the radii.
    let unit = ShapeDescription.roundedRectangle(
      Rect(
        x: rect.origin.x / a, y: rect.origin.y / b, width: rect.size.width / a,
        height: rect.size.height / b), radius: 1)
    return ShapeDescription.transformed(unit, by: .scale(x: a, y: b))
  }
}

extension ShapeDescription {
  /// A path with every point moved.
  static func transformed(_ path: [PathElement], by map: Transform2D) -> [PathElement] {
    guard map != .identity else { return path }
    return path.map { element in
      switch element {
      case .move(let end): .move(map.apply(to: end))
      case .line(let end): .line(map.apply(to: end))
      case .quadCurve(let control, let end):
        .quadCurve(control: map.apply(to: control), end: map.apply(to: end))
      case .cubicCurve(let first, let second, let end):
        .cubicCurve(
          control1: map.apply(to: first), control2: map.apply(to: second), end: map.apply(to: end))
      case .close: .close
      }
    }
  }

  /// The smallest rectangle around a path, its curves cut into lines; empty for none.
  static func bounds(of path: [PathElement]) -> Rect {
    guard let flat = try? FlatPath(path, tolerance: 0.05) else { return .zero }
    var low = FlatPath.Vector(repeating: .infinity)
    var high = -low
    for subpath in flat.subpaths {
      for point in subpath.points {
        low = pointwiseMin(low, point)
        high = pointwiseMax(high, point)
      }
    }
    guard low.x <= high.x else { return .zero }
    return Rect(x: low.x, y: low.y, width: high.x - low.x, height: high.y - low.y)
  }
}
