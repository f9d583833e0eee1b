// Subtitle tracks inside of containers.

public import ReelAssets
public import ReelCaptions
public import ReelCore

/// Reads the text tracks of assets.
public enum EmbeddedSubtitles {
  /// LIMIT: as a file of captions.
  private static let mostBytes = 64 << 20

  /// All cues of a track, on the presentation's timeline.
  ///
  /// Samples that are damaged are passed over.
  ///
  /// - Parameter index: of the track in the asset's `tracks`.
  /// - Throws: `usage` when there is no such subtitle track, `unsupported` for pictures and TTML,
  ///   `protected`, `limitExceeded`, and what the container throws.
  public static func track(_ asset: Asset, index: Int) throws(MediaError) -> CaptionTrack {
    guard asset.tracks.indices.contains(index), asset.tracks[index].kind == .subtitle else {
      throw MediaError(
        .usage, .subtitleTrack, detail: "track \(index)",
        advice: "reel probe lists the tracks: "
          + list(asset.trackIndices(.subtitle).map { "track:\($0)" }))
    }
    let track = asset.tracks[index]
    guard !track.isProtected else { throw MediaError(.protected, .assetProtected) }
    guard var reader = TextSampleReader(track, videoSize: videoSize(asset)) else {
      throw MediaError(
        .unsupported, .subtitleCodec, detail: "track \(index) is \(track.codec)")
    }
    let packets = try asset.demuxer.makePacketReader(trackIndices: [index])
    var bytes = 0
    while let packet = try packets.next() {
      bytes += packet.data.count
      guard bytes <= mostBytes else { throw MediaError(.limitExceeded, .captionSize) }
      reader.take(packet)
      guard reader.cues.count <= CaptionTrack.mostCues else {
        throw MediaError(.limitExceeded, .captionCount)
      }
    }
    let times = PresentedTimes(track, origin: asset.demuxer.presentationOrigin)
    var cues: [Cue] = []
    for cue in reader.finish() {
      cues += times.present(cue)
      guard cues.count <= CaptionTrack.mostCues else {
        throw MediaError(.limitExceeded, .captionCount)
      }
    }
    return CaptionTrack(cues)
  }

  private static func list(_ names: [String]) -> String {
    names.isEmpty ? "it has no subtitles" : names.joined(separator: ", ")
  }

  private static func videoSize(_ asset: Asset) -> (Int, Int) {
    guard let index = asset.videoTrackIndex, let format = asset.tracks[index].formats.first,
      case .video(let video) = format
    else { return (0, 0) }
    return (video.width, video.height)
  }
}

/// Makes cues of the samples of a track.
private struct TextSampleReader {
  private enum Form {
    case timedText(TimedTextEntry)
    case webVTTSamples(header: [UInt8])
    case webVTTBlocks(header: [UInt8])
    case subRip
    case subStationAlpha
    case line21(CEA608Decoder)
  }
  private var form: Form
  private let timescale: Int32
  private let size: (width: Int, height: Int)
  private(set) var cues: [Cue] = []
  /// Cues whose end is that of the next sample.
  private var openFrom: Int?
  private var lastTime = MediaTime.zero

  init?(_ track: Track, videoSize: (Int, Int)) {
    var configuration: [UInt8] = []
    var isISO = false
    if let format = track.formats.first, case .subtitle(let text) = format {
      configuration = text.configuration
      isISO = text.sampleEntry != nil
    }
    switch track.codec {
    case "mov_text":
      form = .timedText(
        (try? TimedTextEntry(parsing: configuration, videoHeight: videoSize.1)) ?? TimedTextEntry())
    case "webvtt":
      form =
        isISO
        ? .webVTTSamples(header: configuration)
        : .webVTTBlocks(header: configuration)
    case "subrip": form = .subRip
    case "ass": form = .subStationAlpha
    case "eia_608": form = .line21(CEA608Decoder(channel: .cc1))
    default: return nil
    }
    timescale = track.timescale
    size = videoSize
  }

  mutating func take(_ packet: Packet) {
    guard let ticks = packet.presentationTicks ?? packet.decodeTicks else { return }
    let start = MediaTime(value: ticks, timescale: timescale)
    if let from = openFrom {
      for i in from..<cues.count { cues[i].end = start }
      openFrom = nil
    }
    let length = packet.durationTicks ?? 0
    let sum = ticks.addingReportingOverflow(max(length, 0))
    let end = MediaTime(value: sum.overflow ? .max : sum.partialValue, timescale: timescale)
    lastTime = max(lastTime, end)
    let before = cues.count
    // A damaged sample is one text less.
    for cue in (try? read(packet.data, start, end)) ?? [] { add(cue) }
    if length == 0, cues.count > before { openFrom = before }
  }

  /// A cue that goes on in the next sample is one cue. ISO/IEC 14496-30:2018 §7.3.
  private mutating func add(_ cue: Cue) {
    if case .webVTTSamples = form {
      for i in cues.indices.suffix(16).reversed() where cues[i].end == cue.start {
        var longer = cues[i]
        (longer.start, longer.end) = (cue.start, cue.end)
        if longer == cue {
          cues[i].end = cue.end
          return
        }
      }
    }
    cues.append(cue)
  }

  private mutating func read(
    _ data: [UInt8], _ start: MediaTime, _ end: MediaTime
  ) throws(MediaError) -> [Cue] {
    switch form {
    case .timedText(let entry):
      return [
        try TimedTextSample.cue(
          parsing: data, entry: entry, start: start, end: end, width: size.width,
          height: size.height)
      ].compactMap { $0 }
    case .webVTTSamples(let header):
      return try WebVTTSample.cues(parsing: data, header: header, start: start, end: end)
    case .webVTTBlocks(let header):
      // Matroska's own form has the file's header; that of WebM has none, but two lines before each text.
      return [
        try WebVTTSample.cue(
          block: data, header: header, hasCueHeader: header.isEmpty, start: start, end: end)
      ]
    case .subRip: return [try SubRipFile.cue(text: data, start: start, end: end)]
    case .subStationAlpha:
      return [try SubStationAlphaEvent.cue(parsing: data, start: start, end: end)].compactMap { $0 }
    case .line21(var decoder):
      decoder.decode(CaptionPair.pairs(inSample: data), at: start)
      form = .line21(decoder)
      return []
    }
  }

  mutating func finish() -> [Cue] {
    if case .line21(var decoder) = form { return decoder.finish(at: lastTime) }
    if let from = openFrom {
      for i in from..<cues.count { cues[i].end = .positiveInfinity }
    }
    return cues
  }
}
