// The arguments of a script's command, taken one by one.

internal import ReelCore

/// Hands out arguments by name or place and knows what is left.
struct ScriptArguments {
  private let command: String
  private var rest: [ScriptLine.Argument]
  /// Names that were asked for.
  private var names: [String] = []

  init(_ line: ScriptLine) {
    command = line.name
    rest = line.arguments
  }

  func fault(_ detail: String, advice: String = "") -> MediaError {
    MediaError(.damaged, .scriptArgument, detail: "\(command): \(detail)", advice: advice)
  }

  /// The argument of this name, or else the next one without a name; nil when there is none.
  mutating func take(_ name: String) -> ScriptLine.Value? {
    names.append(name)
    let index = rest.firstIndex { $0.name == name } ?? rest.firstIndex { $0.name == nil }
    return index.map { rest.remove(at: $0).value }
  }

  /// The argument of this name; nil when there is none.
  mutating func takeNamed(_ name: String) -> ScriptLine.Value? {
    names.append(name)
    return rest.firstIndex { $0.name == name }.map { rest.remove(at: $0).value }
  }

  /// Whether the word stands alone among the arguments, or as `word=true`.
  mutating func takeFlag(_ word: String) throws(MediaError) -> Bool {
    if let value = takeNamed(word) { return try bool(value) }
    guard let index = rest.firstIndex(where: { $0.name == nil && $0.value == .word(word) }) else {
      return false
    }
    rest.remove(at: index)
    return true
  }

  func bool(_ value: ScriptLine.Value) throws(MediaError) -> Bool {
    switch value.text {
    case "true": true
    case "false": false
    default: throw fault("\"\(value.text)\" is neither true nor false")
    }
  }

  mutating func required(_ name: String) throws(MediaError) -> ScriptLine.Value {
    guard let value = take(name) else { throw fault("\(name) is missing") }
    return value
  }

  mutating func float(_ name: String) throws(MediaError) -> Float {
    let value = try required(name)
    guard let number = Float(value.text), number.isFinite else {
      throw MediaError(.damaged, .scriptNumber, detail: "\(command): \"\(value.text)\"")
    }
    return number
  }

  mutating func rational(_ name: String) throws(MediaError) -> Rational {
    let value = try required(name)
    guard let number = ScriptLine.rational(value.text) else {
      throw MediaError(.damaged, .scriptNumber, detail: "\(command): \"\(value.text)\"")
    }
    return number
  }

  func numbers(_ value: ScriptLine.Value) throws(MediaError) -> [Double] {
    let items: [String] =
      if case .list(let items) = value { items } else {
        value.text.split(separator: ",").map(String.init)
      }
    var numbers: [Double] = []
    for item in items {
      guard let number = Double(item), number.isFinite else {
        throw MediaError(.damaged, .scriptNumber, detail: "\(command): \"\(item)\"")
      }
      numbers.append(number)
    }
    return numbers
  }

  /// All that is left.
  mutating func takeAll() -> [ScriptLine.Argument] {
    defer { rest = [] }
    return rest
  }

  /// Throws when something is left.
  func end() throws(MediaError) {
    guard let first = rest.first else { return }
    throw fault(
      "\"\(first.name.map { $0 + "=" } ?? "")\(first.value.text)\" is too much",
      advice: first.name.map { Suggestion.advice(for: $0, among: names) } ?? "")
  }
}
