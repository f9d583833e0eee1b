// Parsing of slice headers. ISO/IEC 14496-10:2020 §7.3.3, §7.3.2.9.

import ReelCore
import ReelVideoCore

extension SliceHeader {
  /// pic_parameter_set_id of a slice `payload`, to find the sets that the rest is read with.
  ///
  /// - Throws: `.damaged` when it is out of range or cut off.
  static func pictureParameterSetID(in payload: [UInt8]) throws(MediaError) -> Int {
    var reader = SyntaxReader(payload, from: 8)
    _ = try reader.ue(0...Int(UInt32.max) - 1, "first_mb_in_slice", .h264SliceValue)
    _ = try reader.ue(0...9, "slice_type", .h264SliceValue)
    return try reader.ue(0...255, "pic_parameter_set_id", .h264SliceValue)
  }

  /// slice_header() of a NAL unit of type 1, 2 or 5; with slice_id for type 2 (data partition A).
  ///
  /// - Throws: `.damaged` when a value is out of range or the header is cut off.
  init(
    parsing payload: [UInt8], unit: NALUnitHeader, sequence: SequenceParameterSet,
    picture: PictureParameterSet
  ) throws(MediaError) {
    self.init()
    nalRefIDC = unit.nalRefIDC
    nalUnitType = unit.nalUnitType
    if isIDR && !isReference {
      throw MediaError(.damaged, .h264NALUnitHeader, detail: "nal_ref_idc is 0 in an IDR picture")
    }
    var reader = SyntaxReader(payload, from: 8)
    try parseIdentity(&reader, sequence)
    try parseOrder(&reader, sequence, picture)
    try parseReferences(&reader, sequence, picture)
    if isReference { try parseMarking(&reader, sequence) }
    try parseQuantisation(&reader, sequence, picture)
    try parseLoopFilter(&reader, picture)
    try parseSliceGroupChange(&reader, sequence, picture)
    if nalUnitType == .partitionA {
      sliceID = try reader.ue(
        0...sequence.picWidthInMbs * sequence.frameHeightInMbs - 1, "slice_id", .h264SliceValue)
    }
    try reader.requireNoOverrun()
    dataStart = reader.position
  }

  /// From first_mb_in_slice to bottom_field_flag.
  private mutating func parseIdentity(
    _ reader: inout SyntaxReader, _ sequence: SequenceParameterSet
  ) throws(MediaError) {
    let mbs = sequence.picWidthInMbs * sequence.frameHeightInMbs
    firstMbInSlice = try reader.ue(0...mbs - 1, "first_mb_in_slice", .h264SliceValue)
    let type = try reader.ue(0...9, "slice_type", .h264SliceValue)
    isTypeOfAllSlices = type >= 5
    sliceType = SliceType(rawValue: UInt8(type % 5)) ?? .i
    if isIDR && !sliceType.isIntra {
      throw MediaError(.damaged, .h264IntraPicture, detail: "slice_type is \(type)")
    }
    // Their transforms are for the quantisation of 8 bits and the chroma of 4:2:0.
    if sliceType == .sp || sliceType == .si {
      guard sequence.bitDepthLuma == 8, sequence.bitDepthChroma == 8, sequence.chromaArrayType == 1
      else { throw MediaError(.damaged, .h264SwitchingSlice, detail: "slice_type is \(type)") }
    }
    picParameterSetID = try reader.ue(0...255, "pic_parameter_set_id", .h264SliceValue)
    if sequence.separateColourPlaneFlag {
      colourPlaneID = try reader.u(2, 0...2, "colour_plane_id", .h264SliceValue)
    }
    frameNum = reader.u(sequence.log2MaxFrameNum)
    if !sequence.frameMbsOnlyFlag {
      fieldPicFlag = reader.flag()
      if fieldPicFlag { bottomFieldFlag = reader.flag() }
    }
    mbaffFrameFlag = sequence.mbAdaptiveFrameFieldFlag && !fieldPicFlag
    // PicSizeInMbs / (1 + MbaffFrameFlag) bounds the address.
    let bound = fieldPicFlag || mbaffFrameFlag ? mbs / 2 : mbs
    guard firstMbInSlice < bound else {
      throw MediaError(
        .damaged, .h264SliceValue,
        detail: "first_mb_in_slice is \(firstMbInSlice), allowed is 0…\(bound - 1)")
    }
  }

