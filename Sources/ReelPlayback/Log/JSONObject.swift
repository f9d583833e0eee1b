// JSON objects as one line of text, members in the order they are written.

internal import ReelCore

/// Writes a JSON object. RFC 8259. Numbers come out the same on every machine.
struct JSONObject {
  private(set) var text = "{"

  private mutating func name(_ name: String) {
    if text.utf8.count > 1 { text += "," }
    text += Self.quoted(name) + ":"
  }

  mutating func set(_ key: String, _ value: String) {
    name(key)
    text += Self.quoted(value)
  }

  mutating func set(_ key: String, _ value: Int) {
    name(key)
    text += String(value)
  }

  mutating func set(_ key: String, _ value: Bool) {
    name(key)
    text += value ? "true" : "false"
  }

  /// A finite number; null for any other.
  mutating func set(_ key: String, _ value: Double) {
    name(key)
    text += value.isFinite ? "\(value)" : "null"
  }

  mutating func set(_ key: String, _ value: [Double]) {
    name(key)
    text += "[" + value.map { $0.isFinite ? "\($0)" : "null" }.joined(separator: ",") + "]"
  }

  mutating func setNull(_ key: String) {
    name(key)
    text += "null"
  }

  /// A time as a decimal number; where nine places do not hold it, they are rounded and the member
  /// `…Exact` has the fraction.
  mutating func set(_ key: String, _ value: Rational) {
    let exact = value.description
    name(key)
    guard exact.contains("/") else {
      text += exact
      return
    }
    let billionths = (value * Rational(1_000_000_000) + Rational(1, 2)).floor
    text += Rational(billionths, 1_000_000_000).description
    set(key + "Exact", exact)
  }

  var line: String { text + "}" }

  static func quoted(_ value: String) -> String {
    var text = "\""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case _ where scalar.value < 0x20:
        text += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }
}
