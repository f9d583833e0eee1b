// NAL unit headers. ISO/IEC 14496-10:2020 §7.3.1, §7.4.1.

import ReelCore

/// nal_unit_type, Table 7-1. The types that are read; the others are filler, auxiliary pictures, and layers
/// and views beside the base layer, which is a conforming stream without them.
struct NALUnitType: RawRepresentable, Sendable, Hashable {
  let rawValue: UInt8
  init(rawValue: UInt8) { self.rawValue = rawValue }

  static let nonIDRSlice = NALUnitType(rawValue: 1)
  static let partitionA = NALUnitType(rawValue: 2)
  static let partitionB = NALUnitType(rawValue: 3)
  static let partitionC = NALUnitType(rawValue: 4)
  static let idrSlice = NALUnitType(rawValue: 5)
  static let supplementalInformation = NALUnitType(rawValue: 6)
  static let sequenceParameterSet = NALUnitType(rawValue: 7)
  static let pictureParameterSet = NALUnitType(rawValue: 8)
  static let accessUnitDelimiter = NALUnitType(rawValue: 9)
  static let endOfSequence = NALUnitType(rawValue: 10)
  static let endOfStream = NALUnitType(rawValue: 11)
}

/// The first byte of a NAL unit.
struct NALUnitHeader: Sendable, Hashable {
  /// nal_ref_idc, 0…3; 0: not used for reference.
  let nalRefIDC: Int
  let nalUnitType: NALUnitType

  /// The header at the start of `payload`.
  ///
  /// - Throws: `.damaged` when forbidden_zero_bit is set or there is nothing.
  init(parsing payload: [UInt8]) throws(MediaError) {
    guard let first = payload.first, first & 0x80 == 0 else {
      throw MediaError(.damaged, .h264NALUnitHeader)
    }
    nalRefIDC = Int(first >> 5)
    nalUnitType = NALUnitType(rawValue: first & 31)
  }
}
