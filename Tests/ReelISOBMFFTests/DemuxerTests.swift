import ReelCore
import ReelTestSupport
import Testing

@testable import ReelISOBMFF

@Suite("Demuxing files in all their shapes")
struct DemuxerTests {
  typealias B = BoxBuilder

  /// Two tracks whose samples say which they are.
  static func tracks(sampleCount: Int = 9) -> [MovieTrack] {
    var video = MovieTrack(
      samples: (0..<sampleCount).map { [UInt8](repeating: UInt8($0), count: 3 + $0) })
    video.offsets = (0..<sampleCount).map { Int32($0 % 3) * 40 }
    video.syncSamples = [0, 4]
    var audio = MovieTrack(
      samples: (0..<sampleCount * 2).map { [UInt8](repeating: UInt8(100 + $0), count: 5) },
      duration: 20)
    (audio.handler, audio.sampleEntry) = ("soun", "mp4a")
    audio.samplesPerChunk = 4
    return [video, audio]
  }

  static func open(_ bytes: [UInt8], strictness: Strictness = .lenient) throws(MediaError)
    -> ISOBMFFDemuxer
  {
    try ISOBMFFDemuxer(source: MemorySource(bytes), strictness: strictness)
  }

  private func packets(_ demuxer: ISOBMFFDemuxer, _ index: Int) throws -> [Packet] {
    let reader = try demuxer.makePacketReader(trackIndices: [index])
    var packets: [Packet] = []
    while let packet = try reader.next() { packets.append(packet) }
    return packets
  }

  @Test("samples that lie in another file are listed, and not read from this one (dref)")
  func externalData() throws {
    var bytes = MovieBuilder(Self.tracks()).file()
    let place = try #require(bytes.firstRange(of: B.code("url "))?.lowerBound)
    // Without the flag, but without a location as well: this file is meant.
    bytes[place + 7] = 0
    #expect(try packets(Self.open(bytes), 0).count == 9)
    bytes.replaceSubrange(place..<place + 4, with: B.code("alis"))
    let demuxer = try Self.open(bytes)
    let reader = try demuxer.makePacketReader(trackIndices: [0])
    let error = #expect(throws: MediaError.self) { try reader.next() }
    #expect(error?.family == .unsupported && error?.rule == .externalData)
    #expect(try reader.nextHeader()?.byteCount == 3)
    // The other track has a reference of its own.
    #expect(try packets(demuxer, 1).count == 18)
  }

  private func check(_ bytes: [UInt8], _ tracks: [MovieTrack]) throws {
    #expect(ISOBMFFDemuxer.probe(Array(bytes.prefix(64))))
    let demuxer = try Self.open(bytes, strictness: .strict)
    #expect(demuxer.warnings.isEmpty)
    #expect(demuxer.tracks.count == tracks.count)
    for (index, track) in tracks.enumerated() {
      let packets = try packets(demuxer, index)
      #expect(packets.map(\.data) == track.samples)
      var time: Int64 = 0
      for (number, packet) in packets.enumerated() {
        #expect(packet.number == number)
        #expect(packet.decodeTicks == time)
        #expect(packet.durationTicks == Int64(track.durations[number]))
        let offset = track.offsets.isEmpty ? 0 : Int64(track.offsets[number])
        #expect(packet.presentationTicks == time + offset)
        #expect(packet.isSync == (track.syncSamples?.contains(number) ?? true))
        let start = Int(packet.position)
        #expect(Array(bytes[start..<start + packet.data.count]) == packet.data)
        time += Int64(track.durations[number])
      }
    }
  }

  @Test("movie box before or after the media, offsets of 32 and 64 bits, headers of both versions")
  func shapes() throws {
    for isFastStart in [true, false] {
      for usesLargeOffsets in [true, false] {
        for usesVersion1 in [true, false] {
          var builder = MovieBuilder(Self.tracks())
          builder.isFastStart = isFastStart
          builder.usesLargeOffsets = usesLargeOffsets
          builder.usesVersion1 = usesVersion1
          try check(builder.file(), builder.tracks)
        }
      }
    }
  }

  @Test("sizes of 32 and 64 bits and to the end of the file")
  func mediaSizes() throws {
    var builder = MovieBuilder(Self.tracks())
    builder.mediaBox = { BoxBuilder.largeBox($0, $1) }
    try check(builder.file(), builder.tracks)
    builder.mediaBox = { BoxBuilder.endlessBox($0, $1) }
    try check(builder.file(), builder.tracks)
  }

  @Test("compact sizes", arguments: [4, 8, 16])
  func compactSizes(bits: Int) throws {
    var builder = MovieBuilder(Self.tracks())
    builder.compactSizeBits = bits
    try check(builder.file(), builder.tracks)
  }

  @Test("negative composition offsets")
  func negativeOffsets() throws {
    var builder = MovieBuilder(Self.tracks())
    builder.tracks[0].offsets = [0, 40, -40, 0, 80, -40, -40, 0, 0]
    try check(builder.file(), builder.tracks)
  }

  @Test("boxes that nobody knows are skipped")
  func unknownBoxes() throws {
    var builder = MovieBuilder(Self.tracks())
    builder.extraBoxes =
      B.box("abcd", B.zeros(100)) + B.box("free") + B.largeBox("wxyz", B.zeros(7))
      + B.box("uuid", B.zeros(16), B.zeros(3))
    try check(builder.file(), builder.tracks)
  }

