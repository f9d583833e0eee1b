// Running picture jobs at once, on the caller's thread.

import ReelCore
import ReelVideoCore

/// The executor of a decoder with one thread.
final class SerialExecutor: PictureExecutor {
  private let decoder = PictureJobDecoder()
  let delay = 0

  func submit(_ job: PictureJob) { decoder.run(job) }
}

/// Runs jobs of both sample types, one at a time.
final class PictureJobDecoder {
  private let decoder8 = PictureDecoder<UInt8>()
  private let decoder16 = PictureDecoder<UInt16>()

  func run(_ job: PictureJob) {
    let outcome: PictureOutcome
    switch job.picture.storage {
    case .depth8: outcome = decoder8.decode(job)
    case .depth16: outcome = decoder16.decode(job)
    }
    let picture = job.picture
    picture.isDamaged = outcome.concealedCount > 0 || outcome.damagedReferenceCount > 0
    picture.outcome = outcome
    job.slices = []
    job.references = []
    picture.progress.publish(.max)
    picture.completion.publish(1)
  }
}
