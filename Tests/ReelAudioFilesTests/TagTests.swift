internal import ReelAudioFiles
internal import ReelCore
internal import ReelTestSupport
internal import Testing

/// Files of MPEG audio made in code.
enum AudioSamples {
  /// A layer III frame: 128 kbit/s, 44.1 kHz, stereo, 417 bytes.
  static func mp3(_ number: Int) -> [UInt8] {
    [0xFF, 0xFB, 0x90, 0x64] + (0..<413).map { UInt8(($0 + number) & 63) }
  }

  static func mp3s(_ count: Int) -> [UInt8] { (0..<count).flatMap { mp3($0) } }

  /// An ID3v2 tag of these frames.
  static func id3(
    version: UInt8 = 4, flags: UInt8 = 0, _ frames: [(id: String, payload: [UInt8])]
  ) -> [UInt8] {
    let body = frames.flatMap { frame -> [UInt8] in
      let n = frame.payload.count
      switch version {
      case 2: return Array(frame.id.utf8) + [0, UInt8(n >> 8), UInt8(n & 255)] + frame.payload
      case 3:
        return Array(frame.id.utf8) + [0, 0, UInt8(n >> 8), UInt8(n & 255), 0, 0] + frame.payload
      default:
        return Array(frame.id.utf8) + [
          0, UInt8(n >> 14), UInt8(n >> 7 & 127), UInt8(n & 127), 0, 0,
        ]
          + frame.payload
      }
    }
    let n = body.count
    return [
      0x49, 0x44, 0x33, version, 0, flags, 0, UInt8(n >> 14), UInt8(n >> 7 & 127), UInt8(n & 127),
    ]
      + body
  }

  static func ape(_ items: [(key: String, value: String)], hasHeader: Bool) -> [UInt8] {
    let little = { (n: Int) -> [UInt8] in (0..<4).map { UInt8(n >> (8 * $0) & 255) } }
    let body = items.flatMap { item -> [UInt8] in
      little(item.value.utf8.count) + little(0) + Array(item.key.utf8) + [0]
        + Array(item.value.utf8)
    }
    let ends = { (isHeader: Bool) -> [UInt8] in
      Array("APETAGEX".utf8) + little(2000) + little(body.count + 32) + little(items.count)
        + little((hasHeader ? 1 << 31 : 0) | (isHeader ? 1 << 29 : 0)) + little(0) + little(0)
    }
    return (hasHeader ? ends(true) : []) + body + ends(false)
  }

  static func id3v1(title: String, track: UInt8, genre: UInt8) -> [UInt8] {
    var tag = [UInt8](repeating: 0, count: 128)
    tag.replaceSubrange(0..<3, with: Array("TAG".utf8))
    tag.replaceSubrange(3..<3 + title.utf8.count, with: Array(title.utf8))
    (tag[126], tag[127]) = (track, genre)
    return tag
  }
}

@Suite("Tags of audio files")
struct TagTests {
  private func open(_ bytes: [UInt8]) throws(MediaError) -> AudioStreamDemuxer {
    try AudioStreamDemuxer(source: MemorySource(bytes))
  }

  @Test(
    "are read from ID3v2 text frames in every encoding",
    arguments: [
      [0] + Array("Gr".utf8) + [0xFC, 0xDF, 0x65], [3] + Array("Grüße".utf8),
      [1, 0xFF, 0xFE, 0x47, 0, 0x72, 0, 0xFC, 0, 0xDF, 0, 0x65, 0],
      [1, 0xFE, 0xFF, 0, 0x47, 0, 0x72, 0, 0xFC, 0, 0xDF, 0, 0x65, 0, 0],
      [2, 0, 0x47, 0, 0x72, 0, 0xFC, 0, 0xDF, 0, 0x65],
    ] as [[UInt8]])
  func encodings(payload: [UInt8]) throws {
    for (version, id): (UInt8, String) in [(2, "TT2"), (3, "TIT2"), (4, "TIT2")] {
      let tag = AudioSamples.id3(version: version, [(id, payload)])
      #expect(try open(tag + AudioSamples.mp3s(3)).tags == [Tag("title", "Grüße")])
    }
  }

