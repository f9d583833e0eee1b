// The parts of a sequence parameter set. ISO/IEC 23008-2:2020 §7.3.2.2.1.

import ReelCore
import ReelVideoCore

extension SequenceParameterSet {
  func parsePicture(_ reader: inout SyntaxReader, _ limits: Limits) throws(MediaError) {
    chromaFormatIDC = try reader.ue(0...3, "chroma_format_idc", .hevcSequenceValue)
    if chromaFormatIDC == 3 && reader.flag() { unsupportedTool = "separate_colour_plane_flag" }
    // LIMIT: level 6.2 allows 16,888 samples a side.
    width = try reader.ue(8...1 << 15, "pic_width_in_luma_samples", .hevcSequenceValue)
    height = try reader.ue(8...1 << 15, "pic_height_in_luma_samples", .hevcSequenceValue)
    guard width * height <= limits.maximumPictureSamples else {
      throw MediaError(
        .limitExceeded, .hevcPictureSize, detail: "\(width)×\(height) samples",
        advice: "raise Limits.maximumPictureSamples")
    }
    crop = SampleRect(x: 0, y: 0, width: width, height: height)
    if reader.flag() {
      var offsets: [Int] = []
      for _ in 0..<4 {
        offsets.append(try reader.ue(0...1 << 15, "conf_win_offset", .hevcSequenceValue))
      }
      let left = offsets[0] << chromaShiftX
      let right = offsets[1] << chromaShiftX
      let top = offsets[2] << chromaShiftY
      let bottom = offsets[3] << chromaShiftY
      guard left + right < width, top + bottom < height else {
        throw MediaError(.damaged, .hevcConformanceWindow, detail: "\(offsets)")
      }
      crop = SampleRect(
        x: left, y: top, width: width - left - right, height: height - top - bottom)
    }
    bitDepthY = 8 + (try reader.ue(0...8, "bit_depth_luma_minus8", .hevcSequenceValue))
    bitDepthC = 8 + (try reader.ue(0...8, "bit_depth_chroma_minus8", .hevcSequenceValue))
    if bitDepthY > 12 || bitDepthC > 12 { unsupportedTool = "bit depths above 12" }
    log2MaxPicOrderCntLsb =
      4 + (try reader.ue(0...12, "log2_max_pic_order_cnt_lsb_minus4", .hevcSequenceValue))
  }

  func parseBuffering(_ reader: inout SyntaxReader) throws(MediaError) {
    // The values of the highest sub-layer come last.
    for _ in (reader.flag() ? 0 : maxSubLayersMinus1)...maxSubLayersMinus1 {
      maxDecPicBuffering =
        1 + (try reader.ue(0...15, "sps_max_dec_pic_buffering_minus1", .hevcSequenceValue))
      maxNumReorderPics = try reader.ue(0...15, "sps_max_num_reorder_pics", .hevcSequenceValue)
      maxLatencyIncreasePlus1 = try reader.ue(
        0...Int(UInt32.max) - 1, "sps_max_latency_increase_plus1", .hevcSequenceValue)
    }
  }

  func parseBlockSizes(_ reader: inout SyntaxReader) throws(MediaError) {
    minCbLog2Size =
      3
      + (try reader.ue(0...3, "log2_min_luma_coding_block_size_minus3", .hevcSequenceValue))
    let difference = try reader.ue(
      0...3, "log2_diff_max_min_luma_coding_block_size", .hevcSequenceValue)
    ctbLog2Size = minCbLog2Size + difference
    guard (4...6).contains(ctbLog2Size) else {
      throw MediaError(.damaged, .hevcSequenceValue, detail: "CtbLog2SizeY is \(ctbLog2Size)")
    }
    minTbLog2Size =
      2
      + (try reader.ue(
        0...minCbLog2Size - 3, "log2_min_luma_transform_block_size_minus2", .hevcSequenceValue))
    maxTbLog2Size =
      minTbLog2Size
      + (try reader.ue(
        0...min(ctbLog2Size, 5) - minTbLog2Size, "log2_diff_max_min_luma_transform_block_size",
        .hevcSequenceValue))
    let depths = 0...ctbLog2Size - minTbLog2Size
    maxTransformHierarchyDepthInter = try reader.ue(
      depths, "max_transform_hierarchy_depth_inter", .hevcSequenceValue)
    maxTransformHierarchyDepthIntra = try reader.ue(
      depths, "max_transform_hierarchy_depth_intra", .hevcSequenceValue)
    let mask = (1 << minCbLog2Size) - 1
    guard width & mask == 0, height & mask == 0 else {
      throw MediaError(
        .damaged, .hevcSequenceValue,
        detail: "\(width)×\(height) is no multiple of MinCbSizeY \(mask + 1)")
    }
  }

