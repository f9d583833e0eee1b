internal import ReelCore
internal import ReelMPEGTS
internal import ReelTestSupport
internal import Testing

@Suite("Programs of transport streams")
struct TransportTablesTests {
  private func open(
    _ stream: TransportStreamBuilder, limits: Limits = .standard
  ) throws(MediaError) -> TransportStreamDemuxer {
    try TransportStreamDemuxer(source: MemorySource(stream.bytes), limits: limits)
  }

  @Test("are all listed, streams they share once")
  func severalPrograms() throws {
    var stream = TransportStreamBuilder()
    stream.association([(7, 300), (9, 301)])
    stream.map(pid: 300, number: 7, [(0x1B, 256, []), (0x03, 400, [])])
    stream.map(pid: 301, number: 9, [(0x24, 257, []), (0x03, 400, [])])
    let demuxer = try open(stream)
    #expect(demuxer.tracks.map(\.id) == [256, 400, 257])
    #expect(demuxer.programs.map(\.number) == [7, 9])
    #expect(demuxer.programs.map(\.trackIndices) == [[0, 1], [2, 1]])
  }

  @Test("are all listed when the association lies in several sections, maps between them")
  func associationInSections() throws {
    var stream = TransportStreamBuilder()
    for part in 0..<3 {
      stream.association([(part + 1, 4000 + part)], section: (UInt8(part), 2))
      stream.map(pid: 4000 + part, number: part + 1, [(0x1B, 200 + part, [])])
    }
    #expect(try open(stream).programs.map(\.number) == [1, 2, 3])
    // A new version begins anew: sections of the old one do not count for it.
    var changed = TransportStreamBuilder()
    changed.association([(1, 4000)], section: (1, 1))
    changed.map(pid: 4000, number: 1, [(0x1B, 200, [])])
    changed.association([(1, 4000)], version: 1, section: (0, 1))
    changed.association([(2, 4001)], version: 1, section: (1, 1))
    changed.map(pid: 4001, number: 2, [(0x1B, 201, [])])
    #expect(try open(changed).programs.map(\.number) == [1, 2])
  }

  @Test("name their streams by type, registration and descriptor")
  func codecs() throws {
    let registration = { (name: String) -> [UInt8] in [5, 4] + name.utf8 }
    let streams: [(UInt8, [UInt8], CodecID, MediaKind)] = [
      (0x01, [], "mpeg1video", .video), (0x02, [], "mpeg2video", .video),
      (0x10, [], "mpeg4", .video), (0x1B, [], "h264", .video), (0x24, [], "hevc", .video),
      (0x33, [], "vvc", .video), (0x0F, [], "aac", .audio), (0x11, [], "aac", .audio),
      (0x81, [], "ac3", .audio), (0x87, [], "eac3", .audio), (0x15, [], "timed_id3", .metadata),
      (0x86, [], "scte_35", .data), (0x06, registration("AC-3"), "ac3", .audio),
      (0x06, registration("Opus"), "opus", .audio), (0x06, registration("VC-1"), "vc1", .video),
      (0x06, [0x6A, 0], "ac3", .audio), (0x06, [0x7A, 0], "eac3", .audio),
      (0x06, [0x56, 0], "dvb_teletext", .subtitle), (0x06, [0x59, 0], "dvb_subtitle", .subtitle),
      (0x06, [], "bin_data", .data), (0xC8, [], "bin_data", .data),
    ]
    var stream = TransportStreamBuilder()
    stream.association([(1, 4096)])
    stream.map(
      pid: 4096, number: 1,
      streams.enumerated().map { (type: $1.0, pid: 500 + $0, descriptors: $1.1) })
    let tracks = try open(stream).tracks
    #expect(tracks.map(\.codec) == streams.map(\.2))
    #expect(tracks.map(\.kind) == streams.map(\.3))
  }

