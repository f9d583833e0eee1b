// Master (multivariant) playlists: the variants of a presentation.

/// A master playlist. RFC 8216 §4.3.4.
public struct MasterPlaylist: Sendable, Hashable {
  public var header = PlaylistHeader()
  public var variants: [Variant] = []
  public var iFrameVariants: [IFrameVariant] = []
  public var renditions: [Rendition] = []
  public var sessionData: [SessionData] = []
  public var sessionKeys: [Key] = []
  public var contentSteering: ContentSteering?
  public init() {}

  /// Values that media playlists may import, by name. RFC 8216bis §4.4.2.3.
  public var exportedVariables: [String: String] {
    var variables: [String: String] = [:]
    for case .value(let name, let value) in header.definitions { variables[name] = value }
    return variables
  }

  /// The renditions of a group, in order.
  public func renditions(_ type: Rendition.Kind, group: String?) -> [Rendition] {
    guard let group else { return [] }
    return renditions.filter { $0.type == type && $0.groupID == group }
  }
}

/// Width and height in pixels.
public struct Resolution: Sendable, Hashable, CustomStringConvertible {
  public var width, height: Int
  public init(width: Int, height: Int) { (self.width, self.height) = (width, height) }
  public var description: String { "\(width)x\(height)" }
}

/// What EXT-X-STREAM-INF and EXT-X-I-FRAME-STREAM-INF both say of a stream.
public struct StreamDescription: Sendable, Hashable {
  /// Peak bits a second of the stream with its renditions; 0 when missing.
  public var bandwidth: Int64 = 0
  public var averageBandwidth: Int64?
  /// Preference among variants, the higher the better; ≥ 0.
  public var score: DecimalNumber?
  /// RFC 6381 names of all formats, in order; empty when not told.
  public var codecs: [String] = []
  public var supplementalCodecs: [String] = []
  public var resolution: Resolution?
  /// `NONE`, `TYPE-0`, `TYPE-1`.
  public var hdcpLevel: String?
  /// Content protection configurations by key format, as written.
  public var allowedCPC: String?
  /// `SDR`, `HLG`, `PQ`.
  public var videoRange: String?
  public var requiredVideoLayout: String?
  public var stableVariantID: String?
  /// Group of video renditions.
  public var video: String?
  public var pathwayID: String?
  /// PROGRAM-ID of versions before 6.
  public var programID: Int64?
  public var unknownAttributes: [UnknownAttribute] = []
  public init() {}
}

/// EXT-X-STREAM-INF and its address. RFC 8216 §4.3.4.2.
public struct Variant: Sendable, Hashable {
  /// What the variant says of closed captions in its video.
  public enum ClosedCaptions: Sendable, Hashable {
    /// No variant has any.
    case none
    case group(String)
  }

  public var uri: String
  public var stream: StreamDescription
  public var frameRate: DecimalNumber?
  /// Groups of renditions.
  public var audio: String?
  public var subtitles: String?
  public var closedCaptions: ClosedCaptions?
  public var name: String?
  /// Tags that are not known, between the tag and the one before.
  public var unknownTags: [UnknownTag] = []
  public var line: SourceLine = 0
  public init(uri: String, stream: StreamDescription) { (self.uri, self.stream) = (uri, stream) }
}

/// EXT-X-I-FRAME-STREAM-INF: a playlist of I-frames. RFC 8216 §4.3.4.3.
public struct IFrameVariant: Sendable, Hashable {
  public var uri: String
  public var stream: StreamDescription
  public var line: SourceLine = 0
  public init(uri: String, stream: StreamDescription) { (self.uri, self.stream) = (uri, stream) }
}

/// EXT-X-MEDIA: an alternative rendition. RFC 8216 §4.3.4.1.
public struct Rendition: Sendable, Hashable {
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    case audio = "AUDIO"
    case video = "VIDEO"
    case subtitles = "SUBTITLES"
    case closedCaptions = "CLOSED-CAPTIONS"
  }

  public var type: Kind
  /// Nil for media that the variants contain.
  public var uri: String?
  public var groupID: String
  /// BCP 47.
  public var language: String?
  /// Language in another role, such as written beside spoken.
  public var associatedLanguage: String?
  public var name: String
  public var stableRenditionID: String?
  public var isDefault = false
  public var isAutoselect = false
  public var isForced = false
  /// `CC1`…`CC4`, `SERVICE1`…`SERVICE63`.
  public var instreamID: String?
  public var bitDepth: Int64?
  public var sampleRate: Int64?
  /// Uniform type identifiers, separated by commas.
  public var characteristics: String?
  /// Channel count and further parameters, separated by slashes.
  public var channels: String?
  public var unknownAttributes: [UnknownAttribute] = []
  public var line: SourceLine = 0

  public init(type: Kind, groupID: String, name: String, uri: String? = nil) {
    (self.type, self.groupID, self.name, self.uri) = (type, groupID, name, uri)
  }
}

/// EXT-X-SESSION-DATA. RFC 8216 §4.3.4.4.
public struct SessionData: Sendable, Hashable {
  public var dataID: String
  public var value: String?
  public var uri: String?
  /// `JSON` or `RAW`.
  public var format: String?
  public var language: String?
  public var unknownAttributes: [UnknownAttribute] = []
  public var line: SourceLine = 0
  public init(dataID: String) { self.dataID = dataID }
}

/// EXT-X-CONTENT-STEERING. draft-pantos-hls-rfc8216bis-14 §4.4.6.6.
public struct ContentSteering: Sendable, Hashable {
  public var serverURI: String
  public var pathwayID: String?
  public var unknownAttributes: [UnknownAttribute] = []
  public init(serverURI: String) { self.serverURI = serverURI }
}
