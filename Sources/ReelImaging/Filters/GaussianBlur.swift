// The Gaussian blur.

internal import ReelCore

/// A Gaussian in both directions, whose edges repeat.
///
/// A narrow Gaussian is summed as it is. A wide one is made of halvings with the weights 1 3 3 1, each of
/// which blurs a little (its variance is ¾ of its own samples squared), a narrow Gaussian on the small
/// picture that makes up what is missing, and as many doublings. The result is within 1/255 of the range
/// from the exact one, and the work does not grow with the radius.
struct GaussianBlur: Sendable {
  /// How many times the plane is halved in both directions.
  let halvings: Int
  /// What is left for the small picture: weights from the centre outwards.
  let columnWeights, rowWeights: [Double]

  /// - Parameters: standard deviations in samples of the plane, at most 500.
  init(across: Double, down: Double) {
    var halvings = 0
    // Halve while 1.4 small samples of deviation are left: the curve is then smooth on the coarse grid.
    while halvings < 9 {
      let next = halvings + 1
      let left = min(Self.remaining(across, after: next), Self.remaining(down, after: next))
      if left < 1.4 { break }
      halvings = next
    }
    self.halvings = halvings
    columnWeights = Self.weights(Self.remaining(across, after: halvings))
    rowWeights = Self.weights(Self.remaining(down, after: halvings))
  }

  /// Deviation on the grid after `halvings` that makes the whole `sigma`; 0 when none is left.
  private static func remaining(_ sigma: Double, after halvings: Int) -> Double {
    let unit = Double(1 << (2 * halvings))
    // Halving and doubling add 2 · ¾ of a sample's square on each grid: ½ · (4ⁿ − 1) in all.
    let variance = sigma * sigma - 0.5 * (unit - 1)
    return variance > 0 ? (variance / unit).squareRoot() : 0
  }

  /// Weights 0, 1, 2, … samples from the centre: points of the curve, scaled to sum to 1.
  private static func weights(_ sigma: Double) -> [Double] {
    // Below this the first neighbour weighs less than a tenth of a code.
    guard sigma > 0.25 else { return [1] }
    let reach = max(Int((sigma * 3.3).rounded(.up)), 1)
    var values = (0...reach).map { ExactMath.exp(-Double($0 * $0) / (2 * sigma * sigma)) }
    let sum = values[0] + 2 * values.dropFirst().reduce(0, +)
    for i in values.indices { values[i] /= sum }
    return values
  }

  /// The frame with all planes blurred by `radius` luma samples.
  static func apply(
    radius: Double, to frame: VideoFrame, context: FilterContext
  ) throws(MediaError) -> VideoFrame {
    if radius == 0 { return frame }
    let format = try ResolvedFormat(frame.format, width: frame.width, height: frame.height)
    let infos = PlaneInfo.all(crop: frame.crop, format: format)
    var result = frame
    result.crop = SampleRect(x: 0, y: 0, width: frame.width, height: frame.height)
    switch frame.storage {
    case .depth8(let planes):
      let output = context.pools.planes8(
        width: frame.width, height: frame.height, chromaFormat: planes.chromaFormat)
      for info in infos { blur(planes, into: output, info, radius, context) }
      result.storage = .depth8(output)
    case .depth16(let planes):
      let output = context.pools.planes16(
        width: frame.width, height: frame.height, chromaFormat: planes.chromaFormat)
      for info in infos { blur(planes, into: output, info, radius, context) }
      result.storage = .depth16(output)
    }
    return result
  }

  /// Blurs one plane.
  static func blur<S: PictureSample>(
    _ planes: FramePlanes<S>, into output: FramePlanes<S>, _ info: PlaneInfo, _ radius: Double,
    _ context: FilterContext
  ) {
    let blur = GaussianBlur(
      across: radius / Double(1 << info.horizontalShift),
      down: radius / Double(1 << info.verticalShift))
    guard blur.halvings > 0 else {
      blur.convolve(planes, into: output, info, context)
      return
    }
    // The curve ends within ten samples of the smallest picture.
    let margin = 10 << blur.halvings
    var levels = [
      HalvedPlane.halved(
        planes, info, margin: margin, pools: context.pools, executor: context.executor)
    ]
    for _ in 1..<blur.halvings {
      levels.append(levels[levels.count - 1].halved(pools: context.pools, context.executor))
    }
    var small = levels.removeLast().convolved(blur, context)
    while let size = levels.popLast() {
      small = small.doubled(to: size, pools: context.pools, context.executor)
    }
    small.doubled(into: output, info, margin: margin, context.executor)
  }

  /// Sums the curve as it is.
  private func convolve<S: PictureSample>(
    _ planes: FramePlanes<S>, into output: FramePlanes<S>, _ info: PlaneInfo,
    _ context: FilterContext
  ) {
    let bits = Int.bitWidth - info.maximum.leadingZeroBitCount
    guard bits <= SymmetricConvolution.largestDepth else {
      let scaler = PlaneScaler(
        columns: ScaleTable(count: info.width, symmetric: columnWeights),
        rows: ScaleTable(count: info.height, symmetric: rowWeights))
      let place = PlaneScaler.Placement(sourceX: info.x, sourceY: info.y)
      scaler.run(
        planes, into: output, plane: info.index, at: place, maximum: info.maximum,
        context: context)
      return
    }
    let convolution = SymmetricConvolution(
      across: columnWeights, down: rowWeights, bits: bits, maximum: info.maximum)
    let part = SymmetricConvolution.Part(
      x: info.x, y: info.y, width: info.width, height: info.height)
    context.executor.forBands(rows: info.height, alignment: 1) { band in
      planes.withPlane(info.index) { plane in
        output.withPlane(info.index) { convolution.run(plane, part, into: $0, band: band) }
      }
    }
  }
}
