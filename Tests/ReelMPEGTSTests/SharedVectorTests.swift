internal import ReelCore
internal import ReelMPEGTS
internal import ReelTestSupport
internal import Testing

@Suite(
  "Transport streams from elsewhere",
  .enabled(if: Places.sharedVectors != nil, "no shared vectors beside the checkout"))
struct SharedVectorTests {
  private func open(_ source: any ByteSource) throws(MediaError) -> any Demuxer {
    try TransportStreamDemuxer(source: source)
  }

  @Test("never trap, hang or blame the caller when damaged", arguments: ["ts"])
  func damaged(kind: String) throws {
    let fault = try HostileInput.fault(kind: kind, seeds: 0..<4) { (bytes) throws(MediaError) in
      try open(MemorySource(bytes))
    }
    #expect(fault == nil)
  }

  @Test("of a kilobyte are answered at once", arguments: ["ts"])
  func kilobyte(kind: String) throws {
    #expect(try HostileInput.costlyKilobyte(kind: kind, open: open) == nil)
  }
}
