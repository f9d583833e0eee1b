// Decoding a picture as a value that can be handed to a worker.

import ReelCore

/// A slice segment with its parsed header and final reference lists, ready for decoding.
struct SliceInput {
  let header: SliceHeader
  let layout: PictureLayout
  /// RefPicList0 and RefPicList1: places in the picture's reference picture set.
  let referenceList0: [Int]
  let referenceList1: [Int]
  /// The NAL unit without emulation prevention.
  let payload: [UInt8]
}

/// What decoding the samples of a picture found.
struct PictureOutcome: Sendable {
  /// Coding tree units that were made up.
  var concealedCount = 0
  /// Pictures that blocks were predicted from though they are not what the stream means.
  var damagedReferenceCount = 0
  /// The first thing that was wrong, with its place.
  var firstFault: MediaError?
  /// False when the stream tells a hash of the picture and the samples have another.
  var matchesHash: Bool?
}

/// One picture to decode: all that headers could tell of it.
///
/// Made when the last slice of the picture was seen, run once by a ``PictureExecutor``, after its
/// ``references``. Marking, lists and output order never wait for it; output of its frame does.
final class PictureJob: @unchecked Sendable {
  /// Number of the job in decoding order, from 0.
  let number: Int
  let picture: Picture
  let layout: PictureLayout
  /// The slice segments in the order they came; emptied once they are decoded.
  var slices: [SliceInput] = []
  /// The reference picture set that lists and motion name places of. Emptied by the executor once the
  /// job is done, so that jobs do not chain through the stream.
  var references: [Picture]
  /// The hash that the stream tells, where hashes are to be checked.
  var hash: PictureHash?

  init(number: Int, picture: Picture, layout: PictureLayout, references: [Picture]) {
    self.number = number
    self.picture = picture
    self.layout = layout
    self.references = references
  }
}

/// Runs jobs: at once, or on other threads.
protocol PictureExecutor: AnyObject {
  /// Frames that may be under way when the decoder is asked for output: 0 when ``submit(_:)`` does all
  /// the work. It delays output by that many frames, always, so that the same packets give the same
  /// frames from every call however fast the workers are.
  var delay: Int { get }
  /// Takes a job, after all its references were submitted. ``Picture/completion`` tells when it is done.
  func submit(_ job: PictureJob)
}
