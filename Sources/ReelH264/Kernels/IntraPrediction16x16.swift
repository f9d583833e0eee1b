// Intra prediction of whole macroblocks: luma 16×16 and chroma. ISO/IEC 14496-10:2020 §8.3.3, §8.3.4.

import ReelCore

extension PlainKernels {
  static func predictIntra16x16(
    mode: Int, _ dst: PlaneView<S>, at: Int, stride: Int, top: SIMD16<UInt16>,
    left: SIMD16<UInt16>, topLeft: UInt16, hasTop: Bool, hasLeft: Bool, bitDepth: Int
  ) {
    let block = dst.window(at: at, stride: stride, columns: 16, rows: 16)
    switch mode {
    case 0: fillVertical(block, SIMD16(truncatingIfNeeded: top))
    case 1: for y in 0..<16 { fillRow(block, y, Int32(left[y])) }
    case 3: predictPlane(block, top, left, topLeft, bitDepth)
    default:
      let value = dc16x16(top, left, hasTop, hasLeft, bitDepth)
      for y in 0..<16 { fillRow(block, y, value) }
    }
  }

  @inline(__always)
  private static func fillVertical(_ block: PlaneWindow<S>, _ top: SIMD16<Int32>) {
    for y in 0..<16 {
      for x in 0..<16 { block[y, x] = S(truncatingIfNeeded: top[x]) }
    }
  }

  @inline(__always)
  private static func fillRow(_ block: PlaneWindow<S>, _ y: Int, _ value: Int32) {
    for x in 0..<16 { block[y, x] = S(truncatingIfNeeded: value) }
  }

  /// §8.3.3.3.
  private static func dc16x16(
    _ top: SIMD16<UInt16>, _ left: SIMD16<UInt16>, _ hasTop: Bool, _ hasLeft: Bool, _ bitDepth: Int
  ) -> Int32 {
    var sums = SIMD2<Int32>()
    for i in 0..<16 { sums &+= SIMD2(Int32(top[i]), Int32(left[i])) }
    switch (hasTop, hasLeft) {
    case (true, true): return (sums[0] &+ sums[1] &+ 16) >> 5
    case (true, false): return (sums[0] &+ 8) >> 4
    case (false, true): return (sums[1] &+ 8) >> 4
    case (false, false): return 1 << Int32(bitDepth &- 1)
    }
  }

  /// §8.3.3.4.
  private static func predictPlane(
    _ block: PlaneWindow<S>, _ top: SIMD16<UInt16>, _ left: SIMD16<UInt16>, _ topLeft: UInt16,
    _ bitDepth: Int
  ) {
    var h: Int32 = 0
    var v: Int32 = 0
    for i in 0..<8 {
      let weight = Int32(i &+ 1)
      let before = SIMD2(
        Int32(i == 7 ? topLeft : top[6 &- i]), Int32(i == 7 ? topLeft : left[6 &- i]))
      h &+= weight &* (Int32(top[8 &+ i]) &- before[0])
      v &+= weight &* (Int32(left[8 &+ i]) &- before[1])
    }
    let a = 16 &* (Int32(left[15]) &+ Int32(top[15]))
    fillPlane(
      block, width: 16, height: 16, a, (5 &* h &+ 32) >> 6, (5 &* v &+ 32) >> 6, bitDepth)
  }

  /// Clip1((a + b · (x − xCentre) + c · (y − yCentre) + 16) >> 5), the centre one left of and above
  /// the middle.
  @inline(__always)
  private static func fillPlane(
    _ block: PlaneWindow<S>, width: Int, height: Int, _ a: Int32, _ b: Int32, _ c: Int32,
    _ bitDepth: Int
  ) {
    let maximum: Int32 = (1 << Int32(bitDepth)) &- 1
    for y in 0..<height {
      let row = a &+ c &* Int32(y &- height / 2 &+ 1) &+ 16
      for x in 0..<width {
        block[y, x] = clip((row &+ b &* Int32(x &- width / 2 &+ 1)) >> 5, maximum)
      }
    }
  }

