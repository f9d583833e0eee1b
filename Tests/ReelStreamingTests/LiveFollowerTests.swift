import ReelCore
import ReelHLS
import Synchronization
import Testing

@testable import ReelStreaming

/// A server in virtual time, whose playlist is a function of the time it is asked at.
private final class LiveServer: ResourceLoader {
  private struct State {
    var now: Int64 = 0
    var asked: [String] = []
  }
  private let state = Mutex(State())
  private let list: @Sendable (_ now: Int64, _ query: String) -> String?

  init(_ list: @escaping @Sendable (_ now: Int64, _ query: String) -> String?) { self.list = list }

  var clock: LiveFeed.Clock {
    LiveFeed.Clock(
      now: { self.state.withLock { $0.now } },
      sleep: { until in self.state.withLock { $0.now = max($0.now, until) } })
  }

  var asked: [String] { state.withLock { $0.asked } }
  func wait(until time: Int64) { state.withLock { $0.now = max($0.now, time) } }

  func load(_ request: ResourceRequest) throws(MediaError) -> Resource {
    let now = state.withLock { state in
      state.asked.append(request.address)
      return state.now
    }
    let parts = request.address.split(separator: "?", maxSplits: 1)
    guard parts[0].hasSuffix(".m3u8") else {
      return Resource(bytes: Array(parts[0].utf8), address: request.address)
    }
    guard let text = list(now, parts.count > 1 ? String(parts[1]) : "") else {
      throw MediaError(.io, .streamingEmpty, at: .named(request.address))
    }
    return Resource(bytes: Array(text.utf8), address: String(parts[0]))
  }
}

@Suite("Following live playlists")
struct LiveFollowerTests {
  private func follow(
    _ server: LiveServer, seconds: Int?, usesParts: Bool = true, keeps: Bool = false
  ) throws(MediaError) -> (assembly: LiveAssembly, store: LiveStore) {
    var options = LiveOptions(
      clock: server.clock, duration: seconds.map { Rational($0) }, keepsSegments: keeps)
    options.usesParts = usesParts
    let store = LiveStore(server, maximumSegmentBytes: 1 << 20, maximumBytes: 1 << 20)
    let feed = LiveFeed(
      address: "https://host/live.m3u8", loader: server, clock: server.clock)
    var follower = LiveFollower([feed], options: options, store: store)
    try follower.follow()
    if let failure = follower.entries[0].failure { throw failure }
    return (follower.entries[0].assembly, store)
  }

  private static func names(_ numbers: some Sequence<Int>) -> [String] {
    numbers.map { "https://host/\($0).ts" }
  }

  /// A window of `count` segments of four seconds, one more every four seconds.
  private static func window(_ now: Int64, count: Int, end: Int? = nil, from: Int = 0) -> String {
    let last = min(Int(now / 4_000_000) + count, end ?? .max)
    let first = max(last - count, 0)
    var text = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-MEDIA-SEQUENCE:\(first + from)\n"
    for number in first..<last { text += "#EXTINF:4,\n\(number + from).ts\n" }
    return last == end ? text + "#EXT-X-ENDLIST\n" : text
  }

  @Test("a sliding window is joined three target durations from its end, each segment once")
  func slidingWindow() throws {
    let server = LiveServer { now, _ in Self.window(now, count: 6) }
    let assembly = try follow(server, seconds: 40).assembly
    #expect(assembly.playlist.segments.map(\.uri) == Self.names(3..<13))
    // Each became known when it came, no later than a reload after.
    for unit in assembly.units.dropFirst(3) {
      let came = (unit.number - 5) * 4_000_000
      #expect(unit.availability >= came && unit.availability <= came + 4_000_000)
    }
    #expect(assembly.playlist.isEnded && assembly.playlist.mediaSequence == 3)
  }

  @Test("HOLD-BACK and EXT-X-START say where to begin; never closer to the edge than that")
  func start() throws {
    func first(_ tags: String) throws -> Int64? {
      let server = LiveServer { now, _ in
        Self.window(now, count: 10).replacing("#EXTM3U\n", with: "#EXTM3U\n\(tags)\n")
      }
      return try follow(server, seconds: 4).assembly.units.first?.number
    }
    #expect(try first("#EXT-X-SERVER-CONTROL:HOLD-BACK=20") == 5)
    #expect(try first("#EXT-X-START:TIME-OFFSET=-30") == 2)
    #expect(try first("#EXT-X-START:TIME-OFFSET=8") == 2)
    #expect(try first("#EXT-X-START:TIME-OFFSET=-1") == 7)
    #expect(try first("#EXT-X-START:TIME-OFFSET=-500") == 0)
  }

