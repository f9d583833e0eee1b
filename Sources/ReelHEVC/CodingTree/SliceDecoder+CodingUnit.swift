// Coding units. ISO/IEC 23008-2:2020 §7.3.8.5.

import ReelCore

extension SliceDecoder {
  /// coding_unit().
  func decodeCodingUnit(_ x0: Int, _ y0: Int, _ log2Size: Int, _ depth: Int) {
    (cuX, cuY, cuLog2) = (x0, y0, log2Size)
    let size = 1 << log2Size
    isBypass = parameters.transquantBypassEnabled && decision(Context.transquantBypass) == 1
    isIntra = true
    partMode = .whole
    intraSplit = false
    var flags = BlockFlags.decoded
    if isBypass { flags |= BlockFlags.unfiltered }
    var hasResidual = true
    if !isIntraSlice && parseSkipFlag(x0, y0) {
      isIntra = false
      flags |= BlockFlags.skip
      setFlags(x0, y0, size, flags, depth)
      predictMerged(x0, y0, size, size, partIndex: 0, depth: depth)
      hasResidual = false
    } else {
      if !isIntraSlice { isIntra = decision(Context.predMode) == 1 }
      if !isIntra || log2Size == minCbLog2 { parsePartMode(log2Size) }
      if isIntra {
        flags |= BlockFlags.intra
        if parsePCMFlag(log2Size) {
          if sequence.pcmLoopFilterDisabled { flags |= BlockFlags.unfiltered }
          setFlags(x0, y0, size, flags, depth)
          decodePCM(x0, y0, log2Size)
          hasResidual = false
        } else {
          setFlags(x0, y0, size, flags, depth)
          parseIntraModes(x0, y0, size)
        }
      } else {
        setFlags(x0, y0, size, flags, depth)
        let isMerged = decodePredictionUnits(x0, y0, size, depth)
        if !(partMode == .whole && isMerged) {
          hasResidual = decision(Context.rqtRootCbf) == 1
        }
      }
    }
    if hasFault { return }
    if isBypass || flags & BlockFlags.unfiltered != 0 { context.hasUnfilteredBlocks = true }
    if hasResidual {
      maxTrafoDepth =
        isIntra
        ? sequence.maxTransformHierarchyDepthIntra + (intraSplit ? 1 : 0)
        : sequence.maxTransformHierarchyDepthInter
      decodeTransformTree(x0, y0, x0, y0, log2Size, 0, 0, parentCb: 1, parentCr: 1)
    } else if !header.deblockingDisabled {
      setTransformEdges(x0, y0, size)
    }
    if !isIntra && partMode != .whole && !header.deblockingDisabled { setPredictionEdges() }
    fill(context.qp, x0, y0, size, Int8(truncatingIfNeeded: qpY))
    lastQpY = qpY
  }

  /// Sets what neighbours ask of a coding unit.
  private func setFlags(_ x0: Int, _ y0: Int, _ size: Int, _ flags: UInt8, _ depth: Int) {
    fill(context.flags, x0, y0, size, flags)
    fill(context.depth, x0, y0, size, UInt8(truncatingIfNeeded: depth))
  }

  /// Fills the minimum coding blocks of a coding unit.
  @inline(__always)
  private func fill<Value>(
    _ buffer: borrowing CheckedBuffer<Value>, _ x0: Int, _ y0: Int, _ size: Int, _ value: Value
  ) {
    let count = size >> minCbLog2
    var at = minCbIndex(x0, y0)
    for _ in 0..<count {
      buffer.fill(at..<at + count, with: value)
      at += context.widthInMinCbs
    }
  }

  private func parseSkipFlag(_ x0: Int, _ y0: Int) -> Bool {
    let at = minCbIndex(x0, y0)
    var increment = 0
    if hasLeft(x0) && context.flags[at - 1] & BlockFlags.skip != 0 { increment += 1 }
    if hasUp(y0) && context.flags[at - context.widthInMinCbs] & BlockFlags.skip != 0 {
      increment += 1
    }
    return decision(Context.cuSkip + increment) == 1
  }

  /// part_mode, Table 9-43 and §9.3.4.2.
  private func parsePartMode(_ log2Size: Int) {
    if decision(Context.partMode) == 1 { return }
    if isIntra {
      partMode = .quarters
      intraSplit = true
      return
    }
    let isRows = decision(Context.partMode + 1) == 1
    if log2Size == minCbLog2 {
      if isRows {
        partMode = .rows
      } else if log2Size == 3 || decision(Context.partMode + 2) == 1 {
        partMode = .columns
      } else {
        partMode = .quarters
      }
    } else if !sequence.ampEnabled || decision(Context.partMode + 3) == 1 {
      partMode = isRows ? .rows : .columns
    } else if bypass() == 0 {
      partMode = isRows ? .rowsUp : .columnsLeft
    } else {
      partMode = isRows ? .rowsDown : .columnsRight
    }
  }

  private func parsePCMFlag(_ log2Size: Int) -> Bool {
    partMode == .whole && sequence.pcmEnabled && log2Size >= sequence.log2MinPcmSize
      && log2Size <= sequence.log2MaxPcmSize && cabac.terminate(bytes) == 1
  }

