// HEVC byte streams without a container. ISO/IEC 23008-2:2020 Annex B.

public import ReelCore
import ReelVideoCore

/// An HEVC byte stream: one track whose packets are access units with their start codes.
///
/// A byte stream has no presentation times. Where the parameter sets tell the length of a tick,
/// packets have durations and decode times that count from 0; otherwise they have none.
public struct HEVCStreamDemuxer: Demuxer {
  /// Start codes, not lengths, are meant.
  public let formatName = "hevc"
  /// One video track; its timescale is that of the parameter sets, or 1,200,000 without one.
  public let tracks: [Track]
  /// A byte stream does not tell its length.
  public let duration = MediaTime.indefinite
  /// A byte stream has no room for any.
  public let tags: [Tag] = []
  /// What is wrong with a unit is for the decoder to say.
  public let warnings: [MediaError] = []

  private let source: any ByteSource
  private let limits: Limits

  /// LIMIT: parameter sets are looked for in this many bytes from the start.
  private static let openingBytes: Int64 = 1 << 20

  /// Whether `prefix`, the first bytes of an input, look like an HEVC byte stream.
  public static func probe(_ prefix: [UInt8]) -> Bool { HEVCStreamProbe.matches(prefix) }

  /// Opens the stream by reading up to its first parameter sets.
  ///
  /// - Throws: `damaged` when no start code is near the start; what the source throws.
  public init(source: any ByteSource, limits: Limits = .standard) throws(MediaError) {
    self.source = source
    self.limits = limits
    let detector = HEVCAccessUnitDetector(startsAtCRA: false)
    var assembler = AccessUnitAssembler(detector, limits: limits)
    var hasStarted = false
    while detector.sequence == nil, assembler.endOffset < Self.openingBytes {
      let bytes = try source.read(at: assembler.endOffset, count: 1 << 14)
      if bytes.isEmpty {
        while try assembler.finish() != nil { hasStarted = true }
        break
      }
      assembler.append(bytes)
      while try assembler.next() != nil { hasStarted = true }
      hasStarted = hasStarted || assembler.hasStarted
    }
    guard hasStarted else {
      throw MediaError(
        assembler.endOffset == 0 ? .needsMoreData : .damaged, .elementaryStartCode,
        at: .offset(0), advice: "check that the input is video")
    }
    tracks = [Self.track(detector.sequence)]
  }

  private static func track(_ sequence: HEVCSequenceSummary?) -> Track {
    var format = VideoFormat()
    format.framing = .annexB
    if let sequence {
      (format.width, format.height) = (sequence.width, sequence.height)
      format.pixelAspectRatio = sequence.pixelAspectRatio
      format.colour = sequence.colour
    }
    let scale = sequence?.tick.flatMap { Int32(exactly: $0.scale) }
    return Track(
      id: 0, kind: .video, codec: .hevc, timescale: scale ?? Self.defaultTimescale,
      formats: [.video(format)])
  }

  /// FFmpeg's timescale of raw video; packets have no times that count in it.
  private static let defaultTimescale: Int32 = 1_200_000

  /// A reader from the first access unit; `usage` for any track but number 0. A seek reads up to
  /// its time once, because a byte stream has no index.
  public func makePacketReader(trackIndices: [Int]) throws(MediaError) -> any PacketReader {
    guard trackIndices.allSatisfy({ $0 == 0 }) else {
      throw MediaError(.usage, .elementaryTrack, detail: "asked for \(trackIndices)")
    }
    return VideoStreamReader(
      source: source, detector: HEVCAccessUnitDetector(startsAtCRA: false), limits: limits,
      timescale: tracks[0].timescale, isEmpty: trackIndices.isEmpty)
  }
}
