// What a picture is turned into, as a value.

public import ReelCore

/// A width and a height in pixels.
public struct PixelSize: Sendable, Hashable {
  public var width, height: Int
  public init(width: Int, height: Int) { (self.width, self.height) = (width, height) }
}

/// A picture in the picture.
public struct Inset: Sendable, Hashable {
  public enum Corner: String, Sendable, Hashable, CaseIterable {
    case topLeft, topRight, bottomLeft, bottomRight
  }
  public var corner: Corner = .bottomRight
  /// Width and height as parts of the output's, 0…1.
  public var scale = 1.0 / 3
  /// Distance from the sides, as a part of the output's smaller side.
  public var margin = 0.04
  /// Radius of its corners, as a part of its own smaller side.
  public var cornerRadius = 0.06
  /// What lies under it: an image over the whole output, or the background alone.
  public var backdrop: RGBAImage?
  public init() {}
}

/// Everything besides the source picture that decides how it looks.
///
/// A composed picture is a function of the source picture and this value: equal values give equal
/// samples. The steps, in this order: the picture is turned upright; the filters run at its own size,
/// then brightness and contrast; it is fitted into the output by its gravity; the layers are drawn over
/// it, then the captions, then the inset.
public struct Composition: Sendable, Hashable {
  /// Size of the output; nil: the source's own, upright.
  public var size: PixelSize?
  public var gravity: Gravity = .resizeAspect
  /// How the source stands.
  public var orientation: Orientation = .upright
  /// The part of the source that is shown, before it is turned; nil: all of it.
  public var aperture: CleanAperture?
  /// Who composes for a player takes orientation and aperture from the track.
  public var followsTrack = true
  /// Pictures of high dynamic range are brought to BT.709 with this curve, before the filters; nil: their
  /// codes stay as they are.
  public var toneCurve: ToneCurve?
  /// In the order they run.
  public var filters: [FilterDescription] = []
  /// −1…1 and 0…4, after the filters: c′ = clamp((c + brightness − ½) · contrast + ½).
  public var brightness = 0.0
  public var contrast = 1.0
  /// Filters run on linear light instead of R′G′B′ as coded.
  public var usesLinearLight = false
  /// What is seen where the picture is not.
  public var background: RGBAColor = .black
  public var scaleFilter: ScaleFilter = .bicubic
  /// Radius of the picture's corners in pixels of the output; they show the background.
  public var cornerRadius = 0.0
  /// Drawn over the picture, in order.
  public var layers: [OverlayLayer] = []
  /// Drawn over the layers.
  public var captions: [OverlayLayer] = []
  /// The picture goes into an inset over something else.
  public var inset: Inset?
  public init() {}

  /// The picture comes out as it goes in, at its own size.
  public var isPlain: Bool { self == Composition() }
}
