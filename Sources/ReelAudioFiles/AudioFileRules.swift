// The rules an audio file can break.

public import ReelCore

extension Rule {
  public static let audioFrames = Rule(
    "audio.frames", "frames must follow each other within the first 128 kilobytes of sound",
    clause: "ISO/IEC 11172-3:1993 §2.4.1.3, ISO/IEC 14496-3:2019 §1.A.3")
  public static let audioTrackIndex = Rule(
    "audio.track-index", "an audio file has one track, number 0")
  public static let id3Tag = Rule(
    "audio.id3", "an ID3v2 tag's sizes must fit the tag", clause: "ID3v2.4.0 Structure §3, §4")
  public static let apeTag = Rule("audio.ape", "an APE tag's items must fit the tag")
  public static let waveHeader = Rule(
    "wave.header", "a WAVE file must begin with RIFF, RIFX, RF64 or BW64 and WAVE",
    clause: "RIFF MCI 1.0 §3, EBU Tech 3306 v1.1 §3")
  public static let waveFormat = Rule(
    "wave.format", "a fmt chunk with channels, a rate and a block size must come before the data",
    clause: "RIFF MCI 1.0 §3 (fmt)")
  public static let waveData = Rule(
    "wave.data", "a data chunk must be there and end within the file",
    clause: "RIFF MCI 1.0 §3 (data)")
  public static let waveChunks = Rule(
    "wave.chunks", "chunks before the data must be at most Limits.maximumBoxes")
}
