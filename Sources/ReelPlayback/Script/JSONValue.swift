// JSON texts. RFC 8259.

public import ReelCore

extension Rule {
  static let jsonSyntax = Rule("json.syntax", "a JSON text follows the grammar", clause: "RFC 8259")
}

/// A JSON value. Numbers keep their text, so that they can be read exactly.
public enum JSONValue: Sendable, Hashable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// As written.
  case number(String)
  /// With its escapes undone.
  case string(String)
  /// In order.
  case array([JSONValue])
  /// In the order of the text; a name may stand twice.
  case object([Member])

  /// A member of an object.
  public struct Member: Sendable, Hashable {
    /// As written.
    public let name: String
    /// Its value.
    public let value: JSONValue
  }

  /// The value that `text` is, blanks around it allowed.
  ///
  /// - Throws: `damaged` at the byte where the grammar is left.
  public init(parsing text: String) throws(MediaError) {
    var parser = JSONParser(text)
    self = try parser.parseText()
  }
}

/// A recursive-descent parser over the bytes of a text.
private struct JSONParser {
  private let bytes: [UInt8]
  private var index = 0
  // LIMIT: scripts and saved states nest less than ten deep.
  private var depth = 32

  init(_ text: String) { bytes = Array(text.utf8) }

  mutating func parseText() throws(MediaError) -> JSONValue {
    let value = try parseValue()
    skipBlanks()
    guard index == bytes.count else { throw fault("text behind the value") }
    return value
  }

  private func fault(_ detail: String) -> MediaError {
    MediaError(.damaged, .jsonSyntax, at: .offset(Int64(index)), detail: detail)
  }

  private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

  private mutating func skipBlanks() {
    while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D {
      index += 1
    }
  }

  private mutating func expect(_ character: Unicode.Scalar) throws(MediaError) {
    skipBlanks()
    guard next == UInt8(ascii: character) else { throw fault("\"\(character)\" expected") }
    index += 1
  }

  private mutating func accept(_ character: Unicode.Scalar) -> Bool {
    skipBlanks()
    guard next == UInt8(ascii: character) else { return false }
    index += 1
    return true
  }

  private mutating func parseValue() throws(MediaError) -> JSONValue {
    skipBlanks()
    switch next {
    case UInt8(ascii: "{"): return try parseObject()
    case UInt8(ascii: "["): return try parseArray()
    case UInt8(ascii: "\""): return .string(try parseString())
    case UInt8(ascii: "t"): return try parseWord("true", .bool(true))
    case UInt8(ascii: "f"): return try parseWord("false", .bool(false))
    case UInt8(ascii: "n"): return try parseWord("null", .null)
    default: return .number(try parseNumber())
    }
  }

  private mutating func parseWord(
    _ word: StaticString, _ value: JSONValue
  ) throws(MediaError) -> JSONValue {
    for byte in word.description.utf8 {
      guard next == byte else { throw fault("\"\(word)\" expected") }
      index += 1
    }
    return value
  }

  private mutating func enter() throws(MediaError) {
    guard depth > 0 else { throw fault("nested too deep") }
    depth -= 1
  }

  private mutating func parseObject() throws(MediaError) -> JSONValue {
    try enter()
    try expect("{")
    var members: [JSONValue.Member] = []
    if !accept("}") {
      repeat {
        skipBlanks()
        let name = try parseString()
        try expect(":")
        members.append(JSONValue.Member(name: name, value: try parseValue()))
      } while accept(",")
      try expect("}")
    }
    depth += 1
    return .object(members)
  }

  private mutating func parseArray() throws(MediaError) -> JSONValue {
    try enter()
    try expect("[")
    var values: [JSONValue] = []
    if !accept("]") {
      repeat { values.append(try parseValue()) } while accept(",")
      try expect("]")
    }
    depth += 1
    return .array(values)
  }

  private mutating func digits() throws(MediaError) {
    let start = index
    while let byte = next, byte >= 0x30, byte <= 0x39 { index += 1 }
    guard index > start else { throw fault("a digit expected") }
  }

  private mutating func parseNumber() throws(MediaError) -> String {
    let start = index
    if next == UInt8(ascii: "-") { index += 1 }
    if next == UInt8(ascii: "0") { index += 1 } else { try digits() }
    if next == UInt8(ascii: ".") {
      index += 1
      try digits()
    }
    if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
      index += 1
      if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { index += 1 }
      try digits()
    }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  private mutating func parseString() throws(MediaError) -> String {
    try expect("\"")
    var text: [UInt8] = []
    while true {
      guard let byte = next, byte >= 0x20 else { throw fault("an open string") }
      index += 1
      if byte == UInt8(ascii: "\"") { return String(decoding: text, as: UTF8.self) }
      guard byte == UInt8(ascii: "\\") else {
        text.append(byte)
        continue
      }
      guard let escape = next else { throw fault("an open string") }
      index += 1
      switch escape {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(escape)
      case UInt8(ascii: "b"): text.append(0x08)
      case UInt8(ascii: "f"): text.append(0x0C)
      case UInt8(ascii: "n"): text.append(0x0A)
      case UInt8(ascii: "r"): text.append(0x0D)
      case UInt8(ascii: "t"): text.append(0x09)
      case UInt8(ascii: "u"): text += Array(String(try parseEscapedScalar()).utf8)
      default: throw fault("an unknown escape")
      }
    }
  }

  private mutating func parseUnit() throws(MediaError) -> UInt32 {
    guard index + 4 <= bytes.count,
      let unit = UInt32(String(decoding: bytes[index..<index + 4], as: UTF8.self), radix: 16),
      bytes[index] != UInt8(ascii: "+"), bytes[index] != UInt8(ascii: "-")
    else { throw fault("four hexadecimal digits expected") }
    index += 4
    return unit
  }

  /// A code unit, or two of a surrogate pair. A lone surrogate becomes U+FFFD.
  private mutating func parseEscapedScalar() throws(MediaError) -> Character {
    let first = try parseUnit()
    if (0xD800..<0xDC00).contains(first), index + 1 < bytes.count,
      bytes[index] == UInt8(ascii: "\\"), bytes[index + 1] == UInt8(ascii: "u")
    {
      let mark = index
      index += 2
      let second = try parseUnit()
      if (0xDC00..<0xE000).contains(second),
        let scalar = Unicode.Scalar(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00))
      {
        return Character(scalar)
      }
      index = mark
    }
    return Character(Unicode.Scalar(first) ?? "\u{FFFD}")
  }
}
