// What stands between a decoded frame and a sink.

public import ReelCore
public import ReelPlayback

/// Turns decoded frames into what is shown. Owned by one renderer.
public protocol PictureComposer: AnyObject {
  /// A number for how the picture looks at this instant: equal numbers mean equal looks, and 0 that
  /// the frame is shown as it was decoded.
  func look(of shown: Evaluation, from input: RenderInput) throws(MediaError) -> Int

  /// The item time at which the look next changes by itself, going on in the direction of the rate,
  /// as when a caption appears; nil when it does not.
  func nextChange(of shown: Evaluation, from input: RenderInput) throws(MediaError) -> Rational?

  /// The frame with the look of a number that ``look(of:from:)`` gave.
  func compose(_ frame: VideoFrame, look: Int) throws(MediaError) -> VideoFrame
}
