// Running picture jobs on several threads.

import ReelCore
import ReelVideoCore

/// Decodes up to `threads` pictures at a time.
///
/// Jobs start in decoding order and wait, line by line, only for pictures that started before them. What a
/// job writes depends on nothing but its inputs.
final class ThreadedExecutor: PictureExecutor {
  private let threads: WorkerThreads<PictureJob>
  let delay: Int

  /// - Parameter threads: 2 or more.
  init(threads count: Int) {
    delay = count
    threads = WorkerThreads(count: count, label: "reel.h264") {
      let decoder = PictureJobDecoder()
      return { decoder.run($0) }
    }
  }

  func submit(_ job: PictureJob) { threads.submit(job) }

  func wait(for job: PictureJob) { job.completion.wait(until: 1) }
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
