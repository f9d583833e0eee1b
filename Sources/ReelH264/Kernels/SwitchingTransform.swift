// Transform-domain reconstruction of P macroblocks in SP slices and of SI macroblocks.
// ISO/IEC 14496-10:2020 §8.6.1, §8.6.2. 8-bit 4:2:0 only, flat scaling (Extended profile).

import ReelCore

/// Quantiser and transform of §8.6, on SIMD4 rows.
enum SwitchingTransform {
  typealias Matrix4 = (SIMD4<Int32>, SIMD4<Int32>, SIMD4<Int32>, SIMD4<Int32>)

  /// The forward transform c = T p Tᵀ of a 4×4 matrix. (8-354)
  static func forward4x4(_ p: Matrix4) -> Matrix4 {
    transposed(forwardColumns(transposed(forwardColumns(p))))
  }

  private static func forwardColumns(_ p: Matrix4) -> Matrix4 {
    let a = p.0 &+ p.3
    let b = p.1 &+ p.2
    let c = p.1 &- p.2
    let d = p.0 &- p.3
    return (a &+ b, 2 &* d &+ c, a &- b, d &- 2 &* c)
  }

  private static func transposed(_ m: Matrix4) -> Matrix4 {
    (
      SIMD4(m.0[0], m.1[0], m.2[0], m.3[0]), SIMD4(m.0[1], m.1[1], m.2[1], m.3[1]),
      SIMD4(m.0[2], m.1[2], m.2[2], m.3[2]), SIMD4(m.0[3], m.1[3], m.2[3], m.3[3])
    )
  }

  /// 0 for positions with even row and column, 1 both odd, 2 mixed.
  private static func positionClass(_ i: Int, _ j: Int) -> Int {
    i & 1 != j & 1 ? 2 : i & 1
  }

  /// A of (8-356), by class of position.
  private static let areas: [3 of Int32] = [16, 25, 20]

  /// normAdjust4x4 of (8-315), by class of position: the scale without its flat weight of 16.
  private static let normAdjusts: [18 of Int32] = [
    10, 16, 13, 11, 18, 14, 13, 20, 16, 14, 23, 18, 16, 25, 20, 18, 29, 23,
  ]

  /// LevelScale2 of (8-358), by class of position.
  private static let levelScales2: [18 of Int32] = [
    13107, 5243, 8066, 11916, 4660, 7490, 10082, 4194, 6554, 9362, 3647, 5825, 8192, 3355, 5243,
    7282, 2893, 4559,
  ]

  /// normAdjust4x4(m, i, j).
  static func normAdjust(_ m: Int, _ i: Int, _ j: Int) -> Int32 {
    normAdjusts[3 &* m &+ positionClass(i, j)]
  }

  /// Sign(c) · ((|c| · LevelScale2(qs % 6, i, j) + rounding) >> shift), shift 15 (16 for DC) + qs / 6.
  static func quantized(_ c: Int32, qs: Int, _ i: Int, _ j: Int, baseShift: Int) -> Int32 {
    let scale = Int64(levelScales2[3 &* (qs % 6) &+ positionClass(i, j)])
    let shift = Int64(baseShift &+ qs / 6)
    let level = Int32(
      truncatingIfNeeded: (Int64(c.magnitude) &* scale &+ (1 &<< (shift &- 1))) &>> shift)
    return c < 0 ? 0 &- level : level
  }

  /// The level of one coefficient: transformed prediction plus residual, quantised with QS.
  ///
  /// - Parameters:
  ///   - predicted: c^p.
  ///   - residual: c^r, the parsed level, not scaled.
  ///   - switching: true for §8.6.2 (SI, and SP with sp_for_switch_flag), else §8.6.1.
  ///   - isDC: a 2×2 chroma DC coefficient.
  static func level(
    predicted: Int32, residual: Int32, qp: Int, qs: Int, _ i: Int, _ j: Int, switching: Bool,
    isDC: Bool
  ) -> Int32 {
    let baseShift = isDC ? 16 : 15
    if switching { return residual &+ quantized(predicted, qs: qs, i, j, baseShift: baseShift) }
    let scaled = residual &* normAdjust(qp % 6, i, j) &* areas[positionClass(i, j)]
    let sum = predicted &+ ((scaled &<< Int32(qp / 6)) >> (isDC ? 5 : 6))
    return quantized(sum, qs: qs, i, j, baseShift: baseShift)
  }
}

extension SwitchingTransform {
  /// The 4×4 block of samples at `block` row 0, column `x`.
  static func samples<S: H264Sample>(_ block: PlaneWindow<S>, _ x: Int, _ y: Int) -> Matrix4 {
    func row(_ i: Int) -> SIMD4<Int32> {
      SIMD4(
        Int32(block[y &+ i, x]), Int32(block[y &+ i, x &+ 1]), Int32(block[y &+ i, x &+ 2]),
        Int32(block[y &+ i, x &+ 3]))
    }
    return (row(0), row(1), row(2), row(3))
  }

  static func row(_ m: Matrix4, _ i: Int) -> SIMD4<Int32> {
    switch i {
    case 0: m.0
    case 1: m.1
    case 2: m.2
    default: m.3
    }
  }

