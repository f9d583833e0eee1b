// Bands of a picture on several threads.

internal import Dispatch
public import ReelImaging

/// Runs the bands of a picture on the system's threads.
public struct ConcurrentExecutor: BandExecutor {
  public let width: Int
  /// - Parameter threadCount: bands that run at once, ≥ 1.
  public init(threadCount: Int) { width = max(threadCount, 1) }

  public func run(_ count: Int, _ body: @Sendable (Int) -> Void) {
    if count == 1 {
      body(0)
    } else {
      DispatchQueue.concurrentPerform(iterations: count, execute: body)
    }
  }
}
