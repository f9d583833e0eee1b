internal import ReelCore
internal import Testing

@testable internal import ReelH264

@Suite("Reference picture lists")
struct ReferenceListTests {
  @Test("of P frames go back in decoding order, across the wrap of frame_num")
  func shortTerm() throws {
    var bench = ControlBench()
    try bench.idr()
    for frameNum in 1...15 { try bench.decode(frameNum: frameNum) }
    #expect(try bench.decode(frameNum: 0).list0 == "15 14 13 12")
    #expect(try bench.decode(frameNum: 1).list0 == "16 15 14 13")
  }

  @Test("of P frames end with long-term frames by their index")
  func longTerm() throws {
    var bench = ControlBench()
    try bench.idr()
    for (frameNum, index) in [(1, 2), (2, 0)] {
      try bench.decode(frameNum: frameNum) {
        $0.marking.adaptiveRefPicMarkingModeFlag = true
        $0.marking.operations = [
          .maxLongTermFrameIdx(plus1: 3), .currentToLongTerm(longTermFrameIdx: index),
        ]
      }
    }
    try bench.decode(frameNum: 3)
    #expect(try bench.decode(frameNum: 4).list0 == "3 0 2L 1L")
  }

  @Test("are cut to the active entries, and filled up with substitutes")
  func activeEntries() throws {
    var bench = ControlBench()
    try bench.idr()
    try bench.decode(frameNum: 1)
    #expect(try bench.decode(frameNum: 2, counts: (1, 0)).list0 == "1")
    #expect(try bench.decode(frameNum: 3, counts: (5, 0)).list0 == "2 1 0 2? 2?")
  }

  @Test("of P fields alternate parities, the current field's own first")
  func fields() throws {
    var bench = ControlBench()
    try bench.idr(field: .topField)
    let second = try bench.decode(frameNum: 0, field: .bottomField, counts: (1, 0))
    #expect(second.list0 == "0t")
    try bench.pair(frameNum: 1)
    let top = try bench.decode(frameNum: 2, field: .topField, counts: (6, 0))
    #expect(top.list0 == "1t 1b 0t 0b 1t? 1t?")
    // The first field of the frame is the nearest frame; only its top field is there.
    let bottom = try bench.decode(frameNum: 2, field: .bottomField, counts: (5, 0))
    #expect(bottom.list0 == "1b 2t 0b 1t 0t")
  }

  @Test("of P fields go on with one parity when the other is used up")
  func usedUp() throws {
    var bench = ControlBench()
    try bench.idr(field: .topField)
    try bench.decode(frameNum: 0, field: .bottomField)
    try bench.pair(frameNum: 1)
    // The bottom fields of both frames are dropped: 2·FrameNumWrap of the opposite parity.
    try bench.decode(frameNum: 2, field: .topField) {
      $0.marking.adaptiveRefPicMarkingModeFlag = true
      $0.marking.operations = [
        .shortTermUnused(differenceOfPicNums: 5 - 2), .shortTermUnused(differenceOfPicNums: 5 - 0),
      ]
    }
    #expect(bench.marked == "0t 1t 2t")
    let bottom = try bench.decode(frameNum: 2, field: .bottomField, counts: (3, 0))
    #expect(bottom.list0 == "2t 1t 0t")
  }

  /// Four reference frames with output order 0, 3, 1, 2 (times 4).
  private func benchOfFour() throws -> ControlBench {
    var bench = ControlBench()
    try bench.idr(order: 0)
    try bench.decode(frameNum: 1, order: 12)
    try bench.decode(frameNum: 2, order: 4)
    try bench.decode(frameNum: 3, order: 8)
    return bench
  }

  @Test("of B frames go away from the picture in output order")
  func bFrames() throws {
    var bench = try benchOfFour()
    let lists = try bench.decode(.b, frameNum: 4, order: 6, isReference: false)
    #expect(lists.list0 == "2 0 3 1" && lists.list1 == "3 1 2 0")
  }

  @Test("of B frames differ in their first two entries where all references lie on one side")
  func swapped() throws {
    var bench = ControlBench()
    try bench.idr(order: 0)
    try bench.decode(frameNum: 1, order: 2)
    try bench.decode(frameNum: 2, order: 4)
    let lists = try bench.decode(.b, frameNum: 3, order: 6, isReference: false, counts: (3, 3))
    #expect(lists.list0 == "2 1 0" && lists.list1 == "1 2 0")
    // The whole lists are compared, also where one entry is active.
    let one = try bench.decode(.b, frameNum: 3, order: 7, isReference: false, counts: (1, 1))
    #expect(one.list0 == "2" && one.list1 == "1")
  }

  @Test("of B frames with a single reference are the same")
  func single() throws {
    var bench = ControlBench()
    try bench.idr(order: 0)
    let lists = try bench.decode(.b, frameNum: 1, order: 2, isReference: false, counts: (1, 1))
    #expect(lists.list0 == "0" && lists.list1 == "0")
  }

