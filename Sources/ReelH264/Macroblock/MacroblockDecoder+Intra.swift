// Reconstruction of intra macroblocks. ISO/IEC 14496-10:2020 §8.3, §8.5.

import ReelCore

/// Which neighbours intra prediction may use.
struct IntraAvailability {
  var left = false
  /// The lower half of the left column; differs from `left` in MBAFF frames only.
  var lowerLeft = false
  var top = false
  var topRight = false
  var topLeft = false
}

extension MacroblockDecoder {
  // MARK: Modes

  /// Fills the neighbours' prediction modes: −1 makes the predicted mode DC. §8.3.1.1.
  func fillIntraModes() {
    for column in 0..<4 {
      intraModes[CachePosition.origin &- 8 &+ column] = neighbourMode(top, block: 12 &+ column)
    }
    for row in 0..<4 {
      intraModes[CachePosition.origin &- 1 &+ row &* 8] =
        neighbourMode(left(row), block: leftRow(row) &* 4 &+ 3)
    }
  }

  private func neighbourMode(_ neighbour: Int, block: Int) -> Int8 {
    guard neighbour >= 0 else { return -1 }
    let kind = context.kind[neighbour]
    if kind & MacroblockKind.intraNxN != 0 {
      // The modes of an SI macroblock count as DC for others where intra is constrained.
      if kind & MacroblockKind.switchingIntra != 0 && parameters.constrainedIntraPredFlag
        && self.kind & MacroblockKind.switchingIntra == 0
      {
        return 2
      }
      return context.intraModes[neighbour &* 16 &+ block]
    }
    return kind & MacroblockKind.inter != 0 && parameters.constrainedIntraPredFlag ? -1 : 2
  }

  func storeIntraModes() {
    for block in 0..<16 {
      context.intraModes[index &* 16 &+ block] = intraModes[CachePosition.of(raster: block)]
    }
  }

  // MARK: Availability

  /// The neighbour's samples may be used. §8.3.1.2.
  private func isUsable(_ neighbour: Int) -> Bool {
    guard neighbour >= 0 else { return false }
    guard parameters.constrainedIntraPredFlag else { return true }
    let kind = context.kind[neighbour]
    if kind & MacroblockKind.intraMask == 0 { return false }
    return kind & MacroblockKind.switchingIntra == 0
      || self.kind & MacroblockKind.switchingIntra != 0
  }

  private func availability() -> IntraAvailability {
    var result = IntraAvailability()
    result.left = isUsable(left0)
    result.lowerLeft = isUsable(left1)
    if isMbaff && parameters.constrainedIntraPredFlag && !isField && left0 >= 0
      && isFieldMacroblock(left0)
    {
      // The column of a frame macroblock beside a field pair comes from both its macroblocks.
      result.left = result.left && isUsable(left0 &+ widthInMbs)
      result.lowerLeft = result.left
    }
    result.top = isUsable(top)
    result.topRight = isUsable(topRight)
    result.topLeft = isUsable(topLeft)
    return result
  }

  // MARK: Reconstruction

  func reconstructIntra() {
    let available = availability()
    let planeCount = chromaArrayType == 3 ? 3 : 1
    for index in 0..<planeCount {
      if kind & MacroblockKind.intra16x16 != 0 {
        reconstruct16x16(index, available)
      } else if usesTransform8x8 {
        reconstruct8x8(index, available)
      } else {
        reconstruct4x4(index, available)
      }
    }
    if chromaArrayType == 1 || chromaArrayType == 2 { reconstructIntraChroma(available) }
  }

  /// Sixteen samples from `at`, widened.
  @inline(__always)
  private func row16(_ plane: PlaneView<S>, _ at: Int) -> SIMD16<UInt16> {
    SIMD16(lowHalf: S.load8(plane, at: at), highHalf: S.load8(plane, at: at &+ 8))
  }

  /// `Intra4x4PredMode` or 8×8 mode may be used with these neighbours; else a fault.
  @inline(__always)
  private func checkMode(_ mode: Int, left: Bool, top: Bool, topLeft: Bool) -> Bool {
    let isPossible =
      switch mode {
      case 0, 3, 7: top
      case 1, 8: left
      case 2: true
      default: top && left && topLeft
      }
    if !isPossible { fail(.macroblockIntraMode, "mode \(mode)") }
    return isPossible
  }

  /// Blocks whose upper right neighbour comes later in decoding order or lies to the right: blkIdx
  /// 3, 5 (first row is asked apart), 7, 11, 13, 15.
  private static var lacksTopRight: UInt16 { 0b1010_1000_1010_1000 }

