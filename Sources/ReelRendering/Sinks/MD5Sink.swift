// One digest of everything.

public import ReelCore

/// The MD5 of all bytes that a ``RawVideoSink`` would have written.
public final class MD5Sink: Sink {
  private var md5 = MD5()
  /// Pictures hashed so far.
  public private(set) var pictureCount = 0
  /// Layout of the first picture; nil before it.
  public private(set) var layout: PixelLayout?

  /// A sink that has seen no picture.
  public init() {}

  /// The digest of what came so far.
  public var digest: Digest {
    let soFar = md5
    return soFar.finalize()
  }

  /// Digest, number of pictures, and size and pixel format of the first: the line that `reel` prints.
  public var summary: String {
    let size = layout.map { "\($0.width)x\($0.height)" } ?? "0x0"
    return "\(digest)  \(pictureCount)  \(size)  \(layout?.pixelFormatName ?? "none")"
  }

  /// Times are not part of the digest.
  public func begin(_ timing: OutputTiming) {}

  /// Adds a picture's bytes in the layout of ``PixelLayout``.
  public func write(_ frame: VideoFrame, key: CompositionKey?, timing: PictureTiming) {
    if layout == nil { layout = PixelLayout(frame) }
    md5.update(frame)
    pictureCount += 1
  }

  /// Always false: the digest depends on every byte before it.
  public func writeAgain(_ key: CompositionKey, timing: PictureTiming) -> Bool { false }

  /// Does nothing: ``digest`` can be asked for at any time.
  public func finish() {}
  /// Does nothing: there is nothing to leave behind.
  public func abandon() {}
}
