// Where the bytes of an output go.

public import ReelCore

/// Takes bytes in order. Not shared between threads.
public protocol ByteOutput: AnyObject {
  /// Bytes taken so far.
  var byteCount: Int64 { get }
  /// Takes more bytes.
  func write(_ bytes: [UInt8]) throws(MediaError)
  /// Takes `prefix`, then all bytes of a picture in the layout of ``PixelLayout``.
  func write(_ frame: VideoFrame, prefix: [UInt8]) throws(MediaError)
  /// Takes bytes that it took before once more.
  ///
  /// - Parameter place: Offsets within what was taken; traps when it reaches behind that.
  /// - Returns: False when the output cannot read what it wrote; nothing was taken then.
  func writeAgain(_ place: Range<Int64>) throws(MediaError) -> Bool
  /// Ends the output in good order; a file gets its name now.
  func finish() throws(MediaError)
  /// Ends the output after a failure; a file leaves nothing behind. Does nothing after ``finish()``.
  func abandon()
}

/// Keeps what is written in memory.
public final class MemoryOutput: ByteOutput {
  /// Everything that was written, in order.
  public private(set) var bytes: [UInt8] = []
  /// True from ``finish()`` on.
  public private(set) var isFinished = false

  /// An empty output.
  public init() {}

  /// Bytes written so far.
  public var byteCount: Int64 { Int64(bytes.count) }

  /// Never throws.
  public func write(_ bytes: [UInt8]) throws(MediaError) { self.bytes += bytes }
  /// Never throws.
  public func write(_ frame: VideoFrame, prefix: [UInt8]) throws(MediaError) {
    bytes += prefix
    bytes += frame.bytes
  }

  /// Always true: what was written is there.
  public func writeAgain(_ place: Range<Int64>) throws(MediaError) -> Bool {
    bytes += bytes[Int(place.lowerBound)..<Int(place.upperBound)]
    return true
  }

  /// Never throws; ``isFinished`` is true from now on.
  public func finish() throws(MediaError) { isFinished = true }
  /// Forgets what was written, unless it was finished.
  public func abandon() { if !isFinished { bytes = [] } }

  /// What was written as text, with invalid UTF-8 replaced.
  public var text: String { String(decoding: bytes, as: UTF8.self) }
}
