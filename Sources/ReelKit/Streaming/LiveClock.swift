// The clock of live playlists.

import ReelIO
public import ReelStreaming

extension LiveFeed.Clock {
  /// The system's clock: reloads are made when they are due, and waiting takes its time.
  public static var system: LiveFeed.Clock {
    let (clock, waiting) = (ContinuousClock(), SystemNetworkClock())
    let start = clock.now
    return LiveFeed.Clock(
      now: { (clock.now - start).wholeMicroseconds },
      sleep: { until in
        let wait = until - (clock.now - start).wholeMicroseconds
        if wait > 0 { waiting.sleep(for: .microseconds(wait)) }
      })
  }
}

extension Duration {
  fileprivate var wholeMicroseconds: Int64 {
    let (seconds, rest) = components
    return Int64(clamping: Int128(seconds) * 1_000_000 + Int128(rest / 1_000_000_000_000))
  }
}
