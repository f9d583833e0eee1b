// Which edges the deblocking filter works on, and how strongly. ISO/IEC 23008-2:2020 §8.7.2.3, §8.7.2.4.

import ReelCore

extension SliceDecoder {
  /// Boundary strengths of the left and upper edge of a transform block (or of a coding block without).
  func setTransformEdges(_ x0: Int, _ y0: Int, _ size: Int) {
    if x0 & 7 == 0 && x0 > 0 && isFiltered(acrossX: x0, y0) {
      setStrengths(context.verticalStrength, x0, y0, size, isVertical: true, isTransform: true)
    }
    if y0 & 7 == 0 && y0 > 0 && isFiltered(acrossY: y0, x0) {
      setStrengths(context.horizontalStrength, x0, y0, size, isVertical: false, isTransform: true)
    }
  }

  /// Edges between the parts of an inter coding unit.
  func setPredictionEdges() {
    let size = 1 << cuLog2
    let second = partition(1, size)
    if second.x > 0 {
      setInner(context.verticalStrength, cuX + second.x, cuY, size, isVertical: true)
    }
    let last = partition(partMode == .quarters ? 2 : 1, size)
    if last.y > 0 {
      setInner(context.horizontalStrength, cuX, cuY + last.y, size, isVertical: false)
    }
  }

  private func setInner(
    _ strengths: borrowing CheckedBuffer<UInt8>, _ x: Int, _ y: Int, _ size: Int, isVertical: Bool
  ) {
    guard (isVertical ? x : y) & 7 == 0 else { return }
    setStrengths(strengths, x, y, size, isVertical: isVertical, isTransform: false)
  }

  /// filterEdgeFlag of a left edge: slices and tiles may forbid it. The block's own slice decides.
  private func isFiltered(acrossX x0: Int, _ y0: Int) -> Bool {
    x0 & (1 << ctbLog2 - 1) != 0 || hasLeftCtb || isFilteredAcross(ctbAddress - 1)
  }

  private func isFiltered(acrossY y0: Int, _ x0: Int) -> Bool {
    y0 & (1 << ctbLog2 - 1) != 0 || hasUpCtb
      || isFilteredAcross(ctbAddress - sequence.widthInCtbs)
  }

  private func isFilteredAcross(_ address: Int) -> Bool {
    if context.slice[address] != sliceNumber && !header.loopFilterAcrossSlices { return false }
    return layout.tileID[address] == layout.tileID[ctbAddress]
      || parameters.loopFilterAcrossTilesEnabled
  }

  /// bS of each four samples of an edge. §8.7.2.4.
  @inline(__always)
  private func setStrengths(
    _ strengths: borrowing CheckedBuffer<UInt8>, _ x0: Int, _ y0: Int, _ size: Int,
    isVertical: Bool, isTransform: Bool
  ) {
    let stepX = isVertical ? 0 : 4
    let stepY = isVertical ? 4 : 0
    let (backX, backY) = isVertical ? (1, 0) : (0, 1)
    var (x, y) = (x0, y0)
    for _ in 0..<size / 4 {
      if x >= width || y >= height { break }
      let q = (y >> 2) &* context.width4 &+ x >> 2
      if isTransform || strengths[q] == 0 {
        let (px, py) = (x &- backX, y &- backY)
        let p = (py >> 2) &* context.width4 &+ px >> 2
        var strength: UInt8 = 0
        if (context.flags[minCbIndex(x, y)] | context.flags[minCbIndex(px, py)])
          & BlockFlags.intra != 0
        {
          strength = 2
        } else if isTransform && context.coded[p] | context.coded[q] != 0 {
          strength = 1
        } else if isMotionEdge(motionAt(px, py), motionAt(x, y)) {
          strength = 1
        }
        strengths[q] = strength
      }
      x &+= stepX
      y &+= stepY
    }
  }

  /// The motion of both sides differs: in pictures, in number of vectors, or by a whole sample.
  private func isMotionEdge(_ p: Motion, _ q: Motion) -> Bool {
    if p == q { return false }
    let pCount = (p.refIdx[0] >= 0 ? 1 : 0) + (p.refIdx[1] >= 0 ? 1 : 0)
    let qCount = (q.refIdx[0] >= 0 ? 1 : 0) + (q.refIdx[1] >= 0 ? 1 : 0)
    guard pCount == qCount else { return true }
    if pCount == 1 {
      let pList = p.refIdx[0] >= 0 ? 0 : 1
      let qList = q.refIdx[0] >= 0 ? 0 : 1
      return p.reference[pList] != q.reference[qList]
        || Self.isFar(p.vector(pList), q.vector(qList))
    }
    let straight = p.reference == q.reference
    let crossed = p.reference[0] == q.reference[1] && p.reference[1] == q.reference[0]
    let isFarStraight =
      Self.isFar(p.vector(0), q.vector(0)) || Self.isFar(p.vector(1), q.vector(1))
    let isFarCrossed =
      Self.isFar(p.vector(0), q.vector(1)) || Self.isFar(p.vector(1), q.vector(0))
    if straight && crossed { return isFarStraight && isFarCrossed }
    if straight { return isFarStraight }
    return crossed ? isFarCrossed : true
  }

  /// Four quarter samples or more apart.
  @inline(__always)
  private static func isFar(_ a: Vector, _ b: Vector) -> Bool {
    abs(Int32(a[0]) - Int32(b[0])) >= 4 || abs(Int32(a[1]) - Int32(b[1])) >= 4
  }
}
