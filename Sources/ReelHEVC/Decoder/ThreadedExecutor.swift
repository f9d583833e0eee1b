// Running picture jobs on several threads.

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
    threads = WorkerThreads(count: count, label: "reel.hevc") {
      let decoder = PictureJobDecoder()
      return { decoder.run($0) }
    }
  }

  func submit(_ job: PictureJob) { threads.submit(job) }
}
