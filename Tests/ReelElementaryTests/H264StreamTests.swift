internal import Foundation
internal import ReelCore
internal import ReelElementary
internal import ReelTestSupport
internal import ReelVideoCore
internal import Testing

@Suite("H.264 byte streams")
struct H264StreamTests {
  private func trace(_ bytes: [UInt8]) -> DemuxerTrace {
    DemuxerTrace { () throws(MediaError) in try H264StreamDemuxer(source: MemorySource(bytes)) }
  }

  @Test("tell size and timescale of the track, and time packets by two ticks a frame")
  func timing() throws {
    let stream = H264StreamBuilder.frames(5, idrEvery: 4, timing: (60000, 1001))
    let demuxer = try H264StreamDemuxer(source: MemorySource(stream.bytes))
    #expect(demuxer.tracks.map(\.timescale) == [60000])
    guard case .video(let format) = demuxer.tracks[0].formats[0] else {
      Issue.record("no video format")
      return
    }
    #expect(format.width == 176 && format.height == 144)
    let entries = trace(stream.bytes).entries
    #expect(entries.map(\.times) == (0..<5).map { [nil, $0 * 2002, 2002] })
    #expect(entries.map(\.isSync) == [true, false, false, false, true])
  }

  @Test("give no times where the parameter sets tell none")
  func noTiming() {
    let entries = trace(H264StreamBuilder.frames(3, idrEvery: 2).bytes).entries
    #expect(entries.map(\.times) == [[nil, nil, nil], [nil, nil, nil], [nil, nil, nil]])
  }

  @Test("read the same through every faulty source", arguments: FaultyByteSource.Faults.all)
  func faultySource(faults: FaultyByteSource.Faults) {
    let stream = H264StreamBuilder.frames(300, idrEvery: 10, timing: (50, 1))
    let source = FaultyByteSource(stream.bytes, faults, seed: 7)
    let faulty = DemuxerTrace { () throws(MediaError) in try H264StreamDemuxer(source: source) }
    #expect(faulty == trace(stream.bytes))
    #expect(faulty.entries.count == 300)
  }

  @Test("give back every byte of every prefix")
  func prefixes() {
    let bytes = H264StreamBuilder.frames(6, idrEvery: 3).bytes
    for count in 0...bytes.count {
      let trace = trace(Array(bytes[..<count]))
      if let fault = trace.fault {
        #expect(fault.rule == .elementaryStartCode && count < 4, "\(count)")
      } else {
        #expect(trace.entries.flatMap(\.data) == Array(bytes[..<count]), "\(count)")
      }
    }
  }

  @Test(
    "seek to the last sync sample at or before a time",
    arguments: [(-5, 0), (0, 0), (7, 0), (8, 4), (9, 4), (23, 8), (24, 12), (1000, 16)])
  func seeking(ticks: Int64, number: Int) throws {
    let stream = H264StreamBuilder.frames(20, idrEvery: 4, timing: (50, 1))
    let demuxer = try H264StreamDemuxer(source: MemorySource(stream.bytes))
    let all = trace(stream.bytes).entries
    // Fresh, after reading some, and after reading all: the way there must not matter.
    for read in [0, 1, 9, 20, 21] {
      let reader = try demuxer.makePacketReader(trackIndices: [0])
      for _ in 0..<read { _ = try reader.next() }
      try reader.seek(trackIndex: 0, toSyncAtOrBefore: ticks)
      let packet = try #require(try reader.next())
      #expect(packet.number == number && packet.data == all[number].data, "after \(read)")
      #expect(try reader.next()?.number == number + 1)
    }
  }

  @Test("seek to the first sync sample where there are no times")
  func seekingWithoutTimes() throws {
    let stream = H264StreamBuilder.frames(20, idrEvery: 4)
    let reader = try H264StreamDemuxer(source: MemorySource(stream.bytes))
      .makePacketReader(trackIndices: [0])
    for _ in 0..<15 { _ = try reader.next() }
    try reader.seek(trackIndex: 0, toSyncAtOrBefore: 9)
    #expect(try reader.next()?.number == 0)
  }

