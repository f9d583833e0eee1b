// Tracks as the layers above see them.

import ReelCore

/// A track and what its blocks need.
struct MatroskaTrack: Sendable {
  let number: Int
  /// Nanoseconds of a frame: DefaultDuration, or what the codec's frames always last.
  let frameNanoseconds: Int64?
  let strippedHeader: [UInt8]
  /// Frames are compressed in a way that is not undone: there are no packets.
  let isCompressed: Bool
  let codecPrivate: [UInt8]

  init(_ entry: TrackEntry, codec: CodecID) {
    number = entry.number
    strippedHeader = entry.encodings.strippedHeader
    isCompressed = entry.encodings.isCompressed
    codecPrivate = entry.codecPrivate
    frameNanoseconds = entry.defaultDuration ?? Self.codecNanoseconds(entry, codec)
  }

  private static func codecNanoseconds(_ entry: TrackEntry, _ codec: CodecID) -> Int64? {
    let rate = entry.audio.samplingFrequency
    guard entry.type == 2, rate >= 1, rate <= 1e6 else { return nil }
    let samples: Int64? =
      switch codec {
      case .mp3: rate < 32_000 ? 576 : 1152
      case "mp2": 1152
      case "ac3": 1536
      case .aac: 1024
      default: nil
      }
    return samples.map { $0 * 1_000_000_000 / Int64(rate) }
  }
}

extension TrackEntry {
  /// The track, its times in the ticks of `info`.
  func track(_ info: SegmentInfo, _ tags: SegmentTags) -> Track {
    let codec = MatroskaCodec(self)
    var track = Track(
      id: number, kind: codec.kind, codec: codec.codec, timescale: info.timescale,
      formats: [format(codec)])
    track.isEnabled = isEnabled
    track.isProtected = encodings.isEncrypted
    track.duration = info.length
    let code = languageBCP47.isEmpty ? language : languageBCP47
    track.language = code == "und" || code.isEmpty ? nil : code
    if !name.isEmpty { track.tags.append(Tag("title", name)) }
    if uid != 0 { track.tags += tags.trackTags.filter { $0.uid == uid }.map(\.tag) }
    if codec.kind == .video {
      track.matrix = rotation
      track.averageFrameRate = defaultDuration.flatMap { Self.rate(nanoseconds: $0) }
      track.commonFrameRate = track.averageFrameRate
    }
    if codecDelay > 0, info.length.isNumeric {
      let delay = info.ticks(nanoseconds: codecDelay)
      track.edits = [TimelineEdit(duration: info.length, mediaStart: delay)]
    }
    return track
  }

  /// Frames a second that last so long each: the fraction of terms up to 30,000 that is nearest, since
  /// a duration in whole nanoseconds is rounded.
  private static func rate(nanoseconds: Int64) -> Ratio? {
    guard nanoseconds > 0 else { return nil }
    // Convergents of the continued fraction of 10⁹ ÷ nanoseconds.
    var (n, d) = (Int64(1_000_000_000), nanoseconds)
    var (numerators, denominators) = ((Int64(0), Int64(1)), (Int64(1), Int64(0)))
    while d > 0 {
      let (next, overflow) = (n / d).multipliedReportingOverflow(by: numerators.1)
      let numerator = next + numerators.0
      let denominator = n / d * denominators.1 + denominators.0
      guard !overflow, numerator <= 30_000, denominator <= 30_000 else { break }
      numerators = (numerators.1, numerator)
      denominators = (denominators.1, denominator)
      (n, d) = (d, n % d)
    }
    guard numerators.1 > 0, denominators.1 > 0 else { return nil }
    return Ratio(Int(numerators.1), Int(denominators.1))
  }

  private func format(_ codec: MatroskaCodec) -> TrackFormat {
    switch codec.kind {
    case .video: .video(videoFormat(codec.codec))
    case .audio: .audio(audioFormat(codec.codec))
    // What the samples of other text tracks need is in themselves.
    case .subtitle where codec.codec == "webvtt":
      .subtitle(SubtitleFormat(configuration: codecPrivate))
    default: .other(sampleEntry: nil)
    }
  }

