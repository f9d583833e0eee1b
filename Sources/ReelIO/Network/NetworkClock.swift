// The clock that waits between attempts.

import Glibc

/// Waits. Tests bring one that only counts.
public protocol NetworkClock: Sendable {
  /// Returns when the time has passed.
  func sleep(for duration: Duration)
}

/// Really waits.
public struct SystemNetworkClock: NetworkClock {
  public init() {}

  public func sleep(for duration: Duration) {
    let parts = duration.components
    guard duration > .zero else { return }
    var time = timespec(
      tv_sec: Int(parts.seconds), tv_nsec: Int(parts.attoseconds / 1_000_000_000))
    var rest = timespec()
    // SAFETY: both structures are ours and outlive the call.
    while unsafe nanosleep(&time, &rest) != 0 && errno == EINTR { time = rest }
  }
}

/// When to try again.
public struct RetryPolicy: Sendable, Hashable {
  /// Attempts after the first.
  public var maximumRetries = 4
  /// Before the first retry; doubled for each further one.
  public var firstDelay = Duration.milliseconds(250)
  /// No wait is longer, whatever the server asks for.
  public var maximumDelay = Duration.seconds(10)
  public init() {}

  /// The wait before a retry, counted from 0.
  ///
  /// - Parameter asked: what the server asked for in `Retry-After`.
  public func delay(beforeRetry number: Int, asked: Duration? = nil) -> Duration {
    min(max(firstDelay * (1 << min(number, 16)), asked ?? .zero), maximumDelay)
  }
}
