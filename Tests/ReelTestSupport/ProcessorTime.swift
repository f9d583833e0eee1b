// What a piece of work costs, whatever else the machine does meanwhile.

import Foundation

/// Costs of work as tests may state them: processor time of this thread alone, in the time of a
/// processor that does a million steps of a chain of multiplications in a millisecond. A machine that is
/// busy, slow or fast changes the measure and what it is measured by alike.
public enum ProcessorTime {
  /// The least cost of `runs` runs of `body`, all of which happens on this thread.
  public static func cost(runs: Int = 1, of body: () throws -> Void) rethrows -> Duration {
    var least = Double.infinity
    for _ in 0..<max(runs, 1) {
      // A machine whose speed changes meanwhile is taken at its slower one.
      let before = chain()
      let start = now
      try body()
      let time = now - start
      least = min(least, time / max(before, chain()))
    }
    return .nanoseconds(Int64(min(least * 1e6, 1e18)))
  }

  /// Nanoseconds that this thread has been running.
  private static var now: Double {
    var time = timespec()
    // SAFETY: clock_gettime fills the structure it is given and keeps no pointer.
    _ = unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }

  /// Nanoseconds of a million steps, each of which waits for the one before.
  private static func chain() -> Double {
    let start = now
    var state = UInt64(start)
    for _ in 0..<1_000_000 { state = (state ^ state >> 29) &* 0xBF58_476D_1CE4_E5B9 }
    let time = now - start
    // The result is used, so that the loop is there.
    return max(time, state == 0 ? 2 : 1)
  }
}
