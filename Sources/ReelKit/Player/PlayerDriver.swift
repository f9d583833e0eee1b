// A state machine under a clock.

import ReelCore
import ReelPlayback
import Synchronization

/// A player's state machine as its driver sees it.
protocol DrivenMachine: Sendable {
  associatedtype Output: Sendable
  var nextDue: Rational? { get }
  mutating func advance(to host: Rational)
  /// What came of the inputs, oldest first.
  mutating func takeOutputs() -> [Output]
}

/// Keeps a machine at the time of its clock: every call happens at the clock's now, the clock wakes it
/// when something is due, and what comes of it is delivered in order, one at a time, never while the
/// machine is locked. A receiver may call the player again; what comes of that is delivered after.
final class PlayerDriver<Machine: DrivenMachine>: Sendable {
  private struct State {
    var machine: Machine
    var pending: [Machine.Output] = []
    var isDelivering = false
    var wake: (host: Rational, ticket: ClockTicket)?
  }
  let clock: any PlayerClock
  private let state: Mutex<State>
  private let deliver: @Sendable (Machine.Output, PlayerDriver<Machine>) -> Void

  init(
    _ machine: Machine, clock: any PlayerClock,
    deliver: @escaping @Sendable (Machine.Output, PlayerDriver<Machine>) -> Void
  ) {
    self.clock = clock
    self.deliver = deliver
    state = Mutex(State(machine: machine))
  }

  deinit {
    if let wake = state.withLock({ $0.wake }) { clock.cancel(wake.ticket) }
  }

  /// The machine as it is now.
  var machine: Machine {
    perform { machine, _ in machine }
  }

  /// Does something to the machine at the clock's now.
  @discardableResult
  func perform<R: Sendable, E: Error>(
    _ body: (inout Machine, Rational) throws(E) -> R
  ) throws(E) -> R {
    let result = state.withLock { state -> Result<R, E> in
      let now = clock.now
      state.machine.advance(to: now)
      let result = Self.catching { () throws(E) -> R in try body(&state.machine, now) }
      state.machine.advance(to: now)
      state.pending += state.machine.takeOutputs()
      schedule(&state)
      return result
    }
    deliverAll()
    return try result.get()
  }

  private static func catching<R, E: Error>(_ body: () throws(E) -> R) -> Result<R, E> {
    do { return .success(try body()) } catch { return .failure(error) }
  }

  private func schedule(_ state: inout State) {
    let due = state.machine.nextDue
    guard due != state.wake?.host else { return }
    if let wake = state.wake { clock.cancel(wake.ticket) }
    state.wake = due.map { host in
      (host, clock.schedule(at: host) { [weak self] in self?.wakeUp(host) })
    }
  }

  private func wakeUp(_ host: Rational) {
    state.withLock { state in
      if state.wake?.host == host { state.wake = nil }
    }
    perform { _, _ in }
  }

  private func deliverAll() {
    while let output = next() {
      deliver(output, self)
      state.withLock { $0.isDelivering = false }
    }
  }

  /// The next output, unless another caller is delivering one.
  private func next() -> Machine.Output? {
    state.withLock { state in
      guard !state.isDelivering, !state.pending.isEmpty else { return nil }
      state.isDelivering = true
      return state.pending.removeFirst()
    }
  }
}
