// The sample kernels of the decoder, chosen by sample type. ISO/IEC 14496-10:2020 §8.3–§8.7.

import ReelCore

/// A sample type the decoder can work on: `UInt8` for bit depth 8, `UInt16` for 9…14.
///
/// Every requirement has a plain implementation (``PlainKernels``); a type replaces those for which
/// it has a faster one with the same result. Callers use the free functions of the same names in
/// `KernelFunctions.swift`, which document the parameters.
protocol H264Sample: PictureSample {
  /// Eight samples from offset `at`, widened.
  static func load8(_ plane: PlaneView<Self>, at: Int) -> SIMD8<UInt16>

  static func predictIntra4x4(
    mode: Int, _ dst: PlaneView<Self>, at: Int, stride: Int, top: SIMD8<UInt16>,
    left: SIMD4<UInt16>, topLeft: UInt16, hasTop: Bool, hasLeft: Bool, bitDepth: Int)
  static func predictIntra8x8(
    mode: Int, _ dst: PlaneView<Self>, at: Int, stride: Int, top: SIMD16<UInt16>,
    left: SIMD8<UInt16>, topLeft: UInt16, hasTop: Bool, hasTopRight: Bool, hasLeft: Bool,
    hasTopLeft: Bool, bitDepth: Int)
  static func predictIntra16x16(
    mode: Int, _ dst: PlaneView<Self>, at: Int, stride: Int, top: SIMD16<UInt16>,
    left: SIMD16<UInt16>, topLeft: UInt16, hasTop: Bool, hasLeft: Bool, bitDepth: Int)
  static func predictIntraChroma(
    mode: Int, _ dst: PlaneView<Self>, at: Int, stride: Int, height: Int, top: SIMD8<UInt16>,
    left: SIMD16<UInt16>, topLeft: UInt16, hasTop: Bool, hasLeft: Bool, hasLowerLeft: Bool,
    bitDepth: Int)

  static func addInverse4x4(
    _ coefficients: borrowing CheckedBuffer<Int32>, from: Int, _ dst: PlaneView<Self>, at: Int,
    stride: Int, maximum: Int32)
  static func addInverse4x4DC(
    _ coefficients: borrowing CheckedBuffer<Int32>, from: Int, _ dst: PlaneView<Self>, at: Int,
    stride: Int, maximum: Int32)
  static func addInverse8x8(
    _ coefficients: borrowing CheckedBuffer<Int32>, from: Int, _ dst: PlaneView<Self>, at: Int,
    stride: Int, maximum: Int32)
  static func addInverse8x8DC(
    _ coefficients: borrowing CheckedBuffer<Int32>, from: Int, _ dst: PlaneView<Self>, at: Int,
    stride: Int, maximum: Int32)

  static func predictLuma(
    _ dst: PlaneView<Self>, at: Int, stride: Int, from reference: PlaneView<Self>, x: Int, y: Int,
    width: Int, height: Int, maximum: Int32)
  static func predictChroma(
    _ dst: PlaneView<Self>, at: Int, stride: Int, from reference: PlaneView<Self>, x: Int, y: Int,
    xFraction: Int, yFraction: Int, width: Int, height: Int)
  static func averageBlock(
    _ dst: PlaneView<Self>, at: Int, stride: Int, with other: PlaneView<Self>, otherAt: Int,
    otherStride: Int, width: Int, height: Int)
  static func weightBlock(
    _ dst: PlaneView<Self>, at: Int, stride: Int, width: Int, height: Int, logWD: Int, weight: Int,
    offset: Int, maximum: Int32)
  static func weightBlocks(
    _ dst: PlaneView<Self>, at: Int, stride: Int, with other: PlaneView<Self>, otherAt: Int,
    otherStride: Int, width: Int, height: Int, logWD: Int, weight0: Int, weight1: Int, offset: Int,
    maximum: Int32)

  static func filterLumaEdge(
    _ plane: PlaneView<Self>, at: Int, across: Int, along: Int, linesPerStrength: Int,
    strengths: UInt32, alpha: Int32, beta: Int32, indexA: Int, bitDepth: Int)
  static func filterChromaEdge(
    _ plane: PlaneView<Self>, at: Int, across: Int, along: Int, linesPerStrength: Int,
    strengths: UInt32, alpha: Int32, beta: Int32, indexA: Int, bitDepth: Int)
}

extension UInt8: H264Sample {}
extension UInt16: H264Sample {}

/// The plain implementations: readable, for any depth, and the reference the fast ones are tested
/// against.
enum PlainKernels<S: H264Sample> {
  /// Clip1: `value` limited to 0…`maximum`. (5-8)
  @inline(always)
  static func clip(_ value: Int32, _ maximum: Int32) -> S {
    S(truncatingIfNeeded: min(max(value, 0), maximum))
  }
}
