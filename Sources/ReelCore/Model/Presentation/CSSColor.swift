// Colours as CSS writes them. CSS Color Module Level 4 §4 … §6.

extension RGBAColor {
  /// The colour of a lower-case text: a name, `#` and hexadecimal digits, `rgb()`, `rgba()`, `hsl()`; nil
  /// for anything else.
  public init?(css text: String) {
    guard let color = CSSColor.parse(text) else { return nil }
    self = color
  }
}

private enum CSSColor {
  static func parse(_ text: String) -> RGBAColor? {
    if text == "transparent" { return .clear }
    if text.first == "#" { return hexadecimal(text.dropFirst()) }
    if let open = text.firstIndex(of: "("), text.last == ")" {
      let inside = text[text.index(after: open)...].dropLast()
      let parts = inside.split { $0 == "," || $0 == " " || $0 == "/" }.map(String.init)
      switch text[..<open] {
      case "rgb", "rgba": return rgb(parts)
      case "hsl", "hsla": return hsl(parts)
      default: return nil
      }
    }
    guard let value = CSSColorNames.all.first(where: { $0.0 == text })?.1 else { return nil }
    return RGBAColor(
      red: Double(value >> 16 & 255) / 255, green: Double(value >> 8 & 255) / 255,
      blue: Double(value & 255) / 255)
  }

  private static func hexadecimal(_ digits: Substring) -> RGBAColor? {
    let values = digits.compactMap(\.hexDigitValue)
    guard values.count == digits.utf8.count else { return nil }
    let bytes: [Int]
    switch values.count {
    case 3, 4: bytes = values.map { $0 * 17 }
    case 6, 8:
      bytes = stride(from: 0, to: values.count, by: 2).map { values[$0] * 16 + values[$0 + 1] }
    default: return nil
    }
    let parts = bytes.map { Double($0) / 255 }
    return RGBAColor(
      red: parts[0], green: parts[1], blue: parts[2], alpha: parts.count > 3 ? parts[3] : 1)
  }

  private static func unit(_ text: String, of whole: Double) -> Double? {
    let isPercentage = text.hasSuffix("%")
    guard let number = number(isPercentage ? String(text.dropLast()) : text) else { return nil }
    return min(max(number / (isPercentage ? 100 : whole), 0), 1)
  }

  private static func number(_ text: String) -> Double? {
    guard text.utf8.count <= 40, let number = Double(text), number.isFinite else { return nil }
    return number
  }

  private static func rgb(_ parts: [String]) -> RGBAColor? {
    guard parts.count == 3 || parts.count == 4, let red = unit(parts[0], of: 255),
      let green = unit(parts[1], of: 255), let blue = unit(parts[2], of: 255),
      let alpha = parts.count == 4 ? unit(parts[3], of: 1) : 1
    else { return nil }
    return RGBAColor(red: red, green: green, blue: blue, alpha: alpha)
  }

  private static func hsl(_ parts: [String]) -> RGBAColor? {
    guard parts.count == 3 || parts.count == 4,
      let degrees = number(parts[0].hasSuffix("deg") ? String(parts[0].dropLast(3)) : parts[0]),
      let saturation = unit(parts[1], of: 100), let lightness = unit(parts[2], of: 100),
      let alpha = parts.count == 4 ? unit(parts[3], of: 1) : 1
    else { return nil }
    let turns = degrees / 360
    let hue = (turns - turns.rounded(.down)) * 12
    func component(_ n: Double) -> Double {
      let k = hue + n >= 12 ? hue + n - 12 : hue + n
      let a = saturation * min(lightness, 1 - lightness)
      return lightness - a * max(-1, min(k - 3, min(9 - k, 1)))
    }
    return RGBAColor(
      red: component(0), green: component(8), blue: component(4), alpha: alpha)
  }
}
