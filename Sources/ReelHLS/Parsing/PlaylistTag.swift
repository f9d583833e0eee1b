// The tags of playlists.

/// A tag that is known, by its name without the number sign.
enum PlaylistTag: String, CaseIterable {
  case header = "EXTM3U"
  case version = "EXT-X-VERSION"
  case independentSegments = "EXT-X-INDEPENDENT-SEGMENTS"
  case start = "EXT-X-START"
  case define = "EXT-X-DEFINE"
  // Media playlists
  case targetDuration = "EXT-X-TARGETDURATION"
  case mediaSequence = "EXT-X-MEDIA-SEQUENCE"
  case discontinuitySequence = "EXT-X-DISCONTINUITY-SEQUENCE"
  case endList = "EXT-X-ENDLIST"
  case playlistType = "EXT-X-PLAYLIST-TYPE"
  case iFramesOnly = "EXT-X-I-FRAMES-ONLY"
  case allowCache = "EXT-X-ALLOW-CACHE"
  case partInformation = "EXT-X-PART-INF"
  case serverControl = "EXT-X-SERVER-CONTROL"
  case skip = "EXT-X-SKIP"
  // Segments
  case duration = "EXTINF"
  case byteRange = "EXT-X-BYTERANGE"
  case discontinuity = "EXT-X-DISCONTINUITY"
  case key = "EXT-X-KEY"
  case map = "EXT-X-MAP"
  case programDateTime = "EXT-X-PROGRAM-DATE-TIME"
  case gap = "EXT-X-GAP"
  case bitrate = "EXT-X-BITRATE"
  case part = "EXT-X-PART"
  // Metadata of media playlists
  case dateRange = "EXT-X-DATERANGE"
  case preloadHint = "EXT-X-PRELOAD-HINT"
  case renditionReport = "EXT-X-RENDITION-REPORT"
  // Master playlists
  case media = "EXT-X-MEDIA"
  case streamInformation = "EXT-X-STREAM-INF"
  case iFrameStreamInformation = "EXT-X-I-FRAME-STREAM-INF"
  case sessionData = "EXT-X-SESSION-DATA"
  case sessionKey = "EXT-X-SESSION-KEY"
  case contentSteering = "EXT-X-CONTENT-STEERING"

  enum Scope { case both, media, segment, master }

  /// In which playlists the tag may stand; `segment` tags belong to the next address.
  var scope: Scope {
    switch self {
    case .header, .version, .independentSegments, .start, .define: .both
    case .media, .streamInformation, .iFrameStreamInformation, .sessionData, .sessionKey,
      .contentSteering:
      .master
    case .duration, .byteRange, .discontinuity, .key, .map, .programDateTime, .gap, .bitrate, .part:
      .segment
    default: .media
    }
  }
}

/// Finds tags by the bytes of their names.
struct PlaylistTagTable: Sendable {
  /// Tags by the length of their names: hardly two share one.
  private let byLength: [[(name: [UInt8], tag: PlaylistTag)]]

  static let standard = PlaylistTagTable()

  private init() {
    let longest = PlaylistTag.allCases.map(\.rawValue.utf8.count).max() ?? 0
    var table = [[(name: [UInt8], tag: PlaylistTag)]](repeating: [], count: longest + 1)
    for tag in PlaylistTag.allCases {
      table[tag.rawValue.utf8.count].append(([UInt8](tag.rawValue.utf8), tag))
    }
    byLength = table
  }

  func tag(_ name: ArraySlice<UInt8>) -> PlaylistTag? {
    guard name.count < byLength.count else { return nil }
    for entry in byLength[name.count] where name.elementsEqual(entry.name) { return entry.tag }
    return nil
  }
}
