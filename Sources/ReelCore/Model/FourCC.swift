// Four-character codes.

/// A code of four bytes, as boxes, brands and codecs are named.
public struct FourCC: RawRepresentable, Sendable, Hashable, ExpressibleByStringLiteral,
  CustomStringConvertible
{
  /// The four bytes as a big-endian number.
  public let rawValue: UInt32
  /// The code of a big-endian number, printable or not.
  @inlinable public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The code with these four Latin-1 characters; traps on any other string, so for literals only.
  @inlinable
  public init(stringLiteral text: StaticString) {
    var value: UInt32 = 0
    if text.hasPointerRepresentation && text.utf8CodeUnitCount == 4 {
      // SAFETY: the literal has four bytes, as the line above says, and is never freed.
      for i in 0..<4 { value = unsafe value << 8 | UInt32(text.utf8Start[i]) }
      rawValue = value
      return
    }
    precondition(text.description.unicodeScalars.count == 4)
    for scalar in text.description.unicodeScalars { value = value << 8 | scalar.value & 0xFF }
    rawValue = value
  }

  /// The four characters; bytes outside printable ASCII as `\xNN`, `©` as itself.
  public var description: String {
    var text = ""
    for shift in [24, 16, 8, 0] {
      let byte = UInt8(truncatingIfNeeded: rawValue >> UInt32(shift))
      if byte == 0xA9 || (0x20..<0x7F).contains(byte) {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        text += "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }
    }
    return text
  }
}
