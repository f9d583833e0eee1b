internal import ReelCore
internal import ReelMPEGTS
internal import ReelTestSupport
internal import ReelVideoCore
internal import Testing

@Suite("Transport streams")
struct TransportStreamTests {
  private func trace(_ bytes: [UInt8], limits: Limits = .standard) -> DemuxerTrace {
    DemuxerTrace { () throws(MediaError) in
      try TransportStreamDemuxer(source: MemorySource(bytes), limits: limits)
    }
  }

  private func open(_ bytes: [UInt8], limits: Limits = .standard) throws -> TransportStreamDemuxer {
    try TransportStreamDemuxer(source: MemorySource(bytes), limits: limits)
  }

  @Test("list streams, formats, language, start and length")
  func tracks() throws {
    let demuxer = try open(Samples.program(pictures: 50).bytes)
    #expect(demuxer.tracks.map(\.id) == [256, 257])
    #expect(demuxer.tracks.map(\.codec) == [.h264, .aac])
    #expect(demuxer.tracks.map(\.language) == [nil, "fra"])
    #expect(demuxer.startTicks == 90_000)
    // The last frame of sound ends behind the last picture's 2 s + 80 ms.
    #expect(demuxer.duration == MediaTime(value: 100 * 1920, timescale: 90_000))
    #expect(demuxer.programs.map(\.trackIndices) == [[0, 1]])
    guard case .video(let video) = demuxer.tracks[0].formats[0],
      case .audio(let audio) = demuxer.tracks[1].formats[0]
    else {
      Issue.record("formats")
      return
    }
    #expect((video.width, video.height) == (176, 144))
    #expect((audio.sampleRate, audio.channelCount) == (48_000, 2))
    #expect(audio.configuration == [0x11, 0x90])
  }

  @Test("give access units and frames with their times")
  func packets() throws {
    let entries = trace(Samples.program(pictures: 30).bytes).entries
    let video = entries.filter { $0.track == 0 }
    let audio = entries.filter { $0.track == 1 }
    #expect(video.map(\.data) == (0..<30).map { Samples.picture($0, isIDR: $0 % 12 == 0) })
    let videoTimes = (0..<30).map { (i: Int64) -> [Int64?] in
      [97_200 + i * 3600, 90_000 + i * 3600, 3600]
    }
    #expect(video.map(\.times) == videoTimes)
    #expect(video.map(\.isSync) == (0..<30).map { $0 % 12 == 0 })
    #expect(audio.map(\.data) == (0..<60).map { Samples.sound($0) })
    let audioTimes = (0..<60).map { (i: Int64) -> [Int64?] in
      [90_000 + i * 1920, 90_000 + i * 1920, 1920]
    }
    #expect(audio.map(\.times) == audioTimes)
    #expect(audio.map(\.number) == Array(0..<60))
  }

  @Test("take AC-3 apart into frames, timed by their samples")
  func dolby() throws {
    var stream = TransportStreamBuilder()
    stream.association([(1, 4096)])
    stream.map(pid: 4096, number: 1, [(0x81, 300, [])])
    // 48 kHz, 64 kbit/s, stereo: 256 bytes and 32 ms.
    let frame = { (i: Int) -> [UInt8] in
      [0x0B, 0x77, 0, 0, 8, 8 << 3, 0b0100_0000] + [UInt8](repeating: UInt8(i + 1), count: 249)
    }
    for i in stride(from: 0, to: 12, by: 3) {
      stream.pes(
        pid: 300, streamID: 0xBD, pts: 90_000 + Int64(i) * 2880, hasLength: true,
        (i..<i + 3).flatMap(frame))
    }
    let demuxer = try open(stream.bytes)
    #expect(demuxer.tracks.map(\.codec) == ["ac3"])
    guard case .audio(let format) = demuxer.tracks[0].formats[0] else {
      Issue.record("no audio")
      return
    }
    #expect((format.sampleRate, format.channelCount) == (48_000, 2))
    let entries = trace(stream.bytes).entries
    #expect(entries.map(\.data) == (0..<12).map(frame))
    let times = (0..<12).map { 90_000 + Int64($0) * 2880 }
    #expect(entries.map { $0.times[0] } == times)
  }

