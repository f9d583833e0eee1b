internal import ReelCore
internal import Testing

@testable internal import ReelH264

@Suite("Reference marking")
struct ReferenceMarkingTests {
  /// A change that marks with these operations.
  private func operations(
    _ operations: MemoryManagementControlOperation...
  ) -> (inout SliceHeader) -> Void {
    {
      $0.marking.adaptiveRefPicMarkingModeFlag = true
      $0.marking.operations = operations
    }
  }

  /// Frames 0…3, all short-term.
  private func benchOfFour() throws -> ControlBench {
    var bench = ControlBench()
    try bench.idr()
    for frameNum in 1...3 { try bench.decode(frameNum: frameNum) }
    #expect(bench.marked == "0 1 2 3")
    return bench
  }

  @Test("by the sliding window drops the oldest frame, not the one with the smallest frame_num")
  func slidingWindow() throws {
    var bench = ControlBench()
    try bench.idr()
    for frameNum in 1...15 { try bench.decode(frameNum: frameNum) }
    #expect(bench.marked == "12 13 14 15")
    try bench.decode(frameNum: 0)
    #expect(bench.marked == "13 14 15 16")
    try bench.decode(frameNum: 1, isReference: false)
    #expect(bench.marked == "13 14 15 16")
  }

  @Test("by the sliding window counts long-term frames and keeps them")
  func slidingPastLongTerm() throws {
    var bench = ControlBench()
    try bench.idr { $0.marking.longTermReferenceFlag = true }
    for frameNum in 1...5 { try bench.decode(frameNum: frameNum) }
    #expect(bench.marked == "0L0 3 4 5")
  }

  @Test("keeps one frame where max_num_ref_frames is 0")
  func noReferences() throws {
    var bench = ControlBench { $0.maxNumRefFrames = 0 }
    try bench.idr()
    try bench.decode(.i, frameNum: 1)
    #expect(bench.marked == "1")
  }

  @Test("operation 1 drops a short-term frame")
  func shortTermUnused() throws {
    var bench = try benchOfFour()
    try bench.decode(
      frameNum: 4, operations(.shortTermUnused(differenceOfPicNums: 3)))
    #expect(bench.marked == "0 2 3 4")
  }

  @Test("operation 1 drops one field, then the other")
  func shortTermFieldUnused() throws {
    var bench = ControlBench()
    try bench.idr(field: .topField)
    try bench.decode(frameNum: 0, field: .bottomField)
    // CurrPicNum 3; the bottom field of frame 0 has PicNum 0, the top field 1.
    try bench.decode(
      frameNum: 1, field: .topField, operations(.shortTermUnused(differenceOfPicNums: 3)))
    #expect(bench.marked == "0t 1t")
    // For the bottom field the parities change places: the top field has PicNum 0.
    try bench.decode(
      frameNum: 1, field: .bottomField, operations(.shortTermUnused(differenceOfPicNums: 3)))
    #expect(bench.marked == "1")
  }

  @Test("operation 2 drops a long-term frame or field")
  func longTermUnused() throws {
    var bench = ControlBench()
    try bench.idr { $0.marking.longTermReferenceFlag = true }
    try bench.decode(frameNum: 1, operations(.longTermUnused(longTermPicNum: 0)))
    #expect(bench.marked == "1")
    bench = ControlBench()
    try bench.idr { $0.marking.longTermReferenceFlag = true }
    try bench.decode(
      frameNum: 1, field: .bottomField, operations(.longTermUnused(longTermPicNum: 1)))
    #expect(bench.marked == "0tL0 1b")
  }

  @Test("operation 3 makes a short-term frame long-term, and frees its index first")
  func shortTermToLongTerm() throws {
    var bench = try benchOfFour()
    try bench.decode(
      frameNum: 4,
      operations(
        .maxLongTermFrameIdx(plus1: 4),
        .shortTermToLongTerm(differenceOfPicNums: 4, longTermFrameIdx: 3),
        .shortTermUnused(differenceOfPicNums: 3)))
    #expect(bench.marked == "0L3 2 3 4")
    try bench.decode(
      frameNum: 5, operations(.shortTermToLongTerm(differenceOfPicNums: 3, longTermFrameIdx: 3)))
    #expect(bench.marked == "2L3 3 4 5")
  }

