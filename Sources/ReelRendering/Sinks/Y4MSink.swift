// YUV4MPEG2 files, as mjpegtools describes them (yuv4mpeg(5)).

public import ReelCore

/// Writes a YUV4MPEG2 stream. Its header tells one size for all pictures, so a change is an error.
public final class Y4MSink: Sink {
  private let output: any ByteOutput
  private var frameRate = Ratio(25, 1)
  private var layout: PixelLayout?
  private var places = RepeatMemory<Range<Int64>>()

  /// The stream goes to `output`, which is finished or abandoned with the sink.
  public init(_ output: any ByteOutput) { self.output = output }

  /// The rate stands in the header, which is written with the first picture.
  public func begin(_ timing: OutputTiming) {
    frameRate = timing.frameRate
    places.begin(timing)
  }

  /// Writes a frame header and a picture's samples.
  ///
  /// - Throws: `unsupported` with `outputOneSize` for a size or format that is not the first
  ///   picture's; what the output throws.
  public func write(
    _ frame: VideoFrame, key: CompositionKey?, timing: PictureTiming
  ) throws(MediaError) {
    if layout == nil { try output.write([UInt8](header(for: frame).utf8)) }
    let own = PixelLayout(frame)
    let expected = layout ?? own
    layout = expected
    guard own == expected else {
      throw MediaError(
        .unsupported, .outputOneSize, at: .picture(frame.decodeIndex, macroblock: nil),
        detail: "\(own.width)x\(own.height) \(own.pixelFormatName) after "
          + "\(expected.width)x\(expected.height) \(expected.pixelFormatName)",
        advice: "write raw video (.yuv) instead")
    }
    let start = output.byteCount
    try output.write(frame, prefix: [UInt8]("FRAME\n".utf8))
    places.remember(start..<output.byteCount, for: key)
  }

  /// Copies the bytes of an earlier frame; false where the output cannot read what it wrote, or their
  /// place has been forgotten.
  public func writeAgain(
    _ key: CompositionKey, timing: PictureTiming
  ) throws(MediaError) -> Bool {
    guard let place = places[key] else { return false }
    return try output.writeAgain(place)
  }

  /// Finishes the output; without a picture it stays empty.
  public func finish() throws(MediaError) { try output.finish() }
  /// Abandons the output.
  public func abandon() { output.abandon() }

  private func header(for frame: VideoFrame) -> String {
    let layout = PixelLayout(frame)
    let interlacing =
      switch frame.fieldOrder {
      case .progressive: "p"
      case .topFieldFirst: "t"
      case .bottomFieldFirst: "b"
      }
    let aspect = frame.pixelAspectRatio
    return "YUV4MPEG2 W\(layout.width) H\(layout.height) F\(frameRate) I\(interlacing) A\(aspect) "
      + "C\(Self.colourSpace(of: layout, frame.colour.chromaLocation)) "
      + "XCOLORRANGE=\(frame.colour.isFullRange ? "FULL" : "LIMITED")\n"
  }

  /// The colour space tag; for 8-bit 4:2:0 it tells where the chroma samples lie.
  private static func colourSpace(of layout: PixelLayout, _ chromaLocation: UInt8?) -> String {
    let name = String(layout.pixelFormatName.dropFirst(3).prefix(3))
    guard layout.bitDepth == 8 else { return "\(name)p\(layout.bitDepth)" }
    guard layout.chromaFormat == .yuv420 else { return name }
    // H.273: 0 is level with the left luma samples, which is also what is meant when nothing is told;
    // 1 the centre of four, 2 the top left one.
    return switch chromaLocation {
    case nil, 0: "420mpeg2"
    case 2: "420paldv"
    default: "420jpeg"
    }
  }
}
