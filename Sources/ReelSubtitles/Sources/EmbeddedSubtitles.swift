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
  /// - Parameters:
  ///   - index: of the track in the asset's `tracks`.
  ///   - channel: which captions of a track of line 21; nil: the first channel that has some.
  /// - Throws: `usage` when there is no such subtitle track or channel, `unsupported` for pictures and
  ///   TTML, `protected`, `limitExceeded`, and what the container throws.
  public static func track(
    _ asset: Asset, index: Int, channel: CEA608Channel? = nil
  ) throws(MediaError) -> CaptionTrack {
    guard asset.tracks.indices.contains(index), asset.tracks[index].kind == .subtitle else {
      throw MediaError(
        .usage, .subtitleTrack, detail: "track \(index)",
        advice: "reel probe lists the tracks: "
          + list(asset.trackIndices(.subtitle).map { "track:\($0)" }))
    }
    let track = asset.tracks[index]
    guard !track.isProtected else { throw MediaError(.protected, .assetProtected) }
    guard channel == nil || track.codec == TextSampleReader.line21Codec else {
      throw MediaError(
        .usage, .subtitleChannel, detail: "track \(index) is \(track.codec)",
        advice: "name the track alone: track:\(index)")
    }
    guard var reader = TextSampleReader(track, videoSize: videoSize(asset), channel: channel)
    else {
      throw MediaError(
        .unsupported, .subtitleCodec, detail: "track \(index) is \(track.codec)")
    }
    let packets = try asset.demuxer.makePacketReader(trackIndices: [index])
    var bytes = 0
    while let packet = try packets.next() {
      bytes += packet.data.count
      guard bytes <= mostBytes else { throw MediaError(.limitExceeded, .captionSize) }
      try reader.take(packet)
      guard reader.cues.count <= CaptionTrack.mostCues else {
        throw MediaError(.limitExceeded, .captionCount)
      }
    }
    let times = PresentedTimes(track, origin: asset.demuxer.presentationOrigin)
    return CaptionTrack(try times.present(all: reader.finish()))
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
    case webVTTSamples
    /// `hasCueHeader`: lines for the identifier and the settings come before each text.
    case webVTTBlocks(hasCueHeader: Bool)
    case subRip
    case subStationAlpha
    case line21
  }
  private let form: Form
  /// Of line 21, one a channel that is asked for. Not a part of the form, whose copy would copy all cues
  /// with each sample.
  private var decoders: [CEA608Decoder] = []
  private var webVTT = WebVTTSampleReader()
  private let timescale: Int32
  private let size: (width: Int, height: Int)
  private(set) var cues: [Cue] = []
  /// Cues whose end is that of the next sample.
  private var openFrom: Int?
  private var lastTime = MediaTime.zero

  static let line21Codec: CodecID = "eia_608"

  init?(_ track: Track, videoSize: (Int, Int), channel: CEA608Channel?) {
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
      // Matroska's own form has the file's header; that of WebM has none.
      form = isISO ? .webVTTSamples : .webVTTBlocks(hasCueHeader: configuration.isEmpty)
      webVTT = WebVTTSampleReader(header: configuration)
    case "subrip": form = .subRip
    case "ass": form = .subStationAlpha
    case Self.line21Codec:
      form = .line21
      let channels = channel.map { [$0] } ?? CEA608Channel.allCases
      decoders = channels.map { CEA608Decoder(channel: $0) }
    default: return nil
    }
    timescale = track.timescale
    size = videoSize
  }

  mutating func take(_ packet: Packet) throws(MediaError) {
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
    if case .line21 = form {
      let pairs = CaptionPair.pairs(inSample: packet.data)
      for i in decoders.indices { try decoders[i].decode(pairs, at: start) }
      return
    }
    let before = cues.count
    do throws(MediaError) {
      for cue in try read(packet.data, start, end) { add(cue) }
    } catch {
      // A damaged sample is one text less.
      if error.rule == .captionStyles { throw error }
    }
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
    case .webVTTSamples: return try webVTT.cues(parsing: data, start: start, end: end)
    case .webVTTBlocks(let hasCueHeader):
      return [try webVTT.cue(block: data, hasCueHeader: hasCueHeader, start: start, end: end)]
    case .subRip: return [try SubRipFile.cue(text: data, start: start, end: end)]
    case .subStationAlpha:
      return [try SubStationAlphaEvent.cue(parsing: data, start: start, end: end)].compactMap { $0 }
    case .line21: return []
    }
  }

  mutating func finish() throws(MediaError) -> [Cue] {
    if case .line21 = form {
      for i in decoders.indices {
        let cues = try decoders[i].finish(at: lastTime)
        if !cues.isEmpty { return cues }
      }
      return []
    }
    if let from = openFrom {
      for i in from..<cues.count { cues[i].end = .positiveInfinity }
    }
    return cues
  }
}
