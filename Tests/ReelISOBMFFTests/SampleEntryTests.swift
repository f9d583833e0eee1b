import ReelCore
import ReelTestSupport
import Testing

@testable import ReelISOBMFF

/// Sample descriptions made in code. ISO/IEC 14496-12:2020 §12; QuickTime File Format.
enum Entries {
  typealias B = BoxBuilder

  static func video(_ code: String, _ boxes: [UInt8]...) -> [UInt8] {
    B.box(
      code, B.zeros(6), B.u16(1), B.zeros(16), B.u16(1920), B.u16(1088), B.zeros(14),
      [4] + B.code("Reel") + B.zeros(27), B.u16(24), B.u16(0xFFFF), boxes.flatMap { $0 })
  }

  static func sound(
    _ code: String, version: UInt16 = 0, channels: UInt16 = 2, bits: UInt16 = 16,
    rate: UInt32 = 44_100, fields: [UInt8] = [], _ boxes: [UInt8]...
  ) -> [UInt8] {
    B.box(
      code, B.zeros(6), B.u16(1), B.u16(version), B.zeros(6), B.u16(channels), B.u16(bits),
      B.zeros(4), B.u32(rate << 16), fields, boxes.flatMap { $0 })
  }

  static func other(_ code: String, _ content: [UInt8]...) -> [UInt8] {
    B.box(code, B.zeros(6), B.u16(1), content.flatMap { $0 })
  }

  /// ES_Descriptor with a decoder configuration. ISO/IEC 14496-1:2010 §7.2.6.
  static func esds(type: UInt8, rate: UInt32 = 0, _ info: [UInt8]) -> [UInt8] {
    let specific: [UInt8] = info.isEmpty ? [] : [5, UInt8(info.count)] + info
    let config: [UInt8] = [type, 0x15, 0, 0, 0] + B.u32(rate) + B.u32(rate) + specific
    // A size of four bytes, as QuickTime writes it.
    let descriptor: [UInt8] = B.u16(1) + [0, 4, 0x80, 0x80, 0x80, UInt8(config.count)] + config
    return B.fullBox("esds", [3, UInt8(descriptor.count)], descriptor)
  }

  static func file(_ handler: String, _ entry: [UInt8]) -> [UInt8] {
    var track = MovieTrack(samples: [[1], [2]])
    (track.handler, track.entry) = (handler, entry)
    return MovieBuilder([track]).file()
  }

  static func track(_ handler: String, _ entry: [UInt8]) throws -> Track {
    let demuxer = try DemuxerTests.open(file(handler, entry), strictness: .strict)
    #expect(demuxer.warnings.isEmpty)
    return try #require(demuxer.tracks.first)
  }
}

@Suite("Sample descriptions")
struct SampleEntryTests {
  typealias B = BoxBuilder

  private func video(_ entry: [UInt8]) throws -> (Track, VideoFormat) {
    let track = try Entries.track("vide", entry)
    guard case .video(let format) = track.formats.first else {
      throw MediaError(.damaged, .boxMissing)
    }
    return (track, format)
  }

  private func audio(_ entry: [UInt8]) throws -> (Track, AudioFormat) {
    let track = try Entries.track("soun", entry)
    guard case .audio(let format) = track.formats.first else {
      throw MediaError(.damaged, .boxMissing)
    }
    return (track, format)
  }

  @Test(
    "tell clean aperture, pixel shape, colour, fields, light and bit rate (clap pasp colr fiel)")
  func pictureBoxes() throws {
    let clap = [1918, 1, 1079, 2, 3, 2, 0, 1].flatMap { B.u32(UInt32($0)) }
    let mdcv = (1...8).flatMap { B.u16(UInt16($0 * 1000)) } + B.u32(10_000_000) + B.u32(50)
    let (track, format) = try video(
      Entries.video(
        "avc1", B.box("avcC", [1, 66, 0, 30, 0xFF, 0xE0, 0]), B.box("clap", clap),
        B.box("pasp", B.u32(40), B.u32(30)),
        B.box("colr", B.code("nclx"), B.u16(9), B.u16(16), B.u16(9), [0x80]),
        B.box("fiel", [2, 14]), B.box("mdcv", mdcv), B.box("clli", B.u16(1000), B.u16(400)),
        B.box("btrt", B.u32(0), B.u32(9_000), B.u32(8_000))))
    #expect(track.codec == .h264)
    #expect((format.width, format.height) == (1920, 1088))
    #expect(format.framing == .lengthPrefixed(bytes: 4))
    #expect(format.cleanAperture?.width == Rational(1918))
    #expect(format.cleanAperture?.height == Rational(1079, 2))
    #expect(format.cleanAperture?.horizontalOffset == Rational(3, 2))
    #expect(format.pixelAspectRatio == Ratio(4, 3))
    #expect(format.colour?.primaries == 9)
    #expect(format.colour?.transfer == 16)
    #expect(format.colour?.isFullRange == true)
    #expect(format.fieldOrder == .bottomFieldFirst)
    #expect(format.masteringDisplay?.whitePoint == .init(x: 7000, y: 8000))
    #expect(format.masteringDisplay?.maximumLuminance == 10_000_000)
    #expect(format.contentLightLevel?.maximumFrameAverageLight == 400)
    #expect(format.bitRate == 8_000)
    #expect(track.tags.contains(Tag("encoder", "Reel")))
  }

