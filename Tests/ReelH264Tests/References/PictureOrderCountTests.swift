internal import ReelCore
internal import ReelTestSupport
internal import Testing

@testable internal import ReelH264

@Suite("Picture order counts")
struct PictureOrderCountTests {
  private func header(
    frameNum: Int = 0, lsb: Int = 0, isIDR: Bool = false, isReference: Bool = true,
    field: PictureStructure = .frame
  ) -> SliceHeader {
    var header = SliceHeader()
    header.nalUnitType = isIDR ? .idrSlice : .nonIDRSlice
    header.nalRefIDC = isReference ? 1 : 0
    header.frameNum = frameNum
    header.picOrderCntLsb = lsb
    header.fieldPicFlag = field.isField
    header.bottomFieldFlag = field == .bottomField
    return header
  }

  private func sequence(type: Int) -> SequenceParameterSet {
    var set = SequenceParameterSet()
    set.picOrderCntType = type
    set.frameMbsOnlyFlag = false
    return set
  }

  /// lsb values (of 16) of reference frames in a row, and the counts they mean. §8.2.1.1.
  static let lsbs: [([Int], [Int])] = [
    ([0, 4, 8, 12, 0, 4], [0, 4, 8, 12, 16, 20]),
    ([0, 8, 4, 12, 10, 2], [0, 8, 4, 12, 10, 18]),
    ([0, 7, 14, 6, 15], [0, 7, 14, 22, 15]),
    // Half the modulus ahead is still ahead; half behind is the next cycle.
    ([0, 8, 0], [0, 8, 16]),
    ([0, 15, 7], [0, -1, 7]),
    ([0, 9, 1], [0, -7, 1]),
  ]

  @Test("of type 0 follow the least significant bits around the corner", arguments: lsbs)
  func typeZero(lsbs: [Int], counts: [Int]) throws {
    var counter = PictureOrderCounter()
    let sequence = sequence(type: 0)
    var read: [Int] = []
    for (index, lsb) in lsbs.enumerated() {
      let header = header(frameNum: index, lsb: lsb, isIDR: index == 0)
      let found = try counter.counts(of: header, sequence)
      counter.advance(past: header, found, topAfterAllUnused: nil)
      read.append(found.top)
    }
    #expect(read == counts)
  }

  @Test("of type 0 count from reference pictures only")
  func nonReferences() throws {
    var counter = PictureOrderCounter()
    let sequence = sequence(type: 0)
    for (lsb, isReference, expected) in [(0, true, 0), (7, false, 7), (13, false, -3)] {
      let header = header(lsb: lsb, isIDR: expected == 0, isReference: isReference)
      let found = try counter.counts(of: header, sequence)
      counter.advance(past: header, found, topAfterAllUnused: nil)
      #expect(found.top == expected)
    }
  }

  @Test("of type 0 add the bottom field's distance in frames, and are its own in fields")
  func bottomFields() throws {
    let counter = PictureOrderCounter()
    var frame = header(lsb: 6)
    frame.deltaPicOrderCntBottom = -5
    let sequence = sequence(type: 0)
    let counts = try counter.counts(of: frame, sequence)
    #expect(counts.top == 6 && counts.bottom == 1)
    let field = try counter.counts(of: header(lsb: 7, field: .bottomField), sequence)
    #expect(field.bottom == 7)
  }

  /// §8.2.1.2, formulas (8-6) to (8-10), written out again.
  private func typeOne(
    frameNumOffset: Int, _ header: SliceHeader, _ set: SequenceParameterSet
  ) -> (Int, Int) {
    let count = set.offsetForRefFrame.count
    var absFrameNum = count != 0 ? frameNumOffset + header.frameNum : 0
    if header.nalRefIDC == 0 && absFrameNum > 0 { absFrameNum -= 1 }
    var expected = 0
    if absFrameNum > 0 {
      let cycles = (absFrameNum - 1) / count
      let inCycle = (absFrameNum - 1) % count
      expected = cycles * set.expectedDeltaPerPicOrderCntCycle
      for i in 0...inCycle { expected += set.offsetForRefFrame[i] }
    }
    if header.nalRefIDC == 0 { expected += set.offsetForNonRefPic }
    if !header.fieldPicFlag {
      let top = expected + header.deltaPicOrderCnt0
      return (top, top + set.offsetForTopToBottomField + header.deltaPicOrderCnt1)
    }
    let bottom = expected + set.offsetForTopToBottomField + header.deltaPicOrderCnt0
    return (expected + header.deltaPicOrderCnt0, bottom)
  }

