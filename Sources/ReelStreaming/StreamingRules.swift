// What playing the segments of a playlist can run into.

public import ReelCore

extension Rule {
  public static let streamingDepth = Rule(
    "streaming.depth", "a master playlist must name media playlists", clause: "RFC 8216 §4.3.4.2")
  public static let streamingEmpty = Rule(
    "streaming.empty", "a playlist has a segment that can be loaded")
  public static let streamingVariant = Rule(
    "streaming.variant", "a master playlist has a variant that was asked for")
  public static let streamingAddress = Rule(
    "streaming.address",
    "a list in a file names only files beneath the folder of the list that was opened")
  public static let streamingDataAddress = Rule(
    "streaming.data", "a data: address must have its media type, a comma and data",
    clause: "RFC 2397 §3")
  public static let streamingKey = Rule(
    "streaming.key", "the resource of an AES-128 key must have 16 bytes",
    clause: "RFC 8216 §4.3.2.4")
  public static let streamingSectionVector = Rule(
    "streaming.section-iv", "an encrypted initialization section must have an IV attribute",
    clause: "RFC 8216 §4.3.2.5")
  public static let streamingCipher = Rule(
    "streaming.cipher", "segments that are encrypted as a whole need a decryptor")
  public static let streamingProtected = Rule(
    "streaming.protected", "the key of a segment can be had without a DRM system")
  public static let streamingLength = Rule(
    "streaming.length", "the segments of a playlist together must last less than 200 years")
  public static let streamingSections = Rule(
    "streaming.sections", "a playlist has at most 64 different initialization sections")
  public static let streamingBareList = Rule(
    "streaming.bare-list", "a playlist whose address is not known")
  public static let streamingTrackIndex = Rule(
    "streaming.track-index", "a track index lies inside the tracks")
}
