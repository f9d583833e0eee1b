// The vector kernels of IntegerColourMap. Their plain twin is in IntegerColourMap.swift.

internal import ReelCore

// A product of 16-bit lanes is one instruction only where both operands are made beside it: conversions that
// several branches share are moved apart by the compiler. So the two precisions are functions of their own, and
// factors are read anew for each product.

/// R′, G′ and B′ of eight pixels.
private struct Colours8 {
  var r, g, b: SIMD8<Int16>
}

/// (code − 128) · 2⁸.
@inline(__always)
private func centred(_ v: SIMD8<UInt8>) -> SIMD8<Int16> { (widened(v) &- 128) &<< 8 }

/// The lanes of (low, high) by twos, added.
@inline(__always)
private func pairSums(_ low: SIMD8<Int16>, _ high: SIMD8<Int16>) -> SIMD8<Int16> {
  let all = SIMD16<Int16>(lowHalf: low, highHalf: high)
  return all.evenHalf &+ all.oddHalf
}

/// Offsets of a block of 16 × 2 pixels.
private struct Block {
  var source, sourceBelow, sourceChroma, target, targetBelow, targetChroma: Int
}

/// The factors in all lanes.
private struct Factors: ~Escapable {
  let k: Span<SIMD8<Int16>>

  @_lifetime(copy k)
  init(_ k: Span<SIMD8<Int16>>) {
    precondition(k.count == 26)
    self.k = k
  }

  @inline(__always)
  subscript(i: Int) -> SIMD8<Int16> { k[i] }
}

extension IntegerColourMap {
  /// Two luma rows and their chroma rows.
  func mapRowsSIMD(
    _ source: FramePlanes<UInt8>, into target: FramePlanes<UInt8>, _ row: ColourMapRow
  ) {
    let k = Factors(vectors.span)
    let isFine = fraction == 4
    for x in stride(from: 0, to: row.width, by: 16) {
      let block = Block(
        source: row.source &+ x, sourceBelow: row.source &+ source.y.stride &+ x,
        sourceChroma: row.sourceChroma &+ x / 2, target: row.target &+ x,
        targetBelow: row.target &+ target.y.stride &+ x, targetChroma: row.targetChroma &+ x / 2)
      // Shifts by numbers that the compiler knows are single instructions.
      if isFine {
        Self.mapFine(source, into: target, block, k)
      } else {
        Self.mapCoarse(source, into: target, block, k)
      }
    }
  }

  /// What chroma adds to R′, G′ and B′.
  @inline(__always)
  private static func chromaParts(
    _ cb: SIMD8<Int16>, _ cr: SIMD8<Int16>, _ k: Factors
  ) -> Colours8 {
    Colours8(
      r: highProducts(cb, k[3]) &+ highProducts(cr, k[6]) &+ k[9],
      g: highProducts(cb, k[4]) &+ highProducts(cr, k[7]) &+ k[10],
      b: highProducts(cb, k[5]) &+ highProducts(cr, k[8]) &+ k[11])
  }

  @inline(never)
  private static func mapFine(
    _ source: FramePlanes<UInt8>, into target: FramePlanes<UInt8>, _ block: Block, _ k: Factors
  ) {
    mapThroughRGB(source, into: target, block, k, fraction: 4)
  }

  @inline(never)
  private static func mapCoarse(
    _ source: FramePlanes<UInt8>, into target: FramePlanes<UInt8>, _ block: Block, _ k: Factors
  ) {
    mapThroughRGB(source, into: target, block, k, fraction: 3)
  }

  @inline(__always)
  private static func mapThroughRGB(
    _ source: FramePlanes<UInt8>, into target: FramePlanes<UInt8>, _ block: Block, _ k: Factors,
    fraction: Int16
  ) {
    let cb = centred(source.cb.load(SIMD8<UInt8>.self, at: block.sourceChroma))
    let cr = centred(source.cr.load(SIMD8<UInt8>.self, at: block.sourceChroma))
    let parts = chromaParts(cb, cr, k)
    let (reds, greens, blues) = (
      zipped(parts.r, parts.r), zipped(parts.g, parts.g), zipped(parts.b, parts.b)
    )
    let left = Colours8(r: reds.lowHalf, g: greens.lowHalf, b: blues.lowHalf)
    let right = Colours8(r: reds.highHalf, g: greens.highHalf, b: blues.highHalf)
    let c00 = colours(source.y.load(SIMD8<UInt8>.self, at: block.source), left, k)
    target.y.store(code(c00, fraction, 12, k), at: block.target)
    let c01 = colours(source.y.load(SIMD8<UInt8>.self, at: block.source &+ 8), right, k)
    target.y.store(code(c01, fraction, 12, k), at: block.target &+ 8)
    let c10 = colours(source.y.load(SIMD8<UInt8>.self, at: block.sourceBelow), left, k)
    target.y.store(code(c10, fraction, 12, k), at: block.targetBelow)
    let c11 = colours(source.y.load(SIMD8<UInt8>.self, at: block.sourceBelow &+ 8), right, k)
    target.y.store(code(c11, fraction, 12, k), at: block.targetBelow &+ 8)
    let sums = Colours8(
      r: pairSums(c00.r &+ c10.r, c01.r &+ c11.r), g: pairSums(c00.g &+ c10.g, c01.g &+ c11.g),
      b: pairSums(c00.b &+ c10.b, c01.b &+ c11.b))
    target.cb.store(code(sums, fraction &+ 2, 15, k), at: block.targetChroma)
    target.cr.store(code(sums, fraction &+ 2, 18, k), at: block.targetChroma)
  }

  /// R′G′B′ of eight pixels inside of the limits.
  @inline(__always)
  private static func colours(
    _ codes: SIMD8<UInt8>, _ chroma: Colours8, _ k: Factors
  ) -> Colours8 {
    let y = centred(codes)
    @inline(__always)
    func limited(_ c: SIMD8<Int16>) -> SIMD8<Int16> { lesser(greater(c, k[25]), k[24]) }
    return Colours8(
      r: limited(highProducts(y, k[0]) &+ chroma.r), g: limited(highProducts(y, k[1]) &+ chroma.g),
      b: limited(highProducts(y, k[2]) &+ chroma.b))
  }

  /// A code of each colour: the factors from `first` on and what is added to their sum.
  @inline(__always)
  private static func code(
    _ c: Colours8, _ bits: Int16, _ first: Int, _ k: Factors
  ) -> SIMD8<UInt8> {
    let sum =
      highProducts(c.r, k[first]) &+ highProducts(c.g, k[first &+ 1])
      &+ highProducts(c.b, k[first &+ 2]) &+ k[21 &+ (first &- 12) / 3]
    return packedBytes(sum &>> SIMD8(repeating: bits))
  }
}
