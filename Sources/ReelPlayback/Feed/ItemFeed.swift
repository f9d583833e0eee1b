// Where the data of an item comes from while it is played.

public import ReelCore

/// Where playback of an item stands, and how it goes on from there.
public struct FeedPlayhead: Sendable, Hashable {
  /// Host time.
  public let host: Rational
  /// Item seconds at that time.
  public let itemTime: Rational
  /// Item seconds a host second; 0 while nothing moves.
  public let rate: Rational

  /// A place at a time.
  public init(host: Rational, itemTime: Rational, rate: Rational) {
    (self.host, self.itemTime, self.rate) = (host, itemTime, rate)
  }
}

/// Loads an item's data ahead of its playback, in host time: a streaming session over a network.
///
/// A value that holds everything, so that a copy goes on exactly as the one it was copied from. It runs
/// while its item is current. It is told of the playhead at every change and whenever it says that
/// something is due.
public protocol ItemFeed: Sendable {
  /// The next host time at which something happens of itself; nil when nothing does until the playhead
  /// changes.
  var nextDue: Rational? { get }
  /// What is loaded now.
  var buffer: ItemBuffer { get }
  /// Does everything that is due up to the playhead's time, and goes on from there.
  mutating func follow(_ playhead: FeedPlayhead)
  /// What happened since the last call, oldest first.
  mutating func takeEvents() -> [TimedStreamEvent]
}

/// Something that happened while an item's data was loaded.
public enum StreamEvent: Sendable, Hashable, Codable {
  /// A segment, counted from 0, is asked for in a variant, counted as in its playlist.
  case segmentRequested(segment: Int, variant: Int)
  /// It is there; so many bits a second arrived.
  case segmentLoaded(segment: Int, variant: Int, bitsPerSecond: Int64)
  /// It came too late and was given up.
  case segmentAbandoned(segment: Int, variant: Int)
  /// What is shown changes to another variant.
  case variantSwitched(from: Int, to: Int)
  /// What is loaded, item time.
  case loadedTimeRangesChanged([MediaTimeRange])
  /// The data never comes.
  case failed
}

/// The same with its host time.
public struct TimedStreamEvent: Sendable, Hashable, Codable {
  /// Host time.
  public let host: Rational
  /// What happened.
  public let event: StreamEvent

  /// An event at a time.
  public init(host: Rational, event: StreamEvent) { (self.host, self.event) = (host, event) }
}

extension StreamEvent {
  func write(to object: inout JSONObject) {
    switch self {
    case .segmentRequested(let segment, let variant):
      object.set("event", "segmentRequested")
      object.set("segment", segment)
      object.set("variant", variant)
    case .segmentLoaded(let segment, let variant, let rate):
      object.set("event", "segmentLoaded")
      object.set("segment", segment)
      object.set("variant", variant)
      object.set("bitsPerSecond", Int(clamping: rate))
    case .segmentAbandoned(let segment, let variant):
      object.set("event", "segmentAbandoned")
      object.set("segment", segment)
      object.set("variant", variant)
    case .variantSwitched(let from, let to):
      object.set("event", "variantSwitched")
      object.set("from", from)
      object.set("to", to)
    case .loadedTimeRangesChanged(let ranges):
      object.set("event", "loadedTimeRanges")
      object.set("ranges", ranges.flatMap { [$0.start.seconds, $0.end.seconds] })
    case .failed: object.set("event", "streamFailed")
    }
  }
}
