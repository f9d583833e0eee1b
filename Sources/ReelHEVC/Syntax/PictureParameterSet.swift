// Picture parameter sets. ISO/IEC 23008-2:2020 §7.3.2.3, §7.4.3.3.

import ReelCore
import ReelVideoCore

/// pic_parameter_set_rbsp(). Set once while it is read.
final class PictureParameterSet {
  /// The NAL unit it was read from, to tell a repetition from a change.
  let source: [UInt8]
  var id = 0
  var sequenceParameterSetID = 0
  var dependentSliceSegmentsEnabled = false
  var outputFlagPresent = false
  var numExtraSliceHeaderBits = 0
  var signDataHidingEnabled = false
  var cabacInitPresent = false
  /// num_ref_idx_l0/l1_default_active_minus1 + 1.
  var defaultActiveL0 = 1
  var defaultActiveL1 = 1
  var initQP = 26
  var constrainedIntraPred = false
  var transformSkipEnabled = false
  var cuQpDeltaEnabled = false
  var diffCuQpDeltaDepth = 0
  var cbQpOffset = 0
  var crQpOffset = 0
  var sliceChromaQpOffsetsPresent = false
  var weightedPred = false
  var weightedBipred = false
  var transquantBypassEnabled = false
  var tilesEnabled = false
  var entropyCodingSyncEnabled = false
  /// Tile columns and rows, 1 without tiles.
  var tileColumnCount = 1
  var tileRowCount = 1
  /// Sizes in coding tree blocks of all but the last column and row; empty for uniform spacing.
  var tileColumnWidths: [Int] = []
  var tileRowHeights: [Int] = []
  var hasUniformTiles = true
  var loopFilterAcrossTilesEnabled = true
  var loopFilterAcrossSlicesEnabled = false
  var deblockingOverrideEnabled = false
  var deblockingDisabled = false
  var betaOffsetDiv2 = 0
  var tcOffsetDiv2 = 0
  var scalingLists: ScalingLists?
  /// scaling_list_data() that depends on the chroma format of the sequence: parsed for both.
  var scalingLists444: ScalingLists?
  var listsModificationPresent = false
  var log2ParMrgLevel = 2
  var sliceHeaderExtensionPresent = false
  // pps_range_extension(), §7.3.2.3.2.
  var log2MaxTransformSkipSize = 2
  var crossComponentPredictionEnabled = false
  var chromaQpOffsetListEnabled = false
  var diffCuChromaQpOffsetDepth = 0
  var cbQpOffsetList: [Int] = []
  var crQpOffsetList: [Int] = []
  var log2SaoOffsetScaleLuma = 0
  var log2SaoOffsetScaleChroma = 0
  /// The tool that keeps pictures of this set from being decoded; nil when all are built.
  var unsupportedTool: String?

  /// Reads a NAL unit with its header, without emulation prevention.
  ///
  /// - Throws: `.damaged` where a value is out of its range.
  init(parsing unit: [UInt8]) throws(MediaError) {
    source = unit
    var reader = SyntaxReader(unit, from: 16)
    id = try reader.ue(0...63, "pps_pic_parameter_set_id", .hevcPictureValue)
    sequenceParameterSetID = try reader.ue(
      0...15, "pps_seq_parameter_set_id", .hevcPictureValue)
    dependentSliceSegmentsEnabled = reader.flag()
    outputFlagPresent = reader.flag()
    numExtraSliceHeaderBits = reader.u(3)
    signDataHidingEnabled = reader.flag()
    cabacInitPresent = reader.flag()
    defaultActiveL0 =
      1 + (try reader.ue(0...14, "num_ref_idx_l0_default_active_minus1", .hevcPictureValue))
    defaultActiveL1 =
      1 + (try reader.ue(0...14, "num_ref_idx_l1_default_active_minus1", .hevcPictureValue))
    initQP = 26 + (try reader.se(-62...25, "init_qp_minus26", .hevcPictureValue))
    constrainedIntraPred = reader.flag()
    transformSkipEnabled = reader.flag()
    cuQpDeltaEnabled = reader.flag()
    if cuQpDeltaEnabled {
      diffCuQpDeltaDepth = try reader.ue(0...3, "diff_cu_qp_delta_depth", .hevcPictureValue)
    }
    cbQpOffset = try reader.se(-12...12, "pps_cb_qp_offset", .hevcPictureValue)
    crQpOffset = try reader.se(-12...12, "pps_cr_qp_offset", .hevcPictureValue)
    sliceChromaQpOffsetsPresent = reader.flag()
    weightedPred = reader.flag()
    weightedBipred = reader.flag()
    transquantBypassEnabled = reader.flag()
    tilesEnabled = reader.flag()
    entropyCodingSyncEnabled = reader.flag()
    if tilesEnabled { try parseTiles(&reader) }
    loopFilterAcrossSlicesEnabled = reader.flag()
    if reader.flag() { try parseDeblocking(&reader) }
    try parseScalingLists(&reader)
    listsModificationPresent = reader.flag()
    log2ParMrgLevel =
      2 + (try reader.ue(0...4, "log2_parallel_merge_level_minus2", .hevcPictureValue))
    sliceHeaderExtensionPresent = reader.flag()
    try reader.requireNoOverrun()
    if reader.hasMoreData && reader.flag() { try parseExtensions(&reader) }
  }

