// A playlist player. Contract §6.

public import ReelCore
public import ReelPlayback
internal import Synchronization

/// Sets the audio session of a device; the default has none and always succeeds.
public protocol AudioSessionService: Sendable {
  /// Sets the session; what it throws is told as `didFailedSetAudioSession` with its description.
  func setSession(_ session: AudioPlayerOptions.Session) throws
}

/// No device, no session.
public struct NoAudioSession: AudioSessionService {
  /// Nothing is set.
  public init() {}
  /// Does nothing and succeeds.
  public func setSession(_ session: AudioPlayerOptions.Session) {}
}

/// What an audio player tells, as methods; all of them have an empty default.
public protocol AudioPlayerDelegate: AnyObject, Sendable {
  /// Time begins to run.
  func didStartPlaying(_ player: AudioPlayer)
  /// Playback was paused.
  func didPause(_ player: AudioPlayer)
  /// Playback was stopped.
  func didStop(_ player: AudioPlayer)
  /// A track has been played to its end.
  func didFinishPlaying(_ player: AudioPlayer, index: Int)
  /// The track's time, at an interval and on jumps, starts and stops; the duration is indefinite while
  /// unknown.
  func didUpdateTime(_ player: AudioPlayer, time: MediaTime, duration: MediaTime)
  /// Another track is current.
  func didSwitchToTrack(_ player: AudioPlayer, index: Int, track: MediaFile)
  /// The status has changed.
  func didUpdateStatus(_ player: AudioPlayer, status: AudioPlayerStatus)
  /// Something failed, with the reason.
  func didHandleError(_ player: AudioPlayer, error: VPErrors)
  /// The session could not be set.
  func didFailedSetAudioSession(_ player: AudioPlayer, reason: String)
  /// What is left until auto-stop, each second.
  func didUpdateAutoStopTime(_ player: AudioPlayer, secondsLeft: Double)
  /// The auto-stop setting has changed; `disable` when it is done.
  func didUpdateAutoStopType(_ player: AudioPlayer, type: AutoStop)
}

extension AudioPlayerDelegate {
  /// Does nothing.
  public func didStartPlaying(_ player: AudioPlayer) {}
  /// Does nothing.
  public func didPause(_ player: AudioPlayer) {}
  /// Does nothing.
  public func didStop(_ player: AudioPlayer) {}
  /// Does nothing.
  public func didFinishPlaying(_ player: AudioPlayer, index: Int) {}
  /// Does nothing.
  public func didUpdateTime(_ player: AudioPlayer, time: MediaTime, duration: MediaTime) {}
  /// Does nothing.
  public func didSwitchToTrack(_ player: AudioPlayer, index: Int, track: MediaFile) {}
  /// Does nothing.
  public func didUpdateStatus(_ player: AudioPlayer, status: AudioPlayerStatus) {}
  /// Does nothing.
  public func didHandleError(_ player: AudioPlayer, error: VPErrors) {}
  /// Does nothing.
  public func didFailedSetAudioSession(_ player: AudioPlayer, reason: String) {}
  /// Does nothing.
  public func didUpdateAutoStopTime(_ player: AudioPlayer, secondsLeft: Double) {}
  /// Does nothing.
  public func didUpdateAutoStopType(_ player: AudioPlayer, type: AutoStop) {}
}

/// The same as closures; each may be nil.
public struct AudioPlayerCallbacks: Sendable {
  /// Time begins to run.
  public var didStartPlaying: (@Sendable () -> Void)?
  /// Playback was paused.
  public var didPause: (@Sendable () -> Void)?
  /// Playback was stopped.
  public var didStop: (@Sendable () -> Void)?
  /// Index of the track.
  public var didFinishPlaying: (@Sendable (Int) -> Void)?
  /// Item time and duration (indefinite while unknown).
  public var didUpdateTime: (@Sendable (MediaTime, MediaTime) -> Void)?
  /// Index and track that is current now.
  public var didSwitchToTrack: (@Sendable (Int, MediaFile) -> Void)?
  /// The new status.
  public var didUpdateStatus: (@Sendable (AudioPlayerStatus) -> Void)?
  /// What failed, with the reason.
  public var didHandleError: (@Sendable (VPErrors) -> Void)?
  /// Why the session could not be set.
  public var didFailedSetAudioSession: (@Sendable (String) -> Void)?
  /// Seconds left.
  public var didUpdateAutoStopTime: (@Sendable (Double) -> Void)?
  /// The setting that holds now.
  public var didUpdateAutoStopType: (@Sendable (AutoStop) -> Void)?
  /// Nothing is set.
  public init() {}
}

