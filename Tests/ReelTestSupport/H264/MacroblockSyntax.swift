// What a macroblock of a written stream says. ISO/IEC 14496-10:2020 §7.3.5.

/// The syntax elements of a macroblock: 4:2:0 of 8 bits, the 4×4 transform, no MBAFF.
public struct MacroblockSyntax: Sendable, Equatable {
  /// The macroblock types that the writers know. Tables 7-11, 7-13, 7-14.
  public enum Kind: Sendable, Equatable {
    case pcm, intraNxN, intra16x16
    /// P_Skip, B_Skip.
    case skip
    /// B_Direct_16x16.
    case direct
    /// P_L0_16x16, or in B slices the type that its references tell.
    case inter16x16
    /// P_L0_L0_16x8, P_L0_L0_8x16, P_8x8 with four sub-macroblocks of 8×8.
    case inter16x8, inter8x16, inter8x8

    public var isIntra: Bool { self == .pcm || self == .intraNxN || self == .intra16x16 }
    /// How many partitions have motion of their own.
    public var partitionCount: Int {
      switch self {
      case .inter16x16: 1
      case .inter16x8, .inter8x16: 2
      case .inter8x8: 4
      default: 0
      }
    }
  }

  /// ref_idx and mvd of one list.
  public struct Motion: Sendable, Equatable {
    public var reference: Int
    /// mvd_lX, quarter samples.
    public var x: Int
    public var y: Int

    public init(reference: Int = 0, x: Int = 0, y: Int = 0) {
      (self.reference, self.x, self.y) = (reference, x, y)
    }
  }

  public var kind: Kind
  /// pcm_sample_luma and pcm_sample_chroma: 384 samples.
  public var samples: [UInt8] = []
  /// For each 4×4 block nil for prev_intra4x4_pred_mode_flag 1, else rem_intra4x4_pred_mode, 0…7.
  public var intraModes = [Int?](repeating: nil, count: 16)
  /// Intra16x16PredMode, 0…3.
  public var intra16x16Mode = 2
  /// intra_chroma_pred_mode, 0…3.
  public var chromaMode = 0
  /// CodedBlockPatternLuma, 0…15; 0 or 15 in Intra_16x16.
  public var lumaPattern = 0
  /// CodedBlockPatternChroma, 0…2.
  public var chromaPattern = 0
  /// mb_qp_delta; sent where there is residual.
  public var qpDelta = 0
  /// Motion of each partition in list 0 and list 1; nil where a list is not used.
  public var motion: [(list0: Motion?, list1: Motion?)] = []
  /// Levels in the order of the scan: the DC block of Intra_16x16.
  public var lumaDC = [Int](repeating: 0, count: 16)
  /// 16 blocks, 16 levels each; 15, without DC, in Intra_16x16.
  public var luma = [[Int]](repeating: [Int](repeating: 0, count: 16), count: 16)
  /// Cb and Cr.
  public var chromaDC = [[Int]](repeating: [Int](repeating: 0, count: 4), count: 2)
  /// Four blocks of Cb, then four of Cr, 15 levels each.
  public var chromaAC = [[Int]](repeating: [Int](repeating: 0, count: 15), count: 8)

  public init(_ kind: Kind) {
    self.kind = kind
    motion = .init(repeating: (Motion(), nil), count: kind.partitionCount)
    if kind == .intra16x16 {
      luma = [[Int]](repeating: [Int](repeating: 0, count: 15), count: 16)
    }
  }

  /// I_PCM with all luma samples and all chroma samples alike.
  public static func pcm(luma: UInt8, chroma: UInt8 = 128) -> Self {
    pcm(
      [UInt8](repeating: luma, count: 256) + [UInt8](repeating: chroma, count: 128))
  }

  /// I_PCM with 256 luma, 64 Cb and 64 Cr samples.
  public static func pcm(_ samples: [UInt8]) -> Self {
    precondition(samples.count == 384, "256 luma and 2 · 64 chroma samples")
    var macroblock = Self(.pcm)
    macroblock.samples = samples
    return macroblock
  }

  /// P_L0_16x16 without residual.
  public static func inter(reference: Int = 0, x: Int = 0, y: Int = 0) -> Self {
    var macroblock = Self(.inter16x16)
    macroblock.motion = [(Motion(reference: reference, x: x, y: y), nil)]
    return macroblock
  }

  /// mb_qp_delta and residual() follow.
  public var hasResidual: Bool {
    kind == .intra16x16 || lumaPattern != 0 || chromaPattern != 0
  }

  public static func == (a: Self, b: Self) -> Bool {
    a.kind == b.kind && a.samples == b.samples && a.intraModes == b.intraModes
      && a.intra16x16Mode == b.intra16x16Mode && a.chromaMode == b.chromaMode
      && a.lumaPattern == b.lumaPattern && a.chromaPattern == b.chromaPattern
      && a.qpDelta == b.qpDelta && a.lumaDC == b.lumaDC && a.luma == b.luma
      && a.chromaDC == b.chromaDC && a.chromaAC == b.chromaAC
      && a.motion.count == b.motion.count && zip(a.motion, b.motion).allSatisfy { $0 == $1 }
  }
}
