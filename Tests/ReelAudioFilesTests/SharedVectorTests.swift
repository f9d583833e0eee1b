internal import ReelAudioFiles
internal import ReelCore
internal import ReelTestSupport
internal import Testing

@Suite(
  "Audio files from elsewhere",
  .enabled(if: Places.sharedVectors != nil, "no shared vectors beside the checkout"))
struct SharedVectorTests {
  private func open(_ source: any ByteSource) throws(MediaError) -> any Demuxer {
    try AudioStreamDemuxer(source: source)
  }

  @Test("never trap, hang or blame the caller when damaged", arguments: ["aac", "mp3"])
  func damaged(kind: String) throws {
    let fault = try HostileInput.fault(kind: kind, seeds: 0..<4) { (bytes) throws(MediaError) in
      try open(MemorySource(bytes))
    }
    #expect(fault == nil)
  }

  @Test("of a kilobyte are answered at once", arguments: ["aac", "mp3"])
  func kilobyte(kind: String) throws {
    #expect(try HostileInput.costlyKilobyte(kind: kind, open: open) == nil)
  }
}
