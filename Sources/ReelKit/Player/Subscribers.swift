// Closures and streams that a player tells.

import Synchronization

/// A closure that is called until this is cancelled. Letting go of it does not cancel.
public struct Subscription: Sendable {
  private let onCancel: @Sendable () -> Void
  init(_ onCancel: @escaping @Sendable () -> Void) { self.onCancel = onCancel }
  /// The closure is not begun any more.
  public func cancel() { onCancel() }
}

/// Receivers of one kind of value, called in the order they were added.
final class Subscribers<Value: Sendable>: Sendable {
  private struct State {
    var next = 0
    var receivers: [(id: Int, body: @Sendable (Value) -> Void)] = []
  }
  private let state = Mutex(State())

  func add(_ body: @escaping @Sendable (Value) -> Void) -> Subscription {
    let id = state.withLock { state in
      state.next += 1
      state.receivers.append((state.next, body))
      return state.next
    }
    return Subscription { [weak self] in
      self?.state.withLock { $0.receivers.removeAll { $0.id == id } }
    }
  }

  func send(_ value: Value) {
    for id in state.withLock({ $0.receivers.map(\.id) }) {
      // Looked up again: an earlier receiver may have cancelled this one.
      state.withLock { state in state.receivers.first { $0.id == id }?.body }?(value)
    }
  }

  /// The values from now on; everything is kept until it is read.
  func stream() -> AsyncStream<Value> {
    AsyncStream { continuation in
      let subscription = add { continuation.yield($0) }
      continuation.onTermination = { _ in subscription.cancel() }
    }
  }
}
