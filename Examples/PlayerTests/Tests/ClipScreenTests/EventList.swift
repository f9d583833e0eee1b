import ReelKit
import Synchronization

/// Events as text, in order, from any thread.
final class EventList: Sendable {
  private let state = Mutex<[String]>([])
  func add(_ batch: EventBatch) {
    state.withLock { $0 += batch.events.map { "\($0.event)" } }
  }
  var texts: [String] { state.withLock { $0 } }
}
