// The report of `reel probe` for programs.

import ReelCore
import ReelKit
import ReelRendering

struct JSONReport {
  private let asset: Asset
  private let name: String

  init(_ asset: Asset, name: String) {
    self.asset = asset
    self.name = name
  }

  func write(to output: FileOutput, withPackets: Bool) throws(MediaError) {
    let demuxer = asset.demuxer
    var json = JSONWriter(compactDepth: 3)
    json.open(nil, "{")
    json.object("format") { json in
      json.string("name", demuxer.formatName)
      json.string("file", name)
      json.time("duration", demuxer.duration)
    }
    json.array("tracks") { json in
      for (index, track) in demuxer.tracks.enumerated() {
        json.object { Self.write(TrackFacts(track), index, &$0) }
      }
    }
    json.object("tags") { json in
      for tag in demuxer.tags { json.string(tag.key, tag.value) }
    }
    json.array("warnings") { json in
      for warning in demuxer.warnings {
        json.object { json in
          json.string("rule", warning.rule.code)
          json.string("text", "\(warning)")
        }
      }
    }
    if withPackets { try writePackets(&json, to: output) }
    json.close("}")
    try output.write([UInt8](json.text.utf8))
  }

  private static func write(_ facts: TrackFacts, _ index: Int, _ json: inout JSONWriter) {
    let track = facts.track
    json.number("index", index)
    json.number("id", track.id)
    json.string("kind", track.kind.rawValue)
    json.string("codec", track.codec.rawValue)
    if let code = facts.sampleEntry { json.string("sampleEntry", code.description) }
    json.number("timescale", track.timescale)
    json.time("duration", track.duration)
    if let ticks = track.mediaDuration { json.number("mediaTicks", ticks) }
    if let count = track.sampleCount { json.number("samples", count) }
    if let video = facts.video {
      json.number("width", video.width)
      json.number("height", video.height)
      let aspect = video.pixelAspectRatio
      if aspect.numerator > 0 { json.string("pixelAspectRatio", aspect.description) }
      if let rate = facts.averageRate { json.string("averageRate", rate.fraction) }
      if let colour = video.colour {
        json.object("colour") { json in
          json.number("primaries", colour.primaries)
          json.number("transfer", colour.transfer)
          json.number("matrix", colour.matrix)
          json.bool("fullRange", colour.isFullRange)
        }
      }
    }
    if let audio = facts.audio {
      json.number("sampleRate", audio.sampleRate)
      json.number("channels", audio.channelCount)
    }
    if let language = track.language { json.string("language", language) }
    json.bool("enabled", track.isEnabled)
    json.bool("protected", track.isProtected)
    writeEdits(track, &json)
    if !track.tags.isEmpty {
      json.object("tags") { json in for tag in track.tags { json.string(tag.key, tag.value) } }
    }
  }

  private static func writeEdits(_ track: Track, _ json: inout JSONWriter) {
    guard !track.edits.isEmpty else { return }
    json.array("edits") { json in
      for edit in track.edits {
        json.object { json in
          json.time("duration", edit.duration)
          if let start = edit.mediaStart { json.number("mediaStart", start) }
          json.literal("rate", Rational(Int(edit.rate), 65536).shortDecimal)
        }
      }
    }
  }

  private func writePackets(_ json: inout JSONWriter, to output: FileOutput) throws(MediaError) {
    json.open("packets", "[")
    let reader = try asset.demuxer.makePacketReader(trackIndices: Array(asset.tracks.indices))
    while let packet = try reader.nextHeader() {
      json.object { json in
        json.number("track", packet.trackIndex)
        if let ticks = packet.presentationTicks { json.number("pts", ticks) }
        if let ticks = packet.decodeTicks { json.number("dts", ticks) }
        if let ticks = packet.durationTicks { json.number("duration", ticks) }
        json.number("bytes", packet.byteCount)
        json.bool("sync", packet.isSync)
        json.number("offset", packet.position)
      }
      if json.text.utf8.count > 1 << 16 { try output.write([UInt8](json.take().utf8)) }
    }
    json.close("]")
  }
}

extension JSONWriter {
  /// A time as ticks, ticks a second, and seconds; nothing when it is no number.
  mutating func time(_ name: String, _ time: MediaTime) {
    guard let seconds = time.secondsText else { return }
    object(name) { json in
      json.number("ticks", time.value)
      json.number("timescale", time.timescale)
      json.literal("seconds", seconds)
    }
  }
}

extension Rational {
  /// `numerator/denominator`.
  var fraction: String { "\(numerator)/\(denominator)" }
}
