internal import ReelCore
internal import ReelElementary
internal import ReelTestSupport
internal import Testing

@Suite(
  "Byte streams from elsewhere",
  .enabled(if: Places.sharedVectors != nil, "no shared vectors beside the checkout"))
struct SharedVectorTests {
  private func open(_ source: any ByteSource) throws(MediaError) -> any Demuxer {
    try H264StreamDemuxer(source: source)
  }

  @Test("never trap, hang or blame the caller when damaged", arguments: ["h264"])
  func damaged(kind: String) throws {
    let fault = try HostileInput.fault(kind: kind, seeds: 0..<4) { (bytes) throws(MediaError) in
      try open(MemorySource(bytes))
    }
    #expect(fault == nil)
  }

  @Test("of a kilobyte are answered at once", arguments: ["h264"])
  func kilobyte(kind: String) throws {
    #expect(try HostileInput.costlyKilobyte(kind: kind, open: open) == nil)
  }
}
