// The deblocking filter. ISO/IEC 23008-2:2020 §8.7.2.

import ReelCore

extension LoopFilters {
  /// Deblocks one row of coding tree blocks: its vertical edges, then its horizontal edges, the upper
  /// edge of the row included. The rows above must have been deblocked.
  func deblock(row: Int) {
    let first = row << (sequence.ctbLog2Size - 2)
    let last = min(first + 1 << (sequence.ctbLog2Size - 2), sequence.height / 4)
    let columns = sequence.width / 4
    for y4 in first..<last {
      for x4 in Swift.stride(from: 2, to: columns, by: 2) {
        let strength = context.verticalStrength[y4 &* context.width4 &+ x4]
        if strength != 0 { filterEdge(x4, y4, Int(strength), isVertical: true) }
      }
    }
    for y4 in Swift.stride(from: max(first, 2), to: last, by: 2) {
      for x4 in 0..<columns {
        let strength = context.horizontalStrength[y4 &* context.width4 &+ x4]
        if strength != 0 { filterEdge(x4, y4, Int(strength), isVertical: false) }
      }
    }
  }

  /// Four luma lines of an edge and what belongs to them of chroma.
  @inline(__always)
  private func filterEdge(_ x4: Int, _ y4: Int, _ strength: Int, isVertical: Bool) {
    let (x, y) = (x4 &* 4, y4 &* 4)
    let shift = sequence.minCbLog2Size
    let q = (y >> shift) &* context.widthInMinCbs &+ x >> shift
    let p =
      isVertical
      ? (y >> shift) &* context.widthInMinCbs &+ (x &- 1) >> shift
      : ((y &- 1) >> shift) &* context.widthInMinCbs &+ x >> shift
    let ctb = (y >> sequence.ctbLog2Size) &* sequence.widthInCtbs &+ x >> sequence.ctbLog2Size
    let number = Int(context.slice[ctb])
    guard number >= 0 && number < slices.count else { return }
    let slice = slices[number]
    let qp = (Int(context.qp[q]) &+ Int(context.qp[p]) &+ 1) >> 1
    var keepsP = false
    var keepsQ = false
    if context.hasUnfilteredBlocks {
      keepsP = context.flags[p] & BlockFlags.unfiltered != 0
      keepsQ = context.flags[q] & BlockFlags.unfiltered != 0
    }
    let beta = Int32(LoopFilterTables.beta[min(max(qp &+ slice.betaOffset, 0), 51)])
    let depth = Int32(truncatingIfNeeded: sequence.bitDepthY)
    let luma = EdgeThresholds(
      beta: beta &<< (depth &- 8),
      tc: Self.tc(qp &+ 2 &* (strength &- 1) &+ slice.tcOffset, depth),
      maximum: 1 &<< depth &- 1, keepsP: keepsP, keepsQ: keepsQ)
    if isVertical {
      EdgeFilter<S>.filterLuma(
        self.y, at: y &* self.y.stride &+ x, across: 1, along: self.y.stride, luma)
    } else {
      EdgeFilter<S>.filterLuma(
        self.y, at: y &* self.y.stride &+ x, across: self.y.stride, along: 1, luma)
    }
    if strength == 2 && sequence.chromaFormatIDC != 0 {
      filterChroma(x, y, qp, slice.tcOffset, isVertical, keepsP, keepsQ)
    }
  }

  @inline(__always)
  private static func tc(_ q: Int, _ depth: Int32) -> Int32 {
    Int32(LoopFilterTables.tc[min(max(q, 0), 53)]) &<< (depth &- 8)
  }

  /// Edges of the 8×8 grid of chroma samples. §8.7.2.5.5.
  private func filterChroma(
    _ x: Int, _ y: Int, _ qp: Int, _ tcOffset: Int, _ isVertical: Bool, _ keepsP: Bool,
    _ keepsQ: Bool
  ) {
    let (shiftX, shiftY) = (sequence.chromaShiftX, sequence.chromaShiftY)
    let (cx, cy) = (x >> shiftX, y >> shiftY)
    guard (isVertical ? cx : cy) & 7 == 0 else { return }
    let lines = isVertical ? 4 >> shiftY : 4 >> shiftX
    let depth = Int32(truncatingIfNeeded: sequence.bitDepthC)
    for component in 1...2 {
      let offset = component == 1 ? parameters.cbQpOffset : parameters.crQpOffset
      let index = qp + offset
      let qpC = sequence.chromaFormatIDC == 1 ? ChromaQP.value(index) : min(index, 51)
      let thresholds = EdgeThresholds(
        beta: 0, tc: Self.tc(qpC + 2 + tcOffset, depth), maximum: 1 << depth - 1, keepsP: keepsP,
        keepsQ: keepsQ)
      let plane = component == 1 ? cb : cr
      EdgeFilter<S>.filterChroma(
        plane, at: cy * plane.stride + cx, across: isVertical ? 1 : plane.stride,
        along: isVertical ? plane.stride : 1, lines: lines, thresholds)
    }
  }
}
