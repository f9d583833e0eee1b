// The player's rules: inputs in, state and events out.

public import ReelCore

/// The whole player as a value: a queue player and what the contract's commands put around it.
///
/// Inputs carry the host time they happen at; those of one instant are executed in the order given.
/// The value holds everything, so that a saved and restored player goes on exactly as the one it was
/// saved from.
public struct PlayerStateMachine: Sendable, Hashable, Codable {
  public internal(set) var queue = QueuePlayer()
  public internal(set) var presentation = Presentation()
  /// Bounds of the output in pixels.
  public internal(set) var bounds: Rect = .zero
  /// `addVector` and `removeAllVectors` have an effect.
  public internal(set) var isVectorEnabled = false
  /// `startPiP` and `stopPiP` have an effect.
  public internal(set) var isPictureInPictureEnabled = false
  var subtitleRequest: SubtitleRequest = .settings
  var externalSubtitles: String?
  var audioRequest: String?
  var loopDelay: Rational = .zero
  var nextSeekID = 0
  var nextAssetID = 0
  var log: [LogEntry] = []

  /// What the last command or setting said about subtitles.
  enum SubtitleRequest: Sendable, Hashable, Codable {
    case settings
    case off
    case language(String)
  }

  public init() {
    // One item, shown until it is replaced: the contract's player pauses on the last frame and its
    // play button is a replay button there.
    queue.setActionAtItemEnd(.pause, at: .zero)
    queue.setPlaysAgainAtEnd(true, at: .zero)
  }

  /// Host time up to which everything has been done.
  public var now: Rational { queue.now }
  /// The next host time at which something happens of itself.
  public var nextDue: Rational? { queue.nextDue }

  /// Does everything that is due up to and at `host`.
  public mutating func advance(to host: Rational) {
    queue.advance(to: host)
    drainQueue()
  }

  /// What happened since the last call, oldest first.
  public mutating func takeLog() -> [LogEntry] {
    defer { log = [] }
    return log
  }

  /// What is shown at ``now``.
  public var evaluation: Evaluation {
    let item = queue.currentItem
    let location = queue.location
    return Evaluation(
      host: now, asset: item.flatMap { $0.status == .readyToPlay ? $0.asset : nil },
      item: item?.id, pass: location.pass, itemTime: location.item, side: location.side,
      rate: queue.timeControlStatus == .playing && location.phase == .moving ? queue.rate : 0,
      timeControlStatus: queue.timeControlStatus, volume: queue.volume, isMuted: queue.isMuted,
      presentation: presentation)
  }

  // MARK: Telling

  mutating func tell(_ event: PlayerEvent) {
    record(.event(event))
  }

  mutating func record(_ what: LogEntry.What) {
    log.append(
      LogEntry(
        host: now, item: queue.currentItem?.id, pass: queue.pass, itemTime: queue.currentTime,
        what: what))
  }

  /// Takes the queue's events over: those of the contract under its names, all of them for the log.
  mutating func drainQueue() {
    for event in queue.takeEvents() {
      react(to: event)
      log.append(
        LogEntry(
          host: event.host, item: event.item, pass: event.pass, itemTime: event.itemTime,
          what: contractEvent(event.kind).map { .event($0) } ?? .queue(event.kind)))
    }
  }

  private func contractEvent(_ kind: QueueEvent.Kind) -> PlayerEvent? {
    switch kind {
    case .timeControlStatusChanged(.paused, _): .paused
    case .timeControlStatusChanged(.waitingToPlayAtSpecifiedRate, _): .waitingToPlayAtSpecifiedRate
    case .timeControlStatusChanged(.playing, _): .playing
    case .currentItemChanged(nil): .currentItemRemoved
    case .currentItemChanged(let id?): .currentItemChanged(newItem: queue.item(id))
    case .itemStatusChanged(_, let status): .itemStatusChanged(status)
    case .durationChanged(_, let duration): .duration(duration)
    case .volumeChanged(let volume): .volumeChanged(newVolume: volume)
    default: nil
    }
  }

  private mutating func react(to event: QueueEvent) {
    switch event.kind {
    case .itemStatusChanged(_, .readyToPlay), .currentItemChanged: selectMedia()
    default: break
    }
  }
}

/// One line of a player's log.
public struct LogEntry: Sendable, Hashable, Codable {
  public enum What: Sendable, Hashable, Codable {
    /// An event of the contract.
    case event(PlayerEvent)
    /// What the queue tells beyond the contract.
    case queue(QueueEvent.Kind)
    /// The time that is published at an interval, in item seconds.
    case time(Rational)
    /// A command that had no effect, and why.
    case diagnostic(String)
  }
  public let host: Rational
  public let item: ItemID?
  public let pass: Int
  public let itemTime: Rational
  public let what: What
}

extension QueuePlayer {
  /// An item of the queue or a replica by its identity.
  public func item(_ id: ItemID) -> PlayerItem? {
    guard let index = index(of: id) else { return nil }
    return entries[index].id == id ? entries[index] : entries[index].replica(id)
  }
}
