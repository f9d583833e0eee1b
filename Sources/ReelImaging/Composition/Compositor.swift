// Makes composed pictures.

public import ReelCore

/// Composes pictures: filters, size, overlays.
///
/// Keeps what does not change from picture to picture. Owned by one thread at a time; `executor` tells who
/// runs the bands of a picture, and does not change the result.
public final class Compositor {
  let context: FilterContext
  private let customFilters: [CustomFilter]
  private var stack: (key: StackKey, value: FilterStack)?
  private var scalers: [FrameScaler] = []
  private var overlays = RecentValues<OverlayKey, OverlayPlanes?>()
  private var backdrops = RecentValues<BackdropKey, VideoFrame>()
  // Seen by tests, which count what was made.
  private(set) var fusedPictures = 0
  private(set) var corners = RecentValues<CornerKey, OverlayPlanes?>()
  private(set) var masks = RecentValues<MaskKey, [UInt8]>()
  /// Scalers that are kept; a composition needs a few at once.
  private static let cacheLimit = 6

  /// What a filter stack is built from.
  private struct StackKey: Hashable {
    var filters: [FilterDescription]
    var brightness, contrast: Double
    var width, height: Int
    var isLinear: Bool
  }

  /// What drawn layers depend on.
  private struct OverlayKey: Equatable {
    var layers: [OverlayLayer]
    var captions: [OverlayLayer]
    var format: ResolvedFormat
    var width, height: Int
  }

  /// What the background in rounded corners depends on.
  struct CornerKey: Equatable {
    var radius: Double
    var background: RGBAColor
    var format: ResolvedFormat
    var width, height: Int
  }

  /// What the shape of an inset depends on.
  struct MaskKey: Equatable {
    var radius: Double
    var width, height: Int
  }

  private struct BackdropKey: Equatable {
    var image: RGBAImage?
    var background: RGBAColor
    var format: ResolvedFormat
    var width, height: Int
  }

  /// - Parameter customFilters: filters that descriptions may name besides those of ``FilterCatalog``.
  public convenience init(
    executor: any BandExecutor = SerialExecutor(), customFilters: [CustomFilter] = []
  ) {
    self.init(executor: executor, customFilters: customFilters, kernels: .vector)
  }

  /// `kernels`: for tests, which compare both.
  package init(
    executor: any BandExecutor, customFilters: [CustomFilter] = [], kernels: KernelChoice
  ) {
    context = FilterContext(pools: PlanePools(), executor: executor, kernels: kernels)
    self.customFilters = customFilters
  }

  /// Checks what can be wrong with a composition before there is a picture.
  ///
  /// - Throws: `.usage` for filters that are not known or values that are no numbers, `.limitExceeded`
  ///   for sizes and paths, and what reading a filter's data throws.
  public func check(_ composition: Composition) throws(MediaError) {
    if let size = composition.size { try checkPictureSize(size.width, size.height) }
    _ = try FilterStack(
      composition.filters, brightness: composition.brightness, contrast: composition.contrast,
      width: 16, height: 16, isLinear: composition.usesLinearLight, custom: customFilters)
    var drawing = OverlayDrawing(bounds: SampleRect(x: 0, y: 0, width: 1, height: 1))
    try drawing.draw(composition.layers + composition.captions)
    guard composition.cornerRadius.isFinite else {
      throw MediaError(.usage, .pathValue, detail: "corner radius \(composition.cornerRadius)")
    }
    try composition.inset?.check()
  }

  /// The composed picture; `frame` itself, its planes shared, when nothing changes.
  ///
  /// - Throws: as ``check(_:)``, and `.unsupported` for colour that is not built.
  public func compose(
    _ frame: VideoFrame, _ composition: Composition
  ) throws(MediaError) -> VideoFrame {
    var picture = frame
    if let aperture = composition.aperture { picture = picture.cut(to: aperture) }
    if let curve = composition.toneCurve { picture = try toneMapped(picture, curve) }
    picture = try picture.oriented(composition.orientation)
    let stack = try filterStack(composition, picture)
    if let fused = try fused(stack, picture, composition) { return fused }
    picture = try stack.run(picture, context: context)
    let size = composition.size ?? PixelSize(width: picture.width, height: picture.height)
    try checkPictureSize(size.width, size.height)
    guard composition.drawsOver else { return try fitted(picture, composition, size) }
    // Overlays have colours: a picture without chroma gets planes for them.
    picture = try picture.withColour()
    if let inset = composition.inset {
      var base = try backdrop(inset, picture, composition, size)
      try blendLayers(composition, into: &base, size)
      try draw(picture, as: inset, composition, into: &base, size)
      return base
    }
    var base = try fitted(picture, composition, size, copies: true)
    try roundCorners(composition, of: &base, size)
    try blendLayers(composition, into: &base, size)
    return base
  }

