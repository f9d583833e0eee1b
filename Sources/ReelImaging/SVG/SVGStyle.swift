// What an element is drawn with. SVG 1.1 §6, §11.

internal import ReelCore

/// A `fill` or a `stroke`.
enum SVGPaint: Sendable {
  case none
  case color(RGBAColor)
  case currentColor
  /// A gradient by its id, and what stands in for it where it is not there.
  case reference(String, fallback: RGBAColor?)
}

/// Properties that elements hand down, and the two that they do not.
struct SVGStyle: Sendable {
  var fill = SVGPaint.color(.black)
  var fillOpacity = 1.0
  var fillRule = FillRule.nonZero
  var stroke = SVGPaint.none
  var strokeOpacity = 1.0
  var strokeWidth = 1.0
  var lineCap = LineCap.butt
  var lineJoin = LineJoin.miter
  var miterLimit = 4.0
  var dashes: [Double] = []
  var dashOffset = 0.0
  var color = RGBAColor.black
  var isVisible = true
  var clipRule = FillRule.nonZero
  var text = SVGTextStyle()

  // Not handed down.
  var opacity = 1.0
  var isDisplayed = true
  var clipPath: String?
  /// Properties that are set and not drawn.
  var unsupported: [String] = []

  /// The style of an element inside of one with this style.
  ///
  /// - Parameter whole: what percentages of lengths are of.
  func inherited(by element: XMLElement, whole: Double) -> SVGStyle {
    var style = self
    style.opacity = 1
    style.isDisplayed = true
    style.clipPath = nil
    style.unsupported = []
    for (name, value) in element.attributes where name != "style" {
      style.set(name, value, whole: whole, parent: self)
    }
    for declaration in (element["style"] ?? "").split(separator: ";").prefix(100) {
      let parts = declaration.split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { continue }
      style.set(
        Self.trimmed(parts[0]), Self.trimmed(parts[1]), whole: whole, parent: self)
    }
    return style
  }

  /// Without the blanks around it.
  static func trimmed(_ text: Substring) -> String {
    let isBlank: (Character) -> Bool = \.isWhitespace
    var rest = text.drop(while: isBlank)
    while let last = rest.last, isBlank(last) { rest.removeLast() }
    return String(rest)
  }

  private mutating func set(
    _ name: String, _ given: String, whole: Double, parent: SVGStyle
  ) {
    let value = Self.trimmed(Substring(given.replacing("!important", with: "")))
    if value == "inherit" { return }
    switch name {
    case "fill": if let paint = paint(value) { fill = paint }
    case "stroke": if let paint = paint(value) { stroke = paint }
    case "fill-opacity": if let x = Self.unit(value) { fillOpacity = x }
    case "stroke-opacity": if let x = Self.unit(value) { strokeOpacity = x }
    case "opacity": if let x = Self.unit(value) { opacity = x }
    case "fill-rule": fillRule = value == "evenodd" ? .evenOdd : .nonZero
    case "clip-rule": clipRule = value == "evenodd" ? .evenOdd : .nonZero
    case "stroke-width":
      if let x = SVGLength.parse(value, of: whole), x >= 0 { strokeWidth = x }
    case "stroke-linecap": if let x = LineCap(rawValue: value) { lineCap = x }
    case "stroke-linejoin": if let x = LineJoin(rawValue: value) { lineJoin = x }
    case "stroke-miterlimit":
      if let x = SVGLength.parse(value, of: 1), x >= 1 { miterLimit = x }
    case "stroke-dasharray": dashes = Self.dashes(value, whole: whole)
    case "stroke-dashoffset": if let x = SVGLength.parse(value, of: whole) { dashOffset = x }
    case "color": if let x = RGBAColor(css: value.lowercased()) { color = x }
    case "visibility": isVisible = value == "visible"
    case "display": isDisplayed = value != "none"
    case "clip-path": clipPath = value == "none" ? nil : Self.reference(value)?.id
    case "filter", "mask", "marker-start", "marker-mid", "marker-end", "marker":
      if value != "none" { unsupported.append(name) }
    default: _ = text.set(name, value, parent: parent.text)
    }
  }

  /// 0…1 as a number or a percentage.
  static func unit(_ text: String) -> Double? {
    SVGLength.parse(text, of: 1).map { min(max($0, 0), 1) }
  }

  private static func dashes(_ text: String, whole: Double) -> [Double] {
    let words = text.split { $0 == " " || $0 == "," }.prefix(1_000)
    let lengths = words.compactMap { SVGLength.parse(String($0), of: whole) }
    guard lengths.count == words.count, lengths.allSatisfy({ $0 >= 0 }) else { return [] }
    return lengths
  }

  /// `url(#id)` and what stands behind it.
  static func reference(_ text: String) -> (id: String, rest: String)? {
    guard text.hasPrefix("url("), let close = text.firstIndex(of: ")") else { return nil }
    let inside = text[text.index(text.startIndex, offsetBy: 4)..<close].filter {
      $0 != "\"" && $0 != "'" && $0 != " "
    }
    guard inside.hasPrefix("#") else { return nil }
    return (String(inside.dropFirst()), trimmed(text[text.index(after: close)...]))
  }

  private func paint(_ text: String) -> SVGPaint? {
    if text == "none" { return SVGPaint.none }
    if text.lowercased() == "currentcolor" { return .currentColor }
    if let (id, rest) = Self.reference(text) {
      return .reference(id, fallback: rest == "none" ? nil : RGBAColor(css: rest.lowercased()))
    }
    return RGBAColor(css: text.lowercased()).map(SVGPaint.color)
  }
}
