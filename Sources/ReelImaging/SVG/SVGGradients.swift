// Linear and radial gradients. SVG 1.1 §13.2.

internal import ReelCore

/// The gradients of a document, by their ids.
struct SVGGradients {
  /// LIMIT: gradients that refer to each other.
  private static let mostLinks = 16
  private var elements: [String: XMLElement] = [:]

  mutating func add(_ element: XMLElement) {
    guard element.name == "linearGradient" || element.name == "radialGradient",
      let id = element["id"]
    else { return }
    elements[id] = element
  }

  /// What a gradient stands for.
  enum Result {
    case gradient(GradientDescription)
    /// A gradient with a single stop.
    case color(RGBAColor)
    case nothing
  }

  /// - Parameters:
  ///   - box: of the shape that is painted.
  ///   - port: what percentages of lengths in user space are of.
  /// - Returns: nil when there is no such gradient.
  func resolve(_ id: String, box: Rect, port: Size, opacity: Double) -> Result? {
    guard let first = elements[id] else { return nil }
    var chain = [first]
    while chain.count < Self.mostLinks,
      let link = chain[chain.count - 1]["href"], link.hasPrefix("#"),
      let next = elements[String(link.dropFirst())]
    {
      chain.append(next)
    }
    func value(_ name: String) -> String? { chain.lazy.compactMap { $0[name] }.first }
    let stops = chain.lazy.map { Self.stops($0, opacity: opacity) }.first { !$0.isEmpty } ?? []
    guard let last = stops.last else { return .nothing }
    guard stops.count > 1 else { return .color(last.color) }
    let isBox = value("gradientUnits") != "userSpaceOnUse"
    if isBox && (box.size.width <= 0 || box.size.height <= 0) { return .nothing }
    let size = isBox ? Size(width: 1, height: 1) : port
    guard let geometry = Self.geometry(first.name, size, value) else { return .color(last.color) }
    var gradient = GradientDescription(geometry, stops: stops)
    gradient.spread = GradientDescription.Spread(rawValue: value("spreadMethod") ?? "") ?? .pad
    var transform = value("gradientTransform").flatMap(SVGTransform.parse) ?? .identity
    if isBox {
      transform = transform.concatenating(
        Transform2D(
          a: box.size.width, b: 0, c: 0, d: box.size.height, tx: box.origin.x, ty: box.origin.y))
    }
    gradient.transform = transform
    return .gradient(gradient)
  }

  private static func geometry(
    _ name: String, _ size: Size, _ value: (String) -> String?
  ) -> GradientDescription.Geometry? {
    func length(_ name: String, _ fallback: String, _ whole: Double) -> Double? {
      SVGLength.parse(value(name) ?? fallback, of: whole)
    }
    if name == "linearGradient" {
      guard let x1 = length("x1", "0%", size.width), let y1 = length("y1", "0%", size.height),
        let x2 = length("x2", "100%", size.width), let y2 = length("y2", "0%", size.height),
        x1 != x2 || y1 != y2
      else { return nil }
      return .linear(start: Point(x: x1, y: y1), end: Point(x: x2, y: y2))
    }
    let diagonal =
      ((size.width * size.width + size.height * size.height) / 2).squareRoot()
    guard let cx = length("cx", "50%", size.width), let cy = length("cy", "50%", size.height),
      let r = length("r", "50%", diagonal), r > 0
    else { return nil }
    // A focus beside the centre is not drawn; the gradient is then around its centre.
    return .radial(centre: Point(x: cx, y: cy), radius: r)
  }

  private static func stops(
    _ element: XMLElement, opacity: Double
  ) -> [GradientDescription.Stop] {
    element.children.lazy.filter { $0.name == "stop" }.prefix(1_000).map { stop in
      var color = RGBAColor.black
      var alpha = 1.0
      func set(_ name: String, _ value: String) {
        switch name {
        case "stop-color": color = RGBAColor(css: value.lowercased()) ?? color
        case "stop-opacity": alpha = SVGStyle.unit(value) ?? alpha
        default: break
        }
      }
      for (name, value) in stop.attributes where name != "style" {
        set(name, SVGStyle.trimmed(Substring(value)))
      }
      for declaration in (stop["style"] ?? "").split(separator: ";").prefix(100) {
        let parts = declaration.split(separator: ":", maxSplits: 1)
        guard parts.count == 2 else { continue }
        set(SVGStyle.trimmed(parts[0]), SVGStyle.trimmed(parts[1]))
      }
      color.alpha *= alpha * opacity
      return GradientDescription.Stop(SVGStyle.unit(stop["offset"] ?? "0") ?? 0, color)
    }
  }
}