  private func videoFormat(_ codec: CodecID) -> VideoFormat {
    var format = VideoFormat()
    format.width = video.pixelWidth
    format.height = video.pixelHeight
    format.pixelAspectRatio = video.pixelAspectRatio
    format.colour = video.colour
    format.configuration =
      codecID == "V_MS/VFW/FOURCC" ? BitmapInfo(codecPrivate)?.extra ?? [] : codecPrivate
    let bytes = format.configuration
    // avcC and hvcC begin with version 1; anything else is a byte stream's headers.
    if codec == .h264, bytes.count >= 7, bytes[0] == 1 {
      format.framing = .lengthPrefixed(bytes: Int(bytes[4] & 3) + 1)
    } else if codec == .hevc, bytes.count >= 23, bytes[0] == 1 {
      format.framing = .lengthPrefixed(bytes: Int(bytes[21] & 3) + 1)
    }
    return format
  }

  private func audioFormat(_ codec: CodecID) -> AudioFormat {
    var format = AudioFormat()
    let rate = audio.samplingFrequency
    format.sampleRate = rate >= 1 && rate <= Double(Int32.max) ? Int(rate) : 0
    format.channelCount = audio.channels
    format.bitsPerSample = audio.bitDepth
    format.configuration = codecPrivate
    if codec == .aac, codecPrivate.isEmpty { format.configuration = specificConfig(format) }
    return format
  }

  /// The AudioSpecificConfig of old files, which told the profile in the codec's name alone:
  /// `A_AAC/MPEG2/LC/SBR`. ISO/IEC 14496-3:2019 §1.6.2.1.
  private func specificConfig(_ format: AudioFormat) -> [UInt8] {
    let rates = [
      96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000,
      7350,
    ]
    guard let index = rates.firstIndex(of: format.sampleRate), (1...7).contains(format.channelCount)
    else { return [] }
    let type =
      codecID.contains("MAIN") ? 1 : codecID.contains("SSR") ? 3 : codecID.contains("LTP") ? 4 : 2
    return [UInt8(type << 3 | index >> 1), UInt8((index & 1) << 7 | format.channelCount << 3)]
  }

  /// Turns by quarters: of a projection, or as HTC's phones told them in the track's name.
  private var rotation: [Int32]? {
    let one: Int32 = 1 << 16
    let turn: Double =
      if video.projectionType == 0, video.poseRoll != 0 {
        // The roll is counter-clockwise, display matrices turn clockwise.
        (360 - video.poseRoll).truncatingRemainder(dividingBy: 360)
      } else {
        ["htc_video_rotA-090": 90, "htc_video_rotA-180": 180, "htc_video_rotA-270": 270][name] ?? 0
      }
    return switch turn {
    case 90: [0, one, 0, -one, 0, 0, 0, 0, 1 << 30]
    case 180: [-one, 0, 0, 0, -one, 0, 0, 0, 1 << 30]
    case 270: [0, -one, 0, one, 0, 0, 0, 0, 1 << 30]
    default: nil
    }
  }
}

extension VideoSettings {
  /// The shape of a pixel; unknown where the display size is not told or makes no ratio.
  var pixelAspectRatio: Ratio {
    let width = pixelWidth - crop.left - crop.right
    let height = pixelHeight - crop.top - crop.bottom
    guard displayUnit < 4, let displayWidth, let displayHeight, width > 0, height > 0,
      displayWidth > 0, displayHeight > 0
    else { return .unknown }
    // Sides have at most 17 bits.
    let (a, b) = (displayWidth * height, displayHeight * width)
    var (x, y) = (a, b)
    while y != 0 { (x, y) = (y, x % y) }
    return Ratio(a / x, b / x)
  }
}
