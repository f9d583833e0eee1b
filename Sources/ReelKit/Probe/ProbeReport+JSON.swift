// A report as JSON with ffprobe's names.

public import ReelCore
import ReelISOBMFF

extension ProbeReport {
  /// Where a report goes, piece by piece.
  public typealias Sink = (_ bytes: [UInt8]) throws(MediaError) -> Void

  /// Writes the report as JSON: `packets` when asked for, `streams`, `chapters`, `format`, `boxes` when
  /// asked for, and `faults` when there are some. Names, units and texts are those of ffprobe; what
  /// ffprobe does not have is told in CHANGELOG and help.
  ///
  /// - Throws: what reading packets or the sink throws.
  public func writeJSON(to sink: Sink) throws(MediaError) {
    var writer = JSONWriter()
    writer.beginObject()
    if options.listsPackets { try writePackets(&writer, sink) }
    writePlaylist(&writer)
    if asset != nil {
      writer.beginArray("streams")
      for stream in streams { write(stream, &writer) }
      for (index, picture) in pictures.enumerated() {
        write(picture, index: streams.count + index, &writer)
      }
      writer.endArray()
      if !chapters.isEmpty { writeChapters(&writer) }
    }
    writeFormat(&writer)
    if options.showsStructure {
      writer.beginArray("boxes")
      for node in structure {
        try write(node, &writer, sink)
      }
      writer.endArray()
    }
    writeFaults(&writer)
    writer.endObject()
    try sink(writer.bytes)
  }

  /// The report as JSON in one piece.
  ///
  /// - Throws: as ``writeJSON(to:)``.
  public func json() throws(MediaError) -> String {
    var text: [UInt8] = []
    try writeJSON { (bytes) throws(MediaError) in text += bytes }
    return String(decoding: text, as: UTF8.self)
  }

  // MARK: Streams

  private func write(_ stream: ProbeStream, _ writer: inout JSONWriter) {
    let track = stream.track
    writer.beginObject()
    writer.member("index", stream.index)
    writer.member("codec_name", track.codec.rawValue)
    if let name = CodecDescription.longNames[track.codec.rawValue] {
      writer.member("codec_long_name", name)
    }
    if let profile = stream.video?.profile ?? stream.audio?.profile {
      writer.member("profile", profile)
    }
    writer.member("codec_type", track.kind == .metadata ? "data" : track.kind.rawValue)
    if let entry = stream.sampleEntry {
      writer.member("codec_tag_string", entry.tagText)
      writer.member("codec_tag", entry.tagNumber)
    }
    writeVideo(stream, &writer)
    writeAudio(stream, &writer)
    writeTimes(stream, &writer)
    writeDisposition(stream, &writer)
    writeTags(stream, &writer)
    writeSideData(stream, &writer)
    writer.endObject()
  }

  private func writeVideo(_ stream: ProbeStream, _ writer: inout JSONWriter) {
    guard let video = stream.video, case .video(let format) = stream.track.formats.first
    else { return }
    writer.member("width", video.width)
    writer.member("height", video.height)
    if format.width > 0 && format.height > 0 {
      writer.member("coded_width", format.width)
      writer.member("coded_height", format.height)
    }
    if let count = video.reorderCount { writer.member("has_b_frames", count) }
    let ratio = video.pixelAspectRatio
    if ratio.numerator > 0, ratio.denominator > 0 {
      writer.member("sample_aspect_ratio", "\(ratio)")
      writer.member("display_aspect_ratio", Self.displayRatio(video))
    }
    if let format = video.pixelFormat { writer.member("pix_fmt", format) }
    if let level = video.level { writer.member("level", level) }
    if let colour = video.colour { write(colour, &writer) }
    if let location = video.chromaLocation {
      writer.member("chroma_location", CodecDescription.chromaLocations[Int(min(location, 5))])
    }
    switch format.fieldOrder ?? (video.isProgressive == true ? .progressive : nil) {
    case .progressive: writer.member("field_order", "progressive")
    case .topFieldFirst: writer.member("field_order", "tt")
    case .bottomFieldFirst: writer.member("field_order", "bb")
    case nil: break
    }
    if let count = video.referenceCount { writer.member("refs", count) }
    if case .lengthPrefixed(let bytes) = format.framing {
      writer.member("is_avc", "true")
      writer.member("nal_length_size", quoting: bytes)
    }
  }

