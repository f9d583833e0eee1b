// Writing slice headers in code. ISO/IEC 14496-10:2020 §7.3.3.

internal import ReelCore
internal import ReelTestSupport

@testable internal import ReelH264

extension HeaderWriter {
  /// A slice NAL unit without emulation prevention: the header, then `data` as slice_data(), then
  /// trailing bits. `overridesCounts` writes num_ref_idx_active_override_flag 1.
  static func slice(
    _ header: SliceHeader, _ sequence: SequenceParameterSet, _ picture: PictureParameterSet,
    data: [UInt8] = [0x55, 0xAA], overridesCounts: Bool = true, overrides: [String: Int] = [:]
  ) -> [UInt8] {
    var writer = sliceHeader(
      header, sequence, picture, overridesCounts: overridesCounts, overrides: overrides)
    for byte in data { writer.u("data", Int(byte), 8) }
    return writer.finish()
  }

  /// The NAL unit header and the slice header; slice_data() is to follow.
  static func sliceHeader(
    _ header: SliceHeader, _ sequence: SequenceParameterSet, _ picture: PictureParameterSet,
    overridesCounts: Bool = true, overrides: [String: Int] = [:]
  ) -> HeaderWriter {
    var writer = HeaderWriter(
      nalRefIDC: header.nalRefIDC, type: header.nalUnitType, overrides: overrides)
    writer.writeIdentity(header, sequence)
    writer.writeOrder(header, sequence, picture)
    writer.writeReferences(header, sequence, picture, overridesCounts)
    if header.nalRefIDC != 0 { writer.writeMarking(header) }
    writer.writeRest(header, sequence, picture)
    return writer
  }

  /// Data partition B or C.
  static func partition(
    _ type: NALUnitType, sliceID: Int, colourPlaneID: Int? = nil, redundantPicCnt: Int? = nil,
    data: [UInt8] = [0x33], overrides: [String: Int] = [:]
  ) -> [UInt8] {
    var writer = HeaderWriter(nalRefIDC: 1, type: type, overrides: overrides)
    writer.ue("slice_id", sliceID)
    if let colourPlaneID { writer.u("colour_plane_id", colourPlaneID, 2) }
    if let redundantPicCnt { writer.ue("redundant_pic_cnt", redundantPicCnt) }
    for byte in data { writer.u("data", Int(byte), 8) }
    return writer.finish()
  }

  private mutating func writeIdentity(_ header: SliceHeader, _ sequence: SequenceParameterSet) {
    ue("first_mb_in_slice", header.firstMbInSlice)
    ue("slice_type", Int(header.sliceType.rawValue) + (header.isTypeOfAllSlices ? 5 : 0))
    ue("pic_parameter_set_id", header.picParameterSetID)
    if sequence.separateColourPlaneFlag { u("colour_plane_id", header.colourPlaneID, 2) }
    u("frame_num", header.frameNum, sequence.log2MaxFrameNum)
    if !sequence.frameMbsOnlyFlag {
      flag("field_pic_flag", header.fieldPicFlag)
      if header.fieldPicFlag { flag("bottom_field_flag", header.bottomFieldFlag) }
    }
  }

  private mutating func writeOrder(
    _ header: SliceHeader, _ sequence: SequenceParameterSet, _ picture: PictureParameterSet
  ) {
    if header.isIDR { ue("idr_pic_id", header.idrPicID) }
    let hasBottom = picture.bottomFieldPicOrderInFramePresentFlag && !header.fieldPicFlag
    if sequence.picOrderCntType == 0 {
      u("pic_order_cnt_lsb", header.picOrderCntLsb, sequence.log2MaxPicOrderCntLsb)
      if hasBottom { se("delta_pic_order_cnt_bottom", header.deltaPicOrderCntBottom) }
    }
    if sequence.picOrderCntType == 1 && !sequence.deltaPicOrderAlwaysZeroFlag {
      se("delta_pic_order_cnt[0]", header.deltaPicOrderCnt0)
      if hasBottom { se("delta_pic_order_cnt[1]", header.deltaPicOrderCnt1) }
    }
    if picture.redundantPicCntPresentFlag { ue("redundant_pic_cnt", header.redundantPicCnt) }
  }

  private mutating func writeReferences(
    _ header: SliceHeader, _ sequence: SequenceParameterSet, _ picture: PictureParameterSet,
    _ overridesCounts: Bool
  ) {
    guard [.p, .sp, .b].contains(header.sliceType) else { return }
    let isB = header.sliceType == .b
    if isB { flag("direct_spatial_mv_pred_flag", header.directSpatialMvPredFlag) }
    flag("num_ref_idx_active_override_flag", overridesCounts)
    if overridesCounts {
      ue("num_ref_idx_l0_active_minus1", header.numRefIdxL0Active - 1)
      if isB { ue("num_ref_idx_l1_active_minus1", header.numRefIdxL1Active - 1) }
    }
    write(header.listModifications0)
    if isB { write(header.listModifications1) }
    guard isB ? picture.weightedBipredIdc == 1 : picture.weightedPredFlag else { return }
    ue("luma_log2_weight_denom", header.lumaLog2WeightDenom)
    let hasChroma = sequence.chromaArrayType != 0
    if hasChroma { ue("chroma_log2_weight_denom", header.chromaLog2WeightDenom) }
    for entry in header.weights0 { write(entry, hasChroma) }
    if isB { for entry in header.weights1 { write(entry, hasChroma) } }
  }

