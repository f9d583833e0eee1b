// How an entropy coding writes the elements of a macroblock. ISO/IEC 14496-10:2020 §7.3.4, §7.3.5.

/// A block of levels within a macroblock. Table 9-42 numbers the categories.
enum ResidualBlock {
  /// Intra16x16DCLevel: ctxBlockCat 0.
  case lumaDC
  /// Intra16x16ACLevel, ctxBlockCat 1, at the raster index of its block.
  case lumaAC(Int)
  /// LumaLevel4x4, ctxBlockCat 2.
  case luma(Int)
  /// ChromaDCLevel, ctxBlockCat 3, of Cb (0) or Cr (1).
  case chromaDC(Int)
  /// ChromaACLevel, ctxBlockCat 4.
  case chromaAC(Int, block: Int)
}

/// The kind of slice, as far as it decides what is written. Table 7-6.
public enum WrittenSliceType: Sendable {
  case p, b, i
}

/// What both entropy codings write. The macroblock and those before it are in ``WrittenMacroblocks``.
protocol MacroblockCoder {
  /// mb_skip_run or mb_skip_flag; not called in I slices.
  mutating func writeSkip(_ isSkipped: Bool, at address: Int)
  /// mb_type, and of P_8x8 the sub-macroblock types.
  mutating func writeType(_ macroblock: MacroblockSyntax, at address: Int)
  mutating func writeSamples(_ samples: [UInt8])
  /// prev_intra4x4_pred_mode_flag and rem_intra4x4_pred_mode.
  mutating func writeIntraMode(_ mode: Int?)
  mutating func writeChromaMode(_ mode: Int, at address: Int)
  /// ref_idx_lX of `count` active ones; the partition's first block is `block`.
  mutating func writeReference(_ index: Int, count: Int, list: Int, at address: Int, block: Int)
  mutating func writeDifference(
    _ motion: MacroblockSyntax.Motion, list: Int, at address: Int, block: Int)
  mutating func writePattern(_ macroblock: MacroblockSyntax, at address: Int)
  mutating func writeDeltaQP(_ delta: Int)
  /// Writes a residual block and returns its count of coefficients.
  mutating func writeResidual(_ levels: [Int], _ block: ResidualBlock, at address: Int) -> Int
  /// Called behind each macroblock.
  mutating func endMacroblock(_ macroblock: MacroblockSyntax, isLast: Bool)
  /// Ends the slice and gives its bytes.
  mutating func finish() -> [UInt8]
}
