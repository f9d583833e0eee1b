// `--overlay SPEC` and `--inset SPEC` of `reel render`.

import ReelCore
import ReelImaging
import ReelJPEG
import ReelPNG
import ReelRendering

/// `NAME[:key=value,…]`, with values in brackets or quotes that may hold commas.
struct KeyedArgument {
  let option: String
  private(set) var values: [(key: String, value: String)] = []

  init(_ option: String, _ text: Substring) throws(CommandFailure) {
    self.option = option
    for pair in Self.pairs(text) {
      let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard sides.count == 2, !sides[0].isEmpty else {
        throw .usage("\(option): '\(pair)' is no key=value")
      }
      var value = sides[1]
      if value.count >= 2, value.first == "\"", value.last == "\"" {
        value = value.dropFirst().dropLast()
      }
      values.append((String(sides[0]), String(value)))
    }
  }

  /// The text cut at commas outside of brackets and quotes.
  private static func pairs(_ text: Substring) -> [Substring] {
    var pairs: [Substring] = []
    var depth = 0
    var isQuoted = false
    var start = text.startIndex
    for index in text.indices {
      switch text[index] {
      case "\"": isQuoted.toggle()
      case "[" where !isQuoted: depth += 1
      case "]" where !isQuoted: depth -= 1
      case "," where depth == 0 && !isQuoted:
        pairs.append(text[start..<index])
        start = text.index(after: index)
      default: break
      }
    }
    pairs.append(text[start...])
    return pairs.filter { !$0.isEmpty }
  }

  /// The value of a key, which is then used up.
  mutating func take(_ key: String) -> String? {
    values.firstIndex { $0.key == key }.map { values.remove(at: $0).value }
  }

  mutating func number(_ key: String, in range: ClosedRange<Double> = -1e6...1e6)
    throws(CommandFailure) -> Double?
  {
    guard let text = take(key) else { return nil }
    guard let number = Double(text), range.contains(number) else {
      throw .usage(
        "\(option): \(key) is a number from \(range.lowerBound) to \(range.upperBound), not '\(text)'"
      )
    }
    return number
  }

  mutating func colour(_ key: String) throws(CommandFailure) -> RGBAColor? {
    guard let text = take(key), text != "none" else { return nil }
    guard let colour = RGBAColor(css: text.lowercased()) ?? RGBAColor(text) else {
      throw .usage("\(option): \(key) takes a colour such as red or #rrggbbaa, not '\(text)'")
    }
    return colour
  }

  /// Pixels, or a part of the output as `25%`.
  mutating func length(_ key: String) throws(CommandFailure) -> OverlayPlace.Length? {
    guard let text = take(key) else { return nil }
    let isPart = text.hasSuffix("%")
    guard let number = Double(isPart ? String(text.dropLast()) : text), number.magnitude <= 1e6
    else {
      throw .usage("\(option): \(key) takes pixels or a percentage such as 25%, not '\(text)'")
    }
    return isPart ? .part(number / 100) : .pixels(number)
  }

  mutating func choice<T: RawRepresentable & CaseIterable>(
    _ key: String
  ) throws(CommandFailure) -> T? where T.RawValue == String {
    guard let text = take(key) else { return nil }
    guard let value = T(rawValue: text) else {
      throw .usage(
        "\(option): \(key) is one of \(T.allCases.map(\.rawValue).joined(separator: ", ")), not "
          + "'\(text)'")
    }
    return value
  }

  /// Throws when keys are left.
  func end(known: String) throws(CommandFailure) {
    guard let first = values.first else { return }
    throw .usage("\(option): there is no '\(first.key)'; known: \(known)")
  }
}

/// What `--overlay` draws.
enum OverlayArgument {
  private static let shapes = ["rect", "roundrect", "ellipse", "path"]

  /// - Parameter outliner: where the letters of drawings come from.
  static func builder(
    _ text: String, _ outliner: any TextOutliner
  ) throws(CommandFailure) -> any OverlayBuilder {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    if parts.count == 2, shapes.contains(String(parts[0])) {
      return try shape(String(parts[0]), try KeyedArgument("--overlay \(parts[0])", parts[1]))
    }
    // The last colon with a key=value behind it; file names may hold others.
    var (path, keys) = (Substring(text), Substring())
    if let colon = text.lastIndex(of: ":"), text[colon...].contains("=") {
      (path, keys) = (text[..<colon], text[text.index(after: colon)...])
    }
    var arguments = try KeyedArgument("--overlay", keys)
    let place = OverlayPlace(
      x: try arguments.length("x") ?? .pixels(0), y: try arguments.length("y") ?? .pixels(0),
      width: try arguments.length("w"), height: try arguments.length("h"))
    let opacity = try arguments.number("opacity", in: 0...1) ?? 1
    try arguments.end(known: "x, y, w, h, opacity")
    return try file(String(path), place, opacity, outliner)
  }

