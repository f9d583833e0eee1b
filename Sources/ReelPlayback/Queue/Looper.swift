// Loops over one item of a queue, as AVPlayerLooper.

public import ReelCore

/// Whether a loop can run, as AVPlayerLooper.Status.
public enum LooperStatus: String, Sendable, Hashable, Codable, CaseIterable {
  /// The duration is not known yet.
  case unknown
  /// The passes follow each other.
  case ready
  /// The item failed, has no length, or the range does not lie in it.
  case failed
  /// `disableLooping` was called; the running pass still ends.
  case cancelled
}

/// A loop: its item's replicas take turns, so that each pass has its own current item.
public struct Looper: Sendable, Hashable, Codable {
  /// Where the replicas of a new loop go.
  public enum ItemOrdering: String, Sendable, Hashable, Codable {
    /// At the head of the queue: the loop plays at once.
    case loopingItemsPrecedeExistingItems
    /// At its end: the loop plays when the items before it have ended.
    case loopingItemsFollowExistingItems
  }

  /// The items that take turns, at least three. The template is none of them and is never played.
  public let loopingPlayerItems: [ItemID]
  /// What is repeated, in item time; invalid: the whole item.
  public let timeRange: MediaTimeRange
  /// Host seconds that the last picture is held for between passes, ≥ 0.
  public internal(set) var delay: Rational
  /// Passes in all; nil without end.
  public let passLimit: Int?
  /// Whether it can run.
  public internal(set) var status: LooperStatus = .unknown
  /// Why the status is failed.
  public internal(set) var failure: VPErrors?
  /// `pass` of the motion that counts as the loop's first.
  var basePass = 0

  /// The entry of the queue that stands for all replicas.
  var entry: ItemID { loopingPlayerItems[0] }

  /// Which replica plays in `pass`.
  func replica(in pass: Int) -> ItemID {
    let count = loopingPlayerItems.count
    return loopingPlayerItems[((pass - basePass) % count + count) % count]
  }

  /// Start and end in an item of this length; nil when the range does not lie in it or is empty.
  func range(in length: Rational) -> (start: Rational, end: Rational)? {
    guard timeRange.isValid else { return length.signum > 0 ? (.zero, length) : nil }
    guard let start = Rational(timeRange.start), let end = Rational(timeRange.end),
      start >= .zero, end <= length, start < end
    else { return nil }
    return (start, end)
  }
}

/// What is left of a loop that is over.
public struct FinishedLoop: Sendable, Hashable, Codable {
  /// The items that took turns.
  public let loopingPlayerItems: [ItemID]
  /// Times the item was started again, from 0.
  public let loopCount: Int
  /// Why it failed; nil when it was disabled or its item taken away.
  public let failure: VPErrors?
}
