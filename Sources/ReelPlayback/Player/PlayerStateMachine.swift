// The player's rules: inputs in, state, events and actions out.

public import ReelCore

/// What has to be done outside of the player's state.
public enum PlayerAction: Sendable, Hashable, Codable {
  /// Open the source and answer with `itemDidLoad` or `itemDidFail` for this item.
  case load(ItemID, SourceReference)
  /// Nobody waits for this item any more.
  case cancelLoading(ItemID)
  /// The bounds changed: build the shapes of these layers again and answer with `vectorWasBuilt`.
  case buildVectors([String], Rect)
}

/// Ways of the original loop players that are mended here unless asked for. Contract §11.
public struct PlayerCompatibility: OptionSet, Sendable, Hashable, Codable {
  /// Bits.
  public let rawValue: Int
  /// Ways by their bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Settings with the source that is set already change nothing at all.
  public static let sameSourceIsIgnored = PlayerCompatibility(rawValue: 1)
  /// A change of filters tells `paused` and `playing` while playback runs. Nothing pauses.
  public static let filtersTellPause = PlayerCompatibility(rawValue: 2)
}

/// The whole player as a value: a queue and what the contract's commands put around it.
///
/// Inputs carry the host time they happen at; those of one instant are executed in the order given.
/// The value holds everything, so that a saved and restored player goes on exactly as the one it was
/// saved from. What came of the inputs waits in it until it is taken: ``takeLog()``,
/// ``takeBatches()``, ``takeActions()``.
public struct PlayerStateMachine: Sendable, Hashable, Codable {
  /// Items, time and rate.
  public internal(set) var queue = QueueStateMachine()
  /// How the picture looks and sounds.
  public internal(set) var presentation = Presentation()
  /// What was applied last.
  public internal(set) var settings: VideoSettings?
  /// Bounds of the output in pixels.
  public internal(set) var bounds: Rect = .zero
  /// `addVector` and `removeAllVectors` have an effect.
  public internal(set) var isVectorEnabled = false
  /// `startPiP` and `stopPiP` have an effect.
  public internal(set) var isPictureInPictureEnabled = false
  /// The output can show an inset; where it cannot, `startPiP` is an error.
  public internal(set) var isPictureInPictureSupported = true
  /// Ways of the original players that are kept on request.
  public internal(set) var compatibility: PlayerCompatibility = []
  /// The last error.
  public internal(set) var error: VPErrors?
  var subtitleRequest: SubtitleRequest = .settings
  /// Subtitles of a file of their own, where no settings say it; empty for none.
  var externalSubtitles = ""
  var audioRequest: String?
  var loopDelay: Rational = .zero
  var nextSeekID = 0
  var seeks: [CommandSeek] = []
  var nextAssetID = 0
  var publishing: ObserverID?
  /// The time control status that was told of last: another reason to wait is no event of the contract.
  var toldStatus = TimeControlStatus.paused
  /// A player without settings (a scenario) tells everything.
  var log: [LogEntry] = []
  var batcher = EventBatcher()
  var actions: [PlayerAction] = []

  /// A seek that a command asked for and that has not ended.
  struct CommandSeek: Sendable, Hashable, Codable {
    let id: SeekID
    let asked: Rational
    let target: Rational
  }

  /// What the last command or setting said about subtitles.
  enum SubtitleRequest: Sendable, Hashable, Codable {
    case settings
    case off
    case language(String)
  }

  /// A player without settings: commands work, events are only in the log.
  public init() {
    // One item, shown until it is replaced: the contract's player pauses on the last frame and its
    // play button is a replay button there.
    queue.setActionAtItemEnd(.pause, at: .zero)
    queue.setPlaysAgainAtEnd(true, at: .zero)
  }

  /// A player that keeps ways of the original ones.
  public init(compatibility: PlayerCompatibility) {
    self.init()
    self.compatibility = compatibility
  }

