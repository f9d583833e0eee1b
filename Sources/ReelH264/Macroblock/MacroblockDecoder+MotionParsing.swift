// Reference indices and vectors of partitions: mb_pred(), sub_mb_pred(). ISO/IEC 14496-10:2020 §7.3.5.1, §7.3.5.2.

import ReelCore

extension MacroblockDecoder {
  /// Entries of the list that this macroblock may name: twice as many for MBAFF field macroblocks.
  @inline(__always)
  private func referenceLimit(_ list: Int) -> Int {
    let count = list == 0 ? header.numRefIdxL0Active : header.numRefIdxL1Active
    return isMbaff && isField ? count * 2 : count
  }

  /// ref_idx_lX of the partition at a cache position; −1 after a fault.
  private func readReference(list: Int, at position: Int) -> Int8 {
    let limit = referenceLimit(list)
    guard limit > 1 else { return 0 }
    let value =
      isCABAC
      ? readReferenceIndexCABAC(list: list, at: position)
      : bits.readTE(maximum: limit - 1, memory.bytes)
    guard value >= 0 && value < limit else {
      fail(.macroblockReference, "ref_idx_l\(list) \(value) of \(limit)")
      return 0
    }
    return Int8(truncatingIfNeeded: value)
  }

  /// Marks a partition's reference as positive for the contexts of later ones.
  @inline(__always)
  private func setPositive(
    list: Int, at position: Int, width: Int, height: Int, _ reference: Int8
  ) {
    guard isCABAC else { return }
    let value: UInt8 = reference > 0 ? 1 : 0
    let base = list &* CachePosition.count &+ position
    for row in 0..<height {
      for column in 0..<width { referencePositive[base &+ row &* 8 &+ column] = value }
    }
  }

  /// mvd_lX at a cache position (of its list), remembered for the contexts of later ones.
  private func readDifference(at position: Int, width: Int, height: Int) -> MotionVector {
    guard isCABAC else {
      let x = bits.readSE(memory.bytes)
      return MotionVector(
        x: Int16(truncatingIfNeeded: x), y: Int16(truncatingIfNeeded: bits.readSE(memory.bytes)))
    }
    let a = differences[position &- 1]
    let b = differences[position &- 8]
    let x = readDifferenceCABAC(base: 40, sum: Int(a.x) &+ Int(b.x))
    let y = readDifferenceCABAC(base: 47, sum: Int(a.y) &+ Int(b.y))
    let value = SIMD2<UInt8>(
      UInt8(truncatingIfNeeded: min(abs(x), 127)), UInt8(truncatingIfNeeded: min(abs(y), 127)))
    for row in 0..<height {
      for column in 0..<width { differences[position &+ row &* 8 &+ column] = value }
    }
    return MotionVector(x: Int16(truncatingIfNeeded: x), y: Int16(truncatingIfNeeded: y))
  }

  @inline(__always)
  private func clearDifferences(at position: Int, width: Int, height: Int) {
    guard isCABAC else { return }
    for row in 0..<height {
      for column in 0..<width { differences[position &+ row &* 8 &+ column] = .zero }
    }
  }

  /// mb_pred() of 16×16, 16×8 and 8×16 macroblocks. `lists`: two bits a partition, bit X for list X.
  func parsePartitions(lists: Int) {
    let shape = partitionShape
    let partCount = shape == 0 ? 1 : 2
    let width = shape == 2 ? 2 : 4
    let height = shape == 1 ? 2 : 4
    let step = shape == 1 ? 16 : 2
    var references: InlineArray<4, Int8> = [-1, -1, -1, -1]
    for list in 0..<listCount {
      for part in 0..<partCount {
        let position = CachePosition.origin &+ part &* step
        var reference: Int8 = -1
        if lists >> (part &* 2 &+ list) & 1 != 0 {
          reference = readReference(list: list, at: position)
        }
        references[list &* 2 &+ part] = reference
        setPositive(list: list, at: position, width: width, height: height, reference)
      }
    }
    guard !hasFault else { return }
    for list in 0..<listCount {
      for part in 0..<partCount {
        let position = list &* CachePosition.count &+ CachePosition.origin &+ part &* step
        let reference = references[list &* 2 &+ part]
        var vector = MotionVector.zero
        if reference >= 0 {
          vector = predictPartition(position, shape: shape, part: part, reference: reference)
          let difference = readDifference(at: position, width: width, height: height)
          vector.x &+= difference.x
          vector.y &+= difference.y
        } else {
          clearDifferences(at: position, width: width, height: height)
        }
        fill(
          list: list, at: position, width: width, height: height, reference: reference,
          vector: vector)
      }
    }
  }