  private mutating func write(_ commands: [ReferenceListModification]) {
    flag("ref_pic_list_modification_flag", !commands.isEmpty)
    guard !commands.isEmpty else { return }
    for command in commands {
      switch command {
      case .subtract(let difference):
        ue("modification_of_pic_nums_idc", 0)
        ue("abs_diff_pic_num_minus1", difference - 1)
      case .add(let difference):
        ue("modification_of_pic_nums_idc", 1)
        ue("abs_diff_pic_num_minus1", difference - 1)
      case .longTerm(let number):
        ue("modification_of_pic_nums_idc", 2)
        ue("long_term_pic_num", number)
      }
    }
    ue("modification_of_pic_nums_idc_end", 3)
  }

  private mutating func write(_ weight: PredictionWeight, _ hasChroma: Bool) {
    flag("luma_weight_flag", weight.lumaFlag)
    if weight.lumaFlag {
      se("luma_weight", Int(weight.lumaWeight))
      se("luma_offset", Int(weight.lumaOffset))
    }
    guard hasChroma else { return }
    flag("chroma_weight_flag", weight.chromaFlag)
    guard weight.chromaFlag else { return }
    se("chroma_weight", Int(weight.cbWeight))
    se("chroma_offset", Int(weight.cbOffset))
    se("chroma_weight", Int(weight.crWeight))
    se("chroma_offset", Int(weight.crOffset))
  }

  private mutating func writeMarking(_ header: SliceHeader) {
    let marking = header.marking
    if header.isIDR {
      flag("no_output_of_prior_pics_flag", marking.noOutputOfPriorPicsFlag)
      flag("long_term_reference_flag", marking.longTermReferenceFlag)
      return
    }
    flag("adaptive_ref_pic_marking_mode_flag", marking.adaptiveRefPicMarkingModeFlag)
    guard marking.adaptiveRefPicMarkingModeFlag else { return }
    for operation in marking.operations { write(operation) }
    ue("memory_management_control_operation_end", 0)
  }

  private mutating func write(_ operation: MemoryManagementControlOperation) {
    switch operation {
    case .shortTermUnused(let difference):
      ue("memory_management_control_operation", 1)
      ue("difference_of_pic_nums_minus1", difference - 1)
    case .longTermUnused(let number):
      ue("memory_management_control_operation", 2)
      ue("long_term_pic_num", number)
    case .shortTermToLongTerm(let difference, let index):
      ue("memory_management_control_operation", 3)
      ue("difference_of_pic_nums_minus1", difference - 1)
      ue("long_term_frame_idx", index)
    case .maxLongTermFrameIdx(let plus1):
      ue("memory_management_control_operation", 4)
      ue("max_long_term_frame_idx_plus1", plus1)
    case .allUnused:
      ue("memory_management_control_operation", 5)
    case .currentToLongTerm(let index):
      ue("memory_management_control_operation", 6)
      ue("long_term_frame_idx", index)
    }
  }

  private mutating func writeRest(
    _ header: SliceHeader, _ sequence: SequenceParameterSet, _ picture: PictureParameterSet
  ) {
    if picture.entropyCodingModeFlag && !header.sliceType.isIntra {
      ue("cabac_init_idc", header.cabacInitIdc)
    }
    se("slice_qp_delta", header.sliceQPY - picture.picInitQP)
    if header.sliceType == .sp { flag("sp_for_switch_flag", header.spForSwitchFlag) }
    if header.sliceType == .sp || header.sliceType == .si {
      se("slice_qs_delta", header.qsY - picture.picInitQS)
    }
    if picture.deblockingFilterControlPresentFlag {
      ue("disable_deblocking_filter_idc", header.disableDeblockingFilterIdc)
      if header.disableDeblockingFilterIdc != 1 {
        se("slice_alpha_c0_offset_div2", header.filterOffsetA / 2)
        se("slice_beta_offset_div2", header.filterOffsetB / 2)
      }
    }
    if picture.numSliceGroups > 1, picture.sliceGroupMapping.isChanging {
      // The least width that holds 0 … Ceil(PicSizeInMapUnits ÷ SliceGroupChangeRate).
      let rate = Double(picture.sliceGroupChangeRate)
      let cycles = Int((Double(sequence.picSizeInMapUnits) / rate).rounded(.up))
      var width = 0
      while 1 << width < cycles + 1 { width += 1 }
      u("slice_group_change_cycle", header.sliceGroupChangeCycle, width)
    }
    if header.nalUnitType == .partitionA { ue("slice_id", header.sliceID) }
  }
}
