internal import Foundation
internal import ReelAudioFiles
internal import ReelCore
internal import ReelTestSupport
internal import Testing

/// The dumps of androidx.media3's MP3 and ADTS extractors.
@Suite(
  "Audio files as media3 dumps them",
  .enabled(if: Places.sharedVectors != nil, "no shared vectors beside the checkout"))
struct AudioFileGoldenTests {
  /// A file and its dump; and why the dump's length is not ours, where it is not.
  static let files: [(file: String, dump: String, lengthReason: String?)] = [
    ("ts:ts/sample.adts", "sample.adts", "theirs guesses none from a variable rate"),
    ("ts:ts/sample_cbs_truncated.adts", "sample_cbs_truncated.adts", "theirs takes a mean rate"),
    ("ts:ts/sample_with_id3.adts", "sample_with_id3.adts", "theirs guesses none"),
    ("mp3:mp3/bear-id3.mp3", "bear-id3.mp3.id3-enabled", "theirs believes an MLLT frame"),
    ("mp3:mp3/bear-vbr-xing-header.mp3", "bear-vbr-xing-header.mp3", nil),
    ("mp3:mp3/bear-vbr-vbri-header.mp3", "bear-vbr-vbri-header.mp3", nil),
    ("mp3:mp3/bear-vbr-xing-header-no-toc.mp3", "bear-vbr-xing-header-no-toc.mp3", nil),
    (
      "mp3:mp3/bear-vbr-xing-header-replaygain-fast.mp3",
      "bear-vbr-xing-header-replaygain-fast.mp3",
      nil
    ),
    ("mp3:mp3/test-cbr-info-header.mp3", "test-cbr-info-header.mp3", nil),
    (
      "mp3:mp3/bear-vbr-no-seek-table.mp3", "bear-vbr-no-seek-table.mp3",
      "theirs takes the first frame's rate for all"
    ),
    (
      "mp3:mp3/bear-cbr-variable-frame-size-no-seek-table.mp3",
      "bear-cbr-variable-frame-size-no-seek-table.mp3", nil
    ),
    (
      "mp3:mp3/bear-cbr-no-seek-table-trailing-garbage.mp3",
      "bear-cbr-no-seek-table-trailing-garbage.mp3",
      "theirs believes a stated size; ours computes from all bytes at a constant rate"
    ),
    ("mp3:mp3/play-trimmed.mp3", "play-trimmed.mp3", nil),
  ]

  private func open(_ file: String) throws -> AudioStreamDemuxer {
    let parts = file.split(separator: ":")
    let folder = try #require(Places.sharedVectors)
    let url = folder.appendingPathComponent("\(parts[0])/androidx+media/\(parts[1])")
    let bytes = [UInt8](try Data(contentsOf: url))
    #expect(AudioStreamDemuxer.probe(Array(bytes.prefix(4096))), "\(file)")
    return try AudioStreamDemuxer(source: MemorySource(bytes))
  }

  private func dump(_ file: String, _ dump: String, _ step: Int) throws -> ExtractorDump {
    let kind = file.hasPrefix("ts") ? "ts" : "mp3"
    return try ExtractorDump(
      contentsOf: try #require(Places.sharedVectors)
        .appendingPathComponent(
          "\(kind)/androidx+media/extractordumps/\(kind)/\(dump).\(step).dump"))
  }

  @Test("give the same samples, times and length", arguments: files)
  func sameSamples(file: String, dump name: String, lengthReason: String?) throws {
    let demuxer = try open(file)
    let dump = try dump(file, name, 0)
    let golden = try #require(dump.tracks.first)
    let track = demuxer.tracks[0]
    guard case .audio(let format) = track.formats[0] else {
      Issue.record("no audio format")
      return
    }
    #expect("\(format.sampleRate)" == golden.format["sampleRate"])
    #expect("\(format.channelCount)" == golden.format["channelCount"])
    #expect(
      golden.initializationData.map(\.hash)
        == (format.configuration.isEmpty ? [] : [ExtractorDump.hash(format.configuration)]))
    let packets = try Array(demuxer)
    #expect(packets.count == golden.samples.count)
    for (i, (packet, expected)) in zip(packets, golden.samples).enumerated() {
      #expect(
        packet.data.count == expected.byteCount
          && ExtractorDump.hash(packet.data) == expected.hash, "sample \(i)")
      let time = try #require(packet.presentationTicks) * 1_000_000 / Int64(track.timescale)
      // Theirs adds up whole microseconds.
      #expect(abs(time - expected.time) <= Int64(i) + 1, "sample \(i)")
    }
    // Theirs counts to the last sample, not to its end; at a constant rate it takes one for rounding.
    guard lengthReason == nil, let length = dump.duration else { return }
    #expect(abs(demuxer.duration.seconds * 1_000_000 - Double(length)) < 40, "\(demuxer.duration)")
  }

  @Test("present the sound without what its encoder added", arguments: files)
  func gapless(file: String, dump name: String, lengthReason: String?) throws {
    let demuxer = try open(file)
    let golden = try #require(try dump(file, name, 0).tracks.first)
    let edit = demuxer.tracks[0].edits.first
    #expect(edit?.mediaStart.map { "\($0)" } == golden.format["encoderDelay"])
    guard let edit, let padding = golden.format["encoderPadding"].flatMap({ Int64($0) }),
      let length = demuxer.tracks[0].mediaDuration, let start = edit.mediaStart
    else { return }
    #expect(
      edit.duration == MediaTime(value: length - start - padding, timescale: 48_000)
        || demuxer.tracks[0].timescale != 48_000)
  }

  /// Their seeks go to where a table or a rate points, ours to the frame that is heard.
  @Test("seek to the frame that is heard at a time", arguments: files)
  func seeking(file: String, dump name: String, lengthReason: String?) throws {
    let demuxer = try open(file)
    let all = try Array(demuxer)
    let reader = try demuxer.makePacketReader(trackIndices: [0])
    for wanted in [all.count / 2, 0, all.count - 1, all.count / 3, 1] where wanted < all.count {
      let start = all[wanted].presentationTicks ?? 0
      for ticks in [start, start + (all[wanted].durationTicks ?? 1) - 1] {
        try reader.seek(trackIndex: 0, toSyncAtOrBefore: ticks)
        let packet = try #require(try reader.next())
        #expect(DemuxerTrace.Entry(packet) == DemuxerTrace.Entry(all[wanted]))
      }
    }
    try reader.seek(trackIndex: 0, toSyncAtOrBefore: .max)
    #expect(try reader.next()?.number == all.count - 1)
    #expect(try reader.next() == nil)
    try reader.seek(trackIndex: 0, toSyncAtOrBefore: .max)
    #expect(try reader.next()?.number == all.count - 1)
    try reader.seek(trackIndex: 0, toSyncAtOrBefore: .min)
    #expect(try reader.next()?.number == 0)
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
