// Intra prediction of whole macroblocks for 8-bit video. ISO/IEC 14496-10:2020 §8.3.3, §8.3.4.

import ReelCore
import ReelVideoCore

extension UInt8 {
  static func predictIntra16x16(
    mode: Int, _ dst: PlaneView<UInt8>, at: Int, stride: Int, top: SIMD16<UInt16>,
    left: SIMD16<UInt16>, topLeft: UInt16, hasTop: Bool, hasLeft: Bool, bitDepth: Int
  ) {
    let block = dst.window(at: at, stride: stride, columns: 16, rows: 16)
    let above = IntraKernels.halves(top)
    switch mode {
    case 0:
      let row = ByteVector(
        lowHalf: SIMD8<UInt8>(truncating: above.0), highHalf: SIMD8<UInt8>(truncating: above.1))
      for y in 0..<16 { block.store(row, y, 0) }
    case 1:
      for y in 0..<16 {
        block.store(ByteVector(repeating: UInt8(truncatingIfNeeded: left[y])), y, 0)
      }
    case 3: IntraPlane.predict16x16(block, above, IntraKernels.halves(left), topLeft)
    default:
      let sumAbove = IntraKernels.sumOfSixteen(above)
      let sumSide = IntraKernels.sumOfSixteen(IntraKernels.halves(left))
      let value: UInt64 =
        switch (hasTop, hasLeft) {
        case (true, true): (sumAbove &+ sumSide &+ 16) >> 5
        case (true, false): (sumAbove &+ 8) >> 4
        case (false, true): (sumSide &+ 8) >> 4
        case (false, false): 128
        }
      let row = ByteVector(repeating: UInt8(truncatingIfNeeded: value))
      for y in 0..<16 { block.store(row, y, 0) }
    }
  }

  static func predictIntraChroma(
    mode: Int, _ dst: PlaneView<UInt8>, at: Int, stride: Int, height: Int, top: SIMD8<UInt16>,
    left: SIMD16<UInt16>, topLeft: UInt16, hasTop: Bool, hasLeft: Bool, hasLowerLeft: Bool,
    bitDepth: Int
  ) {
    precondition(height == 8 || height == 16)
    let block = dst.window(at: at, stride: stride, columns: 8, rows: height)
    switch mode {
    case 1:
      for y in 0..<height {
        block.store(SIMD8<UInt8>(repeating: UInt8(truncatingIfNeeded: left[y])), y, 0)
      }
    case 2:
      let row = SIMD8<UInt8>(truncating: top)
      for y in 0..<height { block.store(row, y, 0) }
    case 3: IntraPlane.predictChroma(block, top, IntraKernels.halves(left), topLeft)
    default: IntraChromaDC.predict(block, top, left, hasTop, hasLeft, hasLowerLeft)
    }
  }
}

extension IntraKernels {
  /// The sum of sixteen lanes of at most 255.
  @inline(always)
  static func sumOfSixteen(_ words: (SIMD8<UInt16>, SIMD8<UInt16>)) -> UInt64 {
    let four: SIMD2<UInt64> = reinterpreted(words.0 &+ words.1)
    return sumOfFour(four[0] &+ four[1])
  }
}

/// Plane prediction. §8.3.3.4, §8.3.4.4. All values fit 16 bits at this depth: |b| and |c| are at
/// most 1354 for eight samples and 717 for sixteen.
private enum IntraPlane {
  typealias Words = (SIMD8<UInt16>, SIMD8<UInt16>)

  /// 0, 1 … 7.
  @inline(always)
  static var ramp: WordVector { WordVector(0, 1, 2, 3, 4, 5, 6, 7) }

  /// The sum of lanes.
  @inline(always)
  static func sum(_ v: WordVector) -> Int32 {
    var sum: Int16 = 0
    for i in 0..<8 { sum &+= v[i] }
    return Int32(sum)
  }

  /// Σ (x′ + 1) · (p[8 + x′] − p[6 − x′]) = Σ (x − 7) · p[x], the corner being p[−1].
  @inline(always)
  static func slope16(_ p: Words, _ corner: UInt16) -> Int32 {
    let low: WordVector = reinterpreted(p.0)
    let high: WordVector = reinterpreted(p.1)
    let products = low &* (ramp &- 7) &+ high &* (ramp &+ 1)
    return sum(products) &- 8 &* Int32(corner)
  }

