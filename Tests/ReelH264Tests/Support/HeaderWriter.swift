// Writing parameter sets and slice headers in code.

internal import ReelCore
internal import ReelTestSupport

@testable internal import ReelH264

/// Writes syntax elements by name, so that a test can put any value in the place of one.
struct HeaderWriter {
  private(set) var bits = BitWriter()
  /// Values written instead of the right ones, by the standard's name of the element.
  let overrides: [String: Int]
  /// Names in the order they were written.
  private(set) var names: [String] = []

  init(nalRefIDC: Int, type: NALUnitType, overrides: [String: Int] = [:]) {
    self.overrides = overrides
    bits.write(UInt64(nalRefIDC << 5 | Int(type.rawValue)), bits: 8)
  }

  private mutating func value(_ name: String, _ value: Int) -> Int {
    names.append(name)
    return overrides[name] ?? value
  }

  mutating func ue(_ name: String, _ value: Int) {
    bits.writeUE(UInt32(self.value(name, value)))
  }
  mutating func se(_ name: String, _ value: Int) {
    bits.writeSE(Int32(self.value(name, value)))
  }
  mutating func u(_ name: String, _ value: Int, _ count: Int) {
    bits.write(UInt64(self.value(name, value)), bits: count)
  }
  mutating func flag(_ name: String, _ value: Bool) { u(name, value ? 1 : 0, 1) }

  /// rbsp_trailing_bits() and the bytes.
  mutating func finish() -> [UInt8] {
    bits.writeTrailingBits()
    return bits.bytes
  }
}

extension HeaderWriter {
  /// A sequence parameter set NAL unit without emulation prevention. §7.3.2.1.1.
  static func sequence(
    _ set: SequenceParameterSet, lists: [[Int]?]? = nil, overrides: [String: Int] = [:]
  ) -> [UInt8] {
    var writer = HeaderWriter(nalRefIDC: 3, type: .sequenceParameterSet, overrides: overrides)
    writer.write(set, lists)
    return writer.finish()
  }

  private mutating func write(_ set: SequenceParameterSet, _ lists: [[Int]?]?) {
    u("profile_idc", set.profileIDC, 8)
    u("constraint_flags", Int(set.constraintFlags), 8)
    u("level_idc", set.levelIDC, 8)
    ue("seq_parameter_set_id", set.seqParameterSetID)
    if SequenceParameterSet.highProfiles.contains(set.profileIDC) {
      ue("chroma_format_idc", set.chromaFormatIDC)
      if set.chromaFormatIDC == 3 {
        flag("separate_colour_plane_flag", set.separateColourPlaneFlag)
      }
      ue("bit_depth_luma_minus8", set.bitDepthLuma - 8)
      ue("bit_depth_chroma_minus8", set.bitDepthChroma - 8)
      flag("qpprime_y_zero_transform_bypass_flag", set.qpprimeYZeroTransformBypassFlag)
      write(lists)
    }
    ue("log2_max_frame_num_minus4", set.log2MaxFrameNum - 4)
    ue("pic_order_cnt_type", set.picOrderCntType)
    if set.picOrderCntType == 0 {
      ue("log2_max_pic_order_cnt_lsb_minus4", set.log2MaxPicOrderCntLsb - 4)
    } else if set.picOrderCntType == 1 {
      flag("delta_pic_order_always_zero_flag", set.deltaPicOrderAlwaysZeroFlag)
      se("offset_for_non_ref_pic", set.offsetForNonRefPic)
      se("offset_for_top_to_bottom_field", set.offsetForTopToBottomField)
      ue("num_ref_frames_in_pic_order_cnt_cycle", set.offsetForRefFrame.count)
      for offset in set.offsetForRefFrame { se("offset_for_ref_frame", offset) }
    }
    ue("max_num_ref_frames", set.maxNumRefFrames)
    flag("gaps_in_frame_num_value_allowed_flag", set.gapsInFrameNumValueAllowedFlag)
    ue("pic_width_in_mbs_minus1", set.picWidthInMbs - 1)
    ue("pic_height_in_map_units_minus1", set.picHeightInMapUnits - 1)
    flag("frame_mbs_only_flag", set.frameMbsOnlyFlag)
    if !set.frameMbsOnlyFlag {
      flag("mb_adaptive_frame_field_flag", set.mbAdaptiveFrameFieldFlag)
    }
    flag("direct_8x8_inference_flag", set.direct8x8InferenceFlag)
    writeCropping(set)
    flag("vui_parameters_present_flag", set.vui != nil)
    if let vui = set.vui { write(vui) }
  }

