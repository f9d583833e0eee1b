// How characters of the caption channel look. CEA-708-E §8.5.

internal import ReelCore

/// Attributes and colours that characters are written with.
struct CEA708Pen: Sendable, Hashable {
  enum Size: UInt8, Sendable { case small, standard, large }

  var size = Size.standard
  /// 0…7: default, monospaced with and proportional with serifs, the same without, casual, cursive, small
  /// capitals.
  var font: UInt8 = 0
  var isItalic = false
  var isUnderlined = false
  /// 0…5: none, raised, depressed, uniform, shadow to the left, shadow to the right.
  var edge: UInt8 = 0
  var color = RGBAColor.white
  var background = RGBAColor.black
  var edgeColor = RGBAColor.black

  /// The predefined pens 1…7. CEA-708-E table 27.
  init(style: Int = 1) {
    switch style {
    case 2: font = 1
    case 3: font = 2
    case 4: font = 3
    case 5: font = 4
    case 6, 7:
      font = style == 6 ? 3 : 4
      edge = 3
      background = .clear
    default: break
    }
  }

  /// SPA.
  mutating func setAttributes(_ first: UInt8, _ second: UInt8) {
    size = Size(rawValue: first & 3) ?? .standard
    isItalic = second & 0x80 != 0
    isUnderlined = second & 0x40 != 0
    edge = second >> 3 & 7
    font = second & 7
  }

  /// SPC.
  mutating func setColors(_ first: UInt8, _ second: UInt8, _ third: UInt8) {
    color = Self.color(first)
    background = Self.color(second)
    edgeColor = Self.color(third & 0x3F)
  }

  /// Two bits each of opacity (solid, flashing, translucent, transparent), red, green and blue. What flashes
  /// is solid: a picture alone has no time.
  static func color(_ byte: UInt8) -> RGBAColor {
    func part(_ shift: UInt8) -> Double { Double(byte >> shift & 3) / 3 }
    let opacity: Double =
      switch byte >> 6 {
      case 2: 0.5
      case 3: 0
      default: 1
      }
    return RGBAColor(red: part(4), green: part(2), blue: part(0), alpha: opacity)
  }

  var style: TextStyle {
    var style = TextStyle()
    style.color = color
    style.background = background
    if isItalic { style.isItalic = true }
    if isUnderlined { style.isUnderlined = true }
    switch font {
    case 2, 5, 6: style.fontFamily = .serif
    case 4, 7: style.fontFamily = .sansSerif
    default: style.fontFamily = .monospace
    }
    switch edge {
    case 3: style.edge = .outline(edgeColor)
    case 1, 2, 4, 5: style.edge = .dropShadow(edgeColor)
    default: break
    }
    // Fifteen rows in the 80 % of the height that are safe for titles.
    let height = 0.8 / 15 / 1.2
    switch size {
    case .small: style.fontSize = .ofHeight(height * 0.75)
    case .standard: style.fontSize = .ofHeight(height)
    case .large: style.fontSize = .ofHeight(height * 1.2)
    }
    return style
  }
}
