// NAL unit headers. ISO/IEC 23008-2:2020 §7.3.1.2, Table 7-1.

import ReelCore

/// nal_unit_type. Table 7-1.
struct NALUnitType: Equatable, Sendable {
  let rawValue: Int

  static let tsaN = NALUnitType(rawValue: 2)
  static let raslN = NALUnitType(rawValue: 8)
  static let raslR = NALUnitType(rawValue: 9)
  static let blaWithLeading = NALUnitType(rawValue: 16)
  static let blaNoLeading = NALUnitType(rawValue: 18)
  static let idrWithRADL = NALUnitType(rawValue: 19)
  static let idrNoLeading = NALUnitType(rawValue: 20)
  static let cra = NALUnitType(rawValue: 21)
  static let video = NALUnitType(rawValue: 32)
  static let sequence = NALUnitType(rawValue: 33)
  static let picture = NALUnitType(rawValue: 34)
  static let delimiter = NALUnitType(rawValue: 35)
  static let endOfSequence = NALUnitType(rawValue: 36)
  static let endOfBitstream = NALUnitType(rawValue: 37)
  static let prefixSupplement = NALUnitType(rawValue: 39)
  static let suffixSupplement = NALUnitType(rawValue: 40)

  /// A slice segment of a type that is not reserved.
  var isSliceSegment: Bool { rawValue <= 9 || (16...21).contains(rawValue) }
  /// Intra random access point, reserved types included.
  var isIRAP: Bool { (16...23).contains(rawValue) }
  var isIDR: Bool { self == .idrWithRADL || self == .idrNoLeading }
  var isBLA: Bool { (16...18).contains(rawValue) }
  var isRASL: Bool { self == .raslN || self == .raslR }
  var isRADL: Bool { rawValue == 6 || rawValue == 7 }
  /// Sub-layer non-reference picture: even types up to RSV_VCL_N14.
  var isSubLayerNonReference: Bool { rawValue <= 14 && rawValue & 1 == 0 }
}

/// nal_unit_header().
struct NALUnitHeader: Equatable, Sendable {
  let type: NALUnitType
  let layerID: Int
  let temporalID: Int

  /// Reads the first two bytes of a NAL unit.
  ///
  /// - Throws: `.damaged` when they are not there or break a rule.
  init(parsing unit: [UInt8]) throws(MediaError) {
    guard unit.count >= 2, unit[0] & 0x80 == 0, unit[1] & 7 != 0 else {
      throw MediaError(.damaged, .hevcNALUnitHeader, at: .offset(0))
    }
    type = NALUnitType(rawValue: Int(unit[0] >> 1))
    layerID = Int(unit[0] & 1) << 5 | Int(unit[1] >> 3)
    temporalID = Int(unit[1] & 7) - 1
  }
}
