// Filtering one edge in all planes. ISO/IEC 14496-10:2020 §8.7.1, §8.7.2.2.

import ReelCore

/// The macroblock that contains the samples q.
struct FilteredMacroblock {
  let x: Int
  let row: Int
  let index: Int
  let slice: SliceFilterParameters
  let kind: UInt16
  /// Field macroblock of an MBAFF frame.
  let isField: Bool
  /// Intra, or of a switching slice.
  let isIntra: Bool

  init<S>(_ filter: LoopFilter<S>, x: Int, row: Int, index: Int, slice: SliceFilterParameters) {
    self.x = x
    self.row = row
    self.index = index
    self.slice = slice
    kind = filter.context.kind[index]
    isField = kind & MacroblockKind.field != 0
    isIntra = kind & MacroblockKind.intraMask != 0 || slice.isSwitching
  }

  /// The macroblock's first sample and line distance in a plane.
  @inline(__always)
  func origin<S>(_ plane: Int, _ filter: LoopFilter<S>) -> BlockPosition {
    let isLumaSized = plane == 0 || filter.chromaArrayType == 3
    let width = isLumaSized ? 16 : 8
    let height = plane == 0 || filter.chromaArrayType != 1 ? 16 : 8
    let stride = filter.samples(plane).stride
    guard isField else {
      return BlockPosition(at: row &* height &* stride &+ x &* width, stride: stride)
    }
    let line = (row & ~1) &* height &+ row & 1
    return BlockPosition(at: line &* stride &+ x &* width, stride: 2 &* stride)
  }
}

/// α, β and indexA of an edge.
struct EdgeParameters {
  let alpha: Int32
  let beta: Int32
  let indexA: Int
}

extension LoopFilter {
  @inline(__always)
  func samples(_ plane: Int) -> PlaneView<S> { plane == 0 ? y : plane == 1 ? cb : cr }
  @inline(__always)
  func bitDepth(_ plane: Int) -> Int { plane == 0 ? bitDepthY : bitDepthC }

  /// Thresholds from the mean quantiser of both sides. §8.7.2.2.
  func thresholds(_ m: FilteredMacroblock, neighbour: Int, plane: Int) -> EdgeParameters {
    var qpQ = Int(context.qp[m.index])
    var qpP = Int(context.qp[neighbour])
    if plane > 0 {
      let offset = m.slice.chromaQPOffsets[plane &- 1]
      let bdOffset = 6 &* (bitDepthC &- 8)
      qpQ = ChromaQP.value(lumaQP: qpQ, offset: offset, bdOffset: bdOffset)
      qpP = ChromaQP.value(lumaQP: qpP, offset: offset, bdOffset: bdOffset)
    }
    let average = (qpQ &+ qpP &+ 1) >> 1
    let indexA = min(max(average &+ m.slice.filterOffsetA, 0), 51)
    let indexB = min(max(average &+ m.slice.filterOffsetB, 0), 51)
    return EdgeParameters(
      alpha: LoopFilterTables.alpha(indexA), beta: LoopFilterTables.beta(indexB), indexA: indexA)
  }

  /// Filters edge 0…3 of a macroblock in all planes that have it; `neighbour` contains the samples p.
  func filterEdge(
    _ m: FilteredMacroblock, neighbour: Int, edge: Int, isVertical: Bool, _ strengths: UInt32,
    isChromaOnly: Bool = false
  ) {
    guard strengths != 0 else { return }
    for plane in isChromaOnly ? 1..<3 : 0..<(chromaArrayType == 0 ? 1 : 3) {
      let isLumaStyle = plane == 0 || chromaArrayType == 3
      if !isLumaStyle && edge & 1 == 1 && (isVertical || chromaArrayType == 1) { continue }
      let origin = m.origin(plane, self)
      if isVertical {
        let column = isLumaStyle ? edge &* 4 : edge &* 2
        filterColumn(
          m, neighbour: neighbour, plane: plane, at: origin.at &+ column, stride: origin.stride,
          strengths)
      } else {
        let line = isLumaStyle || chromaArrayType == 2 ? edge &* 4 : edge &* 2
        filterRow(
          m, neighbour: neighbour, plane: plane, at: origin.at &+ line &* origin.stride,
          stride: origin.stride, strengths)
      }
    }
  }

  /// A vertical edge of the macroblock's height.
  private func filterColumn(
    _ m: FilteredMacroblock, neighbour: Int, plane: Int, at: Int, stride: Int, _ strengths: UInt32
  ) {
    let t = thresholds(m, neighbour: neighbour, plane: plane)
    guard t.alpha > 0, t.beta > 0 else { return }
    if plane == 0 || chromaArrayType == 3 {
      filterLumaEdge(
        samples(plane), at: at, across: 1, along: stride, linesPerStrength: 4,
        strengths: strengths, alpha: t.alpha, beta: t.beta, indexA: t.indexA,
        bitDepth: bitDepth(plane))
    } else {
      filterChromaEdge(
        samples(plane), at: at, across: 1, along: stride,
        linesPerStrength: chromaArrayType == 2 ? 4 : 2, strengths: strengths, alpha: t.alpha,
        beta: t.beta, indexA: t.indexA, bitDepth: bitDepth(plane))
    }
  }

  /// A horizontal edge of the macroblock's width.
  func filterRow(
    _ m: FilteredMacroblock, neighbour: Int, plane: Int, at: Int, stride: Int, _ strengths: UInt32
  ) {
    let t = thresholds(m, neighbour: neighbour, plane: plane)
    guard t.alpha > 0, t.beta > 0 else { return }
    if plane == 0 || chromaArrayType == 3 {
      filterLumaEdge(
        samples(plane), at: at, across: stride, along: 1, linesPerStrength: 4,
        strengths: strengths, alpha: t.alpha, beta: t.beta, indexA: t.indexA,
        bitDepth: bitDepth(plane))
    } else {
      filterChromaEdge(
        samples(plane), at: at, across: stride, along: 1, linesPerStrength: 2,
        strengths: strengths, alpha: t.alpha, beta: t.beta, indexA: t.indexA,
        bitDepth: bitDepth(plane))
    }
  }
}
