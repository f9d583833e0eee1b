// macroblock_layer(), mb_pred() and sub_mb_pred(). ISO/IEC 14496-10:2020 §7.3.5.

import ReelCore

extension MacroblockDecoder {
  /// Parses and reconstructs one macroblock that is not skipped.
  func decodeMacroblockLayer() {
    let type = isCABAC ? readTypeCABAC() : bits.readUE(memory.bytes)
    switch header.sliceType {
    case .i: decodeIntra(type)
    case .si:
      if type == 0 { decodeSwitchingIntra() } else { decodeIntra(type - 1) }
    case .p, .sp:
      if type >= 5 { decodeIntra(type - 5) } else { decodePredictive(type) }
    case .b:
      if type >= 23 { decodeIntra(type - 23) } else { decodeBipredictive(type) }
    }
  }

  private func readTypeCABAC() -> Int {
    switch header.sliceType {
    case .i: readIntraType(offset: 3, isPrefixed: false)
    case .si: readSwitchingIntraType()
    case .p, .sp: readPredictiveType()
    case .b: readBipredictiveType()
    }
  }

  // MARK: Intra

  private func decodeIntra(_ type: Int) {
    switch type {
    case 0: decodeIntraNxN()
    case 1...24: decodeIntra16x16(type - 1)
    case 25: decodePCM()
    default: fail(.macroblockType, "mb_type \(type)")
    }
  }

  private func decodeIntraNxN() {
    kind |= MacroblockKind.intra4x4
    if parameters.transform8x8ModeFlag {
      usesTransform8x8 = isCABAC ? readTransformSizeCABAC() : bits.read(1, memory.bytes) != 0
      if usesTransform8x8 {
        kind =
          kind & ~MacroblockKind.intra4x4 | MacroblockKind.intra8x8 | MacroblockKind.transform8x8
      }
    }
    context.kind[index] = kind
    fillIntraModes()
    if usesTransform8x8 {
      for block in 0..<4 { readMode(CachePosition.origin + (block >> 1) * 16 + (block & 1) * 2, 2) }
    } else {
      for block in 0..<16 {
        readMode(CachePosition.of(raster: Int(ScanTables.blockRaster[block])), 1)
      }
    }
    storeIntraModes()
    readIntraChromaMode()
    readCodedBlockPattern(isIntra: true)
    finishIntra(hasDeltaQP: codedBlockPattern != 0)
  }

  /// mb_type SI: Intra_4x4 prediction whose residual is decoded by §8.6.2.
  private func decodeSwitchingIntra() {
    kind |= MacroblockKind.intra4x4 | MacroblockKind.switchingIntra
    context.kind[index] = kind
    fillIntraModes()
    for block in 0..<16 {
      readMode(CachePosition.of(raster: Int(ScanTables.blockRaster[block])), 1)
    }
    storeIntraModes()
    readIntraChromaMode()
    readCodedBlockPattern(isIntra: true)
    finishIntra(hasDeltaQP: codedBlockPattern != 0)
  }

  private func decodeIntra16x16(_ code: Int) {
    kind |= MacroblockKind.intra16x16
    context.kind[index] = kind
    intra16x16Mode = code & 3
    codedBlockPattern = (code >= 12 ? 15 : 0) | (code / 4 % 3) << 4
    readIntraChromaMode()
    finishIntra(hasDeltaQP: true)
  }

  private func finishIntra(hasDeltaQP: Bool) {
    guard !hasFault else { return }
    if hasDeltaQP { readDeltaQP() } else { previousDeltaQP = 0 }
    updateBypass()
    fillCounts()
    if hasDeltaQP {
      parseResidual()
    }
    storeMacroblock()
    guard !hasFault else { return }
    if !header.sliceType.isIntra { storeIntraMotion() } else { storeIntraFlags() }
    reconstructIntra()
  }

  /// prev_intra4x4_pred_mode and the derivation of the mode from it. §8.3.1.1, §8.3.2.1.
  private func readMode(_ position: Int, _ size: Int) {
    let a = intraModes[position &- 1]
    let b = intraModes[position &- 8]
    // −1: not available for prediction, which makes DC the predicted mode.
    let predicted = a < 0 || b < 0 ? 2 : min(a, b)
    var code = -1
    if isCABAC {
      code = readIntraModeCABAC()
    } else if bits.read(1, memory.bytes) == 0 {
      code = Int(bits.read(3, memory.bytes))
    }
    var mode = predicted
    if code >= 0 { mode = Int8(truncatingIfNeeded: code < Int(predicted) ? code : code + 1) }
    intraModes[position] = mode
    if size == 2 {
      intraModes[position &+ 1] = mode
      intraModes[position &+ 8] = mode
      intraModes[position &+ 9] = mode
    }
  }

  private func readIntraChromaMode() {
    intraChromaMode = 0
    guard chromaArrayType == 1 || chromaArrayType == 2 else { return }
    intraChromaMode = isCABAC ? readIntraChromaModeCABAC() : bits.readUE(memory.bytes)
    if intraChromaMode > 3 {
      fail(.macroblockIntraMode, "intra_chroma_pred_mode \(intraChromaMode)")
      intraChromaMode = 0
    }
  }

  // MARK: Elements common to all types

