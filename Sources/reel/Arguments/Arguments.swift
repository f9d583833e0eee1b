// The words of a command line, sorted into options and operands.

/// What a command was given.
struct Arguments {
  private(set) var operands: [String] = []
  private var values: [String: [String]] = [:]

  init(_ words: [String], grammar: Grammar) throws(CommandFailure) {
    var rest = words[...]
    while let word = rest.popFirst() {
      if word == "--" {
        operands += rest
        break
      }
      guard word.hasPrefix("-"), word != "-" else {
        operands.append(word)
        continue
      }
      try take(word, &rest, grammar)
    }
    if has("--help") { return }
    guard operands.count >= grammar.operands.lowerBound else {
      throw .usage("name \(operands.isEmpty ? "an" : "another") \(grammar.operandName); see --help")
    }
    guard operands.count <= grammar.operands.upperBound else {
      let extra = operands[grammar.operands.upperBound]
      throw .usage("'\(extra)' is one \(grammar.operandName) too many; see --help")
    }
  }

  private mutating func take(
    _ word: String, _ rest: inout ArraySlice<String>, _ grammar: Grammar
  ) throws(CommandFailure) {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let isLong = word.hasPrefix("--")
    let name = isLong ? String(parts[0]) : word
    let attached = isLong && parts.count == 2 ? String(parts[1]) : nil
    guard let option = grammar.option(named: name) else {
      let near = nearest(to: name, in: grammar.options.flatMap(\.names))
      let hint = near.map { "did you mean \($0)? " } ?? ""
      throw .usage("unknown option \(name); \(hint)see --help")
    }
    let value: String
    switch option.value {
    case .none:
      if attached != nil { throw .usage("\(name) takes no value; see --help") }
      value = ""
    case .required(let example):
      guard let next = attached ?? rest.popFirst() else {
        throw .usage("\(name) needs a value: \(name) \(example)")
      }
      value = next
    case .optionalCount:
      if let attached {
        value = attached
      } else if let next = rest.first, Int(next) != nil {
        value = next
        rest.removeFirst()
      } else {
        value = ""
      }
    }
    if values[option.name] != nil && !option.isRepeatable {
      throw .usage("\(name) is given twice; see --help")
    }
    values[option.name, default: []].append(value)
  }

  func has(_ name: String) -> Bool { values[name] != nil }
  /// The value of an option; nil when it was not given.
  func value(_ name: String) -> String? { values[name]?.first }
  /// All values of an option, in order.
  func all(_ name: String) -> [String] { values[name] ?? [] }

  /// The whole number given for an option, which has to lie in `range`.
  func count(_ name: String, in range: ClosedRange<Int>) throws(CommandFailure) -> Int? {
    guard let text = value(name) else { return nil }
    guard let number = Int(text), range.contains(number) else {
      let upper = range.upperBound == .max ? "up" : "to \(range.upperBound)"
      throw .usage("\(name) takes a whole number from \(range.lowerBound) \(upper), not '\(text)'")
    }
    return number
  }
}
