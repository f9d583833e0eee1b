// Keeping a macroblock's motion for what comes after it. ISO/IEC 14496-10:2020 §8.4.1.2.1, §8.7.2.1.

import ReelCore

extension MacroblockDecoder {
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
    // Direct prediction looks at the motion of the first entry of list 1.
    if directMask != 0 { usedEntries[1] |= 1 }
    let isFieldOfFrame = referenceSet != 0
    for list in 0..<listCount {
      let base = list &* CachePosition.count &+ CachePosition.origin
      for quarter in 0..<4 {
        let reference = referenceIndices[base &+ (quarter >> 1) &* 16 &+ (quarter & 1) &* 2]
        let identity =
          reference < 0
          ? -1 : references[(referenceSet &* 2 &+ list) &* 32 &+ Int(reference) & 31].identity
        if reference >= 0 {
          usedEntries[list] |= 1 &<< UInt32(isFieldOfFrame ? reference >> 1 : reference)
        }
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