  /// Σ (x′ + 1) · (p[4 + x′] − p[2 − x′]) = Σ (x − 3) · p[x], the corner being p[−1].
  @inline(always)
  static func slope8(_ p: SIMD8<UInt16>, _ corner: UInt16) -> Int32 {
    let samples: WordVector = reinterpreted(p)
    return sum(samples &* (ramp &- 3)) &- 4 &* Int32(corner)
  }

  @inline(never)
  static func predict16x16(
    _ block: PlaneWindow<UInt8>, _ above: Words, _ side: Words, _ corner: UInt16
  ) {
    let block = block.part(columns: 16, rows: 16)
    let b = (5 &* slope16(above, corner) &+ 32) >> 6
    let c = (5 &* slope16(side, corner) &+ 32) >> 6
    let a = 16 &* (Int32(above.1[7]) &+ Int32(side.1[7]))
    let step = WordVector(repeating: Int16(truncatingIfNeeded: c))
    let across = WordVector(repeating: Int16(truncatingIfNeeded: b))
    let first = WordVector(repeating: Int16(truncatingIfNeeded: a &- 7 &* (b &+ c) &+ 16))
    var low = first &+ across &* ramp
    var high = low &+ (across &<< 3)
    for y in 0..<16 {
      block.store(ByteVector(clipping: low &>> 5, high &>> 5), y, 0)
      low &+= step
      high &+= step
    }
  }

  @inline(never)
  static func predictChroma(
    _ block: PlaneWindow<UInt8>, _ above: SIMD8<UInt16>, _ side: Words, _ corner: UInt16
  ) {
    let height = block.rows
    let isTall = height == 16
    let b = (34 &* slope8(above, corner) &+ 32) >> 6
    let c =
      isTall
      ? (5 &* slope16(side, corner) &+ 32) >> 6 : (34 &* slope8(side.0, corner) &+ 32) >> 6
    let a = 16 &* (Int32(isTall ? side.1[7] : side.0[7]) &+ Int32(above[7]))
    let first = a &- 3 &* b &- (isTall ? 7 : 3) &* c &+ 16
    let step = WordVector(repeating: Int16(truncatingIfNeeded: c))
    var row =
      WordVector(repeating: Int16(truncatingIfNeeded: first))
      &+ WordVector(repeating: Int16(truncatingIfNeeded: b)) &* ramp
    for y in 0..<height {
      block.store(SIMD8<UInt8>(clipping: row &>> 5), y, 0)
      row &+= step
    }
  }
}

/// DC prediction of chroma, a value for each 4×4 block. §8.3.4.1–§8.3.4.3.
private enum IntraChromaDC {
  @inline(never)
  static func predict(
    _ block: PlaneWindow<UInt8>, _ top: SIMD8<UInt16>, _ left: SIMD16<UInt16>, _ hasTop: Bool,
    _ hasLeft: Bool, _ hasLowerLeft: Bool
  ) {
    let above: SIMD2<UInt64> = reinterpreted(top)
    let sumAbove0 = IntraKernels.sumOfFour(above[0])
    let sumAbove1 = IntraKernels.sumOfFour(above[1])
    let side: SIMD4<UInt64> = reinterpreted(left)
    let count = block.rows / 4
    for group in 0..<count {
      let sumSide = IntraKernels.sumOfFour(side[group & 3])
      let hasSide = group < count / 2 ? hasLeft : hasLowerLeft
      // The left blocks below the first prefer the side, the upper right block the row above.
      let first =
        group == 0
        ? both(sumAbove0, sumSide, hasTop, hasSide)
        : preferring(sumSide, sumAbove0, hasSide, hasTop)
      let second =
        group == 0
        ? preferring(sumAbove1, sumSide, hasTop, hasSide)
        : both(sumAbove1, sumSide, hasTop, hasSide)
      let row: SIMD8<UInt8> = reinterpreted(
        first &* 0x0101_0101 | (second &* 0x0101_0101) << 32)
      for y in 4 &* group..<4 &* group &+ 4 { block.store(row, y, 0) }
    }
  }

  @inline(always)
  private static func both(_ a: UInt64, _ b: UInt64, _ hasA: Bool, _ hasB: Bool) -> UInt64 {
    hasA && hasB ? (a &+ b &+ 4) >> 3 : preferring(a, b, hasA, hasB)
  }

  @inline(always)
  private static func preferring(_ a: UInt64, _ b: UInt64, _ hasA: Bool, _ hasB: Bool) -> UInt64 {
    if hasA { return (a &+ 2) >> 2 }
    return hasB ? (b &+ 2) >> 2 : 128
  }
}
