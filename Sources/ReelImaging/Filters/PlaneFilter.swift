// Filters that work on each plane by itself.

internal import ReelCore

/// What is known of the plane that a filter works on.
struct PlaneInfo: Sendable {
  /// 0 (Y), 1 (Cb), 2 (Cr).
  let index: Int
  /// Place and size of the picture in the plane.
  let x, y, width, height: Int
  /// log2 of luma samples to samples of this plane.
  let horizontalShift, verticalShift: Int
  /// Largest code.
  let maximum: Int
  /// The code that stands for black.
  let black: Int
}

/// A filter that is linear in the samples and keeps flat pictures as they are, or draws black.
///
/// Such a filter gives the same picture in Y′CbCr as in R′G′B′, so the planes are filtered in their own
/// size and depth. Lengths count luma samples.
protocol PlaneFilter: Sendable {
  /// Writes the filtered plane to `output`, whose picture starts at its first sample.
  func run<S: PictureSample>(
    _ plane: borrowing SamplePlane<S>, into output: borrowing SamplePlane<S>, _ info: PlaneInfo,
    band: Range<Int>)
  /// Prepares what all bands of a plane share; called before ``run(_:into:_:band:)``.
  func prepared(for info: PlaneInfo) -> Self
}

extension PlaneFilter {
  func prepared(for info: PlaneInfo) -> Self { self }

  /// The frame with all planes filtered.
  func apply(to frame: VideoFrame, context: FilterContext) throws(MediaError) -> VideoFrame {
    let format = try ResolvedFormat(frame.format, width: frame.width, height: frame.height)
    var result = frame
    result.crop = SampleRect(x: 0, y: 0, width: frame.width, height: frame.height)
    switch frame.storage {
    case .depth8(let planes):
      let output = context.pools.planes8(
        width: frame.width, height: frame.height, chromaFormat: planes.chromaFormat)
      filter(planes, into: output, frame.crop, format, context.executor)
      result.storage = .depth8(output)
    case .depth16(let planes):
      let output = context.pools.planes16(
        width: frame.width, height: frame.height, chromaFormat: planes.chromaFormat)
      filter(planes, into: output, frame.crop, format, context.executor)
      result.storage = .depth16(output)
    }
    return result
  }

  private func filter<S: PictureSample>(
    _ planes: FramePlanes<S>, into output: FramePlanes<S>, _ crop: SampleRect,
    _ format: ResolvedFormat, _ executor: any BandExecutor
  ) {
    for info in PlaneInfo.all(crop: crop, format: format) {
      let filter = prepared(for: info)
      executor.forBands(rows: info.height, alignment: 1) { band in
        planes.withPlane(info.index) { plane in
          output.withPlane(info.index) { target in
            filter.run(plane, into: target, info, band: band)
          }
        }
      }
    }
  }
}

extension PlaneInfo {
  /// The planes of a picture.
  static func all(crop: SampleRect, format: ResolvedFormat) -> [PlaneInfo] {
    let black = PlaneColour(.black, in: format)
    return (0..<(format.format.chromaFormat.hasChroma ? 3 : 1)).map { index in
      let h = index == 0 ? 0 : format.horizontalShift
      let v = index == 0 ? 0 : format.verticalShift
      return PlaneInfo(
        index: index, x: crop.x >> h, y: crop.y >> v, width: (crop.width + (1 << h) - 1) >> h,
        height: (crop.height + (1 << v) - 1) >> v, horizontalShift: h, verticalShift: v,
        maximum: index == 0 ? format.coding.lumaMaximum : format.coding.chromaMaximum,
        black: black[index])
    }
  }

  /// Row `y` of the picture, the nearest row inside, as floats.
  func load<S: PictureSample>(
    _ plane: borrowing SamplePlane<S>, row: Int, into floats: inout [Float]
  ) {
    let line = y + min(max(row, 0), height - 1)
    plane.withSamples(at: line * plane.stride + x, count: width) {
      RowKernels.load($0, into: &floats)
    }
  }

  /// Stores the picture's row `row`.
  func store<S: PictureSample>(
    _ floats: [Float], into output: borrowing SamplePlane<S>, row: Int
  ) {
    output.withMutableSamples(at: row * output.stride, count: width) {
      RowKernels.store(floats, into: &$0, maximum: maximum)
    }
  }
}