/// Plays a list of audio files. Safe to use from any thread; callbacks come one at a time, in order.
public final class AudioPlayer: Sendable {
  private struct Front {
    weak var delegate: (any AudioPlayerDelegate)?
    var callbacks = AudioPlayerCallbacks()
  }
  private let driver: PlayerDriver<AudioPlayerStateMachine>
  private let front = Mutex(Front())
  private let receivers = Subscribers<TimedAudioEvent>()
  private let loader: any SourceLoader
  private let session: any AudioSessionService
  private let nowPlaying: any NowPlayingInfoCenterService

  /// A player without a playlist yet. The session is asked for with the first command.
  public init(
    options: AudioPlayerOptions = AudioPlayerOptions(), clock: any PlayerClock = HostClock(),
    loader: any SourceLoader = FileSourceLoader(),
    nowPlaying: any NowPlayingInfoCenterService = NowPlayingInfoCenter(),
    session: any AudioSessionService = NoAudioSession()
  ) {
    self.loader = loader
    self.session = session
    self.nowPlaying = nowPlaying
    let owner = WeakReference<AudioPlayer>()
    driver = PlayerDriver(AudioPlayerStateMachine(options: options), clock: clock) { output, _ in
      owner.object?.deliver(output)
    }
    owner.set(self)
  }

  /// Receives what happens; not kept alive.
  public var delegate: (any AudioPlayerDelegate)? {
    get { front.withLock { $0.delegate } }
    set { front.withLock { $0.delegate = newValue } }
  }

  /// The same as the delegate, as closures. They are called before it.
  public var callbacks: AudioPlayerCallbacks {
    get { front.withLock { $0.callbacks } }
    set { front.withLock { $0.callbacks = newValue } }
  }

  /// Everything that happens from now on.
  public var events: AsyncStream<TimedAudioEvent> { receivers.stream() }

  /// Calls with everything that happens, in the instant it does.
  @discardableResult
  public func onEvent(_ body: @escaping @Sendable (TimedAudioEvent) -> Void) -> Subscription {
    receivers.add(body)
  }

  /// The state now, as a value.
  public var state: AudioPlayerStateMachine { driver.machine }
  /// What it does now.
  public var status: AudioPlayerStatus { state.status }
  /// All tracks.
  public var playlist: [MediaFile] { state.playlist }
  /// Index of the current track; nil without a playlist.
  public var trackIndex: Int? { state.trackIndex }
  /// The current track; nil without a playlist.
  public var currentTrack: MediaFile? { state.currentTrack }
  /// Time of the current track.
  public var currentTime: MediaTime { MediaTime(state.queue.currentTime) }
  /// Length of the current track; indefinite while unknown.
  public var duration: MediaTime { state.queue.currentItem?.duration ?? .indefinite }
  /// Time runs.
  public var isPlaying: Bool { state.queue.timeControlStatus == .playing }

  // MARK: Telling it

  private func change(_ body: (inout AudioPlayerStateMachine, Rational) -> Void) {
    driver.perform { machine, now in
      if !machine.hasSession {
        // The session is asked for with the first command, when receivers are there.
        machine.askForSession()
      }
      body(&machine, now)
    }
  }

  /// Replaces the playlist; the first track becomes current but does not play.
  public func setPlaylist(_ files: [MediaFile]) { change { $0.setPlaylist(files, at: $1) } }
  /// Plays a track from its beginning. An index outside of the playlist is told as an error.
  public func playTrack(at index: Int) { change { $0.playTrack(at: index, at: $1) } }
  /// The next track; behind the last the first with loop type list, else nothing happens.
  public func playNextTrack() { change { $0.playNextTrack(at: $1) } }
  /// The track before; before the first the last with loop type list, else the first again.
  public func playPreviousTrack() { change { $0.playPreviousTrack(at: $1) } }
  /// Plays on, or the current track again behind its end.
  public func play() { change { $0.play(at: $1) } }
  /// Holds the place. Nothing happens when nothing plays.
  public func pause() { change { $0.pause(at: $1) } }
  /// Pauses and goes back to the beginning of the track.
  public func stop() { change { $0.stop(at: $1) } }

  /// To seconds of the track, clamped; NaN is ignored.
  public func seek(to seconds: Double) {
    guard let time = Rational(simplest: seconds) else { return }
    change { $0.seek(to: time, at: $1) }
  }

