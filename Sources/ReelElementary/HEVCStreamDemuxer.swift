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

  private let stream: VideoByteStream

  /// Whether `prefix`, the first bytes of an input, look like an HEVC byte stream.
  public static func probe(_ prefix: [UInt8]) -> Bool { HEVCStreamProbe.matches(prefix) }

  /// Opens the stream by reading up to its first parameter sets.
  ///
  /// - Throws: `damaged` when no start code is near the start; what the source throws.
  public init(source: any ByteSource, limits: Limits = .standard) throws(MediaError) {
    stream = try VideoByteStream(.hevc, source: source, limits: limits) {
      HEVCAccessUnitDetector(startsAtCRA: false)
    }
    tracks = [stream.track]
  }

  /// A reader from the first access unit; `usage` for any track but number 0. A seek reads up to
  /// its time once, because a byte stream has no index.
  public func makePacketReader(trackIndices: [Int]) throws(MediaError) -> any PacketReader {
    try stream.makePacketReader(trackIndices: trackIndices)
  }
}
