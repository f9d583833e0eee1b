// Where host time comes from.

public import ReelCore
internal import Synchronization

/// A source of host time for players.
public protocol PlayerClock: AnyObject, Sendable {
  /// Seconds since the clock was made; never runs backwards.
  var now: Rational { get }
  /// Time moves only when told. Sources are then loaded in the instant they are asked for, so that the
  /// same commands give the same events.
  var isVirtual: Bool { get }
  /// Runs `action` once when the time has come, at once when it has already. The ticket cancels it.
  func schedule(at host: Rational, _ action: @escaping @Sendable () -> Void) -> ClockTicket
  /// The action of the ticket is not begun any more.
  func cancel(_ ticket: ClockTicket)
}

/// A scheduled action of a clock.
public struct ClockTicket: Sendable, Hashable {
  /// Unique within its clock.
  public let number: UInt64
  /// A ticket of a clock of your own.
  public init(number: UInt64) { self.number = number }
}

/// A clock that moves only when told: for tests and for rendering.
///
/// ```swift
/// let clock = ManualClock()
/// let player = LoopPlayer(settings: settings, clock: clock)
/// clock.advance(by: 1.5)
/// ```
public final class ManualClock: PlayerClock {
  private struct Entry {
    let host: Rational
    let action: @Sendable () -> Void
  }
  private struct State {
    var now: Rational = .zero
    var nextTicket: UInt64 = 0
    var entries: [UInt64: Entry] = [:]

    /// The earliest action that is due at `host`; of several at one time the one scheduled first.
    mutating func take(upTo host: Rational) -> Entry? {
      let due = entries.filter { $0.value.host <= host }
      guard let first = due.min(by: { ($0.value.host, $0.key) < ($1.value.host, $1.key) }) else {
        return nil
      }
      return entries.removeValue(forKey: first.key)
    }
  }
  private let state = Mutex(State())

  /// A clock that stands at 0.
  public init() {}

  /// Where the clock stands.
  public var now: Rational { state.withLock { $0.now } }
  /// true: it moves only when told.
  public var isVirtual: Bool { true }

  /// Runs `action` when the clock is moved to the time or past it. One that lies behind is run with
  /// the next move.
  public func schedule(
    at host: Rational, _ action: @escaping @Sendable () -> Void
  ) -> ClockTicket {
    state.withLock { state in
      let number = state.nextTicket
      state.nextTicket &+= 1
      state.entries[number] = Entry(host: host, action: action)
      return ClockTicket(number: number)
    }
  }

  /// The action of the ticket is not begun any more.
  public func cancel(_ ticket: ClockTicket) {
    state.withLock { _ = $0.entries.removeValue(forKey: ticket.number) }
  }

  /// Moves to a host time and runs what is due on the way, each at its own time and in order; what
  /// those actions schedule is run as well. An earlier time than ``now`` changes nothing.
  public func advance(to host: Rational) {
    while true {
      let next = state.withLock { state -> Entry? in
        guard let entry = state.take(upTo: host) else {
          state.now = max(state.now, host)
          return nil
        }
        state.now = max(state.now, entry.host)
        return entry
      }
      guard let next else { return }
      next.action()
    }
  }

  /// Moves on by exact seconds ≥ 0.
  public func advance(by seconds: Rational) { advance(to: now + max(seconds, .zero)) }

  /// Moves on by seconds ≥ 0; a Double stands for the simplest fraction that rounds to it. A whole
  /// number is taken as the exact fraction it is.
  @_disfavoredOverload
  public func advance(by seconds: Double) {
    advance(by: Rational(simplest: seconds) ?? .zero)
  }
}
