// Telling what frames a file holds, and where they begin.

import ReelAudioCore
import ReelCore

/// The frames of a file: their framing and place.
struct FrameStreamLayout: Sendable {
  let framing: AudioFraming
  /// Offset in the input of the first frame, a header frame (Xing …) included.
  var start: Int64
  /// Offset of the first byte behind the frames; nil when the input's length is not known.
  var end: Int64?
  let first: AudioFrame
  let firstHeader: MPEGAudioHeader?
  /// Frames that were looked at, and whether all had the same length to a byte.
  let sampleCount: Int
  let isConstantRate: Bool
  /// Bytes before the first frame that are no tag and no frame.
  let skippedByteCount: Int64

  /// LIMIT: frames are looked for in this many bytes behind the tags.
  private static let searchByteCount = 1 << 17
  /// So many frames in a row are no accident.
  private static let certainCount = 3

  /// Looks for frames in `bytes`, which lie at `offset`.
  ///
  /// - Parameter isWhole: the input ends with `bytes`, so that fewer frames may do.
  init?(_ bytes: [UInt8], offset: Int64, isWhole: Bool) {
    var best: FrameStreamLayout?
    for framing in [AudioFraming.adts, .mpegAudio, .loas] {
      guard let found = Self(framing, bytes, offset: offset, isWhole: isWhole) else { continue }
      if best.map({ found.start < $0.start }) ?? true { best = found }
    }
    guard let best else { return nil }
    self = best
  }

  /// Reads and looks behind the tags of an input.
  init?(_ source: any ByteSource, _ range: TaggedRange) throws(MediaError) {
    let most = range.end.map { max(min($0 - range.start, Int64(Self.searchByteCount)), 0) }
    let count = most.map { Int($0) } ?? Self.searchByteCount
    let bytes = try source.readFully(at: range.start, count: count)
    self.init(bytes, offset: range.start, isWhole: bytes.count < Self.searchByteCount)
    end = range.end
  }

  private init?(_ framing: AudioFraming, _ bytes: [UInt8], offset: Int64, isWhole: Bool) {
    var assembler = AudioFrameAssembler(framing, offset: offset)
    assembler.append(bytes)
    var frames: [AudioFrame] = []
    var (count, skipped) = (0, Int64(0))
    while let frame = assembler.next() ?? (isWhole ? assembler.finish() : nil) {
      // What follows bytes of no frame is another attempt.
      if assembler.skippedByteCount > skipped {
        if count >= Self.certainCount { break }
        frames.removeAll()
        (count, skipped) = (0, assembler.skippedByteCount)
      }
      frames.append(frame)
      count += 1
      if count >= 32 { break }
    }
    guard let first = frames.first,
      count >= Self.certainCount || (isWhole && first.offset == offset)
    else { return nil }
    self.framing = framing
    self.first = first
    start = first.offset
    sampleCount = first.sampleCount
    skippedByteCount = first.offset - offset
    firstHeader = framing == .mpegAudio ? MPEGAudioHeader(first.data, at: 0) : nil
    let rates = Set(frames.compactMap { MPEGAudioHeader($0.data, at: 0)?.bitRate })
    isConstantRate = framing == .mpegAudio && rates.count == 1 && rates != [0]
  }

  /// Whether the first bytes of an input are of an audio stream.
  static func probe(_ prefix: [UInt8]) -> Bool {
    var rest = prefix[...]
    while let header = ID3v2Header(rest) {
      // Behind a long tag nothing else than sound is likely.
      guard header.tagByteCount < rest.count else { return true }
      rest = rest.dropFirst(header.tagByteCount)
    }
    let isWhole = prefix.count < 4096
    if isWhole, ID3v1Tag([UInt8](rest.suffix(ID3v1Tag.byteCount))) != nil {
      rest = rest.dropLast(ID3v1Tag.byteCount)
    }
    guard let layout = Self([UInt8](rest), offset: 0, isWhole: isWhole) else { return false }
    // Layer I headers come about by chance most easily.
    return layout.start == 0 || layout.firstHeader?.layer != 1
  }
}
