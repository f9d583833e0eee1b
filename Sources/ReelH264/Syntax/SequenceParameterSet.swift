// Sequence parameter sets. ISO/IEC 14496-10:2020 §7.3.2.1, §7.4.2.1.

import ReelCore

/// seq_parameter_set_data() with its derived values.
struct SequenceParameterSet: Sendable, Hashable {
  /// profile_idc; Annex A lists the values, others are read as far as the syntax allows.
  var profileIDC = 0
  /// constraint_set0_flag is bit 7, …, constraint_set5_flag bit 2.
  var constraintFlags: UInt8 = 0
  var levelIDC = 0
  /// 0…31.
  var seqParameterSetID = 0

  /// chroma_format_idc, 0…3. Table 6-1.
  var chromaFormatIDC = 1
  var separateColourPlaneFlag = false
  /// Bits of a luma and of a chroma sample, 8…14.
  var bitDepthLuma = 8
  var bitDepthChroma = 8
  var qpprimeYZeroTransformBypassFlag = false
  var seqScalingMatrixPresentFlag = false
  /// Flat, or the sent lists with fall-back rule A applied.
  var scalingLists = ScalingLists.flat

  /// 4…16.
  var log2MaxFrameNum = 4
  /// 0…2.
  var picOrderCntType = 0
  /// 4…16; for type 0.
  var log2MaxPicOrderCntLsb = 4
  /// For type 1.
  var deltaPicOrderAlwaysZeroFlag = false
  var offsetForNonRefPic = 0
  var offsetForTopToBottomField = 0
  /// offset_for_ref_frame[i]; its count is num_ref_frames_in_pic_order_cnt_cycle, 0…255.
  var offsetForRefFrame: [Int] = []

  /// max_num_ref_frames, 0…16.
  var maxNumRefFrames = 0
  var gapsInFrameNumValueAllowedFlag = false
  var picWidthInMbs = 1
  var picHeightInMapUnits = 1
  var frameMbsOnlyFlag = true
  var mbAdaptiveFrameFieldFlag = false
  var direct8x8InferenceFlag = false
  /// The cropping rectangle in luma samples of the frame. (7-19)…(7-22).
  var crop = SampleRect(x: 0, y: 0, width: 16, height: 16)
  var vui: VideoUsabilityInformation?

  init() {}

  /// ChromaArrayType: 0 where colour planes are separate. §7.4.2.1.1.
  var chromaArrayType: Int { separateColourPlaneFlag ? 0 : chromaFormatIDC }
  var qpBdOffsetY: Int { 6 * (bitDepthLuma - 8) }
  var qpBdOffsetC: Int { 6 * (bitDepthChroma - 8) }
  var maxFrameNum: Int { 1 << log2MaxFrameNum }
  var maxPicOrderCntLsb: Int { 1 << log2MaxPicOrderCntLsb }
  /// ExpectedDeltaPerPicOrderCntCycle, (7-12).
  var expectedDeltaPerPicOrderCntCycle: Int { offsetForRefFrame.reduce(0, +) }
  var picSizeInMapUnits: Int { picWidthInMbs * picHeightInMapUnits }
  var frameHeightInMbs: Int { (frameMbsOnlyFlag ? 1 : 2) * picHeightInMapUnits }
  /// Luma samples of a row and rows of a frame.
  var width: Int { picWidthInMbs * 16 }
  var height: Int { frameHeightInMbs * 16 }
  var chromaFormat: ChromaFormat { ChromaFormat(rawValue: chromaFormatIDC) ?? .yuv420 }
  var constraintSet3Flag: Bool { constraintFlags & 0x10 != 0 }

  /// The frames of both parameter sets can be kept in the same buffers and predict each other.
  func hasSameGeometry(as other: SequenceParameterSet) -> Bool {
    picWidthInMbs == other.picWidthInMbs && frameHeightInMbs == other.frameHeightInMbs
      && chromaFormatIDC == other.chromaFormatIDC
      && separateColourPlaneFlag == other.separateColourPlaneFlag
      && bitDepthLuma == other.bitDepthLuma && bitDepthChroma == other.bitDepthChroma
  }

  /// Profiles whose parameter sets hold chroma format, bit depths and scaling lists. §7.3.2.1.1.
  static let highProfiles: Set<Int> = [
    100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135,
  ]
}
