import ReelCore
import ReelTestSupport
import Testing

@testable import ReelISOBMFF

@Suite("What files tell beside their samples")
struct MetadataTests {
  typealias B = BoxBuilder

  private func data(_ type: UInt32, _ bytes: [UInt8]) -> [UInt8] {
    B.box("data", B.u32(type), B.u32(0), bytes)
  }

  private func metadata(_ handler: String, _ boxes: [UInt8]...) -> [UInt8] {
    B.fullBox(
      "meta", B.fullBox("hdlr", B.zeros(4), B.code(handler), B.zeros(12), [0]),
      boxes.flatMap { $0 })
  }

  private func open(_ movieBoxes: [UInt8], _ track: MovieTrack = MovieTrack(samples: [[1], [2]]))
    throws -> ISOBMFFDemuxer
  {
    var builder = MovieBuilder([track])
    builder.movieBoxes = movieBoxes
    let demuxer = try DemuxerTests.open(builder.file(), strictness: .strict)
    #expect(demuxer.warnings.isEmpty)
    return demuxer
  }

  @Test("items of iTunes are tags, covers are artwork (udta meta ilst covr)")
  func items() throws {
    let picture: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 1, 2]
    let free = B.box(
      "----", B.fullBox("mean", B.code("com.apple.iTunes")), B.fullBox("name", B.code("ISRC")),
      data(1, B.code("XY01")))
    let list = B.box(
      "ilst", B.box("©nam", data(1, B.code("Title"))),
      B.box("trkn", data(0, [0, 0, 0, 3, 0, 9, 0, 0])),
      B.box("gnre", data(0, [0, 18])), B.box("tmpo", data(21, [0, 120])),
      B.box("covr", data(13, picture)), free)
    let demuxer = try open(B.box("udta", metadata("mdir", list)))
    let tags = demuxer.tags
    for tag in [
      Tag("title", "Title"), Tag("track", "3/9"), Tag("genre", "Rock"), Tag("tempo", "120"),
      Tag("ISRC", "XY01"),
    ] {
      #expect(tags.contains(tag), "\(tag)")
    }
    #expect(demuxer.artwork.map(\.data) == [picture])
    #expect(demuxer.artwork.first?.codec == "mjpeg")
  }

  @Test("what a picture is its bytes tell before its type does, and a text is none")
  func pictures() throws {
    let (jpeg, png): ([UInt8], [UInt8]) = ([0xFF, 0xD8, 0xFF, 0xE0], [0x89, 0x50, 0x4E, 0x47])
    let covers = [
      (13, png), (14, jpeg), (13, [1]), (14, [2]), (27, [3]), (0, png), (1, B.code("BM..")),
    ]
    let list = B.box(
      "ilst", covers.flatMap { B.box("covr", data(UInt32($0.0), $0.1)) },
      B.box("©nam", data(1, B.code("BMW!"))))
    let demuxer = try open(B.box("udta", metadata("mdir", list)))
    #expect(demuxer.artwork.map(\.codec) == ["png", "mjpeg", "mjpeg", "png", "bmp", "png"])
    #expect(demuxer.tags.contains(Tag("title", "BMW!")))
  }

  @Test("items of QuickTime go by the names of their keys (keys mdta)")
  func keys() throws {
    let names = ["com.apple.quicktime.make", "com.example.number"]
    let keys = B.fullBox("keys", B.u32(2), names.flatMap { B.box("mdta", Array($0.utf8)) })
    let items = B.box(
      "ilst", B.u32(24 + 5) + B.u32(1) + data(1, B.code("Maker")),
      B.u32(24 + 1) + B.u32(2) + data(21, [0xFE]))
    let tags = try open(metadata("mdta", keys, items)).tags
    #expect(tags.contains(Tag(names[0], "Maker")))
    #expect(tags.contains(Tag(names[1], "-2")))
  }

  @Test("gapless sound is told by iTunes' note (iTunSMPB)")
  func gapless() throws {
    var track = MovieTrack(samples: [[1], [2]])
    (track.handler, track.sampleEntry) = ("soun", "mp4a")
    let note = " 00000000 00000840 000001C0 0000000000ABCDEF 00000000"
    let item = B.box(
      "----", B.fullBox("mean", B.code("com.apple.iTunes")), B.fullBox("name", B.code("iTunSMPB")),
      data(1, B.code(note)))
    let demuxer = try open(B.box("udta", metadata("mdir", B.box("ilst", item))), track)
    #expect(
      demuxer.tracks[0].gapless
        == GaplessInformation(delay: 0x840, padding: 0x1C0, length: 0xABCDEF))
  }

  @Test("tracks name others as chapters and timecode, and an extended language (tref elng)")
  func references() throws {
    var video = MovieTrack(samples: [[1]])
    video.trackBoxes = B.box("tref", B.box("chap", B.u32(2)), B.box("tmcd", B.u32(3), B.u32(4)))
    video.mediaBoxes = B.fullBox("elng", B.code("zh-Hant-TW"), [0])
    var text = MovieTrack(
      samples: [[0, 3] + B.code("One"), [0, 3] + B.code("Two")], duration: 500)
    (text.handler, text.sampleEntry) = ("text", "text")
    let demuxer = try DemuxerTests.open(MovieBuilder([video, text]).file(), strictness: .strict)
    #expect(
      demuxer.tracks[0].references == [
        TrackReference(type: "chap", trackIDs: [2]),
        TrackReference(type: "tmcd", trackIDs: [3, 4]),
      ])
    #expect(demuxer.tracks[0].extendedLanguage == "zh-Hant-TW")
    let chapters = try demuxer.chapters()
    #expect(chapters.map(\.title) == ["One", "Two"])
    #expect(chapters.map(\.end) == [500, 1000].map { MediaTime(value: $0, timescale: 1000) })
  }

  @Test("samples of a group of random access points are sync samples (sgpd sbgp stps)")
  func groups() throws {
    var track = MovieTrack(samples: (0..<9).map { [UInt8($0)] })
    track.syncSamples = [0]
    track.tableBoxes =
      B.fullBox("sgpd", version: 1, B.code("rap "), B.u32(1), B.u32(1), [0x80])
      + B.fullBox(
        "sbgp", B.code("rap "), B.u32(3), B.u32(4), B.u32(0), B.u32(1), B.u32(1), B.u32(4),
        B.u32(0))
      + B.fullBox("sgpd", version: 1, B.code("roll"), B.u32(2), B.u32(1), [0xFF, 0xFF])
      + B.fullBox("sbgp", B.code("roll"), B.u32(1), B.u32(9), B.u32(1))
      + B.fullBox("stps", B.u32(1), B.u32(8))
    let demuxer = try DemuxerTests.open(MovieBuilder([track]).file(), strictness: .strict)
    let reader = try demuxer.makePacketReader(trackIndices: [0])
    var syncs: [Int] = []
    while let packet = try reader.next() {
      if packet.isSync { syncs.append(packet.number) }
    }
    #expect(syncs == [0, 4, 7])
  }

  @Test("a compressed movie box is refused by name (cmov)")
  func compressedMovie() {
    let bytes =
      B.box("ftyp", B.code("qt  "), B.u32(0))
      + B.box("moov", B.box("cmov", B.box("dcom", B.code("zlib"))))
    do {
      _ = try DemuxerTests.open(bytes)
      Issue.record("opened")
    } catch {
      #expect(error.family == .unsupported)
      #expect(error.rule == .compressedMovie)
    }
  }
}

