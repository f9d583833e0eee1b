internal import ReelCore
internal import ReelTestSupport
internal import Testing

@testable internal import ReelH264

/// Picture order counts that wrap, told by the order of frames whose luma values rise.
@Suite("Written order counts")
struct OrderStreamTests {
  /// Reference pictures two apart in order, each followed by one between it and that before: the last comes
  /// first in output.
  private static func frames(
    of stream: inout WrittenStream, count: Int, isField: Bool = false,
    order: (_ place: Int) -> Int
  ) {
    let modulus = stream.sequence.maxFrameNum
    for number in 0..<count {
      // Places in output order: 0; 2, 1; 4, 3; …
      for (place, isReference) in number == 0
        ? [(0, true)] : [(2 * number, true), (2 * number - 1, false)]
      {
        for field in isField ? [PictureStructure.topField, .bottomField] : [.frame] {
          let second = field == .bottomField ? 1 : 0
          stream.picture(
            number == 0 && second == 0 ? .i : .p,
            frameNum: (isReference ? number : number + 1) % modulus,
            order: (order(place) + second) % stream.sequence.maxPicOrderCntLsb,
            isReference: isReference, isIDR: number == 0 && second == 0, field: field
          ) { _ in .flat(UInt8(10 + 4 * place + second)) }
        }
      }
    }
  }

  private func check(_ stream: WrittenStream, count: Int, isField: Bool = false) throws {
    let frames = try stream.frames()
    let expected = (0..<2 * count - 1).map { 10 + 4 * $0 }
    #expect(frames.map { $0.probes(width: 1, line: isField ? 0 : nil)[0] } == expected)
    if isField {
      #expect(frames.map { $0.probes(width: 1, line: 1)[0] } == expected.map { $0 + 1 })
    }
    guard let samples = try stream.samplesOfFFmpeg() else { return }
    let isEqual = samples == frames.flatMap { $0.samples.flatMap { $0 } }
    #expect(isEqual, "FFmpeg's samples differ")
  }

  /// max_dec_frame_buffering and max_num_reorder_frames, so that output does not wait for the end alone.
  private static func reorder(_ sequence: inout SequenceParameterSet) {
    var vui = VideoUsabilityInformation()
    (vui.maxNumReorderFrames, vui.maxDecFrameBuffering) = (1, 2)
    sequence.vui = vui
    sequence.maxNumRefFrames = 1
  }

  @Test("type 0, whose 4 bits wrap every few pictures", arguments: [false, true], [2, 3])
  func typeZero(isField: Bool, step: Int) throws {
    var stream = WrittenStream(width: 1, height: 1) {
      Self.reorder(&$0)
      $0.log2MaxPicOrderCntLsb = 4
      $0.frameMbsOnlyFlag = !isField
      $0.direct8x8InferenceFlag = true
    }
    stream.sets()
    Self.frames(of: &stream, count: 25, isField: isField) { step * $0 }
    try check(stream, count: 25, isField: isField)
  }

  @Test("type 1 follows from frame_num, which wraps", arguments: [false, true])
  func typeOne(isField: Bool) throws {
    var stream = WrittenStream(width: 1, height: 1) {
      Self.reorder(&$0)
      $0.picOrderCntType = 1
      $0.deltaPicOrderAlwaysZeroFlag = true
      // Reference pictures 4 and 6 apart in turn; others 2 before the one before them.
      $0.offsetForRefFrame = [4, 6]
      $0.offsetForNonRefPic = -2
      $0.offsetForTopToBottomField = 1
      $0.frameMbsOnlyFlag = !isField
      $0.direct8x8InferenceFlag = true
    }
    stream.sets()
    Self.frames(of: &stream, count: 25, isField: isField) { _ in 0 }
    try check(stream, count: 25, isField: isField)
  }

  @Test("type 2 is the decoding order, over wrapping frame_num", arguments: [false, true])
  func typeTwo(isField: Bool) throws {
    var stream = WrittenStream(width: 1, height: 1) {
      $0.picOrderCntType = 2
      $0.maxNumRefFrames = 1
      $0.frameMbsOnlyFlag = !isField
      $0.direct8x8InferenceFlag = true
    }
    stream.sets()
    let modulus = stream.sequence.maxFrameNum
    for number in 0..<50 {
      for field in isField ? [PictureStructure.topField, .bottomField] : [.frame] {
        let isFirst = number == 0 && field != .bottomField
        stream.picture(
          isFirst ? .i : .p, frameNum: (number + 1) / 2 % modulus, isReference: number % 2 == 0,
          isIDR: isFirst, field: field
        ) { _ in .flat(UInt8(10 + 4 * number + (field == .bottomField ? 1 : 0))) }
      }
    }
    let frames = try stream.frames()
    #expect(
      frames.map { $0.probes(width: 1, line: isField ? 0 : nil)[0] } == (0..<50).map { 10 + 4 * $0 }
    )
  }
}
