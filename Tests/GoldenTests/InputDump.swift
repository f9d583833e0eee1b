// Everything an input holds, as text.

internal import Foundation
internal import ReelKit

/// Tracks, packets and frames of an input, one a line. Times are ticks of the track, frames' times
/// fractions of a second.
func dump(_ file: URL) throws -> String {
  let asset = try Asset.open(path: file.path)
  let demuxer = asset.demuxer
  var lines = ["format \(demuxer.formatName)", "duration \(demuxer.duration)"]
  for (index, track) in demuxer.tracks.enumerated() { lines += describe(track, index) }
  for tag in demuxer.tags { lines.append("tag \(tag.key) \(tag.value)") }
  for warning in demuxer.warnings { lines.append("warning \(warning)") }
  let reader = try demuxer.makePacketReader(trackIndices: Array(demuxer.tracks.indices))
  while let packet = try reader.next() {
    var md5 = MD5()
    md5.update(packet.data)
    lines.append(
      "packet \(packet.trackIndex) pts \(text(packet.presentationTicks)) "
        + "dts \(text(packet.decodeTicks)) duration \(text(packet.durationTicks)) "
        + "\(packet.isSync ? "sync " : "")\(packet.data.count) bytes at \(packet.position) "
        + "\(md5.finalize())")
  }
  let frames = try asset.makeLinearFrameReader()
  while let presented = try frames.next() { lines.append(describe(presented)) }
  for fault in frames.faults { lines.append("fault \(fault)") }
  return lines.joined(separator: "\n") + "\n"
}

private func text(_ ticks: Int64?) -> String { ticks.map { String($0) } ?? "none" }

private func describe(_ track: Track, _ index: Int) -> [String] {
  var lines = [
    "track \(index) id \(track.id) \(track.kind) \(track.codec) timescale \(track.timescale) "
      + "media \(text(track.mediaDuration)) duration \(track.duration) "
      + "samples \(track.sampleCount.map { String($0) } ?? "none")"
  ]
  for format in track.formats {
    guard case .video(let video) = format else { continue }
    var line = "  format \(video.sampleEntry.map(\.description) ?? "none") "
    line += "\(video.width)x\(video.height) pixels \(video.pixelAspectRatio)"
    if let colour = video.colour {
      line += " colour \(colour.primaries)/\(colour.transfer)/\(colour.matrix)"
      line += colour.isFullRange ? " full" : " studio"
    }
    lines.append(line)
  }
  for edit in track.edits {
    lines.append("  edit \(edit.duration) from \(text(edit.mediaStart)) rate \(edit.rate)")
  }
  return lines
}

private func describe(_ presented: PresentedFrame) -> String {
  let frame = presented.frame
  let layout = PixelLayout(frame)
  var line = "frame \(presented.number) of packet \(presented.sample) at \(presented.start) "
  line += "to \(presented.end) \(layout.width)x\(layout.height) \(layout.pixelFormatName) "
  line += "\(frame.fieldOrder == .progressive ? "" : "\(frame.fieldOrder) ")"
  line += "\(frame.isKeyFrame ? "key " : "")\(MD5.digest(of: frame))"
  if frame.concealedBlockCount > 0 { line += " concealed \(frame.concealedBlockCount)" }
  if frame.missingReferenceCount > 0 { line += " missing \(frame.missingReferenceCount)" }
  return line
}