  @Test("an EVENT playlist is followed to its end")
  func event() throws {
    let server = LiveServer { now, _ in
      let last = min(Int(now / 4_000_000) + 4, 9)
      var text = "#EXTM3U\n#EXT-X-PLAYLIST-TYPE:EVENT\n#EXT-X-TARGETDURATION:4\n"
      for number in 0..<last { text += "#EXTINF:4,\n\(number).ts\n" }
      return last == 9 ? text + "#EXT-X-ENDLIST\n" : text
    }
    let assembly = try follow(server, seconds: nil).assembly
    #expect(assembly.playlist.segments.map(\.uri) == Self.names(1..<9))
    #expect(assembly.isEnded)
  }

  @Test("a playlist that stands still ends with what was there, and why")
  func stale() {
    let server = LiveServer { _, _ in Self.window(0, count: 6) }
    do throws(MediaError) {
      _ = try follow(server, seconds: 60)
      Issue.record("it went on")
    } catch {
      #expect(error.rule == .reloadStale)
    }
  }

  @Test("a server that counts anew gives a discontinuity, with a number above all before")
  func restart() throws {
    let server = LiveServer { now, _ in
      now < 9_000_000
        ? Self.window(now, count: 6, from: 100)
        : Self.window(now - 9_000_000, count: 3)
    }
    let assembly = try follow(server, seconds: 44).assembly
    let segments = assembly.playlist.segments
    let fresh = try #require(segments.firstIndex { $0.isDiscontinuity })
    #expect(segments[fresh].uri == "https://host/0.ts")
    #expect(segments[fresh].discontinuitySequence > segments[fresh - 1].discontinuitySequence)
    #expect(Set(segments.map(\.uri)).count == segments.count)
  }

  /// Parts of one second in segments of four; the server answers a blocking request when it can.
  private static func lowLatency(
    _ server: @escaping @Sendable () -> LiveServer?
  ) -> @Sendable (Int64, String) -> String? {
    { now, query in
      var parts = Int(now / 1_000_000) + 24
      let pairs = query.split(separator: "&").map { $0.split(separator: "=") }
      let number = pairs.first { $0[0] == "_HLS_msn" }.flatMap { Int($0[1]) }
      let part = pairs.first { $0[0] == "_HLS_part" }.flatMap { Int($0[1]) }
      if let number {
        let wanted = number * 4 + (part ?? 3) + 1
        if wanted > parts {
          server()?.wait(until: Int64(wanted - 24) * 1_000_000)
          parts = wanted
        }
      }
      let whole = parts / 4
      var text =
        "#EXTM3U\n#EXT-X-VERSION:9\n#EXT-X-TARGETDURATION:4\n#EXT-X-PART-INF:PART-TARGET=1\n"
        + "#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=3,CAN-SKIP-UNTIL=24\n"
        + "#EXT-X-MEDIA-SEQUENCE:\(max(whole - 6, 0))\n"
      for segment in max(whole - 6, 0)..<whole {
        if segment >= whole - 2 {
          for part in 0..<4 {
            text += "#EXT-X-PART:DURATION=1,URI=\"\(segment).\(part).ts\"\n"
          }
        }
        text += "#EXTINF:4,\n\(segment).ts\n"
      }
      for part in 0..<parts % 4 {
        text += "#EXT-X-PART:DURATION=1,URI=\"\(whole).\(part).ts\"\n"
      }
      return text
        + "#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"\(whole).\(parts % 4).ts\"\n"
    }
  }

