import Foundation
import ReelCore
import ReelISOBMFF
import ReelTestSupport
import Testing

/// The dumps of androidx.media3's MP4 extractors.
@Suite(
  "MP4 files as media3 dumps them",
  .enabled(if: Places.sharedVectors != nil, "no shared vectors beside the checkout"))
struct ISOBMFFGoldenTests {
  static let folder = Places.sharedVectors?.appendingPathComponent("isobmff/androidx+media")

  /// Files that stand beside their dumps.
  static let files: [String] = {
    guard let folder,
      let dumps = try? FileManager.default.contentsOfDirectory(
        atPath: folder.appendingPathComponent("extractordumps/mp4").path)
    else { return [] }
    let names = dumps.filter { $0.hasSuffix(".0.dump") && !$0.contains(".reading_") }
      .map { String($0.dropLast(7)) }
    return names.filter { name in
      FileManager.default.fileExists(
        atPath: folder.appendingPathComponent("mp4/\(name)").path)
        && !leftOut.keys.contains(name)
    }.sorted()
  }()

  /// Files that are not compared, and why.
  private static let leftOut: [String: String] = [
    "sample_fragmented_sideloaded_track.mp4":
      "a media segment alone: its track comes from the caller, not from the file"
  ]

  /// Tracks whose samples differ on purpose, and why.
  private func difference(_ track: Track, _ name: String) -> String? {
    if track.isProtected {
      return "theirs put the encryption's header in front; ours are as stored"
    }
    switch track.codec.rawValue {
    case "mov_text", "webvtt", "ttml", "eia_608":
      return "theirs are cues made of the text; ours are the stored samples"
    case "ac4": return "theirs put a synchronization header in front of each frame"
    case "truehd": return "theirs gather sixteen frames into one sample"
    case let codec where codec.hasPrefix("pcm_"):
      return "theirs gather 8 KiB of sound into one sample, ours 1,024 moments as FFmpeg does"
    default: return nil
    }
  }

  private func open(_ name: String, step: Int = 0) throws -> (ISOBMFFDemuxer, ExtractorDump) {
    let folder = try #require(Self.folder)
    let bytes = [UInt8](try Data(contentsOf: folder.appendingPathComponent("mp4/\(name)")))
    #expect(ISOBMFFDemuxer.probe(Array(bytes.prefix(4096))))
    let dump = folder.appendingPathComponent("extractordumps/mp4/\(name).\(step).dump")
    return (
      try ISOBMFFDemuxer(source: MemorySource(bytes)), try ExtractorDump(contentsOf: dump)
    )
  }

  private func packets(_ demuxer: ISOBMFFDemuxer, _ index: Int) throws -> [Packet] {
    let reader = try demuxer.makePacketReader(trackIndices: [index])
    var packets: [Packet] = []
    while let packet = try reader.next() { packets.append(packet) }
    return packets
  }

