// Jobs on several threads. Nothing of this knows what a job is.

import Dispatch
import Synchronization

/// Threads that take jobs in the order they were submitted.
///
/// A job may wait for jobs that were submitted before it: those have started, so the oldest one under way
/// can always go on.
package final class WorkerThreads<Job: Sendable>: Sendable {
  private let queue = JobQueue<Job>()

  /// - Parameters:
  ///   - count: 1 or more.
  ///   - label: what the threads are called, with their number.
  ///   - makeWorker: called once on each thread; gives what runs a job there.
  package init(
    count: Int, label: String, makeWorker: @escaping @Sendable () -> (Job) -> Void
  ) {
    for i in 0..<count {
      let queue = queue
      DispatchQueue(label: "\(label).\(i)").async {
        let run = makeWorker()
        while let job = queue.next() { run(job) }
      }
    }
  }

  deinit { queue.close() }

  /// Adds a job behind all others.
  package func submit(_ job: Job) { queue.add(job) }
}

/// Jobs that wait for a thread, oldest first.
private final class JobQueue<Job: Sendable>: Sendable {
  private struct State {
    var jobs: [Job] = []
    var isClosed = false
  }

  private let state = Mutex(State())
  private let available = DispatchSemaphore(value: 0)

  func add(_ job: Job) {
    state.withLock { $0.jobs.append(job) }
    available.signal()
  }

  /// Lets threads that find nothing more to do end.
  func close() {
    state.withLock { $0.isClosed = true }
    available.signal()
  }

  /// The oldest job, once there is one; nil when the queue is closed and empty.
  func next() -> Job? {
    available.wait()
    let job = state.withLock { $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }
    // The signal that closes the queue goes on to the next thread.
    if job == nil { available.signal() }
    return job
  }
}
