// Raw planar video: picture after picture, nothing between.

public import ReelCore

/// Writes the bytes of ``PixelLayout``, one picture after the other. Sizes may change on the way.
public final class RawVideoSink: Sink {
  private let output: any ByteOutput
  private var places = RepeatMemory<Range<Int64>>()

  public init(_ output: any ByteOutput) { self.output = output }

  public func begin(_ timing: OutputTiming) { places.begin(timing) }

  public func write(
    _ frame: VideoFrame, key: CompositionKey?, timing: PictureTiming
  ) throws(MediaError) {
    let start = output.byteCount
    try output.write(frame, prefix: [])
    places.remember(start..<output.byteCount, for: key)
  }

  public func writeAgain(
    _ key: CompositionKey, timing: PictureTiming
  ) throws(MediaError) -> Bool {
    guard let place = places[key] else { return false }
    return try output.writeAgain(place)
  }

  public func finish() throws(MediaError) { try output.finish() }
  public func abandon() { output.abandon() }
}
