// Bounds on what an input may make us do.

/// Bounds on memory, time and structure, with defaults that real files never reach.
///
/// Every count that is read from an input passes one of these before it sizes anything.
public struct Limits: Sendable, Hashable {
  /// Luma samples in a coded picture. Default: 8,192 × 4,352, as H.264 level 6.2.
  public var maximumPictureSamples = 8192 * 4352
  /// Nesting of boxes or elements. Real files stay below 10.
  public var maximumNesting = 16
  /// Boxes or elements in a file's metadata.
  public var maximumBoxes = 100_000
  /// Samples in a track: 77 hours at 60 Hz.
  public var maximumSamplesPerTrack = 16 << 20
  /// Tracks in a file.
  public var maximumTracks = 1_024
  /// Bytes of metadata that are held in memory at once, such as a `moov` box.
  public var maximumMetadataBytes = 512 << 20
  /// Bytes of one packet.
  public var maximumPacketBytes = 256 << 20
  /// Pictures an input may produce for a byte of its own, beyond a free first thousand: a picture of
  /// nothing but skipped macroblocks is tiny, an endless run of them is an attack.
  public var maximumPicturesPerByte = 1

  /// The defaults, to be changed field by field.
  public init() {}
  /// The defaults.
  public static let standard = Limits()
}
