// A digest a picture, in the text form of FFmpeg's framemd5 muxer (version 2).

public import ReelCore

/// Writes one line a picture: stream, dts, pts, duration, size and MD5 of its bytes.
///
/// The text equals that of `ffmpeg -i … -fflags +bitexact -f framemd5 -`, so the two can be compared
/// with `diff`. A picture that comes again costs a line and no hashing.
public final class FrameMD5Sink: Sink {
  private let output: any ByteOutput
  private var timing = OutputTiming(timeBase: Ratio(1, 25), frameRate: Ratio(25, 1))
  private var hasHeader = false
  private var endings = RepeatMemory<Ending>()

  /// What a line says of the picture itself.
  private struct Ending {
    let byteCount: Int
    let digest: Digest
  }

  /// Lines go to `output`, which is finished or abandoned with the sink.
  public init(_ output: any ByteOutput) { self.output = output }

  /// The time base stands in the header, which is written with the first picture.
  public func begin(_ timing: OutputTiming) {
    self.timing = timing
    endings.begin(timing)
  }

  /// Hashes a picture and writes its line.
  public func write(
    _ frame: VideoFrame, key: CompositionKey?, timing: PictureTiming
  ) throws(MediaError) {
    if !hasHeader { try writeHeader(for: frame) }
    let ending = Ending(byteCount: PixelLayout(frame).byteCount, digest: MD5.digest(of: frame))
    endings.remember(ending, for: key)
    try writeLine(timing, ending)
  }

  /// Writes the line of an earlier picture at its new time; false once its digest has been
  /// forgotten.
  public func writeAgain(
    _ key: CompositionKey, timing: PictureTiming
  ) throws(MediaError) -> Bool {
    guard let ending = endings[key] else { return false }
    try writeLine(timing, ending)
    return true
  }

  /// Finishes the output; without a picture it stays empty.
  public func finish() throws(MediaError) { try output.finish() }
  /// Abandons the output.
  public func abandon() { output.abandon() }

  private func writeHeader(for frame: VideoFrame) throws(MediaError) {
    hasHeader = true
    let aspect = frame.pixelAspectRatio
    let isKnown = aspect.numerator > 0 && aspect.denominator > 0
    let header = """
      #format: frame checksums
      #version: 2
      #hash: MD5
      #tb 0: \(timing.timeBase.numerator)/\(timing.timeBase.denominator)
      #media_type 0: video
      #codec_id 0: rawvideo
      #dimensions 0: \(frame.width)x\(frame.height)
      #sar 0: \(isKnown ? "\(aspect.numerator)/\(aspect.denominator)" : "0/1")
      #stream#, dts,        pts, duration,     size, hash

      """
    try output.write([UInt8](header.utf8))
  }

  private func writeLine(_ timing: PictureTiming, _ ending: Ending) throws(MediaError) {
    let ticks = String(timing.ticks).padded(to: 10)
    let line =
      "0, \(ticks), \(ticks), \(String(timing.duration).padded(to: 8)), "
      + "\(String(ending.byteCount).padded(to: 8)), \(ending.digest)\n"
    try output.write([UInt8](line.utf8))
  }
}

extension String {
  /// The text behind enough blanks to be `width` characters long.
  fileprivate func padded(to width: Int) -> String {
    String(repeating: " ", count: max(0, width - utf8.count)) + self
  }
}
