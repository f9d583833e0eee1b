// Supplemental enhancement information. ISO/IEC 14496-10:2020 §7.3.2.3, Annex D.

import ReelCore
import ReelVideoCore

/// One sei_message(), not yet looked into: what it means may depend on parameter sets that are only
/// known when the picture starts.
struct SupplementalMessage: Sendable, Hashable {
  let payloadType: Int
  let payload: [UInt8]

  static let pictureTiming = 1
  static let registeredUserData = 4
  static let unregisteredUserData = 5
  static let recoveryPoint = 6
  static let filmGrain = 19
  static let framePacking = 45
  static let displayOrientation = 47
  static let masteringDisplay = 137
  static let contentLightLevel = 144

  /// sei_rbsp(): the messages of a NAL unit `payload` up to the first that does not fit, and the fault
  /// that it is.
  static func messages(in payload: [UInt8]) -> (messages: [SupplementalMessage], fault: MediaError?)
  {
    var messages: [SupplementalMessage] = []
    var index = 1
    // The last byte that is not zero holds the stop bit: data ends before it.
    let end = payload.lastIndex { $0 != 0 } ?? 0
    while index < end {
      guard let type = number(payload, &index, end), let size = number(payload, &index, end),
        size <= payload.count - index
      else {
        return (messages, MediaError(.damaged, .h264SupplementalValue, at: .offset(Int64(index))))
      }
      messages.append(
        SupplementalMessage(payloadType: type, payload: [UInt8](payload[index..<index + size])))
      index += size
    }
    return (messages, nil)
  }

  /// payloadType or payloadSize: a run of 255s and a last byte.
  private static func number(_ payload: [UInt8], _ index: inout Int, _ end: Int) -> Int? {
    var value = 0
    while index < end {
      let byte = payload[index]
      index += 1
      value += Int(byte)
      if byte != 255 { return value }
    }
    return nil
  }
}

/// recovery_point(), §D.2.8.
struct RecoveryPoint: Sendable, Hashable {
  /// Frames (in frame_num) until the output is right, 0…65,535.
  let recoveryFrameCnt: Int
  let exactMatchFlag: Bool
  let brokenLinkFlag: Bool
  let changingSliceGroupIdc: Int

  init(parsing payload: [UInt8]) throws(MediaError) {
    var reader = SyntaxReader(payload, from: 0)
    recoveryFrameCnt = try reader.ue(0...65_535, "recovery_frame_cnt", .h264SupplementalValue)
    exactMatchFlag = reader.flag()
    brokenLinkFlag = reader.flag()
    changingSliceGroupIdc = reader.u(2)
    try reader.requireNoOverrun()
  }
}

/// pic_struct, Table D-1.
enum PictureTimingStructure: Int, Sendable, Hashable {
  case frame = 0
  case topField = 1
  case bottomField = 2
  case topBottom = 3
  case bottomTop = 4
  case topBottomTop = 5
  case bottomTopBottom = 6
  case frameDoubling = 7
  case frameTripling = 8

  /// NumClockTS.
  var clockTimestampCount: Int {
    switch self {
    case .frame, .topField, .bottomField: 1
    case .topBottom, .bottomTop, .frameDoubling: 2
    case .topBottomTop, .bottomTopBottom, .frameTripling: 3
    }
  }

  /// Fields shown beyond the frame's own two.
  var repeatedFieldCount: Int {
    switch self {
    case .topBottomTop, .bottomTopBottom: 1
    case .frameDoubling: 2
    case .frameTripling: 4
    default: 0
    }
  }
}

/// pic_timing(), §D.2.3.
struct PictureTiming: Sendable, Hashable {
  var cpbRemovalDelay: Int?
  var dpbOutputDelay: Int?
  var picStruct: PictureTimingStructure?
  /// ct_type of the first clock timestamp: 0 progressive, 1 interlaced, 2 unknown; nil without one.
  var ctType: Int?

  init(parsing payload: [UInt8], sequence: SequenceParameterSet) throws(MediaError) {
    var reader = SyntaxReader(payload, from: 0)
    let vui = sequence.vui
    if let hrd = vui?.nalHrd ?? vui?.vclHrd {
      cpbRemovalDelay = reader.u(hrd.cpbRemovalDelayLength)
      dpbOutputDelay = reader.u(hrd.dpbOutputDelayLength)
    }
    if vui?.picStructPresentFlag == true {
      let value = try reader.u(4, 0...8, "pic_struct", .h264SupplementalValue)
      picStruct = PictureTimingStructure(rawValue: value)
      let timeOffsetLength = (vui?.nalHrd ?? vui?.vclHrd)?.timeOffsetLength ?? 24
      for index in 0..<(picStruct?.clockTimestampCount ?? 0) where reader.flag() {
        let type = Self.clockTimestamp(&reader, timeOffsetLength)
        if index == 0 { ctType = type }
      }
    }
    try reader.requireNoOverrun()
  }

  /// One clock timestamp; gives its ct_type.
  private static func clockTimestamp(_ reader: inout SyntaxReader, _ timeOffsetLength: Int) -> Int {
    let type = reader.u(2)
    reader.skip(6)  // nuit_field_based_flag, counting_type
    let isFull = reader.flag()
    reader.skip(10)  // discontinuity_flag, cnt_dropped_flag, n_frames
    if isFull {
      reader.skip(17)
    } else if reader.flag() {
      reader.skip(6)
      if reader.flag() {
        reader.skip(6)
        if reader.flag() { reader.skip(5) }
      }
    }
    reader.skip(timeOffsetLength)
    return type
  }
}
