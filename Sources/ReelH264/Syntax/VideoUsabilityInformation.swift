// Video usability information. ISO/IEC 14496-10:2020 Annex E.

import ReelCore
import ReelVideoCore

/// hrd_parameters(), §E.1.2: the lengths that other messages need, and the first bucket.
struct HypotheticalDecoderParameters: Sendable, Hashable {
  /// cpb_cnt_minus1 + 1, 1…32.
  var cpbCount = 1
  /// Bits a second and bits of the first coded picture buffer.
  var bitRate = 0
  var cpbSize = 0
  /// Bits of the fields of other messages, 1…32 (0…31 for the time offset).
  var initialCpbRemovalDelayLength = 24
  var cpbRemovalDelayLength = 24
  var dpbOutputDelayLength = 24
  var timeOffsetLength = 24

  init(parsing reader: inout SyntaxReader) throws(MediaError) {
    cpbCount = 1 + (try reader.ue(0...31, "cpb_cnt_minus1", .h264UsabilityValue))
    let bitRateScale = reader.u(4)
    let cpbSizeScale = reader.u(4)
    let bound = Int(UInt32.max) - 1
    for index in 0..<cpbCount {
      let rate = 1 + (try reader.ue(0...bound, "bit_rate_value_minus1", .h264UsabilityValue))
      let size = 1 + (try reader.ue(0...bound, "cpb_size_value_minus1", .h264UsabilityValue))
      reader.skip(1)  // cbr_flag
      if index == 0 {
        bitRate = rate << (6 + bitRateScale)
        cpbSize = size << (4 + cpbSizeScale)
      }
    }
    initialCpbRemovalDelayLength = 1 + reader.u(5)
    cpbRemovalDelayLength = 1 + reader.u(5)
    dpbOutputDelayLength = 1 + reader.u(5)
    timeOffsetLength = reader.u(5)
    try reader.requireNoOverrun()
  }
}

/// vui_parameters(), §E.1.1. Absent values have the inference of §E.2.1.
struct VideoUsabilityInformation: Sendable, Hashable {
  var sampleAspectRatio: Ratio = .unknown
  var overscanAppropriate: Bool?
  /// Table E-2; 5: unspecified.
  var videoFormat = 5
  var videoFullRangeFlag = false
  var colourPrimaries = 2
  var transferCharacteristics = 2
  var matrixCoefficients = 2
  /// 0…5; nil when not told.
  var chromaSampleLocTypeTopField: Int?
  var chromaSampleLocTypeBottomField: Int?
  /// 0 when not told.
  var numUnitsInTick = 0
  var timeScale = 0
  var fixedFrameRateFlag = false
  var nalHrd: HypotheticalDecoderParameters?
  var vclHrd: HypotheticalDecoderParameters?
  var lowDelayHrdFlag = false
  var picStructPresentFlag = false
  /// The bumping parameters; nil when bitstream_restriction_flag is 0.
  var maxNumReorderFrames: Int?
  var maxDecFrameBuffering: Int?

  init() {}

  /// Reads as much as is in order. The information does not change how samples are decoded, so a
  /// damaged one ends early and what was read before stays.
  init(parsing reader: inout SyntaxReader) {
    do throws(MediaError) {
      try parseVideo(&reader)
      try parseTiming(&reader)
      try parseRestriction(&reader)
    } catch {
      // SPEC: some encoders cut the last fields off; the standard has no rule for that.
      return
    }
  }

  private mutating func parseVideo(_ reader: inout SyntaxReader) throws(MediaError) {
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
    if reader.flag() { overscanAppropriate = reader.flag() }
    if reader.flag() {
      videoFormat = reader.u(3)
      videoFullRangeFlag = reader.flag()
      if reader.flag() {
        colourPrimaries = reader.u(8)
        transferCharacteristics = reader.u(8)
        matrixCoefficients = reader.u(8)
      }
    }
    if reader.flag() {
      let top = try reader.ue(0...5, "chroma_sample_loc_type_top_field", .h264UsabilityValue)
      let bottom = try reader.ue(0...5, "chroma_sample_loc_type_bottom_field", .h264UsabilityValue)
      chromaSampleLocTypeTopField = top
      chromaSampleLocTypeBottomField = bottom
    }
    try reader.requireNoOverrun()
  }

  private mutating func parseTiming(_ reader: inout SyntaxReader) throws(MediaError) {
    if reader.flag() {
      let units = reader.u(32)
      let scale = reader.u(32)
      let fixed = reader.flag()
      try reader.requireNoOverrun()
      (numUnitsInTick, timeScale, fixedFrameRateFlag) = (units, scale, fixed)
    }
    if reader.flag() { nalHrd = try HypotheticalDecoderParameters(parsing: &reader) }
    if reader.flag() { vclHrd = try HypotheticalDecoderParameters(parsing: &reader) }
    if nalHrd != nil || vclHrd != nil { lowDelayHrdFlag = reader.flag() }
    let present = reader.flag()
    try reader.requireNoOverrun()
    picStructPresentFlag = present
  }

  private mutating func parseRestriction(_ reader: inout SyntaxReader) throws(MediaError) {
    guard reader.flag() else { return }
    reader.skip(1)  // motion_vectors_over_pic_boundaries_flag
    _ = try reader.ue(0...16, "max_bytes_per_pic_denom", .h264UsabilityValue)
    _ = try reader.ue(0...16, "max_bits_per_mb_denom", .h264UsabilityValue)
    // The standard allows 15; 16 was allowed by earlier editions and is written by encoders.
    _ = try reader.ue(0...16, "log2_max_mv_length_horizontal", .h264UsabilityValue)
    _ = try reader.ue(0...16, "log2_max_mv_length_vertical", .h264UsabilityValue)
    let reorder = try reader.ue(0...16, "max_num_reorder_frames", .h264UsabilityValue)
    let buffering = try reader.ue(0...16, "max_dec_frame_buffering", .h264UsabilityValue)
    try reader.requireNoOverrun()
    guard reorder <= buffering else { return }
    maxNumReorderFrames = reorder
    maxDecFrameBuffering = buffering
  }

  /// Table E-1; index 0 is "unspecified".
  private static let ratios: [(Int, Int)] = [
    (0, 0), (1, 1), (12, 11), (10, 11), (16, 11), (40, 33), (24, 11), (20, 11), (32, 11), (80, 33),
    (18, 11), (15, 11), (64, 33), (160, 99), (4, 3), (3, 2), (2, 1),
  ]
}
