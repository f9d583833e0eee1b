// Where the current macroblock lies and which macroblocks adjoin it. ISO/IEC 14496-10:2020 §6.4.

import ReelCore

extension MacroblockDecoder {
  /// PicSizeInMbs.
  var macroblockCount: Int { widthInMbs * heightInMbs }

  /// Sets position and index from ``address``. §6.4.1, §6.4.2.
  func locate() {
    if isMbaff {
      let pair = address >> 1
      mbX = pair % widthInMbs
      mbY = pair / widthInMbs * 2 + address & 1
    } else {
      mbX = address % widthInMbs
      mbY = address / widthInMbs
    }
    index = mbY &* widthInMbs &+ mbX
  }

  /// The macroblock is decoded and in this slice.
  @inline(__always)
  func isAvailable(_ neighbour: Int) -> Bool {
    context.slice[neighbour] == sliceNumber
  }

  @inline(__always)
  private func available(_ neighbour: Int, _ condition: Bool) -> Int {
    condition && isAvailable(neighbour) ? neighbour : -1
  }

  @inline(__always)
  func isFieldMacroblock(_ neighbour: Int) -> Bool {
    context.kind[neighbour] & MacroblockKind.field != 0
  }

  /// Derives the neighbours of the current macroblock once its ``isField`` is known.
  func findNeighbours() {
    if isMbaff {
      findNeighboursOfPair()
      return
    }
    let hasLeft = mbX > 0
    let hasTop = mbY > 0
    let above = index &- widthInMbs
    left0 = available(index &- 1, hasLeft)
    left1 = left0
    top = available(above, hasTop)
    topRight = available(above &+ 1, hasTop && mbX &+ 1 < widthInMbs)
    topLeft = available(above &- 1, hasTop && hasLeft)
  }

  /// Table 6-4: neighbours of macroblocks of an MBAFF frame.
  private func findNeighboursOfPair() {
    let isBottom = mbY & 1 != 0
    // Index of the top macroblock of this pair, and of the neighbouring pairs.
    let pair = index &- (isBottom ? widthInMbs : 0)
    let pairA = available(pair &- 1, mbX > 0)
    let above = pair &- 2 &* widthInMbs
    let pairB = available(above, mbY > 1)
    let pairC = available(above &+ 1, mbY > 1 && mbX &+ 1 < widthInMbs)
    let pairD = available(above &- 1, mbY > 1 && mbX > 0)
    findLeft(pairA, isBottom: isBottom)
    topLeftRow = 3
    if !isField && isBottom {
      top = pair
      topRight = -1
      topLeft = pairA
      if pairA >= 0 && isFieldMacroblock(pairA) {
        // Line 15 of the pair is row 7 of its bottom field macroblock.
        topLeft = pairA &+ widthInMbs
        topLeftRow = 1
      }
      return
    }
    // Top frame macroblocks and both field macroblocks look at the pairs above: at the bottom
    // macroblock, but a top field macroblock at the top one of a field pair.
    let wantsTopField = isField && !isBottom
    top = neighbourAbove(pairB, wantsTopField)
    topRight = neighbourAbove(pairC, wantsTopField)
    topLeft = neighbourAbove(pairD, wantsTopField)
  }

  @inline(__always)
  private func neighbourAbove(_ pair: Int, _ wantsTopField: Bool) -> Int {
    guard pair >= 0 else { return -1 }
    return wantsTopField && isFieldMacroblock(pair) ? pair : pair &+ widthInMbs
  }

  private func findLeft(_ pairA: Int, isBottom: Bool) {
    leftRowMap = 0x0302_0100
    hasMixedLeft = false
    guard pairA >= 0 else {
      left0 = -1
      left1 = -1
      return
    }
    let topA = pairA
    let bottomA = pairA &+ widthInMbs
    let isFieldA = isFieldMacroblock(pairA)
    hasMixedLeft = isField != isFieldA
    if !hasMixedLeft {
      left0 = isBottom ? bottomA : topA
      left1 = left0
    } else if isField {
      // A field macroblock beside a frame pair: its upper half adjoins the top macroblock.
      left0 = topA
      left1 = bottomA
      leftRowMap = 0x0200_0200
    } else {
      // A frame macroblock beside a field pair: block rows start on even lines, so on the top field.
      left0 = topA
      left1 = topA
      leftRowMap = isBottom ? 0x0303_0202 : 0x0101_0000
    }
  }

  /// The block row of the left neighbour beside row `row` (0…3).
  @inline(__always)
  func leftRow(_ row: Int) -> Int {
    Int(truncatingIfNeeded: leftRowMap &>> UInt32(truncatingIfNeeded: row &* 8)) & 3
  }

  /// The macroblock left of block row `row` (0…3), or −1.
  @inline(__always)
  func left(_ row: Int) -> Int { row < 2 ? left0 : left1 }

  /// The inferred mb_field_decoding_flag of a pair that does not have one. §7.4.4.
  func inferredFieldFlag() -> Bool {
    let pair = index &- (mbY & 1 != 0 ? widthInMbs : 0)
    if mbX > 0 && isAvailable(pair &- 1) { return isFieldMacroblock(pair &- 1) }
    if mbY > 1 && isAvailable(pair &- 2 &* widthInMbs) {
      return isFieldMacroblock(pair &- 2 &* widthInMbs)
    }
    return false
  }
}
