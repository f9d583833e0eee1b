// JSON objects as one line of text, members in the order they are written.

internal import ReelCore

/// Writes a JSON object. RFC 8259. Numbers come out the same on every machine.
struct JSONObject {
  /// Names with the JSON text of their values.
  private(set) var members: [(name: String, value: String)] = []

  mutating func set(_ name: String, _ value: String) { add(name, Self.quoted(value)) }
  mutating func set(_ name: String, _ value: Int) { add(name, String(value)) }
  mutating func set(_ name: String, _ value: Bool) { add(name, value ? "true" : "false") }
  mutating func setNull(_ name: String) { add(name, "null") }

  /// A finite number; null for any other.
  mutating func set(_ name: String, _ value: Double) {
    add(name, value.isFinite ? "\(value)" : "null")
  }

  /// The shortest number that is this Float; null when it is not finite.
  mutating func set(_ name: String, _ value: Float) {
    add(name, value.isFinite ? "\(value)" : "null")
  }

  mutating func set(_ name: String, _ value: [Double]) {
    add(name, "[" + value.map { $0.isFinite ? "\($0)" : "null" }.joined(separator: ",") + "]")
  }

  /// A time as a decimal number; where nine places do not hold it, they are rounded and the member
  /// `…Exact` has the fraction.
  mutating func set(_ name: String, _ value: Rational) {
    let exact = value.description
    guard exact.contains("/") else { return add(name, exact) }
    let billionths = (value * Rational(1_000_000_000) + Rational(1, 2)).floor
    add(name, Rational(billionths, 1_000_000_000).description)
    set(name + "Exact", exact)
  }

  private mutating func add(_ name: String, _ value: String) { members.append((name, value)) }

  /// The object on one line.
  var line: String {
    "{" + members.map { "\(Self.quoted($0.name)):\($0.value)" }.joined(separator: ",") + "}"
  }

  private static func quoted(_ value: String) -> String { JSONText.quoted(value) }
}

/// Pieces of JSON text.
public enum JSONText {
  /// A string with its quotation marks. RFC 8259 §7.
  public static func quoted(_ value: String) -> String {
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
