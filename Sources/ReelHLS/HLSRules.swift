// The rules of playlists that are checked while reading. RFC 8216 and its second edition.

public import ReelCore

extension Rule {
  static func hls(_ code: String, _ text: String, _ clause: String) -> Rule {
    Rule("hls.\(code)", text, clause: "RFC 8216 §\(clause)")
  }
  /// A rule of draft-pantos-hls-rfc8216bis-14.
  static func hlsbis(_ code: String, _ text: String, _ clause: String) -> Rule {
    Rule("hls.\(code)", text, clause: "draft-pantos-hls-rfc8216bis-14 §\(clause)")
  }

  public static let playlistHeader = hls("header", "a playlist must begin with #EXTM3U", "4.3.1.1")
  public static let playlistText = hls(
    "text", "a playlist must be UTF-8 without a byte order mark and control characters", "4.1")
  public static let playlistKind = hls(
    "kind", "a playlist must not mix tags of media playlists and of master playlists", "4.1")
  public static let playlistVersion = hls(
    "version", "EXT-X-VERSION must be a whole number, once", "4.3.1.2")
  public static let playlistAttributes = hls(
    "attributes", "attributes must be NAME=value, separated by commas, each name once", "4.2")
  public static let playlistAttributeValue = hls(
    "attribute-value", "an attribute's value must be of the type its tag gives it", "4.2")
  public static let playlistMissingAttribute = hls(
    "missing-attribute", "a tag must have the attributes that are required of it", "4.3")
  public static let playlistTargetDuration = hls(
    "target-duration", "EXT-X-TARGETDURATION must be a whole number of seconds, once", "4.3.3.1")
  public static let playlistMediaSequence = hls(
    "media-sequence",
    "EXT-X-MEDIA-SEQUENCE must be a whole number, once, before the first segment", "4.3.3.2")
  public static let playlistDiscontinuitySequence = hls(
    "discontinuity-sequence",
    "EXT-X-DISCONTINUITY-SEQUENCE must be a whole number, before segments and discontinuities",
    "4.3.3.3")
  public static let playlistType = hls(
    "playlist-type", "EXT-X-PLAYLIST-TYPE must be EVENT or VOD, once", "4.3.3.5")
  public static let playlistSegmentDuration = hls(
    "extinf", "a segment must have an EXTINF tag with a decimal number of seconds", "4.3.2.1")
  public static let playlistByteRange = hls(
    "byterange",
    "EXT-X-BYTERANGE must be length[@offset]; without an offset it continues the segment before",
    "4.3.2.2")
  public static let playlistKey = hls(
    "key", "EXT-X-KEY must have a METHOD, a URI unless it is NONE, and an IV of 128 bits", "4.3.2.4"
  )
  public static let playlistMap = hls("map", "EXT-X-MAP must have a URI", "4.3.2.5")
  public static let playlistDate = hls(
    "date", "a date must be ISO 8601 with a time of day", "4.3.2.6")
  public static let playlistBitrate = hlsbis(
    "bitrate", "EXT-X-BITRATE must be a whole number of kilobits a second", "4.4.4.8")
  public static let playlistVariantAddress = hls(
    "variant-uri", "EXT-X-STREAM-INF must be followed by an address", "4.3.4.2")
  public static let playlistVariable = hlsbis(
    "variable", "a variable must be defined before it is referred to, once", "4.4.2.3")
  public static let playlistSkip = hlsbis(
    "skip", "EXT-X-SKIP must stand once, before segments, and skip a whole number of them",
    "4.4.5.2")
  public static let playlistSize = Rule(
    "hls.size", "a playlist must keep PlaylistLimits: bytes, length of lines, number of tags")
  public static let playlistBlank = hls(
    "blank", "lines must have no blanks that the format does not name", "4.1")
  public static let playlistWriting = Rule(
    "hls.writing", "a value must be one that a playlist can express")
}
