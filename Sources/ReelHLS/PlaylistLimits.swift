// Bounds on what a playlist may make us do.

/// Bounds on a playlist, with defaults that real ones do not reach.
public struct PlaylistLimits: Sendable, Hashable {
  /// Bytes of a playlist: 22 MB hold 194,918 segments.
  public var maximumBytes = 32 << 20
  /// Bytes of a line: keys and initialization sections may be `data:` addresses.
  public var maximumLineBytes = 1 << 20
  /// Media segments, those of EXT-X-SKIP included: nine days in pieces of four seconds.
  public var maximumSegments = 200_000
  /// Partial segments, of all segments together.
  public var maximumParts = 200_000
  /// Variants, I-frame variants not counted; as many I-frame variants.
  public var maximumVariants = 256
  /// EXT-X-MEDIA tags.
  public var maximumRenditions = 1_024
  /// EXT-X-DATERANGE tags.
  public var maximumDateRanges = 20_000
  /// Attributes of a tag.
  public var maximumAttributes = 64
  /// Keys that apply at the same time, one a key format.
  public var maximumKeys = 16
  /// Tags that are not known, comments not counted.
  public var maximumUnknownTags = 400_000
  /// EXT-X-DEFINE, EXT-X-SESSION-DATA, EXT-X-SESSION-KEY, EXT-X-RENDITION-REPORT, EXT-X-PRELOAD-HINT:
  /// of each.
  public var maximumOtherTags = 1_024
  /// Bytes that all variable references together are replaced with.
  public var maximumSubstitutedBytes = 32 << 20
  /// Remarks that are kept; further ones are dropped.
  public var maximumWarnings = 100

  public init() {}
  /// The defaults.
  public static let standard = PlaylistLimits()
}
