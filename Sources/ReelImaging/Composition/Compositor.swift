// Makes composed pictures.

public import ReelCore

/// Composes pictures: filters, size, overlays.
///
/// Keeps what does not change from picture to picture. Owned by one thread at a time; `executor` tells who
/// runs the bands of a picture, and does not change the result.
public final class Compositor {
  private let context: FilterContext
  private let customFilters: [CustomFilter]
  private var stack: (key: StackKey, value: FilterStack)?
  private var scalers: [FrameScaler] = []
  /// Scalers that are kept; a composition needs one or two at once.
  private static let scalerLimit = 4

  /// What a filter stack is built from.
  private struct StackKey: Hashable {
    var filters: [FilterDescription]
    var brightness, contrast: Double
    var width, height: Int
    var isLinear: Bool
  }

  /// - Parameter customFilters: filters that descriptions may name besides those of ``FilterCatalog``.
  public init(
    executor: any BandExecutor = SerialExecutor(), customFilters: [CustomFilter] = []
  ) {
    context = FilterContext(pools: PlanePools(), executor: executor)
    self.customFilters = customFilters
  }

  /// Names and cache keys of the custom filters, which a cache of composed pictures must keep apart.
  public var customFilterKeys: [String] { customFilters.map { "\($0.name)=\($0.cacheKey)" } }

  /// Checks what can be wrong with a composition before there is a picture.
  ///
  /// - Throws: `.usage` for filters that are not known or values that are no numbers, `.limitExceeded`
  ///   for sizes, and what reading a filter's data throws.
  public func check(_ composition: Composition) throws(MediaError) {
    if let size = composition.size { try checkPictureSize(size.width, size.height) }
    _ = try FilterStack(
      composition.filters, brightness: composition.brightness, contrast: composition.contrast,
      width: 16, height: 16, isLinear: composition.usesLinearLight, custom: customFilters)
  }

  /// The composed picture; `frame` itself, its planes shared, when nothing changes.
  ///
  /// - Throws: as ``check(_:)``, and `.unsupported` for colour that is not built.
  public func compose(
    _ frame: VideoFrame, _ composition: Composition
  ) throws(MediaError) -> VideoFrame {
    var picture = try frame.oriented(composition.orientation)
    picture = try filterStack(composition, picture).run(picture, context: context)
    return try fitted(picture, composition)
  }

  private func filterStack(
    _ composition: Composition, _ frame: VideoFrame
  ) throws(MediaError) -> FilterStack {
    let key = StackKey(
      filters: composition.filters, brightness: composition.brightness,
      contrast: composition.contrast, width: frame.width, height: frame.height,
      isLinear: composition.usesLinearLight)
    if let stack, stack.key == key { return stack.value }
    let built = try FilterStack(
      key.filters, brightness: key.brightness, contrast: key.contrast, width: key.width,
      height: key.height, isLinear: key.isLinear, custom: customFilters)
    stack = (key, built)
    return built
  }

  /// The picture in the output's size.
  private func fitted(
    _ frame: VideoFrame, _ composition: Composition
  ) throws(MediaError) -> VideoFrame {
    guard let size = composition.size else { return frame }
    try checkPictureSize(size.width, size.height)
    let format = try ResolvedFormat(frame.format, width: frame.width, height: frame.height)
    let fit = PictureFit(
      width: frame.width, height: frame.height, pixelAspect: frame.pixelAspectRatio,
      in: (size.width, size.height), gravity: composition.gravity,
      alignment: (format.horizontalShift, format.verticalShift))
    if fit.isIdentity(
      width: frame.width, height: frame.height, output: (size.width, size.height))
    {
      return frame
    }
    let scaler = scaler(
      FrameScaler.Geometry(
        fit: fit, width: frame.width, height: frame.height, outputWidth: size.width,
        outputHeight: size.height, format: format, filter: composition.scaleFilter))
    var result = scaler.run(
      frame, background: PlaneColour(composition.background, in: format), pool: context.pools,
      executor: context.executor, kernels: context.kernels)
    // The meaning of an unspecified matrix depends on the size: what it meant before holds.
    if frame.colour.matrix == 2 { result.colour.matrix = format.matrix.code }
    return result
  }

  private func scaler(_ geometry: FrameScaler.Geometry) -> FrameScaler {
    if let found = scalers.first(where: { $0.geometry == geometry }) { return found }
    if scalers.count >= Self.scalerLimit { scalers.removeFirst() }
    let scaler = FrameScaler(geometry)
    scalers.append(scaler)
    return scaler
  }
}
