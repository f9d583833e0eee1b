// Residuals that are not transformed. ISO/IEC 14496-10:2020 §8.5.15, qpprime_y_zero_transform_bypass.

import ReelCore

/// Adds a block of untransformed residuals to the prediction and zeroes them.
///
/// With `direction` 1 or 2 the residuals are differences along the row or the column (§8.5.15).
/// A transform block is then a piece of a larger array for Intra_16x16 and chroma. For the pieces
/// right of (below) the first, pass `continuing: true`: their sums go on from the reconstructed
/// samples before the piece, which works since horizontal (vertical) prediction is constant along
/// the row (column). Such pieces must come in order, and also when all their residuals are 0.
///
/// - Parameters:
///   - from: index of the first of `size` × `size` residuals, raster order.
///   - size: 4 or 8.
///   - direction: 0 none, 1 horizontal, 2 vertical differences.
///   - maximum: (1 << bitDepth) − 1.
func addBypass<S: H264Sample>(
  _ coefficients: borrowing CheckedBuffer<Int32>, from: Int, size: Int, _ dst: PlaneView<S>,
  at: Int, stride: Int, maximum: Int32, direction: Int, continuing: Bool = false
) {
  let block = dst.window(at: at, stride: stride, columns: size, rows: size)
  let back = direction == 1 ? 1 : stride
  for line in 0..<size {
    var sum: Int32 = 0
    let first = at &+ line &* (direction == 1 ? stride : 1)
    let before = continuing && direction != 0 ? Int32(dst[first &- back]) : 0
    for i in 0..<size {
      let row = direction == 1 ? line : i
      let column = direction == 1 ? i : line
      let residual = coefficients[from &+ row &* size &+ column]
      sum = direction == 0 ? residual : sum &+ residual
      let prediction = continuing && direction != 0 ? before : Int32(block[row, column])
      block[row, column] = PlainKernels.clip(prediction &+ sum, maximum)
    }
  }
  coefficients.fill(from..<from &+ size &* size, with: 0)
}
