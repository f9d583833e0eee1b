// Colours that change along a line or around a point.

/// A gradient, in the units of the shape it fills.
public struct GradientDescription: Sendable, Hashable, Codable {
  /// Where the stops lie.
  public enum Geometry: Sendable, Hashable, Codable {
    /// From the first stop at `start` to the last at `end`; the same across.
    case linear(start: Point, end: Point)
    /// From the first stop at `centre` to the last at the distance `radius`.
    case radial(centre: Point, radius: Double)
  }
  /// What is seen before the first and behind the last stop.
  public enum Spread: String, Sendable, Hashable, Codable, CaseIterable {
    /// The first and the last colour go on.
    case pad
    /// The stops begin again.
    case `repeat`
    /// The stops go back and forth.
    case reflect
  }

  /// A colour at a place; between two stops colours are mixed.
  public struct Stop: Sendable, Hashable, Codable {
    /// 0…1.
    public var offset: Double
    /// With its own alpha.
    public var color: RGBAColor
    /// A colour at a fraction of the way.
    public init(_ offset: Double, _ color: RGBAColor) {
      self.offset = offset
      self.color = color
    }
  }

  /// A line or a circle.
  public var geometry: Geometry
  /// In ascending order of their offsets; one with a smaller offset than the one before counts as that.
  public var stops: [Stop]
  /// What is seen beyond the stops.
  public var spread: Spread = .pad
  /// From the gradient's to the shape's units.
  public var transform: Transform2D = .identity

  /// A gradient in the shape's own units; one stop or none gives one colour or nothing.
  public init(_ geometry: Geometry, stops: [Stop]) {
    self.geometry = geometry
    self.stops = stops
  }
}
