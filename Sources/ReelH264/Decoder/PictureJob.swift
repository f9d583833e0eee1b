// Decoding a picture as a value that can be handed to a worker.

import ReelCore
import ReelVideoCore

/// What decoding the samples of a picture found.
struct PictureOutcome: Sendable {
  /// Macroblocks that were made up.
  var concealedMacroblockCount = 0
  /// Pictures that macroblocks were predicted from though they are not what the stream means: stand-ins
  /// for missing ones, and pictures that are damaged themselves.
  var damagedReferenceCount = 0
  /// The first thing that was wrong, with its place.
  var firstFault: MediaError?
}

/// One picture (frame or field) to decode: all that headers could tell of it.
///
/// Made when the last slice of the picture was seen, run once by a ``PictureExecutor``, after its
/// ``dependencies``. Marking, lists and output order never wait for it; output of its frame does.
final class PictureJob: @unchecked Sendable {
  /// Number of the job in decoding order, from 0.
  let number: Int
  let picture: Picture
  let structure: PictureStructure
  let sequence: SequenceParameterSet
  /// The slices in the order they came; emptied by the executor once they are decoded.
  var slices: [SliceInput]
  /// The jobs that write what this one reads: of its references, and of the first field of its frame.
  /// Emptied by the executor once the job is done, so that jobs do not chain through the stream.
  var dependencies: [PictureJob]
  /// Damage of lesser number does not count: a recovery point vouches for the picture.
  let trustedFrom: Int
  /// The damage that a missing reference is: this job's own, or where pictures from before decoding
  /// began are missing, an earlier one.
  let lossNumber: Int
  /// Number of a loss after which lists may hold other pictures than the stream means; nil: none.
  let markingLoss: Int?
  /// The number of damage that happens in this job.
  var damageNumber: Int { number + 1 }
  /// nil until the job is done.
  var outcome: PictureOutcome?
  /// 1 once the job is done: `outcome` and the samples may be read then.
  let completion = LineProgress(0)

  init(
    number: Int, picture: Picture, structure: PictureStructure, sequence: SequenceParameterSet,
    slices: [SliceInput], dependencies: [PictureJob], trustedFrom: Int, markingLoss: Int?,
    lossNumber: Int
  ) {
    self.trustedFrom = trustedFrom
    self.lossNumber = lossNumber
    self.markingLoss = markingLoss
    self.number = number
    self.picture = picture
    self.structure = structure
    self.sequence = sequence
    self.slices = slices
    self.dependencies = dependencies
  }
}

/// Runs jobs: at once, or on other threads.
protocol PictureExecutor: AnyObject {
  /// Frames that may be under way when the decoder is asked for output: 0 when ``submit(_:)`` does all
  /// the work. It delays output by that many frames, always, so that the same packets give the same
  /// frames from every call however fast the workers are.
  var delay: Int { get }
  /// Takes a job, after all its dependencies were submitted.
  func submit(_ job: PictureJob)
  /// Waits until a submitted job is done.
  func wait(for job: PictureJob)
}
