// What an audio player's playlist holds. Contract §6.

public import ReelCore

/// What follows the end of a track.
public enum LoopType: String, Sendable, Hashable, Codable, CaseIterable {
  /// The next track; after the last one playback stops.
  case none
  /// The same track again.
  case oneTrack
  /// The next track, and after the last one the first.
  case list
}

/// A track of a playlist.
public struct MediaFile: Sendable, Hashable, Codable {
  /// An http(s) or file address, or the name of a resource.
  public var url: String
  /// Title as it is shown.
  public var title: String
  /// Artist as it is shown.
  public var artist: String
  /// Address or name of the cover picture; nil for none.
  public var cover: String?
  /// Holds while this track plays.
  public var loopType: LoopType

  /// A track; resources without an extension are looked for as `.mp3`.
  public init(
    url: String, title: String = "", artist: String = "", cover: String? = nil,
    loopType: LoopType = .none
  ) {
    self.url = url
    self.title = title
    self.artist = artist
    self.cover = cover
    self.loopType = loopType
  }

  /// What has to be loaded; resources without an extension are looked for as `.mp3`.
  public var source: SourceReference { SourceReference(name: url, ext: "mp3") }
}

/// When playback stops of itself.
public enum AutoStop: Sendable, Hashable, Codable {
  /// It does not.
  case disable
  /// When the running track has been played to its end.
  case afterTrackEnd
  /// Host seconds from the instant it is set.
  case after(seconds: Double)
}

/// How an audio player is set up.
public struct AudioPlayerOptions: Sendable, Hashable, Codable {
  /// What is done when auto-stop is due.
  public enum StopAction: String, Sendable, Hashable, Codable {
    /// Keeps the place.
    case pause
    /// Goes back to the beginning of the track.
    case stop
  }

  /// The audio session as a value: what a device is asked for.
  public struct Session: Sendable, Hashable, Codable {
    /// The session's category, such as `playback`.
    public var category: String
    /// The session's mode, such as `default`.
    public var mode: String
    /// A session by category and mode.
    public init(category: String = "playback", mode: String = "default") {
      self.category = category
      self.mode = mode
    }
  }

  /// The now-playing service is kept up to date.
  public var showsNowPlaying: Bool
  /// Pause keeps the place, stop goes back to the beginning.
  public var actionAfterAutoStop: StopAction
  /// What the device is asked for with the first command.
  public var session: Session
  /// Host seconds between the end of a track and what follows it, ≥ 0.
  public var loopDelay: Rational
  /// Item seconds between calls of `didUpdateTime`, at least a millisecond.
  public var timeInterval: Rational

  /// Options; all have defaults.
  public init(
    showsNowPlaying: Bool = true, actionAfterAutoStop: StopAction = .pause,
    session: Session = Session(), loopDelay: Rational = .zero, timeInterval: Rational = .one
  ) {
    self.showsNowPlaying = showsNowPlaying
    self.actionAfterAutoStop = actionAfterAutoStop
    self.session = session
    self.loopDelay = loopDelay
    self.timeInterval = timeInterval
  }
}

/// What a lock screen would show.
public struct NowPlayingInfo: Sendable, Hashable, Codable {
  /// Title of the track.
  public var title: String
  /// Artist of the track.
  public var artist: String
  /// Address or name of the cover; nil for none.
  public var cover: String?
  /// Item seconds; nil while unknown.
  public var duration: Rational?
  /// Item seconds at the instant of the update.
  public var elapsedPlaybackTime: Rational
  /// 0 while paused.
  public var playbackRate: Float
  /// Index of the track.
  public var queueIndex: Int
  /// Tracks in the playlist.
  public var queueCount: Int
}

/// What an audio player does.
public enum AudioPlayerStatus: String, Sendable, Hashable, Codable, CaseIterable {
  /// Nothing has been played of this playlist.
  case idle
  /// It waits for a track to be opened, or for its data.
  case loading
  /// Time runs, or the delay between two tracks does.
  case playing
  /// The place is held.
  case paused
  /// Stopped, at the beginning of the track.
  case stopped
  /// Everything has been played.
  case finished
  /// The track cannot be played.
  case failed
}

/// What an audio player tells; each is also a delegate method and a closure.
public enum AudioPlayerEvent: Sendable, Hashable, Codable {
  /// Time begins to run.
  case didStartPlaying
  /// Playback was paused.
  case didPause
  /// Playback was stopped.
  case didStop
  /// A track has been played to its end.
  case didFinishPlaying(index: Int)
  /// Item seconds, and the length where it is known.
  case didUpdateTime(Rational, duration: Rational?)
  /// Another track is current: its index in the playlist, and the track.
  case didSwitchToTrack(index: Int, MediaFile)
  /// The status has changed.
  case didUpdateStatus(AudioPlayerStatus)
  /// Something failed or was asked for in vain, with the reason.
  case didHandleError(VPErrors)
  /// The session could not be set, with the reason.
  case didFailedSetAudioSession(String)
  /// Seconds left.
  case didUpdateAutoStopTime(Double)
  /// The auto-stop setting has changed; `disable` when it is done.
  case didUpdateAutoStopType(AutoStop)
}

/// An event with its host time.
public struct TimedAudioEvent: Sendable, Hashable, Codable {
  /// When it happened.
  public let host: Rational
  /// What happened.
  public let event: AudioPlayerEvent
}

/// What has to be done outside of the audio player's state.
public enum AudioPlayerAction: Sendable, Hashable, Codable {
  /// Open the source and answer with `itemDidLoad` or `itemDidFail` for this item.
  case load(ItemID, SourceReference)
  /// Nobody waits for this item any more.
  case cancelLoading(ItemID)
  /// Set the audio session; answer with `sessionDidFail` where that fails.
  case setSession(AudioPlayerOptions.Session)
  /// Playback has begun: show it and take remote commands.
  case setUpNowPlaying
  /// What is shown has changed.
  case updateNowPlaying(NowPlayingInfo)
  /// Playback is over.
  case dismissNowPlaying
}