  @Test("go on under another PID when a new version of the map says so")
  func mapChange() throws {
    var stream = TransportStreamBuilder()
    stream.association([(1, 4096)])
    stream.map(pid: 4096, number: 1, [(0x1B, 256, [])])
    for i in 0..<3 {
      stream.pes(pid: 256, pts: Int64(i) * 3600, Samples.picture(i, isIDR: i == 0))
    }
    stream.map(pid: 4096, number: 1, version: 1, [(0x1B, 700, [])])
    for i in 3..<6 {
      stream.pes(pid: 700, pts: Int64(i) * 3600, Samples.picture(i, isIDR: i == 3))
    }
    let demuxer = try open(stream)
    let packets = try Array(demuxer)
    #expect(demuxer.tracks.count == 1)
    #expect(packets.map(\.presentationTicks) == (0..<6).map { $0 * 3600 })
  }

  @Test("go back to a map that was in force before, beside another program's on the same PID")
  func mapReturns() throws {
    var stream = TransportStreamBuilder()
    stream.association([(1, 4096), (2, 4096)])
    for i in 0..<6 {
      let pid = i / 2 % 2 == 0 ? 256 : 700
      stream.map(pid: 4096, number: 1, version: UInt8(i / 2 % 2), [(0x1B, pid, [])])
      stream.map(pid: 4096, number: 2, [(0x0F, 300, [])])
      stream.pes(pid: pid, pts: Int64(i) * 3600, Samples.picture(i, isIDR: i % 2 == 0))
    }
    let demuxer = try open(stream)
    #expect(demuxer.programs.map(\.trackIndices) == [[0], [1]])
    let reader = try demuxer.makePacketReader(trackIndices: [0])
    var times: [Int64?] = []
    while let packet = try reader.next() { times.append(packet.presentationTicks) }
    #expect(times == (0..<6).map { $0 * 3600 })
  }

  @Test("take names from the service description")
  func serviceNames() throws {
    var stream = TransportStreamBuilder()
    stream.section(
      pid: 0x11, tableID: 0x42, extension: 1,
      [0, 1, 0xFF, 0, 1, 0xFC, 0x80, 13, 0x48, 11, 1, 4] + Array("Reel".utf8) + [4]
        + Array("News".utf8))
    stream.association([(1, 4096)])
    stream.map(pid: 4096, number: 1, [(0x1B, 256, [])])
    #expect(
      try open(stream).tags == [Tag("service_name", "News"), Tag("service_provider", "Reel")])
  }

  @Test("are refused when the checksum of every table is wrong")
  func checksum() {
    var stream = TransportStreamBuilder()
    stream.association([(1, 4096)])
    var broken = TransportStreamBuilder()
    var bytes = stream.bytes
    bytes[187] ^= 1
    broken.raw(bytes)
    let error = #expect(throws: MediaError.self) { try open(broken) }
    #expect(error?.rule == .transportProgram)
    #expect(error?.advice == "1 tables were damaged")
  }

  @Test("are read from sections that lie in several packets, several in one")
  func longSections() throws {
    var stream = TransportStreamBuilder()
    stream.association((1...60).map { (number: $0, pid: 4000 + $0) })
    for number in 1...60 {
      stream.map(pid: 4000 + number, number: number, [(0x1B, 200 + number, [UInt8](0..<0))])
    }
    #expect(try open(stream).tracks.count == 60)
  }

  @Test("may not have more streams than the limit")
  func trackLimit() {
    var stream = TransportStreamBuilder()
    stream.association([(1, 4096)])
    stream.map(pid: 4096, number: 1, (0..<20).map { (0x1B, 200 + $0, []) })
    var limits = Limits.standard
    limits.maximumTracks = 19
    let error = #expect(throws: MediaError.self) { try open(stream, limits: limits) }
    #expect(error?.rule == .transportTracks && error?.family == .limitExceeded)
  }
}

@Suite("Streams of transport streams")
struct TransportElementaryTests {
  private func packets(
    type: UInt8, _ build: (inout TransportStreamBuilder) -> Void
  ) throws -> [Packet] {
    var stream = TransportStreamBuilder()
    stream.association([(1, 4096)])
    stream.map(pid: 4096, number: 1, [(type, 256, [])])
    build(&stream)
    return try Array(try TransportStreamDemuxer(source: MemorySource(stream.bytes)))
  }

