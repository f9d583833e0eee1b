// Which references a picture was really predicted from, and whether they can be trusted.

import ReelCore
import ReelVideoCore

/// The pictures that macroblocks of one picture refer to. A list may hold pictures that are missing or
/// damaged; only where a macroblock is predicted from one can samples be wrong.
struct UsedReferences {
  /// Pictures that are what the stream means.
  private var pictures: [Picture] = []
  /// Pictures that stand in for missing ones.
  private var substitutes: [Picture] = []

  /// Adds the entries of a slice's lists whose bits are set.
  mutating func add(_ slice: SliceInput, _ entries: InlineArray<2, UInt32>) {
    for list in 0..<2 where entries[list] != 0 {
      let references = list == 0 ? slice.referenceList0 : slice.referenceList1
      for (index, reference) in references.prefix(32).enumerated()
      where entries[list] >> UInt32(index) & 1 != 0 {
        if reference.isSubstitute {
          Self.insert(reference.picture, &substitutes)
        } else {
          Self.insert(reference.picture, &pictures)
        }
      }
    }
  }

  private static func insert(_ picture: Picture, _ list: inout [Picture]) {
    if !list.contains(where: { $0 === picture }) { list.append(picture) }
  }

  /// Counts the references that cannot be trusted, and notes the picture's own damage for those that
  /// refer to it. Waits for the jobs of the references: they are older, so they go on without this one.
  func settle(_ job: PictureJob, _ outcome: inout PictureOutcome) {
    for older in job.dependencies { older.completion.wait(until: 1) }
    // Of the first field, where this is the second one of its frame.
    var damage = job.picture.damage
    if outcome.concealedMacroblockCount > 0 { damage = job.damageNumber }
    func note(_ number: Int) { damage = max(damage ?? number, number) }
    if !substitutes.isEmpty { note(job.lossNumber) }
    outcome.damagedReferenceCount = substitutes.count
    for picture in pictures {
      guard let number = picture.damage, number >= job.trustedFrom else { continue }
      outcome.damagedReferenceCount += 1
      note(number)
    }
    let refersToAny = !pictures.isEmpty || !substitutes.isEmpty
    if refersToAny, let number = job.markingLoss, number >= job.trustedFrom {
      outcome.damagedReferenceCount = max(outcome.damagedReferenceCount, 1)
      note(number)
    }
    job.picture.damage = damage
  }
}
