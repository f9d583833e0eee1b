// Syntax elements of the macroblock layer, arithmetically coded. ISO/IEC 14496-10:2020 §9.3.2.5, §9.3.3.1.

import ReelCore

extension MacroblockDecoder {
  /// One bin; not inlined, since elements are many and each is rare beside residual bins.
  @inline(never)
  func bin(_ context: Int) -> Int { cabac.decision(context, memory.states, memory.bytes) }

  @inline(__always)
  private func kindOf(_ neighbour: Int) -> UInt16 {
    neighbour < 0 ? 0 : context.kind[neighbour]
  }

  /// mb_skip_flag; neighbours must be known.
  func readSkipFlag() -> Bool {
    let a = left0 >= 0 && context.kind[left0] & MacroblockKind.skip == 0 ? 1 : 0
    let b = top >= 0 && context.kind[top] & MacroblockKind.skip == 0 ? 1 : 0
    return bin((isBSlice ? 24 : 11) + a + b) == 1
  }

  /// mb_field_decoding_flag: the contexts look at pairs. §9.3.3.1.1.1... of the pair's neighbours A and B.
  func readFieldFlagCABAC() -> Bool {
    let pair = index &- (mbY & 1 != 0 ? widthInMbs : 0)
    let a = mbX > 0 && isAvailable(pair &- 1) && isFieldMacroblock(pair &- 1) ? 1 : 0
    let above = pair &- 2 &* widthInMbs
    let b = mbY > 1 && isAvailable(above) && isFieldMacroblock(above) ? 1 : 0
    return bin(70 + a + b) == 1
  }

  /// mb_type of I slices (`offset` 3), and of intra macroblocks of P (17) and B slices (32): 0…25.
  func readIntraType(offset: Int, isPrefixed: Bool) -> Int {
    if isPrefixed {
      if bin(offset) == 0 { return 0 }
    } else {
      let a = left0 >= 0 && !isNxN(left0) ? 1 : 0
      let b = top >= 0 && !isNxN(top) ? 1 : 0
      if bin(offset + a + b) == 0 { return 0 }
    }
    if cabac.terminate(memory.bytes) == 1 { return 25 }
    // Contexts of the remaining bins lie apart by slice type. Table 9-39.
    let base = isPrefixed ? offset + 1 : offset + 3
    let chromaSecond = isPrefixed ? base + 1 : base + 2
    let mode = isPrefixed ? base + 2 : base + 3
    var type = 1 + 12 * bin(base)
    if bin(base + 1) == 1 { type += 4 + 4 * bin(chromaSecond) }
    type += 2 * bin(mode)
    type += bin(isPrefixed ? mode : mode + 1)
    return type
  }

  @inline(__always)
  private func isNxN(_ neighbour: Int) -> Bool {
    // A type SI macroblock is not I_NxN.
    context.kind[neighbour] & MacroblockKind.intraNxN != 0
      && context.kind[neighbour] & MacroblockKind.switchingIntra == 0
  }

  /// mb_type of SI slices: 0 is SI, others are the I types plus 1.
  func readSwitchingIntraType() -> Int {
    func isNotSI(_ neighbour: Int) -> Int {
      neighbour >= 0 && context.kind[neighbour] & MacroblockKind.switchingIntra == 0 ? 1 : 0
    }
    let inc = isNotSI(left0) + isNotSI(top)
    if bin(inc) == 0 { return 0 }
    return 1 + readIntraType(offset: 3, isPrefixed: false)
  }

  /// mb_type of P slices, 0…3, or 5 + the intra type.
  func readPredictiveType() -> Int {
    if bin(14) == 1 { return 5 + readIntraType(offset: 17, isPrefixed: true) }
    if bin(15) == 0 { return bin(16) == 0 ? 0 : 3 }
    return bin(17) == 0 ? 2 : 1
  }

  /// mb_type of B slices, 0…22, or 23 + the intra type.
  func readBipredictiveType() -> Int {
    let a = left0 >= 0 && context.kind[left0] & MacroblockKind.direct == 0 ? 1 : 0
    let b = top >= 0 && context.kind[top] & MacroblockKind.direct == 0 ? 1 : 0
    if bin(27 + a + b) == 0 { return 0 }
    if bin(30) == 0 { return 1 + bin(32) }
    var code = bin(31)
    for _ in 0..<3 { code = code << 1 | bin(32) }
    switch code {
    case 0..<8: return code + 3
    case 13: return 23 + readIntraType(offset: 32, isPrefixed: true)
    case 14: return 11
    case 15: return 22
    default: return (code << 1 | bin(32)) - 4
    }
  }

  /// sub_mb_type of P macroblocks, 0…3.
  func readPredictiveSubtype() -> Int {
    if bin(21) == 1 { return 0 }
    if bin(22) == 0 { return 1 }
    return bin(23) == 1 ? 2 : 3
  }

