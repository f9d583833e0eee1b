// Motion of the neighbours, gathered around the current macroblock. ISO/IEC 14496-10:2020 §8.4.1.3.2.

import ReelCore

extension MacroblockDecoder {
  /// Fills the caches of vectors and indices with the neighbours' values, adapted to the field mode
  /// of this macroblock (§8.4.1.3.2), and marks this macroblock's blocks as not available yet.
  func fillMotionCaches() {
    for list in 0..<listCount {
      let base = list * CachePosition.count
      for row in 0..<4 {
        let position = base &+ CachePosition.origin &+ row &* 8
        for column in 0..<5 { referenceIndices[position &+ column] = -2 }
      }
      fillRow(top, list: list, at: base &+ CachePosition.origin &- 8)
      if !isMbaff && left0 >= 0 {
        fillLeft(left0, list: list, at: base &+ CachePosition.origin &- 1)
      } else {
        for row in 0..<4 {
          let block = leftRow(row) &* 4 &+ 3
          fillOne(
            left(row), block: block, list: list, at: base &+ CachePosition.origin &- 1 &+ row &* 8)
        }
      }
      fillOne(topRight, block: 12, list: list, at: base &+ CachePosition.origin &- 4)
      fillOne(
        topLeft, block: topLeftRow &* 4 &+ 3, list: list, at: base &+ CachePosition.origin &- 9)
      if hasMixedLeft { fillMixedDiagonals(list: list, at: base &+ CachePosition.origin) }
    }
  }

  /// Beside a pair of the other field mode the neighbour D of the blocks in the first column is not
  /// the A of the row above: Table 6-4 for lines 3, 7 and 11. Kept two columns left of the block.
  private func fillMixedDiagonals(list: Int, at origin: Int) {
    let upper = left0
    for row in 1..<4 {
      let neighbour: Int
      let blockRow: Int
      if isField {
        neighbour = row == 3 ? left1 : upper
        blockRow = row == 2 ? 3 : 1
      } else {
        neighbour = upper &+ widthInMbs
        blockRow = (16 &* (mbY & 1) &+ 4 &* row &- 1) >> 3
      }
      fillOne(
        neighbour, block: blockRow &* 4 &+ 3, list: list, at: origin &+ row &* 8 &- 2)
    }
  }

  /// The right column of the left macroblock, where there is no field mode to adapt to.
  @inline(__always)
  private func fillLeft(_ neighbour: Int, list: Int, at position: Int) {
    let stored = motionBase &+ neighbour
    let block = stored &* 16 &+ 3
    let upper: Int8
    let lower: Int8
    if list == 0 {
      upper = motion.referenceIndices0[stored &* 4 &+ 1]
      lower = motion.referenceIndices0[stored &* 4 &+ 3]
      for row in 0..<4 { vectors[position &+ row &* 8] = motion.vectors0[block &+ row &* 4] }
    } else {
      upper = motion.referenceIndices1[stored &* 4 &+ 1]
      lower = motion.referenceIndices1[stored &* 4 &+ 3]
      for row in 0..<4 { vectors[position &+ row &* 8] = motion.vectors1[block &+ row &* 4] }
    }
    referenceIndices[position] = upper
    referenceIndices[position &+ 8] = upper
    referenceIndices[position &+ 16] = lower
    referenceIndices[position &+ 24] = lower
    guard needsContexts else { return }
    let direct = context.directBlocks[neighbour]
    let upperPositive: UInt8 = upper > 0 && direct & 2 == 0 ? 1 : 0
    let lowerPositive: UInt8 = lower > 0 && direct & 8 == 0 ? 1 : 0
    referencePositive[position] = upperPositive
    referencePositive[position &+ 8] = upperPositive
    referencePositive[position &+ 16] = lowerPositive
    referencePositive[position &+ 24] = lowerPositive
    let difference = neighbour &* 16 &+ 3
    for row in 0..<4 {
      differences[position &+ row &* 8] =
        list == 0
        ? context.differences0[difference &+ row &* 4]
        : context.differences1[difference &+ row &* 4]
    }
  }

  @inline(__always)
  private func fillRow(_ neighbour: Int, list: Int, at position: Int) {
    for column in 0..<4 {
      fillOne(neighbour, block: 12 &+ column, list: list, at: position &+ column)
    }
  }

  /// Copies what a neighbour has for a block into the caches.
  @inline(never)
  private func fillOne(_ neighbour: Int, block: Int, list: Int, at position: Int) {
    guard neighbour >= 0 else {
      referenceIndices[position] = -2
      vectors[position] = .zero
      if needsContexts {
        differences[position] = .zero
        referencePositive[position] = 0
      }
      return
    }
    let quarter = block >> 3 &* 2 &+ (block >> 1) & 1
    let stored = motionBase &+ neighbour
    var reference =
      list == 0
      ? motion.referenceIndices0[stored &* 4 &+ quarter]
      : motion.referenceIndices1[stored &* 4 &+ quarter]
    var vector =
      list == 0 ? motion.vectors0[stored &* 16 &+ block] : motion.vectors1[stored &* 16 &+ block]
    if reference < 0 { vector = .zero }
    let scaling = isMbaff ? fieldScaling(neighbour) : 0
    if scaling > 0 && reference >= 0 {
      reference = reference &<< 1
      vector.y = vector.y / 2
    } else if scaling < 0 && reference >= 0 {
      reference = reference &>> 1
      vector.y = vector.y &* 2
    }
    referenceIndices[position] = reference
    vectors[position] = vector
    guard needsContexts else { return }
    let isDirect = context.directBlocks[neighbour] >> UInt8(quarter) & 1 != 0
    referencePositive[position] = reference > 0 && !isDirect ? 1 : 0
    var difference =
      list == 0
      ? context.differences0[neighbour &* 16 &+ block]
      : context.differences1[neighbour &* 16 &+ block]
    if scaling > 0 { difference.y >>= 1 }
    if scaling < 0 { difference.y = difference.y > 63 ? 127 : difference.y &<< 1 }
    differences[position] = difference
  }

  /// 1: this is a field macroblock and the neighbour is not; −1: the other way; 0: both are alike.
  @inline(__always)
  private func fieldScaling(_ neighbour: Int) -> Int {
    let isFieldNeighbour = isFieldMacroblock(neighbour)
    return isField == isFieldNeighbour ? 0 : isField ? 1 : -1
  }

  /// The contexts of ref_idx and mvd will be asked for: not in skipped and direct macroblocks.
  @inline(__always)
  var needsContexts: Bool {
    isCABAC && kind & (MacroblockKind.skip | MacroblockKind.direct) == 0
  }
}
