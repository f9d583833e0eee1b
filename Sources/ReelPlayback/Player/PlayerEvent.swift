// What a player tells of, under the names of the contract.

public import ReelCore

/// An event of a player.
public enum PlayerEvent: Sendable, Hashable, Codable {
  /// A seek has ended: whether it moved, and the time it was for or led to.
  case seek(Bool, currentTime: Double)
  case paused
  case waitingToPlayAtSpecifiedRate
  case playing
  case currentItemChanged(newItem: PlayerItem?)
  case currentItemRemoved
  case volumeChanged(newVolume: Float)
  case error(VPErrors)
  case boundsChanged(Rect)
  case startedPiP
  case stoppedPiP
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
  case seekAny
  case paused
  case waitingToPlayAtSpecifiedRate
  case playing
  case currentItemChangedAny
  case currentItemRemoved
  case errorAny
  case volumeChangedAny
  case boundsChangedAny
  case startedPiP
  case stoppedPiP
  case itemStatusChangedAny
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
