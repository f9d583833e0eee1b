// From slice headers to jobs, marking and output order. ISO/IEC 14496-10:2020 §8.2, §C.4.

import ReelCore

/// Takes the slices of one picture after the other and keeps the decoded picture buffer.
///
/// Everything here follows from headers alone; samples are the business of the jobs that it hands to
/// the executor.
final class PictureSequencer {
  /// See ``SliceInput/hasEarlyFlagContexts``.
  var hasEarlyFlagContexts = false
  private let executor: any PictureExecutor
  private let concealment: ConcealmentPolicy
  private let limits: Limits
  private let outputsPriorPictures: Bool
  private let allocator = PictureAllocator()
  private(set) var buffer = DecodedPictureBuffer()
  private var counter = PictureOrderCounter()
  private var active: SequenceParameterSet?
  /// PrevRefFrameNum; nil at the start and after a reset, when no gap can be told.
  private var previousReferenceFrameNum: Int?
  /// A first field whose second field may come.
  private var firstField: FrameStore?
  private var current: CurrentPicture?
  private var standIns = StandIns()
  private var jobCount = 0
  private var frameCount = 0
  private var groupMap = SliceGroupMapCache()
  private var loss = LossState()
  /// A picture whose slices are coming in.
  private struct CurrentPicture {
    let frame: FrameStore
    let structure: PictureStructure
    let isSecondField: Bool
    /// Of the first slice.
    let header: SliceHeader
    let sequence: SequenceParameterSet
    let counts: PictureOrderCounts
    var slices: [SliceInput] = []
    var dependencies: [PictureJob] = []

    /// What a slice's lists depend on, with PicOrderCnt(CurrPic). §8.2.1.
    var identity: (FrameStore, SequenceParameterSet, picOrderCnt: Int) {
      let order =
        header.bottomFieldFlag
        ? counts.bottom : header.fieldPicFlag ? counts.top : min(counts.top, counts.bottom)
      return (frame, sequence, order)
    }
  }

  init(executor: any PictureExecutor, options: H264DecoderOptions) {
    self.executor = executor
    concealment = options.concealment
    limits = options.limits
    outputsPriorPictures = options.outputsPriorPictures
  }

  /// The frame that slices are coming in for.
  var currentFrame: FrameStore? { current?.frame }
  /// The current picture completes a frame whose first field was decoded before.
  var isSecondField: Bool { current?.isSecondField ?? false }

  /// Frames due for output, in order. Their jobs need not be done.
  func takeOutput() -> [FrameStore] { buffer.takeOutput() }

  // MARK: The picture's start

  /// Starts the picture with this first slice header and its message; the one before must be finished.
  ///
  /// - Throws: `.limitExceeded` for pictures too large, `.damaged` for impossible order counts, and
  ///   for lost pictures where damage is an error. No picture is current then.
  func begin(
    _ header: SliceHeader, sequence: SequenceParameterSet, properties: FrameProperties,
    recoveryPoint: RecoveryPoint? = nil
  ) throws(MediaError) {
    current = nil
    if let first = firstField, isSecondField(header, of: first, sequence) {
      let counts = try counter.counts(of: header, sequence)
      firstField = nil
      loss.notePair(first, secondField: header.structure)
      current = CurrentPicture(
        frame: first, structure: header.structure, isSecondField: true, header: header,
        sequence: sequence, counts: counts)
      return
    }
    completeFirstField()
    try activate(sequence, isIDR: header.isIDR)
    if header.isIDR {
      buffer.empty(
        withoutOutput: header.marking.noOutputOfPriorPicsFlag && !outputsPriorPictures)
      previousReferenceFrameNum = nil
      loss.dropReferences()
    } else {
      try fillGap(header, sequence)
    }
    let counts = try counter.counts(of: header, sequence)
    let picture = allocator.picture(for: sequence)
    // Other threads ask for these as soon as the picture is in a list.
    picture.coding =
      header.fieldPicFlag ? .fields : header.mbaffFrameFlag ? .mbaffFrame : .frame
    picture.addColourPlanes(sequence.separateColourPlaneFlag ? 3 : 1)
    picture.progress = .pending
    let frame = FrameStore(
      picture: picture, frameNum: header.frameNum, isReference: header.isReference)
    frame.isIDR = header.isIDR
    frame.properties = properties
    frame.properties.decodeIndex = frameCount
    frame.properties.setFieldOrder(header, counts)
    frameCount += 1
    loss.judge(frame, header, counts, sequence, point: recoveryPoint, job: jobCount)
    if frame.isSuspect { distrust(frame) }
    current = CurrentPicture(
      frame: frame, structure: header.structure, isSecondField: false, header: header,
      sequence: sequence, counts: counts)
  }

