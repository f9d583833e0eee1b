// A playlist player as a value. Contract §6.

public import ReelCore

/// The state of a playlist player: one track at a time in a queue of its own, what follows it, and
/// auto-stop.
///
/// Inputs carry their host time, as those of ``QueueStateMachine``. A broken track is told of and
/// stays current: what follows is the caller's choice.
public struct AudioPlayerStateMachine: Sendable, Hashable, Codable {
  /// The player of the current track.
  public internal(set) var queue = QueueStateMachine()
  /// What it was set up with.
  public internal(set) var options: AudioPlayerOptions
  /// All tracks.
  public internal(set) var playlist: [MediaFile] = []
  /// Index of the current track; nil without a playlist.
  public internal(set) var trackIndex: Int?
  /// What it does at ``now``.
  public internal(set) var status: AudioPlayerStatus = .idle
  /// The setting that holds.
  public internal(set) var autoStop: AutoStop = .disable
  /// Replaces the loop types of the tracks; nil: each track's own holds.
  public internal(set) var loopTypeForAll: LoopType?
  /// What plays: any finite rate above 0.
  public internal(set) var playbackRate: Float = 1
  /// What follows when the delay behind a track is over.
  var upNext: UpNext?
  var stopTimer: StopTimer?
  /// Host time the current track was started at.
  var startedAt: Rational = .zero
  var isNowPlayingUp = false
  var nextAssetID = 0
  var events: [TimedAudioEvent] = []
  var actions: [AudioPlayerAction] = []

  struct UpNext: Sendable, Hashable, Codable {
    let host: Rational
    let index: Int
  }

  struct StopTimer: Sendable, Hashable, Codable {
    let start: Rational
    let seconds: Rational
    /// Whole seconds that have been told of.
    var told = 0

    var end: Rational { start + seconds }
    /// The next second, or the end.
    var due: Rational { min(start + Rational(told.addingClamped(1)), end) }
  }

  /// A player without a playlist.
  public init(options: AudioPlayerOptions = AudioPlayerOptions()) {
    self.options = options
    queue.setActionAtItemEnd(.pause, at: .zero)
    let interval = max(options.timeInterval, Rational(1, 1000))
    // An interval of a millisecond and more is always accepted.
    _ = try? queue.addPeriodicTimeObserver(interval: interval, at: .zero)
  }

  /// The session has been asked for.
  public internal(set) var hasSession = false

  /// Asks for the session of the options.
  public mutating func askForSession() {
    hasSession = true
    actions.append(.setSession(options.session))
  }

  /// Host time up to which everything has been done.
  public var now: Rational { queue.now }

  /// The next host time at which something happens of itself; nil when nothing will.
  public var nextDue: Rational? {
    [queue.nextDue, upNext?.host, stopTimer?.due].compactMap(\.self).min()
  }

  /// The current track; nil without a playlist.
  public var currentTrack: MediaFile? {
    trackIndex.flatMap { playlist.indices.contains($0) ? playlist[$0] : nil }
  }

  /// What follows the current track.
  public var loopType: LoopType { loopTypeForAll ?? currentTrack?.loopType ?? .none }

  /// It plays, is about to, or waits between two tracks: there is something to pause.
  public var isOn: Bool { queue.rate != 0 || status == .playing }

  /// What happened since the last call, oldest first.
  public mutating func takeEvents() -> [TimedAudioEvent] {
    defer { events = [] }
    return events
  }

  /// What has to be done outside, oldest first.
  public mutating func takeActions() -> [AudioPlayerAction] {
    defer { actions = [] }
    return actions
  }

  // MARK: Time

  /// Does everything that is due up to and at `host`. At one instant: the track's end, then what
  /// follows it, then auto-stop.
  public mutating func advance(to host: Rational) {
    let target = max(host, now)
    while let due = nextDue, due <= target {
      step(to: due)
    }
    queue.advance(to: target)
    drainQueue()
  }

  private mutating func step(to due: Rational) {
    // One instant of the queue at a time: what the player does about it may change the next.
    if let own = queue.nextDue, own <= due {
      queue.advance(to: max(own, now))
      return drainQueue()
    }
    queue.advance(to: due)
    drainQueue()
    if let next = upNext, next.host <= due {
      upNext = nil
      start(next.index)
    } else if let timer = stopTimer, timer.due <= due {
      tick(timer)
    }
  }