  private static func displayRatio(_ video: VideoDetails) -> String {
    let ratio =
      Rational(video.width * video.pixelAspectRatio.numerator, 1)
      / Rational(max(video.height * video.pixelAspectRatio.denominator, 1), 1)
    return "\(ratio.numerator):\(ratio.denominator)"
  }

  private func write(_ colour: ColourDescription, _ writer: inout JSONWriter) {
    writer.member("color_range", colour.isFullRange ? "pc" : "tv")
    if let name = CodecDescription.matrices[colour.matrix] { writer.member("color_space", name) }
    if let name = CodecDescription.transfers[colour.transfer] {
      writer.member("color_transfer", name)
    }
    if let name = CodecDescription.primaries[colour.primaries] {
      writer.member("color_primaries", name)
    }
  }

  private func writeAudio(_ stream: ProbeStream, _ writer: inout JSONWriter) {
    guard let audio = stream.audio else { return }
    if let format = audio.sampleFormat { writer.member("sample_fmt", format) }
    writer.member("sample_rate", quoting: audio.sampleRate)
    writer.member("channels", audio.channelCount)
    if let layout = audio.layout { writer.member("channel_layout", layout) }
    writer.member("bits_per_sample", audio.bitsPerSample)
  }

  private func writeTimes(_ stream: ProbeStream, _ writer: inout JSONWriter) {
    let track = stream.track
    writer.member("id", "0x" + String(track.id, radix: 16))
    let hasRate = track.kind == .video
    writer.member("r_frame_rate", Self.text(hasRate ? track.commonFrameRate : nil))
    writer.member("avg_frame_rate", Self.text(hasRate ? track.averageFrameRate : nil))
    writer.member("time_base", "1/\(track.timescale)")
    if let start = stream.startTicks {
      writer.member("start_pts", start)
      writer.member(
        "start_time", secondsOf: MediaTime(value: start, timescale: track.timescale))
    }
    if let duration = stream.durationTicks {
      writer.member("duration_ts", duration)
      writer.member(
        "duration", secondsOf: MediaTime(value: duration, timescale: track.timescale))
    }
    if let rate = stream.bitRate { writer.member("bit_rate", quoting: rate) }
    if let depth = stream.video?.bitDepth { writer.member("bits_per_raw_sample", quoting: depth) }
    if let count = track.declaredSampleCount { writer.member("nb_frames", quoting: count) }
    if let count = stream.readablePacketCount {
      writer.member("nb_read_packets", quoting: count)
    }
    if let count = stream.presentedFrameCount {
      writer.member("nb_presented_frames", quoting: count)
    }
    if stream.configurationByteCount > 0 {
      writer.member("extradata_size", stream.configurationByteCount)
    }
  }

  private static func text(_ rate: Ratio?) -> String {
    rate.map { "\($0.numerator)/\($0.denominator)" } ?? "0/0"
  }

  private func writeDisposition(_ stream: ProbeStream, _ writer: inout JSONWriter) {
    writer.beginObject("disposition")
    writer.member("default", stream.track.isEnabled ? 1 : 0)
    for name in Self.dispositions { writer.member(name, 0) }
    writer.endObject()
  }

  /// Covers, which ffprobe lists as streams of one picture. Those of no known kind are left out.
  private var pictures: [Artwork] {
    (asset?.demuxer.artwork ?? []).filter { $0.codec != .unknown }
  }