  @Test("operation 3 gives both fields of a frame the same index")
  func fieldsToLongTerm() throws {
    var bench = ControlBench()
    try bench.idr(field: .topField)
    try bench.decode(frameNum: 0, field: .bottomField)
    try bench.decode(
      frameNum: 1, field: .topField,
      operations(
        .maxLongTermFrameIdx(plus1: 2),
        .shortTermToLongTerm(differenceOfPicNums: 2, longTermFrameIdx: 1)))
    #expect(bench.marked == "0b+0tL1 1t")
    try bench.decode(
      frameNum: 1, field: .bottomField,
      operations(.shortTermToLongTerm(differenceOfPicNums: 2, longTermFrameIdx: 1)))
    #expect(bench.marked == "0L1 1")
  }

  @Test("operation 3 takes the index from a field of another frame")
  func indexOfAnotherFrame() throws {
    var bench = ControlBench()
    try bench.idr(field: .topField)
    try bench.decode(frameNum: 0, field: .bottomField)
    try bench.pair(frameNum: 1)
    try bench.decode(
      frameNum: 2, field: .topField,
      operations(
        .maxLongTermFrameIdx(plus1: 1),
        // PicNum 1: the top field of frame 0; then PicNum 3: the top field of frame 1.
        .shortTermToLongTerm(differenceOfPicNums: 4, longTermFrameIdx: 0),
        .shortTermToLongTerm(differenceOfPicNums: 2, longTermFrameIdx: 0)))
    #expect(bench.marked == "0b 1b+1tL0 2t")
  }

  @Test("operation 4 drops long-term frames past the new bound")
  func maxLongTermFrameIdx() throws {
    var bench = try benchOfFour()
    try bench.decode(
      frameNum: 4,
      operations(
        .maxLongTermFrameIdx(plus1: 3),
        .shortTermToLongTerm(differenceOfPicNums: 4, longTermFrameIdx: 0),
        .shortTermToLongTerm(differenceOfPicNums: 3, longTermFrameIdx: 1),
        .shortTermToLongTerm(differenceOfPicNums: 2, longTermFrameIdx: 2),
        .shortTermUnused(differenceOfPicNums: 1)))
    #expect(bench.marked == "0L0 1L1 2L2 4")
    try bench.decode(frameNum: 5, operations(.maxLongTermFrameIdx(plus1: 1)))
    #expect(bench.marked == "0L0 4 5")
    #expect(bench.sequencer.buffer.maxLongTermFrameIdx == 0)
    try bench.decode(frameNum: 6, operations(.maxLongTermFrameIdx(plus1: 0)))
    #expect(bench.marked == "4 5 6")
  }

  @Test("operation 5 drops all, puts all out, and numbers start again")
  func allUnused() throws {
    var bench = ControlBench { $0.levelIDC = 40 }
    try bench.idr(order: 0)
    try bench.decode(frameNum: 1, order: 8)
    try bench.decode(frameNum: 2, order: 4, isReference: false)
    try bench.decode(frameNum: 2, order: 12, operations(.allUnused))
    #expect(bench.marked == "3" && bench.output == [0, 2, 1])
    let frame = bench.sequencer.buffer.frames[0]
    #expect(frame.frameNum == 0 && frame.picOrderCnt == 0)
    // frame_num 1 follows without a gap, and order counts go on from 0.
    let lists = try bench.decode(.b, frameNum: 1, order: 2, counts: (1, 1))
    #expect(lists.list0 == "3")
    bench.flush()
    #expect(bench.output == [0, 2, 1, 3, 4])
  }

  @Test("operation 5 takes the smaller count off both fields of a frame")
  func allUnusedOrder() throws {
    var bench = ControlBench()
    try bench.idr()
    try bench.decode(frameNum: 1, order: 12) {
      $0.deltaPicOrderCntBottom = -3
      $0.marking.adaptiveRefPicMarkingModeFlag = true
      $0.marking.operations = [.allUnused]
    }
    let frame = bench.sequencer.buffer.frames[0]
    #expect(frame.topFieldOrderCount == 3 && frame.bottomFieldOrderCount == 0)
    // tempPicOrderCnt: the next lsb counts from TopFieldOrderCnt 3.
    try bench.decode(frameNum: 1, order: 255, isReference: false)
    #expect(bench.sequencer.buffer.frames.last?.topFieldOrderCount == -1)
  }

