// Running picture jobs on several threads.

import Dispatch
import ReelCore
import ReelVideoCore
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
      DispatchQueue(label: "reel.h264.\(i)").async {
        let decoder = PictureJobDecoder()
        while let job = queue.next() { decoder.run(job) }
      }
    }
  }

  deinit { queue.close() }

  func submit(_ job: PictureJob) { queue.add(job) }

  func wait(for job: PictureJob) { job.completion.wait(until: 1) }
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

/// Runs jobs of both sample types, one at a time.
final class PictureJobDecoder {
  private let decoder8 = PictureDecoder<UInt8>()
  private let decoder16 = PictureDecoder<UInt16>()

  func run(_ job: PictureJob) {
    var outcome: PictureOutcome
    let used: UsedReferences
    switch job.picture.storage {
    case .depth8: (outcome, used) = (decoder8.decode(job), decoder8.used)
    case .depth16: (outcome, used) = (decoder16.decode(job), decoder16.used)
    }
    job.picture.progress.publish(.max, job.structure)
    used.settle(job, &outcome)
    job.outcome = outcome
    job.slices = []
    job.dependencies = []
    job.completion.publish(1)
  }
}
