// What a queue player tells of.

public import ReelCore

/// What a player is about to do, as AVPlayer.TimeControlStatus.
public enum TimeControlStatus: String, Sendable, Hashable, Codable, CaseIterable {
  /// The rate is 0.
  case paused
  /// A rate is set, but playback waits; the reason is told.
  case waitingToPlayAtSpecifiedRate
  /// Time runs, or a delay between two passes does.
  case playing
}

/// Why a player waits, as AVPlayer.WaitingReason.
public enum WaitingReason: String, Sendable, Hashable, Codable, CaseIterable {
  /// The queue is empty.
  case noItemToPlay
  /// The item is being loaded, or a seek is under way.
  case evaluatingBufferingRate
  /// There is not enough data to play on.
  case toMinimizeStalls
}

/// What happens when an item has been played to its end, as AVPlayer.ActionAtItemEnd.
public enum ActionAtItemEnd: String, Sendable, Hashable, Codable, CaseIterable {
  /// The next item becomes current; after the last one the queue is empty.
  case advance
  /// The rate becomes 0; the last picture stays.
  case pause
  /// Time runs on past the end.
  case none
}

/// Identity of a time observer.
public struct ObserverID: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible {
  /// The number.
  public let rawValue: Int
  /// An identity by its number.
  public init(rawValue: Int) { self.rawValue = rawValue }
  public var description: String { "observer \(rawValue)" }
}

/// Identity of a seek, chosen by whoever asks for it.
public struct SeekID: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible {
  /// The number.
  public let rawValue: Int
  /// An identity by its number.
  public init(rawValue: Int) { self.rawValue = rawValue }
  public var description: String { "seek \(rawValue)" }
}

/// Something that happened in a queue player.
public struct QueueEvent: Sendable, Hashable, Codable {
  /// What happened.
  public enum Kind: Sendable, Hashable, Codable {
    /// Status or reason to wait have changed; the reason is nil while it does not wait.
    case timeControlStatusChanged(TimeControlStatus, WaitingReason?)
    /// The rate that is asked for has changed; 0 when paused.
    case rateChanged(Float)
    /// nil: the queue is empty.
    case currentItemChanged(PlayerItem?)
    /// An item of the queue is ready or has failed.
    case itemStatusChanged(ItemID, ItemStatus)
    /// An item's length is known; indefinite for a live stream.
    case durationChanged(ItemID, MediaTime)
    /// Reached its end, forwards or backwards.
    case didPlayToEnd(ItemID)
    /// The time changed other than by playing.
    case timeJumped(ItemID)
    /// Playback has run out of data.
    case playbackStalled(ItemID)
    /// A seek has ended: whether it got there.
    case seekFinished(SeekID, Bool)
    /// Whether the loop can run has changed.
    case looperStatusChanged(LooperStatus)
    /// A pass has begun: times the loop has started its item again.
    case loopCountChanged(Int)
    /// The volume has changed, 0…1.
    case volumeChanged(Float)
    /// The player is silent, or is not any more.
    case mutedChanged(Bool)
    /// A time observer is due, with the item time.
    case periodicTime(ObserverID, Rational)
    /// A time of a boundary observer was reached, in item seconds.
    case boundaryTime(ObserverID, Rational)
  }

  /// When it happened.
  public let host: Rational
  /// What happened.
  public let kind: Kind
  /// The current item, its pass and item time at that instant, after the event.
  public let item: ItemID?
  /// Times the item has started again.
  public let pass: Int
  /// Item seconds.
  public let itemTime: Rational
}