  @Test("give the same samples at the same times", arguments: files)
  func sameSamples(name: String) throws {
    let (demuxer, dump) = try open(name)
    for golden in dump.tracks {
      let id = golden.format["id"].flatMap { Int($0) }
      // Theirs make tracks of the captions inside the video and of event messages.
      let madeUp = ["application/cea-608", "application/x-emsg"]
      guard !madeUp.contains(golden.format["sampleMimeType"] ?? "") else { continue }
      let index = try #require(
        demuxer.tracks.firstIndex { $0.id == id }, "track \(golden.format)")
      let track = demuxer.tracks[index]
      checkFormat(track, golden)
      let own = try packets(demuxer, index)
      if difference(track, name) != nil {
        // What the differences leave: the same bytes of sound in all, and some samples at all.
        if track.codec.rawValue.hasPrefix("pcm_") {
          #expect(
            own.reduce(0) { $0 + $1.data.count }
              == golden.samples.reduce(0) { $0 + $1.byteCount })
        }
        #expect(own.isEmpty == golden.samples.isEmpty)
        continue
      }
      try compare(own, golden, track)
    }
  }

  /// Their samples are a stretch of ours: what lies outside of the edits is left out.
  private func compare(_ own: [Packet], _ golden: ExtractorDump.Track, _ track: Track) throws {
    guard let first = golden.samples.first else {
      #expect(own.isEmpty, "track \(track.id)")
      return
    }
    let data = own.map { startCodes($0.data, track) }
    let start = try #require(
      data.firstIndex {
        $0.count == first.byteCount && ExtractorDump.hash($0) == first.hash
      }, "track \(track.id) has no such first sample")
    // Lead is what their times leave out: media time of an edit, less the empty edits before it.
    let firstTicks = try #require(own[start].presentationTicks)
    let lead = firstTicks * 1_000_000 / Int64(track.timescale) - first.time
    for (i, expected) in golden.samples.enumerated() {
      guard start + i < own.count else {
        Issue.record("track \(track.id) ends before sample \(i)")
        return
      }
      let packet = own[start + i]
      let place = "track \(track.id) sample \(i)"
      #expect(
        data[start + i].count == expected.byteCount
          && ExtractorDump.hash(data[start + i]) == expected.hash, "\(place)")
      #expect(packet.isSync == (expected.flags & 1 != 0), "\(place)")
      let time = (packet.presentationTicks ?? -1) * 1_000_000 / Int64(track.timescale)
      #expect(abs(time - lead - expected.time) <= 2, "\(place)")
    }
    checkLead(lead, track, omitted: own.count - golden.samples.count)
  }

  /// Their times begin where ours do less the edit list; sound keeps its delay for the decoder to drop.
  private func checkLead(_ lead: Int64, _ track: Track, omitted: Int) {
    var (delay, mediaStart): (Int64, Int64?) = (0, nil)
    for edit in track.edits {
      if let start = edit.mediaStart {
        mediaStart = start
        break
      }
      delay += edit.duration.convertScale(1_000_000).value
    }
    let shift = (mediaStart ?? 0) * 1_000_000 / Int64(track.timescale) - delay
    let isGapless = track.kind == .audio && track.edits.count == 1
    #expect(abs(lead - shift) <= 2 || (isGapless && lead == 0), "track \(track.id) lead \(lead)")
    if track.edits.isEmpty { #expect(omitted == 0, "track \(track.id)") }
  }

  /// Theirs replace lengths by start codes.
  private func startCodes(_ data: [UInt8], _ track: Track) -> [UInt8] {
    guard case .video(let format) = track.formats[0],
      case .lengthPrefixed(let width) = format.framing
    else { return data }
    var output: [UInt8] = []
    var i = 0
    while i + width <= data.count {
      let length = data[i..<i + width].reduce(0) { $0 << 8 | Int($1) }
      output += [0, 0, 0, 1] + data[(i + width)..<min(i + width + length, data.count)]
      i += width + length
    }
    return output
  }

  private func checkFormat(_ track: Track, _ golden: ExtractorDump.Track) {
    if let language = golden.format["language"], track.extendedLanguage == nil {
      // Theirs are of two letters where there are such.
      #expect(
        (track.language ?? "und").prefix(2) == language.prefix(2), "track \(track.id) language")
    }
    switch track.formats.first {
    case .video(let format):
      if let width = golden.format["width"], track.codec != .h264, track.codec != .hevc,
        track.codec != "av1"
      {
        #expect("\(format.width)" == width)
      }
      if let ratio = golden.format["pixelWidthHeightRatio"].flatMap(Double.init),
        format.pixelAspectRatio.denominator > 0
      {
        let own =
          Double(format.pixelAspectRatio.numerator) / Double(format.pixelAspectRatio.denominator)
        #expect(abs(own - ratio) < 0.01)
      }
    case .audio(let format) where track.codec == .aac || track.codec.rawValue.hasPrefix("pcm_"):
      if let rate = golden.format["sampleRate"] { #expect("\(format.sampleRate)" == rate) }
    default: break
    }
  }

  /// Their dumps .1 to .3 begin at the sync sample before a third of the length, or two, or all of it.
  @Test("seek to where the dumps begin", arguments: files, 1...3)
  func seeking(name: String, step: Int) throws {
    guard let (demuxer, dump) = try? open(name, step: step), let length = dump.duration else {
      return
    }
    // Theirs knows only the samples of the movie box where fragments follow it.
    if name == "sample_partially_fragmented.mp4" { return }
    let (_, begin) = try open(name)
    for golden in dump.tracks {
      guard let id = golden.format["id"].flatMap({ Int($0) }),
        let index = demuxer.tracks.firstIndex(where: { $0.id == id }),
        let expected = golden.samples.first,
        let first = begin.tracks.first(where: { $0.format["id"] == "\(id)" })?.samples.first
      else { continue }
      let track = demuxer.tracks[index]
      guard difference(track, name) == nil else { continue }
      // What their times leave out, told by the first sample of all.
      let own = try packets(demuxer, index)
      let start = try #require(
        own.first { ExtractorDump.hash(startCodes($0.data, track)) == first.hash })
      let lead = Self.microseconds(start, track) - first.time
      let reader = try demuxer.makePacketReader(trackIndices: [index])
      let time = Double(length * Int64(step) / 3 + lead)
      try reader.seek(
        trackIndex: index,
        toSyncAtOrBefore: Int64(time * Double(track.timescale) / 1_000_000))
      let packet = try #require(try reader.next())
      #expect(
        abs(Self.microseconds(packet, track) - lead - expected.time) <= 2, "\(name) track \(id)")
      #expect(ExtractorDump.hash(startCodes(packet.data, track)) == expected.hash)
    }
  }

  private static func microseconds(_ packet: Packet, _ track: Track) -> Int64 {
    (packet.presentationTicks ?? -1) * 1_000_000 / Int64(track.timescale)
  }
}
