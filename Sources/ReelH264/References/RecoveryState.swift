// Starting to decode at a picture that is no IDR picture. ISO/IEC 14496-10:2020 §D.2.8.

/// Whether pictures can be right after decoding began at a picture that is no IDR picture. §D.2.8.
struct RecoveryState {
  private enum State {
    /// Nothing to start from has come.
    case lost
    /// Right from this frame_num on.
    case until(frameNum: Int)
    /// Right for pictures that follow this order count in output order; the others may refer to
    /// pictures before the start.
    case following(Int)
    case recovered
  }
  private var state = State.lost

  /// True when the picture may refer to pictures that never came. Called for each frame or first
  /// field in decoding order.
  mutating func isSuspect(
    _ header: SliceHeader, _ counts: PictureOrderCounts, _ sequence: SequenceParameterSet,
    point: RecoveryPoint?
  ) -> Bool {
    let count = header.fieldPicFlag ? counts.top : min(counts.top, counts.bottom)
    if header.isIDR { state = .recovered }
    if case .lost = state {
      if let point {
        state = .until(
          frameNum: (header.frameNum + point.recoveryFrameCnt) & (sequence.maxFrameNum - 1))
      } else if header.sliceType.isIntra {
        // No message: a stream that starts with an intra picture is taken to be complete.
        state = .until(frameNum: header.frameNum)
      }
    }
    switch state {
    case .lost: return true
    case .until(let frameNum):
      let passed = (header.frameNum - frameNum) & (sequence.maxFrameNum - 1)
      guard passed < sequence.maxFrameNum / 2 else { return true }
      state = .following(count)
      return false
    case .following(let first): return count < first
    case .recovered: return false
    }
  }

  /// Order counts start again: what comes now follows the start.
  mutating func restartOrder() {
    if case .following = state { state = .recovered }
  }
}
