// Driving the reference processes with headers alone.

internal import ReelCore
internal import ReelTestSupport

@testable internal import ReelH264

/// Takes jobs, keeps what they said, decodes nothing.
final class RecordingExecutor: PictureExecutor {
  var delay = 0
  /// What each job is to find.
  var outcome = PictureOutcome()
  private(set) var jobs: [PictureJob] = []
  private(set) var slices: [[SliceInput]] = []

  func submit(_ job: PictureJob) {
    precondition(job.dependencies.allSatisfy { $0.outcome != nil }, "a job came too early")
    jobs.append(job)
    slices.append(job.slices)
    job.outcome = outcome
    job.slices = []
    job.dependencies = []
  }

  func wait(for job: PictureJob) {}
}

/// Pictures told in short: `2` is frame 2 in decoding order, `2t` and `2b` are its fields, `L` stands
/// for a long-term reference, `?` for a substitute.
struct ControlBench {
  let executor = RecordingExecutor()
  let sequencer: PictureSequencer
  var sequence = SequenceParameterSet()
  var parameters = PictureParameterSet()
  private(set) var output: [Int] = []

  init(
    options: H264DecoderOptions = H264DecoderOptions(),
    _ configure: (inout SequenceParameterSet) -> Void = { _ in }
  ) {
    sequencer = PictureSequencer(executor: executor, options: options)
    sequence.profileIDC = 100
    sequence.levelIDC = 10
    sequence.maxNumRefFrames = 4
    sequence.log2MaxPicOrderCntLsb = 8
    sequence.frameMbsOnlyFlag = false
    sequence.direct8x8InferenceFlag = true
    configure(&sequence)
  }

  /// Decodes a picture of one slice and gives its lists. `order` is pic_order_cnt_lsb; the lists have
  /// `counts` active entries.
  @discardableResult
  mutating func decode(
    _ type: SliceType = .p, frameNum: Int, order: Int = 0, isReference: Bool = true,
    isIDR: Bool = false, field: PictureStructure = .frame, counts: (Int, Int) = (4, 4),
    _ change: (inout SliceHeader) -> Void = { _ in }
  ) throws -> (list0: String, list1: String) {
    var header = SliceHeader()
    header.nalUnitType = isIDR ? .idrSlice : .nonIDRSlice
    header.nalRefIDC = isReference ? 1 : 0
    header.sliceType = type
    header.frameNum = frameNum
    header.picOrderCntLsb = order
    header.fieldPicFlag = field.isField
    header.bottomFieldFlag = field == .bottomField
    if !type.isIntra { header.numRefIdxL0Active = counts.0 }
    if type == .b { header.numRefIdxL1Active = counts.1 }
    change(&header)
    try sequencer.begin(header, sequence: sequence, properties: FrameProperties(sequence))
    try sequencer.add(header, picture: parameters, payload: [])
    let slices = sequencer.finishedSlices(in: executor)
    takeOutput()
    return (describe(slices.last?.referenceList0), describe(slices.last?.referenceList1))
  }

  /// An IDR picture, frame or first field.
  mutating func idr(
    order: Int = 0, field: PictureStructure = .frame,
    _ change: (inout SliceHeader) -> Void = { _ in }
  ) throws {
    try decode(.i, frameNum: 0, order: order, isIDR: true, field: field, change)
  }

  /// Both fields of a reference frame, top first, as P fields.
  mutating func pair(frameNum: Int, order: Int = 0) throws {
    try decode(frameNum: frameNum, order: order, field: .topField)
    try decode(frameNum: frameNum, order: order + 1, field: .bottomField)
  }

  mutating func flush() {
    sequencer.flush()
    takeOutput()
  }

  private mutating func takeOutput() {
    output += sequencer.takeOutput().map(\.properties.decodeIndex)
  }

  /// What is marked, in decoding order: `1` both fields, `1t` one; `L2` behind it: LongTermFrameIdx 2;
  /// `x` for non-existing frames.
  var marked: String {
    sequencer.buffer.frames.filter(\.isUsedForReference).map { frame in
      let name = frame.isNonExisting ? "x" : "\(frame.properties.decodeIndex)"
      var parts: [String] = []
      if frame.isShortTerm { parts.append(name + suffix(frame.shortTermFields)) }
      if frame.isLongTerm {
        parts.append(name + suffix(frame.longTermFields) + "L\(frame.longTermFrameIdx)")
      }
      return parts.joined(separator: "+")
    }.joined(separator: " ")
  }

  private func suffix(_ fields: UInt8) -> String { ["", "t", "b", ""][Int(fields)] }

  private func describe(_ list: [ReferencePicture]?) -> String {
    (list ?? []).map { entry in
      "\(entry.picture.number)" + suffix(entry.structure.rawValue) + (entry.isLongTerm ? "L" : "")
        + (entry.isSubstitute ? "?" : "")
    }.joined(separator: " ")
  }
}

extension PictureSequencer {
  /// Ends the picture and gives its slices.
  fileprivate func finishedSlices(in executor: RecordingExecutor) -> [SliceInput] {
    finish()
    return executor.slices.last ?? []
  }
}
