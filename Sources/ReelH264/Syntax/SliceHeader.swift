// Slice headers. ISO/IEC 14496-10:2020 §7.3.3, §7.4.3.

import ReelCore

/// slice_type modulo 5, Table 7-6.
enum SliceType: UInt8, Sendable, Hashable {
  case p = 0
  case b = 1
  case i = 2
  case sp = 3
  case si = 4

  /// I and SI: no inter prediction.
  var isIntra: Bool { self == .i || self == .si }
}

/// One command of ref_pic_list_modification(), §7.4.3.1.
enum ReferenceListModification: Sendable, Hashable {
  /// modification_of_pic_nums_idc 0 and 1: abs_diff_pic_num_minus1 + 1, 1…MaxPicNum.
  case subtract(Int)
  case add(Int)
  /// modification_of_pic_nums_idc 2: long_term_pic_num.
  case longTerm(Int)
}

/// Explicit weights and offsets of one reference index, §7.4.3.2. Offsets are as sent, at 8 bits.
struct PredictionWeight: Sendable, Hashable {
  var lumaWeight: Int32
  var lumaOffset: Int32 = 0
  var cbWeight: Int32
  var cbOffset: Int32 = 0
  var crWeight: Int32
  var crOffset: Int32 = 0
  /// luma_weight_flag and chroma_weight_flag: weights were sent and are not the default.
  var lumaFlag = false
  var chromaFlag = false

  /// The inferred weights 2^denominator with no offset.
  init(lumaLog2Denominator: Int, chromaLog2Denominator: Int) {
    lumaWeight = 1 << Int32(lumaLog2Denominator)
    cbWeight = 1 << Int32(chromaLog2Denominator)
    crWeight = cbWeight
  }
}

/// memory_management_control_operation 1…6 with its values, §7.4.3.3.
enum MemoryManagementControlOperation: Sendable, Hashable {
  /// 1: difference_of_pic_nums_minus1 + 1 of a short-term picture to mark unused.
  case shortTermUnused(differenceOfPicNums: Int)
  /// 2: long_term_pic_num of a long-term picture to mark unused.
  case longTermUnused(longTermPicNum: Int)
  /// 3: a short-term picture becomes long-term.
  case shortTermToLongTerm(differenceOfPicNums: Int, longTermFrameIdx: Int)
  /// 4: max_long_term_frame_idx_plus1.
  case maxLongTermFrameIdx(plus1: Int)
  /// 5: all pictures become unused.
  case allUnused
  /// 6: the current picture becomes long-term.
  case currentToLongTerm(longTermFrameIdx: Int)
}

/// dec_ref_pic_marking(), §7.3.3.3.
struct DecodedReferencePictureMarking: Sendable, Hashable {
  /// For IDR pictures.
  var noOutputOfPriorPicsFlag = false
  var longTermReferenceFlag = false
  /// For other reference pictures: the operations are used, else the sliding window.
  var adaptiveRefPicMarkingModeFlag = false
  var operations: [MemoryManagementControlOperation] = []

  /// memory_management_control_operation 5 is among the operations.
  var hasAllUnused: Bool { operations.contains(.allUnused) }
}

/// slice_header() with its derived values.
struct SliceHeader: Sendable, Hashable {
  // From the NAL unit header.
  var nalRefIDC = 0
  var nalUnitType = NALUnitType.nonIDRSlice
  /// IdrPicFlag.
  var isIDR: Bool { nalUnitType == .idrSlice }
  var isReference: Bool { nalRefIDC != 0 }

  /// first_mb_in_slice as sent: in pairs of macroblocks when ``mbaffFrameFlag``.
  var firstMbInSlice = 0
  var sliceType = SliceType.i
  /// slice_type 5…9: all slices of the picture are of this type.
  var isTypeOfAllSlices = false
  var picParameterSetID = 0
  /// 0…2, where colour planes are separate.
  var colourPlaneID = 0
  var frameNum = 0
  var fieldPicFlag = false
  var bottomFieldFlag = false
  /// MbaffFrameFlag, (7-25).
  var mbaffFrameFlag = false
  /// For IDR pictures, 0…65535.
  var idrPicID = 0
  var picOrderCntLsb = 0
  var deltaPicOrderCntBottom = 0
  /// delta_pic_order_cnt[0] and [1].
  var deltaPicOrderCnt0 = 0
  var deltaPicOrderCnt1 = 0
  /// 0 for primary pictures.
  var redundantPicCnt = 0
  /// Meaningful in B slices.
  var directSpatialMvPredFlag = false
  /// num_ref_idx_l0/l1_active_minus1 + 1; 0 where the slice does not use the list.
  var numRefIdxL0Active = 0
  var numRefIdxL1Active = 0
  var listModifications0: [ReferenceListModification] = []
  var listModifications1: [ReferenceListModification] = []

  /// weighted_pred_flag applies (P, SP) or weighted_bipred_idc is 1 (B): the table was sent.
  var hasExplicitWeights = false
  /// 0…7.
  var lumaLog2WeightDenom = 0
  var chromaLog2WeightDenom = 0
  /// An entry for each active reference index where ``hasExplicitWeights``, else empty. Macroblocks
  /// of MBAFF field pairs use the entry of refIdx >> 1.
  var weights0: [PredictionWeight] = []
  var weights1: [PredictionWeight] = []

  var marking = DecodedReferencePictureMarking()
  /// 0…2.
  var cabacInitIdc = 0
  /// SliceQPY, −QpBdOffsetY…51. (7-32).
  var sliceQPY = 26
  var spForSwitchFlag = false
  /// QSY, 0…51. (7-33).
  var qsY = 26
  /// 0: all edges, 1: none, 2: not across slices.
  var disableDeblockingFilterIdc = 0
  /// FilterOffsetA and FilterOffsetB, −12…12. (7-34), (7-35).
  var filterOffsetA = 0
  var filterOffsetB = 0
  var sliceGroupChangeCycle = 0

  /// slice_id of data partition A; 0 elsewhere.
  var sliceID = 0
  /// Bit of the payload where slice_data() starts.
  var dataStart = 0

  init() {}

  var structure: PictureStructure {
    fieldPicFlag ? (bottomFieldFlag ? .bottomField : .topField) : .frame
  }

  /// MaxPicNum, (7-29) and after: twice MaxFrameNum for fields.
  func maxPicNum(_ sequence: SequenceParameterSet) -> Int {
    fieldPicFlag ? 2 * sequence.maxFrameNum : sequence.maxFrameNum
  }

  /// CurrPicNum, §7.4.3.
  var currPicNum: Int { fieldPicFlag ? 2 * frameNum + 1 : frameNum }
}
