// Affine maps of colours that run on the codes of the planes.

internal import ReelCore

/// An affine map of R′G′B′ under which luma depends on luma alone and chroma on chroma alone: brightness,
/// contrast, saturation, exposure, inversion, and turns of hue.
///
/// It needs no R′G′B′: it runs plane by plane, in the picture's own sampling and depth. Colours beyond
/// R′G′B′ 0…1 stay in the codes and are cut off where the picture is shown, so that later filters still have
/// them (docs/decisions/0016); it is for pictures whose codes it does not cut. A code is less than one from
/// the exact one.
struct CodeMap: Sendable, Equatable {
  /// code′ = own · code + other · (code of the other chroma plane) + offset.
  struct Row: Sendable, Equatable {
    var own, other, offset: Double

    var isIdentity: Bool { own == 1 && other == 0 && offset == 0 }
  }

  let luma, blue, red: Row
  /// What pictures it is for.
  let limits: Limits
  /// The planes are G, B and R.
  let isRGB: Bool
  /// Largest codes.
  let lumaMaximum, chromaMaximum: Int
  /// The same in 16-bit integers, for planes of 8 bits; nil where numbers are too large.
  let integers: CodeMapIntegers?

  /// What luma and chroma may leave in each other, in codes.
  private static let leak = 0.3

  /// nil when `map` mixes luma and chroma.
  init?(_ map: AffineColour, format: ResolvedFormat) {
    guard format.format.chromaFormat.hasChroma else { return nil }
    var m = format.rgbFromCodes.concatenating(map).concatenating(format.codesFromRGB).m
    let (middle, top) = (format.coding.chromaOffset, Double(format.coding.lumaMaximum))
    // Weights of luma in filters have three or four digits; what they leave of chroma in luma, or of luma in
    // chroma, is less than a third of a code.
    guard (m[1].magnitude + m[2].magnitude) * middle <= Self.leak,
      m[4].magnitude * top <= Self.leak,
      m[8].magnitude * top <= Self.leak
    else { return nil }
    // Exact for greys, and for chroma at the middle of luma.
    m[3] += (m[1] + m[2]) * middle
    m[7] += m[4] * top / 2
    m[11] += m[8] * top / 2
    func row(_ own: Double, _ other: Double, _ offset: Double) -> Row {
      // Rounding errors of the products above are no colours.
      func clean(_ x: Double) -> Double {
        let near = x.rounded()
        return (x - near).magnitude < 1e-9 ? near : x
      }
      return Row(own: clean(own), other: clean(other), offset: clean(offset))
    }
    luma = row(m[0], 0, m[3])
    blue = row(m[5], m[6], m[7])
    red = row(m[10], m[9], m[11])
    isRGB = format.matrix.isRGB
    limits = Limits(luma: luma, blue: blue, red: red, format: format)
    lumaMaximum = format.coding.lumaMaximum
    chromaMaximum = format.coding.chromaMaximum
    integers = format.format.isDeep ? nil : CodeMapIntegers(luma: luma, blue: blue, red: red)
  }

  /// Where the rows of one call lie.
  struct Place: Sendable {
    let crop: SampleRect
    /// log2 of luma samples to chroma samples.
    let horizontalShift, verticalShift: Int

    /// nil unless chroma samples begin with the crop.
    init?(_ crop: SampleRect, _ format: ResolvedFormat) {
      (horizontalShift, verticalShift) = (format.horizontalShift, format.verticalShift)
      guard crop.x & (1 << horizontalShift - 1) == 0, crop.y & (1 << verticalShift - 1) == 0 else {
        return nil
      }
      self.crop = crop
    }

    /// Chroma rows of the luma rows `band`, which starts at a row with chroma.
    func chroma(_ band: Range<Int>) -> Range<Int> {
      let up = 1 << verticalShift - 1
      return band.lowerBound >> verticalShift..<(band.upperBound + up) >> verticalShift
    }
    var chromaWidth: Int { (crop.width + (1 << horizontalShift) - 1) >> horizontalShift }
  }

  /// Maps the rows `band` of the crop to the first rows and columns of `output`.
  func run<S: PictureSample>(
    _ source: FramePlanes<S>, into output: FramePlanes<S>, _ place: Place, band: Range<Int>
  ) {
    if let integers, let source = source as? FramePlanes<UInt8>,
      let output = output as? FramePlanes<UInt8>
    {
      integers.run(source, into: output, place, band: band)
    } else {
      runFloats(source, into: output, place, band: band)
    }
  }

  // MARK: Single precision

  private func runFloats<S: PictureSample>(
    _ source: FramePlanes<S>, into output: FramePlanes<S>, _ place: Place, band: Range<Int>
  ) {
    var codes = [Float](repeating: 0, count: place.crop.width)
    for y in band {
      let from = (place.crop.y + y) * source.y.stride + place.crop.x
      source.y.withSamples(at: from, count: codes.count) { RowKernels.load($0, into: &codes) }
      RowKernels.scale(&codes, Float(luma.own), Float(luma.offset))
      output.y.withMutableSamples(at: y * output.y.stride, count: codes.count) {
        RowKernels.store(codes, into: &$0, maximum: lumaMaximum)
      }
    }
    var cb = [Float](repeating: 0, count: place.chromaWidth)
    var cr = cb
    for y in place.chroma(band) {
      let line = (place.crop.y >> place.verticalShift) + y
      let from = line * source.cb.stride + place.crop.x >> place.horizontalShift
      source.cb.withSamples(at: from, count: cb.count) { RowKernels.load($0, into: &cb) }
      source.cr.withSamples(at: from, count: cr.count) { RowKernels.load($0, into: &cr) }
      mix(&cb, &cr)
      output.cb.withMutableSamples(at: y * output.cb.stride, count: cb.count) {
        RowKernels.store(cb, into: &$0, maximum: chromaMaximum)
      }
      output.cr.withMutableSamples(at: y * output.cr.stride, count: cr.count) {
        RowKernels.store(cr, into: &$0, maximum: chromaMaximum)
      }
    }
  }

  private func mix(_ first: inout [Float], _ second: inout [Float]) {
    var cb = first.mutableSpan
    var cr = second.mutableSpan
    let n = cb.count
    precondition(cr.count >= n)
    let (a0, a1, a2) = (Float(blue.own), Float(blue.other), Float(blue.offset))
    let (b0, b1, b2) = (Float(red.own), Float(red.other), Float(red.offset))
    for i in 0..<n {
      let (x, y) = (cb[i], cr[i])
      cb[i] = a0 * x + a1 * y + a2
      cr[i] = b0 * y + b1 * x + b2
    }
  }
}