  /// A frame whose references may have come before the first picture is not to be trusted: it is
  /// flagged, or where damage is an error, not put out. §D.2.8.
  private func distrust(_ frame: FrameStore) {
    frame.missingReferenceCount = 1
    if concealment == .fail { frame.isNeededForOutput = false }
  }

  /// The second field of a complementary field pair follows its first one at once, has the other
  /// parity and the same frame_num, and both are reference fields or neither is. §3.30, §3.31.
  private func isSecondField(
    _ header: SliceHeader, of first: FrameStore, _ sequence: SequenceParameterSet
  ) -> Bool {
    header.fieldPicFlag && first.fields == header.structure.opposite.rawValue
      && first.frameNum == header.frameNum && first.isReference == header.isReference
      && !header.marking.hasAllUnused && sequence == active
      // SPEC: a second IDR field is no second field by the letter; with an IDR field before it and
      // the same frame_num, 0, nothing else can be meant.
      && (!header.isIDR || first.isIDR)
  }

  /// Takes a sequence parameter set into use. Frames of another geometry cannot predict from those
  /// before: they are all put out, as at the end of a stream.
  private func activate(
    _ sequence: SequenceParameterSet, isIDR: Bool
  ) throws(MediaError) {
    guard sequence != active else { return }
    let samples = sequence.width * sequence.height
    guard samples <= limits.maximumPictureSamples else {
      throw MediaError(
        .limitExceeded, .h264PictureSize,
        detail: "\(sequence.width)×\(sequence.height), allowed are \(limits.maximumPictureSamples)")
    }
    if let active, !active.hasSameGeometry(as: sequence), !isIDR {
      buffer.empty()
      previousReferenceFrameNum = nil
    }
    if active?.hasSameGeometry(as: sequence) != true {
      standIns.forget()
    }
    active = sequence
    buffer.configure(sequence)
  }

  /// Gaps in frame_num, §8.2.5.2: "non-existing" frames take the places of those that are skipped.
  private func fillGap(
    _ header: SliceHeader, _ sequence: SequenceParameterSet
  ) throws(MediaError) {
    guard let previous = previousReferenceFrameNum, header.frameNum != previous else { return }
    let modulus = sequence.maxFrameNum
    let first = (previous + 1) % modulus
    guard header.frameNum != first else { return }
    let missing = (header.frameNum - first + modulus) % modulus
    if !sequence.gapsInFrameNumValueAllowedFlag { loss.loseMarking(before: jobCount) }
    if !sequence.gapsInFrameNumValueAllowedFlag && concealment == .fail {
      previousReferenceFrameNum = header.isReference ? header.frameNum : previous
      throw MediaError(
        .damaged, .h264FrameNumGap,
        detail: "frame_num is \(header.frameNum) after \(previous), \(missing) frames are missing",
        advice: "decode with concealment")
    }
    // Only as many as the sliding window keeps can ever be seen.
    let kept = min(missing, max(sequence.maxNumRefFrames, 1))
    if missing > kept { stepOver(frameNum: (header.frameNum - kept - 1 + modulus) % modulus) }
    for distance in stride(from: kept, to: 0, by: -1) {
      try addNonExisting((header.frameNum - distance + modulus) % modulus, sequence)
    }
    previousReferenceFrameNum = (header.frameNum - 1 + modulus) % modulus

    func stepOver(frameNum: Int) {
      let header = Self.nonExistingHeader(frameNum)
      guard let counts = try? counter.counts(of: header, sequence) else { return }
      counter.advance(past: header, counts, topAfterAllUnused: nil)
    }
  }

