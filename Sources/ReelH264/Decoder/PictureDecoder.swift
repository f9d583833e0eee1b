// Decoding all slices of a picture, mending what is missing, filtering. ISO/IEC 14496-10:2020 §8.

import ReelCore

/// Runs picture jobs whose samples are of one type. Keeps its working memory from job to job; one
/// thread at a time.
final class PictureDecoder<S: H264Sample> {
  /// Working memory for each colour plane that is coded separately, else one.
  private var contexts: [PictureContext] = []
  /// Scaling factors of the picture parameter set that was used last.
  private var scaling: (lists: ScalingLists, tables: ScalingTables)?
  /// What the macroblocks of the job under way were predicted from.
  private(set) var used = UsedReferences()

  init() {}

  /// Decodes the samples of a job's picture.
  func decode(_ job: PictureJob) -> PictureOutcome {
    var outcome = PictureOutcome()
    used = UsedReferences()
    guard let planes = S.planes(of: job.picture.storage) else { return outcome }
    // A picture whose slices were all refused is made up: later ones may refer to it.
    let scaling = tables(for: job.slices.first?.picture ?? PictureParameterSet())
    let planeCount = job.sequence.separateColourPlaneFlag ? 3 : 1
    prepare(job, planeCount: planeCount)
    for colourPlane in 0..<planeCount {
      let target = PictureTarget(
        job.picture, planes: planes, structure: job.structure, context: contexts[colourPlane],
        motion: job.picture.motion(ofColourPlane: colourPlane),
        colourPlane: planeCount == 3 ? colourPlane : nil, scaling: scaling)
      let slices =
        planeCount == 1 ? job.slices : job.slices.filter { $0.header.colourPlaneID == colourPlane }
      decode(slices, of: job, into: target, &outcome)
    }
    return outcome
  }

  private func prepare(_ job: PictureJob, planeCount: Int) {
    let motion = job.picture.motion
    if let old = contexts.first,
      old.widthInMbs != motion.widthInMbs || old.heightInMbs != motion.heightInMbs
    {
      contexts.removeAll()
    }
    while contexts.count < planeCount {
      contexts.append(
        PictureContext(widthInMbs: motion.widthInMbs, heightInMbs: motion.heightInMbs))
    }
    for context in contexts { context.reset() }
  }

  private func tables(for picture: PictureParameterSet) -> ScalingTables {
    if let scaling, scaling.lists == picture.scalingLists { return scaling.tables }
    let tables = ScalingTables(picture)
    scaling = (picture.scalingLists, tables)
    return tables
  }

  private func decode(
    _ slices: [SliceInput], of job: PictureJob, into target: consuming PictureTarget<S>,
    _ outcome: inout PictureOutcome
  ) {
    let isInOrder = isInOrder(slices)
    let rows = RowPipeline(
      LoopFilter(
        target, sequence: job.sequence, isMbaff: slices.first?.header.mbaffFrameFlag ?? false),
      progress: target.colourPlane == nil ? job.picture.progress : PictureProgress(),
      structure: job.structure, isInOrder: isInOrder)
    for (number, slice) in slices.enumerated() {
      target.scaling = tables(for: slice.picture)
      rows.add(SliceFilterParameters(slice))
      let decoder = MacroblockDecoder(
        slice, target: target, sliceNumber: Int32(truncatingIfNeeded: number), rows: rows,
        nextSlice: isInOrder && number + 1 < slices.count ? slices[number + 1] : nil)
      decoder.decodeSliceData()
      used.add(slice, decoder.usedEntries)
      if outcome.firstFault == nil, let fault = decoder.fault {
        outcome.firstFault = fault.at(.picture(job.number, macroblock: decoder.address))
      }
      outcome.concealedMacroblockCount += decoder.missingResidualCount
      if decoder.missingResidualCount > 0 && outcome.firstFault == nil {
        outcome.firstFault = MediaError(
          .damaged, .partitionMissing, at: .picture(job.number, macroblock: nil))
      }
    }
    let lost = Concealment(target, slices: slices).conceal()
    outcome.concealedMacroblockCount += lost
    if lost > 0 && outcome.firstFault == nil {
      outcome.firstFault = MediaError(
        .damaged, .pictureIncomplete, at: .picture(job.number, macroblock: nil),
        detail: "\(lost) macroblocks are missing")
    }
    rows.finish()
  }

  /// Slices follow each other in raster order, without slice groups.
  private func isInOrder(_ slices: [SliceInput]) -> Bool {
    var last = -1
    for slice in slices {
      if !slice.sliceGroupMap.isEmpty || slice.header.firstMbInSlice <= last { return false }
      last = slice.header.firstMbInSlice
    }
    return true
  }
}

extension Picture {
  /// Motion of the macroblocks of a colour plane, 0…2.
  func motion(ofColourPlane index: Int) -> MotionField {
    index == 0 || index > colourPlaneMotions.count ? motion : colourPlaneMotions[index - 1]
  }

  /// Makes room for the motion of separately coded planes.
  func addColourPlanes(_ count: Int) {
    while colourPlaneMotions.count + 1 < count {
      colourPlaneMotions.append(
        MotionField(widthInMbs: motion.widthInMbs, heightInMbs: motion.heightInMbs))
    }
  }
}
