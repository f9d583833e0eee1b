// What a playlist says of itself.

import ReelCore
import ReelHLS

extension ProbeReport {
  /// Lines of text on a playlist.
  var playlistLines: [String] {
    switch playlist {
    case nil: []
    case .master(let master): lines(master)
    case .media(let media): lines(media)
    }
  }

  private func lines(_ master: MasterPlaylist) -> [String] {
    var lines = ["  master playlist, version \(master.header.version ?? 1)"]
    for (index, variant) in master.variants.enumerated() {
      let mark = index == variantIndex ? "*" : " "
      var parts = ["  \(mark) variant \(index)"] + Self.parts(variant.stream)
      if let rate = variant.frameRate { parts.append("\(rate) fps") }
      for (name, group) in [("audio", variant.audio), ("subtitles", variant.subtitles)] {
        if let group { parts.append("\(name) \"\(group)\"") }
      }
      lines.append((parts + [variant.uri]).joined(separator: "  "))
    }
    for rendition in master.renditions {
      var parts = ["    rendition", rendition.type.rawValue, "\"\(rendition.groupID)\""]
      parts.append("\"\(rendition.name)\"")
      if let language = rendition.language { parts.append("[\(language)]") }
      if rendition.isDefault { parts.append("default") }
      lines.append((parts + [rendition.uri ?? "in the variants"]).joined(separator: "  "))
    }
    for variant in master.iFrameVariants {
      lines.append(
        (["    I-frames"] + Self.parts(variant.stream) + [variant.uri]).joined(separator: "  "))
    }
    return lines
  }

  private static func parts(_ stream: StreamDescription) -> [String] {
    var parts = ["\((stream.bandwidth + 500) / 1000) kb/s"]
    if let size = stream.resolution { parts.append("\(size)") }
    if !stream.codecs.isEmpty { parts.append(stream.codecs.joined(separator: ",")) }
    return parts
  }

  private func lines(_ media: MediaPlaylist) -> [String] {
    var parts = ["  media playlist, version \(media.header.version ?? 1)"]
    parts.append(media.kindText)
    parts.append("\(media.segments.count) segments")
    parts.append("\(MediaTime(media.duration).decimalSeconds) s")
    if let target = media.targetDuration { parts.append("target \(target) s") }
    parts.append("from number \(media.mediaSequence)")
    let discontinuities = media.segments.count { $0.isDiscontinuity }
    if discontinuities > 0 { parts.append("\(discontinuities) discontinuities") }
    let gaps = media.segments.count { $0.isGap }
    if gaps > 0 { parts.append("\(gaps) gaps") }
    for method in media.methods { parts.append("encrypted (\(method))") }
    return [parts.joined(separator: "  ")]
  }

  // MARK: JSON

  /// The member `playlist`.
  func writePlaylist(_ writer: inout JSONWriter) {
    guard let playlist else { return }
    writer.beginObject("playlist")
    switch playlist {
    case .master(let master): write(master, &writer)
    case .media(let media): write(media, &writer)
    }
    writer.endObject()
  }

  private func write(_ master: MasterPlaylist, _ writer: inout JSONWriter) {
    writer.member("type", "master")
    writer.member("version", master.header.version ?? 1)
    if let variantIndex { writer.member("opened_variant", variantIndex) }
    writer.beginArray("variants")
    for variant in master.variants {
      writer.beginObject()
      writer.member("uri", variant.uri)
      write(variant.stream, &writer)
      if let rate = variant.frameRate { writer.member("frame_rate", "\(rate)") }
      if let group = variant.audio { writer.member("audio", group) }
      if let group = variant.subtitles { writer.member("subtitles", group) }
      writer.endObject()
    }
    writer.endArray()
    writer.beginArray("iframe_variants")
    for variant in master.iFrameVariants {
      writer.beginObject()
      writer.member("uri", variant.uri)
      write(variant.stream, &writer)
      writer.endObject()
    }
    writer.endArray()
    writer.beginArray("renditions")
    for rendition in master.renditions {
      writer.beginObject()
      writer.member("type", rendition.type.rawValue)
      writer.member("group_id", rendition.groupID)
      writer.member("name", rendition.name)
      if let uri = rendition.uri { writer.member("uri", uri) }
      if let language = rendition.language { writer.member("language", language) }
      writer.member("default", rendition.isDefault ? 1 : 0)
      writer.member("autoselect", rendition.isAutoselect ? 1 : 0)
      writer.member("forced", rendition.isForced ? 1 : 0)
      writer.endObject()
    }
    writer.endArray()
  }

  private func write(_ stream: StreamDescription, _ writer: inout JSONWriter) {
    writer.member("bandwidth", stream.bandwidth)
    if let average = stream.averageBandwidth { writer.member("average_bandwidth", average) }
    if !stream.codecs.isEmpty { writer.member("codecs", stream.codecs.joined(separator: ",")) }
    if let size = stream.resolution {
      writer.member("width", size.width)
      writer.member("height", size.height)
    }
    if let group = stream.video { writer.member("video", group) }
  }

  private func write(_ media: MediaPlaylist, _ writer: inout JSONWriter) {
    writer.member("type", "media")
    writer.member("version", media.header.version ?? 1)
    writer.member("kind", media.kindText)
    if let target = media.targetDuration { writer.member("target_duration", target) }
    writer.member("media_sequence", media.mediaSequence)
    writer.member("discontinuity_sequence", media.discontinuitySequence)
    writer.member("duration", MediaTime(media.duration).decimalSeconds)
    writer.member("nb_segments", media.segments.count)
    if let skip = media.skip { writer.member("nb_skipped_segments", skip.segmentCount) }
    writer.beginArray("segments")
    for (index, segment) in media.segments.enumerated() { write(segment, index, media, &writer) }
    writer.endArray()
  }

  private func write(
    _ segment: Segment, _ index: Int, _ media: MediaPlaylist, _ writer: inout JSONWriter
  ) {
    writer.beginObject()
    writer.member("number", media.mediaSequenceNumber(ofSegmentAt: index))
    writer.member("uri", segment.uri)
    writer.member("duration", "\(segment.duration)")
    if let range = segment.byteRange {
      writer.member("offset", range.offset)
      writer.member("size", range.length)
    }
    if segment.isDiscontinuity { writer.member("discontinuity", 1) }
    if segment.isGap { writer.member("gap", 1) }
    if let section = segment.initializationSection { writer.member("map", section.uri) }
    if let key = segment.keys.first { writer.member("key_method", key.method.name) }
    if let date = segment.programDateTime { writer.member("program_date_time", "\(date)") }
    if !segment.parts.isEmpty { writer.member("nb_parts", segment.parts.count) }
    writer.endObject()
  }
}

extension MediaPlaylist {
  /// `VOD`, `EVENT` or `live`.
  fileprivate var kindText: String { kind?.rawValue ?? (isEnded ? "VOD" : "live") }

  /// Names of the encryption methods, each once, in order.
  fileprivate var methods: [String] {
    var names: [String] = []
    for segment in segments {
      for key in segment.keys where !names.contains(key.method.name) {
        names.append(key.method.name)
      }
    }
    return names
  }
}