  private static func file(
    _ path: String, _ place: OverlayPlace, _ opacity: Double, _ outliner: any TextOutliner
  ) throws(CommandFailure) -> any OverlayBuilder {
    do throws(MediaError) {
      let bytes = try FileText.readBytes(path)
      if PNGDecoder.isPNG(bytes) || JPEGDecoder.isJPEG(bytes) {
        return ImageOverlay(try Self.image(bytes), at: place, opacity: opacity)
      }
      let drawing = try SVGImage(bytes, outliner: outliner)
      if !drawing.unsupported.isEmpty {
        StandardError.write(
          "reel render: \(path): not drawn: \(drawing.unsupported.joined(separator: ", "))\n")
      }
      return DrawingOverlay(drawing, at: place, opacity: opacity)
    } catch {
      throw CommandFailure(error, input: path)
    }
  }

  /// The image of PNG or JPEG bytes.
  static func image(_ bytes: [UInt8]) throws(MediaError) -> RGBAImage {
    JPEGDecoder.isJPEG(bytes) ? try JPEGDecoder.decode(bytes) : try PNGDecoder.decode(bytes)
  }

  private static func shape(
    _ name: String, _ given: KeyedArgument
  ) throws(CommandFailure) -> any OverlayBuilder {
    var arguments = given
    var overlay = ShapeArgument()
    overlay.place = OverlayPlace(
      x: try arguments.length("x") ?? .pixels(0), y: try arguments.length("y") ?? .pixels(0),
      width: try arguments.length("w") ?? .part(1), height: try arguments.length("h") ?? .part(1))
    switch name {
    case "ellipse": overlay.form = .ellipse
    case "roundrect":
      overlay.form = .rectangle(radius: try arguments.number("r", in: 0...1e6) ?? 12)
    case "path":
      let data = try SVGPath.elements(arguments.take("d") ?? "", option: arguments.option)
      overlay.form = .path(data)
      overlay.place.width = nil
    default: overlay.form = .rectangle(radius: 0)
    }
    var style = ShapeDescription(path: [])
    style.fill = try arguments.colour("fill")
    style.stroke = try arguments.colour("stroke")
    style.lineWidth = try arguments.number("width", in: 0...1e5) ?? 1
    style.lineCap = try arguments.choice("cap") ?? .butt
    style.lineJoin = try arguments.choice("join") ?? .miter
    style.fillRule = try arguments.choice("rule") ?? .nonZero
    style.opacity = try arguments.number("opacity", in: 0...1) ?? 1
    if let text = arguments.take("dash") {
      let words = text.split { $0 == " " || $0 == "," || $0 == "[" || $0 == "]" }
      style.dashPattern = words.compactMap { Double($0) }
      guard style.dashPattern.count == words.count, style.dashPattern.allSatisfy({ $0 >= 0 }) else {
        throw .usage("\(arguments.option): dash takes lengths such as [8,4], not '\(text)'")
      }
    }
    try arguments.end(
      known: "x, y, w, h, r, d, fill, stroke, width, cap, join, rule, dash, opacity")
    guard style.fill != nil || style.stroke != nil else {
      throw .usage("\(arguments.option): give a fill, a stroke or both")
    }
    overlay.style = style
    return overlay
  }
}

private enum SVGPath {
  static func elements(_ text: String, option: String) throws(CommandFailure) -> [PathElement] {
    do throws(MediaError) {
      let elements = try SVGImage.path(data: text)
      guard !elements.isEmpty else { throw MediaError(.usage, .pathValue, detail: "d is empty") }
      return elements
    } catch {
      throw CommandFailure(status: .usage, message: "\(option): \(error.description)")
    }
  }
}

/// A simple shape whose place depends on the output's size.
private struct ShapeArgument: OverlayBuilder {
  enum Form: Sendable {
    case rectangle(radius: Double)
    case ellipse
    /// In pixels from the overlay's x and y.
    case path([PathElement])
  }
  var form: Form = .ellipse
  var place = OverlayPlace()
  var style = ShapeDescription(path: [])

  func layers(in bounds: Rect) -> [OverlayLayer] {
    var shape = style
    let frame = place.frame(of: .zero, in: bounds)
    switch form {
    case .rectangle(let radius):
      shape.path = ShapeDescription.roundedRectangle(frame, radius: radius)
    case .ellipse: shape.path = ShapeDescription.ellipse(in: frame)
    case .path(let elements):
      shape.path = elements
      shape.transform = .translation(x: frame.origin.x, y: frame.origin.y)
    }
    return [.shape(shape)]
  }
}

/// What `--inset` makes.
enum InsetArgument {
  static func inset(_ text: String) throws(CommandFailure) -> Inset {
    var arguments = try KeyedArgument("--inset", Substring(text))
    var inset = Inset()
    inset.corner = try arguments.choice("corner") ?? inset.corner
    inset.scale = try arguments.number("size", in: 0.02...1) ?? inset.scale
    inset.margin = try arguments.number("margin", in: 0...0.5) ?? inset.margin
    inset.cornerRadius = try arguments.number("radius", in: 0...0.5) ?? inset.cornerRadius
    if let path = arguments.take("over") {
      do throws(MediaError) {
        inset.backdrop = try OverlayArgument.image(try FileText.readBytes(path))
      } catch {
        throw CommandFailure(error, input: path)
      }
    }
    try arguments.end(known: "corner, size, margin, radius, over")
    return inset
  }
}
