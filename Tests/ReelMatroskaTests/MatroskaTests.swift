internal import ReelCore
internal import ReelMatroska
internal import ReelTestSupport
internal import Testing

/// Files that the tests of this target share.
enum MatroskaSamples {
  /// avcC of two empty parameter sets, lengths of 4 bytes.
  static let avcC: [UInt8] = [1, 100, 0, 31, 0xFF, 0xE1, 0, 1, 0x67, 1, 0, 1, 0x68]

  static func frame(_ number: Int, _ count: Int = 50) -> [UInt8] {
    (0..<count).map { UInt8(($0 * 5 + number * 11) & 255) }
  }

  /// Video at 25 Hz, a sync sample each 10 frames and a cluster each 5, sound between.
  static func file(frames: Int, hasUnknownSizes: Bool = false, hasCues: Bool = false)
    -> MatroskaBuilder
  {
    var file = MatroskaBuilder()
    file.hasUnknownSegmentSize = hasUnknownSizes
    file.duration = Double(frames * 40)
    let video = EBML.master(0xE0, [EBML.unsigned(0xB0, 640), EBML.unsigned(0xBA, 480)])
    let audio = EBML.master(0xE1, [EBML.float(0xB5, 48_000), EBML.unsigned(0x9F, 2)])
    file.track(
      1, type: 1, codec: "V_MPEG4/ISO/AVC",
      [EBML.element(0x63A2, avcC), video, EBML.unsigned(0x23E383, 40_000_000)])
    file.track(2, type: 2, codec: "A_AC3", [audio, EBML.text(0x22B59C, "fre")])
    var cues: [(time: UInt64, cluster: Int)] = []
    for start in stride(from: 0, to: frames, by: 5) {
      if start % 10 == 0 { cues.append((UInt64(start * 40), file.clusters.count)) }
      let blocks = (start..<min(start + 5, frames)).flatMap { i -> [[UInt8]] in
        [
          MatroskaBuilder.simpleBlock(
            track: 1, time: (i - start) * 40, isSync: i % 10 == 0, frame(i)),
          MatroskaBuilder.simpleBlock(track: 2, time: (i - start) * 40 + 8, frame(i + 1000)),
        ]
      }
      file.cluster(time: UInt64(start * 40), hasUnknownSize: hasUnknownSizes, blocks)
    }
    if hasCues { add(cues, to: &file) }
    return file
  }

  /// Cues behind the clusters, and a SeekHead that points to them.
  private static func add(_ cues: [(time: UInt64, cluster: Int)], to file: inout MatroskaBuilder) {
    let seekHead = { (position: Int) -> [UInt8] in
      EBML.master(
        0x114D_9B74,
        [
          EBML.master(
            0x4DBB,
            [
              EBML.element(0x53AB, [0x1C, 0x53, 0xBB, 0x6B]),
              EBML.element(0x53AC, (0..<4).map { UInt8(position >> (24 - 8 * $0) & 255) }),
            ])
        ])
    }
    file.before = [seekHead(0)]
    let clustersStart = file.opening.count
    let points = cues.map { cue -> [UInt8] in
      let position = clustersStart + file.clusters[..<cue.cluster].reduce(0) { $0 + $1.count }
      return EBML.master(
        0xBB,
        [
          EBML.unsigned(0xB3, cue.time),
          EBML.master(0xB7, [EBML.unsigned(0xF7, 1), EBML.unsigned(0xF1, UInt64(position))]),
        ])
    }
    file.before = [seekHead(clustersStart + file.clusters.reduce(0) { $0 + $1.count })]
    file.after = [EBML.master(0x1C53_BB6B, points)]
  }
}

@Suite("Matroska files")
struct MatroskaTests {
  private func open(
    _ bytes: [UInt8], limits: Limits = .standard
  ) throws(MediaError) -> MatroskaDemuxer {
    try MatroskaDemuxer(source: MemorySource(bytes), limits: limits)
  }

  private func trace(_ bytes: [UInt8]) -> DemuxerTrace {
    DemuxerTrace { () throws(MediaError) in try open(bytes) }
  }

