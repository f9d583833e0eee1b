// transport_packet(). Rec. ITU-T H.222.0 §2.4.3.2, §2.4.3.4.

/// The header of a transport packet and where its payload lies.
struct TransportPacket {
  static let byteCount = 188
  static let syncByte: UInt8 = 0x47

  /// PID, 0…8,191.
  let pid: Int
  /// payload_unit_start_indicator
  let startsUnit: Bool
  /// transport_error_indicator
  let hasError: Bool
  /// transport_scrambling_control is not 0.
  let isScrambled: Bool
  let continuity: UInt8
  /// discontinuity_indicator of the adaptation field.
  private(set) var isDiscontinuity = false
  /// Indices of the payload's bytes; nil when the packet has none.
  private(set) var payload: Range<Int>?

  /// Reads the packet whose sync byte is `bytes[index]`; nil when its adaptation field does not fit,
  /// or when it has a reserved adaptation_field_control.
  ///
  /// Precondition: 188 bytes are there.
  init?(_ bytes: [UInt8], at index: Int) {
    let second = bytes[index + 1]
    let fourth = bytes[index + 3]
    pid = Self.pid(of: bytes, at: index)
    hasError = second & 0x80 != 0
    startsUnit = second & 0x40 != 0
    isScrambled = fourth & 0xC0 != 0
    continuity = fourth & 15
    let end = index + Self.byteCount
    var start = index + 4
    let control = fourth >> 4 & 3
    guard control != 0 else { return nil }
    if control & 2 != 0 {
      let length = Int(bytes[start])
      start += 1
      guard start + length <= end else { return nil }
      if length > 0 { isDiscontinuity = bytes[start] & 0x80 != 0 }
      start += length
    }
    if control & 1 != 0 { payload = start..<end }
  }

  /// The PID of the packet whose sync byte is `bytes[index]`, which stands even in one that cannot be
  /// read further.
  static func pid(of bytes: [UInt8], at index: Int) -> Int {
    Int(bytes[index + 1] & 0x1F) << 8 | Int(bytes[index + 2])
  }
}
