// What a command takes.

/// An option of a command.
struct Option {
  enum Value {
    case none
    /// The next word, or what stands behind `=`.
    case required(String)
    /// What stands behind `=`, or the next word when it is a whole number.
    case optionalCount(String)
  }

  let names: [String]
  let value: Value
  let isRepeatable: Bool

  init(_ names: String..., value: String? = nil, isRepeatable: Bool = false) {
    self.names = names
    self.value = value.map { .required($0) } ?? .none
    self.isRepeatable = isRepeatable
  }

  init(_ name: String, optionalCount: String) {
    names = [name]
    value = .optionalCount(optionalCount)
    isRepeatable = false
  }

  /// The name that stands for the option everywhere else.
  var name: String { names[0] }
}

/// The options and operands of a command.
struct Grammar {
  let options: [Option]
  /// How many operands there may be.
  let operands: ClosedRange<Int>
  /// What an operand is, for messages.
  let operandName: String

  init(_ options: [Option], operands: ClosedRange<Int>, operandName: String = "INPUT") {
    self.options = options + [Option("--help", "-h")]
    self.operands = operands
    self.operandName = operandName
  }

  func option(named name: String) -> Option? { options.first { $0.names.contains(name) } }
}

/// The word of `words` that is at most two edits away from `word`.
func nearest(to word: String, in words: [String]) -> String? {
  let ranked = words.map { ($0, editDistance(word, $0)) }
  guard let best = ranked.min(by: { $0.1 < $1.1 }), best.1 <= 2, best.1 < word.count else {
    return nil
  }
  return best.0
}

/// Insertions, removals and changes of one character that lead from `a` to `b`.
private func editDistance(_ a: String, _ b: String) -> Int {
  let (a, b) = (Array(a), Array(b))
  var row = Array(0...b.count)
  for i in 0..<a.count {
    var diagonal = row[0]
    row[0] = i + 1
    for j in 0..<b.count {
      let change = diagonal + (a[i] == b[j] ? 0 : 1)
      diagonal = row[j + 1]
      row[j + 1] = min(change, row[j] + 1, diagonal + 1)
    }
  }
  return row[b.count]
}
