internal import Foundation
internal import ReelCore
internal import ReelDownloads
internal import ReelHLS
internal import ReelIO
internal import ReelNetworkTestSupport
internal import ReelTestSupport
internal import Synchronization
internal import Testing

/// Answers each request for a list with the next version of it, and all others with a packet.
private final class LiveTransport: HTTPTransport {
  private let versions: [(first: Int, count: Int, isEnded: Bool)]
  private let asked = Mutex(0)

  init(_ versions: [(first: Int, count: Int, isEnded: Bool)]) { self.versions = versions }

  func exchange(
    _ request: HTTPRequest, policy: NetworkPolicy, timeouts: HTTPTimeouts,
    receiver: any HTTPReceiver
  ) throws(MediaError) {
    var body = [UInt8](repeating: 0x47, count: 188)
    if request.address.path.hasSuffix(".m3u8") {
      let number = asked.withLock { asked in
        asked += 1
        return asked - 1
      }
      let version = versions[min(number, versions.count - 1)]
      var text = "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-MEDIA-SEQUENCE:\(version.first)\n"
      for index in version.first..<version.first + version.count {
        text += "#EXTINF:2,\n\(index).ts\n"
      }
      body = Array((text + (version.isEnded ? "#EXT-X-ENDLIST\n" : "")).utf8)
    }
    try receiver.receive(HTTPHead(status: 200, fields: [("content-length", "\(body.count)")]))
    try receiver.receive(body)
  }
}

@Suite("Live lists")
struct LiveListTests {
  /// What recording a list of these versions comes to. The first two are the look at what it is, and the plan.
  private func outcome(
    _ versions: [(first: Int, count: Int, isEnded: Bool)], seconds: Int
  ) throws -> (error: MediaError?, numbers: [Int64], sleeps: [Duration]) {
    let folder = try TemporaryFolder()
    let clock = VirtualNetworkClock()
    let client = HTTPClient(transport: LiveTransport(versions), clock: clock)
    var options = DownloadOptions()
    options.liveDuration = Rational(seconds)
    let download = try DownloadStore(path: folder.path("store"), client: client)
      .download("http://media.example.com/live.m3u8", options: options)
    do throws(MediaError) { try download.run() } catch { return (error, [], clock.sleeps) }
    let entry = try #require(download.info().entry)
    let text = [UInt8](try Data(contentsOf: URL(fileURLWithPath: entry)))
    guard case .media(let media) = try Playlist.parse(text).playlist else {
      Issue.record("it is no media playlist")
      return (nil, [], [])
    }
    let numbers = media.segments.indices.map { media.mediaSequenceNumber(ofSegmentAt: $0) }
    return (nil, numbers, clock.sleeps)
  }

  @Test("a window that moves on is followed, each segment once, until the time or the end")
  func window() throws {
    let moving = [(5, 3, false), (5, 3, false), (6, 3, false), (6, 3, false), (8, 3, true)]
    #expect(try outcome(moving, seconds: 10).numbers == [5, 6, 7, 8, 9, 10])
    #expect(try outcome(moving, seconds: 8).numbers == [5, 6, 7, 8])
  }

  @Test("segments that left the window before they were fetched are an error, not a hole")
  func lost() throws {
    let result = try outcome([(0, 3, false), (0, 3, false), (5, 3, false)], seconds: 100)
    #expect(result.error?.rule == .downloadLost && result.error?.detail == "segments 3 to 4")
  }

  @Test("an older version is waited out; a list that begins anew or stands still is told")
  func stale() throws {
    let older = [(5, 3, false), (5, 3, false), (4, 3, false), (6, 3, true)]
    #expect(try outcome(older, seconds: 100).numbers == [5, 6, 7, 8])
    let reset = try outcome([(50, 3, false), (50, 3, false), (0, 3, false)], seconds: 100)
    #expect(reset.error?.rule == .downloadStale)
    let still = try outcome([(5, 3, false)], seconds: 100)
    #expect(still.error?.rule == .downloadStale)
    // Half of the target duration between reloads without news, in steps of a tenth of a second.
    #expect(still.sleeps.reduce(.zero, +) == .seconds(30))
  }

  @Test("a list without segments yet is waited for")
  func emptyAtFirst() throws {
    let empty = [(7, 0, false), (7, 0, false), (7, 2, false), (7, 3, true)]
    #expect(try outcome(empty, seconds: 100).numbers == [7, 8, 9])
  }
}