  @Test("of type 1 follow the cycle of offsets", arguments: 0..<50)
  func typeOne(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var set = sequence(type: 1)
    set.offsetForRefFrame = (0..<random.int(in: 0...4)).map { _ in random.int(in: -9...20) }
    set.offsetForNonRefPic = random.int(in: -9...9)
    set.offsetForTopToBottomField = random.int(in: -3...3)
    var counter = PictureOrderCounter()
    var frameNumOffset = 0
    var previous = 0
    for index in 0..<60 {
      var header = header(frameNum: index == 0 ? 0 : (previous + random.int(in: 0...2)) % 16)
      header.nalUnitType = index == 0 ? .idrSlice : .nonIDRSlice
      header.nalRefIDC = index == 0 ? 1 : random.int(in: 0...1)
      header.fieldPicFlag = random.one(in: 3)
      header.bottomFieldFlag = header.fieldPicFlag && random.one(in: 2)
      header.deltaPicOrderCnt0 = random.int(in: -5...5)
      header.deltaPicOrderCnt1 = header.fieldPicFlag ? 0 : random.int(in: -5...5)
      if previous > header.frameNum { frameNumOffset += 16 }
      previous = header.frameNum
      let counts = try counter.counts(of: header, set)
      let (top, bottom) = typeOne(frameNumOffset: frameNumOffset, header, set)
      if !header.bottomFieldFlag { #expect(counts.top == top, "seed \(seed), picture \(index)") }
      if !header.fieldPicFlag || header.bottomFieldFlag {
        #expect(counts.bottom == bottom, "seed \(seed), picture \(index)")
      }
      counter.advance(past: header, counts, topAfterAllUnused: nil)
    }
  }

  @Test("of type 2 are twice frame_num, one less where nothing refers to the picture")
  func typeTwo() throws {
    var counter = PictureOrderCounter()
    let sequence = sequence(type: 2)
    var read: [Int] = []
    for (frameNum, isReference) in [
      (0, true), (1, false), (1, true), (15, true), (0, true), (1, false),
    ] {
      let header = header(
        frameNum: frameNum, isIDR: read.isEmpty, isReference: isReference)
      let counts = try counter.counts(of: header, sequence)
      counter.advance(past: header, counts, topAfterAllUnused: nil)
      read.append(counts.top)
    }
    #expect(read == [0, 1, 2, 30, 32, 33])
  }

  @Test("start again after all references were dropped", arguments: 0...2)
  func afterAllUnused(type: Int) throws {
    var counter = PictureOrderCounter()
    let sequence = sequence(type: type)
    var first = header(frameNum: 9, lsb: 12)
    var counts = try counter.counts(of: first, sequence)
    counter.advance(past: first, counts, topAfterAllUnused: 0)
    counts = try counter.counts(of: header(frameNum: 1, lsb: 3), sequence)
    #expect(counts.top == [3, 0, 2][type])
    // A bottom field leaves nothing behind, whatever its top count is.
    first = header(frameNum: 9, lsb: 12, field: .bottomField)
    counter.advance(past: first, counts, topAfterAllUnused: 7)
    counts = try counter.counts(of: header(frameNum: 1, lsb: 3), sequence)
    #expect(counts.top == [3, 0, 2][type])
  }

  @Test("are refused outside of 32 bits")
  func range() throws {
    var counter = PictureOrderCounter()
    var frame = header(lsb: 5)
    frame.deltaPicOrderCntBottom = Int(Int32.max)
    let type0 = sequence(type: 0)
    let error = #expect(throws: MediaError.self) { try counter.counts(of: frame, type0) }
    #expect(error?.rule == .h264PictureOrderCount && error?.family == .damaged)
    var set = sequence(type: 1)
    set.offsetForRefFrame = [Int](repeating: (1 << 31) - 1, count: 255)
    set.log2MaxFrameNum = 16
    let second = #expect(throws: MediaError.self) {
      for index in 0..<1 << 17 {
        let header = header(frameNum: index % 2 == 0 ? 65535 : 1)
        let counts = try counter.counts(of: header, set)
        counter.advance(past: header, counts, topAfterAllUnused: nil)
      }
    }
    #expect(second?.rule == .h264PictureOrderCount)
  }
}
