// Starting to decode at a picture that is no IDR picture, and healing. ISO/IEC 14496-10:2020 §D.2.8.

/// A recovery point on its way: pictures are right from the one on whose frame_num lies `count` behind
/// `frameNum`.
private struct PendingRecovery {
  let frameNum: Int
  let count: Int

  func isReached(_ header: SliceHeader, _ sequence: SequenceParameterSet) -> Bool {
    (header.frameNum - frameNum) & (sequence.maxFrameNum - 1) >= count
  }
}

/// Whether pictures can be right after decoding began at a picture that is no IDR picture. §D.2.8.
struct RecoveryState {
  private enum State {
    /// Nothing to start from has come.
    case lost
    case until(PendingRecovery)
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
    let count = counts.earliest(header)
    if header.isIDR { state = .recovered }
    if case .lost = state {
      if let point {
        state = .until(
          PendingRecovery(frameNum: header.frameNum, count: point.recoveryFrameCnt))
      } else if header.sliceType.isIntra {
        // No message: a stream that starts with an intra picture is taken to be complete.
        state = .until(PendingRecovery(frameNum: header.frameNum, count: 0))
      }
    }
    switch state {
    case .lost: return true
    case .until(let recovery):
      guard recovery.isReached(header, sequence) else { return true }
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

/// Which damage recovery points have healed. §D.2.8.
struct RecoveryTrust {
  private var pending: [(number: Int, recovery: PendingRecovery)] = []
  private var healed: (number: Int, orderCount: Int)?

  /// LIMIT: recovery points under way at a time; streams have one.
  private static let mostPending = 16

  /// Damage of lesser numbers does not show in the picture; 0 where nothing vouches for it. Called for
  /// each frame or first field in decoding order, with the number that damage in it would have.
  mutating func number(
    _ header: SliceHeader, _ counts: PictureOrderCounts, _ sequence: SequenceParameterSet,
    point: RecoveryPoint?, damageNumber: Int
  ) -> Int {
    if header.isIDR { self = RecoveryTrust() }
    if let point, pending.count < Self.mostPending {
      pending.append(
        (
          damageNumber,
          PendingRecovery(frameNum: header.frameNum, count: point.recoveryFrameCnt)
        ))
    }
    let count = counts.earliest(header)
    while let first = pending.first, first.recovery.isReached(header, sequence) {
      healed = (first.number, count)
      pending.removeFirst()
    }
    guard let healed, count >= healed.orderCount else { return 0 }
    return healed.number
  }

  /// Order counts start again: what comes now follows what came.
  mutating func restartOrder() { healed?.orderCount = .min }
}

extension PictureOrderCounts {
  /// PicOrderCnt of the frame, or the count of the first field.
  fileprivate func earliest(_ header: SliceHeader) -> Int {
    header.fieldPicFlag ? (header.bottomFieldFlag ? bottom : top) : min(top, bottom)
  }
}
