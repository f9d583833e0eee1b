// The rules an elementary stream can break.

public import ReelCore

extension Rule {
  public static let elementaryStartCode = Rule(
    "elementary.start-code", "a byte stream must hold a start code within its first megabyte",
    clause: "ISO/IEC 14496-10:2020 §B.1.1")
  public static let elementaryTrack = Rule(
    "elementary.track", "an elementary stream has one track, number 0")
}
