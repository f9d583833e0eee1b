// Initial values of the context variables. ISO/IEC 23008-2:2020 Tables 9-5 to 9-37.

/// First context of each syntax element, in the order of the tables.
enum Context {
  static let saoMerge = 0
  static let saoType = 1
  static let splitCU = 2
  static let transquantBypass = 5
  static let cuSkip = 6
  static let predMode = 9
  static let partMode = 10
  static let prevIntraLumaPred = 14
  static let intraChromaPredMode = 15
  static let rqtRootCbf = 16
  static let mergeFlag = 17
  static let mergeIdx = 18
  static let interPredIdc = 19
  static let refIdx = 24
  static let mvpFlag = 26
  static let splitTransform = 27
  static let cbfLuma = 30
  static let cbfChroma = 32
  static let absMvdGreater0 = 37
  static let absMvdGreater1 = 38
  static let cuQpDeltaAbs = 39
  static let transformSkipLuma = 41
  static let transformSkipChroma = 42
  static let lastXPrefix = 43
  static let lastYPrefix = 61
  static let codedSubBlock = 79
  static let significant = 83
  static let greater1 = 127
  static let greater2 = 151
  static let explicitRDPCM = 157
  static let explicitRDPCMDirection = 159
  static let log2ResScaleAbs = 161
  static let resScaleSign = 169
  static let cuChromaQpOffsetFlag = 171
  static let cuChromaQpOffsetIdx = 172
  static let count = 173
}

enum ContextTables {
  /// initValue of every context at initType · ``Context/count`` + context; initType 0 for I slices, 1
  /// and 2 for P and B slices (exchanged by cabac_init_flag).
  static let initValues: [UInt8] = type0 + type1 + type2

  private static let type0: [UInt8] =
    [153, 200, 139, 141, 157, 154] + [154, 154, 154, 154]  // no skip flag, no pred_mode_flag
    + [184, 154, 154, 154, 184, 63] + [154, 154, 154]  // part_mode; no root cbf, no merge
    + [154, 154, 154, 154, 154, 154, 154, 154]  // no inter_pred_idc, ref_idx, mvp
    + [153, 138, 138, 111, 141, 94, 138, 182, 154, 154] + [154, 154]  // no mvd
    + [154, 154, 139, 139] + last0 + last0 + [91, 171, 134, 141] + significant0 + greater1Type0
    + [138, 153, 136, 167, 152, 152] + rangeExtension

  private static let type1: [UInt8] =
    [153, 185, 107, 139, 126, 154] + [197, 185, 201, 149]
    + [154, 139, 154, 154, 154, 152] + [79, 110, 122]
    + [95, 79, 63, 31, 31, 153, 153, 168]
    + [124, 138, 94, 153, 111, 149, 107, 167, 154, 154] + [140, 198]
    + [154, 154, 139, 139] + last1 + last1 + [121, 140, 61, 154] + significant1 + greater1Type1
    + [107, 167, 91, 122, 107, 167] + rangeExtension

  private static let type2: [UInt8] =
    [153, 160, 107, 139, 126, 154] + [197, 185, 201, 134]
    + [154, 139, 154, 154, 183, 152] + [79, 154, 137]
    + [95, 79, 63, 31, 31, 153, 153, 168]
    + [224, 167, 122, 153, 111, 149, 92, 167, 154, 154] + [169, 198]
    + [154, 154, 139, 139] + last2 + last2 + [121, 140, 61, 154] + significant2 + greater1Type2
    + [107, 167, 91, 107, 107, 167] + rangeExtension

  /// explicit_rdpcm, log2_res_scale_abs_plus1, res_scale_sign_flag, cu_chroma_qp_offset: all types.
  private static let rangeExtension: [UInt8] =
    [139, 139, 139, 139] + [UInt8](repeating: 154, count: 8 + 2 + 2)

  private static let last0: [UInt8] = [
    110, 110, 124, 125, 140, 153, 125, 127, 140, 109, 111, 143, 127, 111, 79, 108, 123, 63,
  ]
  private static let last1: [UInt8] = [
    125, 110, 94, 110, 95, 79, 125, 111, 110, 78, 110, 111, 111, 95, 94, 108, 123, 108,
  ]
  private static let last2: [UInt8] = [
    125, 110, 124, 110, 95, 94, 125, 111, 111, 79, 125, 126, 111, 111, 79, 108, 123, 93,
  ]

  /// sig_coeff_flag: 42 regular contexts, then those of transform_skip_context_enabled_flag.
  private static let significant0: [UInt8] = [
    111, 111, 125, 110, 110, 94, 124, 108, 124, 107, 125, 141, 179, 153, 125, 107, 125, 141, 179,
    153, 125, 107, 125, 141, 179, 153, 125, 140, 139, 182, 182, 152, 136, 152, 136, 153, 136, 139,
    111, 136, 139, 111, 141, 111,
  ]
  private static let significant1: [UInt8] = [
    155, 154, 139, 153, 139, 123, 123, 63, 153, 166, 183, 140, 136, 153, 154, 166, 183, 140, 136,
    153, 154, 166, 183, 140, 136, 153, 154, 170, 153, 123, 123, 107, 121, 107, 121, 167, 151, 183,
    140, 151, 183, 140, 140, 140,
  ]
  private static let significant2: [UInt8] = [
    170, 154, 139, 153, 139, 123, 123, 63, 124, 166, 183, 140, 136, 153, 154, 166, 183, 140, 136,
    153, 154, 166, 183, 140, 136, 153, 154, 170, 153, 138, 138, 122, 121, 122, 121, 167, 151, 183,
    140, 151, 183, 140, 140, 140,
  ]
  private static let greater1Type0: [UInt8] = [
    140, 92, 137, 138, 140, 152, 138, 139, 153, 74, 149, 92, 139, 107, 122, 152, 140, 179, 166, 182,
    140, 227, 122, 197,
  ]
  private static let greater1Type1: [UInt8] = [
    154, 196, 196, 167, 154, 152, 167, 182, 182, 134, 149, 136, 153, 121, 136, 137, 169, 194, 166,
    167, 154, 167, 137, 182,
  ]
  private static let greater1Type2: [UInt8] = [
    154, 196, 167, 167, 154, 152, 167, 182, 182, 134, 149, 136, 153, 121, 136, 122, 169, 208, 166,
    167, 154, 152, 167, 182,
  ]
}