  static func predictIntraChroma(
    mode: Int, _ dst: PlaneView<S>, at: Int, stride: Int, height: Int, top: SIMD8<UInt16>,
    left: SIMD16<UInt16>, topLeft: UInt16, hasTop: Bool, hasLeft: Bool, hasLowerLeft: Bool,
    bitDepth: Int
  ) {
    let block = dst.window(at: at, stride: stride, columns: 8, rows: height)
    switch mode {
    case 1:
      for y in 0..<height {
        for x in 0..<8 { block[y, x] = S(truncatingIfNeeded: left[y]) }
      }
    case 2:
      for y in 0..<height {
        for x in 0..<8 { block[y, x] = S(truncatingIfNeeded: top[x]) }
      }
    case 3: predictChromaPlane(block, height, top, left, topLeft, bitDepth)
    default:
      for y in stride4(height) {
        let leftHere = y < height / 2 ? hasLeft : hasLowerLeft
        for x in stride4(8) {
          let value = chromaDC(top, left, x, y, hasTop, leftHere, bitDepth)
          fill4x4(block, x, y, S(truncatingIfNeeded: value))
        }
      }
    }
  }

  private static func stride4(_ end: Int) -> StrideTo<Int> { Swift.stride(from: 0, to: end, by: 4) }

  private static func fill4x4(_ block: PlaneWindow<S>, _ x: Int, _ y: Int, _ value: S) {
    for row in y..<y &+ 4 {
      for column in x..<x &+ 4 { block[row, column] = value }
    }
  }

  /// The DC value of the 4×4 chroma block at (`xO`, `yO`). §8.3.4.1–§8.3.4.3.
  private static func chromaDC(
    _ top: SIMD8<UInt16>, _ left: SIMD16<UInt16>, _ xO: Int, _ yO: Int, _ hasTop: Bool,
    _ hasLeft: Bool, _ bitDepth: Int
  ) -> Int32 {
    var above: Int32 = 0
    var before: Int32 = 0
    for i in 0..<4 {
      above &+= Int32(top[xO &+ i])
      before &+= Int32(left[yO &+ i])
    }
    let prefersTop = xO > 0 && yO == 0
    let prefersLeft = xO == 0 && yO > 0
    if hasTop && hasLeft && !prefersTop && !prefersLeft { return (above &+ before &+ 4) >> 3 }
    if hasTop && (prefersTop || !hasLeft) { return (above &+ 2) >> 2 }
    if hasLeft { return (before &+ 2) >> 2 }
    return 1 << Int32(bitDepth &- 1)
  }

  /// §8.3.4.4 with xCF = 0; yCF = 4 when the block has 16 rows.
  private static func predictChromaPlane(
    _ block: PlaneWindow<S>, _ height: Int, _ top: SIMD8<UInt16>, _ left: SIMD16<UInt16>,
    _ topLeft: UInt16, _ bitDepth: Int
  ) {
    var h: Int32 = 0
    for i in 0..<4 {
      let before = Int32(i == 3 ? topLeft : top[2 &- i])
      h &+= Int32(i &+ 1) &* (Int32(top[4 &+ i]) &- before)
    }
    let middle = height / 2
    var v: Int32 = 0
    for i in 0..<middle {
      let before = Int32(i == middle &- 1 ? topLeft : left[middle &- 2 &- i])
      v &+= Int32(i &+ 1) &* (Int32(left[middle &+ i]) &- before)
    }
    let a = 16 &* (Int32(left[height &- 1]) &+ Int32(top[7]))
    let b = (34 &* h &+ 32) >> 6
    let c = ((height == 16 ? 5 : 34) &* v &+ 32) >> 6
    fillPlane(block, width: 8, height: height, a, b, c, bitDepth)
  }
}
