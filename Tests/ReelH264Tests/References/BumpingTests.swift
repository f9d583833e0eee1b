internal import ReelCore
internal import ReelTestSupport
internal import Testing

@testable internal import ReelH264

@Suite("Output order")
struct BumpingTests {
  /// A bench of frames for the given buffer and reordering depth (nil: not told).
  private func bench(
    frames: Int, reorder: Int?, options: H264DecoderOptions = H264DecoderOptions()
  ) -> ControlBench {
    ControlBench(options: options) {
      // Frames of 45 × 36 macroblocks; MaxDpbMbs of level 3 holds five of them.
      $0.levelIDC = 30
      ($0.picWidthInMbs, $0.picHeightInMapUnits) = (45, 18)
      $0.maxNumRefFrames = 1
      if let reorder {
        $0.vui = VideoUsabilityInformation()
        $0.vui?.maxDecFrameBuffering = frames
        $0.vui?.maxNumReorderFrames = reorder
      } else if frames != 5 {
        preconditionFailure("the level holds five frames")
      }
    }
  }

  @Test("waits until the buffer is full")
  func fullBuffer() throws {
    var bench = bench(frames: 5, reorder: nil)
    #expect(bench.sequence.dpbFrames == 5)
    try bench.idr(order: 0)
    for (index, order) in [8, 2, 4, 6].enumerated() {
      try bench.decode(
        frameNum: index == 0 ? 1 : 2, order: order, isReference: index == 0)
    }
    #expect(bench.output == [])
    // A sixth frame: the first leaves to make room.
    try bench.decode(frameNum: 2, order: 12)
    #expect(bench.output == [0])
    bench.flush()
    #expect(bench.output == [0, 2, 3, 4, 1, 5])
  }

  @Test("puts a picture that nothing refers to out at once when it is first and there is no room")
  func direct() throws {
    var bench = bench(frames: 1, reorder: 1)
    try bench.idr(order: 0)
    // The buffer of one frame holds the reference, which goes out first.
    try bench.decode(frameNum: 1, order: 2, isReference: false)
    #expect(bench.output == [0, 1])
    try bench.decode(frameNum: 1, order: 4, isReference: false)
    #expect(bench.output == [0, 1, 2])
    #expect(bench.marked == "0")
  }

  @Test("waits no longer than the stream says it reorders")
  func reorderDepth() throws {
    var bench = bench(frames: 5, reorder: 1)
    try bench.idr(order: 0)
    #expect(bench.output == [])
    try bench.decode(frameNum: 1, order: 4)
    #expect(bench.output == [0])
    try bench.decode(frameNum: 2, order: 2, isReference: false)
    #expect(bench.output == [0, 2])
    try bench.decode(frameNum: 2, order: 8)
    #expect(bench.output == [0, 2, 1])
    bench.flush()
    #expect(bench.output == [0, 2, 1, 3])
  }

  @Test("waits for nothing with order count type 2")
  func decodingOrder() throws {
    var bench = bench(frames: 5, reorder: nil)
    bench.sequence.picOrderCntType = 2
    try bench.idr()
    #expect(bench.output == [0])
    try bench.decode(frameNum: 1)
    #expect(bench.output == [0, 1])
  }

  @Test("waits longer once the stream has shown that its depth is a lie")
  func lyingDepth() throws {
    var bench = bench(frames: 5, reorder: 0)
    try bench.idr(order: 0)
    try bench.decode(frameNum: 1, order: 8)
    try bench.decode(frameNum: 2, order: 4, isReference: false)  // too late: 8 is out
    try bench.decode(frameNum: 2, order: 14)
    try bench.decode(frameNum: 3, order: 12, isReference: false)  // in time now
    bench.flush()
    #expect(bench.output == [0, 1, 2, 4, 3])
  }

  @Test("begins anew at an IDR picture, whatever its order count")
  func idr() throws {
    var bench = bench(frames: 5, reorder: 4)
    try bench.idr(order: 0)
    try bench.decode(frameNum: 1, order: 8)
    try bench.decode(frameNum: 2, order: 4, isReference: false)
    try bench.idr(order: 2)
    #expect(bench.output == [0, 2, 1])
    bench.flush()
    #expect(bench.output == [0, 2, 1, 3])
  }

  @Test(
    "drops waiting pictures at no_output_of_prior_pics_flag only when asked to",
    arguments: [true, false])
  func priorPictures(puts: Bool) throws {
    var options = H264DecoderOptions()
    options.outputsPriorPictures = puts
    var bench = bench(frames: 5, reorder: 4, options: options)
    try bench.idr(order: 0)
    try bench.decode(frameNum: 1, order: 8)
    try bench.idr { $0.marking.noOutputOfPriorPicsFlag = true }
    bench.flush()
    #expect(bench.output == (puts ? [0, 1, 2] : [2]))
  }

  @Test("puts a frame out when both its fields are there")
  func fields() throws {
    var bench = bench(frames: 5, reorder: 0)
    try bench.idr(order: 0, field: .topField)
    #expect(bench.output == [])
    try bench.decode(frameNum: 0, order: 1, field: .bottomField)
    #expect(bench.output == [0])
    // Fields that nothing refers to, in a buffer with no room for them.
    bench = self.bench(frames: 1, reorder: 1)
    try bench.idr(order: 0)
    try bench.decode(frameNum: 1, order: 2, isReference: false, field: .bottomField)
    #expect(bench.output == [0])
    try bench.decode(frameNum: 1, order: 3, isReference: false, field: .topField)
    #expect(bench.output == [0, 1])
  }

  @Test("keeps an unpaired field as a frame of its own")
  func unpaired() throws {
    var bench = bench(frames: 5, reorder: 0)
    try bench.idr(order: 0)
    try bench.decode(frameNum: 1, order: 2, field: .topField)
    try bench.decode(frameNum: 2, order: 4, field: .topField)  // same parity
    try bench.decode(frameNum: 3, order: 7, field: .bottomField)  // other frame_num
    try bench.decode(frameNum: 4, order: 8, isReference: false, field: .topField)
    try bench.decode(frameNum: 4, order: 9, isReference: true, field: .bottomField)  // a reference
    try bench.decode(frameNum: 5, order: 12)
    #expect(bench.output == [0, 1, 2, 3, 4, 5, 6])
    #expect(bench.executor.jobs.map(\.structure).count { $0.isField } == 5)
  }

  @Test("is the order of counts for any stream that fits its buffer", arguments: 0..<60)
  func randomOrder(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let depth = random.int(in: 1...4)
    var bench = bench(frames: 5, reorder: random.one(in: 2) ? depth : nil)
    // Groups of up to `depth` pictures that precede one decoded before them.
    var expected: [Int] = []
    var decoded = 0
    var order = 0
    try bench.idr()
    expected.append(0)
    var frameNum = 0
    for _ in 0..<20 {
      frameNum = (frameNum + 1) % 16
      let count = random.int(in: 0...min(depth, 3))
      let orders = (1...count + 1).map { order + 2 * $0 }
      order = orders.last ?? order
      decoded += 1
      let late = decoded
      try bench.decode(frameNum: frameNum, order: order % 256)
      var group: [(Int, Int)] = []
      for early in orders.dropLast().shuffled(using: &random) {
        decoded += 1
        try bench.decode(
          frameNum: (frameNum + 1) % 16, order: early % 256, isReference: false)
        group.append((early, decoded))
      }
      expected += group.sorted { $0.0 < $1.0 }.map(\.1) + [late]
    }
    bench.flush()
    #expect(bench.output == expected, "seed \(seed)")
  }
}
