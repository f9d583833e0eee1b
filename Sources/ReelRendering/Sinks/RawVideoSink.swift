// Raw planar video: picture after picture, nothing between.

public import ReelCore

/// Writes the bytes of ``PixelLayout``, one picture after the other. Sizes may change on the way.
public final class RawVideoSink: Sink {
  private let output: any ByteOutput
  private var places = RepeatMemory<Range<Int64>>()

  /// Samples go to `output`, which is finished or abandoned with the sink.
  public init(_ output: any ByteOutput) { self.output = output }

  /// Only what may come again matters: raw video has no times.
  public func begin(_ timing: OutputTiming) { places.begin(timing) }

  /// Writes a picture's samples, plane after plane.
  public func write(
    _ frame: VideoFrame, key: CompositionKey?, timing: PictureTiming
  ) throws(MediaError) {
    let start = output.byteCount
    try output.write(frame, prefix: [])
    places.remember(start..<output.byteCount, for: key)
  }

  /// Copies the bytes of an earlier picture; false where the output cannot read what it wrote, or their
  /// place has been forgotten.
  public func writeAgain(
    _ key: CompositionKey, timing: PictureTiming
  ) throws(MediaError) -> Bool {
    guard let place = places[key] else { return false }
    return try output.writeAgain(place)
  }

  /// Finishes the output.
  public func finish() throws(MediaError) { try output.finish() }
  /// Abandons the output.
  public func abandon() { output.abandon() }
}
