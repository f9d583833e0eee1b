// Pictures of inputs.

/// A picture that belongs to the input as a whole, such as a cover.
public struct Artwork: Sendable, Hashable {
  /// `mjpeg`, `png`, `bmp` or `unknown`.
  public var codec: CodecID
  /// The picture's file, as it lies in the input.
  public var data: [UInt8]
  /// Offset of the data in the input; −1 when it lies in pieces.
  public var position: Int64
  /// A picture's file and where it lies.
  public init(codec: CodecID, data: [UInt8], position: Int64 = -1) {
    (self.codec, self.data, self.position) = (codec, data, position)
  }

  /// The codec that the first bytes of a picture's file tell: `mjpeg`, `png`, `bmp`; nil for all others.
  ///
  /// ISO/IEC 10918-1:1994 §B.1.1.3 (SOI and the marker behind it), ISO/IEC 15948:2004 §5.2; a bitmap has
  /// but two letters, so that a text may look like one.
  public static func codec(of file: [UInt8]) -> CodecID? {
    if file.starts(with: [0xFF, 0xD8, 0xFF]) { return "mjpeg" }
    if file.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return "png" }
    if file.starts(with: [0x42, 0x4D]) { return "bmp" }
    return nil
  }
}
