// Supplemental enhancement information. ISO/IEC 23008-2:2020 §7.3.5, Annex D.

import ReelCore
import ReelVideoCore

/// One sei_message(), its payload still to be read.
struct SupplementalMessage: Sendable, Hashable {
  let payloadType: Int
  let payload: [UInt8]

  static let pictureTiming = 1
  static let registeredUserData = 4
  static let recoveryPoint = 6
  static let filmGrain = 19
  static let framePacking = 45
  static let displayOrientation = 47
  static let decodedPictureHash = 132
  static let masteringDisplay = 137
  static let contentLightLevel = 144

  /// LIMIT: messages of one NAL unit; real streams have a handful.
  private static let maximumCount = 256

  /// The messages of a NAL unit (with its header, without emulation prevention), and what was wrong
  /// behind them.
  static func messages(
    in unit: [UInt8]
  ) -> (messages: [SupplementalMessage], fault: MediaError?) {
    var messages: [SupplementalMessage] = []
    var i = 2
    // The last byte is the stop bit's.
    while i + 2 < unit.count && messages.count < maximumCount {
      var values = [0, 0]
      for k in 0..<2 {
        while i < unit.count && unit[i] == 255 && values[k] < 1 << 24 {
          values[k] += 255
          i += 1
        }
        guard i < unit.count else {
          return (messages, MediaError(.damaged, .hevcSupplementalValue, at: .offset(Int64(i))))
        }
        values[k] += Int(unit[i])
        i += 1
      }
      guard values[1] <= unit.count - i else {
        let fault = MediaError(
          .damaged, .hevcSupplementalValue, at: .offset(Int64(i)),
          detail: "a message of \(values[1]) bytes, \(unit.count - i) are there")
        return (messages, fault)
      }
      messages.append(
        SupplementalMessage(
          payloadType: values[0], payload: [UInt8](unit[i..<i + values[1]])))
      i += values[1]
    }
    return (messages, nil)
  }
}

extension FramePacking {
  /// frame_packing_arrangement(), §D.2.16.
  static func message(
    parsing payload: [UInt8]
  ) throws(MediaError) -> PersistentMessage<FramePacking> {
    try message(SyntaxReader(payload, from: 0), .hevcSupplementalValue) { $0.flag() }
  }
}

extension DisplayOrientation {
  /// display_orientation(), §D.2.17.
  static func message(
    parsing payload: [UInt8]
  ) throws(MediaError) -> PersistentMessage<DisplayOrientation> {
    try message(SyntaxReader(payload, from: 0)) { $0.flag() }
  }
}

/// decoded_picture_hash(), §D.2.19: how each plane's samples hash.
struct PictureHash: Sendable, Hashable {
  enum Method: Int, Sendable { case md5 = 0, crc, checksum }
  let method: Method
  /// One hash a plane, big-endian: 16, 2 or 4 bytes.
  let planes: [[UInt8]]

  /// Nil for a method that is reserved or a payload that is too short.
  init?(parsing payload: [UInt8], planeCount: Int) {
    guard let first = payload.first, let method = Method(rawValue: Int(first)) else { return nil }
    let size = method == .md5 ? 16 : method == .crc ? 2 : 4
    guard payload.count >= 1 + size * planeCount else { return nil }
    self.method = method
    planes = (0..<planeCount).map { [UInt8](payload[1 + $0 * size..<1 + ($0 + 1) * size]) }
  }
}