  @Test("of B fields take the first field of the frame as earlier, and alternate")
  func bFields() throws {
    var bench = ControlBench()
    try bench.idr(order: 0, field: .topField)
    try bench.decode(frameNum: 0, order: 1, field: .bottomField)
    try bench.pair(frameNum: 1, order: 8)
    let top = try bench.decode(.b, frameNum: 2, order: 4, field: .topField)
    #expect(top.list0 == "0t 0b 1t 1b" && top.list1 == "1t 1b 0t 0b")
    // The same order count as the first field: it still comes before.
    let bottom = try bench.decode(.b, frameNum: 2, order: 4, field: .bottomField, counts: (5, 5))
    #expect(bottom.list0 == "0b 2t 1b 0t 1t")
    #expect(bottom.list1 == "1b 1t 0b 2t 0t")
  }

  @Test("are modified by differences of picture numbers, both ways and around the wrap")
  func modification() throws {
    var bench = ControlBench()
    try bench.idr()
    for frameNum in 1...15 { try bench.decode(frameNum: frameNum) }
    try bench.decode(frameNum: 0)  // frame 16
    // CurrPicNum 1; references have PicNum 0, −1, −2, −3: frames 16, 15, 14, 13.
    let list = try bench.decode(frameNum: 1) {
      $0.listModifications0 = [.subtract(3), .add(1), .subtract(2)]
    }.list0
    #expect(list == "14 15 13 16")
    // Adding wraps: 2 + 14 is 16, which is 0 of 16: the frame with frame_num 0.
    let wrapped = try bench.decode(frameNum: 2) { $0.listModifications0 = [.add(14)] }.list0
    #expect(wrapped == "16 17 15 14")
  }

  @Test("may name a picture twice")
  func duplicates() throws {
    var bench = try benchOfFour()
    let list = try bench.decode(frameNum: 4, counts: (5, 0)) {
      $0.listModifications0 = [.subtract(2), .subtract(16)]
    }.list0
    // The second command leads to the same picture number.
    #expect(list == "2 2 3 1 0")
  }

  @Test("are modified by long-term picture numbers, of frames and of fields")
  func longTermModification() throws {
    var bench = ControlBench()
    try bench.idr(field: .topField) { $0.marking.longTermReferenceFlag = true }
    try bench.decode(frameNum: 0, field: .bottomField) {
      $0.marking.adaptiveRefPicMarkingModeFlag = true
      $0.marking.operations = [.currentToLongTerm(longTermFrameIdx: 0)]
    }
    #expect(bench.marked == "0L0")
    try bench.pair(frameNum: 1)
    let frame = try bench.decode(frameNum: 2, isReference: false, counts: (2, 0)) {
      $0.listModifications0 = [.longTerm(0)]
    }
    #expect(frame.list0 == "0L 1")
    // LongTermPicNum of fields: 2·0 + 1 for the same parity, 2·0 for the other.
    let field = try bench.decode(frameNum: 2, field: .bottomField, counts: (4, 0)) {
      $0.listModifications0 = [.longTerm(0), .longTerm(1)]
    }
    #expect(field.list0 == "0tL 0bL 1b 1t")
  }

  @Test("put a substitute where a command names nothing, and count it")
  func missing() throws {
    var bench = try benchOfFour()
    let list = try bench.decode(frameNum: 4, isReference: false) {
      $0.listModifications0 = [.longTerm(3), .subtract(1)]
    }.list0
    #expect(list == "3? 3 2 1")
    bench.flush()
    #expect(bench.output == [0, 2, 3, 1, 4] || bench.output.count == 5)
    #expect(bench.executor.jobs.count == 5)
  }

  @Test("make missing pictures an error where damage is one")
  func missingFails() throws {
    var options = H264DecoderOptions()
    options.concealment = .fail
    var bench = ControlBench(options: options)
    try bench.idr()
    let error = #expect(throws: MediaError.self) {
      try bench.decode(frameNum: 1) { $0.listModifications0 = [.longTerm(3)] }
    }
    #expect(error?.rule == .h264MissingReference)
  }

  @Test("of a stream that starts in the middle hold a grey picture")
  func grey() throws {
    var bench = ControlBench()
    let list = try bench.decode(frameNum: 5, counts: (2, 0)).list0
    // Picture 0 is the frame itself, picture 1 the grey one.
    #expect(list == "1? 1?")
    guard
      case .depth8(let planes) = bench.executor.slices[0][0].referenceList0[0].picture.storage
    else {
      Issue.record("8-bit samples are expected")
      return
    }
    #expect(planes.y[0] == 128 && planes.cb[0] == 128)
    #expect(bench.sequencer.buffer.frames[0].missingReferenceCount > 0)
  }
}
