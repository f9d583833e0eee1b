// Media playlists: the segments of one rendition.

public import ReelCore

/// A media playlist. RFC 8216 §4.3.3.
public struct MediaPlaylist: Sendable, Hashable {
  /// EXT-X-PLAYLIST-TYPE.
  public enum Kind: String, Sendable, Hashable {
    /// Segments are only ever appended.
    case event = "EVENT"
    /// The playlist does not change.
    case vod = "VOD"
  }

  public var header = PlaylistHeader()
  /// Whole seconds no segment is longer than, after rounding; nil when the tag is missing.
  public var targetDuration: Int?
  /// Number of the first segment, of those skipped by a delta update too.
  public var mediaSequence: Int64 = 0
  public var discontinuitySequence: Int64 = 0
  /// The playlist has EXT-X-ENDLIST: nothing will be appended.
  public var isEnded = false
  public var kind: Kind?
  /// Each segment is one I-frame. RFC 8216 §4.3.3.6.
  public var hasOnlyIFrames = false
  /// EXT-X-ALLOW-CACHE of versions before 7; nil when not told.
  public var allowsCache: Bool?
  /// Longest partial segment, seconds (EXT-X-PART-INF).
  public var partTargetDuration: DecimalNumber?
  public var serverControl: ServerControl?
  /// What a delta update leaves out; nil in a whole playlist.
  public var skip: Skip?
  public var segments: [Segment] = []
  /// The segment after the last one, while only parts of it or tags before it are there: without an
  /// address and of no length.
  public var unfinishedSegment: Segment?
  public var dateRanges: [DateRange] = []
  public var preloadHints: [PreloadHint] = []
  public var renditionReports: [RenditionReport] = []

  public init() {}

  /// Number of segments with those that a delta update leaves out.
  public var segmentCount: Int { segments.count + (skip?.segmentCount ?? 0) }

  /// Media sequence number of `segments[index]`. RFC 8216 §3: it wraps nowhere near real lists.
  public func mediaSequenceNumber(ofSegmentAt index: Int) -> Int64 {
    mediaSequence &+ Int64(skip?.segmentCount ?? 0) &+ Int64(index)
  }

  /// Seconds of all segments that are there.
  public var duration: Rational {
    segments.reduce(Rational.zero) { $0 + $1.duration.rational }
  }

  /// ``targetDuration``, or the longest segment rounded where the tag is missing.
  public var effectiveTargetDuration: Int {
    targetDuration ?? Int(segments.map(\.duration.rounded).max() ?? 0)
  }
}

/// EXT-X-SERVER-CONTROL. draft-pantos-hls-rfc8216bis-14 §4.4.3.8.
public struct ServerControl: Sendable, Hashable {
  /// Seconds from the end beyond which segments can be skipped.
  public var canSkipUntil: DecimalNumber?
  public var canSkipDateRanges = false
  /// Seconds from the end to stay behind.
  public var holdBack: DecimalNumber?
  /// The same when partial segments are played.
  public var partHoldBack: DecimalNumber?
  public var canBlockReload = false
  public var unknownAttributes: [UnknownAttribute] = []
  public init() {}
}

/// EXT-X-SKIP. draft-pantos-hls-rfc8216bis-14 §4.4.5.2.
public struct Skip: Sendable, Hashable {
  /// Segments that stand in an earlier version of the playlist, ≥ 1.
  public var segmentCount: Int
  /// Date ranges that are gone.
  public var removedDateRanges: [String]
  public init(segmentCount: Int, removedDateRanges: [String] = []) {
    (self.segmentCount, self.removedDateRanges) = (segmentCount, removedDateRanges)
  }
}

/// EXT-X-PRELOAD-HINT. draft-pantos-hls-rfc8216bis-14 §4.4.5.3.
public struct PreloadHint: Sendable, Hashable {
  /// `PART` or `MAP`; others are to be ignored.
  public var type: String
  public var uri: String
  /// First byte; nil means 0, or behind the part before of the same resource.
  public var byteRangeStart: Int64?
  /// Nil means up to the end.
  public var byteRangeLength: Int64?
  public var unknownAttributes: [UnknownAttribute] = []
  public init(type: String, uri: String) { (self.type, self.uri) = (type, uri) }
}

/// EXT-X-RENDITION-REPORT. draft-pantos-hls-rfc8216bis-14 §4.4.5.4.
public struct RenditionReport: Sendable, Hashable {
  public var uri: String
  public var lastMediaSequenceNumber: Int64?
  /// Index of the last partial segment.
  public var lastPart: Int64?
  public var unknownAttributes: [UnknownAttribute] = []
  public init(uri: String) { self.uri = uri }
}

/// EXT-X-DATERANGE. RFC 8216 §4.3.2.7.
public struct DateRange: Sendable, Hashable {
  public var id: String
  public var classID: String?
  /// Nil in a tag that only adds to an earlier one of the same id.
  public var start: DateTime?
  /// Enumerated strings: `PRE`, `POST`, `ONCE`.
  public var cue: String?
  public var end: DateTime?
  /// Seconds.
  public var duration: DecimalNumber?
  /// Seconds.
  public var plannedDuration: DecimalNumber?
  public var scte35Command: [UInt8]?
  public var scte35Out: [UInt8]?
  public var scte35In: [UInt8]?
  public var endsOnNext = false
  /// `X-` attributes and those that are not known, values as written.
  public var otherAttributes: [UnknownAttribute] = []
  public var line: SourceLine = 0
  public init(id: String) { self.id = id }
}
