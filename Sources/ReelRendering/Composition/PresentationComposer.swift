// The player's presentation as pictures.

public import ReelCore
public import ReelImaging
public import ReelPlayback

/// Composes what the player's presentation says over a base: the base has the output's size, colours
/// and what belongs to the render rather than to the player.
public final class PresentationComposer: PictureComposer {
  private let base: Composition
  private let compositor: Compositor
  /// The looks seen so far; look n is at n − 1.
  private var looks: [Composition] = []
  private var numbers: [Composition: Int] = [:]

  /// - Parameter base: its gravity, filters, brightness and contrast are those before the player is
  ///   told otherwise; the player's filters run after the base's.
  /// - Throws: as `Compositor.check`.
  public init(
    base: Composition = Composition(), compositor: Compositor = Compositor()
  ) throws(MediaError) {
    try compositor.check(base)
    self.base = base
    self.compositor = compositor
  }

  public func look(of shown: Evaluation, from input: RenderInput) throws(MediaError) -> Int {
    let composition = composition(of: shown, from: input)
    if composition.isPlain { return 0 }
    if let number = numbers[composition] { return number }
    looks.append(composition)
    numbers[composition] = looks.count
    return looks.count
  }

  public func nextChange(
    of shown: Evaluation, from input: RenderInput
  ) throws(MediaError) -> Rational? { nil }

  public func compose(_ frame: VideoFrame, look: Int) throws(MediaError) -> VideoFrame {
    guard look > 0, look <= looks.count else { return frame }
    return try compositor.compose(frame, looks[look - 1])
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
