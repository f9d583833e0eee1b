// A frame in another form of samples.

public import ReelCore

extension VideoFrame {
  /// This frame in `target`'s chroma format, depth and colour; the same planes when nothing changes.
  ///
  /// An "unspecified" colour code point of `target` means this frame's own. Computed in single
  /// precision, so that a sample is at most one code from the exact value. Light is converted only from
  /// or to high dynamic range and between wide and narrow primaries; `curve` is used for the first.
  ///
  /// - Throws: `.unsupported` for a matrix or depth that is not built.
  public func converted(
    to target: PictureFormat, curve: ToneCurve = .bt2390,
    executor: any BandExecutor = SerialExecutor()
  ) throws(MediaError) -> VideoFrame {
    let source = try ResolvedFormat(format, width: width, height: height)
    var wanted = target
    let own = colour
    if wanted.colour.primaries == 2 { wanted.colour.primaries = own.primaries }
    if wanted.colour.transfer == 2 { wanted.colour.transfer = own.transfer }
    if wanted.colour.matrix == 2 { wanted.colour.matrix = own.matrix }
    if wanted.chromaFormat == .monochrome { wanted.colour.chromaLocation = own.chromaLocation }
    if !wanted.chromaFormat.hasChroma { wanted.chromaBitDepth = wanted.lumaBitDepth }
    let resolved = try ResolvedFormat(wanted, width: width, height: height)
    let light = LightConversion(from: own, to: wanted.colour, curve: curve)
    if light == nil && resolved.isSameCoding(as: source) {
      var frame = self
      frame.colour = wanted.colour
      return frame
    }
    try checkPictureSize(width, height)
    let conversion = FrameConversion(
      source: source, target: resolved, light: light, crop: crop, width: width, height: height)
    var frame = self
    frame.crop = SampleRect(x: 0, y: 0, width: width, height: height)
    frame.lumaBitDepth = wanted.lumaBitDepth
    frame.chromaBitDepth = wanted.chromaBitDepth
    frame.colour = wanted.colour
    switch (storage, wanted.isDeep) {
    case (.depth8(let planes), false):
      frame.storage = .depth8(conversion.run(planes, UInt8.self, executor))
    case (.depth8(let planes), true):
      frame.storage = .depth16(conversion.run(planes, UInt16.self, executor))
    case (.depth16(let planes), false):
      frame.storage = .depth8(conversion.run(planes, UInt8.self, executor))
    case (.depth16(let planes), true):
      frame.storage = .depth16(conversion.run(planes, UInt16.self, executor))
    }
    return frame
  }
}

/// Throws unless a picture of this size may be made.
func checkPictureSize(_ width: Int, _ height: Int) throws(MediaError) {
  // LIMIT: twice the largest coded picture of H.264 level 6.2 in each direction.
  guard (1...32_768).contains(width), (1...32_768).contains(height),
    width * height <= 4 * Limits.standard.maximumPictureSamples
  else { throw MediaError(.limitExceeded, .pictureSize, detail: "\(width) × \(height)") }
}

extension ResolvedFormat {
  /// Codes mean the same in both.
  func isSameCoding(as other: ResolvedFormat) -> Bool {
    format.chromaFormat == other.format.chromaFormat && matrix == other.matrix
      && coding == other.coding && siting == other.siting
  }

  /// Planes mean the same and differ in range and depth only.
  func isSameColour(as other: ResolvedFormat) -> Bool {
    format.chromaFormat == other.format.chromaFormat && matrix == other.matrix
      && siting == other.siting
  }
}

/// What has to be done with each row.
struct FrameConversion: Sendable {
  let source: ResolvedFormat
  let target: ResolvedFormat
  let light: LightConversion?
  let crop: SampleRect
  let width: Int
  let height: Int

  func run<S: PictureSample, D: PictureSample>(
    _ planes: FramePlanes<S>, _: D.Type, _ executor: any BandExecutor
  ) -> FramePlanes<D> {
    let result = FramePlanes<D>(
      width: width, height: height, chromaFormat: target.format.chromaFormat)
    if light == nil && source.isSameColour(as: target) {
      recode(planes, into: result)
      return result
    }
    executor.forBands(rows: height, alignment: 2) { band in
      convert(planes, into: result, band: band)
    }
    return result
  }

  private func convert<S: PictureSample, D: PictureSample>(
    _ planes: FramePlanes<S>, into result: FramePlanes<D>, band: Range<Int>
  ) {
    var reader = FrameRowReader(planes, crop: crop, format: source, mode: .sited)
    var writer = FrameRowWriter(
      result, width: width, height: height, format: target, mode: .sited, band: band)
    var rows = RGBRows(count: width)
    // Without a change of light both maps are one; then nothing is lost outside of R′G′B′ 0…1.
    let whole = source.rgbFromCodes.concatenating(target.codesFromRGB)
    for y in writer.neededRows {
      if light != nil { reader.read(y, into: &rows) } else { reader.readCodes(y, into: &rows) }
      light?.apply(&rows)
      let map = light == nil ? whole : target.codesFromRGB
      if light == nil && source.matrix.isRGB && source.format.chromaFormat == .monochrome {
        rows.g = rows.r
        rows.b = rows.r
      }
      RowKernels.affine(&rows.r, &rows.g, &rows.b, map)
      writer.write(y, rows)
    }
  }

  /// Each plane by itself: code′ = a · code + b.
  private func recode<S: PictureSample, D: PictureSample>(
    _ planes: FramePlanes<S>, into result: FramePlanes<D>
  ) {
    for index in 0..<(source.format.chromaFormat.hasChroma ? 3 : 1) {
      let (from, to) = (source.coding, target.coding)
      let scale =
        index == 0 ? to.lumaScale / from.lumaScale : to.chromaScale / from.chromaScale
      let offset =
        index == 0
        ? to.lumaOffset - from.lumaOffset * scale : to.chromaOffset - from.chromaOffset * scale
      let maximum = index == 0 ? to.lumaMaximum : to.chromaMaximum
      let (h, v) = index == 0 ? (0, 0) : (source.horizontalShift, source.verticalShift)
      let (x, y) = (crop.x >> h, crop.y >> v)
      let (columns, rows) = ((width + (1 << h) - 1) >> h, (height + (1 << v) - 1) >> v)
      var row = [Float](repeating: 0, count: columns)
      for line in 0..<rows {
        planes.withPlane(index) { plane in
          plane.withSamples(at: (y + line) * plane.stride + x, count: columns) {
            RowKernels.load($0, into: &row)
          }
        }
        RowKernels.scale(&row, Float(scale), Float(offset))
        result.withPlane(index) { plane in
          plane.withMutableSamples(at: line * plane.stride, count: columns) {
            RowKernels.store(row, into: &$0, maximum: maximum)
          }
        }
      }
    }
  }
}
