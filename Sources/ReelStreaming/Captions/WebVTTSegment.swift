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
        formats: [.subtitle(SubtitleFormat())])
    ]
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

/// Cues as packets: their text with its marks.
private final class WebVTTReader: PacketReader {
  private let segment: WebVTTSegment
  private var position = 0

  init(_ segment: WebVTTSegment) { self.segment = segment }

  func next() throws(MediaError) -> Packet? {
    guard position < segment.file.cues.count else { return nil }
    let cue = segment.file.cues[position]
    var packet = Packet(trackIndex: 0, data: Array(cue.source.utf8))
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
