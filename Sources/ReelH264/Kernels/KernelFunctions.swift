// The kernels as functions of the sample type. ISO/IEC 14496-10:2020 §8.3–§8.7.
//
// Shared parameters: `dst` is the plane that holds the block, `at` the offset of the block's first
// sample, `stride` the distance between its rows in samples (twice the plane's for a field
// macroblock in a frame), `maximum` is (1 << bitDepth) − 1. Blocks that do not lie in the plane's
// memory trap; no other value does.

import ReelCore

/// Intra_4x4 prediction of one block. §8.3.1.2.
///
/// - Parameters:
///   - mode: Intra4x4PredMode, 0…8 (any other value predicts DC).
///   - top: p[0…7, −1], the four above right already substituted where unavailable.
///   - left: p[−1, 0…3].
///   - topLeft: p[−1, −1].
///   - hasTop: whether the samples above are available; matters for DC only.
///   - hasLeft: whether the samples to the left are available; matters for DC only.
@inline(always)
func predictIntra4x4<S: H264Sample>(
  mode: Int, _ dst: PlaneView<S>, at: Int, stride: Int, top: SIMD8<UInt16>, left: SIMD4<UInt16>,
  topLeft: UInt16, hasTop: Bool, hasLeft: Bool, bitDepth: Int
) {
  S.predictIntra4x4(
    mode: mode, dst, at: at, stride: stride, top: top, left: left, topLeft: topLeft,
    hasTop: hasTop, hasLeft: hasLeft, bitDepth: bitDepth)
}

/// Intra_8x8 prediction of one block, with the filtering of its references. §8.3.2.2.
///
/// - Parameters:
///   - mode: Intra8x8PredMode, 0…8 (any other value predicts DC).
///   - top: p[0…15, −1]; the last eight are ignored unless `hasTopRight`.
///   - left: p[−1, 0…7].
///   - topLeft: p[−1, −1].
@inline(always)
func predictIntra8x8<S: H264Sample>(
  mode: Int, _ dst: PlaneView<S>, at: Int, stride: Int, top: SIMD16<UInt16>, left: SIMD8<UInt16>,
  topLeft: UInt16, hasTop: Bool, hasTopRight: Bool, hasLeft: Bool, hasTopLeft: Bool,
  bitDepth: Int
) {
  S.predictIntra8x8(
    mode: mode, dst, at: at, stride: stride, top: top, left: left, topLeft: topLeft,
    hasTop: hasTop, hasTopRight: hasTopRight, hasLeft: hasLeft, hasTopLeft: hasTopLeft,
    bitDepth: bitDepth)
}

/// Intra_16x16 prediction of a macroblock. §8.3.3.
///
/// - Parameters:
///   - mode: Intra16x16PredMode: 0 vertical, 1 horizontal, 3 plane, else DC.
///   - top: p[0…15, −1].
///   - left: p[−1, 0…15].
///   - hasTop: whether the samples above are available; matters for DC only.
///   - hasLeft: whether the samples to the left are available; matters for DC only.
@inline(always)
func predictIntra16x16<S: H264Sample>(
  mode: Int, _ dst: PlaneView<S>, at: Int, stride: Int, top: SIMD16<UInt16>,
  left: SIMD16<UInt16>, topLeft: UInt16, hasTop: Bool, hasLeft: Bool, bitDepth: Int
) {
  S.predictIntra16x16(
    mode: mode, dst, at: at, stride: stride, top: top, left: left, topLeft: topLeft,
    hasTop: hasTop, hasLeft: hasLeft, bitDepth: bitDepth)
}