@Suite("The tree of boxes")
struct BoxTreeTests {
  typealias B = BoxBuilder

  /// Nodes by path.
  private func flatten(_ nodes: [ContainerNode], _ path: String = "") -> [(String, ContainerNode)] {
    nodes.flatMap { node in
      [(path + node.name, node)] + flatten(node.children, path + node.name + "/")
    }
  }

  private func text(_ node: ContainerNode, _ name: String) -> String {
    switch node.fields.first(where: { $0.name == name })?.value {
    case .integer(let value): "\(value)"
    case .text(let text): text
    case .list(let list): "\(list.count)"
    case .table(_, let rows):
      rows.map { $0.map { "\($0)" }.joined(separator: ",") }.joined(separator: " ")
    case nil: "none"
    }
  }

  /// A file with one of each box that a fragmented file may have, and a few of a movie's.
  private var file: [UInt8] {
    var track = MovieTrack(samples: [[1], [2]])
    track.tableBoxes =
      B.fullBox("cslg", B.i32(-40), B.i32(-40), B.i32(80), B.u32(0), B.u32(120))
      + B.fullBox("sdtp", [0x18, 0x20])
      + B.fullBox("sgpd", version: 1, B.code("roll"), B.u32(2), B.u32(1), [0xFF, 0xFE])
      + B.fullBox("sbgp", B.code("roll"), B.u32(1), B.u32(2), B.u32(1))
    var builder = MovieBuilder([track])
    builder.movieBoxes =
      B.box(
        "mvex", B.fullBox("mehd", B.u32(4000)),
        B.fullBox("trex", B.u32(1), B.u32(1), B.u32(40), B.u32(1), B.u32(0)))
      + B.fullBox("pssh", version: 1, [UInt8](0...15), B.u32(1), [UInt8](16...31), B.u32(0))
    let moof = B.box(
      "moof", B.fullBox("mfhd", B.u32(7)),
      B.box(
        "traf", B.fullBox("tfhd", flags: 0x20000, B.u32(1)),
        B.fullBox("tfdt", version: 1, B.u64(80)),
        B.fullBox("trun", version: 1, flags: 0x801, B.u32(1), B.i32(60), B.i32(-40))))
    return builder.file()
      + B.box("styp", B.code("msdh"), B.u32(0), B.code("msix"))
      + B.fullBox(
        "sidx", B.u32(1), B.u32(1000), B.u32(0), B.u32(0), B.u16(0), B.u16(1),
        B.u32(0x8000_0064), B.u32(2000), B.u32(0x9000_0000))
      + B.fullBox("prft", version: 1, B.u32(1), B.u64(5), B.u64(6))
      + B.fullBox(
        "emsg", version: 1, B.u32(1000), B.u64(80), B.u32(10), B.u32(3), B.code("urn:x"), [0],
        B.code("v"), [0], [1, 2])
      + moof + B.box("mdat", [9])
      + B.box(
        "mfra", B.fullBox("tfra", B.u32(1), B.u32(0), B.u32(1), B.u32(80), B.u32(900), [1, 1, 1]),
        B.fullBox("mfro", B.u32(0)))
  }

