import ReelCore
import ReelTestSupport
import Testing

@testable import ReelHLS

@Suite("Rules a playlist's text shows")
struct PlaylistValidationTests {
  static let media = "#EXTM3U\n#EXT-X-VERSION:10\n#EXT-X-TARGETDURATION:4\n"
  static let master = "#EXTM3U\n#EXT-X-VERSION:10\n"

  private func issues(_ text: String) throws -> [MediaError] {
    try Playlist.parse(Array(text.utf8)).playlist.issues
  }

  @Test(
    "each rule that is broken is told, and no other",
    arguments: [
      (media + "#EXTINF:4.6,\na\n", Rule.issueTarget),
      ("#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:3.5,\na\n", .issueVersion),
      (
        "#EXTM3U\n#EXT-X-VERSION:5\n#EXT-X-TARGETDURATION:4\n#EXT-X-MAP:URI=\"i\"\n#EXTINF:3,\na\n",
        .issueVersion
      ),
      (
        media + "#EXT-X-KEY:METHOD=AES-128,URI=\"k\",KEYFORMATVERSIONS=\"1//x\"\n#EXTINF:4,\na\n",
        .issueKeyVersions
      ),
      (
        media + "#EXT-X-KEY:METHOD=AES-128,URI=\"k\"\n#EXT-X-MAP:URI=\"i\"\n#EXTINF:4,\na\n",
        .issueSectionVector
      ),
      (
        media + "#EXT-X-DATERANGE:ID=\"a\",START-DATE=\"2026-01-01T00:00:00Z\"\n#EXTINF:4,\na\n",
        .issueDateRangeDate
      ),
      (
        media + "#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:00Z\n#EXT-X-DATERANGE:ID=\"a\","
          + "START-DATE=\"2026-01-01T00:00:00Z\",END-DATE=\"2025-01-01T00:00:00Z\"\n#EXTINF:4,\na\n",
        .issueDateRange
      ),
      (
        media + "#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:00Z\n#EXT-X-DATERANGE:ID=\"a\","
          + "START-DATE=\"2026-01-01T00:00:00Z\",END-ON-NEXT=YES\n#EXTINF:4,\na\n", .issueEndOnNext
      ),
      (media + "#EXTINF:4,\na\n#EXT-X-PART:DURATION=1,URI=\"p\"\n", .issuePartTarget),
      (media + "#EXT-X-PART-INF:PART-TARGET=1\n#EXTINF:4,\na\n", .issuePartHoldBack),
      (media + "#EXT-X-SERVER-CONTROL:HOLD-BACK=11.9\n#EXTINF:4,\na\n", .issueHoldBack),
      (media + "#EXT-X-SERVER-CONTROL:CAN-SKIP-UNTIL=23\n#EXTINF:4,\na\n", .issueSkipUntil),
      (
        media + "#EXT-X-SERVER-CONTROL:CAN-SKIP-DATERANGES=YES\n#EXTINF:4,\na\n",
        .issueSkipDateRanges
      ),
      (media + "#EXTINF:4,\na\n#EXT-X-PRELOAD-HINT:TYPE=SLICE,URI=\"p\"\n", .issueHints),
      (media + "#EXT-X-ALLOW-CACHE:YES\n#EXTINF:4,\na\n", .issueRemoved),
      (master + "#EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO=\"a\"\nv\n", .issueGroup),
      (
        master + "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"n\",URI=\"1\"\n"
          + "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"n\",URI=\"2\"\n", .issueGroupNames
      ),
      (
        master
          + "#EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS,GROUP-ID=\"c\",NAME=\"n\",INSTREAM-ID=\"CC5\"\n",
        .issueClosedCaptions
      ),
      (
        master + "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"n\",FORCED=YES\n",
        .issueRenditionAttributes
      ),
      (master + "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"s\",NAME=\"n\"\n", .issueSubtitleAddress),
      (
        master + "#EXT-X-STREAM-INF:BANDWIDTH=1,CLOSED-CAPTIONS=NONE\nv\n"
          + "#EXT-X-STREAM-INF:BANDWIDTH=2\nw\n", .issueNoCaptions
      ),
      (master + "#EXT-X-SESSION-DATA:DATA-ID=\"d\"\n", .issueSessionData),
      (
        master + "#EXT-X-SESSION-KEY:METHOD=AES-128,URI=\"k\"\n"
          + "#EXT-X-SESSION-KEY:METHOD=AES-128,URI=\"k\"\n", .issueSessionKey
      ),
      (master + "#EXT-X-STREAM-INF:BANDWIDTH=1,STABLE-VARIANT-ID=\"ä\"\nv\n", .issueStableID),
      (
        master + "#EXT-X-CONTENT-STEERING:SERVER-URI=\"s\",PATHWAY-ID=\"x\"\n"
          + "#EXT-X-STREAM-INF:BANDWIDTH=1\nv\n", .issuePathway
      ),
      (
        master + "#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1,URI=\"i\",AUDIO=\"a\"\n",
        .issueIFrameAttributes
      ),
      (master + "#EXT-X-STREAM-INF:BANDWIDTH=1,PROGRAM-ID=1\nv\n", .issueRemoved),
      (
        master + "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"n\"\n"
          + "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"b\",NAME=\"m\"\n"
          + "#EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO=\"a\"\nv\n"
          + "#EXT-X-STREAM-INF:BANDWIDTH=2,AUDIO=\"b\"\nw\n", .issueGroupMembers
      ),
    ] as [(String, Rule)])
  func broken(text: String, rule: Rule) throws {
    let found = try issues(text)
    #expect(Set(found.map(\.rule)) == [rule], "\(found)")
  }

