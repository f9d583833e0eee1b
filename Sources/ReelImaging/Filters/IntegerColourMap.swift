// Affine maps of the colours of 8-bit 4:2:0 pictures, in 16-bit integers.

internal import ReelCore

/// An affine map of R′G′B′ between the codes of 8-bit 4:2:0 planes, R′G′B′ limited to 0…1 on the way.
///
/// Codes become R′G′B′ in units of 2⁻¹³, or 2⁻¹² where the map needs the room; each product loses its
/// lower 16 bits, and half a unit for each makes up for the mean of that. A code is at most one from the
/// exact one. Maps that keep luma and chroma apart need none of this, see ``CodeMap``.
struct IntegerColourMap: Sendable, Equatable {
  /// R′G′B′ 1 and 0; they lie around 0, so that nothing is known of the lanes' signs: the compiler would
  /// take another multiplication.
  let highest, lowest: Int16
  /// Fractional bits of a luma code; the sums of four pixels give chroma codes with two more.
  let fraction: Int16
  /// Of Y, Cb and Cr, each as (code − 128) · 2⁸, in R′, G′ and B′.
  let luma, blue, red: Triple
  let offset: Triple
  /// Of R′, G′ and B′ in Y, Cb and Cr, and what is added.
  let toLuma, toBlue, toRed: Triple
  let base: Triple
  /// All factors in all lanes, as the vector kernel reads them.
  let vectors: [SIMD8<Int16>]

  struct Triple: Sendable, Equatable {
    var r, g, b: Int16
  }

  /// nil when the format is not 8-bit 4:2:0 or the map's numbers are too large.
  init?(_ map: AffineColour, format: ResolvedFormat) {
    guard format.format.chromaFormat == .yuv420, !format.format.isDeep else { return nil }
    let forward = format.rgbFromCodes.concatenating(map)
    let back = format.codesFromRGB
    for bits in [13, 12] as [Int16] {
      guard let built = Forward(forward, unit: Double(Int32(1) << Int32(bits)) - 1) else {
        continue
      }
      (lowest, highest) = (-(1 << (bits - 1)), 1 << (bits - 1) - 1)
      fraction = bits - 9
      (luma, blue, red, offset) = (built.luma, built.blue, built.red, built.offset)
      guard let (y, cb, cr, base) = Self.backward(back, unit: built.unit, fraction) else {
        return nil
      }
      (toLuma, toBlue, toRed, self.base) = (y, cb, cr, base)
      vectors = Self.vectors([
        luma.r, luma.g, luma.b, blue.r, blue.g, blue.b, red.r, red.g, red.b,
        offset.r, offset.g, offset.b, y.r, y.g, y.b, cb.r, cb.g, cb.b, cr.r, cr.g, cr.b,
        base.r, base.g, base.b, highest, lowest,
      ])
      return
    }
    return nil
  }

  private static func vectors(_ values: [Int16]) -> [SIMD8<Int16>] {
    values.map { SIMD8(repeating: $0) }
  }

  /// What is added for `products` that lose their fractions.
  static func bias(_ products: [Int16]) -> Double {
    0.5 * Double(products.count { $0 != 0 })
  }

  static func integer(_ x: Double) -> Int16? {
    x.magnitude <= 32_767 ? Int16(x.rounded()) : nil
  }

  private struct Forward {
    var luma, blue, red, offset: Triple
    let unit: Double

    init?(_ map: AffineColour, unit: Double) {
      self.unit = unit
      var rows: [(Int16, Int16, Int16, Int16)] = []
      for row in 0..<3 {
        let m = (0..<4).map { map.m[row * 4 + $0] }
        let constant = m[3] + (m[0] + m[1] + m[2]) * 128 - (unit + 1) / 2 / unit
        // Partial sums stay inside of 16 bits in any order.
        let most =
          (128 * (m[0].magnitude + m[1].magnitude + m[2].magnitude) + constant.magnitude) * unit
        guard most < 28_600, let y = integer(m[0] * unit * 256),
          let cb = integer(m[1] * unit * 256), let cr = integer(m[2] * unit * 256),
          let offset = integer(constant * unit + bias([y, cb, cr]))
        else { return nil }
        rows.append((y, cb, cr, offset))
      }
      luma = Triple(r: rows[0].0, g: rows[1].0, b: rows[2].0)
      blue = Triple(r: rows[0].1, g: rows[1].1, b: rows[2].1)
      red = Triple(r: rows[0].2, g: rows[1].2, b: rows[2].2)
      offset = Triple(r: rows[0].3, g: rows[1].3, b: rows[2].3)
    }
  }

