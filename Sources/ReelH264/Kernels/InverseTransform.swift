// Inverse transforms of residual blocks and their addition to the prediction.
// ISO/IEC 14496-10:2020 §8.5.12.2, §8.5.13, §8.5.14.

import ReelCore

/// The butterflies, on a scalar or on a vector that holds one row or column a lane.
enum InverseTransform {
  /// One dimension of the 4×4 transform, (8-338) to (8-345).
  @inline(always)
  static func transform4<V: SIMD>(_ d0: V, _ d1: V, _ d2: V, _ d3: V) -> (V, V, V, V)
  where V.Scalar: FixedWidthInteger {
    let e0 = d0 &+ d2
    let e1 = d0 &- d2
    let e2 = (d1 &>> 1) &- d3
    let e3 = d1 &+ (d3 &>> 1)
    return (e0 &+ e3, e1 &+ e2, e1 &- e2, e0 &- e3)
  }

  /// One dimension of the 8×8 transform, §8.5.13.
  @inline(always)
  static func transform8<V: SIMD>(
    _ d0: V, _ d1: V, _ d2: V, _ d3: V, _ d4: V, _ d5: V, _ d6: V, _ d7: V
  ) -> (V, V, V, V, V, V, V, V) where V.Scalar: FixedWidthInteger {
    let e0 = d0 &+ d4
    let e1 = d5 &- d3 &- d7 &- (d7 &>> 1)
    let e2 = d0 &- d4
    let e3 = d1 &+ d7 &- d3 &- (d3 &>> 1)
    let e4 = (d2 &>> 1) &- d6
    let e5 = d7 &- d1 &+ d5 &+ (d5 &>> 1)
    let e6 = d2 &+ (d6 &>> 1)
    let e7 = d3 &+ d5 &+ d1 &+ (d1 &>> 1)
    let f0 = e0 &+ e6
    let f1 = e1 &+ (e7 &>> 2)
    let f2 = e2 &+ e4
    let f3 = e3 &+ (e5 &>> 2)
    let f4 = e2 &- e4
    let f5 = (e3 &>> 2) &- e5
    let f6 = e0 &- e6
    let f7 = e7 &- (e1 &>> 2)
    return (f0 &+ f7, f2 &+ f5, f4 &+ f3, f6 &+ f1, f6 &- f1, f4 &- f3, f2 &- f5, f0 &- f7)
  }
}

extension PlainKernels {
  private typealias Row4 = SIMD4<Int32>
  private typealias Row8 = SIMD8<Int32>

  static func addInverse4x4(
    _ coefficients: borrowing CheckedBuffer<Int32>, from: Int, _ dst: PlaneView<S>, at: Int,
    stride: Int, maximum: Int32
  ) {
    let c = inverse4x4(coefficients, from: from)
    coefficients.fill(from..<from &+ 16, with: 0)
    let block = dst.window(at: at, stride: stride, columns: 4, rows: 4)
    for x in 0..<4 {
      block[0, x] = clip(Int32(block[0, x]) &+ c.0[x], maximum)
      block[1, x] = clip(Int32(block[1, x]) &+ c.1[x], maximum)
      block[2, x] = clip(Int32(block[2, x]) &+ c.2[x], maximum)
      block[3, x] = clip(Int32(block[3, x]) &+ c.3[x], maximum)
    }
  }

  /// The residual r of 16 scaled coefficients, as four rows. §8.5.12.2.
  @inline(always)
  static func inverse4x4(_ coefficients: borrowing CheckedBuffer<Int32>, from: Int)
    -> (SIMD4<Int32>, SIMD4<Int32>, SIMD4<Int32>, SIMD4<Int32>)
  {
    let r0: Row4 = coefficients.load(at: from)
    let r1: Row4 = coefficients.load(at: from &+ 4)
    let r2: Row4 = coefficients.load(at: from &+ 8)
    let r3: Row4 = coefficients.load(at: from &+ 12)
    // Rows are transformed first: a lane holds a row after transposing.
    let t = InverseTransform.transform4(
      Row4(r0[0], r1[0], r2[0], r3[0]), Row4(r0[1], r1[1], r2[1], r3[1]),
      Row4(r0[2], r1[2], r2[2], r3[2]), Row4(r0[3], r1[3], r2[3], r3[3]))
    let c = InverseTransform.transform4(
      Row4(t.0[0], t.1[0], t.2[0], t.3[0]), Row4(t.0[1], t.1[1], t.2[1], t.3[1]),
      Row4(t.0[2], t.1[2], t.2[2], t.3[2]), Row4(t.0[3], t.1[3], t.2[3], t.3[3]))
    let half = Row4(repeating: 32)
    return (
      (c.0 &+ half) &>> 6, (c.1 &+ half) &>> 6, (c.2 &+ half) &>> 6, (c.3 &+ half) &>> 6
    )
  }

  static func addInverse4x4DC(
    _ coefficients: borrowing CheckedBuffer<Int32>, from: Int, _ dst: PlaneView<S>, at: Int,
    stride: Int, maximum: Int32
  ) {
    let value = (coefficients[from] &+ 32) >> 6
    coefficients[from] = 0
    addConstant(value, dst.window(at: at, stride: stride, columns: 4, rows: 4), 4, maximum)
  }

  static func addInverse8x8DC(
    _ coefficients: borrowing CheckedBuffer<Int32>, from: Int, _ dst: PlaneView<S>, at: Int,
    stride: Int, maximum: Int32
  ) {
    let value = (coefficients[from] &+ 32) >> 6
    coefficients[from] = 0
    addConstant(value, dst.window(at: at, stride: stride, columns: 8, rows: 8), 8, maximum)
  }

  @inline(always)
  private static func addConstant(
    _ value: Int32, _ block: PlaneWindow<S>, _ size: Int, _ maximum: Int32
  ) {
    for y in 0..<size {
      for x in 0..<size { block[y, x] = clip(Int32(block[y, x]) &+ value, maximum) }
    }
  }

  static func addInverse8x8(
    _ coefficients: borrowing CheckedBuffer<Int32>, from: Int, _ dst: PlaneView<S>, at: Int,
    stride: Int, maximum: Int32
  ) {
    // The buffer serves as the intermediate matrix: rows in place, then columns.
    for y in 0..<8 {
      let d: Row8 = coefficients.load(at: from &+ 8 &* y)
      coefficients.store(transformed(d), at: from &+ 8 &* y)
    }
    let block = dst.window(at: at, stride: stride, columns: 8, rows: 8)
    for x in 0..<8 {
      var d = Row8()
      for y in 0..<8 { d[y] = coefficients[from &+ 8 &* y &+ x] }
      let r = (transformed(d) &+ 32) &>> 6
      for y in 0..<8 { block[y, x] = clip(Int32(block[y, x]) &+ r[y], maximum) }
    }
    coefficients.fill(from..<from &+ 64, with: 0)
  }

  /// One row or column of eight through the 8×8 transform.
  private static func transformed(_ d: Row8) -> Row8 {
    let g = InverseTransform.transform8(
      SIMD2(d[0], 0), SIMD2(d[1], 0), SIMD2(d[2], 0), SIMD2(d[3], 0), SIMD2(d[4], 0),
      SIMD2(d[5], 0), SIMD2(d[6], 0), SIMD2(d[7], 0))
    return Row8(
      g.0[0], g.1[0], g.2[0], g.3[0], g.4[0], g.5[0], g.6[0], g.7[0])
  }
}
