internal import ReelCore
internal import ReelTestSupport
internal import Testing

@testable internal import ReelH264

/// Slice groups, arbitrary slice order and redundant pictures in streams whose samples are known.
@Suite("Written slice groups")
struct SliceGroupStreamTests {
  private static let (width, height) = (6, 5)
  private static let map = SliceGroupMapTests.Transcription(width: width, height: height, groups: 2)

  /// The addresses of each group that has any.
  private static func slices(_ map: [UInt8]) -> WrittenStream.Slices {
    Set(map).sorted().map { group in map.indices.filter { map[$0] == group } }
  }

  private static func stream(
    _ groups: Int, _ mapping: SliceGroupMapping, changeRate: Int = 1, seed: UInt64
  ) -> ModelledStream {
    var stream = WrittenStream(width: width, height: height, profile: 66)
    stream.parameters.numSliceGroups = groups
    stream.parameters.sliceGroupMapping = mapping
    stream.parameters.sliceGroupChangeRate = changeRate
    return ModelledStream(stream, seed: seed)
  }

  private func check(
    _ stream: ModelledStream, _ comment: Comment, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    for threads in [1, 2] {
      let frames = try stream.stream.frames(threads: threads)
      let isEqual = frames.map(\.samples) == stream.models.map(\.planes)
      #expect(isEqual, comment, sourceLocation: sourceLocation)
      #expect(frames.allSatisfy { $0.concealedBlockCount == 0 }, sourceLocation: sourceLocation)
    }
  }

  @Test(
    "of the types that stay: interleaved, dispersed, foreground, explicit", arguments: 0..<4, 0..<4)
  func staying(kind: Int, seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let three = SliceGroupMapTests.Transcription(
      width: Self.width, height: Self.height, groups: 3)
    let mapping: SliceGroupMapping
    let map: [UInt8]
    switch kind {
    case 0:
      let runs = (0..<3).map { _ in random.int(in: 1...7) }
      (mapping, map) = (.interleaved(runLengths: runs), three.interleaved(runs))
    case 1: (mapping, map) = (.dispersed, three.dispersed())
    case 2:
      let rectangles = [(topLeft: 7, bottomRight: 15), (topLeft: 1, bottomRight: 21)]
      (mapping, map) = (.foreground(rectangles: rectangles), three.foreground(rectangles))
    default:
      let groups = (0..<30).map { _ in UInt8(random.int(in: 0...2)) }
      (mapping, map) = (.explicit(groups: groups), groups)
    }
    var stream = Self.stream(3, mapping, seed: seed)
    for number in 0..<3 {
      // A group's macroblocks in two slices, and the slices in any order.
      var slices = Self.slices(map).flatMap { stream.cut($0, into: 2) }
      stream.shuffle(&slices)
      stream.picture(
        number == 0 ? .i : .p, frameNum: number, order: 2 * number, isIDR: number == 0,
        lists: number == 0 ? [] : [[number - 1]], slices: slices)
    }
    try check(stream, "type \(kind), seed \(seed)")
  }

  @Test(
    "of the types that change from picture to picture: box-out, raster, wipe", arguments: 3...5,
    [false, true])
  func changing(type: Int, direction: Bool) throws {
    let rate = 7
    let flag = direction ? 1 : 0
    let mapping: SliceGroupMapping =
      type == 3
      ? .boxOut(changeDirection: direction)
      : type == 4 ? .raster(changeDirection: direction) : .wipe(changeDirection: direction)
    var stream = Self.stream(2, mapping, changeRate: rate, seed: UInt64(type))
    // From no macroblock in the first group to all of them.
    for cycle in 0...5 {
      let units = min(cycle * rate, Self.map.size)
      let map =
        type == 3
        ? Self.map.boxOut(flag, units)
        : type == 4 ? Self.map.raster(flag, units) : Self.map.wipe(flag, units)
      stream.picture(
        cycle == 0 ? .i : .p, frameNum: cycle, order: 2 * cycle, isIDR: cycle == 0,
        lists: cycle == 0 ? [] : [[cycle - 1]], slices: Self.slices(map),
        change: { header, _ in header.sliceGroupChangeCycle = cycle })
    }
    try check(stream, "type \(type), direction \(direction)")
  }

  @Test("slices of a picture come in any order", arguments: 0..<6)
  func arbitraryOrder(seed: UInt64) throws {
    var stream = ModelledStream(
      WrittenStream(width: Self.width, height: Self.height, profile: 66), seed: seed)
    for number in 0..<3 {
      var slices = stream.cut(Array(0..<30), into: 9)
      stream.shuffle(&slices)
      stream.picture(
        number == 0 ? .i : .p, frameNum: number, order: 2 * number, isIDR: number == 0,
        lists: number == 0 ? [] : [[number - 1]], slices: slices)
    }
    try check(stream, "seed \(seed)")
  }

  @Test("redundant slices of other content are passed over, before and behind the primary ones")
  func redundant() throws {
    var stream = WrittenStream(width: 2, height: 1, profile: 66)
    stream.parameters.redundantPicCntPresentFlag = true
    stream.sets()
    stream.idr(luma: 50)
    for number in 1...3 {
      stream.picture(frameNum: number, order: 2 * number, slices: [[0], [1]]) { _ in
        .flat(UInt8(50 + number))
      }
      stream.picture(
        frameNum: number, order: 2 * number, slices: [[0], [1]],
        change: { header, _ in header.redundantPicCnt = 1 + number }
      ) { _ in .flat(200) }
    }
    #expect(try stream.frames().map { $0.probes(width: 2) } == (50...53).map { [$0, $0] })
  }
}