  @Test("of QuickTime have colours without a range (nclc)")
  func quickTimeColour() throws {
    let (_, format) = try video(
      Entries.video("avc1", B.box("colr", B.code("nclc"), B.u16(6), B.u16(1), B.u16(6))))
    #expect(format.colour?.matrix == 6)
    #expect(format.colour?.isFullRange == false)
  }

  @Test("of HEVC have their record and framing", arguments: ["hvc1", "hev1"])
  func hevc(code: String) throws {
    let record = [UInt8](repeating: 1, count: 21) + [0xFD, 0]
    let (track, format) = try video(Entries.video(code, B.box("hvcC", record)))
    #expect(track.codec == .hevc)
    #expect(format.framing == .lengthPrefixed(bytes: 2))
    #expect(format.configuration == record)
  }

  @Test("name the codec by the object type of the descriptor (esds)")
  func descriptors() throws {
    let (visual, format) = try video(
      Entries.video("mp4v", Entries.esds(type: 0x20, rate: 500_000, [0, 0, 1, 0xB0])))
    #expect(visual.codec == .mpeg4Visual)
    #expect(format.configuration == [0, 0, 1, 0xB0])
    #expect(format.bitRate == 500_000)
    let codecs: [(UInt8, CodecID)] = [
      (0x40, .aac), (0x67, .aac), (0x69, .mp3), (0x6B, .mp3), (0xA5, "ac3"), (0xA6, "eac3"),
    ]
    for (type, codec) in codecs {
      let (sound, format) = try audio(
        Entries.sound("mp4a", Entries.esds(type: type, rate: 96_000, [0x12, 0x10])))
      #expect(sound.codec == codec, "\(type)")
      #expect(format.configuration == [0x12, 0x10])
      #expect(format.bitRate == 96_000)
    }
    #expect(try audio(Entries.sound(".mp3")).0.codec == .mp3)
  }

  @Test("of AC-3 and E-AC-3 have the codec's own record (dac3, dec3)")
  func dolby() throws {
    let (ac3, first) = try audio(Entries.sound("ac-3", B.box("dac3", [0x10, 0x3D, 0x40])))
    #expect(ac3.codec == "ac3")
    #expect(first.configuration == [0x10, 0x3D, 0x40])
    #expect((first.sampleRate, first.channelCount, first.bitRate) == (48_000, 6, 192_000))
    let (_, half) = try audio(Entries.sound("ac-3", B.box("dac3", [0x52, 0x3D, 0x40])))
    #expect(half.sampleRate == 22_050)
    let (eac3, second) = try audio(Entries.sound("ec-3", B.box("dec3", [0x07, 0, 0x20, 0x0F, 0])))
    #expect(eac3.codec == "eac3")
    #expect(second.configuration == [0x07, 0, 0x20, 0x0F, 0])
    #expect((second.sampleRate, second.channelCount, second.bitRate) == (48_000, 6, 224_000))
    // A dependent substream with the pair of rear surround loudspeakers.
    let (_, third) = try audio(
      Entries.sound("ec-3", B.box("dec3", [0x07, 0, 0x20, 0x0F, 0x02, 0x02])))
    #expect(third.channelCount == 8)
  }

  @Test("of codecs with one rate do not believe the entry (samr sawb Opus)")
  func fixedRates() throws {
    let rows: [(String, Int, Int)] = [("samr", 8_000, 1), ("sawb", 16_000, 1), ("Opus", 48_000, 2)]
    for (code, rate, channels) in rows {
      let (_, format) = try audio(Entries.sound(code, rate: 50))
      #expect((format.sampleRate, format.channelCount) == (rate, channels), "\(code)")
    }
  }

