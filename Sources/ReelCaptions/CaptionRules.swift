// The rules of caption files that are checked. Most faults in captions are passed over, as the standards say.

public import ReelCore

extension Rule {
  public static let webVTTSignature = Rule(
    "captions.webvtt-signature", "a WebVTT file begins with WEBVTT", clause: "WebVTT §6.1")
  public static let captionCount = Rule(
    "captions.cue-count", "a caption file has at most 100,000 cues")
  public static let captionSize = Rule(
    "captions.size", "a caption file has at most 64 MiB, a cue 64 KiB")
  public static let captionStyles = Rule(
    "captions.styles", "styles are compared with parts of cues twenty million times at most")
  public static let subRipTimes = Rule(
    "captions.subrip-times", "a SubRip file has a line of times: hh:mm:ss,mmm --> hh:mm:ss,mmm")
  public static let webVTTSample = Rule(
    "captions.webvtt-sample", "a WebVTT sample consists of whole boxes",
    clause: "ISO/IEC 14496-30:2018 §7.4")
}