  /// A picture of PQ or HLG as one of BT.709 in its own form of samples; others as they are.
  private func toneMapped(
    _ frame: VideoFrame, _ curve: ToneCurve
  ) throws(MediaError) -> VideoFrame {
    guard TransferFunction(code: frame.colour.transfer).isHighDynamicRange else { return frame }
    var format = frame.format
    (format.colour.primaries, format.colour.transfer) = (1, 1)
    // Planes of R′G′B′ stay what they are.
    if format.colour.matrix != 0 { format.colour.matrix = 1 }
    return try frame.converted(to: format, curve: curve, executor: context.executor)
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

  /// The picture in one walk, where all that happens is a map of codes, scaling and layers; nil where more
  /// does.
  private func fused(
    _ stack: FilterStack, _ frame: VideoFrame, _ composition: Composition
  ) throws(MediaError) -> VideoFrame? {
    guard let size = composition.size, composition.inset == nil, composition.cornerRadius <= 0,
      composition.background.alpha >= 1, frame.alpha == nil, let pass = stack.onlyPass,
      case .depth8(let planes) = frame.storage
    else { return nil }
    try checkPictureSize(size.width, size.height)
    let format = try ResolvedFormat(frame.format, width: frame.width, height: frame.height)
    let fit = PictureFit(
      width: frame.width, height: frame.height, pixelAspect: frame.pixelAspectRatio,
      in: (size.width, size.height), gravity: composition.gravity,
      alignment: (format.horizontalShift, format.verticalShift))
    // The map last: it looks through the picture.
    guard
      !fit.isIdentity(
        width: frame.width, height: frame.height, output: (size.width, size.height)),
      let lines = pass.codeMap(planes, format, frame.crop)?.0.integers?.lines
    else { return nil }
    var result = frame
    result.storage = .depth8(
      context.pools.planes8(
        width: size.width, height: size.height, chromaFormat: planes.chromaFormat))
    result.crop = SampleRect(x: 0, y: 0, width: size.width, height: size.height)
    result.pixelAspectRatio = .square
    if frame.colour.matrix == 2 { result.colour.matrix = format.matrix.code }
    let scaler = scaler(
      FrameScaler.Geometry(
        fit: fit, width: frame.width, height: frame.height, outputWidth: size.width,
        outputHeight: size.height, format: format, filter: composition.scaleFilter))
    guard let walk = FusedPass(scaler, lines, try overlay(composition, over: result, size)),
      case .depth8(let output) = result.storage
    else { return nil }
    walk.run(
      planes, frame.crop, into: output,
      background: PlaneColour(composition.background.overBlack, in: format), context)
    fusedPictures += 1
    return result
  }

  // MARK: Size

  /// The picture in the output's size. `copies`: in planes of its own, which may be drawn into.
  private func fitted(
    _ frame: VideoFrame, _ composition: Composition, _ size: PixelSize, copies: Bool = false
  ) throws(MediaError) -> VideoFrame {
    let format = try ResolvedFormat(frame.format, width: frame.width, height: frame.height)
    // Without a size the pixels stay as they are, whatever their shape.
    let isResized = composition.size != nil
    let fit = PictureFit(
      width: frame.width, height: frame.height,
      pixelAspect: isResized ? frame.pixelAspectRatio : .square,
      in: (size.width, size.height), gravity: composition.gravity,
      alignment: (format.horizontalShift, format.verticalShift))
    let isIdentity = fit.isIdentity(
      width: frame.width, height: frame.height, output: (size.width, size.height))
    if isIdentity && !copies { return frame }
    let scaler = scaler(
      FrameScaler.Geometry(
        fit: fit, width: frame.width, height: frame.height, outputWidth: size.width,
        outputHeight: size.height, format: format,
        filter: isIdentity ? .nearest : composition.scaleFilter))
    var result = scaler.run(
      frame, background: PlaneColour(composition.background.overBlack, in: format),
      pool: context.pools, executor: context.executor, kernels: context.kernels)
    if !isResized { result.pixelAspectRatio = frame.pixelAspectRatio }
    // The meaning of an unspecified matrix depends on the size: what it meant before holds.
    if frame.colour.matrix == 2 { result.colour.matrix = format.matrix.code }
    if composition.background.alpha < 1 && composition.drawsOver {
      result.alpha = alphaPlane(size, fit.target, composition.background.alpha)
    }
    return result
  }

  /// Full coverage where the picture is, the background's around it.
  private func alphaPlane(
    _ size: PixelSize, _ picture: SampleRect?, _ background: Double
  ) -> FramePlanes<UInt8> {
    let planes = context.pools.planes8(
      width: size.width, height: size.height, chromaFormat: .monochrome)
    let outside = UInt8((min(max(background, 0), 1) * 255).rounded())
    for y in 0..<size.height {
      planes.y.fill(at: y * planes.y.stride, count: size.width, with: outside)
      if let picture, y >= picture.y, y < picture.y + picture.height {
        planes.y.fill(at: y * planes.y.stride + picture.x, count: picture.width, with: 255)
      }
    }
    return planes
  }

  private func scaler(_ geometry: FrameScaler.Geometry) -> FrameScaler {
    if let found = scalers.first(where: { $0.geometry == geometry }) { return found }
    if scalers.count >= Self.cacheLimit { scalers.removeFirst() }
    let scaler = FrameScaler(geometry)
    scalers.append(scaler)
    return scaler
  }

  // MARK: Layers

  private func blendLayers(
    _ composition: Composition, into frame: inout VideoFrame, _ size: PixelSize
  ) throws(MediaError) {
    try overlay(composition, over: frame, size)?.blend(into: frame, executor: context.executor)
  }

  /// The drawn layers for a frame of the output's size; nil when there is nothing to see.
  private func overlay(
    _ composition: Composition, over frame: VideoFrame, _ size: PixelSize
  ) throws(MediaError) -> OverlayPlanes? {
    guard !composition.layers.isEmpty || !composition.captions.isEmpty else { return nil }
    let format = try ResolvedFormat(frame.format, width: frame.width, height: frame.height)
    let key = OverlayKey(
      layers: composition.layers, captions: composition.captions, format: format,
      width: size.width, height: size.height)
    return try overlays.value(for: key) { () throws(MediaError) -> OverlayPlanes? in
      var drawing = OverlayDrawing(
        bounds: SampleRect(x: 0, y: 0, width: size.width, height: size.height))
      try drawing.draw(composition.layers)
      try drawing.draw(composition.captions)
      return OverlayPlanes(
        drawing.canvas, format: format, width: size.width, height: size.height)
    }
  }

  /// Shows the background in the corners of the picture.
  private func roundCorners(
    _ composition: Composition, of frame: inout VideoFrame, _ size: PixelSize
  ) throws(MediaError) {
    guard composition.cornerRadius > 0 else { return }
    let format = try ResolvedFormat(frame.format, width: frame.width, height: frame.height)
    let key = CornerKey(
      radius: composition.cornerRadius, background: composition.background, format: format,
      width: size.width, height: size.height)
    let planes = try corners.value(for: key) { () throws(MediaError) -> OverlayPlanes? in
      try Self.drawCorners(key)
    }
    planes?.blend(into: frame, executor: context.executor)
  }

  private static func drawCorners(_ key: CornerKey) throws(MediaError) -> OverlayPlanes? {
    let whole = Rect(x: 0, y: 0, width: Double(key.width), height: Double(key.height))
    let corners = try FlatPath(
      ShapeDescription.rectangle(whole)
        + ShapeDescription.roundedRectangle(whole, radius: key.radius), tolerance: 0.02)
    var canvas = Canvas(bounds: SampleRect(x: 0, y: 0, width: key.width, height: key.height))
    var colour = PaintSource.multiplied(key.background)
    // Alpha says here how much of the picture goes; the background's own is told apart.
    colour.w = 1
    canvas.fill(corners, .evenOdd, .color(colour), opacity: 1)
    return OverlayPlanes(
      canvas, format: key.format, width: key.width, height: key.height,
      alphaScale: Float(min(max(key.background.alpha, 0), 1)))
  }

  // MARK: Inset

  /// What lies under the inset, in planes of its own.
  private func backdrop(
    _ inset: Inset, _ picture: VideoFrame, _ composition: Composition, _ size: PixelSize
  ) throws(MediaError) -> VideoFrame {
    var format = picture.format
    let resolved = try ResolvedFormat(format, width: picture.width, height: picture.height)
    format.colour.matrix = resolved.matrix.code
    let key = BackdropKey(
      image: inset.backdrop, background: composition.background, format: resolved,
      width: size.width, height: size.height)
    let kept = try backdrops.value(for: key) { () throws(MediaError) -> VideoFrame in
      try drawBackdrop(key, format)
    }
    var plain = composition
    plain.size = size
    var base = try fitted(kept, plain, size, copies: true)
    base.alpha =
      composition.background.alpha < 1 && inset.backdrop == nil
      ? alphaPlane(size, nil, composition.background.alpha) : nil
    return picture.withPlanes(of: base)
  }

  private func drawBackdrop(
    _ key: BackdropKey, _ format: PictureFormat
  ) throws(MediaError) -> VideoFrame {
    let frame = VideoFrame.filled(
      width: key.width, height: key.height, format: format,
      colour: PlaneColour(key.background.overBlack, in: key.format))
    guard let image = key.image else { return frame }
    var drawing = OverlayDrawing(
      bounds: SampleRect(x: 0, y: 0, width: key.width, height: key.height))
    let whole = Rect(x: 0, y: 0, width: Double(key.width), height: Double(key.height))
    try drawing.draw([.image(ImageLayer(image, in: whole))])
    OverlayPlanes(drawing.canvas, format: key.format, width: key.width, height: key.height)?
      .blend(into: frame, executor: context.executor)
    return frame
  }

  private func draw(
    _ picture: VideoFrame, as inset: Inset, _ composition: Composition,
    into base: inout VideoFrame, _ size: PixelSize
  ) throws(MediaError) {
    let format = try ResolvedFormat(picture.format, width: picture.width, height: picture.height)
    let place = inset.place(
      of: picture, in: size, alignment: (format.horizontalShift, format.verticalShift))
    var small = composition
    small.size = PixelSize(width: place.width, height: place.height)
    small.gravity = .resize
    let fitted = try fitted(
      picture, small, PixelSize(width: place.width, height: place.height), copies: true)
    let radius = inset.cornerRadius * Double(min(place.width, place.height))
    let key = MaskKey(radius: radius, width: place.width, height: place.height)
    let mask = try masks.value(for: key) { () throws(MediaError) -> [UInt8] in
      let bounds = SampleRect(x: 0, y: 0, width: key.width, height: key.height)
      let shape = Rect(x: 0, y: 0, width: Double(key.width), height: Double(key.height))
      let path = ShapeDescription.roundedRectangle(shape, radius: key.radius)
      return Canvas.mask(try FlatPath(path, tolerance: 0.02), .nonZero, bounds: bounds)
    }
    MaskedCopy(mask: mask, place: place, format: format).run(fitted, into: base)
  }
}

extension Composition {
  /// Something is drawn into or over the picture.
  var drawsOver: Bool {
    !layers.isEmpty || !captions.isEmpty || cornerRadius > 0 || inset != nil
      || background.alpha < 1
  }
}

extension RGBAColor {
  /// What is seen of the colour over black.
  var overBlack: RGBAColor {
    let strength = min(max(alpha, 0), 1)
    return RGBAColor(red: red * strength, green: green * strength, blue: blue * strength)
  }
}

extension Inset {
  func check() throws(MediaError) {
    guard scale.isFinite, margin.isFinite, cornerRadius.isFinite else {
      throw MediaError(.usage, .pathValue, detail: "inset \(scale), \(margin), \(cornerRadius)")
    }
  }