  private func write(_ picture: Artwork, index: Int, _ writer: inout JSONWriter) {
    let details = ArtworkDetails(picture)
    writer.beginObject()
    writer.member("index", index)
    writer.member("codec_name", picture.codec.rawValue)
    if let name = CodecDescription.longNames[picture.codec.rawValue] {
      writer.member("codec_long_name", name)
    }
    writer.member("codec_type", "video")
    writer.member("width", details.width)
    writer.member("height", details.height)
    writer.member("r_frame_rate", "90000/1")
    writer.member("avg_frame_rate", "0/0")
    writer.member("time_base", "1/90000")
    writer.beginObject("disposition")
    writer.member("default", 0)
    for name in Self.dispositions { writer.member(name, name == "attached_pic" ? 1 : 0) }
    writer.endObject()
    writer.endObject()
  }

  /// What ffprobe knows besides and no container of ours tells.
  private static let dispositions = [
    "dub", "original", "comment", "lyrics", "karaoke", "forced", "hearing_impaired",
    "visual_impaired", "clean_effects", "attached_pic", "timed_thumbnails", "captions",
    "descriptions", "metadata", "dependent", "still_image",
  ]

  private func writeTags(_ stream: ProbeStream, _ writer: inout JSONWriter) {
    let track = stream.track
    guard !track.tags.isEmpty || track.language != nil else { return }
    writer.beginObject("tags")
    var seen: Set<String> = []
    if let language = track.extendedLanguage ?? track.language ?? unspecifiedLanguage {
      writer.member("language", language)
      seen.insert("language")
    }
    for tag in track.tags where seen.insert(tag.key).inserted {
      writer.member(tag.key, tag.value)
    }
    writer.endObject()
  }

  /// Formats that always state a language state "und" for none.
  private var unspecifiedLanguage: String? {
    asset?.demuxer is ISOBMFFDemuxer ? "und" : nil
  }

  private func writeSideData(_ stream: ProbeStream, _ writer: inout JSONWriter) {
    let format: VideoFormat? =
      if case .video(let format) = stream.track.formats.first { format } else { nil }
    guard
      stream.track.matrix != nil || stream.track.protection != nil
        || format?.masteringDisplay != nil || format?.contentLightLevel != nil
    else { return }
    writer.beginArray("side_data_list")
    if let matrix = stream.track.matrix {
      writer.beginObject()
      writer.member("side_data_type", "Display Matrix")
      writer.member("displaymatrix", Self.text(matrix))
      if let rotation = stream.rotation { writer.member("rotation", rotation) }
      writer.endObject()
    }
    if let display = format?.masteringDisplay { write(display, &writer) }
    if let level = format?.contentLightLevel {
      writer.beginObject()
      writer.member("side_data_type", "Content light level metadata")
      writer.member("max_content", level.maximumContentLight)
      writer.member("max_average", level.maximumFrameAverageLight)
      writer.endObject()
    }
    if let protection = stream.track.protection { write(protection, &writer) }
    writer.endArray()
  }

  private func write(_ protection: ContentProtection, _ writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("side_data_type", "Encryption")
    if let scheme = protection.scheme { writer.member("scheme", "\(scheme)") }
    if !protection.keyID.isEmpty {
      writer.member(
        "key_id",
        protection.keyID.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())
    }
    writer.endObject()
  }

  private func write(_ display: MasteringDisplay, _ writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("side_data_type", "Mastering display metadata")
    for (name, index) in [("red", 2), ("green", 0), ("blue", 1)]
    where display.primaries.indices.contains(index) {
      writer.member("\(name)_x", "\(display.primaries[index].x)/50000")
      writer.member("\(name)_y", "\(display.primaries[index].y)/50000")
    }
    writer.member("white_point_x", "\(display.whitePoint.x)/50000")
    writer.member("white_point_y", "\(display.whitePoint.y)/50000")
    writer.member("min_luminance", "\(display.minimumLuminance)/10000")
    writer.member("max_luminance", "\(display.maximumLuminance)/10000")
    writer.endObject()
  }