  /// pcm_sample(), §7.3.8.7, §8.4.4.1.
  private func decodePCM(_ x0: Int, _ y0: Int, _ log2Size: Int) {
    let start = cabac.bytePosition
    var bit = start * 8
    let size = 1 << log2Size
    readPCM(y, x0, y0, size, size, sequence.pcmBitDepthY, bitDepthY, &bit)
    if chromaType != 0 {
      let (x, y) = (x0 >> chromaShiftX, y0 >> chromaShiftY)
      let (width, height) = (size >> chromaShiftX, size >> chromaShiftY)
      readPCM(cb, x, y, width, height, sequence.pcmBitDepthC, bitDepthC, &bit)
      readPCM(cr, x, y, width, height, sequence.pcmBitDepthC, bitDepthC, &bit)
    }
    let end = (bit + 7) / 8
    guard end <= byteCount else {
      return fail(.hevcSliceData, "pcm samples reach past the slice")
    }
    cabac.restart(at: end, bytes)
  }

  private func readPCM(
    _ plane: PlaneView<S>, _ x0: Int, _ y0: Int, _ width: Int, _ height: Int, _ depth: Int,
    _ bitDepth: Int, _ bit: inout Int
  ) {
    // Where the slice ends early there are zeros.
    guard bit + width * height * depth <= byteCount * 8 else {
      bit = byteCount * 8 + 8
      return
    }
    for row in 0..<height {
      let at = (y0 + row) * plane.stride + x0
      for column in 0..<width {
        let word = bytes.loadBigEndian32(at: bit >> 3)
        let value = (word << UInt32(bit & 7)) >> UInt32(32 - depth)
        plane[at + column] = S(truncatingIfNeeded: value << UInt32(bitDepth - depth))
        bit += depth
      }
    }
  }

  /// The luma and chroma prediction modes of an intra coding unit. §7.3.8.5, §8.4.2, §8.4.3.
  private func parseIntraModes(_ x0: Int, _ y0: Int, _ size: Int) {
    let count = intraSplit ? 4 : 1
    let part = intraSplit ? size / 2 : size
    var isPredicted: InlineArray<4, Bool> = [false, false, false, false]
    for i in 0..<count { isPredicted[i] = decision(Context.prevIntraLumaPred) == 1 }
    var modes: InlineArray<4, Int> = [1, 1, 1, 1]
    for i in 0..<count {
      let (x, y) = (x0 + (i & 1) * part, y0 + (i >> 1) * part)
      var value = 0
      if isPredicted[i] {
        if bypass() == 1 { value = 1 + bypass() }
      } else {
        value = cabac.bypass(5, bytes)
      }
      modes[i] = lumaMode(x, y, isPredicted: isPredicted[i], value: value)
      let blocks = part / 4
      for row in 0..<blocks {
        let at = (y / 4 + row) * context.width4 + x / 4
        context.intraMode.fill(at..<at + blocks, with: UInt8(modes[i]))
      }
    }
    guard chromaType != 0 else { return }
    for i in 0..<(chromaType == 3 ? count : 1) {
      let code = decision(Context.intraChromaPredMode) == 0 ? 4 : cabac.bypass(2, bytes)
      chromaModeIsDerived[i] = code == 4
      chromaModes[i] = chromaMode(code, luma: modes[i])
    }
  }

  /// IntraPredModeY. §8.4.2.
  private func lumaMode(_ x: Int, _ y: Int, isPredicted: Bool, value: Int) -> Int {
    let at = (y / 4) * context.width4 + x / 4
    // Blocks that are not intra have mode DC; so do those above the coding tree block.
    let a = hasLeft(x) && isIntraBlock(x - 1, y) ? Int(context.intraMode[at - 1]) : 1
    let isInside = y & (1 << ctbLog2 - 1) != 0
    let b = isInside && isIntraBlock(x, y - 1) ? Int(context.intraMode[at - context.width4]) : 1
    var (c0, c1, c2) = (0, 0, 0)
    if a == b {
      if a < 2 {
        (c0, c1, c2) = (0, 1, 26)
      } else {
        (c0, c1, c2) = (a, 2 + (a + 29) & 31, 2 + (a - 2 + 1) & 31)
      }
    } else {
      (c0, c1) = (a, b)
      c2 = a != 0 && b != 0 ? 0 : a != 1 && b != 1 ? 1 : 26
    }
    if isPredicted { return value == 0 ? c0 : value == 1 ? c1 : c2 }
    if c0 > c1 { swap(&c0, &c1) }
    if c0 > c2 { swap(&c0, &c2) }
    if c1 > c2 { swap(&c1, &c2) }
    var mode = value
    if mode >= c0 { mode += 1 }
    if mode >= c1 { mode += 1 }
    if mode >= c2 { mode += 1 }
    return mode
  }

  @inline(__always)
  private func isIntraBlock(_ x: Int, _ y: Int) -> Bool {
    context.flags[minCbIndex(x, y)] & BlockFlags.intra != 0
  }

  /// IntraPredModeC. §8.4.3, Tables 8-2 and 8-3.
  private func chromaMode(_ code: Int, luma: Int) -> Int {
    var mode = luma
    switch code {
    case 0: mode = luma == 0 ? 34 : 0
    case 1: mode = luma == 26 ? 34 : 26
    case 2: mode = luma == 10 ? 34 : 10
    case 3: mode = luma == 1 ? 34 : 1
    default: break
    }
    return chromaType == 2 ? Int(IntraTables.mode422[mode]) : mode
  }
}
