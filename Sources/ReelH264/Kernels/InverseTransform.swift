// Inverse transforms of residual blocks and their addition to the prediction.
// ISO/IEC 14496-10:2020 §8.5.12.2, §8.5.13, §8.5.14.

import ReelCore

/// Butterflies and transposition on rows of four 32-bit lanes.
enum InverseTransform {
  typealias Row = SIMD4<Int32>
  typealias Rows8 = (Row, Row, Row, Row, Row, Row, Row, Row)

  /// One dimension of the 4×4 transform, (8-338) to (8-345), a row or column in each lane.
  @inline(always)
  static func transform4(_ d0: Row, _ d1: Row, _ d2: Row, _ d3: Row) -> (Row, Row, Row, Row) {
    let e0 = d0 &+ d2
    let e1 = d0 &- d2
    let e2 = (d1 &>> 1) &- d3
    let e3 = d1 &+ (d3 &>> 1)
    return (e0 &+ e3, e1 &+ e2, e1 &- e2, e0 &- e3)
  }

  /// One dimension of the 8×8 transform, §8.5.13, a row or column in each lane.
  @inline(always)
  static func transform8(_ d: Rows8) -> Rows8 {
    let e0 = d.0 &+ d.4
    let e1 = d.5 &- d.3 &- d.7 &- (d.7 &>> 1)
    let e2 = d.0 &- d.4
    let e3 = d.1 &+ d.7 &- d.3 &- (d.3 &>> 1)
    let e4 = (d.2 &>> 1) &- d.6
    let e5 = d.7 &- d.1 &+ d.5 &+ (d.5 &>> 1)
    let e6 = d.2 &+ (d.6 &>> 1)
    let e7 = d.3 &+ d.5 &+ d.1 &+ (d.1 &>> 1)
    let f0 = e0 &+ e6
    let f1 = e1 &+ (e7 &>> 2)
    let f2 = e2 &+ e4
    let f3 = e3 &+ (e5 &>> 2)
    let f4 = e2 &- e4
    let f5 = (e3 &>> 2) &- e5
    let f6 = e0 &- e6
    let f7 = e7 &- (e1 &>> 2)
    return (
      f0 &+ f7, f2 &+ f5, f4 &+ f3, f6 &+ f1, f6 &- f1, f4 &- f3, f2 &- f5, f0 &- f7
    )
  }

  @inline(always)
  static func transposed(_ a: Row, _ b: Row, _ c: Row, _ d: Row) -> (Row, Row, Row, Row) {
    let ab0 = Row(a[0], b[0], a[1], b[1])
    let ab2 = Row(a[2], b[2], a[3], b[3])
    let cd0 = Row(c[0], d[0], c[1], d[1])
    let cd2 = Row(c[2], d[2], c[3], d[3])
    return (
      Row(lowHalf: ab0.lowHalf, highHalf: cd0.lowHalf),
      Row(lowHalf: ab0.highHalf, highHalf: cd0.highHalf),
      Row(lowHalf: ab2.lowHalf, highHalf: cd2.lowHalf),
      Row(lowHalf: ab2.highHalf, highHalf: cd2.highHalf)
    )
  }

  /// The residual before rounding, m of §8.5.12.2, of 16 scaled coefficients, which become 0.
  @inline(always)
  static func take4x4(_ coefficients: borrowing CheckedBuffer<Int32>, from: Int)
    -> (Row, Row, Row, Row)
  {
    // Rows are transformed first: a lane holds a row after transposing.
    let d = transposed(
      coefficients.load(at: from), coefficients.load(at: from &+ 4),
      coefficients.load(at: from &+ 8), coefficients.load(at: from &+ 12))
    for i in 0..<4 { coefficients.store(Row(repeating: 0), at: from &+ 4 &* i) }
    let f = transform4(d.0, d.1, d.2, d.3)
    let t = transposed(f.0, f.1, f.2, f.3)
    return transform4(t.0, t.1, t.2, t.3)
  }
}

extension PlainKernels {
  private typealias Row = SIMD4<Int32>

  static func addInverse4x4(
    _ coefficients: borrowing CheckedBuffer<Int32>, from: Int, _ dst: PlaneView<S>, at: Int,
    stride: Int, maximum: Int32
  ) {
    let m = InverseTransform.take4x4(coefficients, from: from)
    let block = dst.window(at: at, stride: stride, columns: 4, rows: 4)
    addRow(m.0, block, 0, 0, maximum)
    addRow(m.1, block, 1, 0, maximum)
    addRow(m.2, block, 2, 0, maximum)
    addRow(m.3, block, 3, 0, maximum)
  }

  /// Adds (m + 32) >> 6 to four samples.
  @inline(always)
  private static func addRow(
    _ m: Row, _ block: PlaneWindow<S>, _ y: Int, _ x: Int, _ maximum: Int32
  ) {
    let residual = (m &+ 32) &>> 6
    for i in 0..<4 {
      block[y, x &+ i] = clip(Int32(block[y, x &+ i]) &+ residual[i], maximum)
    }
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
    // The buffer serves as the intermediate matrix: rows in place, then columns, four at a time.
    transformRows(coefficients, from)
    transformRows(coefficients, from &+ 32)
    let block = dst.window(at: at, stride: stride, columns: 8, rows: 8)
    for x in Swift.stride(from: 0, to: 8, by: 4) {
      let m = InverseTransform.transform8(
        (
          coefficients.load(at: from &+ x), coefficients.load(at: from &+ x &+ 8),
          coefficients.load(at: from &+ x &+ 16), coefficients.load(at: from &+ x &+ 24),
          coefficients.load(at: from &+ x &+ 32), coefficients.load(at: from &+ x &+ 40),
          coefficients.load(at: from &+ x &+ 48), coefficients.load(at: from &+ x &+ 56)
        ))
      addRow(m.0, block, 0, x, maximum)
      addRow(m.1, block, 1, x, maximum)
      addRow(m.2, block, 2, x, maximum)
      addRow(m.3, block, 3, x, maximum)
      addRow(m.4, block, 4, x, maximum)
      addRow(m.5, block, 5, x, maximum)
      addRow(m.6, block, 6, x, maximum)
      addRow(m.7, block, 7, x, maximum)
    }
    coefficients.fill(from..<from &+ 64, with: 0)
  }

  /// Transforms four rows of eight in place.
  private static func transformRows(
    _ coefficients: borrowing CheckedBuffer<Int32>, _ from: Int
  ) {
    let left = InverseTransform.transposed(
      coefficients.load(at: from), coefficients.load(at: from &+ 8),
      coefficients.load(at: from &+ 16), coefficients.load(at: from &+ 24))
    let right = InverseTransform.transposed(
      coefficients.load(at: from &+ 4), coefficients.load(at: from &+ 12),
      coefficients.load(at: from &+ 20), coefficients.load(at: from &+ 28))
    let g = InverseTransform.transform8(
      (left.0, left.1, left.2, left.3, right.0, right.1, right.2, right.3))
    let low = InverseTransform.transposed(g.0, g.1, g.2, g.3)
    let high = InverseTransform.transposed(g.4, g.5, g.6, g.7)
    coefficients.store(low.0, at: from)
    coefficients.store(low.1, at: from &+ 8)
    coefficients.store(low.2, at: from &+ 16)
    coefficients.store(low.3, at: from &+ 24)
    coefficients.store(high.0, at: from &+ 4)
    coefficients.store(high.1, at: from &+ 12)
    coefficients.store(high.2, at: from &+ 20)
    coefficients.store(high.3, at: from &+ 28)
  }
}