  @Test("of QuickTime's sound come in versions 0, 1 and 2")
  func soundVersions() throws {
    let (first, _) = try audio(Entries.sound("twos"))
    #expect(first.codec == "pcm_s16be")
    let layout = B.fullBox("chan", B.u32(0x10000), B.u32(0x3F), B.u32(0))
    let wave = B.box(
      "wave", B.box("frma", B.code("mp4a")), Entries.esds(type: 0x40, [0x11, 0xB0]), B.u32(8),
      B.u32(0))
    let (second, aac) = try audio(
      Entries.sound(
        "mp4a", version: 1, rate: 48_000, fields: B.u32(1024) + B.u32(0) + B.u32(0) + B.u32(2),
        wave, layout))
    #expect(second.codec == .aac)
    #expect(aac.configuration == [0x11, 0xB0])
    #expect(aac.channelBitmap == 0x3F)
    #expect(aac.sampleRate == 48_000)
    // Version 2: 96 kHz as a float, six channels, 24 bits, little-endian signed.
    let fields =
      B.u32(72) + B.u64((96_000.0).bitPattern) + B.u32(6) + B.u32(0x7F00_0000) + B.u32(24)
      + B.u32(4) + B.u32(18) + B.u32(1)
    let (third, lpcm) = try audio(
      Entries.sound("lpcm", version: 2, channels: 3, rate: 1, fields: fields))
    #expect(third.codec == "pcm_s24le")
    #expect((lpcm.sampleRate, lpcm.channelCount, lpcm.bitsPerSample) == (96_000, 6, 24))
    let (fourth, _) = try audio(
      Entries.sound(
        "in24", version: 1, fields: B.u32(1) + B.u32(3) + B.u32(6) + B.u32(2),
        B.box("wave", B.box("enda", B.u16(1)))))
    #expect(fourth.codec == "pcm_s24le")
  }

  @Test("of text give the codec and what it is set up with (tx3g wvtt stpp c608)")
  func texts() throws {
    let rows: [(String, [UInt8], CodecID, [UInt8])] = [
      ("sbtl", Entries.other("tx3g", B.u32(7), [9]), "mov_text", B.u32(7) + [9]),
      (
        "text", Entries.other("wvtt", B.box("vttC", B.code("WEBVTT"))), "webvtt", B.code("WEBVTT")
      ),
      (
        "subt", Entries.other("stpp", B.code("urn"), [0, 0, 0]), "ttml", B.code("urn") + [0, 0, 0]
      ),
      ("clcp", Entries.other("c608"), "eia_608", []),
      ("subp", Entries.other("mp4s", Entries.esds(type: 0xE0, [1, 2])), "dvd_subtitle", [1, 2]),
    ]
    for (handler, entry, codec, configuration) in rows {
      let track = try Entries.track(handler, entry)
      #expect(track.kind == .subtitle, "\(codec)")
      #expect(track.codec == codec)
      guard case .subtitle(let format) = track.formats.first else {
        Issue.record("\(codec) is no text")
        continue
      }
      #expect(format.configuration == configuration)
    }
  }

  /// What a protected entry holds. ISO/IEC 23001-7:2016 §8.2.
  private func sinf(_ original: String, _ scheme: String) -> [UInt8] {
    B.box(
      "sinf", B.box("frma", B.code(original)), B.fullBox("schm", B.code(scheme), B.u32(0x10000)),
      B.box("schi", B.fullBox("tenc", [0, 0, 1, 8], [UInt8](1...16))))
  }

  @Test("that are encrypted tell scheme, key and what is inside (encv enca sinf)")
  func protection() throws {
    let (video, _) = try video(
      Entries.video(
        "encv", B.box("avcC", [1, 66, 0, 30, 0xFF, 0xE0, 0]), sinf("avc1", "cbcs")))
    #expect(video.codec == .h264)
    #expect(video.isProtected)
    #expect(video.protection?.scheme == "cbcs")
    #expect(video.protection?.keyID == [UInt8](1...16))
    #expect(video.protection?.initializationVectorByteCount == 8)
    let (audio, _) = try audio(
      Entries.sound("enca", Entries.esds(type: 0x40, [0x12, 0x10]), sinf("mp4a", "cenc")))
    #expect(audio.codec == .aac)
    #expect(audio.protection?.scheme == "cenc")
  }

  @Test("beyond the first are formats that packets name by index")
  func several() throws {
    var track = MovieTrack(samples: [[1], [2]])
    track.entry = Entries.video("avc1") + Entries.video("hvc1")
    let formats = try DemuxerTests.open(MovieBuilder([track]).file()).tracks[0].formats
    #expect(formats.count == 2)
  }

  /// QuickTime File Format, "Matrices": the eight ways of turning and mirroring.
  static let orientations: [[Int32]] = [
    [1, 0, 0, 1], [0, 1, -1, 0], [-1, 0, 0, -1], [0, -1, 1, 0], [-1, 0, 0, 1], [1, 0, 0, -1],
    [0, 1, 1, 0], [0, -1, -1, 0],
  ]

  @Test("are turned by the track's matrix, in all eight ways", arguments: orientations)
  func orientation(_ m: [Int32]) throws {
    var track = MovieTrack(samples: [[1]])
    let one: Int32 = 0x10000
    let matrix = [
      m[0] * one, m[1] * one, 0, m[2] * one, m[3] * one, 0, 320 * one, 0, 0x4000_0000,
    ]
    track.matrix = matrix
    let demuxer = try DemuxerTests.open(MovieBuilder([track]).file(), strictness: .strict)
    #expect(demuxer.tracks[0].matrix == matrix)
  }
}