/// Intra prediction of one chroma component of 4:2:0 or 4:2:2. §8.3.4.
///
/// - Parameters:
///   - mode: intra_chroma_pred_mode: 1 horizontal, 2 vertical, 3 plane, else DC.
///   - height: 8 or 16.
///   - top: p[0…7, −1].
///   - left: p[−1, 0…7] or p[−1, 0…15].
///   - hasLeft: whether the samples left of the upper half are available; for DC only.
///   - hasLowerLeft: the same for the lower half, which differs in a field macroblock whose left
///     neighbours are a frame macroblock pair with one Inter macroblock and constrained intra
///     prediction.
@inline(always)
func predictIntraChroma<S: H264Sample>(
  mode: Int, _ dst: PlaneView<S>, at: Int, stride: Int, height: Int, top: SIMD8<UInt16>,
  left: SIMD16<UInt16>, topLeft: UInt16, hasTop: Bool, hasLeft: Bool, hasLowerLeft: Bool? = nil,
  bitDepth: Int
) {
  S.predictIntraChroma(
    mode: mode, dst, at: at, stride: stride, height: height, top: top, left: left,
    topLeft: topLeft, hasTop: hasTop, hasLeft: hasLeft, hasLowerLeft: hasLowerLeft ?? hasLeft,
    bitDepth: bitDepth)
}

/// Adds the inverse 4×4 transform of 16 scaled coefficients to the prediction. §8.5.12.2, §8.5.14.
///
/// The coefficients (raster order from index `from`) are zeroed.
@inline(always)
func addInverse4x4<S: H264Sample>(
  _ coefficients: borrowing CheckedBuffer<Int32>, from: Int, _ dst: PlaneView<S>, at: Int,
  stride: Int, maximum: Int32
) {
  S.addInverse4x4(
    coefficients, from: from, dst, at: at, stride: stride, maximum: maximum)
}

/// ``addInverse4x4`` for a block in which only coefficient 0 is not 0.
@inline(always)
func addInverse4x4DC<S: H264Sample>(
  _ coefficients: borrowing CheckedBuffer<Int32>, from: Int, _ dst: PlaneView<S>, at: Int,
  stride: Int, maximum: Int32
) {
  S.addInverse4x4DC(
    coefficients, from: from, dst, at: at, stride: stride, maximum: maximum)
}

/// Adds the inverse 8×8 transform of 64 scaled coefficients to the prediction. §8.5.13, §8.5.14.
///
/// The coefficients (raster order from index `from`) are zeroed.
@inline(always)
func addInverse8x8<S: H264Sample>(
  _ coefficients: borrowing CheckedBuffer<Int32>, from: Int, _ dst: PlaneView<S>, at: Int,
  stride: Int, maximum: Int32
) {
  S.addInverse8x8(
    coefficients, from: from, dst, at: at, stride: stride, maximum: maximum)
}

/// ``addInverse8x8`` for a block in which only coefficient 0 is not 0.
@inline(always)
func addInverse8x8DC<S: H264Sample>(
  _ coefficients: borrowing CheckedBuffer<Int32>, from: Int, _ dst: PlaneView<S>, at: Int,
  stride: Int, maximum: Int32
) {
  S.addInverse8x8DC(
    coefficients, from: from, dst, at: at, stride: stride, maximum: maximum)
}

/// Interpolated samples of a luma block (or of a chroma block of 4:4:4). §8.4.2.2.1.
///
/// - Parameters:
///   - x: column of the block's first sample in the reference, in quarter samples, any value.
///   - y: row of the block's first sample in the reference, in quarter samples, any value.
///   - width: 4, 8 or 16.
///   - height: 4, 8 or 16.
@inline(always)
func predictLuma<S: H264Sample>(
  _ dst: PlaneView<S>, at: Int, stride: Int, from reference: PlaneView<S>, x: Int, y: Int,
  width: Int, height: Int, maximum: Int32
) {
  S.predictLuma(
    dst, at: at, stride: stride, from: reference, x: x, y: y, width: width, height: height,
    maximum: maximum)
}

/// Interpolated samples of a chroma block. §8.4.2.2.2.
///
/// - Parameters:
///   - x: column of the block's first sample in the reference, in whole samples, any value.
///   - y: row of the block's first sample in the reference, in whole samples, any value.
///   - xFraction: xFracC, 0…7.
///   - yFraction: yFracC, 0…7.
///   - width: 2, 4 or 8.
///   - height: 2, 4, 8 or 16.
@inline(always)
func predictChroma<S: H264Sample>(
  _ dst: PlaneView<S>, at: Int, stride: Int, from reference: PlaneView<S>, x: Int, y: Int,
  xFraction: Int, yFraction: Int, width: Int, height: Int
) {
  S.predictChroma(
    dst, at: at, stride: stride, from: reference, x: x, y: y, xFraction: xFraction,
    yFraction: yFraction, width: width, height: height)
}

