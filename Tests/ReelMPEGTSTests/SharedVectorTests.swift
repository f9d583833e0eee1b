internal import ReelCore
internal import ReelMPEGTS
internal import ReelTestSupport
internal import Testing

@Suite(
  "Transport streams from elsewhere",
  .enabled(if: Places.sharedVectors != nil, "no shared vectors beside the checkout"))
struct SharedVectorTests {
  private func open(_ bytes: [UInt8]) throws(MediaError) -> any Demuxer {
    try TransportStreamDemuxer(source: MemorySource(bytes))
  }

  @Test("never trap, hang or blame the caller when damaged", arguments: ["ts"])
  func damaged(kind: String) throws {
    #expect(try HostileInput.fault(kind: kind, seeds: 0..<4, open: open) == nil)
  }

  @Test("of a kilobyte are answered within ten milliseconds", arguments: ["ts"])
  func kilobyte(kind: String) throws {
    let slowest = try HostileInput.slowestKilobyte(kind: kind, open: open)
    #expect(slowest.time < .milliseconds(10), "\(slowest.name)")
  }
}
