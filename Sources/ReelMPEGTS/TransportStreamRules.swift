// The rules a transport stream can break. Rec. ITU-T H.222.0 (06/2021) = ISO/IEC 13818-1:2022.

public import ReelCore

extension Rule {
  public static let transportSync = Rule(
    "mpegts.sync", "packets of 188 bytes must begin with the sync byte 0x47",
    clause: "Rec. ITU-T H.222.0 (06/2021) §2.4.3.3")
  public static let transportProgram = Rule(
    "mpegts.program", "a program association and a program map must tell the streams",
    clause: "Rec. ITU-T H.222.0 (06/2021) §2.4.4")
  public static let transportSection = Rule(
    "mpegts.section", "a section's lengths must fit and its CRC_32 must be right",
    clause: "Rec. ITU-T H.222.0 (06/2021) §2.4.4.1")
  public static let transportContinuity = Rule(
    "mpegts.continuity", "continuity counters must count the packets of a PID without a gap",
    clause: "Rec. ITU-T H.222.0 (06/2021) §2.4.3.3")
  public static let transportScrambled = Rule(
    "mpegts.scrambled", "the payload is scrambled",
    clause: "Rec. ITU-T H.222.0 (06/2021) §2.4.3.3")
  public static let transportPESHeader = Rule(
    "mpegts.pes-header", "a PES packet must begin with its start code prefix and a whole header",
    clause: "Rec. ITU-T H.222.0 (06/2021) §2.4.3.7")
  public static let transportPacketSize = Rule(
    "mpegts.packet-size", "a PES packet must fit Limits.maximumPacketBytes")
  public static let transportTracks = Rule(
    "mpegts.tracks", "streams must be at most Limits.maximumTracks")
  public static let transportTrackIndex = Rule(
    "mpegts.track-index", "a track index must be one of the demuxer's tracks")
  public static let transportListing = Rule(
    "mpegts.listing", "a description lists no more sections and PES packets than the limit")
}
