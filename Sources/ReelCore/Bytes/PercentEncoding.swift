// Escapes of addresses. RFC 3986 §2.1.

/// Bytes written as `%` and two hexadecimal digits of either case.
public enum PercentEncoding {
  /// The text's bytes with the escapes undone; a `%` that begins none stands for itself.
  public static func decoded(_ text: some Collection<UInt8>) -> [UInt8] {
    decode(text) { $0.append(sign) }
  }

  /// The text's bytes with the escapes undone; nil where a `%` begins none.
  public static func decodedOrNil(_ text: some Collection<UInt8>) -> [UInt8]? {
    var isWrong = false
    let bytes = decode(text) { _ in isWrong = true }
    return isWrong ? nil : bytes
  }

  /// A path of which every byte but letters, digits, slashes and `-._~` is escaped. RFC 3986 §2.3.
  public static func encodedPath(_ path: String) -> String {
    var text: [UInt8] = []
    for byte in path.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "-"),
        UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
        text.append(byte)
      default: append(byte, to: &text)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Adds the escape of a byte to a text, with digits in upper case.
  public static func append(_ byte: UInt8, to text: inout [UInt8]) {
    text += [sign, digit(byte >> 4), digit(byte & 15)]
  }

  private static let sign = UInt8(ascii: "%")

  private static func decode(
    _ text: some Collection<UInt8>, otherwise: (inout [UInt8]) -> Void
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    var rest = text[...]
    while let byte = rest.popFirst() {
      guard byte == sign else {
        bytes.append(byte)
        continue
      }
      var digits = rest
      if let high = digits.popFirst().flatMap(value), let low = digits.popFirst().flatMap(value) {
        bytes.append(high << 4 | low)
        rest = digits
      } else {
        otherwise(&bytes)
      }
    }
    return bytes
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}