  /// A matrix flag and, where there are lists, each as deltas, or not sent where nil.
  fileprivate mutating func write(_ lists: [[Int]?]?) {
    flag("scaling_matrix_present_flag", lists != nil)
    for list in lists ?? [] {
      flag("scaling_list_present_flag", list != nil)
      for delta in list ?? [] { se("delta_scale", delta) }
    }
  }

  private mutating func writeCropping(_ set: SequenceParameterSet) {
    let isWhole = set.crop == SampleRect(x: 0, y: 0, width: set.width, height: set.height)
    flag("frame_cropping_flag", !isWhole)
    if isWhole { return }
    // Table 6-1 with (7-19)…(7-22).
    let unitX = set.chromaArrayType == 1 || set.chromaArrayType == 2 ? 2 : 1
    let unitY = (set.chromaArrayType == 1 ? 2 : 1) * (set.frameMbsOnlyFlag ? 1 : 2)
    ue("frame_crop_left_offset", set.crop.x / unitX)
    ue("frame_crop_right_offset", (set.width - set.crop.x - set.crop.width) / unitX)
    ue("frame_crop_top_offset", set.crop.y / unitY)
    ue("frame_crop_bottom_offset", (set.height - set.crop.y - set.crop.height) / unitY)
  }

  private mutating func write(_ vui: VideoUsabilityInformation) {
    let ratio = vui.sampleAspectRatio
    flag("aspect_ratio_info_present_flag", ratio != .unknown)
    if ratio != .unknown {
      u("aspect_ratio_idc", 255, 8)
      u("sar_width", ratio.numerator, 16)
      u("sar_height", ratio.denominator, 16)
    }
    flag("overscan_info_present_flag", vui.overscanAppropriate != nil)
    if let appropriate = vui.overscanAppropriate {
      flag("overscan_appropriate_flag", appropriate)
    }
    flag("video_signal_type_present_flag", true)
    u("video_format", vui.videoFormat, 3)
    flag("video_full_range_flag", vui.videoFullRangeFlag)
    flag("colour_description_present_flag", true)
    u("colour_primaries", vui.colourPrimaries, 8)
    u("transfer_characteristics", vui.transferCharacteristics, 8)
    u("matrix_coefficients", vui.matrixCoefficients, 8)
    flag("chroma_loc_info_present_flag", vui.chromaSampleLocTypeTopField != nil)
    if let top = vui.chromaSampleLocTypeTopField, let bottom = vui.chromaSampleLocTypeBottomField {
      ue("chroma_sample_loc_type_top_field", top)
      ue("chroma_sample_loc_type_bottom_field", bottom)
    }
    flag("timing_info_present_flag", vui.timeScale != 0)
    if vui.timeScale != 0 {
      u("num_units_in_tick", vui.numUnitsInTick, 32)
      u("time_scale", vui.timeScale, 32)
      flag("fixed_frame_rate_flag", vui.fixedFrameRateFlag)
    }
    write("nal_hrd_parameters_present_flag", vui.nalHrd)
    write("vcl_hrd_parameters_present_flag", vui.vclHrd)
    if vui.nalHrd != nil || vui.vclHrd != nil {
      flag("low_delay_hrd_flag", vui.lowDelayHrdFlag)
    }
    flag("pic_struct_present_flag", vui.picStructPresentFlag)
    flag("bitstream_restriction_flag", vui.maxNumReorderFrames != nil)
    if let reorder = vui.maxNumReorderFrames, let buffering = vui.maxDecFrameBuffering {
      flag("motion_vectors_over_pic_boundaries_flag", true)
      for name in [
        "max_bytes_per_pic_denom", "max_bits_per_mb_denom", "log2_max_mv_length_horizontal",
        "log2_max_mv_length_vertical",
      ] { ue(name, 10) }
      ue("max_num_reorder_frames", reorder)
      ue("max_dec_frame_buffering", buffering)
    }
  }

