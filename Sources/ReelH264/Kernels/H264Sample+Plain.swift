// The default of every kernel is the plain one.

import ReelCore

extension H264Sample {
  @inline(always)
  static func predictIntra4x4(
    mode: Int, _ dst: PlaneView<Self>, at: Int, stride: Int, top: SIMD8<UInt16>,
    left: SIMD4<UInt16>, topLeft: UInt16, hasTop: Bool, hasLeft: Bool, bitDepth: Int
  ) {
    PlainKernels<Self>.predictIntra4x4(
      mode: mode, dst, at: at, stride: stride, top: top, left: left, topLeft: topLeft,
      hasTop: hasTop, hasLeft: hasLeft, bitDepth: bitDepth)
  }

  @inline(always)
  static func predictIntra8x8(
    mode: Int, _ dst: PlaneView<Self>, at: Int, stride: Int, top: SIMD16<UInt16>,
    left: SIMD8<UInt16>, topLeft: UInt16, hasTop: Bool, hasTopRight: Bool, hasLeft: Bool,
    hasTopLeft: Bool, bitDepth: Int
  ) {
    PlainKernels<Self>.predictIntra8x8(
      mode: mode, dst, at: at, stride: stride, top: top, left: left, topLeft: topLeft,
      hasTop: hasTop, hasTopRight: hasTopRight, hasLeft: hasLeft, hasTopLeft: hasTopLeft,
      bitDepth: bitDepth)
  }

  @inline(always)
  static func predictIntra16x16(
    mode: Int, _ dst: PlaneView<Self>, at: Int, stride: Int, top: SIMD16<UInt16>,
    left: SIMD16<UInt16>, topLeft: UInt16, hasTop: Bool, hasLeft: Bool, bitDepth: Int
  ) {
    PlainKernels<Self>.predictIntra16x16(
      mode: mode, dst, at: at, stride: stride, top: top, left: left, topLeft: topLeft,
      hasTop: hasTop, hasLeft: hasLeft, bitDepth: bitDepth)
  }

  @inline(always)
  static func predictIntraChroma(
    mode: Int, _ dst: PlaneView<Self>, at: Int, stride: Int, height: Int, top: SIMD8<UInt16>,
    left: SIMD16<UInt16>, topLeft: UInt16, hasTop: Bool, hasLeft: Bool, hasLowerLeft: Bool,
    bitDepth: Int
  ) {
    PlainKernels<Self>.predictIntraChroma(
      mode: mode, dst, at: at, stride: stride, height: height, top: top, left: left,
      topLeft: topLeft, hasTop: hasTop, hasLeft: hasLeft, hasLowerLeft: hasLowerLeft,
      bitDepth: bitDepth)
  }

  @inline(always)
  static func addInverse4x4(
    _ coefficients: borrowing CheckedBuffer<Int32>, from: Int, _ dst: PlaneView<Self>, at: Int,
    stride: Int, maximum: Int32
  ) {
    PlainKernels<Self>.addInverse4x4(
      coefficients, from: from, dst, at: at, stride: stride, maximum: maximum)
  }

  @inline(always)
  static func addInverse4x4DC(
    _ coefficients: borrowing CheckedBuffer<Int32>, from: Int, _ dst: PlaneView<Self>, at: Int,
    stride: Int, maximum: Int32
  ) {
    PlainKernels<Self>.addInverse4x4DC(
      coefficients, from: from, dst, at: at, stride: stride, maximum: maximum)
  }

  @inline(always)
  static func addInverse8x8(
    _ coefficients: borrowing CheckedBuffer<Int32>, from: Int, _ dst: PlaneView<Self>, at: Int,
    stride: Int, maximum: Int32
  ) {
    PlainKernels<Self>.addInverse8x8(
      coefficients, from: from, dst, at: at, stride: stride, maximum: maximum)
  }

  @inline(always)
  static func addInverse8x8DC(
    _ coefficients: borrowing CheckedBuffer<Int32>, from: Int, _ dst: PlaneView<Self>, at: Int,
    stride: Int, maximum: Int32
  ) {
    PlainKernels<Self>.addInverse8x8DC(
      coefficients, from: from, dst, at: at, stride: stride, maximum: maximum)
  }

  @inline(always)
  static func predictLuma(
    _ dst: PlaneView<Self>, at: Int, stride: Int, from reference: PlaneView<Self>, x: Int,
    y: Int, width: Int, height: Int, maximum: Int32
  ) {
    PlainKernels<Self>.predictLuma(
      dst, at: at, stride: stride, from: reference, x: x, y: y, width: width, height: height,
      maximum: maximum)
  }

  @inline(always)
  static func predictChroma(
    _ dst: PlaneView<Self>, at: Int, stride: Int, from reference: PlaneView<Self>, x: Int,
    y: Int, xFraction: Int, yFraction: Int, width: Int, height: Int
  ) {
    PlainKernels<Self>.predictChroma(
      dst, at: at, stride: stride, from: reference, x: x, y: y, xFraction: xFraction,
      yFraction: yFraction, width: width, height: height)
  }

  @inline(always)
  static func averageBlock(
    _ dst: PlaneView<Self>, at: Int, stride: Int, with other: PlaneView<Self>, otherAt: Int,
    otherStride: Int, width: Int, height: Int
  ) {
    PlainKernels<Self>.averageBlock(
      dst, at: at, stride: stride, with: other, otherAt: otherAt, otherStride: otherStride,
      width: width, height: height)
  }

  @inline(always)
  static func weightBlock(
    _ dst: PlaneView<Self>, at: Int, stride: Int, width: Int, height: Int, logWD: Int,
    weight: Int, offset: Int, maximum: Int32
  ) {
    PlainKernels<Self>.weightBlock(
      dst, at: at, stride: stride, width: width, height: height, logWD: logWD, weight: weight,
      offset: offset, maximum: maximum)
  }

  @inline(always)
  static func weightBlocks(
    _ dst: PlaneView<Self>, at: Int, stride: Int, with other: PlaneView<Self>, otherAt: Int,
    otherStride: Int, width: Int, height: Int, logWD: Int, weight0: Int, weight1: Int,
    offset: Int, maximum: Int32
  ) {
    PlainKernels<Self>.weightBlocks(
      dst, at: at, stride: stride, with: other, otherAt: otherAt, otherStride: otherStride,
      width: width, height: height, logWD: logWD, weight0: weight0, weight1: weight1,
      offset: offset, maximum: maximum)
  }

  @inline(always)
  static func filterLumaEdge(
    _ plane: PlaneView<Self>, at: Int, across: Int, along: Int, linesPerStrength: Int,
    strengths: UInt32, alpha: Int32, beta: Int32, indexA: Int, bitDepth: Int
  ) {
    PlainKernels<Self>.filterLumaEdge(
      plane, at: at, across: across, along: along, linesPerStrength: linesPerStrength,
      strengths: strengths, alpha: alpha, beta: beta, indexA: indexA, bitDepth: bitDepth)
  }

  @inline(always)
  static func filterChromaEdge(
    _ plane: PlaneView<Self>, at: Int, across: Int, along: Int, linesPerStrength: Int,
    strengths: UInt32, alpha: Int32, beta: Int32, indexA: Int, bitDepth: Int
  ) {
    PlainKernels<Self>.filterChromaEdge(
      plane, at: at, across: across, along: along, linesPerStrength: linesPerStrength,
      strengths: strengths, alpha: alpha, beta: beta, indexA: indexA, bitDepth: bitDepth)
  }
}
