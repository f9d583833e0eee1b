// Adding residual to the prediction. ISO/IEC 14496-10:2020 §8.5, §8.6.

import ReelCore

extension MacroblockDecoder {
  /// SP and SI decoding of §8.6 replaces the ordinary residual of this macroblock.
  var usesSwitchingTransform: Bool {
    header.sliceType == .sp
      ? kind & MacroblockKind.inter != 0 : kind & MacroblockKind.switchingIntra != 0
  }

  /// Direction of the DPCM in lossless intra macroblocks: 1 horizontal, 2 vertical, else 0. §8.5.15.
  @inline(__always)
  private func bypassDirection(_ intraMode: Int) -> Int {
    intraMode == 1 ? 1 : intraMode == 0 ? 2 : 0
  }

  /// Residual of 4×4 block `block` (decoding order). `intraMode`: −1 for inter.
  @inline(__always)
  func addResidual4x4(
    _ planeIndex: Int, block: Int, at: Int, stride: Int, intraMode: Int,
    hasSeparateDC: Bool = false
  ) {
    let from = planeIndex &* 256 &+ block &* 16
    if kind & MacroblockKind.switchingIntra != 0 {
      reconstructSwitchingLuma4x4(
        memory.coefficients, from: from, y, at: at, stride: stride, qp: qp, qs: header.qsY,
        switching: true)
      return
    }
    let position =
      planeIndex &* CachePosition.count
      &+ CachePosition.of(raster: Int(ScanTables.blockRaster[block]))
    let count = codedBlockPattern & 15 != 0 ? counts[position] : 0
    let plane = plane(planeIndex)
    let maximum = maximum(planeIndex)
    if transformBypass {
      // The differences of Intra_16x16 run across the whole macroblock, so no block may be left out.
      let direction = bypassDirection(intraMode)
      let raster = ScanTables.blockRaster[block]
      let isContinued = hasSeparateDC && (direction == 1 ? raster & 3 : raster >> 2) > 0
      addBypass(
        memory.coefficients, from: from, size: 4, plane, at: at, stride: stride, maximum: maximum,
        direction: direction, continuing: isContinued)
      return
    }
    if count == 0 && !(hasSeparateDC && memory.coefficients[from] != 0) { return }
    if hasSeparateDC && count == 0 {
      addInverse4x4DC(
        memory.coefficients, from: from, plane, at: at, stride: stride, maximum: maximum)
    } else {
      addInverse4x4(
        memory.coefficients, from: from, plane, at: at, stride: stride, maximum: maximum)
    }
  }

  /// Residual of 8×8 block `block`.
  @inline(__always)
  func addResidual8x8(
    _ planeIndex: Int, block: Int, at: Int, stride: Int, intraMode: Int
  ) {
    guard codedBlockPattern >> block & 1 != 0 else { return }
    let origin =
      planeIndex &* CachePosition.count &+ CachePosition.origin &+ (block >> 1) &* 16
      &+ (block & 1) &* 2
    let count =
      counts[origin] | counts[origin &+ 1] | counts[origin &+ 8] | counts[origin &+ 9]
    guard count != 0 else { return }
    let from = planeIndex &* 256 &+ block &* 64
    let plane = plane(planeIndex)
    if transformBypass {
      addBypass(
        memory.coefficients, from: from, size: 8, plane, at: at, stride: stride,
        maximum: maximum(planeIndex), direction: bypassDirection(intraMode))
    } else {
      addInverse8x8(
        memory.coefficients, from: from, plane, at: at, stride: stride, maximum: maximum(planeIndex)
      )
    }
  }

  /// Intra16x16DCLevel to the DC of each block. §8.5.2, §8.5.10.
  func scaleLumaDC(_ planeIndex: Int) {
    guard codedDC >> planeIndex & 1 != 0 else { return }
    let from = 768 &+ planeIndex &* 16
    if !transformBypass {
      let qp = planeQP(planeIndex)
      let scale = scaling.factors[ScalingTables.offset4x4(list: planeIndex, remainder: qp % 6)]
      inverseLumaDC(memory.coefficients, from: from, scale: scale, qp: qp)
    }
    for block in 0..<16 {
      let raster = Int(ScanTables.blockRaster[block])
      memory.coefficients[planeIndex &* 256 &+ block &* 16] = memory.coefficients[from &+ raster]
      memory.coefficients[from &+ raster] = 0
    }
  }

  /// Luma residual of inter macroblocks, of all planes in 4:4:4. §8.5.1, §8.5.3, §8.5.5.
  func addInterResidual() {
    if usesSwitchingTransform {
      addSwitchingResidual()
      return
    }
    guard codedBlockPattern != 0 else { return }
    if codedBlockPattern & 15 != 0 {
      for planeIndex in 0..<(chromaArrayType == 3 ? 3 : 1) { addInterResidual(planeIndex) }
    }
    if chromaArrayType == 1 || chromaArrayType == 2 { reconstructChromaResidual() }
  }

