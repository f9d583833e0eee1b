// A reference that does not keep its object alive.

import Synchronization

/// Lets a driver's closure find its player without keeping it alive.
final class WeakReference<Object: AnyObject & Sendable>: Sendable {
  private struct Box { weak var object: Object? }
  private let box = Mutex(Box())
  var object: Object? { box.withLock { $0.object } }
  func set(_ object: Object) { box.withLock { $0.object = object } }
}