  @Test("take FFmpeg's names, and genres their own")
  func names() throws {
    let text = { (value: String) -> [UInt8] in [3] + Array(value.utf8) }
    let tag = AudioSamples.id3([
      ("TALB", text("Album")), ("TPE1", text("Artist")), ("TRCK", text("3/9")),
      ("TCON", text("(17)")),
      ("TXXX", [3] + Array("MOOD".utf8) + [0] + Array("calm".utf8)),
      ("COMM", [3] + Array("eng".utf8) + [0] + Array("Nice".utf8)), ("TZZZ", text("other")),
      ("TALB", text("a second one")),
    ])
    let expected = [
      Tag("album", "Album"), Tag("artist", "Artist"), Tag("track", "3/9"), Tag("genre", "Rock"),
      Tag("MOOD", "calm"), Tag("comment", "Nice"), Tag("TZZZ", "other"),
    ]
    #expect(try open(tag + AudioSamples.mp3s(3)).tags == expected)
  }

  @Test("bring pictures, and Apple's time of a segment")
  func picturesAndTimes() throws {
    let owner = Array("com.apple.streaming.transportStreamTimestamp".utf8)
    let tag = AudioSamples.id3([
      ("APIC", [0] + Array("image/png".utf8) + [0, 3] + Array("cover".utf8) + [0, 1, 2, 3]),
      ("APIC", [0] + Array("image/png".utf8) + [0, 3, 0, 0xFF, 0xD8, 0xFF]),
      ("PRIV", owner + [0, 0, 0, 0, 1, 0, 0, 0, 2]),
    ])
    let demuxer = try open(tag + AudioSamples.mp3s(3))
    // Their bytes tell what they are before the type does.
    #expect(demuxer.artwork.map(\.codec) == ["png", "mjpeg"])
    #expect(demuxer.artwork.map(\.data) == [[1, 2, 3], [0xFF, 0xD8, 0xFF]])
    #expect(demuxer.transportTimestamp == 0x1_0000_0002)
  }

  @Test("are read through unsynchronisation and behind an extended header")
  func unsynchronisation() throws {
    let old = AudioSamples.id3(version: 3, flags: 0x80, [("TIT2", [0, 0xFF, 0, 0xE0])])
    // The frame's size counts the bytes before they were written apart: 3.
    var bytes = old
    bytes[17] = 3
    #expect(try open(bytes + AudioSamples.mp3s(3)).tags == [Tag("title", "ÿà")])
    var extended = AudioSamples.id3(version: 4, flags: 0x40, [("TIT2", [0, 0x41])])
    extended.insert(contentsOf: [0, 0, 0, 6, 1, 0], at: 10)
    extended[9] += 6
    #expect(try open(extended + AudioSamples.mp3s(3)).tags == [Tag("title", "A")])
  }

  @Test("may be several, before and behind; the first to tell a value counts")
  func several() throws {
    let first = AudioSamples.id3([("TIT2", [0, 0x41])])
    let second = AudioSamples.id3([("TIT2", [0, 0x42]), ("TPE1", [0, 0x43])])
    let ape = AudioSamples.ape([("Title", "D"), ("Year", "1999"), ("X", "y")], hasHeader: true)
    let last = AudioSamples.id3v1(title: "E", track: 7, genre: 17)
    let bytes = first + second + AudioSamples.mp3s(5) + ape + last
    let demuxer = try open(bytes)
    #expect(
      demuxer.tags == [
        Tag("title", "A"), Tag("artist", "C"), Tag("date", "1999"), Tag("x", "y"),
        Tag("track", "7"),
        Tag("genre", "Rock"),
      ])
    let packets = try Array(demuxer)
    #expect(packets.map(\.data) == (0..<5).map { AudioSamples.mp3($0) })
    #expect(demuxer.warnings.isEmpty)
  }

  @Test("are passed over before the sound when they are APE tags")
  func apeInFront() throws {
    let bytes = AudioSamples.ape([("Title", "A")], hasHeader: true) + AudioSamples.mp3s(4)
    #expect(try Array(try open(bytes)).count == 4)
  }

  @Test("whose sizes do not fit are told, and what came before them kept")
  func damagedFrames() throws {
    var tag = AudioSamples.id3([("TIT2", [0, 0x41]), ("TPE1", [0, 0x42])])
    tag[27] = 100
    let demuxer = try open(tag + AudioSamples.mp3s(3))
    #expect(demuxer.tags == [Tag("title", "A")])
    #expect(demuxer.warnings.map(\.rule) == [.id3Tag])
  }

  @Test("of ID3v2.4 with plain sizes are read as their writer meant them")
  func plainSizes() throws {
    var tag = AudioSamples.id3([
      ("TIT2", [0] + [UInt8](repeating: 0x41, count: 199)), ("TPE1", [0, 0x42]),
    ])
    (tag[16], tag[17]) = (0, 200)
    let demuxer = try open(tag + AudioSamples.mp3s(3))
    #expect(demuxer.tags.map(\.value) == [String(repeating: "A", count: 199), "B"])
  }
}
