// slice_data(). ISO/IEC 14496-10:2020 §7.3.4.

import ReelCore

extension MacroblockDecoder {
  /// Decodes the macroblocks of the slice until its end or a fault.
  func decodeSliceData() {
    address = header.firstMbInSlice * (isMbaff ? 2 : 1)
    guard address < macroblockCount else {
      fail(.sliceFirstMacroblock)
      return
    }
    if isCABAC {
      startCABAC()
      decodeCABACSlice()
    } else {
      decodeCAVLCSlice()
    }
  }

  func fail(_ rule: Rule, _ detail: String = "") {
    guard !hasFault else { return }
    hasFault = true
    fault = MediaError(
      .damaged, rule, at: .picture(0, macroblock: address), detail: detail)
  }

  private func startCABAC() {
    let table =
      header.sliceType.isIntra
      ? CABACContextTables.intra
      : [CABACContextTables.idc0, CABACContextTables.idc1, CABACContextTables.idc2][
        min(max(header.cabacInitIdc, 0), 2)]
    CABACDecoder.initializeContexts(memory.states, table, qp: header.sliceQPY)
    cabac.restart(at: (input.dataStart + 7) / 8, memory.bytes)
  }

  private func decodeCABACSlice() {
    while true {
      locate()
      let isTopOfPair = isMbaff && address & 1 == 0
      if isTopOfPair { isField = inferredFieldFlag() }
      let skipped = header.sliceType.isIntra ? false : readSkipFlagCABAC(isTopOfPair: isTopOfPair)
      if skipped {
        decodeSkipped()
      } else {
        if isMbaff && (isTopOfPair || previousSkipped) && nextSkipRead == nil {
          isField = readFieldFlagCABAC()
        }
        nextSkipRead = nil
        beginMacroblock()
        decodeMacroblockLayer()
      }
      previousSkipped = skipped
      guard endMacroblock(cabac.overrun) else { return }
      if !(isMbaff && isTopOfPair) || hasFault {
        if cabac.terminate(memory.bytes) == 1 { return }
      }
      guard advance() else { return }
    }
  }

  /// mb_skip_flag with what MBAFF needs around it: the field mode of a skipped top macroblock is told
  /// by the bottom one if that is not skipped. §7.3.4, §7.4.4.
  private func readSkipFlagCABAC(isTopOfPair: Bool) -> Bool {
    if let read = nextSkipRead {
      // Of a bottom macroblock, read when its skipped top was decoded; so was the pair's field flag.
      if read { nextSkipRead = nil }
      return read
    }
    findNeighbours()
    let skipped = readSkipFlag()
    if skipped && isTopOfPair {
      // Look at the bottom macroblock: same pair, same inferred field mode.
      let saved = (address, mbY, index)
      // The skipped top must be seen as such while the bottom's flag is read.
      context.slice[index] = sliceNumber
      context.kind[index] =
        MacroblockKind.inter | MacroblockKind.skip | (isField ? MacroblockKind.field : 0)
      address += 1
      locate()
      findNeighbours()
      let bottomSkipped = readSkipFlag()
      (address, mbY, index) = saved
      if !bottomSkipped { isField = readFieldFlagCABAC() }
      nextSkipRead = bottomSkipped
    }
    return skipped
  }

  private func decodeCAVLCSlice() {
    let isInter = !header.sliceType.isIntra
    while true {
      locate()
      let isTopOfPair = isMbaff && address & 1 == 0
      if isInter && skipRun < 0 {
        skipRun = bits.readUE(memory.bytes)
        if skipRun > macroblockCount { skipRun = macroblockCount }
      }
      if isTopOfPair { isField = inferredFieldFlag() }
      if isInter && skipRun > 0 {
        skipRun -= 1
        if isTopOfPair && skipRun == 0 && bits.hasMoreData {
          // The bottom macroblock is not skipped; its field flag comes next and holds for both.
          var ahead = bits
          isField = ahead.read(1, memory.bytes) != 0
        }
        decodeSkipped()
        previousSkipped = true
        guard endMacroblock(bits.overrun) else { return }
        if skipRun == 0 && !bits.hasMoreData { return }
      } else {
        if isMbaff && (isTopOfPair || previousSkipped) { isField = bits.read(1, memory.bytes) != 0 }
        skipRun = -1
        previousSkipped = false
        beginMacroblock()
        decodeMacroblockLayer()
        guard endMacroblock(bits.overrun) else { return }
        if !bits.hasMoreData { return }
      }
      // After a run a macroblock follows without another run in front of it.
      guard advance() else { return }
    }
  }

  /// Moves to the next macroblock of the slice group; false at the picture's end. (8-17).
  private func advance() -> Bool {
    let map = input.sliceGroupMap
    address += 1
    if !map.isEmpty && address <= map.count {
      let group = map[address - 1]
      while address < map.count && map[address] != group { address += 1 }
    }
    if address >= endAddress {
      fail(.sliceEnd)
      return false
    }
    return true
  }

  /// Resets what belongs to one macroblock, and finds its neighbours.
  func beginMacroblock() {
    kind = isField && isMbaff ? MacroblockKind.field : 0
    referenceSet = isMbaff && isField ? 1 + mbY & 1 : 0
    findNeighbours()
    context.slice[index] = sliceNumber
    // The flag must be readable by the other macroblock of the pair and by neighbours at any time.
    context.kind[index] = kind
    codedDC = 0
    codedBlockPattern = 0
    usesTransform8x8 = false
    directMask = 0
    transformBypass = false
  }

  /// P_Skip or B_Skip: inferred motion, no residual.
  private func decodeSkipped() {
    beginMacroblock()
    kind |= MacroblockKind.inter | MacroblockKind.skip
    previousDeltaQP = 0
    if isBSlice {
      kind |= MacroblockKind.direct
      directMask = 15
    }
    context.kind[index] = kind
    partitionShape = isBSlice ? 3 : 0
    fillMotionCaches()
    if isBSlice {
      deriveDirect()
    } else {
      deriveSkippedMotion()
    }
    storeSkipped()
    reconstructInter()
  }

  private func storeSkipped() {
    context.qp[index] = Int8(truncatingIfNeeded: qp)
    context.codedBlocks[index] = 0
    context.nonzeroLuma[index] = 0
    context.intraChromaModes[index] = 0
    context.directBlocks[index] = UInt8(truncatingIfNeeded: directMask)
    context.coefficientCounts.fill(index &* 48..<index &* 48 &+ 48, with: 0)
    storeMotion()
  }

  /// False when the slice has to end here because it is damaged; the macroblock then counts as lost.
  private func endMacroblock(_ overrun: Bool) -> Bool {
    if overrun { fail(.sliceTruncated) }
    if hasFault {
      context.slice[index] = -1
      return false
    }
    if mbX == widthInMbs &- 1 && (!isMbaff || address & 1 == 1) { rows.finishRow(mbY) }
    return true
  }
}
