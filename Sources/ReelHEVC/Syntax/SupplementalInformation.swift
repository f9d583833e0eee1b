// Supplemental enhancement information. ISO/IEC 23008-2:2020 §7.3.5, Annex D.

import ReelCore

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

/// A message that stays in force until it is cancelled or replaced.
enum PersistentMessage<Value: Sendable & Hashable>: Sendable, Hashable {
  case cancelled
  /// `isPersistent`: for the pictures that follow as well, else for this one only.
  case set(Value, isPersistent: Bool)
}

extension FramePacking {
  /// frame_packing_arrangement(), §D.2.16.
  static func message(
    parsing payload: [UInt8]
  ) throws(MediaError) -> PersistentMessage<FramePacking> {
    var reader = SyntaxReader(payload, from: 0)
    _ = try reader.ue(
      0...Int(UInt32.max) - 1, "frame_packing_arrangement_id", .hevcSupplementalValue)
    if reader.flag() { return .cancelled }
    let type = reader.u(7)
    let isQuincunx = reader.flag()
    let interpretation = reader.u(6)
    reader.skip(3)  // spatial_flipping_flag, frame0_flipped_flag, field_views_flag
    let isFrame0 = reader.flag()
    reader.skip(2)  // frame0_self_contained_flag, frame1_self_contained_flag
    if !isQuincunx && type != 5 { reader.skip(16) }
    reader.skip(8)  // frame_packing_arrangement_reserved_byte
    let isPersistent = reader.flag()
    try reader.requireNoOverrun()
    let packing = FramePacking(
      arrangementType: type, isQuincunx: isQuincunx, contentInterpretation: interpretation,
      isFrame0: isFrame0)
    return .set(packing, isPersistent: isPersistent)
  }
}

extension DisplayOrientation {
  /// display_orientation(), §D.2.17.
  static func message(
    parsing payload: [UInt8]
  ) throws(MediaError) -> PersistentMessage<DisplayOrientation> {
    var reader = SyntaxReader(payload, from: 0)
    if reader.flag() { return .cancelled }
    let isHorizontal = reader.flag()
    let isVertical = reader.flag()
    let rotation = reader.u(16)
    let isPersistent = reader.flag()
    try reader.requireNoOverrun()
    let orientation = DisplayOrientation(
      isFlippedHorizontally: isHorizontal, isFlippedVertically: isVertical,
      anticlockwiseRotation: rotation)
    return .set(orientation, isPersistent: isPersistent)
  }
}

extension MasteringDisplay {
  /// mastering_display_colour_volume(), §D.2.28.
  init(parsing payload: [UInt8]) throws(MediaError) {
    var reader = SyntaxReader(payload, from: 0)
    var points: [Point] = []
    for _ in 0..<4 {
      let x = reader.u(16)
      points.append(Point(x: x, y: reader.u(16)))
    }
    let maximum = reader.u(32)
    let minimum = reader.u(32)
    try reader.requireNoOverrun()
    self.init(
      primaries: Array(points[0..<3]), whitePoint: points[3], maximumLuminance: maximum,
      minimumLuminance: minimum)
  }
}

extension ContentLightLevel {
  /// content_light_level_info(), §D.2.35.
  init(parsing payload: [UInt8]) throws(MediaError) {
    var reader = SyntaxReader(payload, from: 0)
    let maximum = reader.u(16)
    let average = reader.u(16)
    try reader.requireNoOverrun()
    self.init(maximumContentLight: maximum, maximumFrameAverageLight: average)
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