  /// Brings the state to `host` and makes a change.
  mutating func change(at host: Rational, _ body: (inout AudioPlayerStateMachine) -> Void) {
    advance(to: host)
    body(&self)
    drainQueue()
    advance(to: now)
  }

  mutating func tell(_ event: AudioPlayerEvent) {
    events.append(TimedAudioEvent(host: now, event: event))
  }

  mutating func setStatus(_ status: AudioPlayerStatus) {
    guard status != self.status else { return }
    self.status = status
    tell(.didUpdateStatus(status))
  }

  mutating func drainQueue() {
    for event in queue.takeEvents() { react(to: event) }
  }

  private mutating func react(to event: QueueEvent) {
    switch event.kind {
    case .timeControlStatusChanged(.playing, _):
      setStatus(.playing)
      tell(.didStartPlaying)
      updateNowPlaying()
    case .timeControlStatusChanged(.waitingToPlayAtSpecifiedRate, _): setStatus(.loading)
    case .timeControlStatusChanged(.paused, _): updateNowPlaying()
    case .periodicTime(_, let time):
      tell(.didUpdateTime(time, duration: queue.currentItem?.length))
    case .durationChanged: updateNowPlaying()
    case .didPlayToEnd: trackEnded()
    case .itemStatusChanged(let id, .failed):
      guard let failure = queue.item(id)?.failure else { return }
      setStatus(.failed)
      tell(.didHandleError(failure))
    default: break
    }
  }

  // MARK: What follows a track

  private mutating func trackEnded() {
    guard let index = trackIndex else { return }
    tell(.didFinishPlaying(index: index))
    if autoStop == .afterTrackEnd { return finishAutoStop() }
    guard let next = following(index) else { return setStatus(.finished) }
    // No rate makes a second of host time start more than a thousand tracks.
    let earliest = startedAt + QueueStateMachine.shortestTold
    upNext = UpNext(host: max(now + max(options.loopDelay, .zero), earliest), index: next)
  }

  private func following(_ index: Int) -> Int? {
    switch loopType {
    case .oneTrack: index
    case .list: (index + 1) % max(playlist.count, 1)
    case .none: index + 1 < playlist.count ? index + 1 : nil
    }
  }

  /// Starts a track from its beginning: the loaded one again, or another one.
  mutating func start(_ index: Int) {
    guard playlist.indices.contains(index) else { return }
    upNext = nil
    startedAt = now
    let isSame = index == trackIndex && queue.currentItem.map { $0.status != .failed } ?? false
    if isSame {
      queue.seek(to: .zero, tolerance: .zero, id: SeekID(rawValue: 0), at: now)
    } else {
      replaceItem(with: playlist[index])
      trackIndex = index
      tell(.didSwitchToTrack(index: index, playlist[index]))
    }
    setUpNowPlaying()
    if queue.rate == 0 { queue.setRate(playbackRate, at: now) }
    drainQueue()
  }

  /// Loads a track into the queue, in the place of the current one.
  mutating func replaceItem(with file: MediaFile) {
    if let old = queue.currentItem, old.status == .unknown {
      actions.append(.cancelLoading(old.id))
    }
    queue.removeAllItems(at: now)
    let item = queue.makeItem(
      asset: AssetID(rawValue: nextAssetID), source: file.source.description)
    nextAssetID = nextAssetID.addingClamped(1)
    queue.append(item, at: now)
    actions.append(.load(item.id, file.source))
    drainQueue()
  }

  // MARK: Auto-stop

  private mutating func tick(_ timer: StopTimer) {
    if timer.end <= now { return finishAutoStop() }
    stopTimer?.told = timer.told.addingClamped(1)
    tell(.didUpdateAutoStopTime((timer.end - now).seconds))
  }

  private mutating func finishAutoStop() {
    let hadTimer = stopTimer != nil
    stopTimer = nil
    autoStop = .disable
    upNext = nil
    if hadTimer { tell(.didUpdateAutoStopTime(0)) }
    tell(.didUpdateAutoStopType(.disable))
    switch options.actionAfterAutoStop {
    case .pause: performPause()
    case .stop: performStop()
    }
  }
}