  /// sub_mb_type of B macroblocks, 0…12.
  func readBipredictiveSubtype() -> Int {
    if bin(36) == 0 { return 0 }
    if bin(37) == 0 { return 1 + bin(39) }
    var type = 3
    if bin(38) == 1 {
      if bin(39) == 1 { return 11 + bin(39) }
      type += 4
    }
    type += 2 * bin(39)
    return type + bin(39)
  }

  /// transform_size_8x8_flag.
  func readTransformSizeCABAC() -> Bool {
    let a = kindOf(left0) & MacroblockKind.transform8x8 != 0 ? 1 : 0
    let b = kindOf(top) & MacroblockKind.transform8x8 != 0 ? 1 : 0
    return bin(399 + a + b) == 1
  }

  /// prev_intra_pred_mode_flag and rem_intra_pred_mode: −1, or 0…7.
  func readIntraModeCABAC() -> Int {
    if bin(68) == 1 { return -1 }
    let low = bin(69)
    let middle = bin(69) << 1
    return low | middle | bin(69) << 2
  }

  /// intra_chroma_pred_mode.
  func readIntraChromaModeCABAC() -> Int {
    let a = left0 >= 0 && context.intraChromaModes[left0] != 0 ? 1 : 0
    let b = top >= 0 && context.intraChromaModes[top] != 0 ? 1 : 0
    if bin(64 + a + b) == 0 { return 0 }
    if bin(67) == 0 { return 1 }
    return 2 + bin(67)
  }

  /// coded_block_pattern. §9.3.3.1.1.4.
  func readCodedBlockPatternCABAC() -> Int {
    let above = top >= 0 ? Int(context.codedBlocks[top]) : 0x0F
    // Bits of the left macroblock's 8×8 blocks that adjoin block rows 0 and 2.
    let leftUpper = left0 >= 0 ? Int(context.codedBlocks[left0]) >> (leftRow(0) & 2) & 2 : 2
    let leftLower = left1 >= 0 ? Int(context.codedBlocks[left1]) >> (leftRow(2) & 2) & 2 : 2
    // condTermFlag is 1 where the neighbouring bit is 0.
    var pattern = bin(73 + (leftUpper == 0 ? 1 : 0) + (above & 4 == 0 ? 2 : 0))
    pattern |= bin(73 + (pattern & 1 == 0 ? 1 : 0) + (above & 8 == 0 ? 2 : 0)) << 1
    pattern |= bin(73 + (leftLower == 0 ? 1 : 0) + (pattern & 1 == 0 ? 2 : 0)) << 2
    pattern |= bin(73 + (pattern & 4 == 0 ? 1 : 0) + (pattern & 2 == 0 ? 2 : 0)) << 3
    guard chromaArrayType == 1 || chromaArrayType == 2 else { return pattern }
    let a = left0 >= 0 ? Int(context.codedBlocks[left0]) >> 4 & 3 : 0
    let b = top >= 0 ? Int(context.codedBlocks[top]) >> 4 & 3 : 0
    if bin(77 + (a != 0 ? 1 : 0) + (b != 0 ? 2 : 0)) == 1 {
      pattern |= (1 + bin(81 + (a == 2 ? 1 : 0) + (b == 2 ? 2 : 0))) << 4
    }
    return pattern
  }

  /// mb_qp_delta.
  func readDeltaQPCABAC() -> Int {
    if bin(60 + (previousDeltaQP != 0 ? 1 : 0)) == 0 { return 0 }
    var code = 1
    var next = 62
    while code < 256 && bin(next) == 1 {
      code += 1
      next = 63
    }
    return code & 1 == 1 ? (code + 1) / 2 : -(code / 2)
  }

  /// ref_idx of the partition whose first block lies at cache position `at`; 32 when out of range.
  func readReferenceIndexCABAC(list: Int, at position: Int) -> Int {
    let base = list * CachePosition.count + position
    var inc = Int(referencePositive[base &- 1]) + 2 * Int(referencePositive[base &- 8])
    var value = 0
    while bin(54 + inc) == 1 {
      value += 1
      if value >= 32 { return 32 }
      inc = value == 1 ? 4 : 5
    }
    return value
  }

  /// One component of mvd_lX. §9.3.3.1.1.7; prefix and suffix UEG3, uCoff 9.
  func readDifferenceCABAC(base: Int, sum: Int) -> Int {
    if bin(base + (sum < 3 ? 0 : sum > 32 ? 2 : 1)) == 0 { return 0 }
    var value = 1
    var inc = 3
    while value < 9 && bin(base + inc) == 1 {
      value += 1
      if inc < 6 { inc += 1 }
    }
    if value == 9 {
      var k = 3
      while cabac.bypass(memory.bytes) == 1 {
        value &+= 1 << k
        k += 1
        if k > 24 { break }
      }
      while k > 0 {
        k -= 1
        value &+= cabac.bypass(memory.bytes) << k
      }
    }
    return cabac.bypass(memory.bytes) == 1 ? -value : value
  }
}