  /// One frame of a gap: inferred to be a reference frame, marked by the sliding window. §8.2.5.2.
  private func addNonExisting(
    _ frameNum: Int, _ sequence: SequenceParameterSet
  ) throws(MediaError) {
    let header = Self.nonExistingHeader(frameNum)
    let frame = FrameStore(picture: nil, frameNum: frameNum, isReference: true)
    frame.isLost = !sequence.gapsInFrameNumValueAllowedFlag
    var counts = PictureOrderCounts(top: 0, bottom: 0)
    if sequence.picOrderCntType != 0 {
      counts = try counter.counts(of: header, sequence)
      counter.advance(past: header, counts, topAfterAllUnused: nil)
    }
    frame.add(.frame, counts)
    _ = buffer.mark(
      CurrentMarking(
        frame: frame, structure: .frame, isSecondField: false, header: header, sequence: sequence))
    buffer.store(frame)
  }

  private static func nonExistingHeader(_ frameNum: Int) -> SliceHeader {
    var header = SliceHeader()
    header.frameNum = frameNum
    header.nalRefIDC = 1
    return header
  }

  // MARK: Slices

  /// Adds a slice to the current picture: builds its lists. `payload` holds slice_data() from
  /// ``SliceHeader/dataStart``.
  ///
  /// - Throws: `.damaged` when references are missing and damage is an error.
  func add(
    _ header: SliceHeader, picture parameters: PictureParameterSet, payload: [UInt8]
  ) throws(MediaError) {
    // A copy of `current` would hold its slices, and each append would copy all of them.
    guard let (frame, sequence, order) = current?.identity else { return }
    let lists = ReferenceListBuilder(
      buffer: buffer, header: header, sequence: sequence, picOrderCnt: order
    ).lists()
    var missing = lists.missingCount
    let list0 = references(lists.list0, header.structure, &missing)
    let list1 = references(lists.list1, header.structure, &missing)
    if missing > 0 && concealment == .fail {
      frame.isNeededForOutput = false
      throw MediaError(
        .damaged, .h264MissingReference, detail: "\(missing) pictures are missing",
        advice: "decode with concealment")
    }
    frame.missingReferenceCount = max(frame.missingReferenceCount, missing)
    current?.slices.append(
      SliceInput(
        header: header, sequence: sequence, picture: parameters, referenceList0: list0,
        referenceList1: list1, payload: payload, dataStart: header.dataStart,
        sliceGroupMap: groupMap.map(header, sequence, parameters),
        hasEarlyFlagContexts: hasEarlyFlagContexts))
  }

  /// Adds data partition B or C to the slice with its slice_id; false when there is none.
  func addPartition(
    _ type: NALUnitType, _ partition: SliceDataPartitionHeader, payload: [UInt8]
  ) -> Bool {
    let index = current?.slices.lastIndex {
      $0.header.nalUnitType == .partitionA && $0.header.sliceID == partition.sliceID
        && $0.header.colourPlaneID == partition.colourPlaneID
    }
    guard let index else { return false }
    if type == .partitionB {
      current?.slices[index].partitionB = (payload, partition.dataStart)
    } else {
      current?.slices[index].partitionC = (payload, partition.dataStart)
    }
    return true
  }

  /// The entries as pictures; holes get the nearest picture that is there. `missing` counts lost
  /// frames, and a list with nothing in it as one.
  private func references(
    _ entries: [ReferenceEntry?], _ structure: PictureStructure, _ missing: inout Int
  ) -> [ReferencePicture] {
    if !entries.isEmpty && entries.allSatisfy({ $0 == nil }) { missing += 1 }
    return entries.map { entry in
      guard let entry, let picture = entry.frame.picture else {
        if entry?.frame.isLost == true { missing += 1 }
        return substitute(for: entry, structure)
      }
      depend(on: entry.frame)
      return ReferencePicture(
        picture: picture, structure: entry.structure, isLongTerm: entry.isLongTerm)
    }
  }

  private func depend(on frame: FrameStore) {
    guard var dependencies = current?.dependencies else { return }
    for job in frame.jobs where !dependencies.contains(where: { $0 === job }) {
      dependencies.append(job)
    }
    current?.dependencies = dependencies
  }