  @Test("operation 5 in a field keeps the next field with it, if that has frame_num 0")
  func allUnusedField() throws {
    var bench = ControlBench()
    try bench.idr()
    try bench.decode(frameNum: 1, order: 4, field: .topField, operations(.allUnused))
    try bench.decode(frameNum: 0, order: 1, field: .bottomField)
    #expect(bench.marked == "1" && bench.executor.jobs.count == 3)
    bench.flush()
    #expect(bench.output == [0, 1])
  }

  @Test("operation 6 makes the current picture long-term, field by field")
  func currentToLongTerm() throws {
    var bench = try benchOfFour()
    // CurrPicNum 9; the fields of frame 0 have PicNum 1 and 0.
    try bench.decode(
      frameNum: 4, field: .topField,
      operations(
        .shortTermUnused(differenceOfPicNums: 8), .shortTermUnused(differenceOfPicNums: 9),
        .maxLongTermFrameIdx(plus1: 1), .currentToLongTerm(longTermFrameIdx: 0)))
    #expect(bench.marked == "1 2 3 4tL0")
    try bench.decode(
      frameNum: 4, field: .bottomField, operations(.currentToLongTerm(longTermFrameIdx: 0)))
    #expect(bench.marked == "1 2 3 4L0")
    // The index moves to another frame; the old one is dropped.
    try bench.decode(frameNum: 5, operations(.currentToLongTerm(longTermFrameIdx: 0)))
    #expect(bench.marked == "1 2 3 5L0")
  }

  @Test("of IDR pictures drops all, and may be long-term from the start")
  func idr() throws {
    var bench = try benchOfFour()
    try bench.idr { $0.marking.longTermReferenceFlag = true }
    #expect(bench.marked == "4L0" && bench.sequencer.buffer.maxLongTermFrameIdx == 0)
    try bench.idr()
    #expect(bench.marked == "5" && bench.sequencer.buffer.maxLongTermFrameIdx == -1)
  }

  @Test("passes over operations that name nothing, and tells the first")
  func nothingNamed() throws {
    let bench = try benchOfFour()
    var header = SliceHeader()
    header.nalRefIDC = 1
    header.frameNum = 4
    header.marking.adaptiveRefPicMarkingModeFlag = true
    header.marking.operations = [
      .longTermUnused(longTermPicNum: 2), .shortTermUnused(differenceOfPicNums: 9),
      .shortTermUnused(differenceOfPicNums: 1),
    ]
    try bench.sequencer.begin(
      header, sequence: bench.sequence, properties: FrameProperties(bench.sequence))
    let fault = bench.sequencer.finish()
    #expect(fault?.rule == .h264MarkingTarget && fault?.detail.contains("longTermUnused") == true)
    #expect(bench.marked == "0 1 2 4")
  }

  @Test("keeps the number of references bounded against operations that would not")
  func bounded() throws {
    var bench = try benchOfFour()
    for frameNum in 4...40 {
      try bench.decode(
        frameNum: frameNum % 16, operations(.maxLongTermFrameIdx(plus1: 16)))
    }
    #expect(bench.marked == "37 38 39 40")
    bench = ControlBench()
    try bench.idr()
    for frameNum in 1...12 {
      try bench.decode(
        frameNum: frameNum,
        operations(
          .maxLongTermFrameIdx(plus1: 16), .currentToLongTerm(longTermFrameIdx: frameNum)))
    }
    #expect(bench.sequencer.buffer.frames.count(where: \.isUsedForReference) == 4)
  }

  @Test("leaves the pair alone when its second field comes by the sliding window")
  func secondField() throws {
    var bench = ControlBench { $0.maxNumRefFrames = 1 }
    try bench.idr(field: .topField)
    try bench.decode(frameNum: 0, field: .bottomField)
    #expect(bench.marked == "0")
    try bench.decode(frameNum: 1, field: .topField)
    #expect(bench.marked == "1t")
    try bench.decode(frameNum: 1, field: .bottomField)
    #expect(bench.marked == "1")
  }
}