  @Test("tell headers without the bytes, the same as packets have, and go on with packets")
  func headers() throws {
    let demuxer = try open(Samples.program(pictures: 40).bytes)
    let all = try demuxer.makePacketReader(trackIndices: [0, 1])
    var packets: [Packet] = []
    while let packet = try all.next() { packets.append(packet) }
    let reader = try demuxer.makePacketReader(trackIndices: [0, 1])
    for packet in packets { #expect(try reader.nextHeader() == packet.header) }
    #expect(try reader.nextHeader() == nil)
    // What began with headers gives packets from where it stands, behind a seek too.
    for number in [0, 1, 25, packets.count - 1] {
      let reader = try demuxer.makePacketReader(trackIndices: [0, 1])
      for _ in 0..<number { _ = try reader.nextHeader() }
      #expect(try reader.next()?.data == packets[number].data, "packet \(number)")
    }
    let video = packets.filter { $0.trackIndex == 0 }
    let sought = try demuxer.makePacketReader(trackIndices: [0])
    _ = try sought.nextHeader()
    try sought.seek(trackIndex: 0, toSyncAtOrBefore: 97_200 + 30 * 3600)
    #expect(try sought.nextHeader() == video[24].header)
    let next = try #require(try sought.next())
    #expect(next.header == video[25].header && next.data == video[25].data)
  }

  @Test(
    "tell the same sizes as packets have wherever start codes are cut",
    arguments: [1, 2, 3, 5, 184])
  func cutStartCodes(payloadByteCount: Int) throws {
    var stream = TransportStreamBuilder()
    stream.association([(1, 4096)])
    stream.map(pid: 4096, number: 1, [(0x1B, Samples.videoPID, [])])
    for i in 0..<30 {
      stream.pes(
        pid: Samples.videoPID, pts: Int64(i) * 3600,
        Samples.picture(i, isIDR: i == 0, byteCount: i * 7 % payloadByteCount + 3))
    }
    let demuxer = try open(stream.bytes)
    let (packets, headers) = (
      try demuxer.makePacketReader(trackIndices: [0]),
      try demuxer.makePacketReader(trackIndices: [0])
    )
    var count = 0
    while let packet = try packets.next() {
      #expect(try headers.nextHeader() == packet.header)
      count += 1
    }
    #expect(count == 30)
  }

  @Test(
    "are read in packets of 188, 192 and 204 bytes, behind other bytes",
    arguments: [(0, 0), (4, 0), (0, 16)], [0, 1, 77])
  func strides(around: (Int, Int), garbage: Int) {
    let stream = Samples.program(pictures: 30)
    let bytes =
      [UInt8](repeating: 0x33, count: garbage) + stream.wrapped(before: around.0, after: around.1)
    let got = trace(bytes)
    let expected = trace(stream.bytes)
    #expect(got.fault == nil)
    #expect(got.entries.map(\.data) == expected.entries.map(\.data))
    #expect(got.entries.map(\.times) == expected.entries.map(\.times))
    #expect(TransportStreamDemuxer.probe(Array(bytes.prefix(4096))))
  }

  @Test("find the packets again behind bytes that are none, and say so")
  func resynchronisation() throws {
    let stream = Samples.program(pictures: 30).bytes
    let middle = 188 * 40
    let bytes = stream[..<middle] + [0x47, 0, 0x47] + [UInt8](repeating: 9, count: 301)
    let demuxer = try open(Array(bytes + stream[middle...]))
    #expect(demuxer.warnings.map(\.rule) == [.transportSync])
    let got = trace(Array(bytes + stream[middle...]))
    #expect(got.entries.map(\.data) == trace(stream).entries.map(\.data))
  }

  @Test("drop a packet that is sent twice, and tell gaps")
  func continuity() throws {
    let stream = Samples.program(pictures: 30).bytes
    let at = 188 * 30
    let twice = Array(stream[..<(at + 188)] + stream[at...])
    #expect(trace(twice).entries.map(\.data) == trace(stream).entries.map(\.data))
    #expect(try open(twice).warnings.isEmpty)
    let gap = Array(stream[..<at] + stream[(at + 188)...])
    #expect(try open(gap).warnings.map(\.rule) == [.transportContinuity])
  }

  @Test("tell no gap where the stream says that its counters begin anew")
  func discontinuities() throws {
    var bytes = Samples.program(pictures: 20).bytes
    // A packet of video with room for flags, well behind the first ones.
    let place = try #require(
      stride(from: 188 * 30, to: bytes.count - 188, by: 188).first { i in
        bytes[i + 1] & 0x1F == 1 && bytes[i + 2] == 0 && bytes[i + 3] & 0x20 != 0
          && bytes[i + 4] > 0
      })
    let gaps = { () throws -> [String] in
      try open(bytes).warnings.filter { $0.rule.code == "mpegts.continuity" }.map(\.detail)
    }
    #expect(try gaps() == [])
    // A counter that jumps by five, and back.
    bytes[place + 3] = bytes[place + 3] & 0xF0 | (bytes[place + 3] &+ 5) & 15
    #expect(try gaps() == ["2 gaps"])
    bytes[place + 5] |= 0x80
    #expect(try gaps() == ["1 gaps"])
  }