  @Test("edits, language and handler come through")
  func details() throws {
    var builder = MovieBuilder(Self.tracks())
    for usesVersion1 in [false, true] {
      builder.usesVersion1 = usesVersion1
      builder.tracks[0].edits = [(500, -1, 0x10000), (200, 80, 0x10000), (100, 0, 0x8000)]
      let demuxer = try Self.open(builder.file())
      let track = demuxer.tracks[0]
      #expect(track.edits.map(\.mediaStart) == [nil, 80, 0])
      #expect(track.edits.map(\.rate) == [0x10000, 0x10000, 0x8000])
      #expect(track.edits.map(\.duration.value) == [500, 200, 100])
      #expect(track.duration == MediaTime(value: 800, timescale: 1000))
      #expect(demuxer.tracks[1].duration == MediaTime(value: 360, timescale: 1000))
      #expect(demuxer.duration == MediaTime(value: 800, timescale: 1000))
      #expect(track.kind == .video && demuxer.tracks[1].kind == .audio)
      #expect(track.codec == .h264 && demuxer.tracks[1].codec == .aac)
      #expect(track.sampleCount == 9)
    }
  }

  @Test("several tracks come in file order, a chunk at a time")
  func fileOrder() throws {
    let demuxer = try Self.open(MovieBuilder(Self.tracks()).file())
    let reader = try demuxer.makePacketReader(trackIndices: [0, 1])
    var positions: [Int64] = []
    while let packet = try reader.next() { positions.append(packet.position) }
    #expect(positions.count == 27)
    #expect(positions == positions.sorted())
  }

  @Test("seeking goes to the sync sample before, for the other tracks to the same time")
  func seeking() throws {
    let demuxer = try Self.open(MovieBuilder(Self.tracks()).file())
    let reader = try demuxer.makePacketReader(trackIndices: [0, 1])
    try reader.seek(trackIndex: 0, toSyncAtOrBefore: 250)
    var first: [Int: Int] = [:]
    while let packet = try reader.next() {
      first[packet.trackIndex] = first[packet.trackIndex] ?? packet.number
    }
    // Sample 4 is decoded at 160 and presented at 200.
    #expect(first[0] == 4)
    #expect(first[1] == 10)
    try reader.seek(trackIndex: 0, toSyncAtOrBefore: -1000)
    #expect(try reader.next()?.number == 0)
    try reader.seek(trackIndex: 0, toSyncAtOrBefore: .max)
    #expect(try reader.next() != nil)
  }

  @Test("every prefix of a file throws or ends at a boundary", arguments: [true, false])
  func prefixes(isFastStart: Bool) throws {
    var builder = MovieBuilder(Self.tracks(sampleCount: 4))
    builder.isFastStart = isFastStart
    let bytes = builder.file()
    let whole = DemuxerTrace { () throws(MediaError) in try Self.open(bytes) }
    #expect(whole.fault == nil)
    for count in 0..<bytes.count {
      let prefix = Array(bytes.prefix(count))
      let trace = DemuxerTrace { () throws(MediaError) in try Self.open(prefix) }
      let fault = try #require(trace.fault, "a prefix of \(count) bytes reads to an end")
      #expect(fault.family == .needsMoreData || fault.rule == .movieMissing, "\(count): \(fault)")
      #expect(trace.entries == Array(whole.entries.prefix(trace.entries.count)))
    }
  }

  @Test("sources that give parts, fail first or hide their length change nothing")
  func faultySources() throws {
    let bytes = MovieBuilder(Self.tracks()).file()
    let whole = DemuxerTrace { () throws(MediaError) in try Self.open(bytes) }
    for faults in FaultyByteSource.Faults.all {
      let source = FaultyByteSource(bytes, faults, seed: 5)
      let trace = DemuxerTrace { () throws(MediaError) in
        try ISOBMFFDemuxer(source: source)
      }
      #expect(trace == whole, "\(faults)")
    }
  }

  @Test("sound in moments is gathered into packets within its chunks")
  func uncompressedSound() throws {
    var track = MovieTrack(samples: [UInt8](repeating: 1, count: 5000).map { [$0, 2, 3, 4] })
    (track.handler, track.sampleEntry, track.timescale) = ("soun", "twos", 48_000)
    track.durations = [UInt32](repeating: 1, count: 5000)
    track.samplesPerChunk = 2500
    var bytes = MovieBuilder([track]).file()
    // A constant size in place of the table.
    let table = B.u32(0) + B.u32(5000) + B.u32(4)
    let place = try #require(bytes.firstRange(of: table))
    bytes.replaceSubrange(place.lowerBound..<place.lowerBound + 4, with: B.u32(4))
    let demuxer = try Self.open(bytes)
    let packets = try packets(demuxer, 0)
    #expect(packets.map(\.data.count) == [4096, 4096, 1808, 4096, 4096, 1808])
    #expect(packets.map(\.decodeTicks) == [0, 1024, 2048, 2500, 3524, 4548])
    #expect(demuxer.tracks[0].declaredSampleCount == 5000)
    #expect(demuxer.tracks[0].codec == "pcm_s16be")
  }

  @Test("a file of another format is not one of ours")
  func probing() {
    #expect(!ISOBMFFDemuxer.probe([]))
    #expect(!ISOBMFFDemuxer.probe(Array("RIFF....WAVEfmt ".utf8)))
    #expect(!ISOBMFFDemuxer.probe([0, 0, 0, 1, 0x67, 66, 0, 30, 1, 2, 3, 4]))
    #expect(!ISOBMFFDemuxer.probe([0x1A, 0x45, 0xDF, 0xA3, 1, 0, 0, 0, 0, 0, 0, 31]))
    #expect(ISOBMFFDemuxer.probe(B.box("free", B.zeros(4)) + B.box("ftyp", B.zeros(8))))
    #expect(ISOBMFFDemuxer.probe(B.box("styp", B.zeros(8))))
  }
}