  private func parseTiles(_ reader: inout SyntaxReader) throws(MediaError) {
    // LIMIT: level 6.2 allows 20 columns and 22 rows; the picture bounds them when it begins.
    tileColumnCount = 1 + (try reader.ue(0...1023, "num_tile_columns_minus1", .hevcTiles))
    tileRowCount = 1 + (try reader.ue(0...1023, "num_tile_rows_minus1", .hevcTiles))
    hasUniformTiles = reader.flag()
    if !hasUniformTiles {
      for _ in 1..<max(tileColumnCount, 1) {
        tileColumnWidths.append(1 + (try reader.ue(0...4095, "column_width_minus1", .hevcTiles)))
      }
      for _ in 1..<max(tileRowCount, 1) {
        tileRowHeights.append(1 + (try reader.ue(0...4095, "row_height_minus1", .hevcTiles)))
      }
    }
    loopFilterAcrossTilesEnabled = reader.flag()
  }

  private func parseDeblocking(_ reader: inout SyntaxReader) throws(MediaError) {
    deblockingOverrideEnabled = reader.flag()
    deblockingDisabled = reader.flag()
    if !deblockingDisabled {
      betaOffsetDiv2 = try reader.se(-6...6, "pps_beta_offset_div2", .hevcPictureValue)
      tcOffsetDiv2 = try reader.se(-6...6, "pps_tc_offset_div2", .hevcPictureValue)
    }
  }

  private func parseScalingLists(_ reader: inout SyntaxReader) throws(MediaError) {
    guard reader.flag() else { return }
    var again = reader
    scalingLists = try ScalingLists(parsing: &reader, chromaFormatIDC: 1)
    scalingLists444 = try ScalingLists(parsing: &again, chromaFormatIDC: 3)
  }

  private func parseExtensions(_ reader: inout SyntaxReader) throws(MediaError) {
    let hasRange = reader.flag()
    let hasMultilayer = reader.flag()
    let has3D = reader.flag()
    let hasSCC = reader.flag()
    reader.skip(4)
    if hasRange {
      if transformSkipEnabled {
        log2MaxTransformSkipSize =
          2
          + (try reader.ue(
            0...3, "log2_max_transform_skip_block_size_minus2", .hevcPictureValue))
      }
      crossComponentPredictionEnabled = reader.flag()
      chromaQpOffsetListEnabled = reader.flag()
      if chromaQpOffsetListEnabled {
        diffCuChromaQpOffsetDepth = try reader.ue(
          0...3, "diff_cu_chroma_qp_offset_depth", .hevcPictureValue)
        for _ in 0...(try reader.ue(0...5, "chroma_qp_offset_list_len_minus1", .hevcPictureValue)) {
          cbQpOffsetList.append(try reader.se(-12...12, "cb_qp_offset_list", .hevcPictureValue))
          crQpOffsetList.append(try reader.se(-12...12, "cr_qp_offset_list", .hevcPictureValue))
        }
      }
      log2SaoOffsetScaleLuma = try reader.ue(0...6, "log2_sao_offset_scale_luma", .hevcPictureValue)
      log2SaoOffsetScaleChroma = try reader.ue(
        0...6, "log2_sao_offset_scale_chroma", .hevcPictureValue)
      try reader.requireNoOverrun()
    }
    // Extensions of other layers do not concern the base layer; those of screen content do.
    if !hasMultilayer && !has3D && hasSCC && reader.flag() {
      unsupportedTool = "pps_curr_pic_ref_enabled_flag"
    }
  }
}
