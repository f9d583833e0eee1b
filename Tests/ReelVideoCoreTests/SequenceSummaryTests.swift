internal import ReelCore
internal import ReelTestSupport
internal import ReelVideoCore
internal import Testing

@Suite("H.264 sequence parameter sets in short")
struct H264SequenceSummaryTests {
  /// A parameter set of 1920×1080, High profile, with cropping, shape, colour and timing.
  private func full(scalingLists: Bool = false) -> [UInt8] {
    var bits = BitWriter()
    for (value, count) in [(0x67, 8), (100, 8), (0, 8), (40, 8)] {
      bits.write(UInt64(value), bits: count)
    }
    for value: UInt32 in [3, 1, 0, 0] { bits.writeUE(value) }  // id, 4:2:0, 8 bits
    bits.writeFlag(false)
    bits.writeFlag(scalingLists)
    if scalingLists {
      for list in 0..<8 {
        bits.writeFlag(list % 2 == 0)
        if list % 2 == 0 { for _ in 0..<(list < 6 ? 16 : 64) { bits.writeSE(1) } }
      }
    }
    for value: UInt32 in [4, 1] { bits.writeUE(value) }  // frame_num of 8 bits, order type 1
    bits.writeFlag(false)
    for value: Int32 in [0, -1] { bits.writeSE(value) }
    bits.writeUE(2)
    for value: Int32 in [1, -1] { bits.writeSE(value) }
    bits.writeUE(4)
    bits.writeFlag(false)
    for value: UInt32 in [119, 33] { bits.writeUE(value) }
    bits.write(0b011, bits: 3)  // fields, no adaptive frames, direct_8x8
    bits.writeFlag(true)
    for value: UInt32 in [0, 0, 0, 2] { bits.writeUE(value) }
    bits.writeFlag(true)
    bits.writeFlag(true)
    bits.write(255, bits: 8)
    for value: UInt64 in [4, 3] { bits.write(value, bits: 16) }
    bits.writeFlag(false)
    bits.writeFlag(true)
    bits.write(0b101_1_1, bits: 5)
    for value: UInt64 in [1, 13, 6] { bits.write(value, bits: 8) }
    bits.writeFlag(true)
    for value: UInt32 in [2, 2] { bits.writeUE(value) }
    bits.writeFlag(true)
    for value: UInt64 in [1001, 60_000] { bits.write(value, bits: 32) }
    bits.writeTrailingBits()
    return bits.bytes
  }

  @Test("tell profile, size, shape, colour and tick", arguments: [false, true])
  func fields(scalingLists: Bool) throws {
    let sequence = try #require(H264SequenceSummary(unescaped: full(scalingLists: scalingLists)))
    #expect((sequence.profileIDC, sequence.levelIDC, sequence.id) == (100, 40, 3))
    #expect((sequence.width, sequence.height) == (1920, 1088 - 2 * 4))
    #expect(sequence.pixelAspectRatio == Ratio(4, 3))
    let colour = try #require(sequence.colour)
    #expect((colour.primaries, colour.transfer, colour.matrix) == (1, 13, 6))
    #expect(colour.isFullRange && colour.chromaLocation == 2)
    let tick = try #require(sequence.tick)
    #expect((tick.units, tick.scale) == (1001, 60_000))
  }

  @Test("are refused when they end before the size, and lose only what is missing behind it")
  func prefixes() {
    let unit = full()
    var isComplete = false
    for count in 0...unit.count {
      let sequence = H264SequenceSummary(unescaped: Array(unit[..<count]))
      // Once there is enough there stays enough.
      #expect(sequence != nil || !isComplete, "\(count)")
      if let sequence {
        isComplete = true
        #expect(sequence.width == 1920)
      }
    }
    #expect(isComplete && H264SequenceSummary(unescaped: Array(unit[..<12])) == nil)
  }

  @Test("never trap on any bytes", arguments: 0..<2000)
  func damage(seed: UInt64) {
    let unit = Damage.apply(to: full(scalingLists: seed % 2 == 0), seed: seed)
    guard let sequence = H264SequenceSummary(unescaped: unit) else { return }
    #expect(sequence.width > 0 && sequence.height > 0, "seed \(seed)")
    #expect(sequence.width <= 1 << 18 && sequence.height <= 1 << 19, "seed \(seed)")
  }
}

