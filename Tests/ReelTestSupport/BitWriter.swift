// Writing bit streams in code, so that tests need no hexadecimal.

/// Gathers bits, most significant first, with the codes of ISO/IEC 14496-10:2020 §9.1.
public struct BitWriter: Sendable {
  public private(set) var bytes: [UInt8] = []
  /// Bits used of the last byte, 0 when it is full.
  private var used = 0

  public init() {}

  /// Bits written so far.
  public var bitCount: Int { 8 * bytes.count - (used == 0 ? 0 : 8 - used) }

  /// u(n): the low `count` bits of `value`.
  public mutating func write(_ value: UInt64, bits count: Int) {
    for shift in stride(from: count - 1, through: 0, by: -1) {
      if used == 0 { bytes.append(0) }
      bytes[bytes.count - 1] |= UInt8((value >> UInt64(shift)) & 1) << UInt8(7 - used)
      used = (used + 1) & 7
    }
  }

  public mutating func writeFlag(_ flag: Bool) { write(flag ? 1 : 0, bits: 1) }

  /// ue(v).
  public mutating func writeUE(_ value: UInt32) {
    let code = UInt64(value) + 1
    let length = 64 - code.leadingZeroBitCount
    write(0, bits: length - 1)
    write(code, bits: length)
  }

  /// se(v).
  public mutating func writeSE(_ value: Int32) {
    writeUE(value > 0 ? UInt32(value) * 2 - 1 : UInt32(value.magnitude) * 2)
  }

  /// rbsp_trailing_bits(): a one, then zeros up to the byte boundary.
  public mutating func writeTrailingBits() {
    write(1, bits: 1)
    alignToByte()
  }

  /// Fills the last byte with zeros.
  public mutating func alignToByte() { used = 0 }
}
