// The list of packets.

import ReelAssets
import ReelCore
import ReelRendering

extension ProbeReport {
  /// Writes the packets of all tracks in file order, handing the bytes on as they pile up.
  func writePackets(_ writer: inout JSONWriter, _ sink: Sink) throws(MediaError) {
    writer.beginArray("packets")
    if let asset {
      let lines = asset.tracks.indices.map { PacketLines(asset.tracks[$0], index: $0) }
      let reader = try asset.demuxer.makePacketReader(
        trackIndices: Array(asset.tracks.indices))
      var isFirst = true
      while let (header, hash) = try nextPacket(reader) {
        guard lines.indices.contains(header.trackIndex) else { continue }
        lines[header.trackIndex].write(header, hash: hash, isFirst: isFirst, &writer)
        isFirst = false
        if writer.bytes.count > 1 << 16 {
          try sink(writer.bytes)
          writer.removeAll()
        }
      }
      if !isFirst { writer.append(raw: Array("\n    ".utf8)) }
    }
    writer.endArray()
  }

  /// The next packet; the list ends where the input cannot be read on.
  private func nextPacket(
    _ reader: any PacketReader
  ) throws(MediaError) -> (PacketHeader, [UInt8]?)? {
    do {
      if options.hashesPackets {
        return try reader.next().map { packet in
          var hash = MD5()
          hash.update(packet.data)
          return (packet.header, Array(hash.finalize().description.utf8))
        }
      }
      return try reader.nextHeader().map { ($0, nil) }
    } catch {
      guard error.family == .damaged || error.family == .needsMoreData else { throw error }
      return nil
    }
  }
}

/// The lines of a track's packets: their constant parts are made once.
private struct PacketLines {
  private let head: [UInt8]
  private let shift: Int64
  private let edits: [Range<Int64>]
  private let timescale: Int32

  init(_ track: Track, index: Int) {
    timescale = track.timescale
    let kind = track.kind == .metadata ? "data" : track.kind.rawValue
    head = Array(
      """
              {
                  "codec_type": "\(kind)",
                  "stream_index": \(index)
      """.utf8)
    (shift, edits) = Self.presentation(track)
  }

  /// What to add to media times for presentation times, by the first edit, and the media of all edits.
  private static func presentation(_ track: Track) -> (Int64, [Range<Int64>]) {
    var shift: Int64?
    var delay = Rational.zero
    var ranges: [Range<Int64>] = []
    for edit in track.edits {
      let length = Rational(edit.duration) ?? .zero
      if let start = edit.mediaStart {
        let ticks = delay.ticks(timescale: track.timescale, rounding: .standard).value
        shift = shift ?? ticks.subtractingReportingOverflow(start).partialValue
        let rate = Rational(Int(max(edit.rate, 0)), 65536)
        let media = (length * rate).ticks(timescale: track.timescale, rounding: .standard).value
        let (end, overflow) = start.addingReportingOverflow(media)
        ranges.append(start..<(length > .zero && !overflow ? max(end, start) : .max))
      }
      delay += length
    }
    return (shift ?? 0, ranges)
  }

  func write(
    _ header: PacketHeader, hash: [UInt8]?, isFirst: Bool, _ writer: inout JSONWriter
  ) {
    writer.append(raw: isFirst ? Self.firstLine : Self.nextLine)
    writer.append(raw: head)
    write(Self.pts, Self.ptsTime, header.presentationTicks, shifted: true, &writer)
    write(Self.dts, Self.dtsTime, header.decodeTicks, shifted: true, &writer)
    write(Self.duration, Self.durationTime, header.durationTicks, shifted: false, &writer)
    writer.append(raw: Self.size)
    writer.append(Int64(header.byteCount))
    if header.position >= 0 {
      writer.append(raw: Self.position)
      writer.append(header.position)
    }
    writer.append(raw: Self.flags)
    writer.append(raw: [header.isSync ? 0x4B : 0x5F, isShown(header) ? 0x5F : 0x44])
    if let hash {
      writer.append(raw: Self.hash)
      writer.append(raw: hash)
    }
    writer.append(raw: Self.end)
  }

  private func write(
    _ key: [UInt8], _ timeKey: [UInt8], _ ticks: Int64?, shifted: Bool,
    _ writer: inout JSONWriter
  ) {
    guard let ticks else { return }
    let value = shifted ? ticks.addingReportingOverflow(shift).partialValue : ticks
    writer.append(raw: key)
    writer.append(value)
    writer.append(raw: timeKey)
    writer.append(secondsOf: value, timescale: timescale)
    writer.append(raw: Self.quote)
  }

  private func isShown(_ header: PacketHeader) -> Bool {
    guard !edits.isEmpty, let ticks = header.presentationTicks else { return true }
    for range in edits where range.contains(ticks) { return true }
    return false
  }

  private static let indent = "            "
  private static let firstLine = Array("\n".utf8)
  private static let nextLine = Array(",\n".utf8)
  private static let pts = Array(",\n\(indent)\"pts\": ".utf8)
  private static let ptsTime = Array(",\n\(indent)\"pts_time\": \"".utf8)
  private static let dts = Array(",\n\(indent)\"dts\": ".utf8)
  private static let dtsTime = Array(",\n\(indent)\"dts_time\": \"".utf8)
  private static let duration = Array(",\n\(indent)\"duration\": ".utf8)
  private static let durationTime = Array(",\n\(indent)\"duration_time\": \"".utf8)
  private static let quote = Array("\"".utf8)
  private static let size = Array(",\n\(indent)\"size\": \"".utf8)
  private static let position = Array("\",\n\(indent)\"pos\": \"".utf8)
  private static let flags = Array("\",\n\(indent)\"flags\": \"".utf8)
  private static let hash = Array("\",\n\(indent)\"data_hash\": \"MD5:".utf8)
  private static let end = Array("\"\n        }".utf8)
}