  /// Where the inset lies: as wide as its scale says, as high as the picture's shape makes it.
  func place(
    of picture: VideoFrame, in size: PixelSize, alignment: (x: Int, y: Int)
  ) -> SampleRect {
    let part = min(max(scale, 0.02), 1)
    let box = PictureFit(
      width: picture.width, height: picture.height, pixelAspect: picture.pixelAspectRatio,
      in: (
        max(Int(Double(size.width) * part), 1 << alignment.x),
        max(Int(Double(size.height) * part), 1 << alignment.y)
      ), gravity: .resizeAspect, alignment: alignment
    ).target
    // A box of whole chroma samples may be larger than a picture of one pixel.
    let (width, height) = (min(box.width, size.width), min(box.height, size.height))
    let (right, bottom) = (size.width - width, size.height - height)
    let gap = Int(min(max(margin, 0), 0.5) * Double(min(size.width, size.height)))
    let isLeft = corner == .topLeft || corner == .bottomLeft
    let isTop = corner == .topLeft || corner == .topRight
    let x = isLeft ? min(gap, right) : max(right - gap, 0)
    let y = isTop ? min(gap, bottom) : max(bottom - gap, 0)
    return SampleRect(
      x: (x >> alignment.x) << alignment.x, y: (y >> alignment.y) << alignment.y, width: width,
      height: height)
  }
}
