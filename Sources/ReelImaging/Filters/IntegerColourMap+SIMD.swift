// The vector kernels of IntegerColourMap. Their plain twin is in IntegerColourMap.swift.

internal import ReelCore

// A product of 16-bit lanes is one instruction only where both operands are made beside it: conversions that
// several branches share are moved apart by the compiler. So the two ways of a block are functions of their own,
// and factors are read anew for each product.

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
    precondition(k.count == 32)
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
    let isSeparable = direct != nil
    let isFine = fraction == 4
    for x in stride(from: 0, to: row.width, by: 16) {
      let block = Block(
        source: row.source &+ x, sourceBelow: row.source &+ source.y.stride &+ x,
        sourceChroma: row.sourceChroma &+ x / 2, target: row.target &+ x,
        targetBelow: row.target &+ target.y.stride &+ x, targetChroma: row.targetChroma &+ x / 2)
      if isSeparable && Self.mapDirectly(source, into: target, block, k) { continue }
      // Shifts by numbers that the compiler knows are single instructions.
      if isFine {
        Self.mapFine(source, into: target, block, k)
      } else {
        Self.mapCoarse(source, into: target, block, k)
      }
    }
  }

  /// Maps codes to codes; false, and nothing written, where a pixel meets a limit.
  @inline(never)
  private static func mapDirectly(
    _ source: FramePlanes<UInt8>, into target: FramePlanes<UInt8>, _ block: Block, _ k: Factors
  ) -> Bool {
    let cb = centred(source.cb.load(SIMD8<UInt8>.self, at: block.sourceChroma))
    let cr = centred(source.cr.load(SIMD8<UInt8>.self, at: block.sourceChroma))
    let y00 = centred(source.y.load(SIMD8<UInt8>.self, at: block.source))
    let y01 = centred(source.y.load(SIMD8<UInt8>.self, at: block.source &+ 8))
    let y10 = centred(source.y.load(SIMD8<UInt8>.self, at: block.sourceBelow))
    let y11 = centred(source.y.load(SIMD8<UInt8>.self, at: block.sourceBelow &+ 8))
    let parts = chromaParts(cb, cr, k)
    let top = greater(greater(parts.r, parts.g), parts.b)
    let bottom = lesser(lesser(parts.r, parts.g), parts.b)
    let (tops, bottoms) = (zipped(top, top), zipped(bottom, bottom))
    let l00 = highProducts(y00, k[0])
    let l01 = highProducts(y01, k[0])
    let l10 = highProducts(y10, k[0])
    let l11 = highProducts(y11, k[0])
    // Negative where something lies beyond a limit.
    let left =
      (k[24] &- greater(l00, l10) &- tops.lowHalf)
      | (lesser(l00, l10) &+ bottoms.lowHalf &- k[31])
    let right =
      (k[24] &- greater(l01, l11) &- tops.highHalf)
      | (lesser(l01, l11) &+ bottoms.highHalf &- k[31])
    let both = left | right
    let quarter = both.lowHalf | both.highHalf
    let eighth = quarter.lowHalf | quarter.highHalf
    if eighth.x | eighth.y < 0 { return false }
    target.y.store(packedBytes((highProducts(y00, k[25]) &+ k[26]) &>> 5), at: block.target)
    target.y.store(packedBytes((highProducts(y01, k[25]) &+ k[26]) &>> 5), at: block.target &+ 8)
    target.y.store(packedBytes((highProducts(y10, k[25]) &+ k[26]) &>> 5), at: block.targetBelow)
    target.y.store(
      packedBytes((highProducts(y11, k[25]) &+ k[26]) &>> 5), at: block.targetBelow &+ 8)
    target.cb.store(
      packedBytes((highProducts(cb, k[27]) &+ k[29]) &>> 5), at: block.targetChroma)
    target.cr.store(
      packedBytes((highProducts(cr, k[28]) &+ k[30]) &>> 5), at: block.targetChroma)
    return true
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
    func limited(_ c: SIMD8<Int16>) -> SIMD8<Int16> { lesser(greater(c, k[31]), k[24]) }
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
