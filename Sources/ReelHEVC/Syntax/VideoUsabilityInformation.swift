// Video usability information. ISO/IEC 23008-2:2020 Annex E.

import ReelCore
import ReelVideoCore

/// vui_parameters(), §E.2.1. Absent values have the inference of §E.3.1.
struct VideoUsabilityInformation: Sendable, Hashable {
  var sampleAspectRatio: Ratio = .unknown
  var videoFullRangeFlag = false
  var colourPrimaries = 2
  var transferCharacteristics = 2
  var matrixCoefficients = 2
  /// 0…5; nil when not told.
  var chromaSampleLocTypeTopField: Int?
  var fieldSeqFlag = false
  var frameFieldInfoPresentFlag = false
  /// default display window offsets: left, right, top, bottom, in chroma units; told, not applied.
  var defaultDisplayWindow: [Int] = []
  /// 0 when not told.
  var numUnitsInTick = 0
  var timeScale = 0
  /// Lengths that picture timing messages need; nil when there are no HRD parameters.
  var hypotheticalDecoder: HypotheticalDecoderParameters?

  init() {}

  /// Reads as much as is in order. The information does not change how samples are decoded, so a
  /// damaged one ends early and what was read before stays; the reader then cannot go on.
  ///
  /// - Throws: `.damaged` where it ends early.
  init(parsing reader: inout SyntaxReader, subLayers: Int) throws(MediaError) {
    parseAspect(&reader)
    parseColour(&reader)
    if reader.flag() {
      let top = try reader.ue(0...5, "chroma_sample_loc_type_top_field", .hevcUsabilityValue)
      _ = try reader.ue(0...5, "chroma_sample_loc_type_bottom_field", .hevcUsabilityValue)
      chromaSampleLocTypeTopField = top
    }
    reader.skip(1)  // neutral_chroma_indication_flag
    fieldSeqFlag = reader.flag()
    frameFieldInfoPresentFlag = reader.flag()
    if reader.flag() {
      for _ in 0..<4 {
        defaultDisplayWindow.append(
          try reader.ue(0...1 << 16, "def_disp_win_offset", .hevcUsabilityValue))
      }
    }
    if reader.flag() { try parseTiming(&reader, subLayers) }
    if reader.flag() { try parseRestriction(&reader) }
    try reader.requireNoOverrun()
  }

  private mutating func parseAspect(_ reader: inout SyntaxReader) {
    if reader.flag() {
      let aspectRatioIDC = reader.u(8)
      if aspectRatioIDC == 255 {
        let width = reader.u(16)
        let height = reader.u(16)
        if width > 0 && height > 0 { sampleAspectRatio = Ratio(width, height) }
      } else if aspectRatioIDC < Self.ratios.count {
        let (width, height) = Self.ratios[aspectRatioIDC]
        sampleAspectRatio = Ratio(width, height)
      }
    }
    if reader.flag() { reader.skip(1) }  // overscan_appropriate_flag
  }

  private mutating func parseColour(_ reader: inout SyntaxReader) {
    guard reader.flag() else { return }
    reader.skip(3)  // video_format
    videoFullRangeFlag = reader.flag()
    if reader.flag() {
      colourPrimaries = reader.u(8)
      transferCharacteristics = reader.u(8)
      matrixCoefficients = reader.u(8)
    }
  }

  private mutating func parseTiming(
    _ reader: inout SyntaxReader, _ subLayers: Int
  ) throws(MediaError) {
    let units = reader.u(32)
    let scale = reader.u(32)
    try reader.requireNoOverrun()
    (numUnitsInTick, timeScale) = (units, scale)
    if reader.flag() {
      _ = try reader.ue(
        0...Int(UInt32.max) - 1, "vui_num_ticks_poc_diff_one_minus1", .hevcUsabilityValue)
    }
    if reader.flag() {
      hypotheticalDecoder = try HypotheticalDecoderParameters(
        parsing: &reader, subLayers: subLayers)
    }
  }

  private func parseRestriction(_ reader: inout SyntaxReader) throws(MediaError) {
    reader.skip(3)  // tiles_fixed, motion_vectors_over_pic_boundaries, restricted_ref_pic_lists
    _ = try reader.ue(0...4095, "min_spatial_segmentation_idc", .hevcUsabilityValue)
    _ = try reader.ue(0...16, "max_bytes_per_pic_denom", .hevcUsabilityValue)
    _ = try reader.ue(0...16, "max_bits_per_min_cu_denom", .hevcUsabilityValue)
    _ = try reader.ue(0...16, "log2_max_mv_length_horizontal", .hevcUsabilityValue)
    _ = try reader.ue(0...16, "log2_max_mv_length_vertical", .hevcUsabilityValue)
  }

  /// Table E-1; index 0 is "unspecified".
  private static let ratios: [(Int, Int)] = [
    (0, 0), (1, 1), (12, 11), (10, 11), (16, 11), (40, 33), (24, 11), (20, 11), (32, 11), (80, 33),
    (18, 11), (15, 11), (64, 33), (160, 99), (4, 3), (3, 2), (2, 1),
  ]
}

/// hrd_parameters( 1, … ), §E.2.2: the lengths that picture timing messages need.
struct HypotheticalDecoderParameters: Sendable, Hashable {
  var auCpbRemovalDelayLength = 24
  var dpbOutputDelayLength = 24

  init(parsing reader: inout SyntaxReader, subLayers: Int) throws(MediaError) {
    let hasNAL = reader.flag()
    let hasVCL = reader.flag()
    var hasSubPictures = false
    if hasNAL || hasVCL {
      hasSubPictures = reader.flag()
      if hasSubPictures { reader.skip(8 + 5 + 1 + 5) }
      reader.skip(8)  // bit_rate_scale, cpb_size_scale
      if hasSubPictures { reader.skip(4) }
      reader.skip(5)  // initial_cpb_removal_delay_length_minus1
      auCpbRemovalDelayLength = 1 + reader.u(5)
      dpbOutputDelayLength = 1 + reader.u(5)
    }
    for _ in 0...subLayers {
      let isFixedGeneral = reader.flag()
      let isFixed = isFixedGeneral || reader.flag()
      var isLowDelay = false
      if isFixed {
        _ = try reader.ue(0...2047, "elemental_duration_in_tc_minus1", .hevcUsabilityValue)
      } else {
        isLowDelay = reader.flag()
      }
      var count = 1
      if !isLowDelay { count += try reader.ue(0...31, "cpb_cnt_minus1", .hevcUsabilityValue) }
      for _ in 0..<count * ((hasNAL ? 1 : 0) + (hasVCL ? 1 : 0)) {
        for _ in 0..<(hasSubPictures ? 4 : 2) {
          _ = try reader.ue(0...Int(UInt32.max) - 1, "bit_rate_value_minus1", .hevcUsabilityValue)
        }
        reader.skip(1)
      }
    }
    try reader.requireNoOverrun()
  }
}
