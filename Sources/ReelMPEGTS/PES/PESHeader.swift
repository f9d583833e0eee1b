// PES_packet() up to its payload. Rec. ITU-T H.222.0 §2.4.3.6, §2.4.3.7.

/// The header of a PES packet.
struct PESHeader {
  let streamID: UInt8
  /// Bytes of payload that the packet tells; nil when it ends where the next one begins.
  private(set) var payloadByteCount: Int?
  /// PES_scrambling_control is not 0.
  private(set) var isScrambled = false
  /// 90 kHz, 33 bits.
  private(set) var presentationTime: Int64?
  private(set) var decodingTime: Int64?

  /// Whether the header ends within `bytes`, and where.
  enum Reading {
    case header(PESHeader, byteCount: Int)
    case needsMore
    case none
  }

  /// Bytes before the optional part.
  private static let fixedByteCount = 6
  /// Streams without the optional part. Table 2-21.
  private static let plain: [UInt8] = [0xBC, 0xBE, 0xBF, 0xF0, 0xF1, 0xF2, 0xF8, 0xFF]

  /// Padding, which holds nothing.
  var isPadding: Bool { streamID == 0xBE }

  /// Reads a header from the start of `bytes`.
  static func read(_ bytes: [UInt8]) -> Reading {
    for (i, expected) in [UInt8](arrayLiteral: 0, 0, 1).enumerated() where i < bytes.count {
      if bytes[i] != expected { return .none }
    }
    guard bytes.count >= fixedByteCount else { return .needsMore }
    let length = Int(bytes[4]) << 8 | Int(bytes[5])
    var header = PESHeader(streamID: bytes[3])
    if plain.contains(header.streamID) {
      header.payloadByteCount = length
      return .header(header, byteCount: fixedByteCount)
    }
    guard bytes.count >= 9 else { return .needsMore }
    guard bytes[6] & 0xC0 == 0x80 else { return .none }
    let end = 9 + Int(bytes[8])
    guard bytes.count >= end else { return .needsMore }
    header.isScrambled = bytes[6] & 0x30 != 0
    header.readTimes(bytes, flags: bytes[7] >> 6, end: end)
    if length > 0 { header.payloadByteCount = max(length - (end - fixedByteCount), 0) }
    return .header(header, byteCount: end)
  }

  private init(streamID: UInt8) { self.streamID = streamID }

  private mutating func readTimes(_ bytes: [UInt8], flags: UInt8, end: Int) {
    if flags & 2 != 0, end >= 14 { presentationTime = Self.time(bytes, at: 9) }
    if flags == 3, end >= 19 { decodingTime = Self.time(bytes, at: 14) }
  }

  /// 33 bits between marker bits. The markers are not checked: some multiplexers write 0.
  private static func time(_ bytes: [UInt8], at i: Int) -> Int64 {
    Int64(bytes[i] >> 1 & 7) << 30 | Int64(bytes[i + 1]) << 22 | Int64(bytes[i + 2] >> 1) << 15
      | Int64(bytes[i + 3]) << 7 | Int64(bytes[i + 4] >> 1)
  }
}