  @Test("list tracks with their formats")
  func tracks() throws {
    let demuxer = try open(MatroskaSamples.file(frames: 20).bytes)
    #expect(demuxer.tracks.map(\.codec) == [.h264, "ac3"])
    #expect(demuxer.tracks.map(\.id) == [1, 2])
    #expect(demuxer.tracks.map(\.language) == ["eng", "fre"])
    #expect(demuxer.tracks.map(\.timescale) == [1000, 1000])
    #expect(demuxer.duration == MediaTime(value: 800, timescale: 1000))
    guard case .video(let video) = demuxer.tracks[0].formats[0],
      case .audio(let audio) = demuxer.tracks[1].formats[0]
    else {
      Issue.record("formats")
      return
    }
    #expect((video.width, video.height) == (640, 480))
    #expect(video.framing == .lengthPrefixed(bytes: 4))
    #expect(video.configuration == MatroskaSamples.avcC)
    #expect((audio.sampleRate, audio.channelCount) == (48_000, 2))
  }

  @Test("give the same packets whatever sizes are told", arguments: [false, true])
  func packets(hasUnknownSizes: Bool) {
    let entries = trace(MatroskaSamples.file(frames: 12, hasUnknownSizes: hasUnknownSizes).bytes)
      .entries
    let video = entries.filter { $0.track == 0 }
    #expect(video.map(\.data) == (0..<12).map { MatroskaSamples.frame($0) })
    let times = (0..<12).map { (i: Int64) -> [Int64?] in [i * 40, nil, 40] }
    #expect(video.map(\.times) == times)
    #expect(video.map(\.isSync) == (0..<12).map { $0 % 10 == 0 })
    #expect(video.map(\.number) == Array(0..<12))
    let sound = (0..<12).map { (i: Int64) -> Int64? in i * 40 + 8 }
    #expect(entries.filter { $0.track == 1 }.map { $0.times[0] } == sound)
  }