  /// Host time up to which everything has been done.
  public var now: Rational { queue.now }

  /// The next host time at which something happens of itself or a batch is delivered.
  public var nextDue: Rational? {
    guard let batch = batcher.due else { return queue.nextDue }
    return min(batch, queue.nextDue ?? batch)
  }

  /// Does everything that is due up to and at `host`.
  public mutating func advance(to host: Rational) {
    let target = max(host, now)
    // Instant by instant, so that what is told is told as it was then, however far the step is.
    while let due = queue.nextDue, due <= target {
      queue.advance(to: due)
      drainQueue()
    }
    queue.advance(to: target)
    batcher.close(upTo: now)
  }

  /// What happened since the last call, oldest first.
  public mutating func takeLog() -> [LogEntry] {
    defer { log = [] }
    return log
  }

  /// The batches of events that were delivered since the last call.
  public mutating func takeBatches() -> [EventBatch] { batcher.take() }

  /// What has to be done outside, oldest first.
  public mutating func takeActions() -> [PlayerAction] {
    defer { actions = [] }
    return actions
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
    deliver(event, at: now)
    record(.event(event))
  }

  /// An error: it is told and kept.
  mutating func fail(_ error: VPErrors) {
    self.error = error
    tell(.error(error))
  }

  /// Takes a line into the log about something that had no effect.
  public mutating func note(_ text: String, at host: Rational) {
    advance(to: host)
    record(.diagnostic(text))
  }

  mutating func record(_ what: LogEntry.What) {
    log.append(
      LogEntry(
        host: now, item: queue.currentItem?.id, pass: queue.pass, itemTime: queue.currentTime,
        what: what))
  }

  private mutating func deliver(_ event: PlayerEvent, at host: Rational) {
    guard settings?.delivers(event) ?? false else { return }
    batcher.add(TimedEvent(host: host, event: event))
  }

  /// Takes the queue's events over: those of the contract under its names, all of them for the log.
  mutating func drainQueue() {
    for event in queue.takeEvents() {
      take(translate(event.kind), of: event)
      if case .timeControlStatusChanged(let status, _) = event.kind { toldStatus = status }
      if case .seekFinished(let id, let isFinished) = event.kind,
        let told = commandSeekFinished(id, isFinished)
      {
        take(.event(told), of: event)
      }
      react(to: event)
    }
  }

  private mutating func take(_ what: LogEntry.What, of event: QueueEvent) {
    if case .event(let told) = what { deliver(told, at: event.host) }
    log.append(
      LogEntry(
        host: event.host, item: event.item, pass: event.pass, itemTime: event.itemTime, what: what))
  }

  private func translate(_ kind: QueueEvent.Kind) -> LogEntry.What {
    switch kind {
    case .timeControlStatusChanged(toldStatus, _): .queue(kind)
    case .timeControlStatusChanged(.paused, _): .event(.paused)
    case .timeControlStatusChanged(.waitingToPlayAtSpecifiedRate, _):
      .event(.waitingToPlayAtSpecifiedRate)
    case .timeControlStatusChanged(.playing, _): .event(.playing)
    case .currentItemChanged(nil): .event(.currentItemRemoved)
    case .currentItemChanged(let item?): .event(.currentItemChanged(newItem: item))
    case .itemStatusChanged(_, let status): .event(.itemStatusChanged(status))
    case .durationChanged(_, let duration): .event(.duration(duration))
    case .volumeChanged(let volume): .event(.volumeChanged(newVolume: volume))
    case .periodicTime(let id, let time) where id == publishing: .time(time)
    default: .queue(kind)
    }
  }

  private mutating func react(to event: QueueEvent) {
    switch event.kind {
    case .itemStatusChanged(_, .readyToPlay), .currentItemChanged: selectMedia()
    case .itemStatusChanged(let id, .failed):
      if let failure = queue.item(id)?.failure { fail(failure) }
    default: break
    }
  }
}
