import ReelCore
import ReelTestSupport
import Testing

@testable import ReelISOBMFF

@Suite("Movie fragments")
struct FragmentTests {
  typealias B = BoxBuilder

  /// An initialization segment with one video track whose defaults are 40 ticks and 5 bytes.
  private static func initialization(edit: [UInt8] = [], defaultSize: UInt32 = 5) -> [UInt8] {
    let identity = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x4000_0000].flatMap { B.u32($0) }
    let stbl = B.box(
      "stbl", MovieBuilder.stsd(MovieTrack(samples: [])), B.fullBox("stts", B.u32(0)),
      B.fullBox("stsc", B.u32(0)), B.fullBox("stsz", B.u32(0), B.u32(0)),
      B.fullBox("stco", B.u32(0)))
    let mdia = B.box(
      "mdia", B.fullBox("mdhd", B.zeros(8), B.u32(1000), B.u32(0), B.u16(0x55C4), B.u16(0)),
      B.fullBox("hdlr", B.zeros(4), B.code("vide"), B.zeros(12), [0]), B.box("minf", stbl))
    let trak = B.box(
      "trak",
      B.fullBox(
        "tkhd", flags: 3, B.zeros(8), B.u32(1), B.zeros(4), B.u32(0), B.zeros(16), identity,
        B.zeros(8)), edit, mdia)
    let mvex = B.box(
      "mvex", B.fullBox("trex", B.u32(1), B.u32(1), B.u32(40), B.u32(defaultSize), B.u32(0x10000)))
    return B.box("ftyp", B.code("iso6"), B.u32(0))
      + B.box(
        "moov",
        B.fullBox("mvhd", B.zeros(8), B.u32(1000), B.u32(0), B.zeros(80)), trak, mvex)
  }

  /// A fragment of samples of 5 bytes, each filled with its number.
  private static func fragment(
    _ numbers: Range<Int>, time: UInt32?, flags: UInt32 = 0x20000, base: [UInt8] = [],
    runFlags: UInt32 = 5, table: [UInt8] = [], extra: [UInt8] = []
  ) -> [UInt8] {
    let media = numbers.flatMap { [UInt8](repeating: UInt8($0), count: 5) }
    let tfdt = time.map { B.fullBox("tfdt", B.u32($0)) } ?? []
    func moof(_ offset: UInt32) -> [UInt8] {
      B.box(
        "moof", B.fullBox("mfhd", B.u32(1)),
        B.box(
          "traf", B.fullBox("tfhd", flags: flags, B.u32(1), base), tfdt,
          B.fullBox(
            "trun", flags: runFlags, B.u32(UInt32(numbers.count)), B.u32(offset),
            runFlags & 4 != 0 ? B.u32(0x0200_0000) : [], table), extra))
    }
    return moof(UInt32(moof(0).count + 8)) + B.box("mdat", media)
  }

  private func packets(_ demuxer: ISOBMFFDemuxer) throws -> [Packet] {
    let reader = try demuxer.makePacketReader(trackIndices: [0])
    var packets: [Packet] = []
    while let packet = try reader.next() { packets.append(packet) }
    return packets
  }

  private func check(_ packets: [Packet], times: [Int64], syncs: [Int]) {
    #expect(packets.map { $0.data.first.map(Int.init) } == Array(0..<times.count))
    #expect(packets.allSatisfy { $0.data.count == 5 })
    #expect(packets.map(\.decodeTicks) == times)
    #expect(packets.filter(\.isSync).map(\.number) == syncs)
  }

  @Test("defaults, first sample flags and offsets from the fragment itself")
  func defaults() throws {
    let bytes =
      Self.initialization() + Self.fragment(0..<3, time: 0) + Self.fragment(3..<6, time: 120)
    let demuxer = try ISOBMFFDemuxer(source: MemorySource(bytes), strictness: .strict)
    #expect(demuxer.fragmentCount == 2)
    #expect(demuxer.tracks[0].sampleCount == 6)
    #expect(demuxer.duration == MediaTime(value: 240, timescale: 1000))
    check(try packets(demuxer), times: [0, 40, 80, 120, 160, 200], syncs: [0, 3])
  }

  @Test("decoding times may leave gaps and begin anywhere")
  func gaps() throws {
    let bytes =
      Self.initialization() + Self.fragment(0..<2, time: 5000) + Self.fragment(2..<4, time: 9000)
      + Self.fragment(4..<5, time: nil)
    let demuxer = try ISOBMFFDemuxer(source: MemorySource(bytes))
    check(try packets(demuxer), times: [5000, 5040, 9000, 9040, 9080], syncs: [0, 2, 4])
    let reader = try demuxer.makePacketReader(trackIndices: [0])
    for (ticks, number) in [(0, 0), (5039, 0), (8999, 0), (9000, 2), (9079, 2), (9080, 4)] {
      try reader.seek(trackIndex: 0, toSyncAtOrBefore: Int64(ticks))
      #expect(try reader.next()?.number == number, "at \(ticks)")
    }
  }

  @Test("data may count from an offset of the file, or from the fragment by default")
  func baseOffsets() throws {
    let head = Self.initialization()
    let absolute = Self.fragment(
      0..<2, time: 0, flags: 0x01, base: B.u64(UInt64(head.count)))
    let implicit = Self.fragment(2..<4, time: 80, flags: 0)
    let demuxer = try ISOBMFFDemuxer(source: MemorySource(head + absolute + implicit))
    check(try packets(demuxer), times: [0, 40, 80, 120], syncs: [0, 2])
  }

  @Test("a run's own durations, sizes, flags and composition offsets")
  func ownValues() throws {
    let rows = [(10, 5, 0x0200_0000, 20), (30, 5, 0x0101_0000, -10), (20, 5, 0x0001_0000, 0)]
    let table = rows.flatMap {
      B.u32(UInt32($0.0)) + B.u32(UInt32($0.1)) + B.u32(UInt32($0.2)) + B.i32(Int32($0.3))
    }
    let bytes =
      Self.initialization()
      + Self.fragment(0..<3, time: 100, runFlags: 0xF01, table: table)
    let packets = try packets(ISOBMFFDemuxer(source: MemorySource(bytes)))
    check(packets, times: [100, 110, 140], syncs: [0])
    #expect(packets.map(\.presentationTicks) == [120, 100, 140])
    #expect(packets.map(\.durationTicks) == [10, 30, 20])
  }

  @Test("media segments are read with the initialization segment given apart")
  func segmentsApart() throws {
    let segment = B.box("styp", B.code("msdh"), B.u32(0)) + Self.fragment(0..<3, time: 777)
    let demuxer = try ISOBMFFDemuxer(
      source: MemorySource(segment), initialization: MemorySource(Self.initialization()))
    check(try packets(demuxer), times: [777, 817, 857], syncs: [0])
    do {
      _ = try ISOBMFFDemuxer(source: MemorySource(segment))
      Issue.record("a segment opened without its initialization")
    } catch {
      #expect(error.rule == .movieMissing)
      #expect(error.description.contains("initialization segment"))
    }
  }

  @Test("an edit of length 0 shows the media from its time to the end")
  func openEdit() throws {
    let edit = B.box("edts", B.fullBox("elst", B.u32(1), B.u32(0), B.u32(40), B.u32(0x10000)))
    let bytes = Self.initialization(edit: edit) + Self.fragment(0..<3, time: 0)
    let demuxer = try ISOBMFFDemuxer(source: MemorySource(bytes))
    #expect(demuxer.tracks[0].edits.map(\.mediaStart) == [40])
    #expect(demuxer.tracks[0].duration == MediaTime(value: 80, timescale: 1000))
  }

  @Test("a fragment that is cut costs its own samples, not those before it")
  func cutFragment() throws {
    let first = Self.initialization() + Self.fragment(0..<3, time: 0)
    let whole = first + Self.fragment(3..<6, time: 120)
    for count in first.count..<whole.count {
      let prefix = Array(whole.prefix(count))
      let trace = DemuxerTrace { () throws(MediaError) in
        try ISOBMFFDemuxer(source: MemorySource(prefix))
      }
      #expect(trace.entries.count >= 3)
      #expect(trace.fault == nil || trace.fault?.family == .needsMoreData)
    }
  }

  @Test("event messages of both versions")
  func events() throws {
    let version0 = B.fullBox(
      "emsg", B.code("urn:x"), [0], B.code("v"), [0], B.u32(1000), B.u32(5), B.u32(7), B.u32(1),
      [9, 9])
    let version1 = B.fullBox(
      "emsg", version: 1, B.u32(90_000), B.u64(1 << 40), B.u32(.max), B.u32(2), B.code("urn:y"),
      [0], [0])
    let bytes = Self.initialization() + version0 + Self.fragment(0..<1, time: 0) + version1
    let events = try ISOBMFFDemuxer(source: MemorySource(bytes)).eventMessages
    #expect(events.map(\.schemeIDURI) == ["urn:x", "urn:y"])
    #expect(events.map(\.time) == [5, 1 << 40])
    #expect(events.map(\.isTimeOfSegment) == [true, false])
    #expect(events.map(\.duration) == [7, nil])
    #expect(events[0].data == [9, 9])
  }

  @Test("sources that give parts, fail first or hide their length change nothing")
  func faultySources() throws {
    let bytes =
      Self.initialization() + Self.fragment(0..<3, time: 0) + Self.fragment(3..<6, time: 500)
    let clean = DemuxerTrace { () throws(MediaError) in
      try ISOBMFFDemuxer(source: MemorySource(bytes))
    }
    #expect(clean.entries.count == 6 && clean.fault == nil)
    for faults in FaultyByteSource.Faults.all {
      let source = FaultyByteSource(bytes, faults, seed: 9)
      let trace = DemuxerTrace { () throws(MediaError) in try ISOBMFFDemuxer(source: source) }
      #expect(trace == clean, "\(faults)")
    }
  }

  /// Fragments of `length` samples each, with every field of the run's table in use.
  private static func fragments(_ count: Int, of length: Int) -> [UInt8] {
    var bytes = initialization()
    for k in 0..<count {
      var table: [UInt8] = []
      for i in 0..<length {
        table += B.u32(39 + UInt32(i & 1))
        table += B.u32(UInt32(i % 97))
        table += B.u32(i == 0 ? 0 : 0x10000)
        table += B.i32(Int32(i % 3) * 40)
      }
      bytes += B.box(
        "moof", B.fullBox("mfhd", B.u32(UInt32(k))),
        B.box(
          "traf", B.fullBox("tfhd", flags: 0x20000, B.u32(1)),
          B.fullBox("tfdt", B.u32(UInt32(k * length) * 40)),
          B.fullBox("trun", flags: 0xF01, B.u32(UInt32(length)), B.u32(0), table)))
    }
    return bytes
  }

  @Test("sixteen bytes a sample stay in memory of a million in fragments")
  func million() throws {
    let bytes = Self.fragments(1_000, of: 1_000)
    let demuxer = try ISOBMFFDemuxer(source: MemorySource(bytes))
    #expect(demuxer.tracks[0].sampleCount == 1_000_000)
    #expect(demuxer.tables[0].byteCount <= 16 * 1_000_000)
  }

  @Test("many fragments are no attack: their boxes do not count against the limit")
  func manyFragments() throws {
    var limits = Limits.standard
    limits.maximumBoxes = 1_000
    let bytes = Self.fragments(20_000, of: 2)
    let cost = try ProcessorTime.cost {
      let demuxer = try ISOBMFFDemuxer(source: MemorySource(bytes), limits: limits)
      #expect(demuxer.tracks[0].sampleCount == 40_000)
    }
    // Tables that were copied for each fragment took minutes; otherwise this is a tenth of a second.
    #expect(cost < .seconds(2))
  }

  @Test("fragments without samples count against the limit of boxes")
  func emptyFragments() throws {
    var limits = Limits.standard
    limits.maximumBoxes = 1_000
    let empty = (0..<500).flatMap { _ in B.box("moof", B.fullBox("mfhd", B.u32(1))) }
    let crowded = B.box(
      "moof", (0..<2_000).flatMap { _ in B.box("free") },
      B.box(
        "traf", B.fullBox("tfhd", flags: 0x20000, B.u32(1)),
        B.fullBox("trun", flags: 1, B.u32(1), B.u32(0))))
    for bytes in [empty, crowded] {
      do {
        _ = try ISOBMFFDemuxer(
          source: MemorySource(Self.initialization() + bytes), limits: limits)
        Issue.record("opened")
      } catch {
        #expect(error.rule == .boxCount)
      }
    }
  }
}