  /// From idr_pic_id to redundant_pic_cnt.
  private mutating func parseOrder(
    _ reader: inout SyntaxReader, _ sequence: SequenceParameterSet, _ picture: PictureParameterSet
  ) throws(MediaError) {
    if isIDR { idrPicID = try reader.ue(0...65535, "idr_pic_id", .h264SliceValue) }
    let hasBottom = picture.bottomFieldPicOrderInFramePresentFlag && !fieldPicFlag
    if sequence.picOrderCntType == 0 {
      picOrderCntLsb = reader.u(sequence.log2MaxPicOrderCntLsb)
      if hasBottom {
        deltaPicOrderCntBottom = try reader.se("delta_pic_order_cnt_bottom", .h264SliceValue)
      }
    } else if sequence.picOrderCntType == 1 && !sequence.deltaPicOrderAlwaysZeroFlag {
      deltaPicOrderCnt0 = try reader.se("delta_pic_order_cnt[0]", .h264SliceValue)
      if hasBottom { deltaPicOrderCnt1 = try reader.se("delta_pic_order_cnt[1]", .h264SliceValue) }
    }
    if picture.redundantPicCntPresentFlag {
      redundantPicCnt = try reader.ue(0...127, "redundant_pic_cnt", .h264SliceValue)
    }
  }

  /// From direct_spatial_mv_pred_flag to the weight table.
  private mutating func parseReferences(
    _ reader: inout SyntaxReader, _ sequence: SequenceParameterSet, _ picture: PictureParameterSet
  ) throws(MediaError) {
    guard !sliceType.isIntra else { return }
    if sliceType == .b { directSpatialMvPredFlag = reader.flag() }
    try parseReferenceCounts(&reader, picture)
    listModifications0 = try Self.modifications(
      &reader, count: numRefIdxL0Active, maxPicNum: maxPicNum(sequence))
    if sliceType == .b {
      listModifications1 = try Self.modifications(
        &reader, count: numRefIdxL1Active, maxPicNum: maxPicNum(sequence))
    }
    if sliceType == .b ? picture.weightedBipredIdc == 1 : picture.weightedPredFlag {
      try parseWeights(&reader, hasChroma: sequence.chromaArrayType != 0)
    }
  }

  private mutating func parseReferenceCounts(
    _ reader: inout SyntaxReader, _ picture: PictureParameterSet
  ) throws(MediaError) {
    let bound = fieldPicFlag ? 32 : 16
    numRefIdxL0Active = picture.numRefIdxL0DefaultActive
    if sliceType == .b { numRefIdxL1Active = picture.numRefIdxL1DefaultActive }
    if reader.flag() {
      numRefIdxL0Active =
        1 + (try reader.ue(0...bound - 1, "num_ref_idx_l0_active_minus1", .h264SliceValue))
      if sliceType == .b {
        numRefIdxL1Active =
          1 + (try reader.ue(0...bound - 1, "num_ref_idx_l1_active_minus1", .h264SliceValue))
      }
    }
    guard numRefIdxL0Active <= bound && numRefIdxL1Active <= bound else {
      throw MediaError(
        .damaged, .h264SliceValue,
        detail:
          "\(max(numRefIdxL0Active, numRefIdxL1Active)) active references, allowed are \(bound)")
    }
  }

  /// ref_pic_list_modification() of one list, §7.3.3.1.
  private static func modifications(
    _ reader: inout SyntaxReader, count: Int, maxPicNum: Int
  ) throws(MediaError) -> [ReferenceListModification] {
    guard reader.flag() else { return [] }
    var commands: [ReferenceListModification] = []
    while true {
      // 4 and 5 belong to views other than the base view, which are not read.
      let idc = try reader.ue(0...3, "modification_of_pic_nums_idc", .h264ListModification)
      if idc == 3 { return commands }
      // LIMIT: no more commands than active entries. §7.4.3.1.
      guard commands.count < count else {
        throw MediaError(
          .damaged, .h264ListModification, detail: "more than \(count) commands")
      }
      switch idc {
      case 0:
        commands.append(.subtract(try difference(&reader, maxPicNum)))
      case 1:
        commands.append(.add(try difference(&reader, maxPicNum)))
      default:
        // At most 2 · MaxLongTermFrameIdx + 1 with 16 long-term frames.
        commands.append(
          .longTerm(try reader.ue(0...31, "long_term_pic_num", .h264ListModification)))
      }
    }
  }

