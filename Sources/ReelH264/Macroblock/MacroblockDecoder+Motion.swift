// Motion vectors and reference indices: prediction, parsing, storage. ISO/IEC 14496-10:2020 §8.4.1.

import ReelCore

extension MacroblockDecoder {
  @inline(__always)
  var listCount: Int { isBSlice ? 2 : 1 }

  /// Index of the neighbouring partition C, or D where C is not available. §8.4.1.3.2.
  @inline(__always)
  func diagonal(_ position: Int, _ width: Int) -> Int {
    let c = position &- 8 &+ width
    if referenceIndices[c] != -2 { return c }
    let isFirstColumn = position & 7 == CachePosition.origin & 7
    let isFirstRow = position % CachePosition.count < CachePosition.origin &+ 8
    return hasMixedLeft && isFirstColumn && !isFirstRow ? position &- 2 : position &- 9
  }

  /// Median prediction of a partition `width` blocks wide at a cache position. §8.4.1.3.
  func predictVector(_ position: Int, width: Int, reference: Int8) -> MotionVector {
    let a = position &- 1
    let b = position &- 8
    let c = diagonal(position, width)
    let (refA, refB, refC) = (referenceIndices[a], referenceIndices[b], referenceIndices[c])
    let matches =
      (refA == reference ? 1 : 0) &+ (refB == reference ? 1 : 0) &+ (refC == reference ? 1 : 0)
    if matches == 1 {
      return refA == reference ? vectors[a] : refB == reference ? vectors[b] : vectors[c]
    }
    // Where only A is available it stands for B and C as well.
    if matches == 0 && refB == -2 && refC == -2 { return vectors[a] }
    let (va, vb, vc) = (vectors[a], vectors[b], vectors[c])
    return MotionVector(x: median(va.x, vb.x, vc.x), y: median(va.y, vb.y, vc.y))
  }

  @inline(__always)
  private func median(_ a: Int16, _ b: Int16, _ c: Int16) -> Int16 {
    max(min(a, b), min(max(a, b), c))
  }

  /// Directional prediction of 16×8 and 8×16 partitions, else the median. §8.4.1.3.
  func predictPartition(
    _ position: Int, shape: Int, part: Int, reference: Int8
  ) -> MotionVector {
    if shape == 1 {
      let neighbour = part == 0 ? position &- 8 : position &- 1
      if referenceIndices[neighbour] == reference { return vectors[neighbour] }
      return predictVector(position, width: 4, reference: reference)
    }
    if shape == 2 {
      let neighbour = part == 0 ? position &- 1 : diagonal(position, 2)
      if referenceIndices[neighbour] == reference { return vectors[neighbour] }
      return predictVector(position, width: 2, reference: reference)
    }
    return predictVector(position, width: 4, reference: reference)
  }

  /// P_Skip. §8.4.1.1.
  func deriveSkippedMotion() {
    let origin = CachePosition.origin
    let a = origin &- 1
    let b = origin &- 8
    var vector = MotionVector.zero
    let isStill =
      referenceIndices[a] == -2 || referenceIndices[b] == -2
      || (referenceIndices[a] == 0 && vectors[a] == .zero)
      || (referenceIndices[b] == 0 && vectors[b] == .zero)
    if !isStill { vector = predictVector(origin, width: 4, reference: 0) }
    fill(list: 0, at: origin, width: 4, height: 4, reference: 0, vector: vector)
  }

  /// Sets index and vector of a rectangle of blocks in the caches.
  @inline(__always)
  func fill(
    list: Int, at position: Int, width: Int, height: Int, reference: Int8, vector: MotionVector
  ) {
    for row in 0..<height {
      for column in 0..<width {
        let at = position &+ row &* 8 &+ column
        referenceIndices[at] = reference
        vectors[at] = vector
      }
    }
  }
}