@Suite("Gaps in frame_num")
struct FrameNumGapTests {
  @Test("are filled with frames that do not exist, as far as the window reaches")
  func filled() throws {
    var bench = ControlBench { $0.gapsInFrameNumValueAllowedFlag = true }
    try bench.idr()
    try bench.decode(frameNum: 1)
    let list = try bench.decode(frameNum: 4).list0
    #expect(bench.marked == "1 x x 2")
    #expect(list == "1? 1? 1 0")
    try bench.decode(frameNum: 14)
    #expect(bench.marked == "x x x 3")
    bench.flush()
    #expect(bench.output == [0, 1, 2, 3])
  }

  @Test("wrap around")
  func wrap() throws {
    var bench = ControlBench { $0.gapsInFrameNumValueAllowedFlag = true }
    try bench.idr()
    for frameNum in 1...14 { try bench.decode(frameNum: frameNum) }
    try bench.decode(frameNum: 1)
    #expect(bench.marked == "14 x x 15" || bench.marked == "x x x 15")
    #expect(bench.sequencer.buffer.frames.count(where: \.isUsedForReference) == 4)
  }

  @Test("are none where frame_num repeats or follows")
  func none() throws {
    var bench = ControlBench()
    try bench.idr()
    try bench.decode(frameNum: 1, isReference: false)
    try bench.decode(frameNum: 1, isReference: false)
    try bench.decode(frameNum: 1)
    #expect(bench.marked == "0 3")
  }

  @Test("take no part in B lists with order count type 0, and do with the others")
  func bLists() throws {
    var bench = ControlBench { $0.gapsInFrameNumValueAllowedFlag = true }
    try bench.idr(order: 0)
    try bench.decode(frameNum: 2, order: 8)
    let lists = try bench.decode(.b, frameNum: 3, order: 4, isReference: false, counts: (2, 2))
    #expect(lists.list0 == "0 1" && lists.list1 == "1 0")
    bench = ControlBench {
      $0.gapsInFrameNumValueAllowedFlag = true
      $0.picOrderCntType = 2
    }
    try bench.idr()
    try bench.decode(frameNum: 2)
    // Counts 0, (2), 4 and 6 for the picture itself: all before it.
    let second = try bench.decode(.b, frameNum: 3, counts: (3, 0)) { $0.numRefIdxL1Active = 1 }
    #expect(second.list0.hasPrefix("1 ") && second.list0.contains("?"))
  }

  @Test("without leave are lost frames: concealed and counted, or an error")
  func lost() throws {
    var bench = ControlBench()
    try bench.idr()
    try bench.decode(frameNum: 3)
    #expect(bench.marked == "0 x x 1")
    #expect(bench.sequencer.buffer.frames.last?.missingReferenceCount == 2)
    var options = H264DecoderOptions()
    options.concealment = .fail
    bench = ControlBench(options: options)
    try bench.idr()
    let error = #expect(throws: MediaError.self) { try bench.decode(frameNum: 3) }
    #expect(error?.rule == .h264FrameNumGap)
    // The next IDR picture starts clean.
    try bench.idr()
    try bench.decode(frameNum: 1)
    #expect(bench.marked == "1 2")
  }

  @Test("of thousands of frames cost no more than the window")
  func long() throws {
    var bench = ControlBench {
      $0.gapsInFrameNumValueAllowedFlag = true
      $0.log2MaxFrameNum = 16
      $0.picOrderCntType = 2
    }
    try bench.idr()
    for index in 1...2_000 {
      try bench.decode(frameNum: index % 2 == 0 ? 1 : 60_000)
    }
    #expect(bench.sequencer.buffer.frames.count(where: \.isUsedForReference) == 4)
    // 1,000 wraps of 65,536, each counted though its frames were stepped over.
    let last = try #require(bench.sequencer.buffer.frames.last)
    #expect(last.picOrderCnt == 2 * (1_000 * 65_536 + 1))
  }
}
