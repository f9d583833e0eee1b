// What a player tells of, under the names of the contract.

public import ReelCore

/// An event of a player.
public enum PlayerEvent: Sendable, Hashable, Codable {
  /// A seek has ended: whether it moved, and the time it was for or led to.
  case seek(Bool, currentTime: Double)
  /// The rate is 0: by a command, or at the item's end.
  case paused
  /// Playback is wanted but waits, for an item, its loading or its data.
  case waitingToPlayAtSpecifiedRate
  /// Time begins to run.
  case playing
  /// Another item is current; each pass of a loop has one of its own.
  case currentItemChanged(newItem: PlayerItem?)
  /// The queue is empty.
  case currentItemRemoved
  /// The volume has changed, 0…1.
  case volumeChanged(newVolume: Float)
  /// Something failed, with the reason.
  case error(VPErrors)
  /// The output has other bounds, in pixels.
  case boundsChanged(Rect)
  /// The inset is shown.
  case startedPiP
  /// The inset has ended.
  case stoppedPiP
  /// The status of an item of the queue: unknown when its loading begins, then ready or failed.
  case itemStatusChanged(ItemStatus)
  /// The item's length, once it is ready; indefinite for a live stream.
  case duration(MediaTime)
}

extension PlayerEvent: CustomStringConvertible {
  public var description: String {
    switch self {
    case .seek(true, _): "SeekSuccess"
    case .seek(false, _): "SeekFail"
    case .paused: "Paused"
    case .waitingToPlayAtSpecifiedRate: "Waiting"
    case .playing: "Playing"
    case .currentItemChanged: "ItemChanged"
    case .currentItemRemoved: "ItemRemoved"
    case .volumeChanged: "VolumeChanged"
    case .error(let error): "Error: \(error)"
    case .boundsChanged: "BoundsChanged"
    case .startedPiP: "StartedPiP"
    case .stoppedPiP: "StoppedPiP"
    case .itemStatusChanged(.unknown): "Status: Unknown"
    case .itemStatusChanged(.readyToPlay): "Status: ReadyToPlay"
    case .itemStatusChanged(.failed): "Status: Failed"
    case .duration(let time):
      time.isNumeric ? "Duration \(Self.wholeSeconds(time)) sec" : "Duration unknown"
    }
  }

  private static func wholeSeconds(_ time: MediaTime) -> Int64 {
    time.convertScale(1).value
  }
}

/// Which events are delivered. Each stands for its event with any payload.
public enum PlayerEventFilter: String, Sendable, Hashable, Codable, CaseIterable {
  /// Seeks that moved and seeks that did not.
  case seekAny
  /// The event of this name.
  case paused
  /// The event of this name.
  case waitingToPlayAtSpecifiedRate
  /// The event of this name.
  case playing
  /// Any new current item.
  case currentItemChangedAny
  /// The event of this name.
  case currentItemRemoved
  /// Any error.
  case errorAny
  /// Any new volume.
  case volumeChangedAny
  /// Any new bounds.
  case boundsChangedAny
  /// The event of this name.
  case startedPiP
  /// The event of this name.
  case stoppedPiP
  /// Any status of an item.
  case itemStatusChangedAny
  /// Any duration.
  case durationAny

  /// Whether this filter lets the event through.
  public func matches(_ event: PlayerEvent) -> Bool {
    switch event {
    case .seek: self == .seekAny
    case .paused: self == .paused
    case .waitingToPlayAtSpecifiedRate: self == .waitingToPlayAtSpecifiedRate
    case .playing: self == .playing
    case .currentItemChanged: self == .currentItemChangedAny
    case .currentItemRemoved: self == .currentItemRemoved
    case .volumeChanged: self == .volumeChangedAny
    case .error: self == .errorAny
    case .boundsChanged: self == .boundsChangedAny
    case .startedPiP: self == .startedPiP
    case .stoppedPiP: self == .stoppedPiP
    case .itemStatusChanged: self == .itemStatusChangedAny
    case .duration: self == .durationAny
    }
  }
}

/// An event with its instant.
public struct TimedEvent: Sendable, Hashable, Codable {
  /// Host time.
  public let host: Rational
  /// What happened.
  public let event: PlayerEvent
  /// An event at an instant.
  public init(host: Rational, event: PlayerEvent) {
    self.host = host
    self.event = event
  }
}

/// The events of one second of host time.
public struct EventBatch: Sendable, Hashable, Codable {
  /// When it is delivered: the whole second that ends the one its events lie in.
  public let host: Rational
  /// In order; never empty.
  public let events: [TimedEvent]
}
