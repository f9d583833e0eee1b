// Commands under the names of the contract. §2.

public import ReelCore

/// What an overlay draws, as CAShapeLayer.
public typealias ShapeLayer = ShapeDescription

/// Builds a vector overlay for the geometry it is shown in; asked again when the bounds change.
public protocol ShapeLayerBuilderProtocol: Sendable {
  /// What tells overlays apart; its description is the identity of the layer.
  associatedtype ID: Hashable & Sendable & CustomStringConvertible
  /// Two builders with the same id are the same overlay.
  var id: ID { get }
  /// The shape for a frame and bounds in output pixels.
  func build(with geometry: (frame: Rect, bounds: Rect)) -> ShapeLayer
  /// All shapes, drawn in order, where there are several; ``build(with:)`` alone by default.
  func buildAll(with geometry: (frame: Rect, bounds: Rect)) -> [ShapeLayer]
}

extension ShapeLayerBuilderProtocol {
  /// The one shape of ``build(with:)``.
  public func buildAll(with geometry: (frame: Rect, bounds: Rect)) -> [ShapeLayer] {
    [build(with: geometry)]
  }

  /// The layer that a player holds.
  public func layer(in bounds: Rect) -> VectorLayer {
    VectorLayer(id: id.description, shapes: buildAll(with: (frame: bounds, bounds: bounds)))
  }
}

/// A command to a player, under the contract's names and types.
public enum PlaybackCommand: Sendable {
  /// Does nothing; between two equal commands it makes the second one count.
  case idle
  /// Plays at the default rate; at the end of the item from its start.
  case play
  /// Holds the time.
  case pause
  /// Item seconds; below 0 the start, at and past the duration the end.
  case seek(to: Double, play: Bool = true)
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
  /// Repeats the item from now on; no change when it loops already.
  case loop
  /// Lets the running pass end, then stops; no change when nothing loops.
  case unloop
  /// An embedded track by language; nil: off.
  case subtitles(String?)
  /// An embedded track by language (BCP 47); without one in that language nothing changes.
  case audioTrack(languageCode: String)
  /// Clamped to −1…1.
  case brightness(Float)
  /// Clamped to 0…4.
  case contrast(Float)
  /// Adds a filter behind those there are; with `clear` in their place.
  case filter(FilterDescription, clear: Bool = false)
  /// Takes all filters away. Brightness and contrast stay.
  case removeAllFilters
  /// Adds an overlay over those there are; with `clear` in their place. Needs `EnableVector`.
  case addVector(any ShapeLayerBuilderProtocol, clear: Bool = false)
  /// Takes all overlays away. Needs `EnableVector`.
  case removeAllVectors
  /// Shows the picture as an inset. Needs `PictureInPicture`; an error where the output cannot.
  case startPiP
  /// Ends the inset. Needs `PictureInPicture`.
  case stopPiP
}

extension PlaybackCommand: Equatable {
  /// By value; overlays by the id of their builder.
  public static func == (a: PlaybackCommand, b: PlaybackCommand) -> Bool {
    switch (a, b) {
    case (.addVector(let first, let clearA), .addVector(let second, let clearB)):
      return clearA == clearB && first.id.description == second.id.description
    case (.addVector, _), (_, .addVector): return false
    case (.seek(let first, let playA), .seek(let second, let playB)):
      return first == second && playA == playB
    default:
      return a.exact(in: .zero) == b.exact(in: .zero)
    }
  }

  /// The command for the player's core. nil for a seek to NaN, which is no place.
  public func exact(in bounds: Rect) -> PlayerCommand? {
    switch self {
    case .idle: .idle
    case .play: .play
    case .pause: .pause
    case .seek(let time, let play):
      time.isNaN
        ? nil
        : .seek(
          to: Rational(simplest: time) ?? (time < 0 ? -Rational.greatest : .greatest), play: play)
    case .begin: .begin
    case .end: .end
    case .mute: .mute
    case .unmute: .unmute
    case .volume(let volume): .volume(volume)
    case .playbackSpeed(let speed): .playbackSpeed(speed)
    case .loop: .loop(passes: nil)
    case .unloop: .unloop
    case .subtitles(let language): .subtitles(language)
    case .audioTrack(let language): .audioTrack(languageCode: language)
    case .brightness(let value): .brightness(value)
    case .contrast(let value): .contrast(value)
    case .filter(let filter, let clear): .filter(filter, clear: clear)
    case .removeAllFilters: .removeAllFilters
    case .addVector(let builder, let clear):
      .addVector(builder.layer(in: bounds), clear: clear)
    case .removeAllVectors: .removeAllVectors
    case .startPiP: .startPiP
    case .stopPiP: .stopPiP
    }
  }
}
