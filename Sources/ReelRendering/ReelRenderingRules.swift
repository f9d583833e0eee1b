// What can go wrong on the way out.

public import ReelCore

extension Rule {
  public static let outputCreate = Rule("output.create", "the output could not be created")
  public static let outputWrite = Rule("output.write", "the output could not be written")
  public static let outputFull = Rule("output.full", "no space is left for the output")
  public static let outputClosed = Rule("output.closed", "the reader of the output went away")
  public static let outputRename = Rule(
    "output.rename", "the finished output could not be given its name")
  public static let outputPattern = Rule(
    "output.pattern", "a file name pattern must hold one number such as %05d")
  public static let outputOneSize = Rule(
    "output.one-size", "a Y4M file holds pictures of one size and format")
  public static let compareLayout = Rule(
    "compare.layout", "compared pictures must have one size, chroma format and depth")
  public static let renderEndless = Rule("render.endless", "playback must come to an end")
  public static let renderLook = Rule(
    "render.look", "a picture is composed with the look that was asked for last")
  public static let displayMatrix = Rule(
    "render.display-matrix", "a track's display matrix turns by right angles or mirrors",
    clause: "ISO/IEC 14496-12:2020 §6.2.2")
}

extension MediaError {
  /// The error lies with the output, not with what was read.
  public var isOutputFailure: Bool { rule.code.hasPrefix("output.") && family != .usage }
}
