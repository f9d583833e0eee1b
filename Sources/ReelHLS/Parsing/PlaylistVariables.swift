// Variables and what refers to them. draft-pantos-hls-rfc8216bis-14 §4.3 and §4.4.2.3.

import ReelCore

/// The variables defined so far.
struct PlaylistVariables {
  var values: [String: [UInt8]] = [:]
  /// Bytes that references were replaced with.
  var substitutedBytes = 0
  /// Something that looks like a reference was read before any variable was defined.
  var hasLiteralReference = false

  /// [a-zA-Z0-9_-]
  static func isNameByte(_ byte: UInt8) -> Bool {
    65...90 ~= byte || 97...122 ~= byte || 48...57 ~= byte || byte == UInt8(ascii: "-")
      || byte == UInt8(ascii: "_")
  }
}

extension PlaylistReader {
  /// EXT-X-DEFINE.
  mutating func define(_ value: Range<Int>) throws(MediaError) {
    guard header.definitions.count < limits.maximumOtherTags else {
      throw tooMuch("more than \(limits.maximumOtherTags) variables")
    }
    var list = try attributes(value)
    let imported = try string("IMPORT", &list)
    let parameter = try string("QUERYPARAM", &list)
    let named = try string("NAME", &list)
    let definition: VariableDefinition
    let content: String
    switch (named, imported, parameter) {
    case (let name?, nil, nil):
      guard let given = try string("VALUE", &list) else {
        throw error(.playlistMissingAttribute, "VALUE is missing")
      }
      (definition, content) = (.value(name: name, value: given), given)
    case (nil, let name?, nil):
      guard let given = context.importedVariables[name] else {
        throw error(.playlistVariable, "the master playlist does not define \(name)")
      }
      (definition, content) = (.imported(name: name), given)
    case (nil, nil, let name?):
      guard let given = Self.queryParameter(name, of: context.address) else {
        throw error(.playlistVariable, "the playlist's address has no parameter \(name)")
      }
      (definition, content) = (.queryParameter(name: name), given)
    default:
      throw error(.playlistVariable, "it needs one of NAME, IMPORT and QUERYPARAM")
    }
    try add(definition, [UInt8](content.utf8))
  }

  private mutating func add(
    _ definition: VariableDefinition, _ content: [UInt8]
  ) throws(MediaError) {
    let name = definition.name
    guard !name.isEmpty, name.utf8.allSatisfy(PlaylistVariables.isNameByte) else {
      throw error(.playlistVariable, "\"\(name)\" is no name of a variable")
    }
    guard variables.values[name] == nil else {
      throw error(.playlistVariable, "\(name) is defined twice")
    }
    // A value is not replaced a second time, so one that looks like a reference could not be written
    // again; one with a line end or quotation mark would change what the lines mean.
    let isHarmless = !content.contains { $0 < 32 || $0 == 34 || $0 == 127 }
    guard isHarmless, Self.reference(in: content, from: 0) == nil else {
      throw error(.playlistVariable, "the value of \(name) has a reference or control character")
    }
    guard !variables.hasLiteralReference else {
      throw error(.playlistVariable, "a reference stands before the first definition")
    }
    variables.values[name] = content
    header.definitions.append(definition)
  }

  /// The text of a range with `{$name}` replaced. Where nothing is defined, braces are themselves.
  mutating func substituted(_ range: Range<Int>) throws(MediaError) -> TextSlice {
    guard text[range].contains(UInt8(ascii: "{")) else { return TextSlice(text, range) }
    let source = [UInt8](text[range])
    guard Self.reference(in: source, from: 0) != nil else { return TextSlice(text, range) }
    guard !variables.values.isEmpty else {
      variables.hasLiteralReference = true
      try complain(.playlistVariable, "no variable is defined", at: range.lowerBound)
      return TextSlice(text, range)
    }
    var result: [UInt8] = []
    var position = 0
    while let reference = Self.reference(in: source, from: position) {
      result += source[position..<reference.lowerBound]
      let offset = range.lowerBound + reference.lowerBound
      result += try value(of: source[reference].dropFirst(2).dropLast(), at: offset)
      position = reference.upperBound
    }
    result += source[position...]
    guard Self.reference(in: result, from: 0) == nil else {
      throw error(.playlistVariable, "replacing gives a new reference", at: range.lowerBound)
    }
    return TextSlice(result)
  }

  private mutating func value(
    of name: ArraySlice<UInt8>, at offset: Int
  ) throws(MediaError) -> [UInt8] {
    let name = String(decoding: name, as: UTF8.self)
    guard let value = variables.values[name] else {
      throw error(.playlistVariable, "\(name) is not defined", at: offset)
    }
    variables.substitutedBytes += value.count
    // LIMIT: a long value referred to in every line would multiply the text.
    guard variables.substitutedBytes <= limits.maximumSubstitutedBytes else {
      throw tooMuch("variables make more than \(limits.maximumSubstitutedBytes) bytes")
    }
    return value
  }

  /// The first `{$name}` from `start` on; nil when there is none.
  static func reference(in bytes: [UInt8], from start: Int) -> Range<Int>? {
    var position = start
    while position + 3 < bytes.count {
      guard bytes[position] == UInt8(ascii: "{"), bytes[position + 1] == UInt8(ascii: "$") else {
        position += 1
        continue
      }
      var end = position + 2
      while end < bytes.count, PlaylistVariables.isNameByte(bytes[end]) { end += 1 }
      if end > position + 2, end < bytes.count, bytes[end] == UInt8(ascii: "}") {
        return position..<end + 1
      }
      position = end
    }
    return nil
  }

  /// The percent-decoded value of a parameter in a URI's query.
  static func queryParameter(_ name: String, of address: String) -> String? {
    guard let query = URIReference(address).query else { return nil }
    for pair in query.utf8.split(separator: UInt8(ascii: "&")) {
      let halves = pair.split(
        separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard percentDecoded(halves[0]) == name else { continue }
      return halves.count > 1 ? percentDecoded(halves[1]) : ""
    }
    return nil
  }

  private static func percentDecoded(_ bytes: Substring.UTF8View) -> String {
    String(decoding: PercentEncoding.decoded(bytes), as: UTF8.self)
  }
}
