// Prediction units. ISO/IEC 23008-2:2020 §7.3.8.6, §7.3.8.9, §8.5.3.2.1.

import ReelCore

extension SliceDecoder {
  /// The prediction units of a coding unit; returns merge_flag of the first.
  func decodePredictionUnits(_ x0: Int, _ y0: Int, _ size: Int, _ depth: Int) -> Bool {
    let count = partMode == .whole ? 1 : partMode == .quarters ? 4 : 2
    var isFirstMerged = false
    for i in 0..<count where !hasFault {
      let (x, y, w, h) = partition(i, size)
      let isMerged = decision(Context.mergeFlag) == 1
      if i == 0 { isFirstMerged = isMerged }
      if isMerged {
        predictMerged(x0 + x, y0 + y, w, h, partIndex: i, depth: depth)
      } else {
        predictExplicit(x0 + x, y0 + y, w, h, partIndex: i, depth: depth)
      }
    }
    return isFirstMerged
  }

  /// Place and size of a part of the coding unit.
  func partition(_ i: Int, _ size: Int) -> (x: Int, y: Int, w: Int, h: Int) {
    let (half, quarter) = (size / 2, size / 4)
    switch partMode {
    case .whole: return (0, 0, size, size)
    case .rows: return (0, i * half, size, half)
    case .columns: return (i * half, 0, half, size)
    case .quarters: return ((i & 1) * half, (i >> 1) * half, half, half)
    case .rowsUp: return i == 0 ? (0, 0, size, quarter) : (0, quarter, size, size - quarter)
    case .rowsDown:
      return i == 0 ? (0, 0, size, size - quarter) : (0, size - quarter, size, quarter)
    case .columnsLeft: return i == 0 ? (0, 0, quarter, size) : (quarter, 0, size - quarter, size)
    case .columnsRight:
      return i == 0 ? (0, 0, size - quarter, size) : (size - quarter, 0, quarter, size)
    }
  }

  /// A prediction unit in merge mode.
  func predictMerged(_ x: Int, _ y: Int, _ w: Int, _ h: Int, partIndex: Int, depth: Int) {
    var index = 0
    if maxNumMergeCand > 1 && decision(Context.mergeIdx) == 1 {
      index = 1
      while index < maxNumMergeCand - 1 && bypass() == 1 { index += 1 }
    }
    var motion = mergeCandidate(x, y, w, h, partIndex: partIndex, index: index)
    // 8×4 and 4×8 blocks have one prediction. (8-100)
    if w + h == 12 && motion.refIdx[0] >= 0 && motion.refIdx[1] >= 0 {
      motion.refIdx[1] = -1
      motion.reference[1] = -1
      motion.vectors.highHalf = SIMD2(repeating: 0)
    }
    setMotion(x, y, w, h, motion)
    predictInter(x, y, w, h, motion)
  }

  /// A prediction unit with vectors of its own.
  private func predictExplicit(
    _ x: Int, _ y: Int, _ w: Int, _ h: Int, partIndex: Int, depth: Int
  ) {
    let uses = isBSlice ? parseInterPredIdc(w + h, depth) : (true, false)
    var motion = Motion.intra
    var differences = SIMD4<Int32>(repeating: 0)
    var predictors = (0, 0)
    if uses.0 {
      motion.refIdx[0] = parseRefIdx(activeL0)
      differences.lowHalf = parseMvd()
      predictors.0 = decision(Context.mvpFlag)
    }
    if uses.1 {
      motion.refIdx[1] = parseRefIdx(activeL1)
      if !(header.mvdL1Zero && uses.0) { differences.highHalf = parseMvd() }
      predictors.1 = decision(Context.mvpFlag)
    }
    for list in 0..<2 where motion.refIdx[list] >= 0 {
      motion.reference[list] = lists[list * 16 + Int(motion.refIdx[list])]
      let predictor = vectorPredictor(
        x, y, w, h, partIndex: partIndex, list: list, refIdx: Int(motion.refIdx[list]),
        index: list == 0 ? predictors.0 : predictors.1)
      for i in 0..<2 {
        motion.vectors[2 * list + i] = Int16(
          truncatingIfNeeded: Int32(predictor[i]) &+ differences[2 * list + i])
      }
    }
    setMotion(x, y, w, h, motion)
    predictInter(x, y, w, h, motion)
  }

  /// inter_pred_idc: which lists are used. Table 9-47.
  private func parseInterPredIdc(_ sum: Int, _ depth: Int) -> (Bool, Bool) {
    if sum != 12 && decision(Context.interPredIdc + depth) == 1 { return (true, true) }
    return decision(Context.interPredIdc + 4) == 0 ? (true, false) : (false, true)
  }

  private func parseRefIdx(_ count: Int) -> Int8 {
    var value = 0
    while value < count - 1 {
      let bin = value < 2 ? decision(Context.refIdx + value) : bypass()
      if bin == 0 { break }
      value += 1
    }
    return Int8(value)
  }

  /// mvd_coding(), §7.3.8.9.
  private func parseMvd() -> SIMD2<Int32> {
    let isLarger0 = (decision(Context.absMvdGreater0) == 1, decision(Context.absMvdGreater0) == 1)
    let isLarger1 = (
      isLarger0.0 && decision(Context.absMvdGreater1) == 1,
      isLarger0.1 && decision(Context.absMvdGreater1) == 1
    )
    let x = isLarger0.0 ? parseMvdComponent(isLarger1.0) : 0
    let y = isLarger0.1 ? parseMvdComponent(isLarger1.1) : 0
    return SIMD2(x, y)
  }

  private func parseMvdComponent(_ isLarger: Bool) -> Int32 {
    let magnitude = isLarger ? 2 + expGolomb(1) : 1
    let value = Int32(truncatingIfNeeded: min(magnitude, 1 << 16))
    return bypass() == 1 ? -value : value
  }

  private func setMotion(_ x: Int, _ y: Int, _ w: Int, _ h: Int, _ value: Motion) {
    var at = (y >> 2) * motion.width + x >> 2
    for _ in 0..<h >> 2 {
      motion.blocks.fill(at..<at + w >> 2, with: value)
      at += motion.width
    }
  }
}
