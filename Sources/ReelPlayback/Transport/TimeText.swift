// Times as a transport shows them. Contract §7.

public import ReelCore

/// Texts of times. Fractions of a second are dropped; nothing (nil) for NaN, infinities and unknown
/// times; below zero counts as zero.
public enum TimeText {
  /// `mm:ss`, from an hour up `h:mm:ss`: what is left.
  public static func remaining(_ seconds: Double) -> String? {
    guard let whole = wholeSeconds(seconds) else { return nil }
    let (minutes, rest) = (whole / 60 % 60, whole % 60)
    guard whole >= 3600 else { return "\(padded(minutes)):\(padded(rest))" }
    return "\(whole / 3600):\(padded(minutes)):\(padded(rest))"
  }

  /// The same for a time; nil when it is no number.
  public static func remaining(_ time: MediaTime) -> String? { remaining(time.seconds) }

  /// `m:ss`, minutes without end: how long it is.
  public static func duration(_ seconds: Double) -> String? {
    guard let whole = wholeSeconds(seconds) else { return nil }
    return "\(whole / 60):\(padded(whole % 60))"
  }

  /// The same for a time; nil when it is no number.
  public static func duration(_ time: MediaTime) -> String? { duration(time.seconds) }

  private static func wholeSeconds(_ seconds: Double) -> Int? {
    guard seconds.isFinite else { return nil }
    return Int(exactly: max(seconds, 0).rounded(.towardZero))
  }

  private static func padded(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
}
