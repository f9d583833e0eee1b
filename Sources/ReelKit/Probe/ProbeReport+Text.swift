// A report for people.

public import ReelCore

extension ProbeReport {
  /// Writes the report as text: a line for the input, one for each stream, then what was asked for.
  ///
  /// - Throws: what reading packets or the sink throws.
  public func writeText(to sink: Sink) throws(MediaError) {
    var lines = [headline]
    for tag in asset?.demuxer.tags ?? [] where !Self.technicalTags.contains(tag.key) {
      lines.append("  \(tag.key): \(tag.value)")
    }
    lines += playlistLines
    lines += streams.map(line)
    for chapter in chapters {
      lines.append(
        "  chapter \(chapter.start.decimalSeconds)–\(chapter.end.decimalSeconds) s  \(chapter.title)"
      )
    }
    for node in structure { lines += self.lines(node, depth: 1) }
    for fault in faults { lines.append("  ! \(fault)") }
    try sink(Array((lines.joined(separator: "\n") + "\n").utf8))
    if options.listsPackets { try writePacketLines(sink) }
  }

  /// The report as text in one piece.
  ///
  /// - Throws: as ``writeText(to:)``.
  public func text() throws(MediaError) -> String {
    var text: [UInt8] = []
    try writeText { (bytes) throws(MediaError) in text += bytes }
    return String(decoding: text, as: UTF8.self)
  }

  private static let technicalTags: Set<String> = [
    "major_brand", "minor_version", "compatible_brands",
  ]

  private var headline: String {
    var parts = [name]
    if let asset {
      parts.append(
        CodecDescription.formatLongNames[asset.demuxer.formatName] ?? asset.demuxer.formatName)
      if duration.isNumeric { parts.append("\(duration.decimalSeconds) s") }
    } else {
      parts.append("cannot be opened")
    }
    if let byteCount { parts.append("\(byteCount) bytes") }
    if let rate = bitRate { parts.append("\((rate + 500) / 1000) kb/s") }
    return parts.joined(separator: "  ")
  }

  private func line(_ stream: ProbeStream) -> String {
    let track = stream.track
    var parts = ["  #\(stream.index)", track.kind.rawValue, track.codec.rawValue]
    if let profile = stream.video?.profile ?? stream.audio?.profile { parts.append(profile) }
    if let video = stream.video {
      parts.append("\(video.width)x\(video.height)")
      if let format = video.pixelFormat { parts.append(format) }
      if let rate = track.averageFrameRate { parts.append("\(Self.decimal(rate)) fps") }
      if let rotation = stream.rotation { parts.append("rotated by \(rotation) degrees") }
    }
    if let audio = stream.audio {
      parts.append("\(audio.sampleRate) Hz")
      parts.append(audio.layout ?? "\(audio.channelCount) channels")
    }
    if let ticks = stream.durationTicks {
      parts.append("\(MediaTime(value: ticks, timescale: track.timescale).decimalSeconds) s")
    }
    if let count = track.sampleCount {
      let shown = stream.presentedFrameCount
      parts.append(
        shown == nil || shown == count
          ? "\(count) samples" : "\(count) samples, \(shown ?? 0) shown")
    }
    if let rate = stream.bitRate { parts.append("\((rate + 500) / 1000) kb/s") }
    if let language = track.extendedLanguage ?? track.language { parts.append("[\(language)]") }
    if let protection = track.protection {
      parts.append("encrypted (\(protection.scheme.map { "\($0)" } ?? "unknown scheme"))")
    }
    if !track.isEnabled { parts.append("disabled") }
    return parts.joined(separator: "  ")
  }

  /// A rate with up to three decimals.
  private static func decimal(_ rate: Ratio) -> String {
    guard rate.denominator > 0 else { return "0" }
    let thousandths =
      (Int128(rate.numerator) * 2000 + Int128(rate.denominator)) / (Int128(rate.denominator) * 2)
    var text = "\(thousandths / 1000)"
    let rest = Int(thousandths % 1000)
    if rest > 0 {
      var digits = "\(rest + 1000)".dropFirst()
      while digits.last == "0" { digits.removeLast() }
      text += "." + digits
    }
    return text
  }

  /// One line a packet: stream, pts, dts, duration, size, position, flags.
  private func writePacketLines(_ sink: Sink) throws(MediaError) {
    guard let asset else { return }
    let reader = try asset.demuxer.makePacketReader(trackIndices: Array(asset.tracks.indices))
    var lines = "stream\tpts\tdts\tduration\tsize\tpos\tflags\n"
    while let header = try reader.nextHeader() {
      let numbers = [header.presentationTicks, header.decodeTicks, header.durationTicks].map {
        $0.map { "\($0)" } ?? "N/A"
      }
      lines += "\(header.trackIndex)\t\(numbers.joined(separator: "\t"))\t\(header.byteCount)"
      lines += "\t\(header.position)\t\(header.isSync ? "K" : "_")\n"
      if lines.utf8.count > 1 << 16 {
        try sink(Array(lines.utf8))
        lines = ""
      }
    }
    try sink(Array(lines.utf8))
  }
}
