// NAL unit headers. ISO/IEC 14496-10:2020 §7.3.1, §7.4.1; extensions §F.3.3.1.1, §G.7.3.1.1.

import ReelCore

/// nal_unit_type, Table 7-1.
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
  static let fillerData = NALUnitType(rawValue: 12)
  static let sequenceParameterSetExtension = NALUnitType(rawValue: 13)
  static let prefix = NALUnitType(rawValue: 14)
  static let subsetSequenceParameterSet = NALUnitType(rawValue: 15)
  static let depthParameterSet = NALUnitType(rawValue: 16)
  static let auxiliarySlice = NALUnitType(rawValue: 19)
  static let sliceExtension = NALUnitType(rawValue: 20)
  static let depthSliceExtension = NALUnitType(rawValue: 21)

  /// Coded slice data of the base view: types 1…5.
  var isSliceData: Bool { (1...5).contains(rawValue) }

  /// Units of other layers or views and of auxiliary pictures, which this decoder passes over: the
  /// base layer, a conforming stream of its own, is decoded without them.
  var isOfAnotherLayer: Bool {
    self == .prefix || self == .subsetSequenceParameterSet || self == .depthParameterSet
      || self == .auxiliarySlice || self == .sliceExtension || self == .depthSliceExtension
  }

  /// A unit of this type may only come before the first slice of a primary picture, so it ends the
  /// access unit before it. §7.4.1.2.3.
  var startsAccessUnit: Bool {
    (6...9).contains(rawValue) || (14...18).contains(rawValue)
  }
}

/// What the extension header of types 14, 20 and 21 says. Told by ``NALUnitHeader``; units with
/// one are passed over.
enum NALUnitExtension: Sendable, Hashable {
  /// nal_unit_header_svc_extension(), §F.3.3.1.1.
  case scalable(
    idrFlag: Bool, priorityID: Int, dependencyID: Int, qualityID: Int, temporalID: Int)
  /// nal_unit_header_mvc_extension(), §G.7.3.1.1.
  case multiview(nonIDRFlag: Bool, priorityID: Int, viewID: Int, temporalID: Int, anchorPic: Bool)
  /// nal_unit_header_3davc_extension(), §I.7.3.1.1.
  case depth(viewIndex: Int, depthFlag: Bool, nonIDRFlag: Bool, temporalID: Int, anchorPic: Bool)
}

/// The first byte of a NAL unit, and its extension where the type has one.
struct NALUnitHeader: Sendable, Hashable {
  /// nal_ref_idc, 0…3; 0: not used for reference.
  let nalRefIDC: Int
  let nalUnitType: NALUnitType
  let layerExtension: NALUnitExtension?
  /// Bytes of the header: 1, 3 or 4.
  let byteCount: Int

  /// The header at the start of `payload`.
  ///
  /// - Throws: `.damaged` when forbidden_zero_bit is set or the header is cut off.
  init(parsing payload: [UInt8]) throws(MediaError) {
    guard let first = payload.first, first & 0x80 == 0 else {
      throw MediaError(.damaged, .h264NALUnitHeader)
    }
    nalRefIDC = Int(first >> 5)
    nalUnitType = NALUnitType(rawValue: first & 31)
    guard
      nalUnitType == .prefix || nalUnitType == .sliceExtension
        || nalUnitType == .depthSliceExtension
    else {
      layerExtension = nil
      byteCount = 1
      return
    }
    var bits = BitReader(payload, from: 8)
    let isFirstForm = bits.readFlag()
    if nalUnitType == .depthSliceExtension && isFirstForm {
      layerExtension = Self.depthExtension(&bits)
      byteCount = 3
    } else if nalUnitType != .depthSliceExtension && isFirstForm {
      layerExtension = Self.scalableExtension(&bits)
      byteCount = 4
    } else {
      layerExtension = Self.multiviewExtension(&bits)
      byteCount = 4
    }
    if bits.overrun { throw MediaError(.damaged, .h264NALUnitHeader) }
  }

  private static func scalableExtension(_ bits: inout BitReader) -> NALUnitExtension {
    let idrFlag = bits.readFlag()
    let priorityID = Int(bits.read(6))
    bits.skip(1)  // no_inter_layer_pred_flag
    let dependencyID = Int(bits.read(3))
    let qualityID = Int(bits.read(4))
    let temporalID = Int(bits.read(3))
    bits.skip(5)  // use_ref_base_pic, discardable, output flags, reserved_three_2bits
    return .scalable(
      idrFlag: idrFlag, priorityID: priorityID, dependencyID: dependencyID, qualityID: qualityID,
      temporalID: temporalID)
  }

  private static func multiviewExtension(_ bits: inout BitReader) -> NALUnitExtension {
    let nonIDRFlag = bits.readFlag()
    let priorityID = Int(bits.read(6))
    let viewID = Int(bits.read(10))
    let temporalID = Int(bits.read(3))
    let anchorPic = bits.readFlag()
    bits.skip(2)  // inter_view_flag, reserved_one_bit
    return .multiview(
      nonIDRFlag: nonIDRFlag, priorityID: priorityID, viewID: viewID, temporalID: temporalID,
      anchorPic: anchorPic)
  }

  private static func depthExtension(_ bits: inout BitReader) -> NALUnitExtension {
    let viewIndex = Int(bits.read(8))
    let depthFlag = bits.readFlag()
    let nonIDRFlag = bits.readFlag()
    let temporalID = Int(bits.read(3))
    let anchorPic = bits.readFlag()
    bits.skip(1)  // inter_view_flag
    return .depth(
      viewIndex: viewIndex, depthFlag: depthFlag, nonIDRFlag: nonIDRFlag, temporalID: temporalID,
      anchorPic: anchorPic)
  }
}
