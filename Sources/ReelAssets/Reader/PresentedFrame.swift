// A frame with its place in the presentation.

public import ReelCore

/// A decoded frame as the presentation shows it.
public struct PresentedFrame: Sendable {
  /// The picture, as the decoder put it out.
  public let frame: VideoFrame
  /// Number in the presentation, from 0.
  public let number: Int
  /// Number of its sample in decoding order, from 0: the same picture has the same number wherever
  /// edits show it.
  public let sample: Int
  /// Presentation time of its begin, exact.
  public let start: Rational
  /// Presentation time of the next frame's begin, exact.
  public let end: Rational
  /// The track's timescale.
  public let timescale: Int32

  /// Presentation time of its begin, in ticks of the track where that is exact.
  public var time: MediaTime { MediaTime(presentation: start, timescale: timescale) }
  /// How long it is shown, in ticks of the track where that is exact.
  public var duration: MediaTime { MediaTime(presentation: end - start, timescale: timescale) }
}

extension MediaTime {
  /// A time in ticks of the preferred scale when that is exact, else of the fraction's own scale when
  /// that fits, else rounded.
  init(presentation time: Rational, timescale: Int32) {
    let preferred = MediaTime(time, timescale: timescale)
    if preferred.hasBeenRounded, let scale = Int32(exactly: time.denominator) {
      self.init(time, timescale: scale)
    } else {
      self = preferred
    }
  }
}
