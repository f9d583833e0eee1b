// One pass over a picture for a run of operations on points.

internal import ReelCore

/// Operations that run row by row without rounding between them.
struct PointPass: Sendable {
  private(set) var operations: [PointOperation] = []
  var isEmpty: Bool { operations.isEmpty }

  /// Adds a step; neighbouring matrices become one, which is exact up to rounding in double precision.
  mutating func append(_ operation: PointOperation) {
    if case .matrix(let next) = operation {
      if next.isIdentity { return }
      if case .matrix(let last)? = operations.last {
        operations[operations.count - 1] = .matrix(last.concatenating(next))
        return
      }
    }
    operations.append(operation)
  }

  /// The frame after all steps, its R′G′B′ limited to 0…1; where a single matrix keeps luma and chroma
  /// apart and the codes have room for what lies beyond, that is left to where the picture is shown.
  func run(_ frame: VideoFrame, context: FilterContext) throws(MediaError) -> VideoFrame {
    if isEmpty { return frame }
    let source = try frame.withColour()
    let format = try ResolvedFormat(source.format, width: source.width, height: source.height)
    var result = source
    result.crop = SampleRect(x: 0, y: 0, width: source.width, height: source.height)
    switch source.storage {
    case .depth8(let planes):
      let output = context.pools.planes8(
        width: source.width, height: source.height, chromaFormat: planes.chromaFormat)
      if let (map, place) = codeMap(planes, format, source.crop) {
        context.executor.forBands(rows: source.crop.height, alignment: 2) { band in
          map.run(planes, into: output, place, band: band)
        }
      } else if let map = integerMap(format, source.crop) {
        let kernels = context.kernels
        let places = ColourMapPlanes(source: planes, output: output, crop: source.crop)
        context.executor.forBands(rows: source.crop.height, alignment: 2) { band in
          map.run(places, band: band, kernels: kernels)
        }
      } else {
        run(planes, into: output, source.crop, format, context.executor)
      }
      result.storage = .depth8(output)
    case .depth16(let planes):
      let output = context.pools.planes16(
        width: source.width, height: source.height, chromaFormat: planes.chromaFormat)
      if let (map, place) = codeMap(planes, format, source.crop) {
        context.executor.forBands(rows: source.crop.height, alignment: 2) { band in
          map.run(planes, into: output, place, band: band)
        }
      } else {
        run(planes, into: output, source.crop, format, context.executor)
      }
      result.storage = .depth16(output)
    }
    return result
  }

  /// A single matrix that keeps luma and chroma apart, and cuts no code of the picture where it shows.
  func codeMap<S: PictureSample>(
    _ planes: FramePlanes<S>, _ format: ResolvedFormat, _ crop: SampleRect
  ) -> (CodeMap, CodeMap.Place)? {
    guard operations.count == 1, case .matrix(let matrix) = operations[0],
      let map = CodeMap(matrix, format: format), let place = CodeMap.Place(crop, format),
      !map.cuts(planes, place)
    else { return nil }
    return (map, place)
  }

  /// A single matrix over a picture that the integer kernels take.
  private func integerMap(_ format: ResolvedFormat, _ crop: SampleRect) -> IntegerColourMap? {
    guard operations.count == 1, case .matrix(let map) = operations[0],
      (crop.x | crop.y | crop.width | crop.height) & 1 == 0
    else { return nil }
    return IntegerColourMap(map, format: format)
  }

  private func run<S: PictureSample>(
    _ planes: FramePlanes<S>, into output: FramePlanes<S>, _ crop: SampleRect,
    _ format: ResolvedFormat, _ executor: any BandExecutor
  ) {
    let operations = operations
    executor.forBands(rows: crop.height, alignment: 2) { band in
      var reader = FrameRowReader(planes, crop: crop, format: format, mode: .covering)
      var writer = FrameRowWriter(
        output, width: crop.width, height: crop.height, format: format, mode: .covering,
        band: band)
      var rows = RGBRows(count: crop.width)
      let map = format.codesFromRGB
      for y in band {
        reader.read(y, into: &rows)
        for operation in operations { operation.apply(&rows, y: y) }
        rows.finish(map)
        writer.write(y, rows)
      }
    }
  }
}

extension RGBRows {
  /// Limits R′G′B′ to 0…1 and turns them into codes.
  mutating func finish(_ map: AffineColour) {
    RowKernels.clampToUnit(&r)
    RowKernels.clampToUnit(&g)
    RowKernels.clampToUnit(&b)
    RowKernels.affine(&r, &g, &b, map)
  }
}

/// What the stages of a filter stack share.
struct FilterContext {
  let pools: PlanePools
  let executor: any BandExecutor
  var kernels: KernelChoice = .vector
}

extension VideoFrame {
  /// This frame with chroma planes where it has none: 4:2:0 with the middle code.
  func withColour() throws(MediaError) -> VideoFrame {
    guard chromaFormat == .monochrome else { return self }
    var target = format
    target.chromaFormat = format.colour.matrix == 0 ? .yuv444 : .yuv420
    return try converted(to: target)
  }
}
