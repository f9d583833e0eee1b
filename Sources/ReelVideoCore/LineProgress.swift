// How far a picture is decoded, for those who wait for it on another thread.

import Dispatch
import Synchronization

/// A count that only grows, and that other threads can wait for.
///
/// One thread publishes, any number wait. Everything the publisher wrote before ``publish(_:)`` is
/// visible to a thread whose ``wait(until:)`` returned for that count.
public final class LineProgress: Sendable {
  private struct Waiter {
    let needed: Int
    let semaphore: DispatchSemaphore
  }

  private let lines: Atomic<Int>
  private let waiters = Mutex<[Waiter]>([])

  /// A progress that starts at `lines`; `Int.max` for something that is complete from the start.
  public init(_ lines: Int) { self.lines = Atomic(lines) }

  /// The count published last.
  public var current: Int { lines.load(ordering: .acquiring) }

  /// Sets the count, never below the present one, and wakes who waited for it.
  public func publish(_ count: Int) {
    guard count > lines.load(ordering: .relaxed) else { return }
    waiters.withLock { waiters in
      lines.store(count, ordering: .releasing)
      waiters.removeAll { waiter in
        guard waiter.needed <= count else { return false }
        waiter.semaphore.signal()
        return true
      }
    }
  }

  /// Returns once the count is at least `needed`.
  public func wait(until needed: Int) {
    if lines.load(ordering: .acquiring) >= needed { return }
    let semaphore = DispatchSemaphore(value: 0)
    let mustWait = waiters.withLock { waiters in
      guard lines.load(ordering: .acquiring) < needed else { return false }
      waiters.append(Waiter(needed: needed, semaphore: semaphore))
      return true
    }
    if mustWait { semaphore.wait() }
  }
}