  private func reconstruct4x4(_ planeIndex: Int, _ available: IntraAvailability) {
    let plane = plane(planeIndex)
    let origin = position(planeIndex)
    let stride = origin.stride
    let depth = bitDepth(planeIndex)
    for block in 0..<16 {
      let raster = Int(ScanTables.blockRaster[block])
      let column = raster & 3
      let row = raster >> 2
      let at = origin.at &+ row &* 4 &* stride &+ column &* 4
      let hasTop = row > 0 || available.top
      let hasLeft = column > 0 || (row < 2 ? available.left : available.lowerLeft)
      let hasTopLeft =
        row == 0
        ? (column == 0 ? available.topLeft : available.top)
        : column > 0 || (row <= 2 ? available.left : available.lowerLeft)
      let hasTopRight =
        row == 0
        ? (column == 3 ? available.topRight : available.top)
        : Self.lacksTopRight >> UInt16(block) & 1 == 0
      let mode = Int(intraModes[CachePosition.of(raster: raster)])
      guard checkMode(mode, left: hasLeft, top: hasTop, topLeft: hasTopLeft) else { return }
      var above = SIMD8<UInt16>(repeating: 0)
      if hasTop {
        above = S.load8(plane, at: at &- stride)
        if !hasTopRight { above.highHalf = SIMD4(repeating: above[3]) }
      }
      var beside = SIMD4<UInt16>(repeating: 0)
      if hasLeft {
        beside = SIMD4(
          UInt16(plane[at &- 1]), UInt16(plane[at &+ stride &- 1]),
          UInt16(plane[at &+ 2 &* stride &- 1]), UInt16(plane[at &+ 3 &* stride &- 1]))
      }
      let corner = hasTopLeft ? UInt16(plane[at &- stride &- 1]) : 0
      predictIntra4x4(
        mode: mode, plane, at: at, stride: stride, top: above, left: beside, topLeft: corner,
        hasTop: hasTop, hasLeft: hasLeft, bitDepth: depth)
      addResidual4x4(planeIndex, block: block, at: at, stride: stride, intraMode: mode)
    }
  }

  private func reconstruct8x8(_ planeIndex: Int, _ available: IntraAvailability) {
    let plane = plane(planeIndex)
    let origin = position(planeIndex)
    let stride = origin.stride
    for block in 0..<4 {
      let column = block & 1
      let row = block >> 1
      let at = origin.at &+ row &* 8 &* stride &+ column &* 8
      let hasTop = row > 0 || available.top
      let hasLeft = column > 0 || (row == 0 ? available.left : available.lowerLeft)
      let hasTopLeft =
        row == 0 ? (column == 0 ? available.topLeft : available.top) : column > 0 || available.left
      let hasTopRight =
        row == 0 ? (column == 0 ? available.top : available.topRight) : column == 0
      let mode = Int(intraModes[CachePosition.origin &+ row &* 16 &+ column &* 2])
      guard checkMode(mode, left: hasLeft, top: hasTop, topLeft: hasTopLeft) else { return }
      var above = SIMD16<UInt16>(repeating: 0)
      if hasTop {
        above.lowHalf = S.load8(plane, at: at &- stride)
        if hasTopRight { above.highHalf = S.load8(plane, at: at &- stride &+ 8) }
      }
      var beside = SIMD8<UInt16>(repeating: 0)
      if hasLeft {
        for i in 0..<8 { beside[i] = UInt16(plane[at &+ i &* stride &- 1]) }
      }
      let corner = hasTopLeft ? UInt16(plane[at &- stride &- 1]) : 0
      predictIntra8x8(
        mode: mode, plane, at: at, stride: stride, top: above, left: beside, topLeft: corner,
        hasTop: hasTop, hasTopRight: hasTopRight, hasLeft: hasLeft, hasTopLeft: hasTopLeft,
        bitDepth: bitDepth(planeIndex))
      addResidual8x8(planeIndex, block: block, at: at, stride: stride, intraMode: mode)
    }
  }

