// Host time as the machine's clock tells it.

public import ReelCore
public import ReelPlayback
internal import Synchronization

/// Real time, in seconds since the clock was made. The only place of the library that reads a clock.
public final class HostClock: PlayerClock {
  private struct State {
    var nextTicket: UInt64 = 0
    var tasks: [UInt64: Task<Void, Never>] = [:]
  }
  private let clock = ContinuousClock()
  private let origin: ContinuousClock.Instant
  private let state = Mutex(State())

  /// A clock that begins at 0 now.
  public init() { origin = clock.now }

  /// false: this clock runs.
  public var isVirtual: Bool { false }

  /// Seconds since the clock was made, to the nanosecond.
  public var now: Rational {
    let (seconds, attoseconds) = origin.duration(to: clock.now).components
    return Rational(seconds, 1) + Rational(attoseconds, 1_000_000_000_000_000_000)
  }

  /// Runs `action` on a task of its own when the time has come.
  public func schedule(
    at host: Rational, _ action: @escaping @Sendable () -> Void
  ) -> ClockTicket {
    // Rounded up to a nanosecond, so that the time has come when the action runs.
    let nanoseconds = Int64(clamping: (host * Rational(1_000_000_000)).ceiling)
    let deadline = origin.advanced(by: .nanoseconds(min(nanoseconds, 1 << 60)))
    return state.withLock { state in
      let number = state.nextTicket
      state.nextTicket &+= 1
      state.tasks[number] = Task.detached { [weak self, clock] in
        try? await clock.sleep(until: deadline)
        guard let self, self.take(number) else { return }
        action()
      }
      return ClockTicket(number: number)
    }
  }

  /// Whether the ticket's action is still to be run; it then counts as run.
  private func take(_ number: UInt64) -> Bool {
    state.withLock { $0.tasks.removeValue(forKey: number) != nil }
  }

  /// An action that is being run goes on.
  public func cancel(_ ticket: ClockTicket) {
    state.withLock { $0.tasks.removeValue(forKey: ticket.number) }?.cancel()
  }
}