  @Test("playlists in order have no issues")
  func clean() throws {
    #expect(try issues(Self.media + "#EXTINF:4.4,\na\n#EXT-X-ENDLIST\n").isEmpty)
    #expect(
      try issues(
        Self.master + "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"n\",DEFAULT=YES\n"
          + "#EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO=\"a\"\nv\n"
      ).isEmpty)
  }

  @Test(
    "what breaks a rule while reading is told with line and column, and is an error when strict",
    arguments: [
      (
        "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\na\n#EXT-X-STREAM-INF:BANDWIDTH=1\n", 5, 1,
        Rule.playlistKind
      ),
      ("#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:x,\na\n", 3, 9, .playlistSegmentDuration),
      ("#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,IV=12,URI=\"k\"\n", 2, 30, .playlistAttributeValue),
      ("#EXTM3U\n#EXT-X-KEY:METHOD=AES-128\n", 2, 1, .playlistKey),
      ("#EXTM3U\n#EXT-X-MEDIA:TYPE=AUDIO,NAME=\"n\n", 2, 30, .playlistAttributes),
      (
        "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\n{$x}{$y}\n#EXT-X-DEFINE:NAME=\"x\",VALUE=\"1\"\n",
        5, 1,
        .playlistVariable
      ),
      (
        "#EXTM3U\n#EXT-X-DEFINE:NAME=\"x\",VALUE=\"1\"\n#EXTINF:4,\n{$y}\n", 4, 1, .playlistVariable
      ),
      ("#EXTM3U\n#EXT-X-BYTERANGE:5\n#EXTINF:4,\na\n", 4, 1, .playlistByteRange),
      ("#EXTM3U\n#EXTINF:4,\nä\u{7}\n", 3, 3, .playlistText),
      ("\u{FEFF}#EXTM3U\n", 1, 1, .playlistText),
    ] as [(String, Int, Int, Rule)])
  func refused(text: String, line: Int, column: Int, rule: Rule) {
    do {
      _ = try Playlist.parse(Array(text.utf8))
      Issue.record("it was read")
    } catch {
      #expect(error.rule == rule, "\(error)")
      #expect(error.place == .column(column, line: line), "\(error)")
    }
  }

  @Test("what can be read past is a warning, and an error under the standard")
  func strictness() throws {
    let text = Array("#EXTM3U\n#EXT-X-PLAYLIST-TYPE:FILM\n#EXT-X-TARGETDURATION:4\n".utf8)
    let parsed = try Playlist.parse(text)
    #expect(parsed.warnings.map(\.rule) == [.playlistType])
    var context = PlaylistContext()
    context.strictness = .standard
    #expect(throws: MediaError.self) { try Playlist.parse(text, context) }
  }

  @Test("limits hold")
  func limits() {
    var context = PlaylistContext()
    context.limits.maximumSegments = 2
    context.limits.maximumLineBytes = 40
    context.limits.maximumBytes = 500
    let segments = String(repeating: "#EXTINF:4,\na\n", count: 3)
    for text in [
      "#EXTM3U\n" + segments, "#EXTM3U\n#" + String(repeating: "x", count: 40) + "\n",
      String(repeating: "#\n", count: 300),
    ] {
      do {
        _ = try Playlist.parse(Array(text.utf8), context)
        Issue.record("it was read")
      } catch {
        #expect(error.family == .limitExceeded)
      }
    }
  }

  @Test("damaged playlists end in an error with a line, or are written and read again the same")
  func damage() throws {
    for name in PlaylistFixtureTests.playlists {
      let good = try SharedVectors.bytes(kind: "hls", name: name)
      for seed: UInt64 in 0..<20 {
        let bytes = Damage.apply(to: good, seed: seed)
        do throws(MediaError) {
          let first = try Playlist.parse(bytes)
          _ = first.playlist.issues
          let written = try first.playlist.write()
          let second = try Playlist.parse(written)
          #expect(first.playlist == second.playlist, "\(name), seed \(seed)")
        } catch {
          #expect(
            error.family == .damaged || error.family == .limitExceeded,
            "\(name), seed \(seed): \(error)")
        }
      }
    }
  }
}
