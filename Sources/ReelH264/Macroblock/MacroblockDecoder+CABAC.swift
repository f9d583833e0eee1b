// residual_block_cabac(). ISO/IEC 14496-10:2020 §7.3.5.3.3, §9.3.3.1.1.9, §9.3.3.1.3.

import ReelCore

/// Contexts of residual blocks by ctxBlockCat: ctxIdxOffset plus ctxBlockCatOffset of Tables 9-34, 9-40.
enum ResidualContexts {
  static let codedBlockFlag: InlineArray<14, Int16> = [
    85, 89, 93, 97, 101, 1012, 460, 464, 468, 1016, 472, 476, 480, 1020,
  ]
  static let significantFrame: InlineArray<14, Int16> = [
    105, 120, 134, 149, 152, 402, 484, 499, 513, 660, 528, 543, 557, 718,
  ]
  static let significantField: InlineArray<14, Int16> = [
    277, 292, 306, 321, 324, 436, 776, 791, 805, 675, 820, 835, 849, 733,
  ]
  static let lastFrame: InlineArray<14, Int16> = [
    166, 181, 195, 210, 213, 417, 572, 587, 601, 690, 616, 631, 645, 748,
  ]
  static let lastField: InlineArray<14, Int16> = [
    338, 353, 367, 382, 385, 451, 864, 879, 893, 699, 908, 923, 937, 757,
  ]
  static let level: InlineArray<14, Int16> = [
    227, 237, 247, 257, 266, 426, 952, 962, 972, 708, 982, 992, 1002, 766,
  ]
}

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
    if kind & MacroblockKind.pcm != 0 { return true }
    return kind & MacroblockKind.transform8x8 != 0 && counts[position] != 0
  }

  /// Significance map and levels; returns the count of coefficients (≥ 1).
  private func parseCoefficients(_ target: BlockTarget, category: Int) -> Int {
    var engine = cabac
    let isFieldScan = isField || header.fieldPicFlag
    let significant = Int(
      isFieldScan
        ? ResidualContexts.significantField[category] : ResidualContexts.significantFrame[category])
    let last = Int(
      isFieldScan ? ResidualContexts.lastField[category] : ResidualContexts.lastFrame[category])
    var positions: InlineArray<64, UInt8> = .init(repeating: 0)
    var found = 0
    let end = target.count &- 1
    var i = 0
    if target.count == 64 {
      while i < end {
        let inc = Int(
          isFieldScan ? SignificanceTables.field[i] : SignificanceTables.frame[i])
        if engine.decision(significant &+ inc, memory.states, memory.bytes) == 1 {
          positions[found] = UInt8(truncatingIfNeeded: i)
          found &+= 1
          if engine.decision(last &+ Int(SignificanceTables.last[i]), memory.states, memory.bytes)
            == 1
          {
            break
          }
        }
        i &+= 1
      }
    } else if category == 3 {
      // NumC8x8: chroma DC contexts count 8×8 chroma blocks.
      let shift = target.count == 8 ? 1 : 0
      while i < end {
        let inc = min(i >> shift, 2)
        if engine.decision(significant &+ inc, memory.states, memory.bytes) == 1 {
          positions[found] = UInt8(truncatingIfNeeded: i)
          found &+= 1
          if engine.decision(last &+ inc, memory.states, memory.bytes) == 1 { break }
        }
        i &+= 1
      }
    } else {
      while i < end {
        if engine.decision(significant &+ i, memory.states, memory.bytes) == 1 {
          positions[found] = UInt8(truncatingIfNeeded: i)
          found &+= 1
          if engine.decision(last &+ i, memory.states, memory.bytes) == 1 { break }
        }
        i &+= 1
      }
    }
    if i == end {
      // No last_significant_coeff_flag was 1: the last position is significant by inference.
      positions[found] = UInt8(truncatingIfNeeded: end)
      found &+= 1
    }
    readLevels(&engine, target, category: category, positions, found)
    cabac = engine
    return found
  }

  /// coeff_abs_level_minus1 and coeff_sign_flag, from the highest frequency down.
  @inline(__always)
  private func readLevels(
    _ engine: inout CABACDecoder, _ target: borrowing BlockTarget, category: Int,
    _ positions: borrowing InlineArray<64, UInt8>, _ found: Int
  ) {
    let base = Int(ResidualContexts.level[category])
    let largerLimit = category == 3 ? 3 : 4
    var ones = 1
    var larger = 0
    var k = found &- 1
    while k >= 0 {
      let first = larger > 0 ? 0 : min(4, ones)
      var magnitude: Int32 = 1
      if engine.decision(base &+ first, memory.states, memory.bytes) == 0 {
        ones &+= 1
      } else {
        let context = base &+ 5 &+ min(largerLimit, larger)
        magnitude = 2
        while magnitude < 15 && engine.decision(context, memory.states, memory.bytes) == 1 {
          magnitude &+= 1
        }
        if magnitude == 15 { magnitude &+= readEscape(&engine) }
        larger &+= 1
      }
      let level = engine.bypass(memory.bytes) == 1 ? 0 &- magnitude : magnitude
      place(level, target.start &+ Int(positions[k]), target)
      k &-= 1
    }
  }

  /// The Exp-Golomb suffix of UEG0, §9.3.2.3.
  @inline(never)
  private func readEscape(_ engine: inout CABACDecoder) -> Int32 {
    var k: Int32 = 0
    var value: Int32 = 0
    while k < 24 && engine.bypass(memory.bytes) == 1 {
      value &+= 1 &<< k
      k &+= 1
    }
    while k > 0 {
      k &-= 1
      value &+= Int32(truncatingIfNeeded: engine.bypass(memory.bytes)) &<< k
    }
    return value
  }
}
