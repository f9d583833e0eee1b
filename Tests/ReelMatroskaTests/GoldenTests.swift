internal import Foundation
internal import ReelCore
internal import ReelMatroska
internal import ReelTestSupport
internal import Testing

/// The dumps of androidx.media3's Matroska extractor.
@Suite(
  "Matroska files as media3 dumps them",
  .enabled(if: Places.sharedVectors != nil, "no shared vectors beside the checkout"))
struct MatroskaGoldenTests {
  static let files = [
    "sample.mkv", "sample_with_chapters.mkv", "sample_with_dts_hd_ma.mkv", "sample_with_dts_x.mkv",
    "sample_with_htc_rotation_track_name.mkv", "sample_with_multiple_key_frames.mkv",
    "sample_with_srt.mkv", "sample_with_null_terminated_srt.mkv", "sample_with_overlapping_srt.mkv",
    "sample_with_ssa_subtitles.mkv", "sample_with_null_terminated_ssa_subtitles.mkv",
    "sample_with_vtt_subtitles.mkv", "sample_with_opus_audio.mkv", "full_blocks.mkv",
    "subsample_encrypted_altref.webm",
  ]

  /// Samples that differ on purpose, and why.
  private func difference(_ track: Track, _ name: String, _ index: Int) -> String? {
    if track.kind == .subtitle {
      return "theirs are lines of a subtitle file made of text, time and duration; ours the text"
    }
    if track.isProtected { return "theirs take the encryption's header off; ours are as stored" }
    if name == "sample_with_opus_audio.mkv", index == 2 {
      return "theirs carry the padding to be discarded behind the frame"
    }
    return nil
  }

  private func open(_ name: String, step: Int = 0) throws -> (MatroskaDemuxer, ExtractorDump) {
    let folder = try #require(Places.sharedVectors).appendingPathComponent("mkv/androidx+media")
    let bytes = [UInt8](try Data(contentsOf: folder.appendingPathComponent("mkv/\(name)")))
    #expect(MatroskaDemuxer.probe(Array(bytes.prefix(4096))))
    let dump = folder.appendingPathComponent("extractordumps/mkv/\(name).\(step).dump")
    return (
      try MatroskaDemuxer(source: MemorySource(bytes)), try ExtractorDump(contentsOf: dump)
    )
  }

  @Test("give the same tracks and samples", arguments: files)
  func sameSamples(name: String) throws {
    let (demuxer, dump) = try open(name)
    let packets = try Array(demuxer)
    #expect(demuxer.tracks.count == dump.tracks.count)
    #expect(demuxer.warnings.isEmpty)
    for golden in dump.tracks {
      let index = try #require(demuxer.tracks.firstIndex { $0.id == golden.id })
      let track = demuxer.tracks[index]
      checkFormat(track, golden)
      let own = packets.filter { $0.trackIndex == index }
      #expect(own.count == golden.samples.count, "track \(golden.id)")
      for (i, (packet, expected)) in zip(own, golden.samples).enumerated() {
        #expect(
          packet.isSync == (expected.flags & 1 != 0),
          "track \(golden.id) sample \(i)")
        let ticks = try #require(packet.presentationTicks)
        let time = ticks * 1_000_000 / Int64(track.timescale)
        // Laced frames lie between the segment's ticks of a millisecond.
        #expect(abs(time - expected.time) < 1000, "track \(golden.id) sample \(i)")
        guard difference(track, name, i) == nil else { continue }
        let data = startCodes(packet.data, track)
        #expect(
          data.count == expected.byteCount && ExtractorDump.hash(data) == expected.hash,
          "track \(golden.id) sample \(i)")
      }
    }
    if let length = dump.duration {
      #expect(abs(demuxer.duration.seconds * 1_000_000 - Double(length)) < 1, "\(demuxer.duration)")
    }
  }

  /// Theirs replace lengths by start codes.
  private func startCodes(_ data: [UInt8], _ track: Track) -> [UInt8] {
    guard case .video(let format) = track.formats[0], format.framing == .lengthPrefixed(bytes: 4)
    else { return data }
    var output: [UInt8] = []
    var i = 0
    while i + 4 <= data.count {
      let length = data[i..<i + 4].reduce(0) { $0 << 8 | Int($1) }
      output += [0, 0, 0, 1] + data[(i + 4)..<min(i + 4 + length, data.count)]
      i += 4 + length
    }
    return output
  }

  private func checkFormat(_ track: Track, _ golden: ExtractorDump.Track) {
    #expect(track.language.map { $0 == "eng" ? "en" : $0 } ?? "und" == golden.format["language"])
    switch track.formats[0] {
    case .video(let format):
      #expect("\(format.width)" == golden.format["width"])
      #expect("\(format.height)" == golden.format["height"])
      #expect((track.matrix != nil) == (golden.format["rotationDegrees"] == "90"))
      #expect((format.colour?.isFullRange ?? false) == (golden.format["colorRange"] == "1"))
    case .audio(let format) where golden.format["sampleRate"] != nil:
      #expect("\(format.sampleRate)" == golden.format["sampleRate"])
      #expect("\(format.channelCount)" == golden.format["channelCount"])
    default: break
    }
  }

  /// Their dumps .1 to .3 begin at the cue before a third of the length, or two, or all of it.
  @Test("seek to where the dumps begin", arguments: files, 1...3)
  func seeking(name: String, step: Int) throws {
    guard let (demuxer, dump) = try? open(name, step: step), let length = dump.duration,
      let video = demuxer.tracks.firstIndex(where: { $0.kind == .video }),
      let golden = dump.tracks.first(where: { $0.id == demuxer.tracks[video].id })
    else { return }
    let reader = try demuxer.makePacketReader(trackIndices: [video])
    let timescale = Int64(demuxer.tracks[video].timescale)
    try reader.seek(
      trackIndex: video, toSyncAtOrBefore: length * Int64(step) / 3 * timescale / 1_000_000)
    var times: [Int64] = []
    while let packet = try reader.next() {
      times.append((packet.presentationTicks ?? -1) * 1_000_000 / timescale)
    }
    #expect(times == golden.samples.map(\.time))
  }

  @Test("have the chapters that the dump tells")
  func chapters() throws {
    let (demuxer, _) = try open("sample_with_chapters.mkv")
    #expect(demuxer.chapterList.map(\.title) == ["Chapter 1", "Chapter 2"])
    #expect(demuxer.chapterList.map(\.start.seconds) == [0, 2])
    #expect(demuxer.chapterList.map(\.language) == ["eng", "deu"])
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
