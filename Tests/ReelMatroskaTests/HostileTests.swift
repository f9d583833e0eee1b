internal import ReelCore
internal import ReelMatroska
internal import ReelTestSupport
internal import Testing

@Suite("Damaged and hostile Matroska files")
struct HostileMatroskaTests {
  private func trace(_ bytes: [UInt8]) -> DemuxerTrace {
    DemuxerTrace { () throws(MediaError) in try MatroskaDemuxer(source: MemorySource(bytes)) }
  }

  private func fault(_ bytes: [UInt8], limits: Limits = .standard) -> MediaError? {
    do throws(MediaError) {
      let demuxer = try MatroskaDemuxer(source: MemorySource(bytes), limits: limits)
      let reader = try demuxer.makePacketReader(trackIndices: Array(demuxer.tracks.indices))
      while try reader.next() != nil {}
      return nil
    } catch {
      return error
    }
  }

  @Test("read the same through every faulty source", arguments: FaultyByteSource.Faults.all)
  func faultySource(faults: FaultyByteSource.Faults) {
    let bytes = MatroskaSamples.file(frames: 200, hasCues: true).bytes
    let source = FaultyByteSource(bytes, faults, seed: 5)
    let faulty = DemuxerTrace { () throws(MediaError) in try MatroskaDemuxer(source: source) }
    #expect(faulty == trace(bytes))
    #expect(faulty.entries.count == 400)
  }

