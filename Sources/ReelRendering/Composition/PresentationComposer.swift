// The player's presentation as pictures.

public import ReelCore
public import ReelImaging
public import ReelPlayback

/// Composes what the player's presentation says over a base: the base has the output's size, colours
/// and what belongs to the render rather than to the player.
public final class PresentationComposer: PictureComposer {
  private let base: Composition
  private let compositor: Compositor
  private let captions: (any CaptionSource)?
  /// The looks seen so far; look n is at n − 1.
  private var looks: [Look] = []
  private var numbers: [Look: Int] = [:]

  /// Everything that decides how a picture looks. Captions are drawn when the picture's size is known.
  private struct Look: Hashable {
    var composition: Composition
    var captions: CaptionLook?
  }

  /// - Parameter base: its gravity, filters, brightness and contrast are those before the player is
  ///   told otherwise; the player's filters run after the base's.
  /// - Parameter captions: what draws the subtitles that the player chose; nil: none are drawn.
  /// - Throws: as `Compositor.check`.
  public init(
    base: Composition = Composition(), compositor: Compositor = Compositor(),
    captions: (any CaptionSource)? = nil
  ) throws(MediaError) {
    try compositor.check(base)
    self.base = base
    self.compositor = compositor
    self.captions = captions
  }

  public func look(of shown: Evaluation, from input: RenderInput) throws(MediaError) -> Int {
    let look = Look(
      composition: composition(of: shown, from: input),
      captions: try captions?.look(of: shown, from: input))
    if look.captions == nil, look.composition.isPlain { return 0 }
    if let number = numbers[look] { return number }
    looks.append(look)
    numbers[look] = looks.count
    return looks.count
  }

  public func nextChange(
    of shown: Evaluation, from input: RenderInput
  ) throws(MediaError) -> Rational? { try captions?.nextChange(of: shown, from: input) }

  public func compose(_ frame: VideoFrame, look: Int) throws(MediaError) -> VideoFrame {
    guard look > 0, look <= looks.count else { return frame }
    var composition = looks[look - 1].composition
    if let captions, let own = looks[look - 1].captions {
      let isTurned = composition.orientation.isTransposed
      let size =
        composition.size
        ?? PixelSize(
          width: isTurned ? frame.height : frame.width,
          height: isTurned ? frame.width : frame.height)
      composition.captions = try captions.layers(own, width: size.width, height: size.height)
    }
    return try compositor.compose(frame, composition)
  }

  private func composition(of shown: Evaluation, from input: RenderInput) -> Composition {
    var composition = base
    let presentation = shown.presentation
    composition.gravity = presentation.gravity
    composition.filters += presentation.filters
    composition.brightness = min(max(base.brightness + Double(presentation.brightness), -1), 1)
    composition.contrast = min(max(base.contrast * Double(presentation.contrast), 0), 4)
    // A matrix that is no turn by right angles is left to whoever set it.
    composition.orientation = Orientation(matrix: input.displayMatrix) ?? .upright
    if composition.size == nil { composition.gravity = .resizeAspect }
    return composition
  }
}
