// What a player plays.

public import ReelCore

/// Identity of an item in a player. Numbers are given in order of creation and never again.
public struct ItemID: RawRepresentable, Sendable, Hashable, Codable, Comparable,
  CustomStringConvertible
{
  /// The number.
  public let rawValue: Int
  /// An identity by its number.
  public init(rawValue: Int) { self.rawValue = rawValue }
  public static func < (a: ItemID, b: ItemID) -> Bool { a.rawValue < b.rawValue }
  public var description: String { "#\(rawValue)" }
}

/// Which of the loaded assets an item shows: an index into the renderer's inputs.
public struct AssetID: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible {
  /// Index into the inputs.
  public let rawValue: Int
  /// An asset by its index.
  public init(rawValue: Int) { self.rawValue = rawValue }
  public var description: String { "asset \(rawValue)" }
}

/// Whether an item can be played, as AVPlayerItem.Status.
public enum ItemStatus: String, Sendable, Hashable, Codable, CaseIterable {
  /// It is being loaded.
  case unknown
  /// It can be played.
  case readyToPlay
  /// It cannot be played; ``PlayerItem/failure`` has the reason.
  case failed
}

/// What loading an asset told about it.
public struct ItemFacts: Sendable, Hashable, Codable {
  /// Length of the presentation; indefinite for a live stream.
  public var duration: MediaTime
  /// Where a seek with tolerance may land: presentation times of sync samples, ascending. Empty:
  /// every seek is exact.
  public var syncTimes: [MediaTime] = []
  /// Where seeks may go; empty means anywhere in the duration.
  public var seekableTimeRanges: [MediaTimeRange] = []
  /// Rates that can be played; see AVPlayerItem. 1…2 always can. They hold at the ends as well.
  public var canPlayFastForward = true
  /// Rates between 0 and 1.
  public var canPlaySlowForward = true
  /// The rate −1.
  public var canPlayReverse = true
  /// Rates between −1 and 0.
  public var canPlaySlowReverse = true
  /// Rates below −1.
  public var canPlayFastReverse = true
  /// Steps to later pictures.
  public var canStepForward = true
  /// Steps to earlier pictures.
  public var canStepBackward = true
  /// Time between pictures for ``QueueStateMachine/step(by:at:)``; nil when there are none.
  public var frameDuration: MediaTime?
  /// Embedded tracks that can be chosen, in order.
  public var audible: [MediaOption] = []
  /// The same for subtitles.
  public var legible: [MediaOption] = []

  /// Facts of something that can be played at any rate.
  public init(duration: MediaTime) { self.duration = duration }
}

/// A track that can be chosen by language.
public struct MediaOption: Sendable, Hashable, Codable {
  /// The container's number of the track.
  public var trackID: Int
  /// BCP 47; nil when not told.
  public var language: String?
  /// A name for people; may be empty.
  public var displayName: String
  /// A track by number and language.
  public init(trackID: Int, language: String?, displayName: String = "") {
    self.trackID = trackID
    self.language = language
    self.displayName = displayName
  }
}

/// How much of an item is there to be played.
public struct ItemBuffer: Sendable, Hashable, Codable {
  /// Ranges of item time that are loaded; nil: all of it, as for a local file.
  public var loadedTimeRanges: [MediaTimeRange]?
  /// Whether playback may go on; false waits where the player waits for data.
  public var isPlaybackLikelyToKeepUp = true

  /// What is loaded; everything by default.
  public init(loadedTimeRanges: [MediaTimeRange]? = nil, isPlaybackLikelyToKeepUp: Bool = true) {
    self.loadedTimeRanges = loadedTimeRanges
    self.isPlaybackLikelyToKeepUp = isPlaybackLikelyToKeepUp
  }
}

/// One entry of a player's queue, as AVPlayerItem: an asset and how it is presented.
public struct PlayerItem: Sendable, Hashable, Codable, Identifiable {
  /// Identity in its player.
  public let id: ItemID
  /// What its pictures are taken from.
  public let asset: AssetID
  /// Name or address it came from.
  public let source: String
  /// Whether it can be played.
  public internal(set) var status: ItemStatus = .unknown
  /// Why the status is failed.
  public internal(set) var failure: VPErrors?
  /// What loading told; only the defaults until the item is ready.
  public internal(set) var facts = ItemFacts(duration: .indefinite)
  /// How much of it is there.
  public internal(set) var buffer = ItemBuffer()
  /// Where forward playback ends; invalid: at the duration.
  public internal(set) var forwardPlaybackEndTime: MediaTime = .invalid
  /// Where backward playback ends; invalid: at zero.
  public internal(set) var reversePlaybackEndTime: MediaTime = .invalid

  init(id: ItemID, asset: AssetID, source: String) {
    self.id = id
    self.asset = asset
    self.source = source
  }

  /// The same item under another identity, as a looper copies its template.
  func replica(_ id: ItemID) -> PlayerItem {
    var copy = PlayerItem(id: id, asset: asset, source: source)
    copy.status = status
    copy.failure = failure
    copy.facts = facts
    copy.buffer = buffer
    copy.forwardPlaybackEndTime = forwardPlaybackEndTime
    copy.reversePlaybackEndTime = reversePlaybackEndTime
    return copy
  }

  /// Length; indefinite until it is ready and for live streams.
  public var duration: MediaTime { facts.duration }

  /// The duration as a number ≥ 0; nil when unknown.
  var length: Rational? {
    Rational(facts.duration).map { max($0, .zero) }
  }

  /// Whether the item can be played at `rate`, by its flags.
  func canPlay(at rate: Float) -> Bool {
    switch rate {
    case ..<(-1): facts.canPlayFastReverse
    case -1: facts.canPlayReverse
    case ..<0: facts.canPlaySlowReverse
    case 0: true
    case ..<1: facts.canPlaySlowForward
    case ...2: true
    default: facts.canPlayFastForward
    }
  }
}
