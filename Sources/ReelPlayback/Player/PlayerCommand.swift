// What a player can be told, in exact form.

public import ReelCore

/// An overlay: a vector layer with the shapes that were built for the current bounds.
public struct VectorLayer: Sendable, Hashable, Codable {
  /// Identity of its builder.
  public let id: String
  /// Drawn in order.
  public var shapes: [ShapeDescription]
  /// A layer with its shapes.
  public init(id: String, shapes: [ShapeDescription]) {
    self.id = id
    self.shapes = shapes
  }
}

/// A command to the player's core. Executed as often as it is given; the rule that an equal command
/// is dropped belongs to the façade.
public enum PlayerCommand: Sendable, Hashable, Codable {
  /// Does nothing.
  case idle
  /// Plays at the default rate; at the end of the item from its start.
  case play
  /// Holds the time.
  case pause
  /// Item seconds, exact; below 0 the start, from the duration on the end.
  case seek(to: Rational, play: Bool)
  /// Seeks to the start and leaves the player paused.
  case begin
  /// Seeks to the end and leaves the player paused.
  case end
  /// Silences, whatever the volume.
  case mute
  /// Ends ``mute``.
  case unmute
  /// Clamped to 0…1.
  case volume(Float)
  /// Negative counts as 0; 0 pauses, above 0 starts.
  case playbackSpeed(Float)
  /// Any finite rate, negative for backwards. An addition to the contract's `playbackSpeed`.
  case rate(Float)
  /// Repeats the current item; with a number, that many passes counted from the running one.
  case loop(passes: Int?)
  /// Host seconds the last picture is held for between passes.
  case loopDelay(Rational)
  /// Lets the running pass end, then stops; no change when nothing loops.
  case unloop
  /// An embedded track by language (BCP 47); nil: off.
  case subtitles(String?)
  /// An embedded track by language (BCP 47); without one in that language nothing changes.
  case audioTrack(languageCode: String)
  /// Clamped to −1…1.
  case brightness(Float)
  /// Clamped to 0…4.
  case contrast(Float)
  /// Adds a filter behind those there are; with `clear` in their place.
  case filter(FilterDescription, clear: Bool)
  /// Takes all filters away. Brightness and contrast stay.
  case removeAllFilters
  /// Adds an overlay over those there are; with `clear` in their place. Needs `EnableVector`.
  case addVector(VectorLayer, clear: Bool)
  /// Takes all overlays away. Needs `EnableVector`.
  case removeAllVectors
  /// Shows the picture as an inset. Needs `PictureInPicture`; an error where the output cannot.
  case startPiP
  /// Ends the inset. Needs `PictureInPicture`.
  case stopPiP
  /// How the picture fits the bounds.
  case gravity(Gravity)
  /// To the next item of the queue.
  case next
}
