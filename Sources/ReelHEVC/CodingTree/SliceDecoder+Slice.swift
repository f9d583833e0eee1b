// Slice segment data. ISO/IEC 23008-2:2020 §7.3.8.1, §7.3.8.2, §9.3.1.

import ReelCore

extension SliceDecoder {
  /// Decodes all coding tree units of the segment. `finished` is told of each one that is done.
  func decodeSliceData(_ finished: (Int) -> Void) {
    let count = sequence.ctbCount
    var address = Int(layout.rasterToTile[header.segmentAddress])
    let first = address
    cabac.restart(at: header.dataStart, bytes)
    while true {
      ctbAddress = Int(layout.tileToRaster[address])
      ctbX = ctbAddress % sequence.widthInCtbs
      ctbY = ctbAddress / sequence.widthInCtbs
      guard context.slice[ctbAddress] < 0 else {
        return fail(.hevcSliceData, "coding tree unit \(ctbAddress) was there before")
      }
      prepareContexts(isFirst: address == first)
      decodeCodingTreeUnit()
      if hasFault || cabac.overrun {
        context.slice[ctbAddress] = -1
        return fail(.hevcSliceData, "the data ends in coding tree unit \(ctbAddress)")
      }
      let isEnd = cabac.terminate(bytes) == 1
      finished(ctbAddress)
      saveContexts()
      address += 1
      if isEnd {
        save(to: saved.dependent)
        saved.hasDependent = true
        saved.lastQpY = lastQpY
        return
      }
      guard address < count else {
        return fail(.hevcSliceData, "more coding tree units than the picture has")
      }
      startSubstream(before: address)
      if hasFault { return }
    }
  }

  /// end_of_subset_one_bit and byte_alignment() where a tile or a wavefront row ends.
  private func startSubstream(before address: Int) {
    let next = Int(layout.tileToRaster[address])
    let isNewTile = layout.tileID[next] != layout.tileID[ctbAddress]
    let nextX = next % sequence.widthInCtbs
    let isNewRow =
      parameters.entropyCodingSyncEnabled && nextX == Int(layout.tileStartX[nextX])
    guard parameters.tilesEnabled && isNewTile || isNewRow else { return }
    guard cabac.terminate(bytes) == 1 else {
      return fail(.hevcSliceData, "end_of_subset_one_bit is 0")
    }
    cabac.restart(at: cabac.bytePosition, bytes)
  }

  /// Initialisation at the start of a segment, tile or wavefront row. §9.3.1.
  private func prepareContexts(isFirst: Bool) {
    let isTileStart =
      ctbX == Int(layout.tileStartX[ctbX]) && ctbY == Int(layout.tileStartY[ctbY])
    let isRowStart =
      parameters.entropyCodingSyncEnabled && ctbX == Int(layout.tileStartX[ctbX])
    context.slice[ctbAddress] = sliceNumber
    hasLeftCtb = ctbX > 0 && isSameSliceAndTile(ctbAddress - 1)
    hasUpCtb = ctbY > 0 && isSameSliceAndTile(ctbAddress - sequence.widthInCtbs)
    guard isFirst || isTileStart || isRowStart else { return }
    // qPY_PREV of the first quantization group: a dependent segment goes on with its slice's. §8.6.1.
    lastQpY = header.isDependent && !isTileStart && !isRowStart ? saved.lastQpY : header.qp
    if isTileStart {
      initializeContexts()
    } else if isRowStart {
      let aboveRight = ctbAddress - sequence.widthInCtbs + 1
      if ctbY > 0 && ctbX + 1 < sequence.widthInCtbs && isSameSliceAndTile(aboveRight) {
        load(from: saved.wavefront)
      } else {
        initializeContexts()
      }
    } else if header.isDependent && saved.hasDependent {
      load(from: saved.dependent)
    } else {
      initializeContexts()
    }
  }

  @inline(__always)
  func isSameSliceAndTile(_ address: Int) -> Bool {
    context.slice[address] == sliceNumber && layout.tileID[address] == layout.tileID[ctbAddress]
  }

  private func initializeContexts() {
    let type: Int
    switch header.sliceType {
    case .i: type = 0
    case .p: type = header.cabacInit ? 2 : 1
    case .b: type = header.cabacInit ? 1 : 2
    }
    CABACDecoder.initializeContexts(memory.states, initType: type, qp: header.qp)
    memory.states.fill(Context.count..<Context.count + 4, with: 0)
  }

  /// Stores the contexts after the second coding tree unit of a wavefront row. §9.3.2.2 (end).
  private func saveContexts() {
    guard parameters.entropyCodingSyncEnabled, ctbX == Int(layout.tileStartX[ctbX]) + 1 else {
      return
    }
    save(to: saved.wavefront)
  }

  private func save(to buffer: borrowing CheckedBuffer<UInt8>) {
    buffer.copy(from: memory.states, at: 0, to: 0, count: buffer.count)
  }

  private func load(from buffer: borrowing CheckedBuffer<UInt8>) {
    memory.states.copy(from: buffer, at: 0, to: 0, count: buffer.count)
  }

  /// coding_tree_unit().
  private func decodeCodingTreeUnit() {
    let (x, y) = (ctbX << ctbLog2, ctbY << ctbLog2)
    if header.saoLuma || header.saoChroma { parseSampleAdaptiveOffset() }
    decodeCodingQuadtree(x, y, ctbLog2, 0)
  }