  @Test("tell headers without reading frames, the same as packets have")
  func headers() throws {
    let demuxer = try open(MatroskaSamples.file(frames: 12).bytes)
    let packets = try demuxer.makePacketReader(trackIndices: [0, 1])
    let headers = try demuxer.makePacketReader(trackIndices: [0, 1])
    while let packet = try packets.next() { #expect(try headers.nextHeader() == packet.header) }
    #expect(try headers.nextHeader() == nil)
  }

  private func block(_ lacing: UInt8, _ data: [UInt8], duration: UInt64? = nil) throws -> [Packet] {
    var file = MatroskaBuilder()
    file.track(1, type: 2, codec: "A_TEST", [EBML.unsigned(0x23E383, 10_000_000)])
    file.cluster(
      time: 100,
      [MatroskaBuilder.blockGroup(track: 1, time: 5, duration: duration, lacing: lacing, data)])
    return try Array(open(file.bytes))
  }

  @Test("take laced blocks apart")
  func lacings() throws {
    let frames = [
      MatroskaSamples.frame(1, 300), MatroskaSamples.frame(2, 300), MatroskaSamples.frame(3, 300),
    ]
    let all = frames.flatMap { $0 }
    let forms: [(UInt8, [UInt8])] = [
      (1, [2, 255, 45, 255, 45] + all), (2, [2] + all),
      (3, [2] + EBML.number(300) + EBML.number(0x1FFF, length: 2) + all),
    ]
    for (lacing, data) in forms {
      let packets = try block(lacing, data)
      #expect(packets.map(\.data) == frames, "lacing \(lacing)")
      #expect(packets.map(\.presentationTicks) == [105, 115, 125], "lacing \(lacing)")
      #expect(packets.map(\.durationTicks) == [10, 10, 10])
    }
    let shared = try block(2, [2] + all, duration: 60)
    #expect(shared.map(\.presentationTicks) == [105, 125, 145])
  }

  @Test("take EBML laces of growing and shrinking sizes apart")
  func signedLaces() throws {
    let sizes = [5, 100, 1, 64, 0, 9]
    let frames = sizes.map { MatroskaSamples.frame($0, $0) }
    var head: [UInt8] = [5] + EBML.number(5)
    for (last, next) in zip(sizes, sizes.dropFirst()).dropLast() {
      head += EBML.number(UInt64(next - last + 8191), length: 2)
    }
    #expect(try block(3, head + frames.flatMap { $0 }).map(\.data) == frames)
  }

  @Test(
    "go over laces that do not fit their block",
    arguments: [
      (1, [1]), (1, [255] + [UInt8](repeating: 255, count: 40)), (1, [1, 9, 1, 2]),
      (2, [2, 1, 2, 3, 4]), (3, [2, 0x85, 0x80]), (3, [2, 0x90, 0xBF, 1, 2]), (3, [1, 0]), (1, []),
    ] as [(UInt8, [UInt8])])
  func badLaces(lacing: UInt8, data: [UInt8]) throws {
    #expect(try block(lacing, data).isEmpty)
  }

  @Test("give back the header that was stripped from every frame")
  func headerStripping() throws {
    var file = MatroskaBuilder()
    let encoding = EBML.master(
      0x6D80,
      [
        EBML.master(
          0x6240,
          [EBML.master(0x5034, [EBML.unsigned(0x4254, 3), EBML.element(0x4255, [0x0B, 0x77])])])
      ])
    file.track(1, type: 2, codec: "A_AC3", [encoding])
    file.cluster(time: 0, [MatroskaBuilder.simpleBlock(track: 1, time: 0, [1, 2, 3])])
    #expect(try Array(open(file.bytes)).map(\.data) == [[0x0B, 0x77, 1, 2, 3]])
  }

  @Test("list encrypted and compressed tracks, and say so")
  func encodings() throws {
    var file = MatroskaBuilder()
    let encryption = EBML.master(
      0x6D80, [EBML.master(0x6240, [EBML.unsigned(0x5033, 1), EBML.master(0x5035, [])])])
    let zlib = EBML.master(
      0x6D80, [EBML.master(0x6240, [EBML.master(0x5034, [EBML.unsigned(0x4254, 0)])])])
    file.track(1, type: 1, codec: "V_VP9", [encryption])
    file.track(2, type: 17, codec: "S_VOBSUB", [zlib])
    file.cluster(time: 0, [MatroskaBuilder.simpleBlock(track: 2, time: 0, [1, 2, 3])])
    let demuxer = try open(file.bytes)
    #expect(demuxer.tracks.map(\.isProtected) == [true, false])
    #expect(demuxer.warnings.map(\.rule) == [.matroskaEncoding])
    #expect(try Array(demuxer).isEmpty)
  }

  @Test(
    "seek to the sync sample at or before a time, with and without cues",
    arguments: [false, true], [false, true])
  func seeking(hasCues: Bool, hasUnknownSizes: Bool) throws {
    let bytes = MatroskaSamples.file(
      frames: 45, hasUnknownSizes: hasUnknownSizes, hasCues: hasCues
    ).bytes
    let demuxer = try open(bytes)
    let all = try Array(demuxer).filter { $0.trackIndex == 0 }
    let reader = try demuxer.makePacketReader(trackIndices: [0])
    for ticks: Int64 in [1799, 0, 399, 400, 401, 1200, 5000, -3, 1599] {
      try reader.seek(trackIndex: 0, toSyncAtOrBefore: ticks)
      let expected = min(max(Int(ticks), 0) / 400 * 10, 40)
      let packet = try #require(try reader.next())
      #expect(packet.data == all[expected].data && packet.position == all[expected].position)
      #expect(packet.presentationTicks == all[expected].presentationTicks, "\(ticks)")
      #expect(try reader.next()?.data == all[expected + 1].data)
    }
  }

  @Test("seek to a frame inside a laced block")
  func seekingLaces() throws {
    var file = MatroskaBuilder()
    file.track(1, type: 2, codec: "A_TEST", [EBML.unsigned(0x23E383, 10_000_000)])
    for i in 0..<4 {
      let data = (0..<4).flatMap { MatroskaSamples.frame(i * 4 + $0, 10) }
      file.cluster(
        time: UInt64(i * 40),
        [MatroskaBuilder.simpleBlock(track: 1, time: 0, lacing: 2, [3] + data)])
    }
    let demuxer = try open(file.bytes)
    let reader = try demuxer.makePacketReader(trackIndices: [0])
    for i in [7, 0, 15, 4] {
      try reader.seek(trackIndex: 0, toSyncAtOrBefore: Int64(i * 10 + 9))
      #expect(try reader.next()?.data == MatroskaSamples.frame(i, 10))
    }
  }

  @Test("go on with the next cluster behind damage")
  func resynchronisation() {
    let file = MatroskaSamples.file(frames: 30)
    var clusters = file.clusters
    clusters[2][40] = 0  // no identifier begins with 0
    var damaged = file
    damaged.clusters = clusters
    let got = trace(damaged.bytes).entries.filter { $0.track == 0 }.map(\.data)
    let expected = trace(file.bytes).entries.filter { $0.track == 0 }.map(\.data)
    #expect(got.suffix(15) == expected.suffix(15) && got.prefix(10) == expected.prefix(10))
  }

  @Test("present from where a codec's delay ends")
  func codecDelay() throws {
    var file = MatroskaSamples.file(frames: 5)
    file.track(3, type: 2, codec: "A_OPUS", [EBML.unsigned(0x56AA, 7_000_000)])
    let edits = try open(file.bytes).tracks[2].edits
    #expect(
      edits == [TimelineEdit(duration: MediaTime(value: 200, timescale: 1000), mediaStart: 7)])
  }

