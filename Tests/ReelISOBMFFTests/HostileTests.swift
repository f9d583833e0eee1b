import ReelCore
import ReelTestSupport
import Testing

@testable import ReelISOBMFF

/// Every class of attack on box structures has a bound, and a test that reaches it.
@Suite("Hostile ISO base media files")
struct HostileTests {
  typealias B = BoxBuilder

  private func failure(
    _ bytes: [UInt8], limits: Limits = .standard, strictness: Strictness = .lenient
  ) -> MediaError? {
    do {
      _ = try ISOBMFFDemuxer(
        source: MemorySource(bytes), limits: limits, strictness: strictness)
      return nil
    } catch {
      return error
    }
  }

  private var file: [UInt8] { MovieBuilder(DemuxerTests.tracks()).file() }

  /// The file with the first box of a type replaced.
  private func replacing(_ type: String, by change: (inout [UInt8], Int) -> Void) throws -> [UInt8]
  {
    var bytes = file
    let place = try #require(bytes.firstRange(of: B.code(type)))
    change(&bytes, place.lowerBound - 4)
    return bytes
  }

  @Test("a size smaller than the header ends the level", arguments: [2, 7] as [UInt32])
  func smallSizes(size: UInt32) throws {
    let bytes = try replacing("trak") { $0.replaceSubrange($1..<$1 + 4, with: B.u32(size)) }
    #expect(failure(bytes, strictness: .standard)?.rule == .boxSize)
    let demuxer = try DemuxerTests.open(bytes)
    #expect(demuxer.tracks.isEmpty)
    #expect(demuxer.warnings.contains { $0.rule == .boxSize })
    let top = B.u32(size) + B.code("ftyp") + file
    #expect(failure(top)?.rule == .boxSize)
  }

  @Test("a 64-bit size smaller than the header, or larger than the file")
  func largeSizes() {
    let head = B.box("ftyp", B.zeros(8)) + B.u32(1) + B.code("moov")
    #expect(failure(head + B.u64(15) + B.zeros(16))?.rule == .boxSize)
    #expect(failure(head + B.u64(1 << 62) + B.zeros(16))?.family == .limitExceeded)
    #expect(failure(head + B.u64(.max) + B.zeros(16))?.family == .limitExceeded)
    #expect(failure(head + B.u64(1 << 20) + B.zeros(16))?.rule == .boxTruncated)
  }

  @Test("size 0 below the top level goes to the parent's end, and is an error when standard")
  func zeroSize() throws {
    let bytes = try replacing("trak") { $0.replaceSubrange($1..<$1 + 4, with: B.u32(0)) }
    #expect(failure(bytes, strictness: .standard)?.rule == .boxSizeZero)
    #expect(try DemuxerTests.open(bytes).warnings.contains { $0.rule == .boxSizeZero })
  }

  @Test("nesting is bounded")
  func nesting() {
    var inner: [UInt8] = []
    for _ in 0..<100 { inner = B.box("wave", inner) }
    var track = MovieTrack(samples: [[1]])
    (track.handler, track.sampleEntry) = ("soun", "mp4a")
    var bytes = MovieBuilder([track]).file()
    let entry = bytes.firstRange(of: B.code("mp4a"))?.lowerBound ?? 0
    // The nested boxes go behind the fixed part of the sound entry, and every size around grows.
    bytes.insert(contentsOf: inner, at: entry + 4 + 28)
    for type in ["moov", "trak", "mdia", "minf", "stbl", "stsd", "mp4a"] {
      guard let place = bytes.firstRange(of: B.code(type))?.lowerBound else { continue }
      let size = bytes[place - 4..<place].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      bytes.replaceSubrange(place - 4..<place, with: B.u32(size + UInt32(inner.count)))
    }
    #expect(failure(bytes)?.rule == .boxNesting)
  }

  @Test("the number of boxes is bounded")
  func boxCount() {
    let many = (0..<2000).flatMap { _ in B.box("free") }
    var limits = Limits.standard
    limits.maximumBoxes = 1000
    #expect(failure(many + file, limits: limits)?.rule == .boxCount)
    #expect(failure(B.box("moov", many), limits: limits)?.rule == .boxCount)
  }

  @Test(
    "a count larger than the payload sizes nothing",
    arguments: ["stts", "stsz", "stsc", "stco", "ctts", "stss"])
  func counts(type: String) throws {
    let field = type == "stsz" ? 16 : 12
    let bytes = try replacing(type) {
      $0.replaceSubrange($1 + field..<$1 + field + 4, with: B.u32(.max))
    }
    #expect(failure(bytes, strictness: .standard)?.rule == .tableLength)
    let demuxer = try DemuxerTests.open(bytes)
    #expect(demuxer.warnings.contains { $0.rule == .tableLength })
    #expect(demuxer.tracks.map(\.sampleCount) == [9, 18])
  }

  @Test("a run of four thousand million samples of one size is cut to what the file can hold")
  func constantSize() throws {
    let bytes = try replacing("stsz") {
      $0.replaceSubrange($1 + 12..<$1 + 16, with: B.u32(1))
      $0.replaceSubrange($1 + 16..<$1 + 20, with: B.u32(.max))
    }
    var limits = Limits.standard
    limits.maximumSamplesPerTrack = 1 << 32
    #expect(failure(bytes, limits: limits) == nil)
    let demuxer = try DemuxerTests.open(bytes)
    #expect((demuxer.tracks[0].sampleCount ?? .max) <= bytes.count)
  }

  @Test("samples beyond the limit are refused")
  func sampleLimit() {
    var limits = Limits.standard
    limits.maximumSamplesPerTrack = 8
    #expect(failure(file, limits: limits)?.rule == .sampleCountLimit)
  }