  /// coding_quadtree(), §7.3.8.4.
  private func decodeCodingQuadtree(_ x0: Int, _ y0: Int, _ log2Size: Int, _ depth: Int) {
    let size = 1 << log2Size
    var isSplit = log2Size > minCbLog2
    if isSplit && x0 + size <= width && y0 + size <= height {
      isSplit = parseSplitFlag(x0, y0, depth)
    }
    if parameters.cuQpDeltaEnabled && log2Size >= layout.log2MinCuQpDeltaSize {
      isCuQpDeltaCoded = false
      startQuantizationGroup(x0, y0)
    }
    if header.cuChromaQpOffsetEnabled && log2Size >= layout.log2MinCuChromaQpOffsetSize {
      isCuChromaQpOffsetCoded = false
    }
    guard isSplit else { return decodeCodingUnit(x0, y0, log2Size, depth) }
    let half = size / 2
    let (x1, y1) = (x0 + half, y0 + half)
    decodeCodingQuadtree(x0, y0, log2Size - 1, depth + 1)
    if x1 < width && !hasFault { decodeCodingQuadtree(x1, y0, log2Size - 1, depth + 1) }
    if y1 < height && !hasFault { decodeCodingQuadtree(x0, y1, log2Size - 1, depth + 1) }
    if x1 < width && y1 < height && !hasFault {
      decodeCodingQuadtree(x1, y1, log2Size - 1, depth + 1)
    }
  }

  private func parseSplitFlag(_ x0: Int, _ y0: Int, _ depth: Int) -> Bool {
    let at = minCbIndex(x0, y0)
    var increment = 0
    if hasLeft(x0) && Int(context.depth[at - 1]) > depth { increment += 1 }
    if hasUp(y0) && Int(context.depth[at - context.widthInMinCbs]) > depth { increment += 1 }
    return decision(Context.splitCU + increment) == 1
  }

  @inline(__always)
  func minCbIndex(_ x: Int, _ y: Int) -> Int {
    (y >> minCbLog2) &* context.widthInMinCbs &+ x >> minCbLog2
  }

  /// The block at the left of column `x` is available to the current coding unit.
  @inline(__always)
  func hasLeft(_ x: Int) -> Bool { x & (1 << ctbLog2 - 1) != 0 || hasLeftCtb }

  @inline(__always)
  func hasUp(_ y: Int) -> Bool { y & (1 << ctbLog2 - 1) != 0 || hasUpCtb }

  /// The prediction of QpY for a quantization group. §8.6.1.
  private func startQuantizationGroup(_ x: Int, _ y: Int) {
    let mask = 1 << ctbLog2 - 1
    let at = minCbIndex(x, y)
    // Neighbours count inside the coding tree block only.
    let a = x & mask != 0 ? Int(context.qp[at - 1]) : lastQpY
    let b = y & mask != 0 ? Int(context.qp[at - context.widthInMinCbs]) : lastQpY
    predictedQpY = (a + b + 1) >> 1
    qpY = predictedQpY
    chromaQpsAreStale = true
  }

  /// sao(), §7.3.8.3.
  private func parseSampleAdaptiveOffset() {
    let at = ctbAddress * 3
    if hasLeftCtb && decision(Context.saoMerge) == 1 {
      for i in 0..<3 { context.offsets[at + i] = context.offsets[at - 3 + i] }
      return
    }
    if hasUpCtb && decision(Context.saoMerge) == 1 {
      let above = at - 3 * sequence.widthInCtbs
      for i in 0..<3 { context.offsets[at + i] = context.offsets[above + i] }
      return
    }
    for component in 0..<(chromaType == 0 ? 1 : 3) {
      guard component == 0 ? header.saoLuma : header.saoChroma else { continue }
      var offset = SampleAdaptiveOffset()
      if component == 2 {
        offset.type = context.offsets[at + 1].type
        offset.edgeClass = context.offsets[at + 1].edgeClass
      } else if decision(Context.saoType) == 1 {
        offset.type = bypass() == 0 ? 1 : 2
      }
      if offset.type != 0 { parseOffsets(&offset, component) }
      context.offsets[at + component] = offset
    }
  }

  private func parseOffsets(_ offset: inout SampleAdaptiveOffset, _ component: Int) {
    let depth = component == 0 ? bitDepthY : bitDepthC
    let limit = 1 << (min(depth, 10) - 5) - 1
    let scale =
      component == 0 ? parameters.log2SaoOffsetScaleLuma : parameters.log2SaoOffsetScaleChroma
    var values = SIMD4<Int16>(repeating: 0)
    for i in 0..<4 {
      var value = 0
      while value < limit && bypass() == 1 { value += 1 }
      values[i] = Int16(value)
    }
    if offset.type == 1 {
      for i in 0..<4 where values[i] != 0 && bypass() == 1 { values[i] = -values[i] }
      offset.bandPosition = UInt8(cabac.bypass(5, bytes))
    } else {
      values[2] = -values[2]
      values[3] = -values[3]
      if component < 2 { offset.edgeClass = UInt8(cabac.bypass(2, bytes)) }
    }
    // LIMIT: scaled by at most 2⁶, offsets stay below 2¹².
    for i in 0..<4 { values[i] = values[i] &<< Int16(scale) }
    offset.offsets = values
  }
}
