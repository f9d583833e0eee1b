internal import Foundation
internal import ReelCore
internal import ReelMPEGTS
internal import ReelTestSupport
internal import Testing

/// The dumps of androidx.media3's transport stream extractor.
@Suite(
  "Transport streams as media3 dumps them",
  .enabled(if: Places.sharedVectors != nil, "no shared vectors beside the checkout"))
struct TransportStreamGoldenTests {
  /// Files whose samples must be the same, byte for byte.
  static let same = [
    "sample_h264.ts", "sample_h264_iframes_only.ts", "sample_h264_mpeg_audio.ts",
    "sample_h264_dts_audio.ts", "sample_h265_rps_pred.ts", "sample_h262_mpeg_audio.ts",
    "sample_scte35.ts", "sample_eac3joc.ts",
  ]

  /// Files whose samples differ on purpose; of these the bytes in total must be the same.
  static let differing = [
    // Their extractor, by default, takes messages and parameter sets for samples of their own when
    // there are no delimiters; ours gives access units (14496-10 §7.4.1.2.3).
    "sample_h264_no_access_unit_delimiters.ts",
    // The same frames, but theirs are all a frame later than the times of the stream.
    "sample_ac3.ts",
    // DTS is listed, not decoded: a sample is a PES packet, theirs are frames. Sections have no times.
    "sample_ait.ts", "sample_dts.ts", "sample_dts_express.ts",
    "sample_dts_hd_across_pes.ts", "sample_dts_hd_ma.ts",
  ]
  // Not compared: sample_dts_uhd.ts and sample_mpegh_*.ts, whose samples their extractor cuts out of the
  // framing of codecs that are only listed here.

  private func folder() throws -> URL {
    try #require(Places.sharedVectors).appendingPathComponent("ts/androidx+media")
  }

  private func open(_ name: String) throws -> (TransportStreamDemuxer, ExtractorDump) {
    let bytes = [UInt8](try Data(contentsOf: folder().appendingPathComponent("ts/\(name)")))
    let dump = try ExtractorDump(
      contentsOf: folder().appendingPathComponent("extractordumps/ts/\(name).0.dump"))
    return (try TransportStreamDemuxer(source: MemorySource(bytes)), dump)
  }

  @Test("give the same samples", arguments: same)
  func sameSamples(name: String) throws {
    let (demuxer, dump) = try open(name)
    let packets = try Array(demuxer)
    // Their times count from the first decoding time that is met in the file.
    let first = packets.filter { $0.position >= 0 }.min { $0.position < $1.position }
    let origin = try #require(first?.decodeTicks).microseconds
    for golden in dump.tracks {
      let index = try #require(demuxer.tracks.firstIndex { $0.id == golden.id }, "PID \(golden.id)")
      checkFormat(demuxer.tracks[index], golden, name)
      let own = packets.filter { $0.trackIndex == index }
      let samples = own.map(\.data)
      #expect(samples.count == golden.samples.count, "\(name) PID \(golden.id)")
      for (i, (sample, expected)) in zip(samples, golden.samples).enumerated() {
        #expect(
          sample.count == expected.byteCount && ExtractorDump.hash(sample) == expected.hash,
          "\(name) PID \(golden.id) sample \(i)")
        #expect(own[i].isSync == (expected.flags & 1 != 0), "\(name) PID \(golden.id) sample \(i)")
        guard let time = own[i].presentationTicks?.microseconds else { continue }
        // A tick is 11.1 µs long; they add up microseconds where we add up samples.
        #expect(abs(time - origin - expected.time) <= 12, "\(name) PID \(golden.id) sample \(i)")
      }
    }
  }

  @Test("give the same bytes where the cutting differs on purpose", arguments: differing)
  func sameBytes(name: String) throws {
    let (demuxer, dump) = try open(name)
    let packets = try Array(demuxer)
    for golden in dump.tracks {
      let index = try #require(demuxer.tracks.firstIndex { $0.id == golden.id }, "PID \(golden.id)")
      guard demuxer.tracks[index].kind != .data else { continue }
      let own = packets.filter { $0.trackIndex == index }.reduce(0) { $0 + $1.data.count }
      // Their total counts a last frame that is cut off and never given.
      let samples = golden.samples.reduce(0) { $0 + $1.byteCount }
      #expect(
        own == samples || "\(own)" == golden.values["total output bytes"],
        "\(name) PID \(golden.id)")
    }
  }

  private func checkFormat(_ track: Track, _ golden: ExtractorDump.Track, _ name: String) {
    switch track.formats[0] {
    case .video(let format):
      #expect("\(format.width)" == golden.format["width"], "\(name)")
      #expect("\(format.height)" == golden.format["height"], "\(name)")
    case .audio(let format) where format.sampleRate > 0:
      #expect("\(format.sampleRate)" == golden.format["sampleRate"], "\(name)")
      #expect("\(format.channelCount)" == golden.format["channelCount"], "\(name)")
    default: break
    }
    #expect(track.language ?? "und" == golden.format["language"] ?? "und", "\(name)")
  }

  /// Their positions after a seek are those of the nearest packet; ours of the sync sample before:
  /// from the second sync sample of a dump on, the samples are the same.
  @Test("seek to samples of which the dumps hold the rest", arguments: same, 1...3)
  func seeking(name: String, step: Int) throws {
    let (demuxer, dump) = try open(name)
    guard let video = demuxer.tracks.firstIndex(where: { $0.kind == .video }),
      let start = demuxer.startTicks, let duration = dump.duration
    else { return }
    let all = try Array(demuxer).filter { $0.trackIndex == video }
    let reader = try demuxer.makePacketReader(trackIndices: [video])
    let target = start + duration * Int64(step) / 3 * 9 / 100
    try reader.seek(trackIndex: video, toSyncAtOrBefore: target)
    let found = try #require(try reader.next())
    let expected = all.last { $0.isSync && $0.presentationTicks ?? .max <= target }
    #expect(found.number == expected?.number && found.data == expected?.data)
    #expect(found.presentationTicks == expected?.presentationTicks)
    var rest: [Packet] = [found]
    while let packet = try reader.next() { rest.append(packet) }
    #expect(rest.map(\.data) == all[found.number...].map(\.data))
    #expect(rest.map(\.presentationTicks) == all[found.number...].map(\.presentationTicks))
  }
}

extension Array where Element == Packet {
  /// All packets of an opened input.
  init(_ demuxer: some Demuxer) throws {
    self.init()
    let reader = try demuxer.makePacketReader(trackIndices: Swift.Array(demuxer.tracks.indices))
    while let packet = try reader.next() { append(packet) }
  }
}

extension Int64 {
  /// Microseconds of ticks of 90 kHz.
  var microseconds: Int64 { self * 1_000_000 / 90_000 }
}
