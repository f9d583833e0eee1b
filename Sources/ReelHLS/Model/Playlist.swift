// A playlist of either kind.

public import ReelCore

/// A playlist: it lists variants of a presentation, or the segments of one of them.
///
/// RFC 8216 §2: it is one or the other, never both.
public enum Playlist: Sendable, Hashable {
  case master(MasterPlaylist)
  case media(MediaPlaylist)
}

/// A playlist and what was wrong with its text but could be read past.
public struct ParsedPlaylist: Sendable {
  public var playlist: Playlist
  /// In the order of the text, at most ``PlaylistLimits/maximumWarnings``.
  public var warnings: [MediaError]

  public init(playlist: Playlist, warnings: [MediaError] = []) {
    (self.playlist, self.warnings) = (playlist, warnings)
  }
}

/// What the text of a playlist does not say.
public struct PlaylistContext: Sendable {
  /// Variables of the master playlist that the list was named in, for EXT-X-DEFINE:IMPORT.
  public var importedVariables: [String: String] = [:]
  /// Address of the list after redirects, for EXT-X-DEFINE:QUERYPARAM; empty when unknown.
  public var address = ""
  public var strictness = Strictness.lenient
  public var limits = PlaylistLimits.standard
  public init() {}
}

/// What both kinds of playlist may say of themselves.
public struct PlaylistHeader: Sendable, Hashable {
  /// EXT-X-VERSION; nil means 1.
  public var version: Int?
  /// Every segment can be decoded without another one. RFC 8216 §4.3.5.1.
  public var hasIndependentSegments = false
  public var start: StartPoint?
  public var definitions: [VariableDefinition] = []
  /// Tags that are not known, as far as they stand before the first segment or variant.
  public var unknownTags: [UnknownTag] = []
  public init() {}
}

/// Where to begin playing. RFC 8216 §4.3.5.2 (EXT-X-START).
public struct StartPoint: Sendable, Hashable {
  /// Seconds from the begin of the playlist, or from its end when negative.
  public var timeOffset: DecimalNumber
  /// Begin with the sample at that time rather than with its segment.
  public var isPrecise: Bool
  public init(timeOffset: DecimalNumber, isPrecise: Bool = false) {
    (self.timeOffset, self.isPrecise) = (timeOffset, isPrecise)
  }
}

/// EXT-X-DEFINE. draft-pantos-hls-rfc8216bis-14 §4.4.2.3.
public enum VariableDefinition: Sendable, Hashable {
  case value(name: String, value: String)
  /// The value that the master playlist has given it.
  case imported(name: String)
  /// The value of a parameter in the playlist's address, percent-decoded.
  case queryParameter(name: String)

  public var name: String {
    switch self {
    case .value(let name, _), .imported(let name), .queryParameter(let name): name
    }
  }
}

/// A tag this version does not know: `#EXT-NAME` or `#EXT-NAME:value`.
public struct UnknownTag: Sendable, Hashable {
  /// Without the number sign: `EXT-X-CUE-OUT`.
  public var name: String
  /// What follows the colon; nil without one.
  public var value: String?
  public init(name: String, value: String? = nil) { (self.name, self.value) = (name, value) }
}

/// An attribute this version does not know, with its value as written, quotation marks included.
public struct UnknownAttribute: Sendable, Hashable {
  public var name: String
  public var value: String
  public init(name: String, value: String) { (self.name, self.value) = (name, value) }
}

/// A part of a resource.
public struct ByteRange: Sendable, Hashable, CustomStringConvertible {
  /// Bytes from the begin of the resource, ≥ 0.
  public var offset: Int64
  /// ≥ 0. `offset + length` fits an Int64.
  public var length: Int64
  /// Nil when a value is negative or their sum does not fit.
  public init?(offset: Int64, length: Int64) {
    guard offset >= 0, length >= 0, !offset.addingReportingOverflow(length).overflow else {
      return nil
    }
    (self.offset, self.length) = (offset, length)
  }

  /// One byte behind the last one.
  public var end: Int64 { offset + length }
  /// `length@offset`, as a playlist has it.
  public var description: String { "\(length)@\(offset)" }
}
