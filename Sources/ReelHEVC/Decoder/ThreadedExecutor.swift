// Running picture jobs on several threads.

import Dispatch
import ReelCore
import Synchronization

/// Decodes up to `threads` pictures at a time.
///
/// Jobs start in decoding order and wait, line by line, only for pictures that started before them, so
/// the oldest job under way can always go on. What a job writes depends on nothing but its inputs.
final class ThreadedExecutor: PictureExecutor {
  private let queue = JobQueue()
  let delay: Int

  /// - Parameter threads: 2 or more.
  init(threads: Int) {
    delay = threads
    for i in 0..<threads {
      let queue = queue
      DispatchQueue(label: "reel.hevc.\(i)").async {
        let decoder = PictureJobDecoder()
        while let job = queue.next() { decoder.run(job) }
      }
    }
  }

  deinit { queue.close() }

  func submit(_ job: PictureJob) { queue.add(job) }
}

/// Jobs that wait for a thread, oldest first.
private final class JobQueue: Sendable {
  private struct State {
    var jobs: [PictureJob] = []
    var isClosed = false
  }

  private let state = Mutex(State())
  private let available = DispatchSemaphore(value: 0)

  func add(_ job: PictureJob) {
    state.withLock { $0.jobs.append(job) }
    available.signal()
  }

  /// Lets threads that find nothing more to do end.
  func close() {
    state.withLock { $0.isClosed = true }
    available.signal()
  }

  /// The oldest job, once there is one; nil when the queue is closed and empty.
  func next() -> PictureJob? {
    available.wait()
    let job = state.withLock { $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }
    // The signal that closes the queue goes on to the next thread.
    if job == nil { available.signal() }
    return job
  }
}
