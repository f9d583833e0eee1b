// A sink that works on a thread of its own.

internal import Dispatch
public import ReelCore
internal import Synchronization

/// Hands pictures to another sink on another thread, in order, so that decoding and encoding overlap.
/// What comes out is the same, byte for byte.
///
/// At most ``depth`` pictures wait. A failure of the other sink is thrown by the next call.
public final class PipelinedSink: Sink {
  /// Pictures that may wait for the other sink.
  public static let depth = 4

  private let worker: Worker
  private let queue = DispatchQueue(label: "reel.sink")
  private let slots = DispatchSemaphore(value: PipelinedSink.depth)

  /// The other sink, which is touched on the queue only, and its first failure.
  private final class Worker: @unchecked Sendable {
    let sink: any Sink
    private let firstFailure = Mutex<MediaError?>(nil)
    init(_ sink: any Sink) { self.sink = sink }

    var failure: MediaError? { firstFailure.withLock { $0 } }
    func fail(_ error: MediaError) { firstFailure.withLock { $0 = $0 ?? error } }
  }

  /// - Parameter sink: Not to be used by anybody else before ``finish()`` or ``abandon()`` has returned.
  public init(_ sink: any Sink) { worker = Worker(sink) }

  /// Begins the other sink and waits for it.
  public func begin(_ timing: OutputTiming) throws(MediaError) {
    _ = try onQueue { (sink) throws(MediaError) in
      try sink.begin(timing)
      return true
    }
  }

  /// Leaves a picture to the other sink; waits only while ``depth`` of them wait already.
  ///
  /// - Throws: the first failure of the other sink, which may be that of an earlier picture.
  public func write(
    _ frame: VideoFrame, key: CompositionKey?, timing: PictureTiming
  ) throws(MediaError) {
    slots.wait()
    if let failure = worker.failure {
      slots.signal()
      throw failure
    }
    queue.async { [worker, slots] in
      defer { slots.signal() }
      guard worker.failure == nil else { return }
      do throws(MediaError) {
        try worker.sink.write(frame, key: key, timing: timing)
      } catch {
        worker.fail(error)
      }
    }
  }

  /// Waits until the other sink has done what it was given before, and asks it.
  public func writeAgain(
    _ key: CompositionKey, timing: PictureTiming
  ) throws(MediaError) -> Bool {
    try onQueue { (sink) throws(MediaError) in try sink.writeAgain(key, timing: timing) }
  }

  /// Waits until all pictures are written, and finishes the other sink.
  ///
  /// - Throws: the first failure of the other sink.
  public func finish() throws(MediaError) {
    _ = try onQueue { (sink) throws(MediaError) in
      try sink.finish()
      return true
    }
  }

  /// Waits for what was handed over before, then abandons the other sink.
  public func abandon() { queue.sync { worker.sink.abandon() } }

  /// Calls the other sink in its turn and waits for it.
  private func onQueue(
    _ body: (any Sink) throws(MediaError) -> Bool
  ) throws(MediaError) -> Bool {
    let result: Result<Bool, MediaError> = queue.sync {
      if let failure = worker.failure { return .failure(failure) }
      do throws(MediaError) {
        return .success(try body(worker.sink))
      } catch {
        worker.fail(error)
        return .failure(error)
      }
    }
    return try result.get()
  }
}
