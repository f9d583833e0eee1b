// The properties that cues may have. WebVTT §8.2.1.

internal import ReelCore

/// `name: value; …` of a rule.
struct CSSDeclarations {
  private(set) var style = TextStyle()

  init(_ bytes: ArraySlice<UInt8>) {
    for part in bytes.split(separator: 0x3B) {
      guard let (name, value) = part.split(at: 0x3A) else { continue }
      var text = Self.trim(value.text)
      if text.lowercased().hasSuffix("!important") { text = Self.trim(String(text.dropLast(10))) }
      take(Self.trim(name.text).lowercased(), text)
    }
  }

  static func trim(_ text: String) -> String {
    String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }

  private mutating func take(_ name: String, _ value: String) {
    let lower = value.lowercased()
    switch name {
    case "color": style.color = RGBAColor(css: lower) ?? style.color
    case "background", "background-color":
      // Of the shorthand, the word that is a colour.
      let colors = StyleSheet.commaList(lower).first.map(Self.words) ?? []
      if let color = colors.lazy.compactMap({ RGBAColor(css: $0) }).first {
        style.background = color
      }
    case "opacity":
      if let number = Self.number(lower) { style.opacity = min(max(number, 0), 1) }
    case "visibility": style.isHidden = lower == "hidden" || lower == "collapse"
    case "font-weight":
      let weight = Int(lower)
      style.isBold = lower == "bold" || lower == "bolder" || (weight ?? 0) >= 600
    case "font-style": style.isItalic = lower == "italic" || lower.hasPrefix("oblique")
    case "font-size": style.fontSize = Self.size(lower) ?? style.fontSize
    case "font-family": style.fontFamily = Self.family(lower)
    case "font":
      for word in Self.words(lower) {
        if word == "bold" { style.isBold = true }
        if word == "italic" { style.isItalic = true }
        if let size = Self.size(String(word.prefix { $0 != "/" })) { style.fontSize = size }
      }
      style.fontFamily = Self.family(lower)
    case "text-decoration", "text-decoration-line":
      style.isUnderlined = Self.words(lower).contains("underline")
      style.isStruckThrough = Self.words(lower).contains("line-through")
    case "text-shadow": takeShadow(lower)
    default: break
    }
  }

  /// Shadows on several sides are an outline, one is a shadow.
  private mutating func takeShadow(_ value: String) {
    guard value != "none" else {
      style.edge = TextStyle.Edge.none
      return
    }
    let shadows = StyleSheet.commaList(value)
    let color =
      shadows.first.flatMap { Self.words($0).lazy.compactMap { RGBAColor(css: $0) }.first }
      ?? .black
    style.edge = shadows.count > 2 ? .outline(color) : .dropShadow(color)
  }

  /// Words outside of parentheses.
  static func words(_ text: String) -> [String] {
    var words: [String] = []
    var current = ""
    var depth = 0
    for character in text {
      if character == "(" { depth += 1 }
      if character == ")" { depth -= 1 }
      if character == " " && depth == 0 {
        if !current.isEmpty { words.append(current) }
        current = ""
      } else {
        current.append(character)
      }
    }
    if !current.isEmpty { words.append(current) }
    return words
  }

  static func number(_ text: String) -> Double? {
    guard text.utf8.count <= 40, let number = Double(text), number.isFinite else { return nil }
    return number
  }

  private static func size(_ text: String) -> TextStyle.FontSize? {
    func value(_ suffix: String) -> Double? {
      guard text.hasSuffix(suffix), let n = number(String(text.dropLast(suffix.count))), n > 0
      else { return nil }
      return min(n, 10_000)
    }
    if let n = value("%") { return .relative(n / 100) }
    if let n = value("rem") ?? value("em") { return .relative(n) }
    if let n = value("vh") { return .ofHeight(n / 100) }
    if let n = value("px") { return .pixels(n) }
    if let n = value("pt") { return .pixels(n * 4 / 3) }
    let names: [(String, Double)] = [
      ("xx-small", 0.6), ("x-small", 0.75), ("small", 0.89), ("medium", 1), ("large", 1.2),
      ("x-large", 1.5), ("xx-large", 2), ("smaller", 0.83), ("larger", 1.2),
    ]
    return names.first { $0.0 == text }.map { .relative($0.1) }
  }

  private static func family(_ text: String) -> TextStyle.FontFamily? {
    let names = text.split { $0 == "," || $0 == " " || $0 == "\"" || $0 == "'" }
    for name in names {
      switch name {
      case "monospace", "courier", "menlo", "consolas": return .monospace
      case "serif", "times", "georgia": return .serif
      case "sans-serif", "arial", "helvetica", "verdana": return .sansSerif
      default: break
      }
    }
    return nil
  }
}