  private func readCodedBlockPattern(isIntra: Bool) {
    if isCABAC {
      codedBlockPattern = readCodedBlockPatternCABAC()
      return
    }
    let code = bits.readUE(memory.bytes)
    let hasChroma = chromaArrayType == 1 || chromaArrayType == 2
    guard code < (hasChroma ? 48 : 16) else {
      fail(.macroblockPattern, "code \(code)")
      return
    }
    let pattern =
      hasChroma
      ? (isIntra
        ? CAVLCTables.codedBlockPatternIntra[code] : CAVLCTables.codedBlockPatternInter[code])
      : (isIntra
        ? CAVLCTables.codedBlockPatternIntraNoChroma[code]
        : CAVLCTables.codedBlockPatternInterNoChroma[code])
    codedBlockPattern = Int(pattern)
  }

  /// mb_qp_delta and QPY from it. (7-37).
  func readDeltaQP() {
    let delta = isCABAC ? readDeltaQPCABAC() : bits.readSE(memory.bytes)
    let offset = sequence.qpBdOffsetY
    guard delta >= -(26 + offset / 2) && delta <= 25 + offset / 2 else {
      fail(.macroblockDeltaQP, "mb_qp_delta \(delta)")
      return
    }
    previousDeltaQP = delta
    qp = (qp + delta + 52 + 2 * offset) % (52 + offset) - offset
  }

  /// TransformBypassModeFlag. §7.4.2.1.1.
  func updateBypass() {
    transformBypass =
      sequence.qpprimeYZeroTransformBypassFlag && qp + sequence.qpBdOffsetY == 0
  }

  /// Writes what neighbours and the loop filter need.
  func storeMacroblock() {
    context.kind[index] = kind
    context.qp[index] = Int8(truncatingIfNeeded: qp)
    context.codedBlocks[index] = UInt16(truncatingIfNeeded: codedBlockPattern | codedDC << 8)
    context.intraChromaModes[index] =
      kind & MacroblockKind.intraMask != 0 ? UInt8(truncatingIfNeeded: intraChromaMode) : 0
    context.directBlocks[index] = UInt8(truncatingIfNeeded: directMask)
    storeCounts()
  }

  // MARK: Inter

  /// P and SP macroblocks: types 0…4 of Table 7-13.
  private func decodePredictive(_ type: Int) {
    kind |= MacroblockKind.inter
    context.kind[index] = kind
    fillMotionCaches()
    switch type {
    case 0...2:
      partitionShape = type
      parsePartitions(lists: type == 0 ? 1 : 0b0101)
    case 3, 4:
      partitionShape = 3
      parseSubmacroblocks(referencesAreZero: type == 4)
    default: fail(.macroblockType, "mb_type \(type)")
    }
    finishInter()
  }

  /// Lists used by the two partitions of B types 4…21, two bits each, the first partition lowest.
  /// Table 7-14: list 0 is 1, list 1 is 2, both 3.
  private static var partitionLists: InlineArray<9, UInt8> {
    // L0L0, L1L1, L0L1, L1L0, L0Bi, L1Bi, BiL0, BiL1, BiBi
    [0b0101, 0b1010, 0b1001, 0b0110, 0b1101, 0b1110, 0b0111, 0b1011, 0b1111]
  }

  private func decodeBipredictive(_ type: Int) {
    kind |= MacroblockKind.inter
    if type == 0 {
      kind |= MacroblockKind.direct
      directMask = 15
    }
    context.kind[index] = kind
    fillMotionCaches()
    switch type {
    case 0:
      partitionShape = 3
      deriveDirect()
    case 1...3:
      partitionShape = 0
      parsePartitions(lists: type)
    case 4...21:
      // Even types are 16×8, odd ones 8×16.
      partitionShape = type & 1 == 0 ? 1 : 2
      parsePartitions(lists: Int(Self.partitionLists[(type - 4) / 2]))
    case 22:
      partitionShape = 3
      parseSubmacroblocks(referencesAreZero: false)
    default: fail(.macroblockType, "mb_type \(type)")
    }
    finishInter()
  }

  private func finishInter() {
    guard !hasFault else { return }
    readCodedBlockPattern(isIntra: false)
    if codedBlockPattern & 15 != 0 && parameters.transform8x8ModeFlag && allowsTransform8x8() {
      usesTransform8x8 = isCABAC ? readTransformSizeCABAC() : bits.read(1, memory.bytes) != 0
      if usesTransform8x8 { kind |= MacroblockKind.transform8x8 }
    }
    guard !hasFault else { return }
    if codedBlockPattern != 0 { readDeltaQP() } else { previousDeltaQP = 0 }
    updateBypass()
    if codedBlockPattern != 0 {
      fillCounts()
      parseResidual()
    }
    storeMacroblock()
    guard !hasFault else { return }
    storeMotion()
    reconstructInter()
  }

  /// No partition is smaller than 8×8, and direct ones are not either. §7.3.5.
  private func allowsTransform8x8() -> Bool {
    guard partitionShape == 3 else { return true }
    if kind & MacroblockKind.direct != 0 { return sequence.direct8x8InferenceFlag }
    for block in 0..<4 {
      if directMask >> block & 1 != 0 {
        if !sequence.direct8x8InferenceFlag { return false }
      } else if subShapes[block] != 0 {
        return false
      }
    }
    return true
  }
}
