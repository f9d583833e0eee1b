// What of the stream was lost, and which pictures that may show in. ISO/IEC 14496-10:2020 §D.2.8.

/// Judges pictures from their headers alone: whether what they refer to can be what the stream means.
///
/// Damage is numbered by the job in which it happens, from 1, so that a later recovery point can vouch for a
/// picture in spite of all damage before it.
struct LossState {
  private var recovery = RecoveryState()
  private var trust = RecoveryTrust()
  /// Number of the last loss of a reference picture: with it went what it said of marking, so that lists
  /// may hold other pictures than the stream means. nil: none since all references were dropped.
  private(set) var markingLoss: Int?
  /// The parity that comes second in reference fields.
  private var usualSecondField: PictureStructure?
  /// Number of the first job since decoding began.
  private var firstJob = 0

  /// Tells a new frame, or first field, from which damage on it is not to be trusted. Called in decoding order;
  /// `job` is the number of the job that will decode it.
  mutating func judge(
    _ frame: FrameStore, _ header: SliceHeader, _ counts: PictureOrderCounts,
    _ sequence: SequenceParameterSet, point: RecoveryPoint?, job: Int
  ) {
    frame.isSuspect = recovery.isSuspect(header, counts, sequence, point: point)
    frame.trustedFrom = trust.number(header, counts, sequence, point: point, damageNumber: job + 1)
  }

  /// A reference picture was lost before job `job`.
  mutating func loseMarking(before job: Int) { markingLoss = job + 1 }

  /// All references were dropped: what was lost of marking does not matter any more.
  mutating func dropReferences() { markingLoss = nil }

  /// The number of a loss that a missing reference is for job `job` of the frame: of its own, or where
  /// pictures from before decoding began are missing, of the first job.
  func lossNumber(_ frame: FrameStore, job: Int) -> Int { frame.isSuspect ? firstJob : job + 1 }

  /// A pair of fields to which nothing refers, in the other order than the pairs before: it may be the
  /// second field of one frame, whose first was lost, and the first of the next, whose second was.
  mutating func notePair(_ first: FrameStore, secondField: PictureStructure) {
    if first.isReference {
      usualSecondField = secondField
    } else if let usualSecondField, usualSecondField != secondField {
      first.missingReferenceCount = max(first.missingReferenceCount, 1)
    }
  }

  /// Order counts start again, by memory_management_control_operation 5.
  mutating func restartOrder() {
    markingLoss = nil
    recovery.restartOrder()
    trust.restartOrder()
  }

  /// Decoding begins anew with job `job`.
  mutating func reset(job: Int) {
    self = LossState()
    firstJob = job
  }
}
