// What a screen with a button, a slider and two labels would show. Contract §7.

public import ReelCore

/// The transport's state as a value. ``update(from:)`` takes over what the player is; each touch gives
/// the commands that the player is then told.
public struct TransportModel: Sendable, Hashable, Codable {
  /// What the player does.
  public enum State: Sendable, Hashable, Codable {
    /// Time runs.
    case playing
    /// The time is held; also without an item.
    case paused
    /// The item is being loaded, or playback waits for data.
    case loading
    /// The item failed, with the reason.
    case error(String)
  }

  /// What the button does when it is pressed.
  public enum Button: String, Sendable, Hashable, Codable {
    /// Plays on.
    case play
    /// Holds the time.
    case pause
    /// Plays again from the start.
    case replay
  }

  /// What the player does.
  public private(set) var state: State = .paused
  /// The item has been played to its end and nothing has been touched since.
  public private(set) var isFinished = false
  /// A finger is on the slider.
  public private(set) var isScrubbing = false
  /// Place in the item, 0…1; 0 while the duration is unknown.
  public private(set) var slider = 0.0
  /// Item seconds.
  public private(set) var currentTime: Rational = .zero
  /// Item seconds; nil while unknown.
  public private(set) var duration: Rational?
  /// How far the first loaded range reaches, 0…1; 0 when unknown.
  public private(set) var bufferProgress = 0.0
  /// The player is silent.
  public private(set) var isMuted = false
  /// The rate asked for; 0 when paused.
  public private(set) var rate: Float = 0

  /// Interval of the time observer that keeps the label: half a second of item time.
  public static let timeObserverInterval = Rational(1, 2)
  /// Rates that rewinding and winding forward stay between.
  public static let rates: ClosedRange<Float> = -2...2

  /// A transport of no player yet.
  public init() {}

  // MARK: What it shows

  /// What the button does now.
  public var button: Button {
    if isFinished { return .replay }
    return rate != 0 ? .pause : .play
  }

  /// What is left, `mm:ss` or `h:mm:ss`; nil while unknown.
  public var remainingLabel: String? {
    duration.flatMap { TimeText.remaining(($0 - currentTime).seconds) }
  }

  /// The length, `m:ss`; nil while unknown.
  public var durationLabel: String? { duration.flatMap { TimeText.duration($0.seconds) } }

  /// Controls do nothing while the duration is unknown.
  public var areControlsEnabled: Bool { duration != nil }

  /// The volume control is not shown while muted.
  public var isVolumeControlHidden: Bool { isMuted }

  // MARK: What it is told

  /// Takes over what the player is at its ``QueueStateMachine/now``.
  public mutating func update(from player: QueueStateMachine) {
    let item = player.currentItem
    let location = player.location
    duration = item.flatMap { $0.status == .readyToPlay ? $0.length : nil }
    (rate, isMuted) = (player.rate, player.isMuted)
    // Paused between two passes of a loop, play goes on with the next one.
    let isLooping = player.looper.map { player.isLooping($0) } ?? false
    isFinished = player.hasPlayedToEnd && player.rate == 0 && !isLooping
    state =
      if let item, item.status == .failed {
        .error(item.failure?.description ?? "failed")
      } else if item?.status == .unknown
        || player.timeControlStatus == .waitingToPlayAtSpecifiedRate
      {
        .loading
      } else if player.timeControlStatus == .playing {
        .playing
      } else {
        .paused
      }
    bufferProgress = Self.progress(of: item, length: duration)
    guard !isScrubbing else { return }
    currentTime = location.item
    slider = fraction(location.item)
  }

  private func fraction(_ time: Rational) -> Double {
    guard let duration, duration.signum > 0 else { return 0 }
    return min(max((time / duration).seconds, 0), 1)
  }

  private static func progress(of item: PlayerItem?, length: Rational?) -> Double {
    guard let item, let length, length.signum > 0 else { return 0 }
    guard let ranges = item.buffer.loadedTimeRanges else { return 1 }
    guard let end = ranges.first.flatMap({ Rational($0.end) }) else { return 0 }
    return min(max((end / length).seconds, 0), 1)
  }

  // MARK: Touches

  /// Play, pause or replay, as the button says.
  public mutating func pressButton() -> [PlayerCommand] {
    guard areControlsEnabled else { return [] }
    defer { isFinished = false }
    return button == .pause ? [.pause] : [.play]
  }

  /// A finger is on the slider: the player pauses.
  public mutating func scrubbingBegan() -> [PlayerCommand] {
    guard areControlsEnabled else { return [] }
    isScrubbing = true
    return [.pause]
  }

  /// The slider is moved to a place (0…1, clamped): an exact seek.
  public mutating func scrubbingMoved(to place: Double) -> [PlayerCommand] {
    guard isScrubbing, let duration, !place.isNaN else { return [] }
    slider = min(max(place, 0), 1)
    currentTime = (Rational(simplest: slider) ?? .zero) * duration
    return [.seek(to: currentTime, play: false)]
  }

  /// The finger is off the slider: the player plays on and is not finished any more.
  public mutating func scrubbingEnded() -> [PlayerCommand] {
    guard isScrubbing else { return [] }
    isScrubbing = false
    isFinished = false
    return [.play]
  }

  /// Two rates slower, down to −2.
  public mutating func rewind() -> [PlayerCommand] { wind(by: -2) }

  /// Two rates faster, up to 2.
  public mutating func fastForward() -> [PlayerCommand] { wind(by: 2) }

  private mutating func wind(by step: Float) -> [PlayerCommand] {
    guard areControlsEnabled else { return [] }
    isFinished = false
    return [.rate(min(max(rate + step, Self.rates.lowerBound), Self.rates.upperBound))]
  }

  /// Mutes, or unmutes.
  public mutating func toggleMute() -> [PlayerCommand] { [isMuted ? .unmute : .mute] }
}
