// Who draws captions.

public import ReelCore
public import ReelImaging
public import ReelPlayback

/// Which captions are seen: equal values look the same in pictures of one size.
public struct CaptionLook: Sendable, Hashable {
  /// Number of the track of captions among those that the source knows.
  public var track: Int
  /// Numbers of the cues in it.
  public var cues: [Int]
  /// How many of the times inside of each cue have passed.
  public var passed: [Int]
  public init(track: Int, cues: [Int], passed: [Int]) {
    (self.track, self.cues, self.passed) = (track, cues, passed)
  }
}

/// Finds and draws the captions that the player's presentation asks for. Owned by one renderer.
public protocol CaptionSource: AnyObject {
  /// What is seen at this instant; nil for nothing.
  func look(of shown: Evaluation, from input: RenderInput) throws(MediaError) -> CaptionLook?

  /// The item time at which another caption is seen, going on in the direction of the rate; nil when
  /// that never comes.
  func nextChange(of shown: Evaluation, from input: RenderInput) throws(MediaError) -> Rational?

  /// The layers of a look that ``look(of:from:)`` gave, over a picture of this size.
  func layers(
    _ look: CaptionLook, width: Int, height: Int
  ) throws(MediaError) -> [OverlayLayer]
}
