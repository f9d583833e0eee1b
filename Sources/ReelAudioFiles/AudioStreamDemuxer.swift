// Files of MPEG audio or AAC frames without a container, with the tags around them.

import ReelAudioCore
public import ReelCore

/// An audio stream: MPEG audio layers I to III, AAC behind ADTS headers, or AAC in LATM (LOAS).
///
/// One track; its packets are frames (AAC without ADTS or LATM headers), its times count samples. A
/// header frame of Xing, Info or VBRI is no packet. Where an encoder tells its delay and padding, the
/// edit presents the sound alone, the 529 samples that every layer III decoder is late included.
public struct AudioStreamDemuxer: Demuxer {
  /// `mp3`, `aac` or `loas`.
  public let formatName: String
  /// One audio track whose timescale is the sample rate.
  public let tracks: [Track]
  /// Length of the sound alone where an encoder tells delay and padding; indefinite where only
  /// reading a long stream to its end would tell.
  public let duration: MediaTime
  /// Of ID3v2, APE and ID3v1 tags and of the header frame; of a name that stands twice the first
  /// that is met counts.
  public let tags: [Tag]
  /// Tags that break their rules, and bytes before the first frame that belong to none.
  public let warnings: [MediaError]
  /// Pictures in the tags.
  public let artwork: [Artwork]
  /// The time of the first sample in 90 kHz, 33 bits, that Apple's tag of a packed audio segment of
  /// HLS tells. RFC 8216 §3.4. Packets count from 0 all the same.
  public let transportTimestamp: Int64?

  private let source: any ByteSource
  private let layout: FrameStreamLayout

  /// LIMIT: a stream without a header frame is read to its end to know its length when it is not
  /// longer than this.
  private static let measuredByteCount: Int64 = 1 << 26

  /// Whether `prefix`, the first bytes of an input, are of an audio stream.
  public static func probe(_ prefix: [UInt8]) -> Bool { FrameStreamLayout.probe(prefix) }

  /// Opens a stream: reads its tags, finds its frames and its length.
  ///
  /// - Throws: `damaged` when there are no frames; what the source throws.
  public init(source: any ByteSource, limits: Limits = .standard) throws(MediaError) {
    let range = try TaggedRange(source, limits: limits)
    guard var layout = try FrameStreamLayout(source, range) else {
      throw MediaError(
        .damaged, .audioFrames, at: .offset(range.start),
        advice: "check that the input is MPEG audio or AAC")
    }
    let header = layout.firstHeader.flatMap { VBRHeader(layout.first.data, $0) }
    if header != nil { layout.start += Int64(layout.first.byteCount) }
    (self.source, self.layout) = (source, layout)
    var track = Self.track(layout)
    try Self.measure(&track, layout, header, source)
    var list = range.list
    if let encoder = header?.encoder { list.add("encoder", encoder) }
    formatName = layout.framing == .mpegAudio ? "mp3" : layout.framing == .adts ? "aac" : "loas"
    (tracks, duration) = ([track], track.duration)
    (tags, artwork) = (list.tags, list.artwork)
    transportTimestamp = list.transportTimestamp
    warnings = list.faults + Self.warnings(layout)
  }

  private static func track(_ layout: FrameStreamLayout) -> Track {
    Track(
      id: 0, kind: .audio, codec: layout.first.codec,
      timescale: Int32(clamping: max(layout.first.format.sampleRate, 1)),
      formats: [.audio(layout.first.format)])
  }

  private static func warnings(_ layout: FrameStreamLayout) -> [MediaError] {
    guard layout.skippedByteCount > 0 else { return [] }
    return [
      MediaError(
        .damaged, .audioFrames, at: .offset(layout.start),
        detail: "\(layout.skippedByteCount) bytes before the first frame")
    ]
  }

  /// The length: told by the header frame, computed for a constant rate, else counted.
  private static func measure(
    _ track: inout Track, _ layout: FrameStreamLayout, _ header: VBRHeader?,
    _ source: any ByteSource
  ) throws(MediaError) {
    let samples = Int64(layout.sampleCount)
    if let header, let count = header.frameCount, isBelievable(header, layout) {
      track.sampleCount = count
      track.mediaDuration = Int64(count) * samples
    } else if let end = layout.end, let rate = layout.firstHeader?.bitRate, layout.isConstantRate {
      let bitsPerFrame = Int64(rate) * samples
      let bits = (end - layout.start) * 8 * Int64(track.timescale)
      // The last frame may lack its padding byte.
      let count = (bits + bitsPerFrame / 2) / bitsPerFrame
      track.mediaDuration = count * samples
    } else if let end = layout.end, end - layout.start <= measuredByteCount {
      let reader = FrameStreamReader(source: source, layout: layout)
      let measured = try reader.measureRest()
      (track.sampleCount, track.mediaDuration) = (measured.count, measured.ticks)
    }
    guard let length = track.mediaDuration else { return }
    track.duration = MediaTime(value: length, timescale: track.timescale)
    guard let header, let delay = header.encoderDelay, let padding = header.encoderPadding,
      header.frameCount == track.sampleCount
    else { return }
    let late = VBRHeader.decoderDelay
    let sound = length - Int64(delay + late) - Int64(max(padding - late, 0))
    guard sound > 0 else { return }
    track.duration = MediaTime(value: sound, timescale: track.timescale)
    track.edits = [TimelineEdit(duration: track.duration, mediaStart: Int64(delay + late))]
  }

  /// The frames that a header frame tells can be there: files are cut off more often than they end
  /// with less than nothing.
  private static func isBelievable(_ header: VBRHeader, _ layout: FrameStreamLayout) -> Bool {
    guard let end = layout.end, let count = header.frameCount else { return true }
    // The stated bytes count the header frame; a frame takes 24 bytes or more.
    let stated = max((header.byteCount ?? 0) - Int64(layout.first.byteCount), Int64(count) * 24)
    return stated <= end - layout.start
  }

  /// A reader from the first frame; `usage` for any track but number 0. It has no index: a seek
  /// goes to a frame by its time and finds the next header.
  public func makePacketReader(trackIndices: [Int]) throws(MediaError) -> any PacketReader {
    guard trackIndices.allSatisfy({ $0 == 0 }) else {
      throw MediaError(.usage, .audioTrackIndex, detail: "asked for \(trackIndices)")
    }
    return FrameStreamReader(source: source, layout: layout, isEmpty: trackIndices.isEmpty)
  }
}
