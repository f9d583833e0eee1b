// Attribute lists of tags. RFC 8216 §4.2.

import ReelCore

/// The attributes of a tag, as ranges of the playlist's text, taken out one by one: what is left is
/// not known.
struct AttributeList {
  struct Entry {
    let name: Range<Int>
    /// Without quotation marks.
    let value: Range<Int>
    let isQuoted: Bool
    var isTaken = false
  }
  private(set) var entries: [Entry] = []

  /// Takes the attribute of a name out; nil when there is none.
  mutating func take(_ name: StaticString, in text: [UInt8]) -> Entry? {
    for index in entries.indices where !entries[index].isTaken {
      let range = entries[index].name
      guard range.count == name.utf8CodeUnitCount, Self.equal(text[range], name) else { continue }
      entries[index].isTaken = true
      return entries[index]
    }
    return nil
  }

  private static func equal(_ bytes: ArraySlice<UInt8>, _ name: StaticString) -> Bool {
    bytes.elementsEqual(name.description.utf8)
  }

  /// Those that no one has taken, values as written.
  func unknown(in text: [UInt8]) -> [UnknownAttribute] {
    entries.filter { !$0.isTaken }.map { entry in
      let value = String(decoding: text[entry.value], as: UTF8.self)
      return UnknownAttribute(
        name: String(decoding: text[entry.name], as: UTF8.self),
        value: entry.isQuoted ? "\"\(value)\"" : value)
    }
  }

  mutating func append(_ entry: Entry) { entries.append(entry) }
}

extension PlaylistReader {
  /// The attributes behind the colon of the current line.
  mutating func attributes(_ value: Range<Int>) throws(MediaError) -> AttributeList {
    var list = AttributeList()
    var position = value.lowerBound
    while true {
      position = try skippingBlanks(position, value.upperBound)
      guard position < value.upperBound else { return list }
      guard list.entries.count < limits.maximumAttributes else {
        throw tooMuch("more than \(limits.maximumAttributes) attributes", at: position)
      }
      let entry = try attribute(&position, value.upperBound)
      let isRepeated = list.entries.contains {
        text[$0.name].elementsEqual(text[entry.name])
      }
      if isRepeated {
        let name = String(decoding: text[entry.name], as: UTF8.self)
        try complain(.playlistAttributes, "\(name) twice", at: entry.name.lowerBound)
      } else {
        list.append(entry)
      }
    }
  }

  private mutating func attribute(
    _ position: inout Int, _ end: Int
  ) throws(MediaError) -> AttributeList.Entry {
    let start = position
    while position < end, Self.isNameByte(text[position]) { position += 1 }
    let name = start..<position
    position = try skippingBlanks(position, end)
    guard !name.isEmpty, position < end, text[position] == UInt8(ascii: "=") else {
      throw error(.playlistAttributes, "no NAME= here", at: position)
    }
    position = try skippingBlanks(position + 1, end)
    let isQuoted = position < end && text[position] == UInt8(ascii: "\"")
    let terminator = UInt8(ascii: isQuoted ? "\"" : ",")
    if isQuoted { position += 1 }
    let valueStart = position
    while position < end, text[position] != terminator { position += 1 }
    var valueEnd = position
    if isQuoted {
      guard position < end else {
        throw error(.playlistAttributes, "the quoted string does not end", at: valueStart - 1)
      }
      position = try skippingBlanks(position + 1, end)
    } else {
      while valueEnd > valueStart, Self.isBlank(text[valueEnd - 1]) { valueEnd -= 1 }
    }
    guard position == end || text[position] == UInt8(ascii: ",") else {
      throw error(.playlistAttributes, "no comma behind the quoted string", at: position)
    }
    position += 1
    return AttributeList.Entry(name: name, value: valueStart..<valueEnd, isQuoted: isQuoted)
  }

  private mutating func skippingBlanks(_ start: Int, _ end: Int) throws(MediaError) -> Int {
    var position = start
    while position < end, Self.isBlank(text[position]) { position += 1 }
    if position > start { try complain(.playlistBlank, "a blank between attributes", at: start) }
    return position
  }

