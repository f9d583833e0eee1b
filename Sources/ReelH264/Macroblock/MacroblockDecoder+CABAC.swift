// residual_block_cabac(). ISO/IEC 14496-10:2020 §7.3.5.3.3, §9.3.3.1.1.9, §9.3.3.1.3.

import ReelCore

extension MacroblockDecoder {
  /// A DC block: luma of Intra_16x16 (category 0, 6, 10) or chroma (3). `plane` 0…2.
  func parseDCCABAC(_ target: BlockTarget, category: Int, plane: Int) -> Int {
    let bit = UInt16(1) << UInt16(8 + plane)
    let missing = kind & MacroblockKind.intraMask != 0 ? 1 : 0
    let a = left0 < 0 ? missing : context.codedBlocks[left0] & bit != 0 ? 1 : 0
    let b = top < 0 ? missing : context.codedBlocks[top] & bit != 0 ? 1 : 0
    let flag = Int(ResidualContexts.codedBlockFlag[category]) + a + 2 * b
    guard bin(flag) == 1 else { return 0 }
    return parseCoefficients(target, category: category)
  }

  /// A 4×4 block, whole or without DC.
  @inline(__always)
  func parse4x4CABAC(_ target: BlockTarget, category: Int, at position: Int) -> Int {
    let a = counts[position &- 1] != 0 ? 1 : 0
    let b = counts[position &- 8] != 0 ? 2 : 0
    guard bin(Int(ResidualContexts.codedBlockFlag[category]) &+ a &+ b) == 1 else { return 0 }
    return parseCoefficients(target, category: category)
  }

  /// An 8×8 block. Its coded_block_flag is sent in 4:4:4 only, else inferred to be 1.
  func parse8x8CABAC(_ target: BlockTarget, category: Int, at position: Int) -> Int {
    if chromaArrayType == 3 {
      let inPlane = (position - CachePosition.origin) % CachePosition.count
      let a =
        inPlane & 7 == 0
        ? neighbourFlag8x8(left(inPlane >> 3), position - 1) : counts[position - 1] != 0
      let b = inPlane < 8 ? neighbourFlag8x8(top, position - 8) : counts[position - 8] != 0
      let flag = Int(ResidualContexts.codedBlockFlag[category]) + (a ? 1 : 0) + (b ? 2 : 0)
      guard bin(flag) == 1 else { return 0 }
    }
    return parseCoefficients(target, category: category)
  }

  /// A neighbouring macroblock without the 8×8 transform has no 8×8 block to ask, unless it is I_PCM.
  private func neighbourFlag8x8(_ neighbour: Int, _ position: Int) -> Bool {
    guard neighbour >= 0 else { return counts[position] != 0 }
    let kind = context.kind[neighbour]
    if input.hasEarlyFlagContexts {
      return kind & MacroblockKind.transform8x8 != 0
        ? counts[position] != 0 : self.kind & MacroblockKind.intraMask != 0
    }
    if kind & MacroblockKind.pcm != 0 { return true }
    return kind & MacroblockKind.transform8x8 != 0 && counts[position] != 0
  }

  /// Significance map and levels; returns the count of coefficients (≥ 1).
  private func parseCoefficients(_ target: BlockTarget, category: Int) -> Int {
    let parsed = CABACResidual.parse(
      cabac, states: memory.states, bytes: memory.bytes, scans: tables.scans,
      factors: scaling.factors, into: memory.coefficients, target, category: category,
      isFieldScan: isField || header.fieldPicFlag)
    cabac = parsed.engine
    return parsed.count
  }
}
