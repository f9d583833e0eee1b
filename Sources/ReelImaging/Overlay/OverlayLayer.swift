// What is drawn over a picture.

public import ReelCore

/// What a path is filled with.
public enum Paint: Sendable, Hashable {
  case color(RGBAColor)
  case gradient(GradientDescription)
}

/// A filled path, in pixels of the output from its top left.
public struct PaintedPath: Sendable, Hashable {
  public var elements: [PathElement]
  public var fillRule: FillRule = .nonZero
  public var paint: Paint
  /// From the path's (and the gradient's) units to pixels.
  public var transform: Transform2D = .identity
  public init(_ elements: [PathElement], paint: Paint) {
    self.elements = elements
    self.paint = paint
  }
}

/// An image in a rectangle of the output.
public struct ImageLayer: Sendable, Hashable {
  public var image: RGBAImage
  public var frame: Rect
  /// 0…1.
  public var opacity = 1.0
  public init(_ image: RGBAImage, in frame: Rect) {
    self.image = image
    self.frame = frame
  }
}

/// Something that is drawn over the picture, in pixels of the output.
public indirect enum OverlayLayer: Sendable, Hashable {
  case shape(ShapeDescription)
  case path(PaintedPath)
  case image(ImageLayer)
  case mask(MaskLayer)
  /// Layers that are drawn together and are then as opaque as this, inside of the clip where there is one.
  case group([OverlayLayer], opacity: Double, clip: [PathElement]?)
}
