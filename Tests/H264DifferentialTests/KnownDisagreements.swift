// Streams whose reconstruction x264 itself gets wrong, with what other decoders make of them.

internal import ReelCore
internal import ReelRendering

/// A drawn stream that does not say what x264 0.164 reconstructs. Five have constrained intra
/// prediction in MBAFF frames, where the left column of a macroblock may come from two macroblocks, one
/// intra and one inter coded (ISO/IEC 14496-10:2020 §6.4.12.2, §8.3.1.2, §8.3.4). Seeds 511, 950 and 1288
/// decode to x264's samples once such a column counts as there although half of it must not be used.
/// The sixth, 1809, is 4:4:4: x264 makes another stream of it from time to time, by what its memory held
/// before, whose second plane it reconstructs otherwise than everybody else.
struct KnownDisagreement {
  enum Evidence {
    /// The reference software (JM 19.0) and FFmpeg 5.1 decode these samples, and so must Reel.
    case otherDecoders(md5: String)
    /// A macroblock predicts from samples that are not there: FFmpeg 5.1 refuses the same macroblock,
    /// JM stops in the same picture (seed 1288) or makes up other samples (seed 511).
    case impossibleMode(picture: Int, macroblock: Int)
    /// x264 makes another stream at each run, by what its memory held before: of those looked at, some
    /// have an impossible mode in this picture, and of the others JM, FFmpeg and Reel decode the same.
    case unstable(picture: Int)
  }

  let seed: UInt64
  /// Of the stream: another version of x264 may make another one of the seed. Nil: of any stream.
  let streamMD5: String?
  let evidence: Evidence

  static let all: [KnownDisagreement] = [
    .init(
      seed: 118, streamMD5: "e672234c404af681b0642d8cca0fa101",
      evidence: .otherDecoders(md5: "7ff77333f9f32538f73c798543eceb76")),
    .init(
      seed: 511, streamMD5: "d3ad7e5f2bce0e7b58bd19c5e9baff50",
      evidence: .impossibleMode(picture: 3, macroblock: 4)),
    .init(
      seed: 950, streamMD5: nil, evidence: .unstable(picture: 7)),
    .init(
      seed: 1275, streamMD5: "2989abbe9d308a2d562f273fbb29ebba",
      evidence: .otherDecoders(md5: "14ae7997eda8ec8840b9576579bfad3c")),
    .init(
      seed: 1288, streamMD5: "5f435020234f8578ec11c42967ec1c7d",
      evidence: .impossibleMode(picture: 11, macroblock: 30)),
    .init(
      seed: 1809, streamMD5: "e124dac9dc49b8f09196479da25568f0",
      evidence: .otherDecoders(md5: "a2f1120f7cd7a9ac2a326c2a633501cf")),
  ]

  static func of(seed: UInt64, stream: [[UInt8]]) -> KnownDisagreement? {
    guard let known = all.first(where: { $0.seed == seed }) else { return nil }
    guard let expected = known.streamMD5 else { return known }
    var md5 = MD5()
    for unit in stream { md5.update(unit) }
    return "\(md5.finalize())" == expected ? known : nil
  }
}
