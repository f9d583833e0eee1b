// How a written picture's bytes lie.

public import ReelCore

/// Planar Y, Cb, Cr of the shown part of a picture, rows without gaps.
///
/// Samples of more than 8 bits take two bytes, the low one first. A picture without chroma is written
/// as 4:2:0 with mid-grey chroma, which is what the reference decoders of H.264 do and every reader
/// of raw video understands.
public struct PixelLayout: Sendable, Hashable {
  /// Luma samples across, > 0.
  public let width: Int
  /// Luma samples down, > 0.
  public let height: Int
  /// The chroma format that is written; never monochrome.
  public let chromaFormat: ChromaFormat
  /// Bits of the deeper of luma and chroma, 8…16.
  public let bitDepth: Int

  /// The layout that `frame` is written in.
  public init(_ frame: VideoFrame) {
    width = frame.width
    height = frame.height
    chromaFormat = frame.chromaFormat.hasChroma ? frame.chromaFormat : .yuv420
    switch frame.storage {
    case .depth8: bitDepth = 8
    case .depth16: bitDepth = max(frame.lumaBitDepth, frame.chromaBitDepth, 9)
    }
  }

  /// Bytes of a sample: 1 or 2.
  public var sampleByteCount: Int { bitDepth > 8 ? 2 : 1 }
  /// Chroma samples across; an odd luma width is rounded up.
  public var chromaWidth: Int {
    (width + (1 << chromaFormat.horizontalShift) - 1) >> chromaFormat.horizontalShift
  }
  /// Chroma samples down; an odd luma height is rounded up.
  public var chromaHeight: Int {
    (height + (1 << chromaFormat.verticalShift) - 1) >> chromaFormat.verticalShift
  }
  /// Bytes of one picture.
  public var byteCount: Int { (width * height + 2 * chromaWidth * chromaHeight) * sampleByteCount }

  /// FFmpeg's name of the layout, such as `yuv420p` or `yuv422p10le`.
  public var pixelFormatName: String {
    let name =
      switch chromaFormat {
      case .monochrome, .yuv420: "yuv420p"
      case .yuv422: "yuv422p"
      case .yuv444: "yuv444p"
      }
    return bitDepth > 8 ? "\(name)\(bitDepth)le" : name
  }
}
