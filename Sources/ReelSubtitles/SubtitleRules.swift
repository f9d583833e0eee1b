// The rules of subtitles that are checked.

public import ReelCore

extension Rule {
  public static let subtitleFormat = Rule(
    "subtitles.format", "a subtitle file is WebVTT or SubRip")
  public static let subtitleCodec = Rule(
    "subtitles.codec",
    "an embedded subtitle track is text: tx3g, WebVTT, SubRip, ASS, or CEA-608 captions")
  public static let subtitleTrack = Rule(
    "subtitles.track", "subtitles are chosen by the number of a subtitle track of the input")
  public static let subtitleChannel = Rule(
    "subtitles.channel", "channels are of tracks of CEA-608 captions")
  public static let subtitleAddress = Rule(
    "subtitles.address", "a subtitle file is named by its path or a file:// address")
}
