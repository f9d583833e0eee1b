internal import ReelCore
internal import ReelMatroska
internal import ReelTestSupport
internal import Testing

@Suite(
  "Matroska files from elsewhere",
  .enabled(if: Places.sharedVectors != nil, "no shared vectors beside the checkout"))
struct SharedVectorTests {
  private func open(_ source: any ByteSource) throws(MediaError) -> any Demuxer {
    try MatroskaDemuxer(source: source)
  }

  @Test("never trap, hang or blame the caller when damaged", arguments: ["mkv"])
  func damaged(kind: String) throws {
    let fault = try HostileInput.fault(kind: kind, seeds: 0..<4) { (bytes) throws(MediaError) in
      try open(MemorySource(bytes))
    }
    #expect(fault == nil)
  }

  @Test("of a kilobyte are answered at once", arguments: ["mkv"])
  func kilobyte(kind: String) throws {
    #expect(try HostileInput.costlyKilobyte(kind: kind, open: open) == nil)
  }
}
