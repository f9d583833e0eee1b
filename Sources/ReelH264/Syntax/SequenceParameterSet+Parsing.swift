// Parsing of sequence parameter sets. ISO/IEC 14496-10:2020 §7.3.2.1.1.

import ReelCore
import ReelVideoCore

extension SequenceParameterSet {
  /// Macroblocks across or down: more than any level allows (1,055 at level 6.2), and few enough
  /// that no product of two sizes overflows.
  private static let maximumMbs = 1 << 12

  /// seq_parameter_set_data() of a NAL unit `payload` without emulation prevention, whose data
  /// starts behind `headerByteCount` bytes of NAL unit header.
  ///
  /// - Throws: `.damaged` when a value is out of range or the set is cut off before its VUI.
  init(parsing payload: [UInt8], headerByteCount: Int = 1) throws(MediaError) {
    self.init()
    var reader = SyntaxReader(payload, from: headerByteCount * 8)
    profileIDC = reader.u(8)
    constraintFlags = UInt8(reader.u(8))
    levelIDC = reader.u(8)
    seqParameterSetID = try reader.ue(0...31, "seq_parameter_set_id", .h264SequenceValue)
    if Self.highProfiles.contains(profileIDC) { try parseFormat(&reader) }
    log2MaxFrameNum =
      4 + (try reader.ue(0...12, "log2_max_frame_num_minus4", .h264SequenceValue))
    try parsePictureOrderCount(&reader)
    maxNumRefFrames = try reader.ue(0...16, "max_num_ref_frames", .h264SequenceValue)
    gapsInFrameNumValueAllowedFlag = reader.flag()
    try parseSize(&reader)
    try parseCropping(&reader)
    let hasUsability = reader.flag()
    try reader.requireNoOverrun()
    if hasUsability { vui = VideoUsabilityInformation(parsing: &reader) }
  }

  private mutating func parseFormat(_ reader: inout SyntaxReader) throws(MediaError) {
    chromaFormatIDC = try reader.ue(0...3, "chroma_format_idc", .h264SequenceValue)
    if chromaFormatIDC == 3 { separateColourPlaneFlag = reader.flag() }
    bitDepthLuma = 8 + (try reader.ue(0...6, "bit_depth_luma_minus8", .h264SequenceValue))
    bitDepthChroma = 8 + (try reader.ue(0...6, "bit_depth_chroma_minus8", .h264SequenceValue))
    qpprimeYZeroTransformBypassFlag = reader.flag()
    seqScalingMatrixPresentFlag = reader.flag()
    if seqScalingMatrixPresentFlag {
      scalingLists = try ScalingLists(
        parsing: &reader, count: chromaFormatIDC == 3 ? 12 : 8, fallingBackTo: nil)
    }
  }

  private mutating func parsePictureOrderCount(_ reader: inout SyntaxReader) throws(MediaError) {
    picOrderCntType = try reader.ue(0...2, "pic_order_cnt_type", .h264SequenceValue)
    if picOrderCntType == 0 {
      log2MaxPicOrderCntLsb =
        4 + (try reader.ue(0...12, "log2_max_pic_order_cnt_lsb_minus4", .h264SequenceValue))
    } else if picOrderCntType == 1 {
      deltaPicOrderAlwaysZeroFlag = reader.flag()
      offsetForNonRefPic = try reader.se("offset_for_non_ref_pic", .h264SequenceValue)
      offsetForTopToBottomField = try reader.se(
        "offset_for_top_to_bottom_field", .h264SequenceValue)
      let count = try reader.ue(
        0...255, "num_ref_frames_in_pic_order_cnt_cycle", .h264SequenceValue)
      for _ in 0..<count {
        offsetForRefFrame.append(try reader.se("offset_for_ref_frame", .h264SequenceValue))
      }
    }
  }

  private mutating func parseSize(_ reader: inout SyntaxReader) throws(MediaError) {
    let range = 0...Self.maximumMbs - 1
    picWidthInMbs = 1 + (try reader.ue(range, "pic_width_in_mbs_minus1", .h264SequenceValue))
    picHeightInMapUnits =
      1 + (try reader.ue(range, "pic_height_in_map_units_minus1", .h264SequenceValue))
    frameMbsOnlyFlag = reader.flag()
    if !frameMbsOnlyFlag { mbAdaptiveFrameFieldFlag = reader.flag() }
    direct8x8InferenceFlag = reader.flag()
    try reader.requireNoOverrun()
    guard frameMbsOnlyFlag || direct8x8InferenceFlag else {
      throw MediaError(.damaged, .h264DirectInference)
    }
  }

  private mutating func parseCropping(_ reader: inout SyntaxReader) throws(MediaError) {
    crop = SampleRect(x: 0, y: 0, width: width, height: height)
    guard reader.flag() else { return }
    // CropUnitX and CropUnitY, (7-19)…(7-22).
    let hasSubsampling = chromaArrayType != 0
    let unitX = hasSubsampling ? 1 << chromaFormat.horizontalShift : 1
    let unitY =
      (hasSubsampling ? 1 << chromaFormat.verticalShift : 1) * (frameMbsOnlyFlag ? 1 : 2)
    let acrossRange = 0...width / unitX
    let downRange = 0...height / unitY
    let left = try reader.ue(acrossRange, "frame_crop_left_offset", .h264FrameCropping)
    let right = try reader.ue(acrossRange, "frame_crop_right_offset", .h264FrameCropping)
    let top = try reader.ue(downRange, "frame_crop_top_offset", .h264FrameCropping)
    let bottom = try reader.ue(downRange, "frame_crop_bottom_offset", .h264FrameCropping)
    let shown = (
      width: width - unitX * (left + right), height: height - unitY * (top + bottom)
    )
    guard shown.width > 0, shown.height > 0 else {
      throw MediaError(
        .damaged, .h264FrameCropping,
        detail: "\(left)+\(right) units of \(width) and \(top)+\(bottom) units of \(height)")
    }
    crop = SampleRect(
      x: unitX * left, y: unitY * top, width: shown.width, height: shown.height)
  }
}