  static func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
  }

  /// [A-Z0-9-], and small letters and the underscore, which writers of own attributes use.
  private static func isNameByte(_ byte: UInt8) -> Bool {
    65...90 ~= byte || 97...122 ~= byte || 48...57 ~= byte || byte == UInt8(ascii: "-")
      || byte == UInt8(ascii: "_")
  }

  // MARK: Values by type

  /// A quoted string, variables replaced.
  mutating func string(
    _ name: StaticString, _ list: inout AttributeList
  ) throws(MediaError) -> String? {
    guard let entry = list.take(name, in: text) else { return nil }
    return try string(entry, name)
  }

  /// A quoted string; one without quotation marks must not have any within.
  mutating func string(
    _ entry: AttributeList.Entry, _ name: StaticString
  ) throws(MediaError) -> String {
    try expectQuotes(true, entry, name)
    guard !text[entry.value].contains(UInt8(ascii: "\"")) else {
      throw error(
        .playlistAttributeValue, "\(name) has a quotation mark within", at: entry.value.lowerBound)
    }
    return try substituted(entry.value).string
  }

  /// A quoted string that has to be there.
  mutating func requiredString(
    _ name: StaticString, _ list: inout AttributeList
  ) throws(MediaError) -> String {
    guard let value = try string(name, &list) else {
      throw error(.playlistMissingAttribute, "\(name) is missing")
    }
    return value
  }

  /// An enumerated string.
  mutating func word(
    _ name: StaticString, _ list: inout AttributeList
  ) throws(MediaError) -> String? {
    guard let entry = list.take(name, in: text) else { return nil }
    try expectQuotes(false, entry, name)
    let isWord = !text[entry.value].contains { $0 == 44 || $0 == 34 || $0 <= 32 }
    guard isWord else {
      throw error(.playlistAttributeValue, "\(name) is no word", at: entry.value.lowerBound)
    }
    return String(decoding: text[entry.value], as: UTF8.self)
  }

  /// YES or anything else.
  mutating func flag(
    _ name: StaticString, _ list: inout AttributeList
  ) throws(MediaError) -> Bool {
    guard let entry = list.take(name, in: text) else { return false }
    try expectQuotes(false, entry, name)
    let isSet = text[entry.value].elementsEqual("YES".utf8)
    if !isSet && !text[entry.value].elementsEqual("NO".utf8) {
      try complain(
        .playlistAttributeValue, "\(name) is neither YES nor NO", at: entry.value.lowerBound)
    }
    return isSet
  }

  mutating func integer(
    _ name: StaticString, _ list: inout AttributeList
  ) throws(MediaError) -> Int64? {
    guard let entry = list.take(name, in: text) else { return nil }
    try expectQuotes(false, entry, name)
    guard let value = Self.integer(text[entry.value]) else {
      throw error(
        .playlistAttributeValue, "\(name) is no whole number", at: entry.value.lowerBound)
    }
    return value
  }

  mutating func decimal(
    _ name: StaticString, _ list: inout AttributeList, signed: Bool = false
  ) throws(MediaError) -> DecimalNumber? {
    guard let entry = list.take(name, in: text) else { return nil }
    try expectQuotes(false, entry, name)
    guard let value = DecimalNumber(text[entry.value], allowsSign: signed) else {
      throw error(
        .playlistAttributeValue, "\(name) is no decimal number", at: entry.value.lowerBound)
    }
    return value
  }

  /// A hexadecimal sequence: 0x and digits, variables replaced.
  mutating func hexadecimal(
    _ name: StaticString, _ list: inout AttributeList
  ) throws(MediaError) -> [UInt8]? {
    guard let entry = list.take(name, in: text) else { return nil }
    try expectQuotes(false, entry, name)
    let digits = [UInt8](try substituted(entry.value).bytes)
    guard let bytes = Self.hexadecimal(digits) else {
      throw error(
        .playlistAttributeValue, "\(name) is no hexadecimal sequence", at: entry.value.lowerBound)
    }
    return bytes
  }

  private mutating func expectQuotes(
    _ expected: Bool, _ entry: AttributeList.Entry, _ name: StaticString
  ) throws(MediaError) {
    guard entry.isQuoted != expected else { return }
    try complain(
      .playlistAttributeValue, "\(name) \(expected ? "lacks" : "has") quotation marks",
      at: entry.value.lowerBound)
  }

  /// Up to 18 digits.
  static func integer(_ bytes: ArraySlice<UInt8>) -> Int64? {
    guard !bytes.isEmpty, bytes.count <= 18 else { return nil }
    var value: Int64 = 0
    for byte in bytes {
      guard 48...57 ~= byte else { return nil }
      value = value * 10 + Int64(byte - 48)
    }
    return value
  }

  /// Bytes of `0x…`; an odd digit is the low half of the first byte.
  static func hexadecimal(_ bytes: [UInt8]) -> [UInt8]? {
    guard bytes.count > 2, bytes[0] == 48, bytes[1] == 120 || bytes[1] == 88 else { return nil }
    var nibbles: [UInt8] = bytes.count % 2 == 1 ? [0] : []
    for byte in bytes[2...] {
      switch byte {
      case 48...57: nibbles.append(byte - 48)
      case 65...70: nibbles.append(byte - 55)
      case 97...102: nibbles.append(byte - 87)
      default: return nil
      }
    }
    return stride(from: 0, to: nibbles.count, by: 2).map { nibbles[$0] << 4 | nibbles[$0 + 1] }
  }
}
