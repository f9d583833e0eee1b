internal import ReelAssets
internal import ReelCaptions
internal import ReelCore
internal import Testing

@testable internal import ReelSubtitles

/// A container in memory.
private struct MemoryDemuxer: Demuxer {
  var formatName: String { "memory" }
  var tracks: [Track]
  var duration: MediaTime = .indefinite
  var tags: [ReelCore.Tag] = []
  var warnings: [MediaError] = []
  var packets: [Packet]

  func makePacketReader(trackIndices: [Int]) throws(MediaError) -> any PacketReader {
    Reader(packets.filter { trackIndices.contains($0.trackIndex) })
  }

  final class Reader: PacketReader {
    private var rest: ArraySlice<Packet>
    init(_ packets: [Packet]) { rest = packets[...] }
    func next() throws(MediaError) -> Packet? { rest.popFirst() }
    func seek(trackIndex: Int, toSyncAtOrBefore ticks: Int64) throws(MediaError) {}
  }
}

@Suite("Subtitles of files, tracks and pictures")
struct SubtitleSourceTests {
  private static func asset(
    _ codec: CodecID, _ format: TrackFormat, _ samples: [(Int64, Int64, [UInt8])],
    edits: [TimelineEdit] = [], kind: MediaKind = .subtitle
  ) -> Asset {
    var track = Track(id: 7, kind: kind, codec: codec, timescale: 1_000, formats: [format])
    track.edits = edits
    let packets = samples.enumerated().map { number, sample in
      var packet = Packet(trackIndex: 0, data: sample.2)
      packet.number = number
      packet.presentationTicks = sample.0
      packet.durationTicks = sample.1
      return packet
    }
    return Asset(
      MemoryDemuxer(tracks: [track], packets: packets),
      registry: MediaRegistry(containers: [], videoDecoders: [:]))
  }

  private static func spans(_ track: CaptionTrack) -> [String] {
    track.cues.map { "\($0.start.seconds)-\($0.end.seconds) \($0.plainText)" }
  }