  private static func difference(
    _ reader: inout SyntaxReader, _ maxPicNum: Int
  ) throws(MediaError) -> Int {
    1 + (try reader.ue(0...maxPicNum - 1, "abs_diff_pic_num_minus1", .h264ListModification))
  }

  /// pred_weight_table(), §7.3.3.2.
  private mutating func parseWeights(
    _ reader: inout SyntaxReader, hasChroma: Bool
  ) throws(MediaError) {
    hasExplicitWeights = true
    lumaLog2WeightDenom = try reader.ue(
      0...7, "luma_log2_weight_denom", .h264PredictionWeight)
    if hasChroma {
      chromaLog2WeightDenom = try reader.ue(
        0...7, "chroma_log2_weight_denom", .h264PredictionWeight)
    }
    weights0 = try weights(&reader, count: numRefIdxL0Active, hasChroma: hasChroma)
    weights1 = try weights(&reader, count: numRefIdxL1Active, hasChroma: hasChroma)
  }

  private func weights(
    _ reader: inout SyntaxReader, count: Int, hasChroma: Bool
  ) throws(MediaError) -> [PredictionWeight] {
    var weights: [PredictionWeight] = []
    for _ in 0..<count {
      var entry = PredictionWeight(
        lumaLog2Denominator: lumaLog2WeightDenom, chromaLog2Denominator: chromaLog2WeightDenom)
      entry.lumaFlag = reader.flag()
      if entry.lumaFlag {
        entry.lumaWeight = try Self.weight(&reader, "luma_weight")
        entry.lumaOffset = try Self.weight(&reader, "luma_offset")
      }
      if hasChroma {
        entry.chromaFlag = reader.flag()
        if entry.chromaFlag {
          entry.cbWeight = try Self.weight(&reader, "chroma_weight")
          entry.cbOffset = try Self.weight(&reader, "chroma_offset")
          entry.crWeight = try Self.weight(&reader, "chroma_weight")
          entry.crOffset = try Self.weight(&reader, "chroma_offset")
        }
      }
      weights.append(entry)
    }
    return weights
  }

  private static func weight(
    _ reader: inout SyntaxReader, _ name: StaticString
  ) throws(MediaError) -> Int32 {
    Int32(try reader.se(-128...127, name, .h264PredictionWeight))
  }

  /// dec_ref_pic_marking(), §7.3.3.3.
  private mutating func parseMarking(
    _ reader: inout SyntaxReader, _ sequence: SequenceParameterSet
  ) throws(MediaError) {
    if isIDR {
      marking.noOutputOfPriorPicsFlag = reader.flag()
      marking.longTermReferenceFlag = reader.flag()
      return
    }
    marking.adaptiveRefPicMarkingModeFlag = reader.flag()
    guard marking.adaptiveRefPicMarkingModeFlag else { return }
    // LIMIT: each of 32 fields can be marked twice, and operations 4, 5 and 6 come once each.
    while marking.operations.count <= 67 {
      let operation = try reader.ue(
        0...6, "memory_management_control_operation", .h264ReferenceMarking)
      if operation == 0 { return }
      marking.operations.append(
        try Self.operation(operation, &reader, maxPicNum: maxPicNum(sequence)))
    }
    throw MediaError(
      .damaged, .h264ReferenceMarking, detail: "more than \(marking.operations.count) operations")
  }

  private static func operation(
    _ operation: Int, _ reader: inout SyntaxReader, maxPicNum: Int
  ) throws(MediaError) -> MemoryManagementControlOperation {
    func number(
      _ range: ClosedRange<Int>, _ name: StaticString
    ) throws(MediaError) -> Int { try reader.ue(range, name, .h264ReferenceMarking) }
    let differences = 0...maxPicNum - 1
    switch operation {
    case 1:
      let difference = try number(differences, "difference_of_pic_nums_minus1")
      return .shortTermUnused(differenceOfPicNums: difference + 1)
    case 2:
      return .longTermUnused(longTermPicNum: try number(0...31, "long_term_pic_num"))
    case 3:
      let difference = try number(differences, "difference_of_pic_nums_minus1")
      return .shortTermToLongTerm(
        differenceOfPicNums: difference + 1,
        longTermFrameIdx: try number(0...15, "long_term_frame_idx"))
    case 4:
      return .maxLongTermFrameIdx(plus1: try number(0...16, "max_long_term_frame_idx_plus1"))
    case 5:
      return .allUnused
    default:
      return .currentToLongTerm(longTermFrameIdx: try number(0...15, "long_term_frame_idx"))
    }
  }

