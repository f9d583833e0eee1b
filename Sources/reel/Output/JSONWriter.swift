// JSON text (RFC 8259), written piece by piece.

/// Builds JSON in the order the values come; commas and indentation take care of themselves.
struct JSONWriter {
  private(set) var text = ""
  private var isFirst = [true]
  /// Depth from which values stay on one line.
  private let compactDepth: Int

  init(compactDepth: Int = 2) { self.compactDepth = compactDepth }

  private var depth: Int { isFirst.count - 1 }

  mutating func object(_ name: String? = nil, _ body: (inout JSONWriter) -> Void) {
    nest(name, "{", "}", body)
  }

  mutating func array(_ name: String? = nil, _ body: (inout JSONWriter) -> Void) {
    nest(name, "[", "]", body)
  }

  mutating func string(_ name: String? = nil, _ value: String) {
    begin(name)
    appendQuoted(value)
  }

  mutating func number(_ name: String? = nil, _ value: some BinaryInteger) {
    begin(name)
    text += String(value)
  }

  /// A number that is written already, such as an exact decimal.
  mutating func literal(_ name: String? = nil, _ value: String) {
    begin(name)
    text += value
  }

  mutating func bool(_ name: String? = nil, _ value: Bool) {
    literal(name, value ? "true" : "false")
  }

  /// The text so far, which is given away, so that long documents need not be held.
  mutating func take() -> String {
    defer { text.removeAll(keepingCapacity: true) }
    return text
  }

  private mutating func nest(
    _ name: String?, _ open: String, _ close: String, _ body: (inout JSONWriter) -> Void
  ) {
    self.open(name, open)
    body(&self)
    self.close(close)
  }

  /// Begins an object or an array that ``close(_:)`` ends.
  mutating func open(_ name: String? = nil, _ bracket: String) {
    begin(name)
    text += bracket
    isFirst.append(true)
  }

  mutating func close(_ bracket: String) {
    let wasEmpty = isFirst.removeLast()
    if !wasEmpty && depth + 1 < compactDepth { breakLine() }
    text += bracket
    if isFirst.count == 1 { text += "\n" }
  }

  private mutating func begin(_ name: String?) {
    if !isFirst[depth] { text += "," }
    if depth > 0 {
      if depth < compactDepth {
        breakLine()
      } else if !isFirst[depth] {
        text += " "
      }
    }
    isFirst[depth] = false
    if let name {
      appendQuoted(name)
      text += ": "
    }
  }

  private mutating func breakLine() {
    text += "\n"
    for _ in 0..<depth { text += "  " }
  }

  private mutating func appendQuoted(_ value: String) {
    text += "\""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\t": text += "\\t"
      case "\r": text += "\\r"
      case "\0"..<" ", "\u{7F}":
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}
