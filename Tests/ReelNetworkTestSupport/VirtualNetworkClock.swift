// A clock for tests of the network.

public import ReelIO
internal import Synchronization

/// Waits for nothing and keeps what it was asked for.
public final class VirtualNetworkClock: NetworkClock {
  private let slept = Mutex<[Duration]>([])
  public init() {}
  /// All waits so far, in order.
  public var sleeps: [Duration] { slept.withLock { $0 } }
  public func sleep(for duration: Duration) { slept.withLock { $0.append(duration) } }
}