  /// From cabac_init_idc to slice_qs_delta.
  private mutating func parseQuantisation(
    _ reader: inout SyntaxReader, _ sequence: SequenceParameterSet, _ picture: PictureParameterSet
  ) throws(MediaError) {
    if picture.entropyCodingModeFlag && !sliceType.isIntra {
      cabacInitIdc = try reader.ue(0...2, "cabac_init_idc", .h264SliceValue)
    }
    let lowest = -sequence.qpBdOffsetY
    sliceQPY =
      picture.picInitQP
      + (try reader.se(
        lowest - picture.picInitQP...51 - picture.picInitQP, "slice_qp_delta", .h264SliceValue))
    qsY = picture.picInitQS
    guard sliceType == .sp || sliceType == .si else { return }
    if sliceType == .sp { spForSwitchFlag = reader.flag() }
    qsY =
      picture.picInitQS
      + (try reader.se(
        -picture.picInitQS...51 - picture.picInitQS, "slice_qs_delta", .h264SliceValue))
  }

  private mutating func parseLoopFilter(
    _ reader: inout SyntaxReader, _ picture: PictureParameterSet
  ) throws(MediaError) {
    guard picture.deblockingFilterControlPresentFlag else { return }
    disableDeblockingFilterIdc = try reader.ue(
      0...2, "disable_deblocking_filter_idc", .h264SliceValue)
    guard disableDeblockingFilterIdc != 1 else { return }
    filterOffsetA = 2 * (try reader.se(-6...6, "slice_alpha_c0_offset_div2", .h264SliceValue))
    filterOffsetB = 2 * (try reader.se(-6...6, "slice_beta_offset_div2", .h264SliceValue))
  }

  private mutating func parseSliceGroupChange(
    _ reader: inout SyntaxReader, _ sequence: SequenceParameterSet, _ picture: PictureParameterSet
  ) throws(MediaError) {
    guard picture.numSliceGroups > 1, picture.sliceGroupMapping.isChanging else { return }
    // Ceil(Log2(PicSizeInMapUnits ÷ SliceGroupChangeRate + 1)) bits, (7-36), ÷ being exact: the
    // least n with 2ⁿ ≥ x + 1 is the same for x and for Ceil(x).
    let rate = picture.sliceGroupChangeRate
    let cycles = (sequence.picSizeInMapUnits + rate - 1) / rate
    sliceGroupChangeCycle = try reader.u(
      (cycles + 1).ceilLog2, 0...cycles, "slice_group_change_cycle", .h264SliceValue)
  }
}

/// The start of data partitions B and C, §7.3.2.9.2, §7.3.2.9.3.
struct SliceDataPartitionHeader: Sendable, Hashable {
  var sliceID = 0
  var colourPlaneID = 0
  var redundantPicCnt = 0
  /// Bit of the payload where the partition's slice data starts.
  var dataStart = 0

  /// The header of a NAL unit of type 3 or 4 that goes with partition A's parameter sets.
  ///
  /// - Throws: `.damaged` when a value is out of range or the header is cut off.
  init(
    parsing payload: [UInt8], sequence: SequenceParameterSet, picture: PictureParameterSet
  ) throws(MediaError) {
    var reader = SyntaxReader(payload, from: 8)
    sliceID = try reader.ue(
      0...sequence.picWidthInMbs * sequence.frameHeightInMbs - 1, "slice_id", .h264SliceValue)
    if sequence.separateColourPlaneFlag {
      colourPlaneID = try reader.u(2, 0...2, "colour_plane_id", .h264SliceValue)
    }
    if picture.redundantPicCntPresentFlag {
      redundantPicCnt = try reader.ue(0...127, "redundant_pic_cnt", .h264SliceValue)
    }
    try reader.requireNoOverrun()
    dataStart = reader.position
  }
}