@Suite("Access units of other codecs")
struct OtherAccessUnitTests {
  /// The sizes in start codes of the access units of a stream, and which are sync samples.
  private func units(
    _ detector: some AccessUnitDetector, _ structures: [[UInt8]]
  ) throws -> [(count: Int, isSync: Bool)] {
    var assembler = AccessUnitAssembler(detector)
    for structure in structures { assembler.append([0, 0, 1] + structure) }
    var result: [(Int, Bool)] = []
    while let unit = try assembler.finish() {
      let codes = unit.data.indices.dropLast(2).count { i in
        unit.data[i] == 0 && unit.data[i + 1] == 0 && unit.data[i + 2] == 1
      }
      result.append((codes, unit.isSync))
    }
    return result
  }

  @Test("of HEVC begin with a first slice segment, or the parameter sets before it")
  func hevc() throws {
    let slice = { (type: UInt8, isFirst: Bool) -> [UInt8] in
      [type << 1, 1, isFirst ? 0x80 : 0x40, 0xAA]
    }
    let found = try units(
      HEVCAccessUnitDetector(),
      [
        [32 << 1, 1, 9], [33 << 1, 1, 9], [34 << 1, 1, 9], slice(19, true), slice(19, false),
        [40 << 1, 1, 9],  // a suffix message stays
        slice(1, true), slice(1, false), [35 << 1, 1, 0x50], slice(1, true),
        [1 << 1, 0x09, 0x80, 1],  // another layer stays
        [39 << 1, 1, 9], slice(21, true),
      ])
    #expect(found.map(\.count) == [6, 2, 3, 2])
    #expect(found.map(\.isSync) == [true, false, false, true])
  }

  @Test("of MPEG-2 video begin with a picture, or the headers before it")
  func mpeg2() throws {
    let picture = { (type: UInt8) -> [UInt8] in [0x00, 0, type << 3, 0xFF] }
    let found = try units(
      MPEG2AccessUnitDetector(),
      [
        [0xB3, 0x2D, 0x02, 0x40, 0x33], [0xB5, 1], [0xB8, 8], picture(1), [0xB5, 2], [0x01, 9],
        [0x02, 9], picture(2), [0x01, 9], [0xB3, 0x2D, 0x02, 0x40, 0x33], picture(1), [0x01, 9],
        [0xB7],
      ])
    #expect(found.map(\.count) == [7, 2, 4])
    #expect(found.map(\.isSync) == [true, false, true])
    let detector = MPEG2AccessUnitDetector()
    _ = detector.role(of: [0xB3, 0x2D, 0x02, 0x40, 0x33], 0..<5, hasLeading: false)
    #expect((detector.width, detector.height) == (720, 576))
  }

  @Test("of MPEG-4 Visual begin with a VOP, or the headers before it")
  func mpeg4() throws {
    var layer = BitWriter()
    layer.write(0x20, bits: 8)
    for (value, count) in [(0, 1), (1, 8), (0, 1), (1, 4), (0, 1), (0, 2), (1, 1)] {
      layer.write(UInt64(value), bits: count)
    }
    layer.write(25, bits: 16)
    for (value, count) in [(1, 1), (0, 1), (1, 1), (352, 13), (1, 1), (288, 13), (1, 1)] {
      layer.write(UInt64(value), bits: count)
    }
    layer.writeTrailingBits()
    let plane = { (type: UInt8) -> [UInt8] in [0xB6, type << 6 | 0x10, 9] }
    let headers: [[UInt8]] = [[0xB0, 3], [0xB5, 9], [0x00], layer.bytes]
    let found = try units(
      MPEG4VisualAccessUnitDetector(), headers + [plane(0), plane(1), [0xB3, 9], plane(0)])
    #expect(found.map(\.count) == [5, 1, 2])
    #expect(found.map(\.isSync) == [true, false, true])
    let detector = MPEG4VisualAccessUnitDetector()
    for header in headers { _ = detector.role(of: header, header.indices, hasLeading: false) }
    #expect((detector.width, detector.height) == (352, 288))
    #expect(detector.configuration == headers.flatMap { [0, 0, 1] + $0 })
  }

  @Test("are never trapped on", arguments: 0..<500)
  func damage(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let bytes = (0..<400).map { _ in
      random.one(in: 2) ? UInt8(random.int(in: 0...1)) : UInt8.random(in: 0...255, using: &random)
    }
    func check(_ detector: some AccessUnitDetector) throws {
      var assembler = AccessUnitAssembler(detector)
      assembler.append(bytes)
      var total = 0
      while let unit = try assembler.finish() { total += unit.data.count }
      #expect(total <= bytes.count, "seed \(seed)")
    }
    try check(HEVCAccessUnitDetector())
    try check(MPEG2AccessUnitDetector())
    try check(MPEG4VisualAccessUnitDetector())
    try check(H264AccessUnitDetector())
  }
}
