// What a lock screen would show.

public import ReelPlayback
internal import Synchronization

/// What a remote control asks for.
public enum RemoteCommand: Sendable, Hashable {
  /// Plays on.
  case play
  /// Holds the place.
  case pause
  /// Pauses what plays, also between two tracks; else plays on.
  case togglePlayPause
  /// Pauses and goes back to the beginning of the track.
  case stop
  /// The next track of the playlist.
  case nextTrack
  /// The track before.
  case previousTrack
  /// Item seconds.
  case changePlaybackPosition(Double)
  /// A finite rate above 0; any other is told as an error.
  case changePlaybackRate(Float)
}

/// Shows what plays and takes remote commands. Replace it to reach a real one.
public protocol NowPlayingInfoCenterService: AnyObject, Sendable {
  /// Playback has begun: commands go to `callback` from now on.
  func setupNowPlaying(callback: @escaping @Sendable (RemoteCommand) -> Void)
  /// What plays has changed.
  func updateNowPlaying(_ info: NowPlayingInfo)
  /// Playback is over.
  func dismissRemoteCenter()
}

/// Keeps the info as a value to read, and hands on commands that are sent to it.
public final class NowPlayingInfoCenter: NowPlayingInfoCenterService {
  private struct State {
    var info: NowPlayingInfo?
    var callback: (@Sendable (RemoteCommand) -> Void)?
  }
  private let state = Mutex(State())

  /// A center without anything to show.
  public init() {}

  /// What plays; nil while nothing is set up.
  public var info: NowPlayingInfo? { state.withLock { $0.info } }
  /// A player has set it up.
  public var isSetUp: Bool { state.withLock { $0.callback != nil } }

  /// A press on the remote control. Nothing happens while nothing is set up.
  public func send(_ command: RemoteCommand) { state.withLock { $0.callback }?(command) }

  /// Takes commands for a player from now on.
  public func setupNowPlaying(callback: @escaping @Sendable (RemoteCommand) -> Void) {
    state.withLock { $0.callback = callback }
  }

  /// Keeps the info.
  public func updateNowPlaying(_ info: NowPlayingInfo) { state.withLock { $0.info = info } }

  /// Forgets the info and the player.
  public func dismissRemoteCenter() { state.withLock { $0 = State() } }
}
