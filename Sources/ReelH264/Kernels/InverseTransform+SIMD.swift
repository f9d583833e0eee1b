// Inverse transforms for 8-bit video. ISO/IEC 14496-10:2020 §8.5.12.2, §8.5.13, §8.5.14.
//
// The standard bounds every intermediate value of a conforming stream to 16 bits at this depth, so
// the 8×8 transform runs on eight 16-bit lanes. Other streams get other samples here than a wider
// transform would give them; nothing else.

import ReelCore

extension UInt8 {
  static func addInverse4x4(
    _ coefficients: borrowing CheckedBuffer<Int32>, from: Int, _ dst: PlaneView<UInt8>, at: Int,
    stride: Int, maximum: Int32
  ) {
    let m = InverseTransform.take4x4(coefficients, from: from)
    let block = dst.window(at: at, stride: stride, columns: 4, rows: 4)
    VectorTransform.add(VectorTransform.residual(m.0, m.1), to: block, row: 0)
    VectorTransform.add(VectorTransform.residual(m.2, m.3), to: block, row: 2)
  }

  static func addInverse4x4DC(
    _ coefficients: borrowing CheckedBuffer<Int32>, from: Int, _ dst: PlaneView<UInt8>, at: Int,
    stride: Int, maximum: Int32
  ) {
    let value = WordVector(repeating: Int16(truncatingIfNeeded: (coefficients[from] &+ 32) >> 6))
    coefficients[from] = 0
    let block = dst.window(at: at, stride: stride, columns: 4, rows: 4)
    VectorTransform.add(value, to: block, row: 0)
    VectorTransform.add(value, to: block, row: 2)
  }

  static func addInverse8x8DC(
    _ coefficients: borrowing CheckedBuffer<Int32>, from: Int, _ dst: PlaneView<UInt8>, at: Int,
    stride: Int, maximum: Int32
  ) {
    let value = WordVector(repeating: Int16(truncatingIfNeeded: (coefficients[from] &+ 32) >> 6))
    coefficients[from] = 0
    let block = dst.window(at: at, stride: stride, columns: 8, rows: 8)
    for y in 0..<8 { block.store(SIMD8<UInt8>(clipping: block.words(y, 0) &+ value), y, 0) }
  }

  static func addInverse8x8(
    _ coefficients: borrowing CheckedBuffer<Int32>, from: Int, _ dst: PlaneView<UInt8>, at: Int,
    stride: Int, maximum: Int32
  ) {
    let block = dst.window(at: at, stride: stride, columns: 8, rows: 8)
    let rows = WordMatrix(taking: coefficients, from: from).transposed.inverseTransformed
    let m = rows.transposed.inverseTransformed
    @inline(always)
    func add(_ residual: WordVector, _ y: Int) {
      let sum = block.words(y, 0) &+ ((residual &+ 32) &>> 6)
      block.store(SIMD8<UInt8>(clipping: sum), y, 0)
    }
    add(m.r0, 0)
    add(m.r1, 1)
    add(m.r2, 2)
    add(m.r3, 3)
    add(m.r4, 4)
    add(m.r5, 5)
    add(m.r6, 6)
    add(m.r7, 7)
  }
}

/// Residuals of 4×4 blocks, two rows a vector.
private enum VectorTransform {
  typealias Row = SIMD4<Int32>

  /// (m + 32) >> 6 of two rows as 16-bit lanes. Shifting left first tells the compiler that the
  /// upper bits are copies of the sign, so that one packing instruction will do.
  @inline(always)
  static func residual(_ upper: Row, _ lower: Row) -> WordVector {
    WordVector(
      truncating: SIMD8(
        lowHalf: ((upper &+ 32) &<< 10) &>> 16, highHalf: ((lower &+ 32) &<< 10) &>> 16))
  }

  /// Adds two rows of four to rows `row` and `row` + 1 of the block.
  @inline(always)
  static func add(_ residual: WordVector, to block: PlaneWindow<UInt8>, row: Int) {
    let samples = SIMD8<UInt8>(lowHalf: block.load(row, 0), highHalf: block.load(row &+ 1, 0))
    let sum = SIMD8<UInt8>(clipping: samples.words &+ residual)
    block.store(sum.lowFour, row, 0)
    block.store(sum.highFour, row &+ 1, 0)
  }
}

extension WordMatrix {
  /// Takes 64 coefficients and leaves zeros.
  @inline(always)
  fileprivate init(taking coefficients: borrowing CheckedBuffer<Int32>, from: Int) {
    self.init(
      Self.take(coefficients, from), Self.take(coefficients, from &+ 8),
      Self.take(coefficients, from &+ 16), Self.take(coefficients, from &+ 24),
      Self.take(coefficients, from &+ 32), Self.take(coefficients, from &+ 40),
      Self.take(coefficients, from &+ 48), Self.take(coefficients, from &+ 56))
  }

  @inline(always)
  private static func take(_ coefficients: borrowing CheckedBuffer<Int32>, _ at: Int) -> WordVector
  {
    let row: SIMD8<Int32> = coefficients.load(at: at)
    coefficients.store(SIMD8<Int32>(repeating: 0), at: at)
    return WordVector(truncating: row)
  }

  /// One dimension of the 8×8 transform down the columns, §8.5.13.
  @inline(always)
  fileprivate var inverseTransformed: WordMatrix {
    let e0 = r0 &+ r4
    let e1 = r5 &- r3 &- r7 &- (r7 &>> 1)
    let e2 = r0 &- r4
    let e3 = r1 &+ r7 &- r3 &- (r3 &>> 1)
    let e4 = (r2 &>> 1) &- r6
    let e5 = r7 &- r1 &+ r5 &+ (r5 &>> 1)
    let e6 = r2 &+ (r6 &>> 1)
    let e7 = r3 &+ r5 &+ r1 &+ (r1 &>> 1)
    let f0 = e0 &+ e6
    let f1 = e1 &+ (e7 &>> 2)
    let f2 = e2 &+ e4
    let f3 = e3 &+ (e5 &>> 2)
    let f4 = e2 &- e4
    let f5 = (e3 &>> 2) &- e5
    let f6 = e0 &- e6
    let f7 = e7 &- (e1 &>> 2)
    return WordMatrix(
      f0 &+ f7, f2 &+ f5, f4 &+ f3, f6 &+ f1, f6 &- f1, f4 &- f3, f2 &- f5, f0 &- f7)
  }
}
