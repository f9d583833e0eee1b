// Colours that change along a line or around a point.

/// A gradient, in the units of the shape it fills.
public struct GradientDescription: Sendable, Hashable, Codable {
  public enum Geometry: Sendable, Hashable, Codable {
    /// From the first stop at `start` to the last at `end`; the same across.
    case linear(start: Point, end: Point)
    /// From the first stop at `centre` to the last at the distance `radius`.
    case radial(centre: Point, radius: Double)
  }
  /// What is seen before the first and behind the last stop.
  public enum Spread: String, Sendable, Hashable, Codable, CaseIterable {
    case pad
    case `repeat`
    case reflect
  }

  public struct Stop: Sendable, Hashable, Codable {
    /// 0…1.
    public var offset: Double
    public var color: RGBAColor
    public init(_ offset: Double, _ color: RGBAColor) {
      self.offset = offset
      self.color = color
    }
  }

  public var geometry: Geometry
  /// In ascending order of their offsets; one with a smaller offset than the one before counts as that.
  public var stops: [Stop]
  public var spread: Spread = .pad
  /// From the gradient's to the shape's units.
  public var transform: Transform2D = .identity

  public init(_ geometry: Geometry, stops: [Stop]) {
    self.geometry = geometry
    self.stops = stops
  }
}