  @Test("has every box with its fields under the standard's names")
  func fields() throws {
    let nodes = flatten(try ISOBMFFDemuxer.describe(MemorySource(file)))
    for (path, node) in nodes {
      #expect(node.fault == nil, "\(path): \(node.fault?.description ?? "")")
    }
    func node(_ path: String) throws -> ContainerNode {
      try #require(nodes.first { $0.0 == path }?.1, "\(path)")
    }
    let expected = [
      ("moov/mvex/mehd", "fragment_duration", "4000"), ("moov/mvex/trex", "track_ID", "1"),
      ("moov/pssh", "SystemID", "000102030405060708090a0b0c0d0e0f"), ("moov/pssh", "KID", "1"),
      ("moov/trak/mdia/minf/stbl/cslg", "compositionToDTSShift", "-40"),
      ("moov/trak/mdia/minf/stbl/cslg", "greatestDecodeToDisplayDelta", "80"),
      ("moov/trak/mdia/minf/stbl/sgpd", "grouping_type", "roll"),
      ("moov/trak/mdia/minf/stbl/sbgp", "entries", "2,1"),
      ("moov/trak/mdia/minf/stbl/stts", "entries", "2,40"), ("styp", "major_brand", "msdh"),
      ("sidx", "timescale", "1000"), ("moof/mfhd", "sequence_number", "7"),
      ("moof/traf/tfdt", "baseMediaDecodeTime", "80"), ("moof/traf/trun", "sample_count", "1"),
      ("mfra/tfra", "track_ID", "1"), ("emsg", "scheme_id_uri", "urn:x"),
      ("prft", "reference_track_ID", "1"),
    ]
    for (path, name, value) in expected {
      #expect(text(try node(path), name) == value, "\(path) \(name)")
    }
  }

  @Test("says where a box is cut, and the rule that it breaks")
  func faults() throws {
    let whole = file
    let cut = try ISOBMFFDemuxer.describe(MemorySource(Array(whole.dropLast(10))))
    #expect(cut.last?.name == "mfra")
    #expect(cut.last?.firstFault?.family == .needsMoreData)
    var bytes = whole
    let place = try #require(bytes.firstRange(of: B.code("stts"))?.lowerBound)
    bytes.replaceSubrange(place - 4..<place, with: B.u32(4))
    let nodes = try ISOBMFFDemuxer.describe(MemorySource(bytes))
    let fault = try #require(nodes.first { $0.name == "moov" }?.firstFault)
    #expect(fault.rule == .boxSize)
    #expect(fault.description.contains("moov/trak"))
    #expect(nodes.contains { $0.name == "mfra" && $0.firstFault == nil })
  }

  @Test("of damaged files never traps", arguments: 0..<300)
  func damage(seed: UInt64) throws {
    let bytes = Damage.apply(to: file, seed: seed)
    #expect(flatten(try ISOBMFFDemuxer.describe(MemorySource(bytes))).count <= bytes.count)
  }
}
