// Pictures in memory that overlays are made of.

public import ReelCore

/// Pixels of red, green, blue and alpha, 8 bits each, sRGB, alpha not multiplied in.
public struct RGBAImage: Sendable, Hashable {
  public let width, height: Int
  /// Four bytes a pixel, row by row from the top left.
  public let pixels: [UInt8]

  /// - Throws: `.limitExceeded` for sizes beyond those of pictures, `.usage` when `pixels` is not
  ///   4 · `width` · `height` bytes.
  public init(width: Int, height: Int, pixels: [UInt8]) throws(MediaError) {
    try checkPictureSize(width, height)
    guard pixels.count == 4 * width * height else {
      throw MediaError(
        .usage, .imageSize, detail: "\(pixels.count) bytes for \(width) × \(height) pixels")
    }
    self.width = width
    self.height = height
    self.pixels = pixels
  }
  /// Of the size and a few pixels: equality decides, and compares equal arrays at once.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(width)
    hasher.combine(height)
    for i in stride(from: 0, to: pixels.count, by: max(pixels.count / 64, 1)) {
      hasher.combine(pixels[i])
    }
  }
}
