internal import ReelCore
internal import ReelTestSupport
internal import Testing

@testable internal import ReelH264

/// Reference marking and lists, told by the samples that macroblocks copy: each picture has a luma value of
/// its own, and macroblock i of a probe copies entry i of list 0.
@Suite("Written references")
struct ReferenceStreamTests {
  private static let width = 8

  private static func stream(
    cabac: Bool = false, fields: Bool = false,
    _ configure: (inout SequenceParameterSet) -> Void = { _ in }
  ) -> WrittenStream {
    var stream = WrittenStream(width: width, height: 1, cabac: cabac) {
      $0.maxNumRefFrames = 4
      $0.direct8x8InferenceFlag = true
      $0.frameMbsOnlyFlag = !fields
      configure(&$0)
    }
    stream.sets()
    return stream
  }

  typealias Operation = MemoryManagementControlOperation

  /// A case: what the fourth picture does, then what list 0 is after it, by luma values.
  struct Marking: Sendable, CustomTestStringConvertible {
    let name: String
    /// Operations of frame 3, or of both its fields.
    let operations: [[Operation]]
    let list: [Int]
    /// Operations of the picture after the probe, and the list then.
    var later: (operations: [Operation], list: [Int])?
    var testDescription: String { name }
  }

  /// Frames 0, 1, 2 are 10, 20, 30; frame 3 is 40, the one behind the probe 50.
  static let frameMarkings: [Marking] = [
    .init(
      name: "sliding window", operations: [[]], list: [40, 30, 20, 10],
      later: ([], [50, 40, 30, 20])),
    .init(
      name: "1: a short-term picture", operations: [[.shortTermUnused(differenceOfPicNums: 2)]],
      list: [40, 30, 10], later: ([.shortTermUnused(differenceOfPicNums: 4)], [50, 40, 30])),
    .init(
      name: "3, then 2: a long-term picture comes and goes",
      operations: [
        [
          .maxLongTermFrameIdx(plus1: 2),
          .shortTermToLongTerm(differenceOfPicNums: 2, longTermFrameIdx: 1),
        ]
      ],
      list: [40, 30, 10, 20], later: ([.longTermUnused(longTermPicNum: 1)], [50, 40, 30, 10])),
    .init(
      name: "3 twice under one index: the first is dropped",
      operations: [
        [
          .maxLongTermFrameIdx(plus1: 1),
          .shortTermToLongTerm(differenceOfPicNums: 2, longTermFrameIdx: 0),
          .shortTermToLongTerm(differenceOfPicNums: 3, longTermFrameIdx: 0),
        ]
      ],
      list: [40, 30, 10], later: ([], [50, 40, 30, 10])),
    .init(
      name: "4: indices above are dropped",
      operations: [
        [
          .maxLongTermFrameIdx(plus1: 2),
          .shortTermToLongTerm(differenceOfPicNums: 2, longTermFrameIdx: 0),
          .shortTermToLongTerm(differenceOfPicNums: 1, longTermFrameIdx: 1),
        ]
      ],
      list: [40, 10, 20, 30],
      later: ([.maxLongTermFrameIdx(plus1: 1)], [50, 40, 10, 20])),
    .init(
      name: "6: the picture itself becomes long-term",
      operations: [
        [.maxLongTermFrameIdx(plus1: 1), .currentToLongTerm(longTermFrameIdx: 0)]
      ],
      list: [30, 20, 10, 40],
      later: ([.shortTermUnused(differenceOfPicNums: 3)], [50, 30, 10, 40])),
  ]

  /// Frame `number` and its marking.
  private static func marked(
    _ stream: inout WrittenStream, _ luma: Int, frameNum: Int, order: Int,
    _ operations: [Operation],
    field: PictureStructure = .frame
  ) {
    stream.picture(
      frameNum: frameNum, order: order, field: field,
      change: { header, _ in
        header.marking.adaptiveRefPicMarkingModeFlag = !operations.isEmpty
        header.marking.operations = operations
      }
    ) { _ in .flat(UInt8(luma)) }
  }

  /// A picture to which nothing refers; macroblocks beyond the list copy its last entry.
  private static func probe(
    _ stream: inout WrittenStream, frameNum: Int, order: Int, count: Int,
    field: PictureStructure = .frame
  ) {
    stream.picture(
      frameNum: frameNum, order: order, isReference: false, field: field, counts: (count, 0)
    ) { .inter(reference: min($0, count - 1)) }
  }

  private static func expected(_ list: [Int]) -> [Int] {
    list + .init(repeating: list[list.count - 1], count: width - list.count)
  }

