internal import ReelCore
internal import ReelTestSupport
internal import Testing

@testable internal import ReelH264

/// Streams of random macroblocks, in both entropy codings.
@Suite("Written pictures")
struct WrittenPictureTests {
  private static func stream(cabac: Bool, isField: Bool = false) -> WrittenStream {
    WrittenStream(width: 5, height: isField ? 2 : 4, cabac: cabac) {
      $0.direct8x8InferenceFlag = true
      $0.frameMbsOnlyFlag = !isField
    }
  }

  @Test("equal a plain reconstruction", arguments: [false, true], 0..<16)
  func model(cabac: Bool, seed: UInt64) throws {
    var stream = ModelledStream(Self.stream(cabac: cabac), seed: seed, isFine: seed % 3 == 0)
    func slices() -> WrittenStream.Slices {
      stream.cut(Array(0..<20), into: Int(seed % 4) + 1)
    }
    stream.picture(.i, frameNum: 0, order: 0, isIDR: true, slices: slices())
    stream.picture(.p, frameNum: 1, order: 8, lists: [[0]], slices: slices())
    stream.picture(.p, frameNum: 2, order: 16, lists: [[1, 0]], slices: slices())
    stream.picture(
      .b, frameNum: 3, order: 12, isReference: false, lists: [[1], [2]], slices: slices())
    let frames = try stream.stream.frames()
    #expect(frames.count == 4)
    for (frame, number) in zip(frames, [0, 1, 3, 2]) {
      let isEqual = frame.samples == stream.models[number].planes
      #expect(isEqual, "seed \(seed), picture \(number)")
      #expect(frame.concealedBlockCount == 0 && frame.missingReferenceCount == 0)
    }
  }

  @Test(
    "are the same in both entropy codings, and FFmpeg's where it is", arguments: [false, true],
    0..<16)
  func codings(isField: Bool, seed: UInt64) throws {
    let streams = [false, true].map { cabac in
      var stream = ModelledStream(
        Self.stream(cabac: cabac, isField: isField), seed: seed, isPlain: false,
        isFine: seed % 3 == 0)
      let addresses = Array(0..<(isField ? 10 : 20))
      for (type, number, order) in [(SliceType.i, 0, 0), (.p, 1, 8), (.p, 2, 16), (.b, 3, 12)] {
        for field in isField ? [PictureStructure.topField, .bottomField] : [.frame] {
          let isSecond = field == .bottomField
          stream.picture(
            type == .i && isSecond ? .p : type, frameNum: number,
            order: order + (isSecond ? 1 : 0), isReference: type != .b,
            isIDR: number == 0 && !isSecond, field: field,
            lists: number < 2 ? [[0]] : [[1, 0], [2]],
            slices: stream.cut(addresses, into: Int(seed % 3) + 1))
        }
      }
      return stream.stream
    }
    let frames = try streams.map { try $0.frames() }
    #expect(frames[0].count == 4)
    #expect(frames[0].map(\.sampleHash) == frames[1].map(\.sampleHash), "seed \(seed)")
    #expect(try streams[1].frames(threads: 4).map(\.sampleHash) == frames[1].map(\.sampleHash))
    for stream in streams {
      guard let samples = try stream.samplesOfFFmpeg() else { continue }
      let isEqual = samples == frames[0].flatMap { $0.samples.flatMap { $0 } }
      #expect(isEqual, "seed \(seed): FFmpeg's samples differ")
    }
  }

  @Test("of more slices than a byte counts, in any number of threads", arguments: [false, true])
  func manySlices(cabac: Bool) throws {
    var stream = ModelledStream(
      WrittenStream(width: 20, height: 14, cabac: cabac), seed: 7)
    let slices = (0..<280).map { [$0] }
    stream.picture(.i, frameNum: 0, order: 0, isIDR: true, slices: slices)
    stream.picture(.p, frameNum: 1, order: 2, lists: [[0]], slices: slices)
    for threads in [1, 2, 4] {
      let frames = try stream.stream.frames(threads: threads)
      let isEqual = frames.map(\.samples) == stream.models.map(\.planes)
      #expect(isEqual, "\(threads) threads")
    }
    guard let samples = try stream.stream.samplesOfFFmpeg() else { return }
    let isEqual = samples == stream.models.flatMap { $0.planes.flatMap { $0 } }
    #expect(isEqual, "FFmpeg's samples differ")
  }
}
