// The header of ID3v2 tags, which stand before and between frames. ID3v2.4.0 Structure §3.1.

/// The header of an ID3v2 tag. ID3v2.4.0 Structure §3.1.
public struct ID3v2Header: Sendable, Hashable {
  /// Bytes of the header itself.
  public static let byteCount = 10
  /// 2, 3 or 4 in the tags there are; below 255.
  public let majorVersion: UInt8
  /// Bit 7 unsynchronisation, bit 6 extended header, bit 5 experimental, bit 4 footer (of version
  /// 4).
  public let flags: UInt8
  /// Bytes of the whole tag: header, frames, padding and footer.
  public let tagByteCount: Int

  /// Reads the header from the start of `bytes`; nil when there is none.
  public init?(_ bytes: ArraySlice<UInt8>) {
    let b = [UInt8](bytes.prefix(Self.byteCount))
    guard b.count == Self.byteCount, b[0] == 0x49, b[1] == 0x44, b[2] == 0x33, b[3] < 0xFF,
      b[4] < 0xFF, let size = Self.synchsafe(b[6...])
    else { return nil }
    majorVersion = b[3]
    flags = b[5]
    tagByteCount = Self.byteCount + size + (majorVersion >= 4 && flags & 0x10 != 0 ? 10 : 0)
  }

  /// 28 bits in four bytes whose highest bits are 0. §6.2.
  public static func synchsafe(_ bytes: ArraySlice<UInt8>) -> Int? {
    var value = 0
    for byte in bytes.prefix(4) {
      guard byte < 0x80 else { return nil }
      value = value << 7 | Int(byte)
    }
    return value
  }
}