  @Test("operations on frames", arguments: frameMarkings, [false, true])
  func frames(marking: Marking, cabac: Bool) throws {
    var stream = Self.stream(cabac: cabac)
    stream.idr(luma: 10)
    for number in 1...2 {
      Self.marked(&stream, 10 + 10 * number, frameNum: number, order: 2 * number, [])
    }
    Self.marked(&stream, 40, frameNum: 3, order: 6, marking.operations[0])
    Self.probe(&stream, frameNum: 4, order: 8, count: marking.list.count)
    if let later = marking.later {
      Self.marked(&stream, 50, frameNum: 4, order: 10, later.operations)
      Self.probe(&stream, frameNum: 5, order: 12, count: later.list.count)
    }
    let frames = try stream.frames().map { $0.probes(width: Self.width) }
    #expect(frames[4] == Self.expected(marking.list))
    if let later = marking.later { #expect(frames[6] == Self.expected(later.list)) }
    try agreesWithFFmpeg(stream)
  }

  @Test(
    "operation 5: all are dropped, and numbers and order begin again", arguments: [false, true])
  func allUnused(cabac: Bool) throws {
    var stream = Self.stream(cabac: cabac)
    stream.idr(luma: 10)
    Self.marked(&stream, 20, frameNum: 1, order: 20, [])
    Self.marked(&stream, 30, frameNum: 2, order: 40, [.allUnused])
    // The picture with the operation counts as frame_num 0, order 0.
    Self.marked(&stream, 40, frameNum: 1, order: 4, [])
    Self.probe(&stream, frameNum: 2, order: 2, count: 2)
    let frames = try stream.frames().map { $0.probes(width: Self.width) }
    #expect(frames.map { $0[0] } == [10, 20, 30, 40, 40])
    #expect(frames[3] == Self.expected([40, 30]))
    try agreesWithFFmpeg(stream)
  }

  /// Fields of frames 0, 1, 2 are 10 and 15, 20 and 25, 30 and 35; of frame 3 40 and 45. The probe is a top
  /// field, frame_num 4; at frame 3 CurrPicNum is 7.
  static let fieldMarkings: [Marking] = [
    .init(
      name: "sliding window", operations: [[], []], list: [40, 45, 30, 35, 20, 25, 10, 15]),
    .init(
      name: "1: one field of a frame",
      operations: [[.shortTermUnused(differenceOfPicNums: 5)], []],
      list: [40, 45, 30, 35, 20, 15, 10]),
    .init(
      name: "1: both fields of a frame",
      operations: [
        [.shortTermUnused(differenceOfPicNums: 4), .shortTermUnused(differenceOfPicNums: 5)], [],
      ],
      list: [40, 45, 30, 35, 10, 15]),
    .init(
      name: "3: both fields of a frame become long-term, each by its parity's field",
      operations: [
        [
          .maxLongTermFrameIdx(plus1: 1),
          .shortTermToLongTerm(differenceOfPicNums: 4, longTermFrameIdx: 0),
        ],
        [.shortTermToLongTerm(differenceOfPicNums: 4, longTermFrameIdx: 0)],
      ],
      list: [40, 45, 30, 35, 10, 15, 20, 25]),
    .init(
      name: "2: one long-term field goes",
      operations: [
        [
          .maxLongTermFrameIdx(plus1: 1),
          .shortTermToLongTerm(differenceOfPicNums: 4, longTermFrameIdx: 0),
          .shortTermToLongTerm(differenceOfPicNums: 5, longTermFrameIdx: 0),
        ],
        // LongTermPicNum of the field of the other parity is 2 · LongTermFrameIdx.
        [.longTermUnused(longTermPicNum: 0)],
      ],
      list: [40, 45, 30, 35, 10, 15, 25]),
    .init(
      name: "4: long-term fields go",
      operations: [
        [
          .maxLongTermFrameIdx(plus1: 1),
          .shortTermToLongTerm(differenceOfPicNums: 4, longTermFrameIdx: 0),
          .shortTermToLongTerm(differenceOfPicNums: 5, longTermFrameIdx: 0),
        ],
        [.maxLongTermFrameIdx(plus1: 0)],
      ],
      list: [40, 45, 30, 35, 10, 15]),
    .init(
      name: "6: both fields of the frame itself",
      operations: [
        [.maxLongTermFrameIdx(plus1: 1), .currentToLongTerm(longTermFrameIdx: 0)],
        [.currentToLongTerm(longTermFrameIdx: 0)],
      ],
      list: [30, 35, 20, 25, 10, 15, 40, 45]),
  ]

  @Test("operations on fields", arguments: fieldMarkings, [false, true])
  func fields(marking: Marking, cabac: Bool) throws {
    var stream = Self.stream(cabac: cabac, fields: true)
    stream.idr(luma: 10, field: .topField)
    Self.marked(&stream, 15, frameNum: 0, order: 1, [], field: .bottomField)
    for number in 1...2 {
      for field in [PictureStructure.topField, .bottomField] {
        let second = field == .bottomField ? 1 : 0
        Self.marked(
          &stream, 10 + 10 * number + 5 * second, frameNum: number, order: 2 * number + second, [],
          field: field)
      }
    }
    Self.marked(&stream, 40, frameNum: 3, order: 6, marking.operations[0], field: .topField)
    Self.marked(&stream, 45, frameNum: 3, order: 7, marking.operations[1], field: .bottomField)
    Self.probe(&stream, frameNum: 4, order: 8, count: marking.list.count, field: .topField)
    Self.probe(&stream, frameNum: 4, order: 9, count: 1, field: .bottomField)
    let frames = try stream.frames()
    #expect(frames.count == 5)
    #expect(frames[4].probes(width: Self.width, line: 0) == Self.expected(marking.list))
    // The reference decoder agrees here too; FFmpeg 5.1 drops the first field at operation 6 of the second.
    if !marking.name.hasPrefix("6") { try agreesWithFFmpeg(stream) }
  }

  @Test("long-term IDR pictures stay while others slide", arguments: [false, true])
  func longTermIDR(cabac: Bool) throws {
    var stream = Self.stream(cabac: cabac) { $0.maxNumRefFrames = 2 }
    stream.picture(
      .i, frameNum: 0, isIDR: true,
      change: { header, _ in header.marking.longTermReferenceFlag = true }
    ) { _ in .flat(10) }
    for number in 1...4 {
      Self.marked(&stream, 10 + 10 * number, frameNum: number, order: 2 * number, [])
    }
    Self.probe(&stream, frameNum: 5, order: 10, count: 2)
    let frames = try stream.frames().map { $0.probes(width: Self.width) }
    #expect(frames[5] == Self.expected([50, 10]))
    try agreesWithFFmpeg(stream)
  }

  @Test("frames of a gap in frame_num push others out of the window, and are not shown")
  func gap() throws {
    var stream = Self.stream { $0.gapsInFrameNumValueAllowedFlag = true }
    stream.idr(luma: 10)
    for number in 1...2 {
      Self.marked(&stream, 10 + 10 * number, frameNum: number, order: 2 * number, [])
    }
    // Frames 3 and 4 do not exist; the list is 4, 3, 2, 1.
    stream.picture(frameNum: 5, order: 10, counts: (4, 0)) { .inter(reference: 2 + $0 % 2) }
    Self.marked(&stream, 60, frameNum: 6, order: 12, [])
    let frames = try stream.frames()
    #expect(frames.map { $0.probes(width: 8)[0] } == [10, 20, 30, 30, 60])
    #expect(frames[3].probes(width: 8)[1] == 20)
    #expect(frames.allSatisfy { $0.missingReferenceCount == 0 })
  }

  @Test("a gap wraps with frame_num")
  func wrappingGap() throws {
    var stream = Self.stream { $0.gapsInFrameNumValueAllowedFlag = true }
    stream.idr(luma: 10)
    for number in 1...14 {
      Self.marked(&stream, 10 + 10 * number, frameNum: number, order: 2 * number, [])
    }
    // 15 and 0 do not exist; the list is 0, 15, 14, 13.
    stream.picture(frameNum: 1, order: 40, counts: (4, 0)) { .inter(reference: 2 + $0 % 2) }
    let frames = try stream.frames()
    #expect(frames.count == 16 && frames[15].probes(width: 8).prefix(2) == [150, 140])
  }

  @Test(
    "a field without its pair is shown on both fields' lines, and says so",
    arguments: [false, true])
  func unpairedFields(isReference: Bool) throws {
    var stream = Self.stream(fields: true)
    stream.idr(luma: 10, field: .topField)
    Self.marked(&stream, 15, frameNum: 0, order: 1, [], field: .bottomField)
    // Two top fields, one behind the other: the first is alone.
    stream.picture(
      frameNum: 1, order: 2, isReference: isReference, field: .topField
    ) { _ in .flat(20) }
    let next = isReference ? 2 : 1
    Self.marked(&stream, 30, frameNum: next, order: 4, [], field: .topField)
    Self.marked(&stream, 35, frameNum: next, order: 5, [], field: .bottomField)
    // Parities take turns as long as there are fields of both.
    Self.probe(&stream, frameNum: next + 1, order: 6, count: 4, field: .topField)
    Self.probe(&stream, frameNum: next + 1, order: 7, count: 1, field: .bottomField)
    let frames = try stream.frames(concealment: .conceal)
    #expect(frames.map { $0.probes(width: 8, line: 0)[0] } == [10, 20, 30, 30])
    #expect(frames.map { $0.probes(width: 8, line: 1)[0] } == [15, 20, 35, 35])
    let list = isReference ? [30, 35, 20, 15] : [30, 35, 10, 15]
    #expect(frames[3].probes(width: 8, line: 0) == Self.expected(list))
    #expect(frames.map(\.concealedBlockCount) == [0, 8, 0, 0])
  }

  private func agreesWithFFmpeg(_ stream: WrittenStream) throws {
    guard let samples = try stream.samplesOfFFmpeg() else { return }
    let isEqual = try samples == stream.frames().flatMap { $0.samples.flatMap { $0 } }
    #expect(isEqual, "FFmpeg's samples differ")
  }
}
