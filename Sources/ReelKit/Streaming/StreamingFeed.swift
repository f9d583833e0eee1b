// A streaming session beside a player.

public import ReelCore
public import ReelPlayback
public import ReelStreaming

/// Feeds an item from a streaming session: the session's playhead is the player's.
public struct StreamingFeed: ItemFeed {
  /// The session, as far as it has come.
  public private(set) var session: StreamingSession
  private let duration: MediaTime
  /// Host time at which the item became current first.
  private var begin: Rational?
  private var events: [TimedStreamEvent] = []
  private var isFailureTold = false

  /// - Parameter duration: of the item, which the last segment ends at.
  public init(_ session: StreamingSession, duration: MediaTime) {
    (self.session, self.duration) = (session, duration)
  }

  /// When the session does something next.
  public var nextDue: Rational? {
    guard let begin, let due = session.nextDue else { return nil }
    return begin + Rational(due, 1_000_000)
  }

  /// What the session has loaded.
  public var buffer: ItemBuffer {
    let ranges = session.loadedRanges.map { range in
      let end =
        range.upperBound >= session.plan.duration && duration.isNumeric
        ? duration : Self.time(range.upperBound)
      return MediaTimeRange(start: Self.time(range.lowerBound), end: end)
    }
    return ItemBuffer(
      loadedTimeRanges: ranges,
      isPlaybackLikelyToKeepUp: session.buffer > 0 || session.isAllLoaded)
  }

  /// Tells the session where the playhead is.
  public mutating func follow(_ playhead: FeedPlayhead) {
    let origin = begin ?? playhead.host
    begin = origin
    session.follow(
      SessionPlayhead(
        time: Int64(clamping: ((playhead.host - origin) * Rational(1_000_000)).floor),
        position: Int64(clamping: (playhead.itemTime * Rational(1_000_000)).floor),
        rate: playhead.rate))
    for (time, event) in session.takeEvents() {
      guard let told = told(event) else { continue }
      events.append(TimedStreamEvent(host: origin + Rational(time, 1_000_000), event: told))
    }
    if session.hasFailed, !isFailureTold {
      isFailureTold = true
      events.append(TimedStreamEvent(host: playhead.host, event: .failed))
    }
  }

  /// What the session did since the last call, oldest first.
  public mutating func takeEvents() -> [TimedStreamEvent] {
    defer { events = [] }
    return events
  }

  private static func time(_ microseconds: Int64) -> MediaTime {
    MediaTime(value: microseconds, timescale: 1_000_000)
  }

  private func told(_ event: SessionEvent) -> StreamEvent? {
    func variant(_ level: Int) -> Int { session.plan.levels[level].variantIndex }
    return switch event {
    case .request(let segment, let level), .requestedAgain(let segment, let level, _):
      .segmentRequested(segment: segment, variant: variant(level))
    case .loaded(let segment, let level, let rate, _, _):
      .segmentLoaded(segment: segment, variant: variant(level), bitsPerSecond: rate)
    case .abandoned(let segment, let level, _):
      .segmentAbandoned(segment: segment, variant: variant(level))
    case .switched(let from, let to): .variantSwitched(from: variant(from), to: variant(to))
    case .failed: .failed
    case .waiting, .playing, .ended: nil
    }
  }
}
