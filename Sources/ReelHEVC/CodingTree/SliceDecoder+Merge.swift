// Merge candidates. ISO/IEC 23008-2:2020 §6.4.2, §8.5.3.2.2 to §8.5.3.2.5.

import ReelCore

extension SliceDecoder {
  /// The motion of the block that covers a luma position.
  @inline(__always)
  func motionAt(_ x: Int, _ y: Int) -> Motion {
    motion.blocks[(y >> 2) &* motion.width &+ x >> 2]
  }

  /// Availability of a neighbouring prediction block, §6.4.2: its motion, or nil.
  @inline(__always)
  func neighbour(
    _ x: Int, _ y: Int, of block: PredictionBlock, current: Int32
  ) -> Motion? {
    if x >= cuX && y >= cuY && x < cuX + 1 << cuLog2 && y < cuY + 1 << cuLog2 {
      // Of the same coding block: only the second quarter may meet one that is still to come.
      if block.isQuarter && block.partIndex == 1 && cuY + block.h <= y && cuX + block.w > x {
        return nil
      }
    } else if !isAvailable(x, y, current: current) {
      return nil
    }
    let motion = motionAt(x, y)
    return motion.isInter ? motion : nil
  }

  /// Motion of merge candidate `index` of a prediction block.
  func mergeCandidate(
    _ x: Int, _ y: Int, _ w: Int, _ h: Int, partIndex: Int, index: Int
  ) -> Motion {
    // The blocks of an 8×8 coding unit share candidates where the merge level is above 4.
    let isShared = parameters.log2ParMrgLevel > 2 && cuLog2 == 3
    let block =
      isShared
      ? PredictionBlock(x: cuX, y: cuY, w: 8, h: 8, partIndex: 0, isQuarter: false)
      : PredictionBlock(
        x: x, y: y, w: w, h: h, partIndex: partIndex, isQuarter: partMode == .quarters)
    let candidates = memory.candidates.count
    var count = addSpatial(block, wanted: index, isShared: isShared)
    if count > index { return memory.candidates[index] }
    if count < maxNumMergeCand && count < candidates, header.temporalMvpEnabled,
      let temporal = temporalMerge(block)
    {
      memory.candidates[count] = temporal
      count += 1
      if count > index { return temporal }
    }
    if isBSlice && count > 1 && count < maxNumMergeCand {
      count = addCombined(count)
      if count > index { return memory.candidates[index] }
    }
    return zeroCandidate(index - count)
  }

  /// Spatial candidates, §8.5.3.2.3; stops once candidate `wanted` is known.
  private func addSpatial(_ block: PredictionBlock, wanted: Int, isShared: Bool) -> Int {
    let current = zAddress(block.x, block.y)
    let (x, y, w, h) = (block.x, block.y, block.w, block.h)
    let level = parameters.log2ParMrgLevel
    let isSecond = block.partIndex == 1 && !isShared
    func candidate(_ nx: Int, _ ny: Int) -> Motion? {
      if x >> level == nx >> level && y >> level == ny >> level { return nil }
      return neighbour(nx, ny, of: block, current: current)
    }
    var count = 0
    func add(_ motion: Motion) {
      memory.candidates[count] = motion
      count += 1
    }
    let isBesideFirst =
      isSecond && (partMode == .columns || partMode == .columnsLeft || partMode == .columnsRight)
    let a1 = isBesideFirst ? nil : candidate(x - 1, y + h - 1)
    if let a1 { add(a1) }
    let isBelowFirst =
      isSecond && (partMode == .rows || partMode == .rowsUp || partMode == .rowsDown)
    let b1 = isBelowFirst ? nil : candidate(x + w - 1, y - 1)
    if let b1, b1 != a1 { add(b1) }
    if count > wanted { return count }
    if let b0 = candidate(x + w, y - 1), b0 != b1 { add(b0) }
    if count > wanted { return count }
    if let a0 = candidate(x - 1, y + h), a0 != a1 { add(a0) }
    if count < 4, count <= wanted, let b2 = candidate(x - 1, y - 1), b2 != a1, b2 != b1 {
      add(b2)
    }
    return count
  }

  /// The temporal candidate, with refIdx 0. §8.5.3.2.2.
  private func temporalMerge(_ block: PredictionBlock) -> Motion? {
    var motion = Motion.intra
    for list in 0..<(isBSlice ? 2 : 1) {
      if let vector = temporalVector(block, list: list, refIdx: 0) {
        motion.refIdx[list] = 0
        motion.reference[list] = lists[list * 16]
        motion.vectors[2 * list] = vector[0]
        motion.vectors[2 * list + 1] = vector[1]
      }
    }
    return motion.isInter ? motion : nil
  }

  /// l0Cand and l1Cand by combIdx. Table 8-6.
  private static var combinations: InlineArray<12, UInt8> {
    [0x01, 0x10, 0x02, 0x20, 0x12, 0x21, 0x03, 0x30, 0x13, 0x31, 0x23, 0x32]
  }

  /// Combined bi-predictive candidates, §8.5.3.2.4.
  private func addCombined(_ original: Int) -> Int {
    var count = original
    for i in 0..<original * (original - 1) where count < maxNumMergeCand {
      let pair = Self.combinations[i]
      let first = memory.candidates[Int(pair >> 4)]
      let second = memory.candidates[Int(pair & 15)]
      guard first.refIdx[0] >= 0, second.refIdx[1] >= 0 else { continue }
      if first.reference[0] == second.reference[1] && first.vector(0) == second.vector(1) {
        continue
      }
      memory.candidates[count] = Motion(
        vectors: SIMD4(lowHalf: first.vectors.lowHalf, highHalf: second.vectors.highHalf),
        refIdx: SIMD2(first.refIdx[0], second.refIdx[1]),
        reference: SIMD2(first.reference[0], second.reference[1]))
      count += 1
    }
    return count
  }

  /// Zero candidates, §8.5.3.2.5.
  private func zeroCandidate(_ index: Int) -> Motion {
    let references = isBSlice ? min(activeL0, activeL1) : activeL0
    let refIdx = Int8(index < references ? index : 0)
    return Motion(
      vectors: SIMD4(repeating: 0), refIdx: SIMD2(refIdx, isBSlice ? refIdx : -1),
      reference: SIMD2(
        lists[Int(refIdx)], isBSlice ? lists[16 + Int(refIdx)] : -1))
  }
}

/// A prediction block, in luma samples.
struct PredictionBlock {
  let x, y, w, h: Int
  let partIndex: Int
  /// The coding unit has PartMode N×N.
  let isQuarter: Bool
}
