// The sink that keeps nothing.

public import ReelCore

/// Counts pictures and drops them: for measuring what comes before the sink, or for an event log
/// without pictures.
public final class NullSink: Sink {
  public private(set) var pictureCount = 0
  public let needsPictures: Bool

  /// - Parameter needsPictures: false: nothing is decoded or composed either.
  public init(needsPictures: Bool = true) { self.needsPictures = needsPictures }
  public func begin(_ timing: OutputTiming) {}

  public func write(_ frame: VideoFrame, key: CompositionKey?, timing: PictureTiming) {
    pictureCount += 1
  }

  public func writeAgain(_ key: CompositionKey, timing: PictureTiming) -> Bool {
    pictureCount += 1
    return true
  }

  public func finish() {}
  public func abandon() {}
}