  private func addInterResidual(_ planeIndex: Int) {
    let origin = position(planeIndex)
    for quarter in 0..<4 where codedBlockPattern >> quarter & 1 != 0 {
      let at = origin.at &+ (quarter >> 1) &* 8 &* origin.stride &+ (quarter & 1) &* 8
      if usesTransform8x8 {
        addResidual8x8(planeIndex, block: quarter, at: at, stride: origin.stride, intraMode: -1)
        continue
      }
      for part in 0..<4 {
        addResidual4x4(
          planeIndex, block: quarter &* 4 &+ part,
          at: at &+ (part >> 1) &* 4 &* origin.stride &+ (part & 1) &* 4, stride: origin.stride,
          intraMode: -1)
      }
    }
  }

  /// Every block of a P macroblock in an SP slice is transformed and quantised anew. §8.6.1.
  private func addSwitchingResidual() {
    let origin = position(0)
    for block in 0..<16 {
      let raster = Int(ScanTables.blockRaster[block])
      reconstructSwitchingLuma4x4(
        memory.coefficients, from: block &* 16, y,
        at: origin.at &+ (raster >> 2) &* 4 &* origin.stride &+ (raster & 3) &* 4,
        stride: origin.stride, qp: qp, qs: header.qsY, switching: header.spForSwitchFlag)
    }
    addSwitchingChroma(switching: header.spForSwitchFlag)
  }

  private func addSwitchingChroma(switching: Bool) {
    guard chromaArrayType == 1 else { return }
    for planeIndex in 1...2 {
      for block in 0..<4 {
        memory.coefficients[planeIndex &* 256 &+ block &* 16] =
          memory.coefficients[768 &+ planeIndex &* 16 &+ block]
        memory.coefficients[768 &+ planeIndex &* 16 &+ block] = 0
      }
      let offset =
        planeIndex == 1 ? parameters.chromaQPIndexOffset : parameters.secondChromaQPIndexOffset
      let origin = position(planeIndex)
      reconstructSwitchingChroma8x8(
        memory.coefficients, from: planeIndex &* 256, plane(planeIndex), at: origin.at,
        stride: origin.stride, qp: ChromaQP.value(lumaQP: qp, offset: offset, bdOffset: 0),
        qs: ChromaQP.value(lumaQP: header.qsY, offset: offset, bdOffset: 0), switching: switching)
    }
  }

  /// Chroma residual of 4:2:0 and 4:2:2. §8.5.4, §8.5.11.
  func reconstructChromaResidual() {
    if kind & MacroblockKind.switchingIntra != 0 {
      addSwitchingChroma(switching: true)
      return
    }
    guard codedBlockPattern >> 4 != 0 else { return }
    let blockCount = chromaArrayType == 1 ? 4 : 8
    for planeIndex in 1...2 {
      if codedDC >> planeIndex & 1 != 0 { scaleChromaDC(planeIndex, blockCount: blockCount) }
      let plane = plane(planeIndex)
      let origin = position(planeIndex)
      for block in 0..<blockCount {
        let from = planeIndex &* 256 &+ block &* 16
        let at = origin.at &+ (block >> 1) &* 4 &* origin.stride &+ (block & 1) &* 4
        let cache =
          planeIndex &* CachePosition.count &+ CachePosition.origin &+ (block >> 1) &* 8 &+ block
          & 1
        let count = codedBlockPattern & 32 != 0 ? counts[cache] : 0
        if transformBypass {
          let mode = kind & MacroblockKind.intraMask == 0 ? -1 : intraChromaMode
          addBypass(
            memory.coefficients, from: from, size: 4, plane, at: at, stride: origin.stride,
            maximum: maximumC, direction: mode == 1 ? 1 : mode == 2 ? 2 : 0,
            continuing: mode == 1 ? block & 1 > 0 : mode == 2 ? block > 1 : false)
          continue
        }
        if count == 0 && memory.coefficients[from] == 0 { continue }
        if count == 0 {
          addInverse4x4DC(
            memory.coefficients, from: from, plane, at: at, stride: origin.stride, maximum: maximumC
          )
        } else {
          addInverse4x4(
            memory.coefficients, from: from, plane, at: at, stride: origin.stride, maximum: maximumC
          )
        }
      }
    }
  }

  private func scaleChromaDC(_ planeIndex: Int, blockCount: Int) {
    let from = 768 &+ planeIndex &* 16
    if !transformBypass {
      let isIntra = kind & MacroblockKind.intraMask != 0
      let list = (isIntra ? 0 : 3) + planeIndex
      let qp = planeQP(planeIndex)
      if blockCount == 4 {
        let scale = scaling.factors[ScalingTables.offset4x4(list: list, remainder: qp % 6)]
        let dc = inverseChromaDC420(
          memory.coefficients[from], memory.coefficients[from &+ 1], memory.coefficients[from &+ 2],
          memory.coefficients[from &+ 3], scale: scale, qp: qp)
        for i in 0..<4 { memory.coefficients[from &+ i] = dc[i] }
      } else {
        // QP′c,dc = QP′c + 3. (8-331)
        let scale = scaling.factors[ScalingTables.offset4x4(list: list, remainder: (qp + 3) % 6)]
        inverseChromaDC422(memory.coefficients, from: from, scale: scale, qpDC: qp + 3)
      }
    }
    for block in 0..<blockCount {
      memory.coefficients[planeIndex &* 256 &+ block &* 16] = memory.coefficients[from &+ block]
      memory.coefficients[from &+ block] = 0
    }
  }
}
