internal import ReelCore
internal import ReelMatroska
internal import ReelTestSupport
internal import Testing

@Suite("The tree of a Matroska file's elements")
struct ElementTreeTests {
  private func tree(_ bytes: [UInt8], limits: Limits = .standard) throws -> [ContainerNode] {
    try MatroskaDemuxer.describe(MemorySource(bytes), limits: limits)
  }

  private func value(_ node: ContainerNode?, _ name: String = "value") -> ContainerNode.Value? {
    node?.fields.first { $0.name == name }?.value
  }

  @Test("has offsets, sizes and values under the standard's names", arguments: [false, true])
  func whole(hasUnknownSizes: Bool) throws {
    let file = MatroskaSamples.file(frames: 20, hasUnknownSizes: hasUnknownSizes, hasCues: true)
    let nodes = try tree(file.bytes)
    #expect(nodes.map(\.name) == ["EBML", "Segment"])
    #expect(nodes.allSatisfy { $0.firstFault == nil })
    #expect(value(nodes[0].children.first { $0.name == "DocType" }) == .text("matroska"))
    let segment = nodes[1]
    #expect(
      segment.byteCount == (hasUnknownSizes ? nil : Int64(file.bytes.count - file.head.count)))
    #expect(
      segment.children.map(\.name)
        == ["SeekHead", "Info", "Tracks"] + [String](repeating: "Cluster", count: 4) + ["Cues"])
    let seek = segment.children[0].children[0]
    #expect(seek.name == "Seek")
    #expect(value(seek.children[0]) == .text("Cues"))
    let info = segment.children[1]
    #expect(value(info.children.first { $0.name == "TimestampScale" }) == .integer(1_000_000))
    #expect(value(info.children.first { $0.name == "Duration" }) == .text("800.0"))
    let entry = segment.children[2].children[0]
    #expect(entry.name == "TrackEntry")
    #expect(value(entry.children.first { $0.name == "CodecID" }) == .text("V_MPEG4/ISO/AVC"))
    #expect(
      value(entry.children.first { $0.name == "CodecPrivate" }, "bytes")
        == .text("0164001fffe10001670100 0168".filter { $0 != " " }))
    let cluster = segment.children[4]
    #expect(
      cluster.children.map(\.name) == ["Timestamp"] + [String](repeating: "SimpleBlock", count: 10))
    #expect(value(cluster.children[0]) == .integer(200))
    #expect(value(cluster.children[1], "track") == .integer(1))
    #expect(value(cluster.children[2], "timestamp") == .integer(8))
    // Children fill their parent without a gap.
    for parent in [segment] + segment.children where parent.byteCount != nil {
      var offset = parent.offset + Int64(parent.headerByteCount)
      for child in parent.children {
        #expect(child.offset == offset, "\(parent.name)/\(child.name)")
        offset += child.byteCount ?? 0
      }
    }
  }

  @Test("tells blocks in groups, laces and elements that no standard knows")
  func blocks() throws {
    var file = MatroskaBuilder()
    file.track(1, type: 17, codec: "S_TEXT/UTF8")
    file.cluster(
      time: 5,
      [
        MatroskaBuilder.blockGroup(track: 1, time: -3, isSync: false, duration: 9, [1]),
        MatroskaBuilder.simpleBlock(track: 1, time: 0, lacing: 2, [1, 7, 8]),
        EBML.element(0x4DDD, [1, 2]),
      ])
    let cluster = try #require(try tree(file.bytes)[1].children.last)
    #expect(
      cluster.children.map(\.name) == ["Timestamp", "BlockGroup", "SimpleBlock", "0x4DDD"])
    let group = cluster.children[1]
    #expect(group.children.map(\.name) == ["Block", "BlockDuration", "ReferenceBlock"])
    #expect(value(group.children[0], "timestamp") == .integer(-3))
    #expect(value(group.children[2]) == .integer(-1))
    #expect(value(cluster.children[2], "lacing") == .text("fixed"))
    #expect(value(cluster.children[2], "frames") == .integer(2))
    #expect(value(cluster.children[3], "bytes") == .text("0102"))
  }

  @Test("says where an element is cut, too long or none")
  func faults() throws {
    let bytes = MatroskaSamples.file(frames: 10).bytes
    let cut = try tree(Array(bytes.dropLast(20)))
    #expect(cut[1].fault?.family == .needsMoreData)
    #expect(cut[1].children.last?.firstFault != nil)
    #expect(cut[1].children.first?.firstFault == nil)
    var file = MatroskaBuilder()
    file.track(1, type: 1, codec: "V_VP9")
    file.before = [EBML.element(0x4DBB, [0, 0, 0])]
    file.after = [EBML.element(0x1549_A966, EBML.element(0x7BA9, [65], size: 90))]
    let segment = try tree(file.bytes)[1]
    #expect(segment.children[0].children.map(\.name) == ["damaged"])
    #expect(segment.children.contains { $0.name == "Tracks" && $0.firstFault == nil })
    let title = try #require(segment.children.last?.children.first)
    #expect(title.fault?.family == .damaged)
    #expect(value(title) == .text("A"))
  }

  @Test("goes no deeper and no further than the limits")
  func limits() throws {
    var limits = Limits.standard
    limits.maximumBoxes = 20
    let many = try tree(MatroskaSamples.file(frames: 50).bytes, limits: limits)
    #expect(count(many) <= 22)
    #expect(many.last?.firstFault?.family == .limitExceeded)
    var inner: [UInt8] = []
    for _ in 0..<200 { inner = EBML.element(0xB6, inner) }
    let deep = try tree(MatroskaBuilder().head + EBML.element(0x1853_8067, inner))
    #expect(deep.last?.firstFault?.family == .limitExceeded)
  }

  private func count(_ nodes: [ContainerNode]) -> Int {
    nodes.reduce(0) { $0 + 1 + count($1.children) }
  }

  @Test("of damaged files never traps and ends", arguments: 0..<300)
  func damage(seed: UInt64) throws {
    let good = MatroskaSamples.file(frames: 12, hasUnknownSizes: seed % 2 == 0, hasCues: true).bytes
    let bytes = Damage.apply(to: good, seed: seed)
    #expect(count(try tree(bytes)) <= bytes.count, "seed \(seed)")
  }

  @Test("is the same through every faulty source", arguments: FaultyByteSource.Faults.all)
  func faultySources(_ faults: FaultyByteSource.Faults) throws {
    let bytes = MatroskaSamples.file(frames: 12, hasCues: true).bytes
    let source = FaultyByteSource(bytes, faults)
    let names = { (nodes: [ContainerNode]) in nodes.flatMap { $0.children }.map(\.name) }
    let read = try retrying { () throws(MediaError) in try MatroskaDemuxer.describe(source) }
    #expect(names(read) == names(try tree(bytes)))
  }
}
