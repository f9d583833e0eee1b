// Decoding all slices of a picture, mending what is missing, filtering. ISO/IEC 23008-2:2020 §8.1.

import ReelCore
import ReelVideoCore

/// Runs picture jobs whose samples are of one type. Keeps its working memory from job to job; one
/// thread at a time.
final class PictureDecoder<S: HEVCSample> {
  private var context: PictureContext?
  private var before: FramePlanes<S>?
  private let memory = SliceMemory<S>()

  init() {}

  /// Decodes the samples of a job's picture.
  func decode(_ job: PictureJob) -> PictureOutcome {
    var outcome = PictureOutcome()
    guard let planes = S.planes(of: job.picture.storage) else { return outcome }
    let context = prepare(job.layout.sequence)
    var references: [ReferenceView<S>] = []
    for picture in job.references {
      if let view = SliceDecoder<S>.reference(picture, like: planes) { references.append(view) }
    }
    let filters = LoopFilters<S>(
      job, planes: planes, context: context,
      before: before ?? LoopFilters<S>.makeRows(job.layout.sequence))
    var used: UInt32 = 0
    if references.count == job.references.count {
      used = decodeSlices(job, planes, context, references, filters, &outcome)
    }
    let concealment = Concealment(
      job, planes: planes, context: context, reference: references.first)
    outcome.concealedCount = concealment.conceal()
    if outcome.concealedCount > 0 && outcome.firstFault == nil {
      outcome.firstFault = MediaError(
        .damaged, .hevcPictureIncomplete, at: .picture(job.number, macroblock: nil),
        detail: "\(outcome.concealedCount) coding tree units are missing")
    }
    filters.finish()
    for place in references.indices where used >> UInt32(place) & 1 == 1 {
      let reference = references[place].picture
      reference.completion.wait(until: 1)
      if reference.isSubstitute || reference.isDamaged { outcome.damagedReferenceCount += 1 }
    }
    if let hash = job.hash, outcome.concealedCount == 0 {
      outcome.matchesHash = hash.matches(planes, job.layout.sequence)
    }
    return outcome
  }

  /// Decodes the slice segments; returns which references blocks were predicted from.
  private func decodeSlices(
    _ job: PictureJob, _ planes: FramePlanes<S>, _ context: PictureContext,
    _ references: [ReferenceView<S>], _ filters: LoopFilters<S>, _ outcome: inout PictureOutcome
  ) -> UInt32 {
    let saved = SavedContexts()
    var number: Int32 = -1
    var used: UInt32 = 0
    /// Where in tile scan the segment before ended; nil when it is not whole.
    var end: Int?
    for slice in job.slices {
      let first = Int(slice.layout.rasterToTile[slice.header.segmentAddress])
      if slice.header.isDependent {
        guard number >= 0, end == first else {
          note(MediaError(.damaged, .hevcDependentSlice), job, first, &outcome)
          end = nil
          continue
        }
      } else {
        number += 1
        filters.slices.append(SliceFilterParameters(slice.header))
      }
      let decoder = SliceDecoder<S>(
        slice, job: job, planes: planes, context: context, references: references,
        memory: memory, saved: saved, sliceNumber: number)
      var count = 0
      decoder.decodeSliceData { address in
        count += 1
        filters.finish(address)
      }
      used |= decoder.usedReferences
      end = decoder.hasFault ? nil : first + count
      if let fault = decoder.fault { note(fault, job, decoder.ctbAddress, &outcome) }
    }
    return used
  }

  private func note(
    _ fault: MediaError, _ job: PictureJob, _ address: Int, _ outcome: inout PictureOutcome
  ) {
    if outcome.firstFault == nil {
      outcome.firstFault = fault.at(.picture(job.number, macroblock: address))
    }
  }

  private func prepare(_ sequence: SequenceParameterSet) -> PictureContext {
    if let context, context.sequence === sequence {
      context.reset()
      return context
    }
    let context = PictureContext(sequence)
    self.context = context
    before = LoopFilters<S>.makeRows(sequence)
    // What a block that failed halfway left behind.
    memory.coefficients.fill(with: 0)
    return context
  }
}