  func parseTools(_ reader: inout SyntaxReader) throws(MediaError) {
    scalingListEnabled = reader.flag()
    if scalingListEnabled && reader.flag() {
      scalingLists = try ScalingLists(parsing: &reader, chromaFormatIDC: chromaFormatIDC)
    }
    ampEnabled = reader.flag()
    saoEnabled = reader.flag()
    pcmEnabled = reader.flag()
    guard pcmEnabled else { return }
    pcmBitDepthY = 1 + reader.u(4)
    pcmBitDepthC = 1 + reader.u(4)
    guard pcmBitDepthY <= bitDepthY, pcmBitDepthC <= bitDepthC || chromaFormatIDC == 0 else {
      throw MediaError(
        .damaged, .hevcSequenceValue, detail: "PCM depths are \(pcmBitDepthY), \(pcmBitDepthC)")
    }
    pcmBitDepthC = min(pcmBitDepthC, bitDepthC)
    let largest = min(ctbLog2Size, 5)
    log2MinPcmSize =
      3
      + (try reader.ue(
        0...largest - 3, "log2_min_pcm_luma_coding_block_size_minus3", .hevcSequenceValue))
    log2MaxPcmSize =
      log2MinPcmSize
      + (try reader.ue(
        0...largest - log2MinPcmSize, "log2_diff_max_min_pcm_luma_coding_block_size",
        .hevcSequenceValue))
    pcmLoopFilterDisabled = reader.flag()
  }

  func parseReferences(_ reader: inout SyntaxReader) throws(MediaError) {
    let count = try reader.ue(0...64, "num_short_term_ref_pic_sets", .hevcSequenceValue)
    for index in 0..<count {
      shortTermSets.append(
        try ReferencePictureSet(
          parsing: &reader, index: index, others: shortTermSets, isInSlice: false))
    }
    longTermRefPicsPresent = reader.flag()
    guard longTermRefPicsPresent else { return }
    for _ in 0..<(try reader.ue(0...32, "num_long_term_ref_pics_sps", .hevcSequenceValue)) {
      let lsb = reader.u(log2MaxPicOrderCntLsb)
      longTermPictures.append((lsb, reader.flag()))
    }
  }

  func parseExtensions(_ reader: inout SyntaxReader) {
    guard reader.hasMoreData, reader.flag() else { return }
    let hasRange = reader.flag()
    let hasMultilayer = reader.flag()
    let has3D = reader.flag()
    let hasSCC = reader.flag()
    reader.skip(4)
    if hasRange {
      range.transformSkipRotationEnabled = reader.flag()
      range.transformSkipContextEnabled = reader.flag()
      range.implicitRDPCMEnabled = reader.flag()
      range.explicitRDPCMEnabled = reader.flag()
      if reader.flag() { unsupportedTool = "extended_precision_processing_flag" }
      range.intraSmoothingDisabled = reader.flag()
      range.highPrecisionOffsetsEnabled = reader.flag()
      range.persistentRiceAdaptationEnabled = reader.flag()
      if reader.flag() { unsupportedTool = "cabac_bypass_alignment_enabled_flag" }
    }
    if hasMultilayer { reader.skip(1) }  // inter_view_mv_vert_constraint_flag
    if has3D { return }
    if hasSCC { parseScreenContent(&reader) }
  }

  /// sps_scc_extension(), §7.3.2.2.3: its tools are not built, so only what none of them uses passes.
  private func parseScreenContent(_ reader: inout SyntaxReader) {
    if reader.flag() { unsupportedTool = "sps_curr_pic_ref_enabled_flag" }
    if reader.flag() { unsupportedTool = "palette_mode_enabled_flag" }
    if unsupportedTool != nil { return }
    if reader.u(2) != 0 { unsupportedTool = "motion_vector_resolution_control_idc" }
    if reader.flag() { unsupportedTool = "intra_boundary_filtering_disabled_flag" }
  }
}
