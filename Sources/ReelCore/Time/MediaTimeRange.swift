// Stretches of time.

/// A start and a length; the end is not part of it. Behaves as CMTimeRange does.
public struct MediaTimeRange: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The first time of the range.
  public var start: MediaTime
  /// ≥ 0 in a valid range.
  public var duration: MediaTime

  /// A range by start and length; not checked, see ``isValid``.
  public init(start: MediaTime, duration: MediaTime) {
    self.start = start
    self.duration = duration
  }

  /// From `start` up to `end`.
  public init(start: MediaTime, end: MediaTime) {
    self.init(start: start, duration: end - start)
  }

  /// The empty range at zero.
  public static let zero = MediaTimeRange(start: .zero, duration: .zero)
  /// No range; as a setting it means that none is set.
  public static let invalid = MediaTimeRange(start: .invalid, duration: .invalid)

  /// Start and duration are valid and the duration is not negative.
  public var isValid: Bool { start.isValid && duration.isValid && duration >= .zero }
  /// Valid with a duration of zero.
  public var isEmpty: Bool { isValid && duration == .zero }
  /// The first time behind the range.
  public var end: MediaTime { start + duration }

  /// Whether `time` lies in the range: from the start, before the end.
  public func contains(_ time: MediaTime) -> Bool {
    isValid && time.isNumeric && start <= time && time < end
  }

  /// Whether every time of `other` lies in the range; an empty one does when its start does.
  public func contains(_ other: MediaTimeRange) -> Bool {
    guard isValid, other.isValid else { return false }
    if other.isEmpty { return contains(other.start) }
    return start <= other.start && other.end <= end
  }

  /// What both have in common; ``zero`` when they do not overlap, ``invalid`` if one is.
  public func intersection(_ other: MediaTimeRange) -> MediaTimeRange {
    guard isValid, other.isValid else { return .invalid }
    let from = max(start, other.start)
    let to = min(end, other.end)
    return from < to ? MediaTimeRange(start: from, end: to) : .zero
  }

  /// The smallest range that holds both, the gap between them included.
  public func union(_ other: MediaTimeRange) -> MediaTimeRange {
    guard isValid, other.isValid else { return .invalid }
    return MediaTimeRange(start: min(start, other.start), end: max(end, other.end))
  }

  /// The nearest time of the range: `time` itself, the start, or the end when it lies behind.
  public func clamp(_ time: MediaTime) -> MediaTime {
    guard isValid, time.isValid else { return .invalid }
    return min(max(time, start), end)
  }

  public var description: String { "[\(start), +\(duration)]" }
}