  private static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
    let size = UInt32(content.count + 8)
    return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: size >> $0) } + Array(type.utf8) + content
  }

  @Test("a file is WebVTT or SubRip by its content")
  func files() throws {
    let vtt = try SubtitleFile.cues(parsing: Array("WEBVTT\n\n00:01.000 --> 00:02.000\na\n".utf8))
    let srt = try SubtitleFile.cues(
      parsing: Array("1\n00:00:01,000 --> 00:00:02,000\nb\n".utf8))
    #expect(vtt.map(\.plainText) == ["a"] && srt.map(\.plainText) == ["b"])
    let error = #expect(throws: MediaError.self) {
      _ = try SubtitleFile.cues(parsing: Array("no captions at all\n".utf8))
    }
    #expect(error?.rule == .subtitleFormat)
    #expect(throws: MediaError.self) { _ = try SubtitleFile.track(named: "http://a.example/b.vtt") }
  }

  @Test("SubRip and ASS lines of Matroska")
  func matroska() throws {
    let subRip = Self.asset(
      "subrip", .other(sampleEntry: nil), [(0, 500, Array("<i>one</i>".utf8))])
    #expect(Self.spans(try EmbeddedSubtitles.track(subRip, index: 0)) == ["0.0-0.5 one"])
    let line = "0,0,Default,,0,0,0,,{\\an8\\i1}two{\\i0}, with\\Ncomma{\\p1}m 0 0{\\p0}"
    let ass = Self.asset("ass", .other(sampleEntry: nil), [(0, 500, Array(line.utf8))])
    let track = try EmbeddedSubtitles.track(ass, index: 0)
    #expect(Self.spans(track) == ["0.0-0.5 two, with\ncomma"])
    #expect(track.cues[0].settings.line == .number(0))
  }

  @Test("WebVTT samples that go on are one cue; WebM has the settings before the text")
  func webVTT() throws {
    let cue = Self.box("vttc", Self.box("payl", Array("text".utf8)))
    let samples: [(Int64, Int64, [UInt8])] = [
      (0, 500, cue), (500, 500, cue), (1_000, 500, Self.box("vtte", [])), (1_500, 500, cue),
    ]
    let iso = Self.asset("webvtt", .subtitle(SubtitleFormat(sampleEntry: "wvtt")), samples)
    #expect(
      Self.spans(try EmbeddedSubtitles.track(iso, index: 0)) == ["0.0-1.0 text", "1.5-2.0 text"])
    let webM = Self.asset(
      "webvtt", .subtitle(SubtitleFormat()), [(0, 500, Array("id\nline:0\nx\ny".utf8))])
    let track = try EmbeddedSubtitles.track(webM, index: 0)
    #expect(Self.spans(track) == ["0.0-0.5 x\ny"])
    #expect(track.cues[0].settings.line == .number(0) && track.cues[0].id == "id")
  }

  @Test("edits do not make more cues than a track may have")
  func manyEdits() throws {
    var track = Track(
      id: 1, kind: .subtitle, codec: "subrip", timescale: 1_000,
      formats: [.other(sampleEntry: nil)])
    track.edits = (0..<1_000).map { _ in
      TimelineEdit(duration: MediaTime(value: 1, timescale: 1), mediaStart: 0)
    }
    let times = PresentedTimes(track, origin: .zero)
    let cue = Cue(start: .zero, end: MediaTime(value: 1, timescale: 2), content: [])
    #expect(try times.present(all: [Cue](repeating: cue, count: 100)).count == 100_000)
    let error = #expect(throws: MediaError.self) {
      _ = try times.present(all: [Cue](repeating: cue, count: 100_000))
    }
    #expect(error?.rule == .captionCount)
  }

  @Test("edits move cues and cut them")
  func edits() throws {
    let edits = [
      TimelineEdit(duration: MediaTime(value: 2, timescale: 1), mediaStart: nil),
      TimelineEdit(duration: MediaTime(value: 1, timescale: 1), mediaStart: 500),
    ]
    let asset = Self.asset(
      "subrip", .other(sampleEntry: nil),
      [(0, 1_000, Array("a".utf8)), (1_000, 2_000, Array("b".utf8)), (5_000, 1, Array("c".utf8))],
      edits: edits)
    #expect(
      Self.spans(try EmbeddedSubtitles.track(asset, index: 0)) == ["2.0-2.5 a", "2.5-3.0 b"])
  }

  @Test("a sample without a length lasts to the next one")
  func lengths() throws {
    let asset = Self.asset(
      "subrip", .other(sampleEntry: nil), [(0, 0, Array("a".utf8)), (700, 100, Array("b".utf8))])
    #expect(
      Self.spans(try EmbeddedSubtitles.track(asset, index: 0)) == ["0.0-0.7 a", "0.7-0.8 b"])
  }

  @Test("what cannot be drawn is told by its codec; what is no subtitle track by what there is")
  func unsupported() {
    let pictures = Self.asset("dvd_subtitle", .other(sampleEntry: nil), [])
    let error = #expect(throws: MediaError.self) {
      _ = try EmbeddedSubtitles.track(pictures, index: 0)
    }
    #expect(error?.family == .unsupported && error?.description.contains("dvd_subtitle") == true)
    let other = #expect(throws: MediaError.self) {
      _ = try EmbeddedSubtitles.track(pictures, index: 3)
    }
    #expect(other?.family == .usage && other?.description.contains("track:0") == true)
  }

  // MARK: CEA-608

  /// A byte with odd parity.
  private static func odd(_ byte: UInt8) -> UInt8 {
    byte.nonzeroBitCount & 1 == 1 ? byte : byte | 0x80
  }

  /// An access unit of one message with pairs of field 1.
  private static func unit(_ pairs: [(UInt8, UInt8)]) -> [UInt8] {
    var data: [UInt8] = [0xB5, 0, 0x31, 0x47, 0x41, 0x39, 0x34, 3, 0x40 | UInt8(pairs.count), 0xFF]
    for pair in pairs { data += [0xFC, odd(pair.0), odd(pair.1)] }
    data.append(0xFF)
    return [0, 0, 0, 1, 6, 4, UInt8(data.count)] + data + [0x80, 0, 0, 0, 1, 0x65, 0x88]
  }

  @Test("captions of pictures are taken in the order of presentation")
  func pictures() throws {
    // Pop-on: resume loading, row 15, text; end of caption; later erase displayed.
    let load = Self.unit([(0x14, 0x20), (0x14, 0x70), (0x48, 0x69)])
    let show = Self.unit([(0x14, 0x2F)])
    let erase = Self.unit([(0x14, 0x2C)])
    let asset = Self.asset(
      .h264, .video(VideoFormat()), [(0, 40, load), (120, 40, erase), (40, 40, show)], kind: .video)
    let track = try PictureCaptions.track(asset, channel: .cc1)
    #expect(Self.spans(track) == ["0.04-0.12 Hi"])
    #expect(track.cues.first?.keepsBlanks == true)
    #expect(try PictureCaptions.track(asset, channel: .cc2).cues.isEmpty)
  }

  @Test("captions wait for as many pictures as a decoder may hold back, and no longer")
  func pictureOrder() throws {
    var order = PictureOrder<Int>()
    var shown: [Int64] = []
    // Each group of 33 pictures comes with its first picture last.
    let ticks = (0..<100).flatMap { group in (1...33).map { Int64(group * 33 + $0 % 33) } }
    for time in ticks { if let next = order.put(0, at: time) { shown.append(next.ticks) } }
    while let next = order.take() { shown.append(next.ticks) }
    #expect(shown == Array(0..<3_300))
    // Pictures of one time keep their order.
    var same = PictureOrder<Int>()
    for value in 0..<200 {
      if let next = same.put(value, at: 5) { #expect(next.value == value - 64) }
    }
    #expect(same.take()?.value == 136)
  }

  @Test("a track of line 21 gives the channel that is asked for, else the first that has captions")
  func channels() throws {
    func pairs(_ list: [(UInt8, UInt8)]) -> [UInt8] {
      list.flatMap { [Self.odd($0.0), Self.odd($0.1)] }
    }
    func paint(_ code: UInt8, _ text: (UInt8, UInt8)) -> [(UInt8, UInt8)] {
      [(code, 0x29), (code & 0x18 | 1, 0x40), text]
    }
    func asset(_ first: [UInt8], _ second: [UInt8]) -> Asset {
      let sample =
        (first.isEmpty ? [] : Self.box("cdat", first))
        + (second.isEmpty ? [] : Self.box("cdt2", second))
      return Self.asset(
        "eia_608", .other(sampleEntry: FourCC("c608")), [(0, 1_000, sample), (1_000, 1_000, [])])
    }
    let one = pairs(paint(0x14, (0x61, 0x31)))
    let two = pairs(paint(0x1C, (0x61, 0x32)))
    let three = pairs(paint(0x14, (0x61, 0x33)))
    let four = pairs(paint(0x1C, (0x61, 0x34)))
    func texts(_ asset: Asset, _ channel: CEA608Channel?) throws -> [String] {
      try EmbeddedSubtitles.track(asset, index: 0, channel: channel).cues.map(\.plainText)
    }
    let all = asset(one + two, three + four)
    #expect(try texts(all, nil) == ["a1"])
    for (channel, text) in zip(CEA608Channel.allCases, ["a1", "a2", "a3", "a4"]) {
      #expect(try texts(all, channel) == [text])
    }
    #expect(try texts(asset([], four), nil) == ["a4"])
    #expect(try texts(asset(two, three), nil) == ["a2"])
    #expect(try texts(asset([], three), .cc1).isEmpty)
    let text = Self.asset("subrip", .other(sampleEntry: nil), [(0, 500, Array("a".utf8))])
    let error = #expect(throws: MediaError.self) { _ = try texts(text, .cc1) }
    #expect(error?.rule == .subtitleChannel && error?.family == .usage)
  }

  /// An access unit of one message with a packet of the caption channel for one service.
  private static func digitalUnit(_ data: [UInt8], service: UInt8, sequence: UInt8) -> [UInt8] {
    var packet = [0, service << 5 | UInt8(data.count)] + data + [0]
    if packet.count % 2 == 1 { packet.append(0) }
    packet[0] = sequence << 6 | UInt8(packet.count / 2)
    var payload: [UInt8] = [0xB5, 0, 0x31, 0x47, 0x41, 0x39, 0x34, 3]
    payload += [0x40 | UInt8(packet.count / 2), 0xFF]
    for at in stride(from: 0, to: packet.count, by: 2) {
      payload += [at == 0 ? 0xFF : 0xFE, packet[at], packet[at + 1]]
    }
    payload.append(0xFF)
    // A three after two zeros keeps them from being a start code.
    var escaped: [UInt8] = []
    for byte in payload {
      if byte <= 3, escaped.suffix(2) == [0, 0] { escaped.append(3) }
      escaped.append(byte)
    }
    return [0, 0, 0, 1, 6, 4, UInt8(payload.count)] + escaped + [0x80, 0, 0, 0, 1, 0x65, 0x88]
  }

  @Test("services of CEA-708 come in the order of presentation, in columns of the picture's shape")
  func services() throws {
    // A window of 16 columns at the left, not shown; then shown, and deleted.
    let define = Self.digitalUnit(
      [0x98, 0, 30, 0, 0, 15, 0x11] + Array("Hi".utf8), service: 2, sequence: 0)
    let show = Self.digitalUnit([0x89, 1], service: 2, sequence: 1)
    let delete = Self.digitalUnit([0x8C, 1], service: 2, sequence: 2)
    for (width, columns) in [(0, 42.0), (1_920, 42), (720, 32)] {
      var format = VideoFormat()
      (format.width, format.height) = (width, width == 720 ? 540 : 1_080)
      let asset = Self.asset(
        .h264, .video(format), [(0, 40, define), (120, 40, delete), (40, 40, show)], kind: .video)
      let track = try PictureCaptions.track(asset, service: 2)
      #expect(Self.spans(track) == ["0.04-0.12 Hi"])
      #expect(abs((track.cues.first?.box?.width ?? 0) - 16 * 0.8 / columns) < 1e-9)
      #expect(try PictureCaptions.track(asset, service: 1).cues.isEmpty)
      #expect(try PictureCaptions.track(asset, channel: .cc1).cues.isEmpty)
    }
  }

  @Test("damaged messages give fewer captions, never an error")
  func damagedMessages() {
    let whole = Self.unit([(0x14, 0x25), (0x48, 0x69)])
    func pairs(_ count: Int, _ framing: NALUnitFraming, isHEVC: Bool) -> Int {
      PictureCaptions.payloads(Array(whole.prefix(count)), framing, isHEVC: isHEVC)
        .flatMap(CaptionPair.pairs(inUserData:)).count
    }
    for count in 0...whole.count {
      let found = pairs(count, .annexB, isHEVC: false)
      #expect(found <= 2 && (count < whole.count - 5 || found == 2))
      #expect(pairs(count, .lengthPrefixed(bytes: 4), isHEVC: true) == 0)
    }
  }
}
