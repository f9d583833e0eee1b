// One line of a script: time, command, arguments.

internal import ReelCore

/// A line with its arguments, whichever form it was written in.
struct ScriptLine {
  /// What stands for an argument.
  enum Value: Hashable {
    case word(String)
    case quoted(String)
    case list([String])
    case none

    /// Its text; lists with commas.
    var text: String {
      switch self {
      case .word(let text), .quoted(let text): text
      case .list(let items): items.joined(separator: ",")
      case .none: ""
      }
    }
  }
  struct Argument: Hashable {
    /// nil for one that is told by its place.
    let name: String?
    let value: Value
  }

  var time: Rational
  var name: String
  var arguments: [Argument]

  /// nil for an empty line or a comment.
  init?(parsing line: String) throws(MediaError) {
    let body = line.drop { $0 == " " || $0 == "\t" }
    if body.first == "{" {
      try self.init(json: String(body))
      return
    }
    var tokens = try Self.tokens(in: body)
    guard let first = tokens.first else { return nil }
    guard let time = Self.time(first.value.text), first.name == nil else {
      throw MediaError(.damaged, .scriptTime, detail: "\"\(first.value.text)\"")
    }
    guard tokens.count > 1, tokens[1].name == nil else {
      throw MediaError(.damaged, .scriptCommand, detail: "there is none behind the time")
    }
    let name = tokens[1].value.text
    tokens.removeFirst(2)
    self.init(time: time, name: name, arguments: tokens)
  }

  private init(time: Rational, name: String, arguments: [Argument]) {
    self.time = time
    self.name = name
    self.arguments = arguments
  }

  private static func time(_ text: String) -> Rational? {
    rational(text).flatMap { $0 >= .zero ? $0 : nil }
  }

  /// What ``ReelCore/Rational`` reads, and a decimal number with an exponent (`1.5e-3`), as JSON may have
  /// it; nil when it is not held exactly.
  static func rational(_ text: String) -> Rational? {
    guard let mark = text.firstIndex(where: { $0 == "e" || $0 == "E" }) else {
      return Rational(text)
    }
    let digits = text[..<mark]
    guard let exponent = Int(text[text.index(after: mark)...]), (-30...30).contains(exponent),
      !digits.contains(":"), !digits.contains("/"), let number = Rational(digits)
    else { return nil }
    let power = (0..<exponent.magnitude).reduce(Rational.one) { power, _ in power * 10 }
    let value = exponent < 0 ? number / power : number * power
    return value.hasBeenRounded ? nil : value
  }

  // MARK: Text

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0D
  }

  /// Words parted by blanks. `name=value` is a named argument; a value in double quotes or square
  /// brackets may hold blanks. `#` at the start of a word begins a comment.
  private static func tokens(in line: Substring) throws(MediaError) -> [Argument] {
    let bytes = Array(line.utf8)
    var tokens: [Argument] = []
    var index = 0
    while index < bytes.count {
      if isBlank(bytes[index]) {
        index += 1
        continue
      }
      if bytes[index] == UInt8(ascii: "#") { break }
      tokens.append(try token(bytes, &index))
    }
    return tokens
  }

  private static func token(_ bytes: [UInt8], _ index: inout Int) throws(MediaError) -> Argument {
    var name: String?
    var word: [UInt8] = []
    while index < bytes.count, !isBlank(bytes[index]) {
      let byte = bytes[index]
      if byte == UInt8(ascii: "\""), word.isEmpty {
        return Argument(name: name, value: .quoted(try quoted(bytes, &index)))
      }
      if byte == UInt8(ascii: "["), word.isEmpty {
        return Argument(name: name, value: .list(try list(bytes, &index)))
      }
      if byte == UInt8(ascii: "="), name == nil, !word.isEmpty {
        name = String(decoding: word, as: UTF8.self)
        word = []
      } else {
        word.append(byte)
      }
      index += 1
    }
    return Argument(name: name, value: .word(String(decoding: word, as: UTF8.self)))
  }

  private static func quoted(_ bytes: [UInt8], _ index: inout Int) throws(MediaError) -> String {
    var text: [UInt8] = []
    index += 1
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      if byte == UInt8(ascii: "\"") { return String(decoding: text, as: UTF8.self) }
      if byte == UInt8(ascii: "\\"), index < bytes.count {
        text.append(bytes[index])
        index += 1
      } else {
        text.append(byte)
      }
    }
    throw MediaError(.damaged, .scriptQuote)
  }

  private static func list(_ bytes: [UInt8], _ index: inout Int) throws(MediaError) -> [String] {
    guard let close = bytes[index...].firstIndex(of: UInt8(ascii: "]")) else {
      throw MediaError(.damaged, .scriptQuote, detail: "\"[\" without \"]\"")
    }
    let inside = String(decoding: bytes[index + 1..<close], as: UTF8.self)
    index = close + 1
    return inside.split { $0 == "," || $0 == " " }.map(String.init)
  }

  // MARK: JSON

  private init(json: String) throws(MediaError) {
    guard case .object(let members) = try JSONValue(parsing: json) else {
      throw MediaError(.damaged, .jsonSyntax, detail: "a line is an object")
    }
    var time: Rational?
    var name: String?
    var arguments: [Argument] = []
    for member in members {
      switch (member.name, member.value) {
      case ("time", .number(let text)), ("time", .string(let text)): time = Self.time(text)
      case ("command", .string(let text)): name = text
      case ("parameters", .object(let parameters)):
        for parameter in parameters {
          arguments.append(
            Argument(name: parameter.name, value: try Self.value(parameter.value)))
        }
      default:
        arguments.append(Argument(name: member.name, value: try Self.value(member.value)))
      }
    }
    guard let time else { throw MediaError(.damaged, .scriptTime, detail: "\"time\"") }
    guard let name else { throw MediaError(.damaged, .scriptCommand, detail: "\"command\"") }
    self.init(time: time, name: name, arguments: arguments)
  }

  private static func value(_ value: JSONValue) throws(MediaError) -> Value {
    switch value {
    case .null: return .none
    case .bool(let flag): return .word(flag ? "true" : "false")
    case .number(let text): return .word(text)
    case .string(let text): return .quoted(text)
    case .array(let values):
      var items: [String] = []
      for value in values {
        guard case .number(let text) = value else {
          throw MediaError(.damaged, .scriptArgument, detail: "a list holds numbers")
        }
        items.append(text)
      }
      return .list(items)
    case .object:
      throw MediaError(.damaged, .scriptArgument, detail: "an object has no place here")
    }
  }
}
