// Segments of subtitles. RFC 8216 §3.5.

import ReelCaptions
import ReelCore

/// A WebVTT segment as a container of one track, its times in the clock of the transport stream.
struct WebVTTSegment: Demuxer {
  let formatName = "webvtt"
  let tracks: [Track]
  let duration = MediaTime.indefinite
  let tags: [Tag] = []
  let warnings: [MediaError] = []
  let file: WebVTTFile
  /// Transport time of cue time 0, 90 kHz.
  let transportOrigin: Int64
  private let byteCount: Int

  static let timescale: Int32 = 90_000

  /// Nil for bytes that are no WebVTT.
  init?(_ bytes: [UInt8]) throws(MediaError) {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let start = bytes.starts(with: mark) ? mark.count : 0
    guard bytes[start...].starts(with: "WEBVTT".utf8) else { return nil }
    file = try WebVTTFile(parsing: bytes)
    byteCount = bytes.count
    // Without a map, cue time 0 is transport time 0.
    let map = file.timestampMap
    let local = map.map { $0.local.convertScale(Self.timescale).value } ?? 0
    transportOrigin = (map?.transport ?? 0).subtractingReportingOverflow(local).partialValue
    tracks = [
      Track(
        id: 1, kind: .subtitle, codec: "webvtt", timescale: Self.timescale,
        formats: [
          .subtitle(
            SubtitleFormat(sampleEntry: "wvtt", configuration: Self.header(bytes[start...])))
        ])
    ]
  }

  /// Everything before the first cue: what styles and regions apply.
  private static func header(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var (header, block): ([UInt8], [UInt8]) = ([], [])
    for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
      let own = line.last == 0x0D ? line.dropLast() : line
      if own.isEmpty {
        header += block + [0x0A]
        block = []
      } else if own.hasArrow {
        return header
      } else {
        block += own + [0x0A]
      }
    }
    return header + block
  }

  var opened: OpenedSegment {
    // A segment without cues still lies somewhere: where its map says.
    let first = file.cues.map(\.start).min().map { ticks($0) }
    let start = Rational(first ?? file.timestampMap?.transport ?? 0, Self.timescale)
    return OpenedSegment(demuxer: self, mediaStart: start, byteCount: byteCount)
  }

  /// Transport time of a cue's time.
  func ticks(_ time: MediaTime) -> Int64 {
    transportOrigin.addingReportingOverflow(time.convertScale(Self.timescale).value).partialValue
  }

  func makePacketReader(trackIndices: [Int]) throws(MediaError) -> any PacketReader {
    WebVTTReader(self)
  }
}

extension ArraySlice<UInt8> {
  /// It has `-->`, which only lines of times have.
  fileprivate var hasArrow: Bool {
    zip(self, zip(dropFirst(), dropFirst(2))).contains { $0 == 0x2D && $1 == (0x2D, 0x3E) }
  }
}

/// Cues as samples of ISO/IEC 14496-30:2018 §7.3, which keep identifiers and settings beside the text.
private enum CueSample {
  static func bytes(_ cue: Cue) -> [UInt8] {
    var content: [UInt8] = []
    if !cue.id.isEmpty { content += box("iden", Array(cue.id.utf8)) }
    let settings = settings(cue)
    if !settings.isEmpty { content += box("sttg", Array(settings.utf8)) }
    return box("vttc", content + box("payl", Array(cue.source.utf8)))
  }

  private static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
    let size = UInt32(clamping: content.count + 8)
    return (0..<4).map { UInt8(truncatingIfNeeded: size >> (24 - 8 * $0)) } + Array(type.utf8)
      + content
  }

  /// The settings as WebVTT §3.4 writes them; those that are the default are left out.
  private static func settings(_ cue: Cue) -> String {
    let (own, usual) = (cue.settings, CueSettings())
    var words: [String] = []
    if own.writingDirection != .horizontal {
      words.append("vertical:\(own.writingDirection.rawValue)")
    }
    let alignment =
      own.lineAlignment == usual.lineAlignment ? "" : ",\(own.lineAlignment.rawValue)"
    switch own.line {
    case .automatic: break
    case .number(let number): words.append("line:\(number)\(alignment)")
    case .percentage(let number): words.append("line:\(number)%\(alignment)")
    }
    if let position = own.position {
      let alignment =
        own.positionAlignment == .automatic ? "" : ",\(own.positionAlignment.rawValue)"
      words.append("position:\(position)%\(alignment)")
    }
    if own.size != usual.size { words.append("size:\(own.size)%") }
    if own.textAlignment != usual.textAlignment {
      words.append("align:\(own.textAlignment.rawValue)")
    }
    if let region = cue.region, !region.id.isEmpty { words.append("region:\(region.id)") }
    return words.joined(separator: " ")
  }
}

/// Cues as packets.
private final class WebVTTReader: PacketReader {
  private let segment: WebVTTSegment
  private var position = 0

  init(_ segment: WebVTTSegment) { self.segment = segment }

  func next() throws(MediaError) -> Packet? {
    guard position < segment.file.cues.count else { return nil }
    let cue = segment.file.cues[position]
    var packet = Packet(trackIndex: 0, data: CueSample.bytes(cue))
    packet.number = position
    packet.presentationTicks = segment.ticks(cue.start)
    packet.decodeTicks = packet.presentationTicks
    packet.durationTicks = max(segment.ticks(cue.end) - segment.ticks(cue.start), 0)
    packet.isSync = true
    position += 1
    return packet
  }

  func seek(trackIndex: Int, toSyncAtOrBefore ticks: Int64) throws(MediaError) {
    let later = segment.file.cues.firstIndex { segment.ticks($0.start) > ticks }
    position = max((later ?? segment.file.cues.count) - 1, 0)
  }
}
