internal import ReelCore
internal import ReelElementary
internal import ReelTestSupport
internal import Testing

@Suite(
  "Byte streams from elsewhere",
  .enabled(if: Places.sharedVectors != nil, "no shared vectors beside the checkout"))
struct DamagedStreamTests {
  private func open(_ bytes: [UInt8]) throws(MediaError) -> any Demuxer {
    try H264StreamDemuxer(source: MemorySource(bytes))
  }

  @Test("never trap, hang or blame the caller when damaged", arguments: ["h264"])
  func damaged(kind: String) throws {
    #expect(try HostileInput.fault(kind: kind, seeds: 0..<4, open: open) == nil)
  }

  @Test("of a kilobyte are answered within ten milliseconds", arguments: ["h264"])
  func kilobyte(kind: String) throws {
    let slowest = try HostileInput.slowestKilobyte(kind: kind, open: open)
    #expect(slowest.time < .milliseconds(10), "\(slowest.name)")
  }
}
