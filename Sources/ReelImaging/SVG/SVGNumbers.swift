// Numbers, lengths and lists as SVG writes them. Scalable Vector Graphics (SVG) 1.1 (Second Edition) §4.2.

internal import ReelCore

/// Walks over text that holds numbers.
struct SVGScanner {
  private let bytes: [UInt8]
  private(set) var index = 0

  init(_ text: String) { bytes = Array(text.utf8) }

  var isAtEnd: Bool { index >= bytes.count }
  var next: UInt8? { index < bytes.count ? bytes[index] : nil }

  /// Blanks and at most one comma.
  mutating func skipSeparators() {
    skipBlanks()
    if next == UInt8(ascii: ",") {
      index += 1
      skipBlanks()
    }
  }

  mutating func skipBlanks() {
    while let byte = next, [0x20, 0x09, 0x0A, 0x0C, 0x0D].contains(byte) { index += 1 }
  }

  mutating func take() -> UInt8? {
    guard let byte = next else { return nil }
    index += 1
    return byte
  }

  private mutating func digits() -> Int {
    let start = index
    while let byte = next, (0x30...0x39).contains(byte) { index += 1 }
    return index - start
  }

  /// The next number: sign, digits, fraction, exponent; nil where there is none or it is not finite.
  mutating func number() -> Double? {
    let start = index
    if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { index += 1 }
    var count = digits()
    if next == UInt8(ascii: ".") {
      index += 1
      count += digits()
    }
    guard count > 0 else {
      index = start
      return nil
    }
    if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
      let mark = index
      index += 1
      if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { index += 1 }
      // `2em` is a length, not an exponent.
      if digits() == 0 { index = mark }
    }
    // LIMIT: digits of a number.
    guard index - start <= 60 else { return nil }
    var text = String(decoding: bytes[start..<index], as: UTF8.self)
    if text.last == "." { text.removeLast() }
    guard let number = Double(text), number.isFinite, number.magnitude <= 1e15 else { return nil }
    return number
  }

  /// A flag of an arc: `0` or `1`, which need nothing behind them.
  mutating func flag() -> Bool? {
    guard let byte = next, byte == UInt8(ascii: "0") || byte == UInt8(ascii: "1") else {
      return nil
    }
    index += 1
    return byte == UInt8(ascii: "1")
  }

  /// Letters, digits and hyphens.
  mutating func word() -> String {
    let start = index
    while let byte = next,
      (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == UInt8(ascii: "-")
        || byte == UInt8(ascii: "%") || (0x30...0x39).contains(byte)
    {
      index += 1
    }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }
}

/// A length with its unit.
enum SVGLength {
  /// User units; percentages are of `whole`. nil for what is no length.
  static func parse(_ text: String, of whole: Double) -> Double? {
    var scanner = SVGScanner(text)
    scanner.skipBlanks()
    guard let number = scanner.number() else { return nil }
    let unit = scanner.word()
    scanner.skipBlanks()
    guard scanner.isAtEnd else { return nil }
    switch unit {
    case "", "px": return number
    case "%": return number / 100 * whole
    case "pt": return number * 96 / 72
    case "pc": return number * 16
    case "mm": return number * 96 / 25.4
    case "cm": return number * 96 / 2.54
    case "in": return number * 96
    // The font size that a document has when it says nothing.
    case "em": return number * 16
    case "ex": return number * 8
    default: return nil
    }
  }

  /// Numbers parted by blanks and commas; nil when something else stands among them.
  static func numbers(_ text: String, most: Int) -> [Double]? {
    var scanner = SVGScanner(text)
    var numbers: [Double] = []
    scanner.skipBlanks()
    while !scanner.isAtEnd {
      guard let number = scanner.number(), numbers.count < most else { return nil }
      numbers.append(number)
      scanner.skipSeparators()
    }
    return numbers
  }
}