  @Test("give of every prefix what is whole in it")
  func prefixes() {
    for hasUnknownSizes in [false, true] {
      let bytes = MatroskaSamples.file(frames: 7, hasUnknownSizes: hasUnknownSizes).bytes
      let whole = trace(bytes).entries
      #expect(whole.count == 14)
      for count in 0..<bytes.count {
        let trace = trace(Array(bytes[..<count]))
        #expect(trace.entries == Array(whole.prefix(trace.entries.count)), "prefix \(count)")
        #expect(
          trace.fault == nil || trace.fault?.family == .needsMoreData
            || trace.fault?.rule == .matroskaTracks, "prefix \(count): \(trace.fault as Any)")
        _ = MatroskaDemuxer.probe(Array(bytes[..<count]))
      }
    }
  }

  @Test("survive damage of any kind", arguments: 0..<600)
  func damage(seed: UInt64) throws {
    let good = MatroskaSamples.file(frames: 15, hasUnknownSizes: seed % 3 == 0, hasCues: true).bytes
    let bytes = Damage.apply(to: good, seed: seed)
    _ = MatroskaDemuxer.probe(bytes)
    let trace = trace(bytes)
    #expect(trace.fault?.family != .usage && trace.fault?.family != .io, "seed \(seed)")
    // Damage can make a set-up look like a stripped header; then frames are longer.
    #expect(trace.entries.reduce(0) { $0 + $1.data.count } <= 40 * bytes.count, "seed \(seed)")
    guard let demuxer = try? MatroskaDemuxer(source: MemorySource(bytes)) else { return }
    for track in demuxer.tracks.indices {
      let reader = try demuxer.makePacketReader(trackIndices: [track])
      for ticks: Int64 in [300, 0, .max, .min, 100] {
        do throws(MediaError) {
          try reader.seek(trackIndex: track, toSyncAtOrBefore: ticks)
          _ = try reader.next()
        } catch {
          #expect(error.family == .limitExceeded, "seed \(seed)")
        }
      }
    }
  }

  @Test("are refused for what they are not")
  func refused() {
    var other = MatroskaSamples.file(frames: 1)
    other.docType = "other"
    let head = MatroskaSamples.file(frames: 1).head
    for (bytes, rule, family): ([UInt8], Rule, MediaError.Family) in [
      ([], .ebmlHeader, .needsMoreData), ([0x1A, 0x45], .ebmlHeader, .needsMoreData),
      ([0, 0, 0, 1], .ebmlHeader, .damaged), (other.bytes, .ebmlDocType, .unsupported),
      (head, .matroskaSegment, .needsMoreData),
      (head + EBML.element(0x1F43_B675, [1], size: .some(nil)), .matroskaSegment, .damaged),
      (head + EBML.master(0x1853_8067, []), .matroskaTracks, .damaged),
    ] {
      let error = fault(bytes)
      #expect(error?.rule == rule && error?.family == family, "\(error as Any)")
    }
  }

  @Test("may not nest elements deeper than the limit")
  func nesting() {
    var atom = EBML.unsigned(0x91, 1)
    for _ in 0..<40 { atom = EBML.master(0xB6, [atom]) }
    var file = MatroskaSamples.file(frames: 1)
    file.before = [EBML.master(0x1043_A770, [EBML.master(0x45B9, [atom])])]
    let error = fault(file.bytes)
    #expect(error?.rule == .ebmlNesting && error?.family == .limitExceeded)
  }

  @Test("may not have more elements, tracks or metadata than the limits")
  func counts() {
    var file = MatroskaSamples.file(frames: 1)
    file.before = [
      EBML.master(0x1254_C367, [[UInt8]](repeating: EBML.master(0x7373, []), count: 200))
    ]
    var limits = Limits.standard
    limits.maximumBoxes = 150
    #expect(fault(file.bytes, limits: limits)?.rule == .ebmlElements)
    limits = .standard
    limits.maximumTracks = 1
    #expect(fault(file.bytes, limits: limits)?.rule == .matroskaTrackCount)
    limits = .standard
    limits.maximumMetadataBytes = 500
    #expect(fault(file.bytes, limits: limits)?.rule == .matroskaMetadata)
  }

  @Test("may not have blocks beyond the limit")
  func blockLimit() {
    var file = MatroskaSamples.file(frames: 1)
    file.cluster(
      time: 50, [MatroskaBuilder.simpleBlock(track: 1, time: 0, [UInt8](repeating: 7, count: 5000))]
    )
    var limits = Limits.standard
    limits.maximumPacketBytes = 4000
    let error = fault(file.bytes, limits: limits)
    #expect(error?.rule == .matroskaBlockSize && error?.family == .limitExceeded)
  }

  @Test("with sizes beyond the input take no more memory than there are bytes")
  func statedSizes() {
    let file = MatroskaSamples.file(frames: 1)
    let tracks = EBML.master(0x1654_AE6B, file.tracks)
    // 400 megabytes of tags, of which 8 bytes are there.
    let tags = EBML.element(0x1254_C367, [UInt8](repeating: 0, count: 8), size: .some(400 << 20))
    let bytes = file.head + EBML.element(0x1853_8067, tracks + tags, size: .some(nil))
    let cost = ProcessorTime.cost(runs: 2) { #expect(fault(bytes) == nil) }
    #expect(cost < .milliseconds(50))
  }

  @Test("with sizes near the largest number end there")
  func largeSizes() {
    var file = MatroskaSamples.file(frames: 2)
    let huge = [0xEC, 0x01, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFE] as [UInt8]
    file.clusters.insert(huge, at: 1)
    #expect(trace(file.bytes).entries.count == 4)
    file.clusters = [EBML.element(0x1F43_B675, huge + EBML.unsigned(0xE7, .max), size: .some(nil))]
    #expect(trace(file.bytes).entries.isEmpty)
  }

  @Test("are gone through in time that grows with their size alone", arguments: 0..<4)
  func linearTime(kind: Int) {
    var file = MatroskaSamples.file(frames: 1)
    switch kind {
    case 0:  // clusters that are damaged at once
      file.clusters = [[UInt8]](
        repeating: [0x1F, 0x43, 0xB6, 0x75, 0x82, 0, 0], count: 100_000)
    case 1:  // blocks of a track that is not there
      file.cluster(
        time: 0,
        [[UInt8]](
          repeating: MatroskaBuilder.simpleBlock(track: 99, time: 0, []), count: 100_000))
    case 2:  // a group of nothing
      file.cluster(time: 0, [EBML.element(0xA0, [UInt8](repeating: 0x80, count: 0))])
      file.clusters.append(
        EBML.element(
          0x1F43_B675, EBML.master(0xA0, [[UInt8]](repeating: [0xFB, 0x80], count: 300_000))))
    default:  // bytes that are nothing
      file.clusters.append([UInt8](repeating: 0, count: 1_000_000))
    }
    let bytes = file.bytes
    let cost = ProcessorTime.cost { _ = trace(bytes) }
    #expect(cost < .seconds(4), "\(cost) for \(bytes.count) bytes")
  }
}
