// Filters made of a picture and its blur: sharpening and glow; and edges.

internal import ReelCore

/// What is made of a sample c and the blurred sample b beside it.
enum DetailFilter: Sendable, Hashable {
  /// c + amount · (c − b).
  case sharpen(amount: Double)
  /// c + amount · max(b − c, 0), in R′G′B′.
  case bloom(amount: Double)

  /// `frame` with the blur of `radius` luma samples taken to it.
  ///
  /// - Parameter lumaOnly: leave Cb and Cr as they are. R′G′B′ planes are all filtered.
  func apply(
    to frame: VideoFrame, radius: Double, lumaOnly: Bool, context: FilterContext
  ) throws(MediaError) -> VideoFrame {
    let blurred = try GaussianBlur.apply(radius: radius, to: frame, context: context)
    let format = try ResolvedFormat(frame.format, width: frame.width, height: frame.height)
    var result = frame
    result.crop = SampleRect(x: 0, y: 0, width: frame.width, height: frame.height)
    switch (frame.storage, blurred.storage) {
    case (.depth8(let planes), .depth8(let blur)):
      let output = context.pools.planes8(
        width: frame.width, height: frame.height, chromaFormat: planes.chromaFormat)
      combine(
        (planes, frame.crop), (blur, blurred.crop), into: output, format, lumaOnly: lumaOnly,
        context.executor)
      result.storage = .depth8(output)
    case (.depth16(let planes), .depth16(let blur)):
      let output = context.pools.planes16(
        width: frame.width, height: frame.height, chromaFormat: planes.chromaFormat)
      combine(
        (planes, frame.crop), (blur, blurred.crop), into: output, format, lumaOnly: lumaOnly,
        context.executor)
      result.storage = .depth16(output)
    default: break  // A blur keeps the depth.
    }
    return result
  }

  private func combine<S: PictureSample>(
    _ sharp: (planes: FramePlanes<S>, crop: SampleRect),
    _ blurred: (planes: FramePlanes<S>, crop: SampleRect), into output: FramePlanes<S>,
    _ format: ResolvedFormat, lumaOnly: Bool, _ executor: any BandExecutor
  ) {
    switch self {
    case .sharpen(let amount):
      let infos = PlaneInfo.all(crop: sharp.crop, format: format)
      let blurInfos = PlaneInfo.all(crop: blurred.crop, format: format)
      for (info, blurInfo) in zip(infos, blurInfos) {
        let k = info.index > 0 && lumaOnly && !format.matrix.isRGB ? 0 : Float(amount)
        executor.forBands(rows: info.height, alignment: 1) { band in
          for y in band {
            Self.sharpenRow(
              sharp.planes, info, blurred.planes, blurInfo, into: output, row: y, amount: k)
          }
        }
      }
    case .bloom(let amount):
      let (planes, crop, blurPlanes, blurCrop) = (
        sharp.planes, sharp.crop, blurred.planes, blurred.crop
      )
      executor.forBands(rows: crop.height, alignment: 2) { band in
        var reader = FrameRowReader(planes, crop: crop, format: format, mode: .covering)
        var other = FrameRowReader(blurPlanes, crop: blurCrop, format: format, mode: .covering)
        var writer = FrameRowWriter(
          output, width: crop.width, height: crop.height, format: format, mode: .covering,
          band: band)
        var rows = RGBRows(count: crop.width)
        var glow = rows
        for y in band {
          reader.read(y, into: &rows)
          other.read(y, into: &glow)
          Self.glow(&rows.r, glow.r, Float(amount))
          Self.glow(&rows.g, glow.g, Float(amount))
          Self.glow(&rows.b, glow.b, Float(amount))
          rows.finish(format.codesFromRGB)
          writer.write(y, rows)
        }
      }
    }
  }

  private static func glow(_ floats: inout [Float], _ others: [Float], _ amount: Float) {
    var row = floats.mutableSpan
    let blurred = others.span
    let n = row.count
    precondition(blurred.count >= n)
    for i in 0..<n {
      let more = blurred[i] - row[i]
      row[i] += amount * (more > 0 ? more : 0)
    }
  }

