// The characters of the caption channel. CEA-708-E §7.1.

enum CEA708Characters {
  /// G0 and G1: ASCII with a note in the place of DEL, and Latin-1. nil for codes that are no characters.
  static func basic(_ code: UInt8) -> Character? {
    switch code {
    case 0x7F: "♪"
    case 0x20...0x7E, 0xA0...0xFF: Character(Unicode.Scalar(code))
    default: nil
    }
  }

  /// G2 and G3, behind EXT1. What later editions may add is shown as an underline.
  static func extended(_ code: UInt8) -> Character {
    switch code {
    case 0x20, 0x21: "\u{A0}"
    case 0x25: "…"
    case 0x2A: "Š"
    case 0x2C: "Œ"
    case 0x30: "█"
    case 0x31: "‘"
    case 0x32: "’"
    case 0x33: "“"
    case 0x34: "”"
    case 0x35: "•"
    case 0x39: "™"
    case 0x3A: "š"
    case 0x3C: "œ"
    case 0x3D: "℠"
    case 0x3F: "Ÿ"
    case 0x76: "⅛"
    case 0x77: "⅜"
    case 0x78: "⅝"
    case 0x79: "⅞"
    case 0x7A: "│"
    case 0x7B: "┐"
    case 0x7C: "└"
    case 0x7D: "─"
    case 0x7E: "┘"
    case 0x7F: "┌"
    // The sign of captions.
    case 0xA0: "㏄"
    default: "_"
    }
  }
}
