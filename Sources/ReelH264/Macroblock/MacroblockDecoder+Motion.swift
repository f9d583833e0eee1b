// Motion vectors and reference indices: prediction, parsing, storage. ISO/IEC 14496-10:2020 §8.4.1.

import ReelCore

extension MacroblockDecoder {
  @inline(__always)
  var listCount: Int { isBSlice ? 2 : 1 }

  // MARK: Neighbours

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
  private var needsContexts: Bool {
    isCABAC && kind & (MacroblockKind.skip | MacroblockKind.direct) == 0
  }

  // MARK: Prediction

  /// Index of the neighbouring partition C, or D where C is not available. §8.4.1.3.2.
  @inline(__always)
  private func diagonal(_ position: Int, _ width: Int) -> Int {
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
  private func predictPartition(
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

  // MARK: Parsing

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

  // MARK: Storage

  /// See ``PictureContext/divisions``.
  private var division: UInt8 {
    guard partitionShape == 3 else { return UInt8(truncatingIfNeeded: partitionShape) }
    let areSmall = kind & MacroblockKind.direct != 0 || directMask != 0
    if areSmall && !sequence.direct8x8InferenceFlag { return 4 }
    if kind & MacroblockKind.direct != 0 { return 3 }
    for block in 0..<4 where directMask >> block & 1 == 0 && subShapes[block] != 0 { return 4 }
    return 3
  }

  /// Writes the macroblock's motion for neighbours, co-located prediction and the loop filter.
  func storeMotion() {
    let stored = motionBase &+ index
    context.divisions[index] = division
    let hasDifferences = kind & (MacroblockKind.skip | MacroblockKind.direct) == 0
    motion.flags[stored] = isField || header.fieldPicFlag ? MotionField.fieldFlag : 0
    for list in 0..<listCount {
      let base = list &* CachePosition.count &+ CachePosition.origin
      for quarter in 0..<4 {
        let reference = referenceIndices[base &+ (quarter >> 1) &* 16 &+ (quarter & 1) &* 2]
        let identity =
          reference < 0
          ? -1 : references[(referenceSet &* 2 &+ list) &* 32 &+ Int(reference) & 31].identity
        if list == 0 {
          motion.referenceIndices0[stored &* 4 &+ quarter] = reference
          motion.referenceIdentities0[stored &* 4 &+ quarter] = identity
        } else {
          motion.referenceIndices1[stored &* 4 &+ quarter] = reference
          motion.referenceIdentities1[stored &* 4 &+ quarter] = identity
        }
      }
      for row in 0..<4 {
        let cached = base &+ row &* 8
        let block = stored &* 16 &+ row &* 4
        if list == 0 {
          motion.vectors0.copy(from: vectors, at: cached, to: block, count: 4)
        } else {
          motion.vectors1.copy(from: vectors, at: cached, to: block, count: 4)
        }
      }
      if isCABAC { storeDifferences(list: list, at: base, hasDifferences) }
    }
  }

  /// Remembers motion vector differences for the contexts of later macroblocks; none in direct and
  /// skipped ones.
  private func storeDifferences(list: Int, at base: Int, _ hasDifferences: Bool) {
    for row in 0..<4 {
      let block = index &* 16 &+ row &* 4
      if !hasDifferences {
        let blocks = block..<block &+ 4
        if list == 0 {
          context.differences0.fill(blocks, with: .zero)
        } else {
          context.differences1.fill(blocks, with: .zero)
        }
      } else if list == 0 {
        context.differences0.copy(from: differences, at: base &+ row &* 8, to: block, count: 4)
      } else {
        context.differences1.copy(from: differences, at: base &+ row &* 8, to: block, count: 4)
      }
    }
  }

  /// Marks an intra macroblock of a P or B slice: no list is used.
  func storeIntraMotion() {
    storeIntraFlags()
    let stored = motionBase &+ index
    motion.referenceIndices0.fill(stored &* 4..<stored &* 4 &+ 4, with: -1)
    motion.referenceIdentities0.fill(stored &* 4..<stored &* 4 &+ 4, with: -1)
    motion.vectors0.fill(stored &* 16..<stored &* 16 &+ 16, with: .zero)
    if isBSlice {
      motion.referenceIndices1.fill(stored &* 4..<stored &* 4 &+ 4, with: -1)
      motion.referenceIdentities1.fill(stored &* 4..<stored &* 4 &+ 4, with: -1)
      motion.vectors1.fill(stored &* 16..<stored &* 16 &+ 16, with: .zero)
    }
    guard isCABAC else { return }
    context.differences0.fill(index &* 16..<index &* 16 &+ 16, with: .zero)
    if isBSlice { context.differences1.fill(index &* 16..<index &* 16 &+ 16, with: .zero) }
  }

  func storeIntraFlags() {
    motion.flags[motionBase &+ index] =
      MotionField.intraFlag | (isField || header.fieldPicFlag ? MotionField.fieldFlag : 0)
  }
}