  @Test("count nanoseconds where the scale divides no second")
  func oddScale() throws {
    var file = MatroskaSamples.file(frames: 5)
    file.timestampScale = 333_333
    let demuxer = try open(file.bytes)
    #expect(demuxer.tracks[0].timescale == 1_000_000_000)
    #expect(try Array(demuxer)[2].presentationTicks == 40 * 333_333)
  }

  @Test("tell tags, chapters and rotation")
  func tagsAndChapters() throws {
    var file = MatroskaBuilder()
    let roll = EBML.master(0x7670, [EBML.unsigned(0x7671, 0), EBML.float(0x7675, 270)])
    file.track(1, type: 1, codec: "V_VP9", [EBML.master(0xE0, [roll]), EBML.text(0x536E, "Main")])
    let simple = { (name: String, value: String) -> [UInt8] in
      EBML.master(0x67C8, [EBML.text(0x45A3, name), EBML.text(0x4487, value)])
    }
    let tags = [
      EBML.master(
        0x1254_C367,
        [
          EBML.master(0x7373, [EBML.master(0x63C0, []), simple("TITLE", "Film")]),
          EBML.master(
            0x7373, [EBML.master(0x63C0, [EBML.unsigned(0x63C5, 101)]), simple("BPS", "7")]),
        ])
    ]
    let atom = EBML.master(
      0xB6,
      [EBML.unsigned(0x91, 2_000_000_000), EBML.master(0x80, [EBML.text(0x85, "One")])])
    file.before = [EBML.master(0x1043_A770, [EBML.master(0x45B9, [atom])])] + tags
    let demuxer = try open(file.bytes)
    #expect(demuxer.tags == [Tag("title", "Film")])
    #expect(demuxer.tracks[0].tags == [Tag("title", "Main"), Tag("BPS", "7")])
    #expect(demuxer.tracks[0].matrix == [0, 65536, 0, -65536, 0, 0, 0, 0, 1 << 30])
    #expect(demuxer.chapterList.map(\.start) == [MediaTime(value: 2, timescale: 1)])
    #expect(demuxer.chapterList.map(\.title) == ["One"])
    #expect(try demuxer.chapters().map(\.title) == ["One"])
  }

  @Test("name their codecs as FFmpeg does")
  func codecs() throws {
    let names: [(Int, String, CodecID)] = [
      (1, "V_MPEGH/ISO/HEVC", "hevc"), (1, "V_VP8", "vp8"), (1, "V_AV1", "av1"),
      (1, "V_MPEG4/ISO/ASP", "mpeg4"), (1, "V_MPEG2", "mpeg2video"), (1, "V_WHAT", "unknown"),
      (2, "A_AAC", "aac"), (2, "A_AAC/MPEG2/LC/SBR", "aac"), (2, "A_MPEG/L3", "mp3"),
      (2, "A_OPUS", "opus"), (2, "A_VORBIS", "vorbis"), (2, "A_DTS", "dts"), (2, "A_FLAC", "flac"),
      (17, "S_TEXT/UTF8", "subrip"), (17, "S_TEXT/ASS", "ass"),
      (17, "D_WEBVTT/SUBTITLES", "webvtt"),
      (17, "S_HDMV/PGS", "hdmv_pgs_subtitle"),
    ]
    var file = MatroskaBuilder()
    for (i, name) in names.enumerated() { file.track(i + 1, type: name.0, codec: name.1) }
    #expect(try open(file.bytes).tracks.map(\.codec) == names.map(\.2))
  }
}
