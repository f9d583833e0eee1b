// The characters of line 21. 47 CFR §15.119(g), CEA-608-E §6.4.

enum CEA608Characters {
  /// What is shown for a character that did not come through.
  static let solidBlock: UInt8 = 0x7F

  /// The character of a code 0x20 … 0x7F: ASCII but for ten codes.
  static func basic(_ code: UInt8) -> Character {
    switch code {
    case 0x27: "\u{2019}"
    case 0x2A: "á"
    case 0x5C: "é"
    case 0x5E: "í"
    case 0x5F: "ó"
    case 0x60: "ú"
    case 0x7B: "ç"
    case 0x7C: "÷"
    case 0x7D: "Ñ"
    case 0x7E: "ñ"
    case 0x7F: "█"
    default: Character(Unicode.Scalar(code))
    }
  }

  /// Second bytes 0x30 … 0x3F behind 0x11. The tenth is a transparent space.
  static let special: [Character] = [
    "®", "°", "½", "¿", "™", "¢", "£", "♪", "à", "\u{A0}", "è", "â", "ê", "î", "ô", "û",
  ]

  /// Second bytes 0x20 … 0x3F behind 0x12: Spanish, miscellaneous and French.
  static let extendedFirst: [Character] = [
    "Á", "É", "Ó", "Ú", "Ü", "ü", "‘", "¡", "*", "’", "—", "©", "℠", "•", "“", "”", "À", "Â", "Ç",
    "È", "Ê", "Ë", "ë", "Î", "Ï", "ï", "Ô", "Ù", "ù", "Û", "«", "»",
  ]

  /// Second bytes 0x20 … 0x3F behind 0x13: Portuguese, German and Danish.
  static let extendedSecond: [Character] = [
    "Ã", "ã", "Í", "Ì", "ì", "Ò", "ò", "Õ", "õ", "{", "}", "\\", "^", "_", "|", "~", "Ä", "ä", "Ö",
    "ö", "ß", "¥", "¤", "│", "Å", "å", "Ø", "ø", "┌", "┐", "└", "┘",
  ]
}
