import ReelCore
import ReelHLS
import Testing

@Suite("Playlists of many segments")
struct PlaylistSpeedTests {
  /// A list of 194,918 segments in 22 MB, as one that a Swift parser took five and a half minutes for.
  static func longList() -> [UInt8] {
    var text = [UInt8]("#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:4\n".utf8)
    text.reserveCapacity(23 << 20)
    for number in 0..<194_918 {
      let digits = String(1_000_000_000 + number)
      text += "#EXTINF:3.840000,\nhttps://media.example.com/archive/camera-17/2026/11/30/hd".utf8
      text += "/segment-\(digits)-\(digits)-of-day.ts\n".utf8
    }
    text += "#EXT-X-ENDLIST\n".utf8
    return text
  }

  /// 0.3 s is what it may take (Benchmarks/run measures it: 0.08 s on an idle machine); a test among others
  /// on a busy one only tells that nothing is quadratic.
  @Test("194,918 segments are read in no time")
  func isFast() throws {
    let text = Self.longList()
    let clock = ContinuousClock()
    var best = Duration.seconds(100)
    for _ in 0..<5 {
      let time = try clock.measure {
        let parsed = try Playlist.parse(text)
        guard case .media(let media) = parsed.playlist else { return }
        #expect(media.segments.count == 194_918)
      }
      best = min(best, time)
    }
    print("\(text.count) bytes: \(best)")
    #expect(best < .seconds(2))
    #expect(MemoryLayout<Segment>.stride <= 104)
  }
}
