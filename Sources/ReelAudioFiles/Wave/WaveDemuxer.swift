// WAVE files. RIFF MCI 1.0 §3; EBU Tech 3306 v1.1 (RF64, BW64).

import ReelAudioCore
public import ReelCore

/// A WAVE file: one track. Packets of PCM hold whole PCM frames, at most 4,096 bytes of them; those of
/// block formats one block; MPEG audio inside WAVE comes in frames.
public struct WaveDemuxer: Demuxer {
  /// For RIFF, RIFX, RF64 and BW64 alike.
  public let formatName = "wav"
  /// One audio track whose timescale is the sample rate.
  public let tracks: [Track]
  /// Length of the data by its format; indefinite where its bytes are not known.
  public let duration: MediaTime
  /// Of INFO lists and ID3v2 chunks, named as FFmpeg names them.
  public let tags: [Tag]
  /// Chunks and tags that break their rules.
  public let warnings: [MediaError]
  /// Pictures of an ID3v2 chunk.
  public let artwork: [Artwork]

  private let source: any ByteSource
  private let format: WaveFormat
  private let data: Range<Int64>
  private let frames: FrameStreamLayout?

  /// Whether `prefix`, the first bytes of an input, are of a WAVE file.
  public static func probe(_ prefix: [UInt8]) -> Bool { WaveChunks.probe(prefix) }

  /// Opens a file by reading its chunks.
  ///
  /// - Throws: `damaged` without a format or data; `limitExceeded`; what the source throws.
  public init(source: any ByteSource, limits: Limits = .standard) throws(MediaError) {
    let chunks = try WaveChunks(source, limits: limits)
    guard let format = chunks.format else { throw MediaError(.damaged, .waveFormat) }
    guard let data = chunks.data else { throw MediaError(.damaged, .waveData) }
    (self.source, self.format, self.data) = (source, format, data)
    frames = format.isMPEGAudio ? try Self.frames(source, data) : nil
    var track = Track(
      id: 0, kind: .audio, codec: frames?.first.codec ?? format.codec,
      timescale: Int32(clamping: format.sampleRate),
      formats: [.audio(frames?.first.format ?? format.audioFormat)])
    if let frames { track.timescale = Int32(clamping: max(frames.first.format.sampleRate, 1)) }
    Self.measure(&track, format, data, hasFrames: frames != nil)
    tracks = [track]
    duration = track.duration
    (tags, artwork) = (chunks.list.tags, chunks.list.artwork)
    warnings = chunks.faults + chunks.list.faults
  }

  /// LIMIT: frames are looked for in this many bytes.
  private static let searchByteCount: Int64 = 1 << 17

  private static func frames(
    _ source: any ByteSource, _ data: Range<Int64>
  ) throws(MediaError) -> FrameStreamLayout? {
    let length = data.upperBound - data.lowerBound
    let bytes = try source.readFully(
      at: data.lowerBound, count: Int(min(length, searchByteCount)))
    var layout = FrameStreamLayout(
      bytes, offset: data.lowerBound, isWhole: Int64(bytes.count) < searchByteCount)
    layout?.end = data.upperBound
    return layout
  }

  private static func measure(
    _ track: inout Track, _ format: WaveFormat, _ data: Range<Int64>, hasFrames: Bool
  ) {
    guard data.upperBound != .max else { return }
    let length = data.upperBound - data.lowerBound
    if !hasFrames, let samples = format.samplesPerBlock {
      let blocks = length / Int64(format.blockByteCount)
      let (ticks, overflow) = blocks.multipliedReportingOverflow(by: Int64(samples))
      if !overflow { track.mediaDuration = ticks }
    } else if format.bytesPerSecond > 0 {
      let product = Int128(length) * Int128(track.timescale) / Int128(format.bytesPerSecond)
      track.duration =
        Int64(exactly: product).map {
          MediaTime(value: $0, timescale: track.timescale)
        } ?? .indefinite
    }
    if let ticks = track.mediaDuration {
      track.duration = MediaTime(value: ticks, timescale: track.timescale)
    }
  }

  /// A reader from the first packet; `usage` for any track but number 0.
  public func makePacketReader(trackIndices: [Int]) throws(MediaError) -> any PacketReader {
    guard trackIndices.allSatisfy({ $0 == 0 }) else {
      throw MediaError(.usage, .audioTrackIndex, detail: "asked for \(trackIndices)")
    }
    if let frames {
      return FrameStreamReader(source: source, layout: frames, isEmpty: trackIndices.isEmpty)
    }
    return WaveReader(source: source, format: format, data: data, isEmpty: trackIndices.isEmpty)
  }
}
