// A point in time, or a length of it, as a count of ticks.

/// A rational time: `value / timescale` seconds, or a state that is no number.
///
/// Behaves as CMTime does. Equality and order are by the number, not by its representation:
/// 1/2 equals 300/600.
public struct MediaTime: Sendable {
  /// What a time can be besides a number.
  public enum State: UInt8, Sendable, Codable {
    /// The result of a wrong operation.
    case invalid
    /// Not known.
    case indefinite
    /// Before every number.
    case negativeInfinity
    /// A number: ``MediaTime/value`` and ``MediaTime/timescale`` hold it.
    case numeric
    /// Behind every number.
    case positiveInfinity
  }
  /// Ticks; meaningful while numeric.
  public let value: Int64
  /// Ticks a second, > 0 while numeric.
  public let timescale: Int32
  /// What the time is.
  public let state: State
  /// An operation on the way here had to round; sticky.
  public let hasBeenRounded: Bool

  @usableFromInline
  init(value: Int64, timescale: Int32, state: State, hasBeenRounded: Bool) {
    self.value = value
    self.timescale = timescale
    self.state = state
    self.hasBeenRounded = hasBeenRounded
  }

  /// `value / timescale` seconds. A timescale ≤ 0 gives an invalid time.
  @inlinable
  public init(value: Int64, timescale: Int32) {
    self.init(
      value: value, timescale: timescale, state: timescale > 0 ? .numeric : .invalid,
      hasBeenRounded: false)
  }

  /// No time: 0/1.
  public static let zero = MediaTime(value: 0, timescale: 1)
  /// No time at all, as the result of a wrong operation.
  public static let invalid = MediaTime(
    value: 0, timescale: 0, state: .invalid, hasBeenRounded: false)
  /// Not known, such as the length of a live stream.
  public static let indefinite = MediaTime(
    value: 0, timescale: 0, state: .indefinite, hasBeenRounded: false)
  /// Behind every number.
  public static let positiveInfinity = MediaTime(
    value: 0, timescale: 0, state: .positiveInfinity, hasBeenRounded: false)
  /// Before every number.
  public static let negativeInfinity = MediaTime(
    value: 0, timescale: 0, state: .negativeInfinity, hasBeenRounded: false)

  /// A point or length of time: neither invalid, indefinite nor infinite.
  @inlinable public var isNumeric: Bool { state == .numeric }
  /// Anything but invalid.
  public var isValid: Bool { state != .invalid }

  /// Seconds as the nearest Double; NaN when invalid or indefinite, ±∞ when infinite. For display.
  public var seconds: Double {
    switch state {
    case .numeric: Double(value) / Double(timescale)
    case .positiveInfinity: .infinity
    case .negativeInfinity: -.infinity
    case .invalid, .indefinite: .nan
    }
  }
}

extension MediaTime: Comparable, Hashable {
  /// Numbers by value; then −∞ < numbers < indefinite < +∞ < invalid, as CMTimeCompare orders them.
  public static func < (a: MediaTime, b: MediaTime) -> Bool {
    if a.isNumeric && b.isNumeric { return a.crossed(b) < b.crossed(a) }
    return a.rank < b.rank
  }

  public static func == (a: MediaTime, b: MediaTime) -> Bool {
    a.isNumeric && b.isNumeric ? a.crossed(b) == b.crossed(a) : a.rank == b.rank
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(rank)
    guard isNumeric else { return }
    let divisor = Int64(greatestCommonDivisor(value.magnitude, UInt64(timescale)))
    hasher.combine(value / divisor)
    hasher.combine(Int64(timescale) / divisor)
  }

  /// `value` × the other's timescale, which 96 bits always hold.
  private func crossed(_ other: MediaTime) -> Int128 { Int128(value) * Int128(other.timescale) }

  private var rank: Int {
    switch state {
    case .negativeInfinity: 0
    case .numeric: 1
    case .indefinite: 2
    case .positiveInfinity: 3
    case .invalid: 4
    }
  }
}

/// Greatest common divisor; of 0 and 0 it is 1, so that it can always divide.
@usableFromInline
func greatestCommonDivisor(_ a: UInt64, _ b: UInt64) -> UInt64 {
  var (a, b) = (a, b)
  while b != 0 { (a, b) = (b, a % b) }
  return max(a, 1)
}