  private func reconstruct16x16(_ planeIndex: Int, _ available: IntraAvailability) {
    let plane = plane(planeIndex)
    let origin = position(planeIndex)
    let stride = origin.stride
    let hasLeft = available.left && available.lowerLeft
    let isPossible =
      switch intra16x16Mode {
      case 0: available.top
      case 1: hasLeft
      case 2: true
      default: available.top && hasLeft && available.topLeft
      }
    guard isPossible else {
      fail(.macroblockIntraMode, "Intra_16x16 mode \(intra16x16Mode)")
      return
    }
    let edge = edge16(plane, origin, available.top, hasLeft, available.topLeft)
    predictIntra16x16(
      mode: intra16x16Mode, plane, at: origin.at, stride: stride, top: edge.top, left: edge.left,
      topLeft: edge.topLeft, hasTop: available.top, hasLeft: hasLeft,
      bitDepth: bitDepth(planeIndex))
    scaleLumaDC(planeIndex)
    for block in 0..<16 {
      let raster = Int(ScanTables.blockRaster[block])
      let at = origin.at &+ (raster >> 2) &* 4 &* stride &+ (raster & 3) &* 4
      addResidual4x4(
        planeIndex, block: block, at: at, stride: stride, intraMode: intra16x16Mode,
        hasSeparateDC: true)
    }
  }

  private func edge16(
    _ plane: PlaneView<S>, _ origin: BlockPosition, _ hasTop: Bool, _ hasLeft: Bool,
    _ hasTopLeft: Bool
  ) -> (top: SIMD16<UInt16>, left: SIMD16<UInt16>, topLeft: UInt16) {
    var left = SIMD16<UInt16>(repeating: 0)
    if hasLeft {
      for i in 0..<16 { left[i] = UInt16(plane[origin.at &+ i &* origin.stride &- 1]) }
    }
    return (
      hasTop ? row16(plane, origin.at &- origin.stride) : SIMD16(repeating: 0), left,
      hasTopLeft ? UInt16(plane[origin.at &- origin.stride &- 1]) : 0
    )
  }

  private func reconstructIntraChroma(_ available: IntraAvailability) {
    let hasLeft = available.left && available.lowerLeft
    let isPossible =
      switch intraChromaMode {
      case 0: true
      case 1: hasLeft
      case 2: available.top
      default: available.top && hasLeft && available.topLeft
      }
    guard isPossible else {
      fail(.macroblockIntraMode, "intra_chroma_pred_mode \(intraChromaMode)")
      return
    }
    let height = chromaArrayType == 1 ? 8 : 16
    for planeIndex in 1...2 {
      let plane = plane(planeIndex)
      let origin = position(planeIndex)
      var left = SIMD16<UInt16>(repeating: 0)
      for i in 0..<height where i < height / 2 ? available.left : available.lowerLeft {
        left[i] = UInt16(plane[origin.at &+ i &* origin.stride &- 1])
      }
      let above =
        available.top
        ? S.load8(plane, at: origin.at &- origin.stride) : SIMD8(repeating: 0)
      let corner =
        available.topLeft ? UInt16(plane[origin.at &- origin.stride &- 1]) : 0
      predictIntraChroma(
        mode: intraChromaMode, plane, at: origin.at, stride: origin.stride, height: height,
        top: above, left: left, topLeft: corner, hasTop: available.top, hasLeft: available.left,
        hasLowerLeft: available.lowerLeft, bitDepth: bitDepthC)
    }
    reconstructChromaResidual()
  }

  // MARK: I_PCM

  /// pcm_sample_luma and pcm_sample_chroma. §7.3.5, §8.3.5.
  func decodePCM() {
    kind |= MacroblockKind.pcm
    context.kind[index] = kind
    previousDeltaQP = 0
    if isCABAC {
      bits.move(toByte: cabac.bytePosition)
    } else {
      bits.alignToByte()
    }
    for planeIndex in 0..<(chromaArrayType == 0 ? 1 : 3) {
      let plane = plane(planeIndex)
      let origin = position(planeIndex)
      let width = 16 >> horizontalShift(planeIndex)
      let height = 16 >> verticalShift(planeIndex)
      let depth = bitDepth(planeIndex)
      for row in 0..<height {
        for column in 0..<width {
          plane[origin.at &+ row &* origin.stride &+ column] = S(
            truncatingIfNeeded: bits.read(depth, memory.bytes))
        }
      }
    }
    if bits.position > input.payload.count * 8 { fail(.sliceTruncated) }
    if isCABAC { cabac.restart(at: bits.position / 8, memory.bytes) }
    storePCM()
  }

  private func storePCM() {
    context.kind[index] = kind
    // To the loop filter QP′Y is 0. §8.7.2.2.
    context.qp[index] = Int8(truncatingIfNeeded: -sequence.qpBdOffsetY)
    context.codedBlocks[index] = 0x72F
    context.intraChromaModes[index] = 0
    context.directBlocks[index] = 0
    context.nonzeroLuma[index] = 0xFFFF
    context.coefficientCounts.fill(index &* 48..<index &* 48 &+ 48, with: 16)
    if header.sliceType.isIntra { storeIntraFlags() } else { storeIntraMotion() }
  }
}