  private mutating func write(_ name: String, _ hrd: HypotheticalDecoderParameters?) {
    flag(name, hrd != nil)
    guard let hrd else { return }
    ue("cpb_cnt_minus1", hrd.cpbCount - 1)
    u("bit_rate_scale", 0, 4)
    u("cpb_size_scale", 0, 4)
    for index in 0..<hrd.cpbCount {
      ue("bit_rate_value_minus1", (hrd.bitRate >> 6) - 1 + index)
      ue("cpb_size_value_minus1", (hrd.cpbSize >> 4) - 1 + index)
      flag("cbr_flag", false)
    }
    u("initial_cpb_removal_delay_length_minus1", hrd.initialCpbRemovalDelayLength - 1, 5)
    u("cpb_removal_delay_length_minus1", hrd.cpbRemovalDelayLength - 1, 5)
    u("dpb_output_delay_length_minus1", hrd.dpbOutputDelayLength - 1, 5)
    u("time_offset_length", hrd.timeOffsetLength, 5)
  }
}

extension HeaderWriter {
  /// A picture parameter set NAL unit without emulation prevention. §7.3.2.2. What later profiles
  /// added is written where it is needed or `lists` is given (nil inside: no matrix).
  static func picture(
    _ set: PictureParameterSet, for sequence: SequenceParameterSet, lists: [[Int]?]?? = .none,
    overrides: [String: Int] = [:]
  ) -> [UInt8] {
    var writer = HeaderWriter(nalRefIDC: 3, type: .pictureParameterSet, overrides: overrides)
    writer.write(set, sequence)
    let isExtended =
      set.transform8x8ModeFlag || set.secondChromaQPIndexOffset != set.chromaQPIndexOffset
    if isExtended || lists != nil {
      writer.flag("transform_8x8_mode_flag", set.transform8x8ModeFlag)
      writer.write(lists ?? nil)
      writer.se("second_chroma_qp_index_offset", set.secondChromaQPIndexOffset)
    }
    return writer.finish()
  }

  private mutating func write(_ set: PictureParameterSet, _ sequence: SequenceParameterSet) {
    ue("pic_parameter_set_id", set.picParameterSetID)
    ue("seq_parameter_set_id", set.seqParameterSetID)
    flag("entropy_coding_mode_flag", set.entropyCodingModeFlag)
    flag(
      "bottom_field_pic_order_in_frame_present_flag", set.bottomFieldPicOrderInFramePresentFlag)
    ue("num_slice_groups_minus1", set.numSliceGroups - 1)
    if set.numSliceGroups > 1 { writeSliceGroups(set, sequence) }
    ue("num_ref_idx_l0_default_active_minus1", set.numRefIdxL0DefaultActive - 1)
    ue("num_ref_idx_l1_default_active_minus1", set.numRefIdxL1DefaultActive - 1)
    flag("weighted_pred_flag", set.weightedPredFlag)
    u("weighted_bipred_idc", set.weightedBipredIdc, 2)
    se("pic_init_qp_minus26", set.picInitQP - 26)
    se("pic_init_qs_minus26", set.picInitQS - 26)
    se("chroma_qp_index_offset", set.chromaQPIndexOffset)
    flag("deblocking_filter_control_present_flag", set.deblockingFilterControlPresentFlag)
    flag("constrained_intra_pred_flag", set.constrainedIntraPredFlag)
    flag("redundant_pic_cnt_present_flag", set.redundantPicCntPresentFlag)
  }

  private mutating func writeSliceGroups(
    _ set: PictureParameterSet, _ sequence: SequenceParameterSet
  ) {
    switch set.sliceGroupMapping {
    case .interleaved(let runs):
      ue("slice_group_map_type", 0)
      for run in runs { ue("run_length_minus1", run - 1) }
    case .dispersed: ue("slice_group_map_type", 1)
    case .foreground(let rectangles):
      ue("slice_group_map_type", 2)
      for rectangle in rectangles {
        ue("top_left", rectangle.topLeft)
        ue("bottom_right", rectangle.bottomRight)
      }
    case .boxOut(let direction), .raster(let direction), .wipe(let direction):
      let type: Int
      switch set.sliceGroupMapping {
      case .boxOut: type = 3
      case .raster: type = 4
      default: type = 5
      }
      ue("slice_group_map_type", type)
      flag("slice_group_change_direction_flag", direction)
      ue("slice_group_change_rate_minus1", set.sliceGroupChangeRate - 1)
    case .explicit(let groups):
      ue("slice_group_map_type", 6)
      ue("pic_size_in_map_units_minus1", groups.count - 1)
      // Ceil(Log2(num_slice_groups)) bits.
      let width = set.numSliceGroups > 4 ? 3 : set.numSliceGroups > 2 ? 2 : 1
      for group in groups { u("slice_group_id", Int(group), width) }
    }
  }
}
