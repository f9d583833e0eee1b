// Overlays that depend on the output's size.

public import ReelCore
public import ReelImaging
public import ReelPlayback

/// Makes layers for an output; asked once for each size that the output has.
public protocol OverlayBuilder: Sendable {
  /// Layers in pixels of the output, drawn in order.
  ///
  /// - Parameter bounds: the whole output, its origin at (0, 0).
  func layers(in bounds: Rect) throws(MediaError) -> [OverlayLayer]
}

/// A player's shape layer builder as an overlay of a render.
public struct ShapeOverlay<Builder: ShapeLayerBuilderProtocol>: OverlayBuilder {
  private let builder: Builder
  public init(_ builder: Builder) { self.builder = builder }
  public func layers(in bounds: Rect) -> [OverlayLayer] {
    builder.buildAll(with: (frame: bounds, bounds: bounds)).map(OverlayLayer.shape)
  }
}

/// A drawing over the output.
public struct DrawingOverlay: OverlayBuilder {
  private let drawing: SVGImage
  private let place: OverlayPlace
  /// 0…1.
  private let opacity: Double
  public init(_ drawing: SVGImage, at place: OverlayPlace = OverlayPlace(), opacity: Double = 1) {
    self.drawing = drawing
    self.place = place
    self.opacity = opacity
  }
  public func layers(in bounds: Rect) -> [OverlayLayer] {
    [drawing.layer(in: place.frame(of: drawing.size, in: bounds), opacity: opacity)]
  }
}

/// An image over the output.
public struct ImageOverlay: OverlayBuilder {
  private let image: RGBAImage
  private let place: OverlayPlace
  /// 0…1.
  private let opacity: Double
  public init(_ image: RGBAImage, at place: OverlayPlace = OverlayPlace(), opacity: Double = 1) {
    self.image = image
    self.place = place
    self.opacity = opacity
  }
  public func layers(in bounds: Rect) -> [OverlayLayer] {
    let size = Size(width: Double(image.width), height: Double(image.height))
    var layer = ImageLayer(image, in: place.frame(of: size, in: bounds))
    layer.opacity = opacity
    return [.image(layer)]
  }
}

/// Where something with a size of its own lies in an output.
public struct OverlayPlace: Sendable, Hashable {
  /// A length in pixels or as a part of the output's width or height.
  public enum Length: Sendable, Hashable {
    case pixels(Double)
    /// 1 is the whole width or height.
    case part(Double)

    /// In pixels.
    public func resolved(of whole: Double) -> Double {
      switch self {
      case .pixels(let count): count
      case .part(let part): part * whole
      }
    }
  }

  /// From the left and the top, to the overlay's; negative pixels: from the right and the bottom, to the
  /// overlay's right and bottom.
  public var x, y: Length
  /// nil: its own, or what keeps its shape beside the other one.
  public var width, height: Length?

  public init(
    x: Length = .pixels(0), y: Length = .pixels(0), width: Length? = nil, height: Length? = nil
  ) {
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
  }

  /// The rectangle for something of `size` in `bounds`.
  public func frame(of size: Size, in bounds: Rect) -> Rect {
    let whole = bounds.size
    var (w, h) = (size.width, size.height)
    switch (width?.resolved(of: whole.width), height?.resolved(of: whole.height)) {
    case (let width?, let height?): (w, h) = (width, height)
    case (let width?, nil): (w, h) = (width, size.width > 0 ? width * h / size.width : 0)
    case (nil, let height?): (w, h) = (size.height > 0 ? height * w / size.height : 0, height)
    default: break
    }
    func start(_ length: Length, _ own: Double, _ whole: Double) -> Double {
      let value = length.resolved(of: whole)
      // −0 is the far side itself.
      return value.sign == .minus ? whole - own + value : value
    }
    return Rect(
      x: bounds.origin.x + start(x, w, whole.width), y: bounds.origin.y + start(y, h, whole.height),
      width: w, height: h)
  }
}
