// How a presentation of segments is opened.

public import ReelAssets
public import ReelCore
public import ReelHLS

/// Which variant of a master playlist is opened.
public enum VariantChoice: Sendable, Hashable {
  /// The one of the highest bandwidth among those whose video can be decoded.
  case best
  /// The one of the lowest bandwidth, likewise.
  case lowest
  /// The best one of at most this many bits a second, or the lowest one.
  case upTo(bitsPerSecond: Int64)
  /// By its place in the playlist, from 0.
  case index(Int)
}

/// How a presentation of segments is opened.
public struct StreamingOptions: Sendable {
  /// Decrypts AES-128-CBC with PKCS #7 padding: bytes, key, initialization vector (16 bytes each).
  public typealias Decrypt =
    @Sendable (_ bytes: [UInt8], _ key: [UInt8], _ vector: [UInt8]) throws(MediaError) -> [UInt8]

  public var variant = VariantChoice.best
  /// Renditions of sound and subtitles that the variant names become tracks; the default ones alone
  /// otherwise.
  public var loadsAllRenditions = true
  public var open = OpenOptions()
  public var playlistLimits = PlaylistLimits.standard
  /// LIMIT: renditions that are opened; each costs its playlist and a segment.
  public var maximumRenditions = 64
  /// LIMIT: bytes of a segment or initialization section.
  public var maximumSegmentBytes = 256 << 20
  /// Bytes of segments that are kept open, the last two at least.
  public var cacheByteCount = 64 << 20
  /// Nil when there is no cryptography: encrypted segments are told as protected.
  public var decrypt: Decrypt?

  /// Reads a steering manifest.
  public typealias Steering = @Sendable (_ bytes: [UInt8]) throws(MediaError) -> SteeringManifest
  /// Nil: steering servers are not asked, and pathways are those of the master playlist.
  public var steering: Steering?

  public init() {}
}
