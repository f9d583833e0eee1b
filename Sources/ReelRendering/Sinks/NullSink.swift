// The sink that keeps nothing.

public import ReelCore

/// Counts pictures and drops them: for measuring what comes before the sink, or for an event log
/// without pictures.
public final class NullSink: Sink {
  /// Pictures counted so far, those that came again included.
  public private(set) var pictureCount = 0
  /// Whether pictures are decoded for it.
  public let needsPictures: Bool

  /// - Parameter needsPictures: false: nothing is decoded or composed either.
  public init(needsPictures: Bool = true) { self.needsPictures = needsPictures }
  /// Does nothing.
  public func begin(_ timing: OutputTiming) {}

  /// Counts a picture.
  public func write(_ frame: VideoFrame, key: CompositionKey?, timing: PictureTiming) {
    pictureCount += 1
  }

  /// Counts a picture; always true.
  public func writeAgain(_ key: CompositionKey, timing: PictureTiming) -> Bool {
    pictureCount += 1
    return true
  }

  /// Does nothing.
  public func finish() {}
  /// Does nothing.
  public func abandon() {}
}