  private static func backward(
    _ map: AffineColour, unit: Double, _ fraction: Int16
  ) -> (Triple, Triple, Triple, Triple)? {
    var rows: [Triple] = []
    var offsets: [Int16] = []
    for row in 0..<3 {
      let scale = Double(1 << fraction)
      let factors = (0..<3).compactMap { integer(map.m[row * 4 + $0] * scale * 65_536 / unit) }
      // What the middle of R′G′B′ is, which their numbers count from.
      let middle = factors.reduce(0) { $0 + Double($1) } * (unit + 1) / 2 / 65_536
      let codeUnit = row == 0 ? scale : 4 * scale
      guard factors.count == 3,
        let offset = integer(
          (map.m[row * 4 + 3] + 0.5) * codeUnit + bias(factors) + middle * (row == 0 ? 1 : 4))
      else { return nil }
      rows.append(Triple(r: factors[0], g: factors[1], b: factors[2]))
      offsets.append(offset)
    }
    return (rows[0], rows[1], rows[2], Triple(r: offsets[0], g: offsets[1], b: offsets[2]))
  }
}

// MARK: Running

/// The rows and planes that one call works on.
struct ColourMapPlanes: Sendable {
  let source, output: FramePlanes<UInt8>
  let crop: SampleRect
}

extension IntegerColourMap {
  /// Maps the rows `band` of the crop, which starts at an even row and has even sizes.
  func run(_ planes: ColourMapPlanes, band: Range<Int>, kernels: KernelChoice) {
    let crop = planes.crop
    for y in stride(from: band.lowerBound, to: band.upperBound, by: 2) {
      let row = ColourMapRow(
        source: (crop.y + y) * planes.source.y.stride + crop.x,
        sourceChroma: (crop.y + y) / 2 * planes.source.cb.stride + crop.x / 2,
        target: y * planes.output.y.stride, targetChroma: y / 2 * planes.output.cb.stride,
        width: crop.width)
      switch kernels {
      case .vector: mapRowsSIMD(planes.source, into: planes.output, row)
      case .plain: mapRows(planes.source, into: planes.output, row)
      }
    }
  }

  /// Two luma rows and their chroma rows; the plain twin of `mapRowsSIMD`.
  func mapRows(
    _ source: FramePlanes<UInt8>, into target: FramePlanes<UInt8>, _ row: ColourMapRow
  ) {
    for x in stride(from: 0, to: row.width, by: 2) {
      mapThroughRGB(source, into: target, row, x)
    }
  }

  private static func high(_ a: Int32, _ b: Int16) -> Int32 { (a * Int32(b)) >> 16 }

  /// R′G′B′ of the pixel (x, y) of the two rows, not limited.
  private func pixel(
    _ source: FramePlanes<UInt8>, _ row: ColourMapRow, _ x: Int, _ y: Int
  ) -> (Int32, Int32, Int32) {
    let code = (Int32(source.y[row.source + y * source.y.stride + x]) - 128) << 8
    let cb = (Int32(source.cb[row.sourceChroma + x / 2]) - 128) << 8
    let cr = (Int32(source.cr[row.sourceChroma + x / 2]) - 128) << 8
    func sum(_ y: Int16, _ b: Int16, _ r: Int16, _ offset: Int16) -> Int32 {
      Self.high(code, y) + Self.high(cb, b) + Self.high(cr, r) + Int32(offset)
    }
    return (
      sum(luma.r, blue.r, red.r, offset.r), sum(luma.g, blue.g, red.g, offset.g),
      sum(luma.b, blue.b, red.b, offset.b)
    )
  }

  private func code(
    _ r: Int32, _ g: Int32, _ b: Int32, _ k: Triple, _ base: Int16, _ bits: Int16
  ) -> UInt8 {
    let sum = Self.high(r, k.r) + Self.high(g, k.g) + Self.high(b, k.b) + Int32(base)
    return UInt8(truncatingIfNeeded: min(max(sum >> Int32(bits), 0), 255))
  }

  private func mapThroughRGB(
    _ source: FramePlanes<UInt8>, into target: FramePlanes<UInt8>, _ row: ColourMapRow, _ x: Int
  ) {
    func unit(_ c: Int32) -> Int32 { min(max(c, Int32(lowest)), Int32(highest)) }
    var (sumR, sumG, sumB): (Int32, Int32, Int32) = (0, 0, 0)
    for y in 0..<2 {
      for dx in 0..<2 {
        let p = pixel(source, row, x + dx, y)
        let (r, g, b) = (unit(p.0), unit(p.1), unit(p.2))
        target.y[row.target + y * target.y.stride + x + dx] = code(
          r, g, b, toLuma, base.r, fraction)
        sumR += r
        sumG += g
        sumB += b
      }
    }
    let at = row.targetChroma + x / 2
    target.cb[at] = code(sumR, sumG, sumB, toBlue, base.g, fraction + 2)
    target.cr[at] = code(sumR, sumG, sumB, toRed, base.b, fraction + 2)
  }
}

/// Offsets of two luma rows and of their chroma rows, in planes with equal chroma strides.
struct ColourMapRow {
  let source, sourceChroma, target, targetChroma, width: Int
}
