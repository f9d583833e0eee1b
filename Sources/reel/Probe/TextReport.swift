// The report of `reel probe` for people.

import ReelCore
import ReelKit
import ReelRendering

struct TextReport {
  private let asset: Asset
  private let name: String

  init(_ asset: Asset, name: String) {
    self.asset = asset
    self.name = name
  }

  func write(to output: FileOutput, withPackets: Bool) throws(MediaError) {
    let demuxer = asset.demuxer
    var text = "\(name): \(demuxer.formatName)"
    if let seconds = demuxer.duration.secondsText { text += ", \(seconds) s" }
    text += demuxer.tracks.count == 1 ? ", 1 track\n" : ", \(demuxer.tracks.count) tracks\n"
    for (index, track) in demuxer.tracks.enumerated() {
      text += "  track \(index): \(Self.line(TrackFacts(track)))\n"
      for tag in track.tags { text += "    \(tag.key): \(tag.value.oneLine)\n" }
    }
    for tag in demuxer.tags { text += "  \(tag.key): \(tag.value.oneLine)\n" }
    for warning in demuxer.warnings { text += "  warning: \("\(warning)".oneLine)\n" }
    try output.write([UInt8](text.utf8))
    if withPackets { try writePackets(to: output) }
  }

  private static func line(_ facts: TrackFacts) -> String {
    let track = facts.track
    var parts = ["\(track.kind.rawValue) \(track.codec)"]
    if let code = facts.sampleEntry { parts[0] += " (\(code))" }
    if let video = facts.video {
      if video.width > 0 { parts.append("\(video.width)x\(video.height)") }
      let aspect = video.pixelAspectRatio
      if aspect.numerator > 0 && aspect.numerator != aspect.denominator {
        parts.append("pixels \(aspect)")
      }
      if let rate = facts.averageRate { parts.append("\(rate.shortDecimal) fps") }
    }
    if let audio = facts.audio {
      if audio.sampleRate > 0 { parts.append("\(audio.sampleRate) Hz") }
      if audio.channelCount > 0 {
        parts.append("\(audio.channelCount) channel\(audio.channelCount == 1 ? "" : "s")")
      }
    }
    if let count = track.sampleCount { parts.append("\(count) samples") }
    if let seconds = track.duration.secondsText { parts.append("\(seconds) s") }
    if track.edits.count > 0 { parts.append("\(track.edits.count) edits") }
    if let language = track.language { parts.append(language) }
    if !track.isEnabled { parts.append("disabled") }
    if track.isProtected { parts.append("encrypted") }
    return parts.joined(separator: ", ")
  }

  private func writePackets(to output: FileOutput) throws(MediaError) {
    try output.write([UInt8]("  packets: track pts dts duration bytes sync offset\n".utf8))
    let reader = try asset.demuxer.makePacketReader(trackIndices: Array(asset.tracks.indices))
    while let packet = try reader.nextHeader() {
      let times = [packet.presentationTicks, packet.decodeTicks, packet.durationTicks]
        .map { $0.map { String($0) } ?? "-" }.joined(separator: " ")
      let line =
        "  \(packet.trackIndex) \(times) \(packet.byteCount) \(packet.isSync ? "K" : "-") "
        + "\(packet.position)\n"
      try output.write([UInt8](line.utf8))
    }
  }
}

extension String {
  /// The text with line breaks and other control characters as blanks.
  var oneLine: String {
    String(
      String.UnicodeScalarView(unicodeScalars.map { $0.value < 32 || $0.value == 127 ? " " : $0 }))
  }
}