  @Test("give the times of a PES packet to the first access unit that begins in it")
  func firstAccessUnit() throws {
    let packets = try packets(type: 0x1B) { stream in
      let first = Samples.picture(0, isIDR: true)
      let second = Samples.picture(1, isIDR: false)
      let third = Samples.picture(2, isIDR: false)
      stream.pes(pid: 256, pts: 100, first + second + third[..<50])
      stream.pes(pid: 256, pts: 200, third[50...] + Samples.picture(3, isIDR: false))
    }
    #expect(packets.map(\.presentationTicks) == [100, nil, nil, 200])
  }

  @Test("join audio frames that lie in two PES packets, and time those between by samples")
  func splitFrames() throws {
    let frames = (0..<6).map { Samples.adts(Samples.sound($0)) }
    let packets = try packets(type: 0x0F) { stream in
      stream.pes(pid: 256, pts: 1000, frames[0] + frames[1] + frames[2][..<20])
      stream.pes(pid: 256, pts: 9000, frames[2][20...] + frames[3] + frames[4] + frames[5])
    }
    #expect(packets.map(\.data) == (0..<6).map { Samples.sound($0) })
    #expect(packets.map(\.presentationTicks) == [1000, 2920, 4840, 9000, 10_920, 12_840])
  }

  @Test("end a PES packet of metadata where its length says")
  func metadata() throws {
    let packets = try packets(type: 0x15) { stream in
      stream.pes(
        pid: 256, streamID: 0xBD, pts: 5, hasLength: true, [UInt8](repeating: 1, count: 300))
      stream.pes(pid: 256, streamID: 0xBD, pts: 6, hasLength: true, [2])
    }
    #expect(packets.map(\.data.count) == [300, 1])
    #expect(packets.map(\.presentationTicks) == [5, 6])
  }

  @Test("leave out scrambled packets, and call the track protected")
  func scrambled() throws {
    var stream = TransportStreamBuilder()
    stream.association([(1, 4096)])
    stream.map(pid: 4096, number: 1, [(0x1B, 256, [])])
    stream.pes(pid: 256, pts: 0, isScrambled: true, Samples.picture(0, isIDR: true))
    let demuxer = try TransportStreamDemuxer(source: MemorySource(stream.bytes))
    #expect(demuxer.tracks[0].isProtected)
    #expect(demuxer.warnings.map(\.family) == [.protected])
    #expect(try Array(demuxer).isEmpty)
  }

  @Test("may not hold an access unit beyond the limit")
  func packetLimit() throws {
    var stream = TransportStreamBuilder()
    stream.association([(1, 4096)])
    stream.map(pid: 4096, number: 1, [(0x1B, 256, []), (0x15, 257, [])])
    stream.pes(pid: 256, pts: 0, Samples.picture(0, isIDR: true, byteCount: 30_000))
    stream.pes(pid: 257, pts: 0, [UInt8](repeating: 1, count: 30_000))
    var limits = Limits.standard
    limits.maximumPacketBytes = 20_000
    let demuxer = try TransportStreamDemuxer(source: MemorySource(stream.bytes), limits: limits)
    #expect(demuxer.warnings.map(\.family) == [.limitExceeded])
    for track in 0...1 {
      let reader = try demuxer.makePacketReader(trackIndices: [track])
      let error = #expect(throws: MediaError.self) { while try reader.next() != nil {} }
      #expect(error?.family == .limitExceeded)
    }
  }

  @Test("follow maps that change without end only so far")
  func mapChangesWithoutEnd() throws {
    var stream = TransportStreamBuilder()
    stream.association([(1, 4096)])
    for i in 0..<3000 {
      stream.map(
        pid: 4096, number: 1, version: UInt8(i & 31),
        (0..<30).map { (0x1B, 100 + $0 + i % 2 * 100, []) })
    }
    let cost = try ProcessorTime.cost {
      let demuxer = try TransportStreamDemuxer(source: MemorySource(stream.bytes))
      #expect(try Array(demuxer).isEmpty)
    }
    #expect(cost < .seconds(1))
  }
}