  @Test("a fragment of samples that take no bytes is bounded by the file")
  func emptyRuns() throws {
    var moof = B.fullBox("mfhd", B.u32(1))
    for _ in 0..<4 {
      moof += B.box(
        "traf", B.fullBox("tfhd", flags: 0x20010, B.u32(1), B.u32(0)),
        B.fullBox("trun", B.u32(16 << 20)))
    }
    let mvex = B.box(
      "mvex", B.fullBox("trex", B.u32(1), B.u32(1), B.u32(1), B.u32(0), B.u32(0)))
    var bytes = MovieBuilder([DemuxerTests.tracks()[0]]).file()
    let place = try #require(bytes.firstRange(of: B.code("moov"))?.lowerBound)
    let size = bytes[place - 4..<place].reduce(0) { $0 << 8 | Int($1) }
    bytes.insert(contentsOf: mvex, at: place - 4 + size)
    bytes.replaceSubrange(place - 4..<place, with: B.u32(UInt32(size + mvex.count)))
    bytes += B.box("moof", moof)
    // The first run reaches the limit of samples; lenient reading goes on with what there is.
    let result = failure(bytes)
    #expect(result == nil || result?.family == .limitExceeded)
  }

  @Test("tracks are bounded")
  func trackLimit() {
    var limits = Limits.standard
    limits.maximumTracks = 1
    #expect(failure(file, limits: limits)?.rule == .trackCount)
  }

  @Test("metadata is bounded")
  func metadataLimit() {
    var limits = Limits.standard
    limits.maximumMetadataBytes = 100
    #expect(failure(file, limits: limits)?.rule == .metadataBytes)
  }

  @Test("a packet is bounded")
  func packetLimit() throws {
    var limits = Limits.standard
    limits.maximumPacketBytes = 4
    let demuxer = try ISOBMFFDemuxer(source: MemorySource(file), limits: limits)
    let reader = try demuxer.makePacketReader(trackIndices: [0])
    #expect(throws: MediaError.self) { while try reader.next() != nil {} }
  }

  @Test("offsets beyond the file and beyond 63 bits are told when the sample is read")
  func offsets() throws {
    for offset in [UInt64(1) << 40, .max, UInt64(Int64.max)] {
      var builder = MovieBuilder(DemuxerTests.tracks())
      builder.usesLargeOffsets = true
      var bytes = builder.file()
      let place = try #require(bytes.firstRange(of: B.code("co64"))?.lowerBound)
      bytes.replaceSubrange(place + 12..<place + 20, with: B.u64(offset))
      let reader = try DemuxerTests.open(bytes).makePacketReader(trackIndices: [0])
      do {
        while try reader.next() != nil {}
        Issue.record("a sample at \(offset) was read")
      } catch {
        #expect(error.rule == .samplePosition)
      }
    }
  }

  @Test("samples that overlap are each read from where they are said to be")
  func overlap() throws {
    var bytes = MovieBuilder([MovieTrack(samples: (0..<5).map { [UInt8($0), 7, 8] })]).file()
    let place = try #require(bytes.firstRange(of: B.code("stco"))?.lowerBound)
    let first = Array(bytes[place + 12..<place + 16])
    for i in 1..<5 { bytes.replaceSubrange(place + 12 + i * 4..<place + 16 + i * 4, with: first) }
    let demuxer = try DemuxerTests.open(bytes)
    let reader = try demuxer.makePacketReader(trackIndices: [0])
    var packets: [Packet] = []
    while let packet = try reader.next() { packets.append(packet) }
    #expect(packets.map(\.data) == [[UInt8]](repeating: [0, 7, 8], count: 5))
    #expect(packets.map(\.number) == Array(0..<5))
  }

  @Test("a timescale of 0 or above 31 bits", arguments: [0, 0x8000_0000, .max] as [UInt32])
  func timescales(value: UInt32) throws {
    let bytes = try replacing("mdhd") {
      $0.replaceSubrange($1 + 20..<$1 + 24, with: B.u32(value))
    }
    #expect(failure(bytes, strictness: .standard)?.rule == .timescaleZero)
    #expect(try DemuxerTests.open(bytes).tracks[0].timescale > 0)
  }

  @Test("a box that stands outside of its parent is not read")
  func outOfPlace() throws {
    let stray = B.fullBox("stts", B.u32(1), B.u32(5), B.u32(5)) + B.box("stbl") + B.box("trak")
    let demuxer = try DemuxerTests.open(stray + file)
    #expect(demuxer.tracks.map(\.sampleCount) == [9, 18])
  }

  @Test("damage never traps, and reading it ends")
  func damage() throws {
    #expect(
      try HostileInput.fault(kind: "isobmff", seeds: 1..<6) {
        (bytes) throws(MediaError) in try ISOBMFFDemuxer(source: MemorySource(bytes))
      } == nil)
  }

  @Test("damage to built files never traps", arguments: 1...200)
  func damagedBuilds(seed: UInt64) {
    let bytes = Damage.apply(to: file, seed: seed)
    let trace = DemuxerTrace { () throws(MediaError) in try DemuxerTests.open(bytes) }
    #expect(trace.fault?.family != .usage)
    _ = try? ISOBMFFDemuxer.describe(MemorySource(bytes))
  }

  @Test("a kilobyte is answered at once")
  func kilobyte() throws {
    let costly = try HostileInput.costlyKilobyte(kind: "isobmff") {
      (source) throws(MediaError) in try ISOBMFFDemuxer(source: source)
    }
    #expect(costly == nil)
  }
}
