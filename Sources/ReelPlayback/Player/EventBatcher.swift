// Events by the second.

internal import ReelCore

/// Collects events into one batch a second of host time: those from second n up to n + 1 are delivered
/// at n + 1. A second without events has no batch.
struct EventBatcher: Sendable, Hashable, Codable {
  private var collected: [TimedEvent] = []
  private var delivered: [EventBatch] = []

  /// When the batch that is being collected is delivered; nil when it is empty.
  var due: Rational? {
    collected.first.map { Rational($0.host.floor + 1, 1) }
  }

  mutating func add(_ event: TimedEvent) {
    close(upTo: event.host)
    collected.append(event)
  }

  /// Delivers the batch that is due at `host`.
  mutating func close(upTo host: Rational) {
    guard let due, due <= host else { return }
    delivered.append(EventBatch(host: due, events: collected))
    collected = []
  }

  /// Batches delivered since the last call.
  mutating func take() -> [EventBatch] {
    defer { delivered = [] }
    return delivered
  }
}
