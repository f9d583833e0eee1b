// H.264 byte streams without a container. ISO/IEC 14496-10:2020 Annex B.

public import ReelCore
import ReelVideoCore

/// An H.264 byte stream: one track whose packets are frames with their start codes, either an access
/// unit or the two of a frame's fields.
///
/// A byte stream has no presentation times. Where the parameter sets tell the length of a tick,
/// packets have durations and decode times that count from 0; otherwise they have none.
public struct H264StreamDemuxer: Demuxer {
  /// Start codes, not lengths, are meant.
  public let formatName = "h264"
  /// One video track; its timescale is that of the parameter sets, or 1,200,000 without one.
  public let tracks: [Track]
  /// A byte stream does not tell its length.
  public let duration = MediaTime.indefinite
  /// A byte stream has no room for any.
  public let tags: [Tag] = []
  /// What is wrong with a unit is for the decoder to say.
  public let warnings: [MediaError] = []

  private let stream: VideoByteStream

  /// Whether `prefix`, the first bytes of an input, look like an H.264 byte stream.
  public static func probe(_ prefix: [UInt8]) -> Bool { H264StreamProbe.matches(prefix) }

  /// Opens the stream by reading up to its first parameter sets.
  ///
  /// - Throws: `damaged` when no start code is near the start; what the source throws.
  public init(source: any ByteSource, limits: Limits = .standard) throws(MediaError) {
    stream = try VideoByteStream(.h264, source: source, limits: limits) {
      H264AccessUnitDetector()
    }
    tracks = [stream.track]
  }

  /// A reader from the first access unit; `usage` for any track but number 0. A seek reads up to
  /// its time once, because a byte stream has no index.
  public func makePacketReader(trackIndices: [Int]) throws(MediaError) -> any PacketReader {
    try stream.makePacketReader(trackIndices: trackIndices)
  }
}