  /// Three lines of three numbers, right-aligned in twelve columns.
  private static func text(_ matrix: [Int32]) -> String {
    var text = "\n"
    for row in 0..<3 {
      text += "0000000\(row):"
      for column in 0..<3 {
        let number = "\(matrix[row * 3 + column])"
        text += String(repeating: " ", count: max(12 - number.count, 1)) + number
      }
      text += "\n"
    }
    return text
  }

  // MARK: The rest

  private func writeChapters(_ writer: inout JSONWriter) {
    writer.beginArray("chapters")
    for (index, chapter) in chapters.enumerated() {
      writer.beginObject()
      writer.member("id", index)
      if chapter.start.isNumeric {
        writer.member("time_base", "1/\(chapter.start.timescale)")
        writer.member("start", chapter.start.value)
      }
      writer.member("start_time", secondsOf: chapter.start)
      let end = chapter.end.convertScale(chapter.start.isNumeric ? chapter.start.timescale : 1)
      if end.isNumeric { writer.member("end", end.value) }
      writer.member("end_time", secondsOf: chapter.end)
      writer.beginObject("tags")
      writer.member("title", chapter.title)
      writer.endObject()
      writer.endObject()
    }
    writer.endArray()
  }

  private func writeFormat(_ writer: inout JSONWriter) {
    writer.beginObject("format")
    writer.member("filename", name)
    if let asset {
      writer.member("nb_streams", streams.count + pictures.count)
      writer.member("nb_programs", 0)
      writer.member("format_name", asset.demuxer.formatName)
      if let longName = CodecDescription.formatLongNames[asset.demuxer.formatName] {
        writer.member("format_long_name", longName)
      }
      if let start = startTime { writer.member("start_time", secondsOf: start) }
      writer.member("duration", secondsOf: duration)
    }
    if let byteCount { writer.member("size", quoting: byteCount) }
    if let rate = bitRate { writer.member("bit_rate", quoting: rate) }
    if let asset, !asset.demuxer.tags.isEmpty {
      writer.beginObject("tags")
      var seen: Set<String> = []
      for tag in asset.demuxer.tags where seen.insert(tag.key).inserted {
        writer.member(tag.key, tag.value)
      }
      writer.endObject()
    }
    writer.endObject()
  }

  /// The earliest begin of a stream.
  var startTime: MediaTime? {
    streams.compactMap { stream in
      stream.startTicks.map { MediaTime(value: $0, timescale: stream.track.timescale) }
    }.min()
  }

  private func writeFaults(_ writer: inout JSONWriter) {
    guard !faults.isEmpty else { return }
    writer.beginArray("faults")
    for fault in faults {
      writer.beginObject()
      writer.member("family", fault.family.rawValue)
      writer.member("rule", fault.rule.code)
      writer.member("text", fault.rule.text)
      if !fault.rule.clause.isEmpty { writer.member("clause", fault.rule.clause) }
      switch fault.place {
      case .offset(let offset): writer.member("offset", offset)
      case .box(let path, let offset):
        writer.member("path", path)
        writer.member("offset", offset)
      case .unknown: break
      default: writer.member("place", fault.place.description)
      }
      if !fault.detail.isEmpty { writer.member("detail", fault.detail) }
      writer.endObject()
    }
    writer.endArray()
  }
}

extension FourCC {
  /// As FFmpeg prints tags: letters, digits and a few signs, others as `[N]`.
  var tagText: String {
    var text = ""
    for shift in [24, 16, 8, 0] as [UInt32] {
      let byte = UInt8(truncatingIfNeeded: rawValue >> shift)
      let isPlain =
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
        || (0x61...0x7A).contains(byte) || [0x20, 0x2D, 0x2E, 0x5F].contains(byte)
      if isPlain { text.unicodeScalars.append(Unicode.Scalar(byte)) } else { text += "[\(byte)]" }
    }
    return text
  }

  /// As FFmpeg numbers tags: the first character in the lowest byte.
  var tagNumber: String {
    let digits = String(rawValue.byteSwapped, radix: 16)
    return "0x" + String(repeating: "0", count: max(4 - digits.count, 0)) + digits
  }
}
