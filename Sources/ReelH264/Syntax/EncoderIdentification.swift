// Which encoder made a stream, where it says so. ISO/IEC 14496-10:2020 §D.2.7.

import ReelCore

/// Reads the text that x264 puts into user_data_unregistered().
enum EncoderIdentification {
  /// uuid_iso_iec_11578 of x264's message.
  private static let identity: [UInt8] = [
    0xDC, 0x45, 0xE9, 0xBD, 0xE6, 0xD9, 0x48, 0xB7, 0x96, 0x2C, 0xD8, 0x20, 0xD9, 0x23, 0xEE, 0xEF,
  ]
  private static let prefix = [UInt8]("x264 - core ".utf8)

  /// The build number in "x264 - core N"; nil for other messages.
  static func x264Build(in payload: [UInt8]) -> Int? {
    guard payload.starts(with: identity), payload.dropFirst(16).starts(with: prefix) else {
      return nil
    }
    // LIMIT: build numbers have three or four digits.
    let digits = payload.dropFirst(16 + prefix.count).prefix(6)
      .prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard !digits.isEmpty else { return nil }
    return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
  }
}