  /// Replaces the levels at `from` by the scaled coefficients of the reconstructed block.
  /// `skipsDC` leaves index 0 alone (chroma).
  static func reconstructLevels(
    _ coefficients: borrowing CheckedBuffer<Int32>, from: Int, _ predicted: Matrix4, qp: Int,
    qs: Int, switching: Bool, skipsDC: Bool
  ) {
    for i in 0..<4 {
      for j in 0..<4 where !(skipsDC && i == 0 && j == 0) {
        let index = from &+ 4 &* i &+ j
        let value = level(
          predicted: row(predicted, i)[j], residual: coefficients[index], qp: qp, qs: qs, i, j,
          switching: switching, isDC: false)
        // (8-336) with LevelScale4x4 = 16 · normAdjust: the shift by qP / 6 − 4 is never negative
        // once the weight is taken out.
        coefficients[index] = (value &* normAdjust(qs % 6, i, j)) &<< Int32(qs / 6)
      }
    }
  }
}

/// Reconstructs a 4×4 luma block of an SP or SI macroblock in place of its prediction. §8.6.1, §8.6.2.
///
/// - Parameters:
///   - coefficients: at `from` 16 parsed levels, raster order, not scaled; zeroed.
///   - dst: holds the prediction, receives the block.
///   - qp: QPY, 0…51.
///   - qs: QSY, 0…51.
///   - switching: §8.6.2 applies: SI macroblocks, or sp_for_switch_flag is 1.
func reconstructSwitchingLuma4x4<S: H264Sample>(
  _ coefficients: borrowing CheckedBuffer<Int32>, from: Int, _ dst: PlaneView<S>, at: Int,
  stride: Int, qp: Int, qs: Int, switching: Bool
) {
  let block = dst.window(at: at, stride: stride, columns: 4, rows: 4)
  let predicted = SwitchingTransform.forward4x4(SwitchingTransform.samples(block, 0, 0))
  SwitchingTransform.reconstructLevels(
    coefficients, from: from, predicted, qp: qp, qs: qs, switching: switching, skipsDC: false)
  clear(block, 0, 0)
  S.addInverse4x4(coefficients, from: from, dst, at: at, stride: stride, maximum: 255)
}

/// Reconstructs the 8×8 block of one chroma component of an SP or SI macroblock. §8.6.1, §8.6.2.
///
/// - Parameters:
///   - coefficients: at `from` four blocks (raster order) of 16 parsed levels, raster order, not
///     scaled, the chroma DC level c[i, j] at index 0 of block 2i + j; zeroed.
///   - dst: holds the prediction, receives the block.
///   - qp: QPc that belongs to QPY, 0…39.
///   - qs: QSc that belongs to QSY, 0…39.
///   - switching: §8.6.2 applies: SI macroblocks, or sp_for_switch_flag is 1.
func reconstructSwitchingChroma8x8<S: H264Sample>(
  _ coefficients: borrowing CheckedBuffer<Int32>, from: Int, _ dst: PlaneView<S>, at: Int,
  stride: Int, qp: Int, qs: Int, switching: Bool
) {
  let block = dst.window(at: at, stride: stride, columns: 8, rows: 8)
  var predictedDC = SIMD4<Int32>()
  for index in 0..<4 {
    let predicted = SwitchingTransform.forward4x4(
      SwitchingTransform.samples(block, 4 &* (index & 1), 2 &* (index & 2)))
    predictedDC[index] = predicted.0[0]
    SwitchingTransform.reconstructLevels(
      coefficients, from: from &+ 16 &* index, predicted, qp: qp, qs: qs, switching: switching,
      skipsDC: true)
  }
  let p = predictedDC
  let transformed = SIMD4(
    p[0] &+ p[1] &+ p[2] &+ p[3], p[0] &- p[1] &+ p[2] &- p[3], p[0] &+ p[1] &- p[2] &- p[3],
    p[0] &- p[1] &- p[2] &+ p[3])
  var levels = SIMD4<Int32>()
  for index in 0..<4 {
    levels[index] = SwitchingTransform.level(
      predicted: transformed[index], residual: coefficients[from &+ 16 &* index], qp: qp, qs: qs,
      0, 0, switching: switching, isDC: true)
  }
  let dc = inverseChromaDC420(
    levels[0], levels[1], levels[2], levels[3],
    scale: 16 &* SwitchingTransform.normAdjust(qs % 6, 0, 0), qp: qs)
  for index in 0..<4 {
    let x = 4 &* (index & 1)
    let y = 2 &* (index & 2)
    coefficients[from &+ 16 &* index] = dc[index]
    clear(block, x, y)
    S.addInverse4x4(
      coefficients, from: from &+ 16 &* index, dst, at: at &+ y &* stride &+ x, stride: stride,
      maximum: 255)
  }
}

private func clear<S: H264Sample>(_ block: PlaneWindow<S>, _ x: Int, _ y: Int) {
  for row in y..<y &+ 4 {
    for column in x..<x &+ 4 { block[row, column] = 0 }
  }
}