/// Default weighted prediction of two predictions: (a + b + 1) >> 1 in place. §8.4.2.3.1.
///
/// - Parameters:
///   - width: 2, 4, 8 or 16.
@inline(always)
func averageBlock<S: H264Sample>(
  _ dst: PlaneView<S>, at: Int, stride: Int, with other: PlaneView<S>, otherAt: Int,
  otherStride: Int, width: Int, height: Int
) {
  S.averageBlock(
    dst, at: at, stride: stride, with: other, otherAt: otherAt, otherStride: otherStride,
    width: width, height: height)
}

/// Explicit weighted prediction from one list, in place. §8.4.2.3.2, (8-272), (8-273).
///
/// - Parameters:
///   - logWD: 0…7.
///   - weight: −128…127.
///   - offset: o, scaled to the bit depth.
@inline(always)
func weightBlock<S: H264Sample>(
  _ dst: PlaneView<S>, at: Int, stride: Int, width: Int, height: Int, logWD: Int, weight: Int,
  offset: Int, maximum: Int32
) {
  S.weightBlock(
    dst, at: at, stride: stride, width: width, height: height, logWD: logWD, weight: weight,
    offset: offset, maximum: maximum)
}

/// Weighted prediction from both lists: `dst` holds prediction 0 and receives the result.
/// §8.4.2.3.2, (8-274).
///
/// - Parameters:
///   - logWD: 0…7.
///   - weight0: −128…128.
///   - weight1: −128…128.
///   - offset: (o0 + o1 + 1) >> 1, scaled to the bit depth.
@inline(always)
func weightBlocks<S: H264Sample>(
  _ dst: PlaneView<S>, at: Int, stride: Int, with other: PlaneView<S>, otherAt: Int,
  otherStride: Int, width: Int, height: Int, logWD: Int, weight0: Int, weight1: Int, offset: Int,
  maximum: Int32
) {
  S.weightBlocks(
    dst, at: at, stride: stride, with: other, otherAt: otherAt, otherStride: otherStride,
    width: width, height: height, logWD: logWD, weight0: weight0, weight1: weight1,
    offset: offset, maximum: maximum)
}

/// Deblocks one edge of 4 × `linesPerStrength` lines with chromaStyleFilteringFlag 0. §8.7.2.
///
/// - Parameters:
///   - at: offset of q0 on the first line.
///   - across: step from p0 to q0.
///   - along: step from line to line.
///   - linesPerStrength: 4; 2 or 1 at left edges of MBAFF frames.
///   - strengths: bS 0…4 of the four groups of lines, eight bits each, first group lowest.
///   - alpha: α′ of Table 8-16, for 8-bit samples.
///   - beta: β′ of Table 8-16, for 8-bit samples.
///   - indexA: selects t′C0 of Table 8-17, 0…51.
@inline(always)
func filterLumaEdge<S: H264Sample>(
  _ plane: PlaneView<S>, at: Int, across: Int, along: Int, linesPerStrength: Int,
  strengths: UInt32, alpha: Int32, beta: Int32, indexA: Int, bitDepth: Int
) {
  S.filterLumaEdge(
    plane, at: at, across: across, along: along, linesPerStrength: linesPerStrength,
    strengths: strengths, alpha: alpha, beta: beta, indexA: indexA, bitDepth: bitDepth)
}

/// Deblocks one edge of 4 × `linesPerStrength` lines with chromaStyleFilteringFlag 1. §8.7.2.
///
/// Parameters as of ``filterLumaEdge``; `linesPerStrength` is 1, 2 or 4.
@inline(always)
func filterChromaEdge<S: H264Sample>(
  _ plane: PlaneView<S>, at: Int, across: Int, along: Int, linesPerStrength: Int,
  strengths: UInt32, alpha: Int32, beta: Int32, indexA: Int, bitDepth: Int
) {
  S.filterChromaEdge(
    plane, at: at, across: across, along: along, linesPerStrength: linesPerStrength,
    strengths: strengths, alpha: alpha, beta: beta, indexA: indexA, bitDepth: bitDepth)
}