  @Test("partial segments are taken as they come, by blocking reloads, and stand for their segment")
  func parts() throws {
    let box = Mutex<LiveServer?>(nil)
    let server = LiveServer(Self.lowLatency { box.withLock { $0 } })
    box.withLock { $0 = server }
    let (assembly, _) = try follow(server, seconds: 16, keeps: true)
    let names = assembly.playlist.segments.map { $0.uri.dropFirst("https://host/".count) }
    // The last whole segment holds the hold-back; from then on there are parts alone.
    #expect(names.first == "5.ts")
    #expect(names.dropFirst().prefix(5) == ["6.0.ts", "6.1.ts", "6.2.ts", "6.3.ts", "7.0.ts"])
    #expect(assembly.duration >= Rational(16))
    // Each is known within its second, and the hint was asked for before.
    for unit in assembly.units where unit.part != nil {
      let came = (unit.number * 4 + Int64(unit.part ?? 0) - 23) * 1_000_000
      #expect(unit.availability == came)
    }
    #expect(server.asked.contains { $0.contains("_HLS_msn=6&_HLS_part=0") })
    #expect(server.asked.contains("https://host/6.1.ts"))
    let hinted = server.asked.firstIndex(of: "https://host/6.1.ts") ?? .max
    let listed = server.asked.firstIndex { $0.contains("_HLS_msn=6&_HLS_part=1") } ?? 0
    #expect(hinted < listed)
  }

  @Test("parts alone are no whole: a segment whose parts are not listed any more is taken whole")
  func missedParts() throws {
    let versions = [
      "#EXTINF:4,\n0.ts\n#EXT-X-PART:DURATION=1,URI=\"1.0.ts\"\n",
      "#EXTINF:4,\n0.ts\n#EXTINF:4,\n1.ts\n#EXT-X-ENDLIST\n",
    ]
    let server = LiveServer { now, _ in
      "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-PART-INF:PART-TARGET=1\n"
        + versions[now > 0 ? 1 : 0]
    }
    let assembly = try follow(server, seconds: nil).assembly
    #expect(assembly.playlist.segments.map(\.uri) == Self.names(0..<2))
  }

  @Test("keys count by the numbers that segments had, and variables of the master playlist hold")
  func keysAndVariables() throws {
    let server = LiveServer { now, _ in
      let last = Int(now / 4_000_000) + 6
      var text =
        "#EXTM3U\n#EXT-X-VERSION:8\n#EXT-X-DEFINE:IMPORT=\"path\"\n#EXT-X-TARGETDURATION:4\n"
        + "#EXT-X-MEDIA-SEQUENCE:\(last - 6)\n#EXT-X-KEY:METHOD=AES-128,URI=\"key\"\n"
      for number in last - 6..<last { text += "#EXTINF:4,\n{$path}/\(number).ts\n" }
      return text
    }
    var context = PlaylistContext()
    context.importedVariables = ["path": "there"]
    let feed = LiveFeed(
      PlaylistAddress("https://host/live.m3u8"),
      namedBy: PlaylistAddress("https://host/master.m3u8"), loader: server, clock: server.clock,
      context: context)
    let options = LiveOptions(clock: server.clock, duration: Rational(20), keepsSegments: false)
    var follower = LiveFollower(
      [feed], options: options,
      store: LiveStore(server, maximumSegmentBytes: 1 << 20, maximumBytes: 1 << 20))
    try follower.follow()
    let segments = follower.entries[0].assembly.playlist.segments
    #expect(segments.map(\.uri) == (3..<8).map { "https://host/there/\($0).ts" })
    #expect(segments[4].keys[0].initializationVector?.last == 7)
    #expect(segments[4].keys[0].uri == "https://host/key")
  }

  @Test("what may be kept of a live stream is bounded")
  func keptBytes() {
    let server = LiveServer { now, _ in Self.window(now, count: 6) }
    var options = LiveOptions(clock: server.clock, duration: Rational(400))
    options.maximumKeptBytes = 100
    var follower = LiveFollower(
      [LiveFeed(address: "https://host/live.m3u8", loader: server, clock: server.clock)],
      options: options,
      store: LiveStore(server, maximumSegmentBytes: 1 << 20, maximumBytes: 100))
    do throws(MediaError) {
      try follower.follow()
      #expect(follower.entries[0].failure?.rule == .streamingKept)
    } catch {
      #expect(error.rule == .streamingKept)
    }
  }

  @Test(
    "recordings tell the line of what is wrong",
    arguments: [("", 1), ("0 a", 1), ("x a b", 1), ("5 a b\n4 a c", 2), ("# only", 1)])
  func wrongRecordings(text: String, line: Int) {
    let server = LiveServer { _, _ in nil }
    do {
      _ = try RecordedLists(parsing: text, loader: server)
      Issue.record("it was read")
    } catch {
      #expect(error.place == .line(line))
    }
  }
}