  private func substitute(
    for entry: ReferenceEntry?, _ structure: PictureStructure
  ) -> ReferencePicture {
    guard let found = standIns.frame(for: entry, structure, in: buffer.frames) else {
      let sequence = current?.sequence ?? SequenceParameterSet()
      return ReferencePicture(
        picture: standIns.greyPicture(sequence, allocator),
        structure: entry?.structure ?? structure, isLongTerm: false, isSubstitute: true)
    }
    depend(on: found.frame)
    return ReferencePicture(
      picture: found.picture, structure: found.part, isLongTerm: entry?.isLongTerm ?? false,
      isSubstitute: true)
  }

  // MARK: The picture's end

  /// Ends the current picture: its job goes to the executor, then it is marked and stored, and frames
  /// may become due for output.
  ///
  /// - Returns: what was wrong with its marking.
  @discardableResult
  func finish() -> MediaError? {
    guard let picture = current else { return nil }
    current = nil
    let frame = picture.frame
    frame.add(picture.structure, picture.counts)
    submit(picture)
    var fault: MediaError?
    let hasAllUnused = picture.header.isReference && picture.header.marking.hasAllUnused
    if picture.header.isReference {
      fault = buffer.mark(
        CurrentMarking(
          frame: frame, structure: picture.structure, isSecondField: picture.isSecondField,
          header: picture.header, sequence: picture.sequence))
      previousReferenceFrameNum = hasAllUnused ? 0 : picture.header.frameNum
    }
    if hasAllUnused { restartOrder(picture) }
    counter.advance(
      past: picture.header, picture.counts,
      topAfterAllUnused: hasAllUnused ? frame.picOrderCnt(.topField) : nil)
    if !picture.isSecondField { buffer.store(frame) }
    if picture.structure == .frame || picture.isSecondField {
      buffer.complete(frame)
    } else {
      firstField = frame
    }
    standIns.lastFrame = frame
    return fault
  }

  private func submit(_ picture: CurrentPicture) {
    guard let samples = picture.frame.picture else { return }
    var dependencies = picture.dependencies
    for job in picture.frame.jobs where !dependencies.contains(where: { $0 === job }) {
      dependencies.append(job)
    }
    let job = PictureJob(
      number: jobCount, picture: samples, structure: picture.structure,
      sequence: picture.sequence, slices: picture.slices, dependencies: dependencies,
      trustedFrom: picture.frame.trustedFrom, markingLoss: loss.markingLoss,
      lossNumber: loss.lossNumber(picture.frame, job: jobCount))
    jobCount += 1
    picture.frame.jobs.append(job)
    executor.submit(job)
  }

  /// What memory_management_control_operation 5 does besides marking: frames before are put out, and
  /// the picture's order starts again at 0. §8.2.1, §C.4.4.
  private func restartOrder(_ picture: CurrentPicture) {
    // The job reads the order counts as they were.
    if let job = picture.frame.jobs.last { executor.wait(for: job) }
    buffer.empty()
    picture.frame.rebaseOrderCounts(picture.structure)
    picture.frame.frameNum = 0
    loss.restartOrder()
  }

  /// No second field came: the lines of the first stand for it, on the screen and wherever damage
  /// leads a later picture there.
  private func completeFirstField() {
    guard let first = firstField else { return }
    firstField = nil
    // Its second field may have been lost, and what that said of marking with it.
    if first.isReference { loss.loseMarking(before: jobCount) }
    if let part = PictureStructure(rawValue: first.fields), let picture = first.picture {
      first.jobs.forEach(executor.wait)
      picture.doubleField(part)
      picture.progress.publish(.max, part.opposite)
    }
    buffer.complete(first)
  }

  /// The stream ends: all frames are due. The next picture starts a new one.
  func flush() {
    finish()
    completeFirstField()
    buffer.empty()
    previousReferenceFrameNum = nil
    loss.dropReferences()
  }

  /// Forgets all pictures.
  func reset() {
    current = nil
    firstField = nil
    standIns.lastFrame = nil
    buffer.reset()
    counter = PictureOrderCounter()
    previousReferenceFrameNum = nil
    loss.reset(job: jobCount)
  }
}
