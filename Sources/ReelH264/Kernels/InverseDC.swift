// Inverse transforms of DC coefficients. ISO/IEC 14496-10:2020 §8.5.10, §8.5.11.1, §8.5.11.2.

import ReelCore

/// Intra_16x16 luma DC: transforms and scales the 4×4 matrix c at `from` (raster order) in place.
/// §8.5.10.
///
/// - Parameters:
///   - scale: LevelScale4x4(qP % 6, 0, 0), with the weight (16 when flat).
///   - qp: qP, 0…87.
func inverseLumaDC(
  _ coefficients: borrowing CheckedBuffer<Int32>, from: Int, scale: Int32, qp: Int
) {
  let c0: SIMD4<Int32> = coefficients.load(at: from)
  let c1: SIMD4<Int32> = coefficients.load(at: from &+ 4)
  let c2: SIMD4<Int32> = coefficients.load(at: from &+ 8)
  let c3: SIMD4<Int32> = coefficients.load(at: from &+ 12)
  let v = hadamard4(c0, c1, c2, c3)
  let f = hadamard4(
    SIMD4(v.0[0], v.1[0], v.2[0], v.3[0]), SIMD4(v.0[1], v.1[1], v.2[1], v.3[1]),
    SIMD4(v.0[2], v.1[2], v.2[2], v.3[2]), SIMD4(v.0[3], v.1[3], v.2[3], v.3[3]))
  let d0 = scaledDC(f.0, scale, qp)
  let d1 = scaledDC(f.1, scale, qp)
  let d2 = scaledDC(f.2, scale, qp)
  let d3 = scaledDC(f.3, scale, qp)
  coefficients.store(SIMD4(d0[0], d1[0], d2[0], d3[0]), at: from)
  coefficients.store(SIMD4(d0[1], d1[1], d2[1], d3[1]), at: from &+ 4)
  coefficients.store(SIMD4(d0[2], d1[2], d2[2], d3[2]), at: from &+ 8)
  coefficients.store(SIMD4(d0[3], d1[3], d2[3], d3[3]), at: from &+ 12)
}

/// The four sums of (8-328), one matrix row or column a lane.
@inline(always)
private func hadamard4(
  _ a: SIMD4<Int32>, _ b: SIMD4<Int32>, _ c: SIMD4<Int32>, _ d: SIMD4<Int32>
) -> (SIMD4<Int32>, SIMD4<Int32>, SIMD4<Int32>, SIMD4<Int32>) {
  let p = a &+ b
  let q = a &- b
  let r = c &+ d
  let s = c &- d
  // Matrix rows: + + + +, + + − −, + − − +, + − + −.
  return (p &+ r, p &- r, q &- s, q &+ s)
}

/// (8-329), (8-330): f · scale · 2^(qp / 6 − 6), rounded.
@inline(always)
private func scaledDC(_ f: SIMD4<Int32>, _ scale: Int32, _ qp: Int) -> SIMD4<Int32> {
  let period = Int32(truncatingIfNeeded: qp / 6)
  let product = f &* SIMD4(repeating: scale)
  if period >= 6 { return product &<< SIMD4(repeating: period &- 6) }
  let rounding = SIMD4<Int32>(repeating: 1 &<< (5 &- period))
  return (product &+ rounding) &>> SIMD4(repeating: 6 &- period)
}

/// Chroma DC of 4:2:0: the 2×2 matrix [c0 c1; c2 c3] transformed and scaled, raster order.
/// §8.5.11.1, §8.5.11.2.
///
/// - Parameters:
///   - scale: LevelScale4x4(QP′c % 6, 0, 0).
///   - qp: QP′c.
func inverseChromaDC420(
  _ c0: Int32, _ c1: Int32, _ c2: Int32, _ c3: Int32, scale: Int32, qp: Int
) -> SIMD4<Int32> {
  let p = c0 &+ c1
  let q = c0 &- c1
  let r = c2 &+ c3
  let s = c2 &- c3
  let f = SIMD4(p &+ r, q &+ s, p &- r, q &- s)
  return ((f &* SIMD4(repeating: scale)) &<< SIMD4(repeating: Int32(truncatingIfNeeded: qp / 6)))
    &>> 5
}

/// Chroma DC of 4:2:2: transforms and scales the matrix of 4 rows × 2 columns at `from` (raster
/// order) in place. §8.5.11.1, §8.5.11.2.
///
/// - Parameters:
///   - scale: LevelScale4x4(QP′c,dc % 6, 0, 0).
///   - qpDC: QP′c,dc = QP′c + 3.
func inverseChromaDC422(
  _ coefficients: borrowing CheckedBuffer<Int32>, from: Int, scale: Int32, qpDC: Int
) {
  let c: SIMD8<Int32> = coefficients.load(at: from)
  let left = SIMD4(c[0], c[2], c[4], c[6])
  let right = SIMD4(c[1], c[3], c[5], c[7])
  let sum = columnHadamard(left &+ right)
  let difference = columnHadamard(left &- right)
  let d0 = scaledDC(sum, scale, qpDC)
  let d1 = scaledDC(difference, scale, qpDC)
  coefficients.store(
    SIMD8(d0[0], d1[0], d0[1], d1[1], d0[2], d1[2], d0[3], d1[3]), at: from)
}

@inline(always)
private func columnHadamard(_ c: SIMD4<Int32>) -> SIMD4<Int32> {
  let p = c[0] &+ c[1]
  let q = c[0] &- c[1]
  let r = c[2] &+ c[3]
  let s = c[2] &- c[3]
  return SIMD4(p &+ r, p &- r, q &- s, q &+ s)
}
