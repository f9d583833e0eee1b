// What the letters of an element look like. SVG 1.1 §10.

internal import ReelCore

/// Properties of text, which are all handed down.
struct SVGTextStyle: Sendable, Equatable {
  enum Anchor: String, Sendable { case start, middle, end }
  /// A length of which a part goes with the size.
  struct Spacing: Sendable, Equatable {
    var units = 0.0
    var ems = 0.0
  }
  enum Baseline: Sendable { case alphabetic, middle, central, hanging, top, bottom }

  var family = OutlineSpan.Family.sansSerif
  var isBold = false
  var isItalic = false
  /// User units. "medium" is 16 pixels.
  var size = 16.0
  var anchor = Anchor.start
  var isRightToLeft = false
  var isUnderlined = false
  var isOverlined = false
  var isStruckThrough = false
  /// Behind each letter, and at each blank besides.
  var letterSpacing = Spacing()
  var wordSpacing = Spacing()
  /// `xml:space="preserve"` or a `white-space` that keeps blanks.
  var keepsBlanks = false
  var language = ""
  var baseline = Baseline.alphabetic
  /// Up, by `baseline-shift`, of this element and those around it.
  var shift = 0.0

  /// LIMIT: letters outside of these sizes are not seen, or are all that is seen.
  private static let sizes = 1e-3...1e5

  /// Takes a property; false when it is none of text.
  ///
  /// - Parameter parent: the style of the element around, which relative sizes are of.
  mutating func set(_ name: String, _ value: String, parent: SVGTextStyle) -> Bool {
    switch name {
    case "font-family": family = Self.family(value)
    case "font-size": setSize(value, parent)
    case "font-weight": setWeight(value)
    case "font-style": isItalic = value == "italic" || value.hasPrefix("oblique")
    case "font": setFont(value, parent)
    case "text-anchor": anchor = Anchor(rawValue: value) ?? anchor
    case "direction": isRightToLeft = value == "rtl"
    case "text-decoration", "text-decoration-line":
      let words = value.split(separator: " ")
      isUnderlined = words.contains("underline")
      isOverlined = words.contains("overline")
      isStruckThrough = words.contains("line-through")
    case "letter-spacing": letterSpacing = spacing(value)
    case "word-spacing": wordSpacing = spacing(value)
    case "space": keepsBlanks = value == "preserve"
    case "white-space": keepsBlanks = value.hasPrefix("pre") || value == "break-spaces"
    case "lang": language = String(value.prefix(40))
    case "dominant-baseline", "alignment-baseline": setBaseline(value)
    case "baseline-shift": setShift(value, parent)
    default: return false
    }
    return true
  }

  /// A length in which `em` is the font's own size.
  func length(_ value: String, em: Double) -> Double? {
    for (suffix, factor) in [("em", 1.0), ("ex", 0.5)] where value.hasSuffix(suffix) {
      return SVGLength.parse(String(value.dropLast(2)), of: 1).map { $0 * em * factor }
    }
    return SVGLength.parse(value, of: em)
  }

  private mutating func setSize(_ value: String, _ parent: SVGTextStyle) {
    let names: [String: Double] = [
      "xx-small": 9, "x-small": 10, "small": 13, "medium": 16, "large": 18, "x-large": 24,
      "xx-large": 32, "smaller": parent.size / 1.2, "larger": parent.size * 1.2,
    ]
    guard let wanted = names[value] ?? length(value, em: parent.size), wanted > 0 else { return }
    size = min(max(wanted, Self.sizes.lowerBound), Self.sizes.upperBound)
  }

  private mutating func setWeight(_ value: String) {
    switch value {
    case "bold", "bolder": isBold = true
    case "normal", "lighter": isBold = false
    default: if let number = SVGLength.parse(value, of: 1) { isBold = number >= 600 }
    }
  }

  /// `italic bold 12px/1.2 family, family`.
  private mutating func setFont(_ value: String, _ parent: SVGTextStyle) {
    let words = value.split(separator: " ")
    (isBold, isItalic) = (false, false)
    for (number, word) in words.enumerated() {
      if word == "bold" || word == "bolder" { isBold = true }
      if word == "italic" || word == "oblique" { isItalic = true }
      let part = String(word.prefix { $0 != "/" })
      // The size is the first length with a unit; the family is behind it.
      guard part.last.map({ $0.isLetter || $0 == "%" }) == true,
        part.first?.isNumber == true
          || part.first == "."
      else {
        if let weight = SVGLength.parse(part, of: 1) { isBold = weight >= 600 }
        continue
      }
      setSize(part, parent)
      family = Self.family(words[(number + 1)...].joined(separator: " "))
      return
    }
  }

  private static func family(_ value: String) -> OutlineSpan.Family {
    for name in value.lowercased().split(separator: ",") {
      let plain = SVGStyle.trimmed(Substring(name.filter { $0 != "\"" && $0 != "'" }))
      switch plain {
      case "monospace", "courier", "courier new", "menlo", "consolas", "monaco",
        "dejavu sans mono", "ui-monospace":
        return .monospace
      case "serif", "times", "times new roman", "georgia", "garamond", "palatino",
        "dejavu serif", "ui-serif":
        return .serif
      case "sans-serif", "sans", "arial", "helvetica", "helvetica neue", "verdana", "tahoma",
        "dejavu sans", "system-ui", "ui-sans-serif":
        return .sansSerif
      default: continue
      }
    }
    return .sansSerif
  }

  private func spacing(_ value: String) -> Spacing {
    guard let length = length(value, em: 0) else { return Spacing() }
    return Spacing(units: length, ems: (self.length(value, em: 1) ?? 0) - length)
  }

  /// What is between two letters, of which a blank is the first or not.
  func spacing(behindBlank: Bool) -> Double {
    let own = letterSpacing.units + letterSpacing.ems * size
    return behindBlank ? own + wordSpacing.units + wordSpacing.ems * size : own
  }

  private mutating func setBaseline(_ value: String) {
    switch value {
    case "middle": baseline = .middle
    case "central": baseline = .central
    case "hanging": baseline = .hanging
    case "text-before-edge", "text-top", "before-edge": baseline = .top
    case "text-after-edge", "text-bottom", "after-edge", "ideographic": baseline = .bottom
    default: baseline = .alphabetic
    }
  }

  private mutating func setShift(_ value: String, _ parent: SVGTextStyle) {
    switch value {
    case "baseline": shift = parent.shift
    case "sub": shift = parent.shift - parent.size / 5
    case "super": shift = parent.shift + parent.size / 3
    default: shift = parent.shift + (length(value, em: parent.size) ?? 0)
    }
  }

  func span(_ text: String) -> OutlineSpan {
    var span = OutlineSpan(text, size: size)
    (span.family, span.isBold, span.isItalic) = (family, isBold, isItalic)
    span.language = language
    return span
  }
}
