internal import ReelCore
internal import ReelMPEGTS
internal import ReelTestSupport
internal import Testing

@Suite("What a transport stream holds, PID by PID")
struct TransportTreeTests {
  private func tree(_ bytes: [UInt8], limits: Limits = .standard) throws -> [ContainerNode] {
    try TransportStreamDemuxer.describe(MemorySource(bytes), limits: limits)
  }

  private func value(_ node: ContainerNode, _ name: String) -> ContainerNode.Value? {
    node.fields.first { $0.name == name }?.value
  }

  @Test("lists sections once and every PES packet with its times")
  func whole() throws {
    var stream = Samples.program(pictures: 30)
    stream.map(pid: 4096, number: 1, version: 1, [(0x1B, Samples.videoPID, [])])
    let nodes = try tree(stream.bytes)
    #expect(nodes.map(\.name) == ["PID 0", "PID 4096", "PID 256", "PID 257"])
    #expect(nodes.allSatisfy { $0.firstFault == nil })
    #expect(nodes.reduce(0) { $0 + ($1.byteCount ?? 0) } == Int64(stream.bytes.count))
    #expect(nodes[0].children.map(\.name) == ["program_association_section"])
    #expect(
      value(nodes[0].children[0], "programs")
        == .table(columns: ["program_number", "program_map_PID"], rows: [[1, 4096]]))
    #expect(nodes[1].children.count == 2)
    #expect(nodes[1].children.map { value($0, "version_number") } == [.integer(0), .integer(1)])
    #expect(value(nodes[2], "codec") == .text("h264"))
    #expect(nodes[2].children.count == 30)
    #expect(value(nodes[2].children[1], "PTS") == .integer(90_000 + 3600 + 7200))
    #expect(value(nodes[2].children[1], "DTS") == .integer(90_000 + 3600))
    #expect(value(nodes[3].children[0], "stream_id") == .integer(0xC0))
  }

  @Test(
    "lists a section once whatever is sent between: other programs, other sections of its table")
  func severalSections() throws {
    var stream = TransportStreamBuilder()
    for _ in 0..<5 {
      stream.association([(1, 4096)], section: (0, 1))
      stream.association([(2, 4096)], section: (1, 1))
      stream.map(pid: 4096, number: 1, [(0x1B, 256, [])])
      stream.map(pid: 4096, number: 2, [(0x1B, 257, [])])
    }
    stream.map(pid: 4096, number: 2, version: 1, [(0x1B, 258, [])])
    let nodes = try tree(stream.bytes)
    #expect(nodes.map(\.name) == ["PID 0", "PID 4096"])
    #expect(nodes[0].children.count == 2)
    #expect(
      nodes[1].children.map { value($0, "table_id_extension") }
        == [.integer(1), .integer(2), .integer(2)])
  }

  @Test("tells a section whose checksum is wrong, and lists no more than the limit")
  func faults() throws {
    var bytes = Samples.program(pictures: 30).bytes
    // The association's checksum ends the first packet.
    bytes[187] ^= 1
    let damaged = try tree(bytes)
    #expect(damaged[0].children[0].fault?.rule.code == "mpegts.section")
    var limits = Limits.standard
    limits.maximumBoxes = 5
    let short = try tree(Samples.program(pictures: 30).bytes, limits: limits)
    #expect(short.reduce(0) { $0 + $1.children.count } == 5)
    #expect(short.contains { $0.fault?.family == .limitExceeded })
    #expect(try tree([1, 2, 3]).first?.fault?.family == .damaged)
  }

  @Test("of damaged streams never traps", arguments: 0..<200)
  func damage(seed: UInt64) throws {
    let bytes = Damage.apply(to: Samples.program(pictures: 12).bytes, seed: seed)
    let count = try tree(bytes).reduce(0) { $0 + 1 + $1.children.count }
    #expect(count <= bytes.count, "seed \(seed)")
  }
}
