// What a queue player tells of.

public import ReelCore

/// What a player is about to do, as AVPlayer.TimeControlStatus.
public enum TimeControlStatus: String, Sendable, Hashable, Codable, CaseIterable {
  case paused, waitingToPlayAtSpecifiedRate, playing
}

/// Why a player waits, as AVPlayer.WaitingReason.
public enum WaitingReason: String, Sendable, Hashable, Codable, CaseIterable {
  case noItemToPlay, evaluatingBufferingRate, toMinimizeStalls
}

/// What happens when an item has been played to its end, as AVPlayer.ActionAtItemEnd.
public enum ActionAtItemEnd: String, Sendable, Hashable, Codable, CaseIterable {
  case advance, pause, none
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
    case timeControlStatusChanged(TimeControlStatus, WaitingReason?)
    case rateChanged(Float)
    /// nil: the queue is empty.
    case currentItemChanged(PlayerItem?)
    case itemStatusChanged(ItemID, ItemStatus)
    case durationChanged(ItemID, MediaTime)
    /// Reached its end, forwards or backwards.
    case didPlayToEnd(ItemID)
    /// The time changed other than by playing.
    case timeJumped(ItemID)
    case playbackStalled(ItemID)
    case seekFinished(SeekID, Bool)
    case looperStatusChanged(LooperStatus)
    case loopCountChanged(Int)
    case volumeChanged(Float)
    case mutedChanged(Bool)
    /// A time observer is due, with the item time.
    case periodicTime(ObserverID, Rational)
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
