// The player's presentation as pictures.

public import ReelCore
public import ReelImaging
public import ReelPlayback

/// Composes what the player's presentation says over a base: the base has the output's size, colours
/// and what belongs to the render rather than to the player.
///
/// Over the picture lie the base's layers, then the overlays, built for the size that the output has, then
/// the player's vector layers.
public final class PresentationComposer: PictureComposer {
  private let base: Composition
  private let compositor: Compositor
  private let overlays: [any OverlayBuilder]
  private let inset: Inset
  private let captions: (any CaptionSource)?
  // LIMIT: a render of hours has no more of them at once; past them it composes again what comes again.
  private var looks = NumberedValues<Look>(limit: 65_536)
  private var compositions = NumberedValues<Composition>(limit: 4_096)
  /// The composition that was made last, which is mostly that of the next picture too.
  private var latest: (presentation: Presentation, input: RenderInput, composition: Int)?
  /// Overlays as they were built, for the sizes in use.
  private var built: [(size: PixelSize, layers: [OverlayLayer])] = []

  /// Everything that decides how a picture looks. Captions are drawn when the picture's size is known.
  private struct Look: Hashable {
    /// Its number: layers and images are long to hash. 0 for what changes nothing.
    var composition: Int
    var captions: CaptionLook?
  }

  /// - Parameters:
  ///   - base: its gravity, filters, brightness and contrast are those before the player is told otherwise;
  ///     the player's filters run after the base's.
  ///   - overlays: drawn in order.
  ///   - inset: what the inset looks like while the player is in picture in picture.
  ///   - captions: what draws the subtitles that the player chose; nil: none are drawn.
  /// - Throws: as `Compositor.check`.
  public init(
    base: Composition = Composition(), compositor: Compositor = Compositor(),
    overlays: [any OverlayBuilder] = [], inset: Inset = Inset(),
    captions: (any CaptionSource)? = nil
  ) throws(MediaError) {
    var whole = base
    whole.inset = inset
    try compositor.check(whole)
    self.base = base
    self.compositor = compositor
    self.overlays = overlays
    self.inset = inset
    self.captions = captions
  }

  public func look(of shown: Evaluation, from input: RenderInput) throws(MediaError) -> Int {
    let look = Look(
      composition: try compositionNumber(shown.presentation, input),
      captions: try captions?.look(of: shown, from: input))
    if look.captions == nil && look.composition == 0 && overlays.isEmpty { return 0 }
    return looks.number(of: look)
  }

  private func compositionNumber(
    _ presentation: Presentation, _ input: RenderInput
  ) throws(MediaError) -> Int {
    // The same arrays compare at once.
    if let latest, latest.input === input, latest.presentation == presentation {
      return latest.composition
    }
    let composition = try composition(of: presentation, from: input)
    let number = composition.isPlain ? 0 : compositions.number(of: composition)
    latest = (presentation, input, number)
    return number
  }

  public func nextChange(
    of shown: Evaluation, from input: RenderInput
  ) throws(MediaError) -> Rational? { try captions?.nextChange(of: shown, from: input) }

  public func compose(_ frame: VideoFrame, look: Int) throws(MediaError) -> VideoFrame {
    if look == 0 { return frame }
    guard let known = looks[look],
      var composition = known.composition == 0 ? Composition() : compositions[known.composition]
    else { throw MediaError(.usage, .renderLook, detail: "\(look)") }
    let size = composition.outputSize(of: frame)
    if !overlays.isEmpty {
      let layers = try overlayLayers(size)
      composition.layers.insert(contentsOf: layers, at: base.layers.count)
    }
    if let captions, let own = known.captions {
      composition.captions = try captions.layers(own, width: size.width, height: size.height)
    }
    return try compositor.compose(frame, composition)
  }

  private func overlayLayers(_ size: PixelSize) throws(MediaError) -> [OverlayLayer] {
    if let found = built.first(where: { $0.size == size }) { return found.layers }
    let bounds = Rect(x: 0, y: 0, width: Double(size.width), height: Double(size.height))
    var layers: [OverlayLayer] = []
    for overlay in overlays { layers += try overlay.layers(in: bounds) }
    // A render has as many sizes as inputs; few of them at once.
    if built.count >= 4 { built.removeFirst() }
    built.append((size, layers))
    return layers
  }

  private func composition(
    of presentation: Presentation, from input: RenderInput
  ) throws(MediaError) -> Composition {
    var composition = base
    composition.gravity = presentation.gravity
    composition.filters += presentation.filters
    composition.brightness = min(max(base.brightness + Double(presentation.brightness), -1), 1)
    composition.contrast = min(max(base.contrast * Double(presentation.contrast), 0), 4)
    if presentation.isInset { composition.inset = inset }
    for vector in presentation.vectors {
      composition.layers += vector.shapes.map(OverlayLayer.shape)
    }
    if base.followsTrack {
      guard let orientation = Orientation(matrix: input.displayMatrix) else {
        throw MediaError(
          .unsupported, .displayMatrix, at: .named(input.name),
          detail: "\(input.displayMatrix ?? [])",
          advice: "turns by right angles and mirrors are built; render it as coded instead")
      }
      composition.orientation = orientation
      composition.aperture = input.cleanAperture
    }
    if composition.size == nil { composition.gravity = .resizeAspect }
    return composition
  }
}
