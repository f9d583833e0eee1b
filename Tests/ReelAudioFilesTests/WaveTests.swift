internal import ReelAudioFiles
internal import ReelCore
internal import ReelTestSupport
internal import Testing

@Suite("WAVE files")
struct WaveTests {
  private func little(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(value >> (8 * $0) & 255) }
  }

  private func chunk(_ id: String, _ payload: [UInt8]) -> [UInt8] {
    Array(id.utf8) + little(payload.count, 4) + payload + (payload.count % 2 == 1 ? [0] : [])
  }

  private func format(
    tag: Int, channels: Int = 2, rate: Int = 8000, bits: Int, block: Int? = nil,
    extra: [UInt8]? = nil
  ) -> [UInt8] {
    let block = block ?? channels * bits / 8
    let fields = [(tag, 2), (channels, 2), (rate, 4), (rate * block, 4), (block, 2), (bits, 2)]
    let plain = fields.flatMap { little($0.0, $0.1) }
    return chunk("fmt ", plain + (extra.map { little($0.count, 2) + $0 } ?? []))
  }

  private func file(_ chunks: [[UInt8]], _ id: String = "RIFF") -> [UInt8] {
    let body = Array("WAVE".utf8) + chunks.flatMap { $0 }
    return Array(id.utf8) + little(body.count, 4) + body
  }

  private func open(_ bytes: [UInt8]) throws(MediaError) -> WaveDemuxer {
    try WaveDemuxer(source: MemorySource(bytes))
  }

  private let sound = (0..<20_000).map { UInt8($0 * 7 & 255) }

  @Test(
    "name their codecs as FFmpeg does",
    arguments: [
      (1, 8, "pcm_u8"), (1, 16, "pcm_s16le"), (1, 24, "pcm_s24le"), (1, 32, "pcm_s32le"),
      (3, 32, "pcm_f32le"), (3, 64, "pcm_f64le"), (6, 8, "pcm_alaw"), (7, 8, "pcm_mulaw"),
      (2, 4, "adpcm_ms"), (0x11, 4, "adpcm_ima_wav"), (0x1234, 8, "unknown"),
    ] as [(Int, Int, String)])
  func codecs(tag: Int, bits: Int, name: String) throws {
    let demuxer = try open(
      file([format(tag: tag, bits: bits, block: max(bits / 4, 1)), chunk("data", sound)]))
    #expect(demuxer.tracks[0].codec.rawValue == name)
    var subformat = little(22, 2) + little(bits, 2) + little(3, 4) + little(tag, 2)
    subformat += [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
    let extended = try open(
      file([
        format(
          tag: 0xFFFE, bits: bits, block: max(bits / 4, 1), extra: Array(subformat.dropFirst(2))),
        chunk("data", sound),
      ]))
    #expect(extended.tracks[0].codec.rawValue == name)
  }

  @Test("give PCM in packets of whole frames, timed by them")
  func pcm() throws {
    let bytes = file([format(tag: 1, channels: 3, bits: 24), chunk("data", sound)])
    let demuxer = try open(bytes)
    let packets = try Array(demuxer)
    // 455 blocks of 9 bytes fit 4,096; the last 2 bytes are no whole block.
    #expect(packets.map(\.data.count) == [4095, 4095, 4095, 4095, 3618])
    #expect(packets.flatMap(\.data) == Array(sound[..<19_998]))
    #expect(packets.map(\.presentationTicks) == [0, 455, 910, 1365, 1820])
    #expect(packets.map(\.durationTicks) == [455, 455, 455, 455, 402])
    #expect(packets.map(\.position) == [44, 4139, 8234, 12_329, 16_424])
    #expect(demuxer.duration == MediaTime(value: 2222, timescale: 8000))
  }

  @Test(
    "seek to the packet that holds a time", arguments: [(-1, 0), (454, 0), (455, 1), (9999, 4)])
  func seeking(ticks: Int64, number: Int) throws {
    let demuxer = try open(file([format(tag: 1, channels: 3, bits: 24), chunk("data", sound)]))
    let reader = try demuxer.makePacketReader(trackIndices: [0])
    try reader.seek(trackIndex: 0, toSyncAtOrBefore: ticks)
    let packet = try #require(try reader.next())
    #expect(packet.number == number && packet.presentationTicks == Int64(number) * 455)
  }

  @Test("tell titles, pass other chunks and odd sizes")
  func information() throws {
    let info =
      Array("INFO".utf8) + chunk("INAM", Array("Song\0".utf8)) + chunk("IART", Array("Me".utf8))
    let bytes = file([
      chunk("junk", [1, 2, 3]), chunk("LIST", info), format(tag: 1, bits: 16), chunk("data", sound),
    ])
    let demuxer = try open(bytes)
    #expect(demuxer.tags == [Tag("title", "Song"), Tag("artist", "Me")])
    #expect(try Array(demuxer).flatMap(\.data) == sound)
  }

  @Test("go on to the end where the data's size is 0 or unknown, and say when it is too large")
  func sizes() throws {
    for size in [0, 0xFFFF_FFFF] {
      let data = Array("data".utf8) + little(size, 4) + sound
      let demuxer = try open(file([format(tag: 1, bits: 16), data]))
      #expect(try Array(demuxer).flatMap(\.data) == sound && demuxer.warnings.isEmpty)
    }
    let data = Array("data".utf8) + little(30_000, 4) + sound
    let demuxer = try open(file([format(tag: 1, bits: 16), data]))
    #expect(try Array(demuxer).flatMap(\.data) == sound)
    #expect(demuxer.warnings.map(\.rule) == [.waveData])
  }

  @Test("take sizes of 64 bits from ds64, and big-endian ones in RIFX")
  func otherForms() throws {
    let ds64 = chunk("ds64", little(0, 8) + little(20_000, 8) + little(0, 8))
    let large = file(
      [
        ds64, format(tag: 1, bits: 16),
        Array("data".utf8) + little(0xFFFF_FFFF, 4) + sound + [9, 9],
      ],
      "RF64")
    #expect(try Array(try open(large)).flatMap(\.data) == sound)
    let big: [UInt8] =
      Array("RIFX".utf8) + [0, 0, 0, 0] + Array("WAVEfmt ".utf8) + [0, 0, 0, 16, 0, 1, 0, 1, 0, 0]
      + [0x1F, 0x40, 0, 0, 0x3E, 0x80, 0, 2, 0, 16] + Array("data".utf8) + [0, 0, 0, 4, 1, 2, 3, 4]
    let demuxer = try open(big)
    #expect(demuxer.tracks[0].codec == "pcm_s16be" && demuxer.tracks[0].timescale == 8000)
    #expect(try Array(demuxer).map(\.data) == [[1, 2, 3, 4]])
  }

  @Test("give MPEG audio in frames")
  func mpegAudio() throws {
    let bytes = file([
      format(tag: 0x55, rate: 44_100, bits: 0, block: 1), chunk("data", AudioSamples.mp3s(6)),
    ])
    let demuxer = try open(bytes)
    #expect(demuxer.tracks[0].codec == .mp3 && demuxer.tracks[0].timescale == 44_100)
    #expect(try Array(demuxer).map(\.data) == (0..<6).map { AudioSamples.mp3($0) })
  }

  @Test("are refused without a good format or data")
  func refused() {
    for (bytes, rule): ([UInt8], Rule) in [
      ([], .waveHeader), (Array("RIFF".utf8) + [0, 0, 0, 0] + Array("AVI ".utf8), .waveHeader),
      (file([chunk("data", sound)]), .waveFormat), (file([format(tag: 1, bits: 16)]), .waveData),
      (file([format(tag: 1, channels: 0, bits: 16), chunk("data", sound)]), .waveFormat),
      (file([format(tag: 1, rate: 0, bits: 16), chunk("data", sound)]), .waveFormat),
      (file([format(tag: 1, bits: 16, block: 0), chunk("data", sound)]), .waveFormat),
    ] {
      let error = #expect(throws: MediaError.self) { try open(bytes) }
      #expect(error?.rule == rule)
    }
  }

  @Test("may not have more chunks than the limit")
  func chunkLimit() {
    var limits = Limits.standard
    limits.maximumBoxes = 50
    let bytes = file([[UInt8]](repeating: chunk("junk", []), count: 51))
    let error = #expect(throws: MediaError.self) {
      try WaveDemuxer(source: MemorySource(bytes), limits: limits)
    }
    #expect(error?.rule == .waveChunks && error?.family == .limitExceeded)
  }

  @Test("read the same through every faulty source", arguments: FaultyByteSource.Faults.all)
  func faultySource(faults: FaultyByteSource.Faults) {
    let bytes = file([format(tag: 1, bits: 16), chunk("data", sound)])
    let source = FaultyByteSource(bytes, faults)
    let faulty = DemuxerTrace { () throws(MediaError) in try WaveDemuxer(source: source) }
    let clean = DemuxerTrace { () throws(MediaError) in
      try WaveDemuxer(source: MemorySource(bytes))
    }
    #expect(faulty == clean && faulty.entries.count == 5)
  }

  @Test("survive damage of any kind", arguments: 0..<300)
  func damage(seed: UInt64) throws {
    let info = Array("INFO".utf8) + chunk("INAM", Array("Song\0".utf8))
    let good = file([
      chunk("LIST", info), format(tag: 0x11, bits: 4, block: 36, extra: little(65, 2)),
      chunk("data", Array(sound[..<2000])),
    ])
    let bytes = Damage.apply(to: good, seed: seed)
    let trace = DemuxerTrace { () throws(MediaError) in
      try WaveDemuxer(source: MemorySource(bytes))
    }
    #expect(trace.entries.reduce(0) { $0 + $1.data.count } <= bytes.count, "seed \(seed)")
    guard let demuxer = try? open(bytes) else { return }
    let reader = try demuxer.makePacketReader(trackIndices: [0])
    for ticks: Int64 in [5000, 0, .max, .min] {
      try reader.seek(trackIndex: 0, toSyncAtOrBefore: ticks)
      _ = try reader.next()
    }
  }
}