  @Test("count on where 33 bits wrap")
  func wrap() throws {
    let start: Int64 = 1 << 33 - 40_000
    let bytes = Samples.program(pictures: 50, start: start).bytes
    let entries = trace(bytes).entries
    let times = (0..<50).map { (i: Int64) -> Int64? in start + i * 3600 }
    #expect(entries.filter { $0.track == 0 }.map { $0.times[1] } == times)
    #expect(try open(bytes).duration == MediaTime(value: 192_000, timescale: 90_000))
  }

  @Test("read the same through every faulty source", arguments: FaultyByteSource.Faults.all)
  func faultySource(faults: FaultyByteSource.Faults) {
    let bytes = Samples.program(pictures: 100).bytes
    let source = FaultyByteSource(bytes, faults, seed: 11)
    let faulty = DemuxerTrace { () throws(MediaError) in
      try TransportStreamDemuxer(source: source)
    }
    #expect(faulty == trace(bytes))
    #expect(faulty.entries.count == 300)
  }

  @Test("never trap or hang on any prefix")
  func prefixes() {
    let bytes = Samples.program(pictures: 8).bytes
    let whole = trace(bytes).entries
    for count in 0...bytes.count {
      let trace = trace(Array(bytes[..<count]))
      // Packets that end before the cut are the same; the last of each track may be cut.
      for (got, expected) in zip(trace.entries.dropLast(2), whole) {
        #expect(got == expected || got.data.count < expected.data.count, "prefix \(count)")
      }
      if count < 188 {
        #expect(trace.fault?.family == .needsMoreData, "prefix \(count)")
      }
    }
  }

  @Test("seek to the sync sample at or before a time", arguments: 0..<55)
  func seeking(picture: Int) throws {
    let bytes = Samples.program(pictures: 50).bytes
    let all = trace(bytes).entries.filter { $0.track == 0 }
    let reader = try open(bytes).makePacketReader(trackIndices: [0, 1])
    try reader.seek(trackIndex: 0, toSyncAtOrBefore: 97_200 + Int64(picture) * 3600)
    let expected = min(picture, 49) / 12 * 12
    var seen: [DemuxerTrace.Entry] = []
    var sound: Int64?
    while let packet = try reader.next() {
      if packet.trackIndex == 0 { seen.append(.init(packet)) }
      if packet.trackIndex == 1 { sound = sound ?? packet.presentationTicks }
    }
    #expect(seen == Array(all[expected...]))
    // Sound goes on from the next of its PES packets in the input.
    #expect(sound == 90_000 + Int64(expected) / 2 * 4 * 1920)
  }

  @Test("seek to access units that begin in the middle of a PES packet")
  func seekingUnaligned() throws {
    var stream = TransportStreamBuilder()
    stream.association([(1, 4096)])
    stream.map(pid: 4096, number: 1, [(0x1B, 256, [])])
    let video = (0..<40).flatMap { Samples.picture($0, isIDR: $0 % 8 == 0) }
    for (i, start) in Swift.stride(from: 0, to: video.count, by: 470).enumerated() {
      let end = min(start + 470, video.count)
      stream.pes(pid: 256, pts: 9000 + Int64(i) * 4500, Array(video[start..<end]))
    }
    let all = trace(stream.bytes).entries
    #expect(all.flatMap(\.data) == video && all.count == 40)
    let reader = try open(stream.bytes).makePacketReader(trackIndices: [0])
    for sample in all where sample.isSync && sample.times[0] != nil {
      try reader.seek(trackIndex: 0, toSyncAtOrBefore: sample.times[0] ?? 0)
      let found = try #require(try reader.next())
      #expect(DemuxerTrace.Entry(found) == sample)
    }
  }

  @Test("survive damage of any kind", arguments: 0..<400)
  func damage(seed: UInt64) {
    let bytes = Damage.apply(to: Self.whole, seed: seed)
    _ = TransportStreamDemuxer.probe(bytes)
    let trace = trace(bytes)
    #expect(trace.fault?.family != .usage && trace.fault?.family != .io, "seed \(seed)")
    let total = trace.entries.reduce(0) { $0 + $1.data.count }
    #expect(total <= bytes.count, "seed \(seed)")
  }

  private static let whole = Samples.program(pictures: 30).bytes
}
