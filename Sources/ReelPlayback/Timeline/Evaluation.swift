// What is shown at an instant, without decoding anything.

public import ReelCore

/// Which subtitles are shown.
public enum SubtitleSelection: Sendable, Hashable, Codable {
  /// None.
  case off
  /// A file or address of its own.
  case external(String)
  /// A track of the item.
  case embedded(MediaOption)
}

/// Everything besides the picture itself that decides how it looks and sounds.
public struct Presentation: Sendable, Hashable, Codable {
  /// How the picture fits the bounds.
  public var gravity: Gravity = .resizeAspect
  /// In the order they run.
  public var filters: [FilterDescription] = []
  /// −1…1, after the filters.
  public var brightness: Float = 0
  /// 0…4, after brightness: c′ = clamp((c + brightness − 0.5) · contrast + 0.5).
  public var contrast: Float = 1
  /// In the order they are drawn.
  public var vectors: [VectorLayer] = []
  /// Which subtitles are shown.
  public var subtitles: SubtitleSelection = .off
  /// The audio track that was chosen; nil: the first enabled one.
  public var audio: MediaOption?
  /// Shown as an inset (picture in picture).
  public var isInset = false
  /// A plain picture.
  public init() {}
}

/// The answer to "what is shown at this host time?".
public struct Evaluation: Sendable, Hashable {
  /// The host time that was asked for.
  public let host: Rational
  /// The asset to take the picture from; nil: nothing is shown.
  public let asset: AssetID?
  /// The current item; nil when the queue is empty.
  public let item: ItemID?
  /// Times the item has started again.
  public let pass: Int
  /// Seconds on the item's timeline, 0 … duration.
  public let itemTime: Rational
  /// Which picture the item time stands for.
  public let side: PictureSide
  /// Item seconds a host second at this instant; 0 while nothing moves.
  public let rate: Float
  /// Whether it is paused, waits, or plays.
  public let timeControlStatus: TimeControlStatus
  /// 0…1.
  public let volume: Float
  /// Silent, whatever the volume.
  public let isMuted: Bool
  /// How it looks.
  public let presentation: Presentation
}