  /// sub_mb_pred().
  func parseSubmacroblocks(referencesAreZero: Bool) {
    var lists: InlineArray<4, UInt8> = [1, 1, 1, 1]
    for block in 0..<4 {
      if isBSlice {
        let type = isCABAC ? readBipredictiveSubtype() : bits.readUE(memory.bytes)
        guard type <= 12 else {
          fail(.macroblockType, "sub_mb_type \(type)")
          return
        }
        if type == 0 { directMask |= 1 << block }
        subShapes[block] = Self.bipredictiveSubShapes[type]
        lists[block] = Self.bipredictiveSubLists[type]
      } else {
        let type = isCABAC ? readPredictiveSubtype() : bits.readUE(memory.bytes)
        guard type <= 3 else {
          fail(.macroblockType, "sub_mb_type \(type)")
          return
        }
        subShapes[block] = UInt8(type)
      }
    }
    // Vectors of direct blocks come from outside this macroblock, so they can be derived first; they
    // enter the caches in decoding order below.
    var direct = DirectMotion()
    if directMask != 0 { direct = directMotion() }
    var references: InlineArray<8, Int8> = .init(repeating: -1)
    for list in 0..<listCount {
      for block in 0..<4 {
        let position = CachePosition.origin &+ (block >> 1) &* 16 &+ (block & 1) &* 2
        var reference: Int8 = -1
        if lists[block] >> UInt8(list) & 1 != 0 {
          reference = referencesAreZero ? 0 : readReference(list: list, at: position)
        }
        references[list &* 4 &+ block] = reference
        setPositive(list: list, at: position, width: 2, height: 2, reference)
      }
    }
    guard !hasFault else { return }
    for list in 0..<listCount {
      for block in 0..<4 {
        let position =
          list &* CachePosition.count &+ CachePosition.origin &+ (block >> 1) &* 16
          &+ (block & 1) &* 2
        if directMask >> block & 1 != 0 {
          applyDirect(direct, block: block, list: list)
          clearDifferences(at: position, width: 2, height: 2)
          continue
        }
        let reference = references[list &* 4 &+ block]
        guard reference >= 0 else {
          fill(list: list, at: position, width: 2, height: 2, reference: -1, vector: .zero)
          clearDifferences(at: position, width: 2, height: 2)
          continue
        }
        parseSubmacroblock(list: list, at: position, shape: subShapes[block], reference: reference)
      }
    }
  }

  private func parseSubmacroblock(list: Int, at origin: Int, shape: UInt8, reference: Int8) {
    let width = shape >= 2 ? 1 : 2
    let height = shape == 1 || shape == 3 ? 1 : 2
    var row = 0
    while row < 2 {
      var column = 0
      while column < 2 {
        let position = origin &+ row &* 8 &+ column
        var vector = predictVector(position, width: width, reference: reference)
        let difference = readDifference(at: position, width: width, height: height)
        vector.x &+= difference.x
        vector.y &+= difference.y
        fill(
          list: list, at: position, width: width, height: height, reference: reference,
          vector: vector)
        column += width
      }
      row += height
    }
  }

  /// Table 7-18: shapes and lists by sub_mb_type of B macroblocks.
  private static var bipredictiveSubShapes: InlineArray<13, UInt8> {
    [0, 0, 0, 0, 1, 2, 1, 2, 1, 2, 3, 3, 3]
  }
  private static var bipredictiveSubLists: InlineArray<13, UInt8> {
    [0, 1, 2, 3, 1, 1, 2, 2, 3, 3, 1, 2, 3]
  }
}
