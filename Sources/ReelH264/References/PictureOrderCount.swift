// Decoding of picture order counts. ISO/IEC 14496-10:2020 §8.2.1.

import ReelCore

/// TopFieldOrderCnt and BottomFieldOrderCnt of a picture, and what the next picture needs of them.
/// A field has its own count in both.
struct PictureOrderCounts: Sendable, Hashable {
  var top: Int
  var bottom: Int
  /// PicOrderCntMsb, for type 0.
  var msb = 0
  /// FrameNumOffset, for types 1 and 2.
  var frameNumOffset = 0
}

/// The memory between pictures of §8.2.1.
struct PictureOrderCounter: Sendable, Hashable {
  /// prevPicOrderCntMsb and prevPicOrderCntLsb, of the previous reference picture.
  private var previousMsb = 0
  private var previousLsb = 0
  /// prevFrameNum and prevFrameNumOffset, of the previous picture.
  private var previousFrameNum = 0
  private var previousFrameNumOffset = 0

  /// The counts of the picture whose slices have this header.
  ///
  /// - Throws: `.damaged` when a count leaves −2³¹…2³¹−1.
  func counts(
    of header: SliceHeader, _ sequence: SequenceParameterSet
  ) throws(MediaError) -> PictureOrderCounts {
    let counts: PictureOrderCounts
    switch sequence.picOrderCntType {
    case 0: counts = typeZero(header, sequence)
    case 1: counts = try typeOne(header, sequence)
    default: counts = typeTwo(header, sequence)
    }
    let range = Int(Int32.min)...Int(Int32.max)
    guard range.contains(counts.top), range.contains(counts.bottom) else {
      throw MediaError(
        .damaged, .h264PictureOrderCount, detail: "counts are \(counts.top) and \(counts.bottom)")
    }
    return counts
  }

  /// Takes note of a picture. After memory_management_control_operation 5 `top` is the
  /// TopFieldOrderCnt that is left (tempPicOrderCnt taken off); nil without the operation.
  mutating func advance(
    past header: SliceHeader, _ counts: PictureOrderCounts, topAfterAllUnused top: Int?
  ) {
    if let top {
      previousMsb = 0
      previousLsb = header.bottomFieldFlag ? 0 : top
      previousFrameNum = 0
      previousFrameNumOffset = 0
      return
    }
    if header.isReference {
      previousMsb = counts.msb
      previousLsb = header.picOrderCntLsb
    }
    previousFrameNum = header.frameNum
    previousFrameNumOffset = counts.frameNumOffset
  }

  /// §8.2.1.1.
  private func typeZero(
    _ header: SliceHeader, _ sequence: SequenceParameterSet
  ) -> PictureOrderCounts {
    let lsb = header.picOrderCntLsb
    let maxLsb = sequence.maxPicOrderCntLsb
    let (prevMsb, prevLsb) = header.isIDR ? (0, 0) : (previousMsb, previousLsb)
    var msb = prevMsb
    if lsb < prevLsb && prevLsb - lsb >= maxLsb / 2 {
      msb += maxLsb
    } else if lsb > prevLsb && lsb - prevLsb > maxLsb / 2 {
      msb -= maxLsb
    }
    let count = msb + lsb
    let bottom = header.fieldPicFlag ? count : count + header.deltaPicOrderCntBottom
    return PictureOrderCounts(top: count, bottom: bottom, msb: msb)
  }

  /// FrameNumOffset, (8-6) and (8-11).
  private func frameNumOffset(_ header: SliceHeader, _ sequence: SequenceParameterSet) -> Int {
    if header.isIDR { return 0 }
    return previousFrameNum > header.frameNum
      ? previousFrameNumOffset + sequence.maxFrameNum : previousFrameNumOffset
  }

  /// §8.2.1.2.
  private func typeOne(
    _ header: SliceHeader, _ sequence: SequenceParameterSet
  ) throws(MediaError) -> PictureOrderCounts {
    let offset = frameNumOffset(header, sequence)
    let cycle = sequence.offsetForRefFrame
    var absFrameNum = cycle.isEmpty ? 0 : offset + header.frameNum
    if !header.isReference && absFrameNum > 0 { absFrameNum -= 1 }
    // The offsets are below 2³¹: within this bound no product overflows.
    guard absFrameNum <= Int(Int32.max) else {
      throw MediaError(.damaged, .h264PictureOrderCount, detail: "absFrameNum is \(absFrameNum)")
    }
    var expected = 0
    if absFrameNum > 0 {
      let (cycles, position) = (absFrameNum - 1).quotientAndRemainder(dividingBy: cycle.count)
      expected = cycles * sequence.expectedDeltaPerPicOrderCntCycle
      for i in 0...position { expected += cycle[i] }
    }
    if !header.isReference { expected += sequence.offsetForNonRefPic }
    let top: Int
    let bottom: Int
    if !header.fieldPicFlag {
      top = expected + header.deltaPicOrderCnt0
      bottom = top + sequence.offsetForTopToBottomField + header.deltaPicOrderCnt1
    } else {
      let parity = header.bottomFieldFlag ? sequence.offsetForTopToBottomField : 0
      top = expected + parity + header.deltaPicOrderCnt0
      bottom = top
    }
    return PictureOrderCounts(top: top, bottom: bottom, frameNumOffset: offset)
  }

  /// §8.2.1.3.
  private func typeTwo(
    _ header: SliceHeader, _ sequence: SequenceParameterSet
  ) -> PictureOrderCounts {
    let offset = frameNumOffset(header, sequence)
    let twice = 2 * (offset + header.frameNum)
    let count = header.isIDR ? 0 : header.isReference ? twice : twice - 1
    return PictureOrderCounts(top: count, bottom: count, frameNumOffset: offset)
  }
}