  @Test("refuse an access unit beyond the limit, before holding much more than that")
  func packetLimit() throws {
    var stream = H264StreamBuilder.frames(2, idrEvery: 2)
    stream.bytes += [UInt8](repeating: 0xAA, count: 300_000)
    var limits = Limits.standard
    limits.maximumPacketBytes = 100_000
    let demuxer = try H264StreamDemuxer(source: MemorySource(stream.bytes), limits: limits)
    let reader = try demuxer.makePacketReader(trackIndices: [0])
    let error = #expect(throws: MediaError.self) { while try reader.next() != nil {} }
    #expect(error?.family == .limitExceeded && error?.rule == .accessUnitSize)
  }

  @Test("are refused without a start code", arguments: [0, 1, 2, 2_000_000])
  func noStartCode(count: Int) {
    for byte: UInt8 in [0, 7] {
      let bytes = [UInt8](repeating: byte, count: count)
      #expect(trace(bytes).fault?.rule == .elementaryStartCode)
      #expect(!H264StreamDemuxer.probe(bytes))
    }
  }

  @Test("survive damage of any kind", arguments: 0..<300)
  func damage(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var bytes = H264StreamBuilder.frames(30, idrEvery: 5, timing: (50, 1)).bytes
    for _ in 0..<random.int(in: 1...20) {
      let at = random.int(in: 0...bytes.count - 1)
      switch random.int(in: 0...2) {
      case 0: bytes[at] = UInt8.random(in: 0...255, using: &random)
      case 1: bytes.removeSubrange(at..<min(bytes.count, at + random.int(in: 1...40)))
      default: bytes.insert(contentsOf: [0, 0, 1, .random(in: 0...255, using: &random)], at: at)
      }
    }
    let trace = trace(bytes)
    let start = Int(trace.entries.first?.position ?? Int64(bytes.count))
    #expect(trace.fault == nil || trace.fault?.family == .damaged, "seed \(seed)")
    if trace.fault == nil {
      #expect(trace.entries.flatMap(\.data) == Array(bytes[start...]), "seed \(seed)")
    }
    _ = H264StreamDemuxer.probe(bytes)
  }
}

@Suite("H.264 byte streams in the wild")
struct SharedStreamTests {
  private static let rows: [(path: String, frames: Int, size: String)] = {
    guard let folder = Places.sharedVectors,
      let index = try? String(
        contentsOf: folder.appendingPathComponent("index.tsv"), encoding: .utf8)
    else { return [] }
    return index.split(separator: "\n").compactMap { line in
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard fields.count == 7, fields[0] == "h264", !fields[1].hasSuffix(".mp4"),
        !fields[5].contains("robust"), !fields[6].contains("not crash")
      else { return nil }
      let words = fields[6].split(separator: " ").map(String.init)
      guard let at = words.firstIndex(of: "frames"), at > 0, at + 1 < words.count,
        let frames = Int(words[at - 1])
      else { return (fields[1], 0, "") }
      return (fields[1], frames, words[at + 1])
    }
  }()

  @Test(
    "are recognised and come back whole, a packet for each frame or field",
    .enabled(if: Places.sharedVectors != nil, "no shared vectors beside the checkout"))
  func wholeAndCounted() throws {
    let folder = try #require(Places.sharedVectors).appendingPathComponent("h264")
    #expect(Self.rows.count > 400)
    for row in Self.rows {
      let bytes = [UInt8](try Data(contentsOf: folder.appendingPathComponent(row.path)))
      #expect(H264StreamDemuxer.probe(Array(bytes.prefix(4096))), "\(row.path)")
      let demuxer = try H264StreamDemuxer(source: MemorySource(bytes))
      let reader = try demuxer.makePacketReader(trackIndices: [0])
      var (count, position) = (0, Int64(bytes.prefix { $0 == 0 }.count - 3))
      while let packet = try reader.next() {
        count += 1
        #expect(packet.position <= max(position, 1), "\(row.path) packet \(packet.number)")
        position = packet.position + Int64(packet.data.count)
      }
      #expect(position == Int64(bytes.count), "\(row.path)")
      // A size that changes is told as all of them.
      guard row.frames > 0, !row.size.contains("/"),
        case .video(let format) = demuxer.tracks[0].formats[0]
      else { continue }
      #expect(count == row.frames, "\(row.path): \(count) packets")
      #expect("\(format.width)x\(format.height)" == row.size, "\(row.path)")
    }
  }
}