  /// Forward by seconds, to the end at most; NaN is ignored.
  public func seekForward(by seconds: Double) {
    guard let step = Rational(simplest: seconds) else { return }
    change { $0.seekForward(by: step, at: $1) }
  }

  /// Backward by seconds, to the start at most; NaN is ignored.
  public func seekBackward(by seconds: Double) {
    guard let step = Rational(simplest: seconds) else { return }
    change { $0.seekBackward(by: step, at: $1) }
  }

  /// A finite rate above 0; any other is told as an error.
  public func setPlaybackRate(to rate: Float) { change { $0.setPlaybackRate(to: rate, at: $1) } }
  /// One loop type for all tracks; nil: each track's own.
  public func setLoopType(_ type: LoopType?) { change { $0.setLoopType(type, at: $1) } }
  /// When to stop of itself; negative or infinite seconds are told as an error.
  public func setAutoStop(_ autoStop: AutoStop) { change { $0.setAutoStop(autoStop, at: $1) } }

  /// What a remote control asks for.
  public func handle(_ command: RemoteCommand) {
    switch command {
    case .play: play()
    case .pause: pause()
    case .togglePlayPause: state.isOn ? pause() : play()
    case .stop: stop()
    case .nextTrack: playNextTrack()
    case .previousTrack: playPreviousTrack()
    case .changePlaybackPosition(let seconds): seek(to: seconds)
    case .changePlaybackRate(let rate): setPlaybackRate(to: rate)
    }
  }

  // MARK: Doing what the machine asks for

  private func deliver(_ output: AudioPlayerStateMachine.Output) {
    switch output {
    case .event(let event): tell(event)
    case .action(.load(let id, let source)): driver.load(source, for: id, with: loader)
    case .action(.cancelLoading): break  // its late answer is ignored
    case .action(.setSession(let wanted)):
      do {
        try session.setSession(wanted)
      } catch {
        let reason = "\(error)"
        change { $0.sessionDidFail(reason, at: $1) }
      }
    case .action(.setUpNowPlaying):
      nowPlaying.setupNowPlaying { [weak self] command in self?.handle(command) }
    case .action(.updateNowPlaying(let info)): nowPlaying.updateNowPlaying(info)
    case .action(.dismissNowPlaying): nowPlaying.dismissRemoteCenter()
    }
  }

  private func tell(_ event: TimedAudioEvent) {
    receivers.send(event)
    let callbacks = callbacks
    let delegate = delegate
    switch event.event {
    case .didStartPlaying:
      callbacks.didStartPlaying?()
      delegate?.didStartPlaying(self)
    case .didPause:
      callbacks.didPause?()
      delegate?.didPause(self)
    case .didStop:
      callbacks.didStop?()
      delegate?.didStop(self)
    case .didFinishPlaying(let index):
      callbacks.didFinishPlaying?(index)
      delegate?.didFinishPlaying(self, index: index)
    case .didUpdateTime(let time, let duration):
      let (time, duration) = (MediaTime(time), duration.map { MediaTime($0) } ?? .indefinite)
      callbacks.didUpdateTime?(time, duration)
      delegate?.didUpdateTime(self, time: time, duration: duration)
    case .didSwitchToTrack(let index, let track):
      callbacks.didSwitchToTrack?(index, track)
      delegate?.didSwitchToTrack(self, index: index, track: track)
    case .didUpdateStatus(let status):
      callbacks.didUpdateStatus?(status)
      delegate?.didUpdateStatus(self, status: status)
    case .didHandleError(let error):
      callbacks.didHandleError?(error)
      delegate?.didHandleError(self, error: error)
    case .didFailedSetAudioSession(let reason):
      callbacks.didFailedSetAudioSession?(reason)
      delegate?.didFailedSetAudioSession(self, reason: reason)
    case .didUpdateAutoStopTime(let seconds):
      callbacks.didUpdateAutoStopTime?(seconds)
      delegate?.didUpdateAutoStopTime(self, secondsLeft: seconds)
    case .didUpdateAutoStopType(let type):
      callbacks.didUpdateAutoStopType?(type)
      delegate?.didUpdateAutoStopType(self, type: type)
    }
  }
}

extension AudioPlayerStateMachine: DrivenMachine {
  enum Output: Sendable {
    case event(TimedAudioEvent)
    case action(AudioPlayerAction)
  }

  mutating func takeOutputs() -> [Output] {
    takeEvents().map { .event($0) } + takeActions().map { .action($0) }
  }
}
