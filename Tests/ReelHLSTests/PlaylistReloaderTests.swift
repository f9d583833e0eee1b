import ReelCore
import ReelHLS
import Testing

@Suite("Reloading live playlists")
struct PlaylistReloaderTests {
  static func media(_ text: String) throws -> MediaPlaylist {
    guard case .media(let media) = try Playlist.parse(Array(text.utf8)).playlist else {
      throw MediaError(.usage, .playlistKind)
    }
    return media
  }

  /// A playlist of segments `range`, four seconds each.
  static func live(_ range: Range<Int>, prefix: String = "", tags: String = "", end: Bool = false)
    throws -> MediaPlaylist
  {
    let segments = range.map { "#EXTINF:4,\n\(prefix)\($0).ts\n" }.joined()
    return try media(
      "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-MEDIA-SEQUENCE:\(range.lowerBound)\n\(tags)"
        + segments + (end ? "#EXT-X-ENDLIST\n" : ""))
  }

  private static let second: Int64 = 1_000_000

  @Test("a changed playlist is loaded again after the target duration, an unchanged one after half")
  func timing() throws {
    var reloader = PlaylistReloader()
    let first = reloader.handle(
      .loaded(try Self.live(0..<3), requested: 0, now: Self.second / 2))
    #expect(
      first == [
        .append(try Self.live(0..<3).segments, number: 0), .load(at: 4_000_000, ReloadRequest()),
      ])
    let same = reloader.handle(
      .loaded(try Self.live(0..<3), requested: 4_000_000, now: 4_100_000))
    #expect(same == [.load(at: 6_000_000, ReloadRequest())])
    let grown = reloader.handle(
      .loaded(try Self.live(1..<5), requested: 6_000_000, now: 6_100_000))
    #expect(
      grown == [
        .removed(before: 1), .append(Array(try Self.live(1..<5).segments[2...]), number: 3),
        .load(at: 10_000_000, ReloadRequest()),
      ])
  }

  @Test("a slow answer is followed at once")
  func slow() throws {
    var reloader = PlaylistReloader()
    let actions = reloader.handle(.loaded(try Self.live(0..<1), requested: 0, now: 9_000_000))
    #expect(actions.last == .load(at: 9_000_000, ReloadRequest()))
  }

  @Test("ENDLIST and VOD end it")
  func ends() throws {
    var reloader = PlaylistReloader()
    _ = reloader.handle(.loaded(try Self.live(0..<2), requested: 0, now: 0))
    let actions = reloader.handle(
      .loaded(try Self.live(0..<3, end: true), requested: 4_000_000, now: 4_000_000))
    #expect(actions.last == .end)
    #expect(reloader.isDone)
    #expect(reloader.handle(.failed(MediaError(.io, .reloadStale), now: 5)).isEmpty)
    var vod = PlaylistReloader()
    let only = vod.handle(
      .loaded(try Self.live(0..<2, tags: "#EXT-X-PLAYLIST-TYPE:VOD\n"), requested: 0, now: 0))
    #expect(only.last == .end)
  }

  @Test("an older version out of a cache is not played again")
  func older() throws {
    var reloader = PlaylistReloader()
    _ = reloader.handle(.loaded(try Self.live(2..<6), requested: 0, now: 0))
    for range in [0..<5, 2..<5] {
      let actions = reloader.handle(
        .loaded(try Self.live(range), requested: 4_000_000, now: 4_000_000))
      #expect(actions == [.load(at: 6_000_000, ReloadRequest())])
    }
    #expect(reloader.playlist?.segments.count == 4)
  }

  @Test("a server that counts anew, a window that went by and other addresses restart the client")
  func restarts() throws {
    for (other, rule) in [
      (try Self.live(0..<2, prefix: "b"), Rule.reloadChanged),
      (try Self.live(20..<22), .reloadLost),
      (try Self.live(9..<12, prefix: "b"), .reloadChanged),
    ] {
      var reloader = PlaylistReloader()
      _ = reloader.handle(.loaded(try Self.live(8..<11), requested: 0, now: 0))
      let actions = reloader.handle(.loaded(other, requested: 4_000_000, now: 4_000_000))
      guard case .restart(let segments, let number, let reason) = actions.first else {
        Issue.record("\(actions)")
        continue
      }
      #expect(segments == other.segments && number == other.mediaSequence)
      #expect(reason.rule == rule)
    }
  }

  @Test("an EVENT playlist must not lose segments")
  func event() throws {
    let tags = "#EXT-X-PLAYLIST-TYPE:EVENT\n"
    var reloader = PlaylistReloader()
    _ = reloader.handle(.loaded(try Self.live(0..<3, tags: tags), requested: 0, now: 0))
    let grown = reloader.handle(
      .loaded(try Self.live(0..<4, tags: tags), requested: 4_000_000, now: 4_000_000))
    #expect(grown.first == .append([try Self.live(3..<4).segments[0]], number: 3))
    let cut = reloader.handle(
      .loaded(try Self.live(1..<5, tags: tags), requested: 8_000_000, now: 8_000_000))
    guard case .restart = cut.first else {
      Issue.record("\(cut)")
      return
    }
  }

  @Test("a playlist without new segments for long is dead")
  func stale() throws {
    var reloader = PlaylistReloader()
    _ = reloader.handle(.loaded(try Self.live(0..<2), requested: 0, now: 0))
    var now: Int64 = 0
    var loads = 0
    while !reloader.isDone {
      let actions = reloader.handle(.loaded(try Self.live(0..<2), requested: now, now: now))
      loads += 1
      guard case .load(let time, _) = actions.first else {
        guard case .fail(let error) = actions.first else { break }
        #expect(error.rule == .reloadStale)
        break
      }
      now = time
    }
    #expect(now >= 46 * Self.second && now <= 48 * Self.second && loads == 25)
  }

  @Test("failed loads are tried again, later and later, and then given up")
  func failures() throws {
    var reloader = PlaylistReloader()
    _ = reloader.handle(.loaded(try Self.live(0..<2), requested: 0, now: 0))
    var delays: [Int64] = []
    let error = MediaError(.io, .reloadStale)
    for _ in 0..<5 {
      guard case .load(let time, _) = reloader.handle(.failed(error, now: 0)).first else { break }
      delays.append(time / Self.second)
    }
    #expect(delays == [1, 2, 4, 4, 4])
    #expect(reloader.handle(.failed(error, now: 0)) == [.fail(error)])
  }

  @Test("a server that can wait is asked for the next segment or part, and for a delta")
  func blocking() throws {
    let control =
      "#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,CAN-SKIP-UNTIL=24,CAN-SKIP-DATERANGES=YES,"
      + "PART-HOLD-BACK=3\n#EXT-X-PART-INF:PART-TARGET=1\n"
    var playlist = try Self.live(5..<9, tags: control)
    var segment = playlist.segments[0]
    segment.parts = [PartialSegment(uri: "9.0.ts", duration: DecimalNumber(1))]
    playlist.unfinishedSegment = segment
    var reloader = PlaylistReloader()
    let actions = reloader.handle(.loaded(playlist, requested: 0, now: 7))
    guard case .load(7, let request) = actions.last else {
      Issue.record("\(actions)")
      return
    }
    #expect(request.mediaSequenceNumber == 9 && request.part == 1)
    #expect(
      request.address(of: "https://h/l.m3u8?a=1&_HLS_msn=3")
        == "https://h/l.m3u8?a=1&_HLS_msn=9&_HLS_part=1&_HLS_skip=v2")
    #expect(ReloadRequest().address(of: "l.m3u8") == "l.m3u8")
  }

  // MARK: Delta updates

  @Test("a delta update stands for the whole playlist, keys and sections going on")
  func delta() throws {
    let head = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-SERVER-CONTROL:CAN-SKIP-UNTIL=24\n"
    let known = try Self.media(
      head + "#EXT-X-MEDIA-SEQUENCE:10\n#EXT-X-DISCONTINUITY-SEQUENCE:2\n"
        + "#EXT-X-DATERANGE:ID=\"a\",START-DATE=\"2026-01-01T00:00:00Z\"\n"
        + "#EXT-X-DATERANGE:ID=\"b\",START-DATE=\"2026-01-01T00:00:00Z\"\n"
        + "#EXT-X-KEY:METHOD=AES-128,URI=\"k\"\n#EXT-X-MAP:URI=\"i.mp4\"\n#EXTINF:4,\n10.m4s\n"
        + "#EXT-X-DISCONTINUITY\n#EXTINF:4,\n11.m4s\n#EXTINF:4,\n12.m4s\n#EXTINF:4,\n13.m4s\n")
    let delta = try Self.media(
      head + "#EXT-X-MEDIA-SEQUENCE:11\n#EXT-X-DISCONTINUITY-SEQUENCE:2\n"
        + "#EXT-X-SKIP:SKIPPED-SEGMENTS=2,RECENTLY-REMOVED-DATERANGES=\"a\"\n"
        + "#EXTINF:4,\n13.m4s\n#EXT-X-DISCONTINUITY\n#EXT-X-KEY:METHOD=NONE\n#EXTINF:4,\n14.m4s\n")
    let whole = try known.applying(delta)
    #expect(whole.segments.map(\.uri) == ["11.m4s", "12.m4s", "13.m4s", "14.m4s"])
    #expect(whole.segments.map(\.discontinuitySequence) == [3, 3, 3, 4])
    #expect(whole.segments.map(\.keys.count) == [1, 1, 1, 0])
    #expect(whole.segments.allSatisfy { $0.initializationSection?.uri == "i.mp4" })
    #expect(whole.dateRanges.map(\.id) == ["b"])
    #expect(whole.skip == nil && whole.mediaSequence == 11)
  }

  @Test("a delta update that leaves out what is not known is followed by a load of all")
  func deltaWithoutBase() throws {
    let head = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-SERVER-CONTROL:CAN-SKIP-UNTIL=24\n"
    let delta = try Self.media(
      head + "#EXT-X-MEDIA-SEQUENCE:3\n#EXT-X-SKIP:SKIPPED-SEGMENTS=9\n#EXTINF:4,\n12.ts\n")
    #expect(throws: MediaError.self) { try Self.live(0..<5).applying(delta) }
    #expect(throws: MediaError.self) { try Self.live(8..<20).applying(delta) }
    var reloader = PlaylistReloader()
    let first = try Self.live(0..<5, tags: "#EXT-X-SERVER-CONTROL:CAN-SKIP-UNTIL=24\n")
    let start = reloader.handle(.loaded(first, requested: 0, now: 0))
    guard case .load(_, let asked) = start.last else { return }
    #expect(asked.skips == .segments)
    let actions = reloader.handle(.loaded(delta, requested: 0, now: 5))
    #expect(actions == [.load(at: 5, ReloadRequest())])
  }
}