  /// Codes differ by the same as their values, so that sharpening needs no colour arithmetic.
  private static func sharpenRow<S: PictureSample>(
    _ sharp: FramePlanes<S>, _ info: PlaneInfo, _ blurred: FramePlanes<S>, _ blurInfo: PlaneInfo,
    into output: FramePlanes<S>, row: Int, amount: Float
  ) {
    let limit = Float(info.maximum)
    sharp.withPlane(info.index) { a in
      a.withSamples(at: (info.y + row) * a.stride + info.x, count: info.width) { c in
        blurred.withPlane(info.index) { other in
          let from = (blurInfo.y + row) * other.stride + blurInfo.x
          other.withSamples(at: from, count: info.width) { b in
            output.withPlane(info.index) { target in
              target.withMutableSamples(at: row * target.stride, count: info.width) { d in
                for i in 0..<info.width {
                  let x = Float(UInt32(truncatingIfNeeded: c[i]))
                  let value = x + amount * (x - Float(UInt32(truncatingIfNeeded: b[i])))
                  let low = value > 0 ? value : 0
                  let clamped = low < limit ? low : limit
                  d[i] = S(truncatingIfNeeded: (clamped + roundingBias).bitPattern)
                }
              }
            }
          }
        }
      }
    }
  }
}

/// The length of the gradient of each component, after I. Sobel.
enum EdgeFilter {
  static func apply(
    intensity: Double, to frame: VideoFrame, context: FilterContext
  ) throws(MediaError) -> VideoFrame {
    let frame = try frame.withColour()
    let format = try ResolvedFormat(frame.format, width: frame.width, height: frame.height)
    var result = frame
    result.crop = SampleRect(x: 0, y: 0, width: frame.width, height: frame.height)
    switch frame.storage {
    case .depth8(let planes):
      let output = context.pools.planes8(
        width: frame.width, height: frame.height, chromaFormat: planes.chromaFormat)
      run(planes, into: output, frame.crop, format, Float(intensity), context.executor)
      result.storage = .depth8(output)
    case .depth16(let planes):
      let output = context.pools.planes16(
        width: frame.width, height: frame.height, chromaFormat: planes.chromaFormat)
      run(planes, into: output, frame.crop, format, Float(intensity), context.executor)
      result.storage = .depth16(output)
    }
    return result
  }

  private static func run<S: PictureSample>(
    _ planes: FramePlanes<S>, into output: FramePlanes<S>, _ crop: SampleRect,
    _ format: ResolvedFormat, _ intensity: Float, _ executor: any BandExecutor
  ) {
    executor.forBands(rows: crop.height, alignment: 2) { band in
      var reader = FrameRowReader(planes, crop: crop, format: format, mode: .covering)
      var writer = FrameRowWriter(
        output, width: crop.width, height: crop.height, format: format, mode: .covering, band: band)
      // The rows above, at and below; read once each, in turn.
      var window = [RGBRows](repeating: RGBRows(count: crop.width), count: 3)
      var result = RGBRows(count: crop.width)
      reader.read(max(band.lowerBound - 1, 0), into: &window[0])
      reader.read(band.lowerBound, into: &window[1])
      for y in band {
        reader.read(min(y + 1, crop.height - 1), into: &window[2])
        gradient(window[0].r, window[1].r, window[2].r, into: &result.r, intensity)
        gradient(window[0].g, window[1].g, window[2].g, into: &result.g, intensity)
        gradient(window[0].b, window[1].b, window[2].b, into: &result.b, intensity)
        result.finish(format.codesFromRGB)
        writer.write(y, result)
        window.swapAt(0, 1)
        window.swapAt(1, 2)
      }
    }
  }

  /// √(gx² + gy²) · intensity ÷ 4, so that a step of 1 along an axis gives `intensity`.
  private static func gradient(
    _ above: [Float], _ here: [Float], _ below: [Float], into floats: inout [Float],
    _ intensity: Float
  ) {
    let (a, h, b) = (above.span, here.span, below.span)
    var row = floats.mutableSpan
    let n = row.count
    precondition(a.count >= n && h.count >= n && b.count >= n)
    let k = intensity / 4
    for x in 0..<n {
      let left = max(x &- 1, 0)
      let right = min(x &+ 1, n &- 1)
      let gx = (a[right] + 2 * h[right] + b[right]) - (a[left] + 2 * h[left] + b[left])
      let gy = (b[left] + 2 * b[x] + b[right]) - (a[left] + 2 * a[x] + a[right])
      row[x] = (gx * gx + gy * gy).squareRoot() * k
    }
  }
}
