// Averages and weighted sums of predictions for 8-bit video. ISO/IEC 14496-10:2020 §8.4.2.3.

import ReelCore

extension UInt8 {
  static func averageBlock(
    _ dst: PlaneView<UInt8>, at: Int, stride: Int, with other: PlaneView<UInt8>, otherAt: Int,
    otherStride: Int, width: Int, height: Int
  ) {
    let block = dst.window(at: at, stride: stride, columns: width, rows: height)
    let second = other.window(at: otherAt, stride: otherStride, columns: width, rows: height)
    switch width {
    case 16:
      for y in 0..<height {
        let a: ByteVector = block.load(y, 0)
        block.store(a.mean(second.load(y, 0)), y, 0)
      }
    case 8:
      for y in 0..<height {
        let a: SIMD8<UInt8> = block.load(y, 0)
        block.store(a.mean(second.load(y, 0)), y, 0)
      }
    case 4:
      for y in 0..<height {
        let a: SIMD4<UInt8> = block.load(y, 0)
        let b: SIMD4<UInt8> = second.load(y, 0)
        block.store((a | b) &- ((a ^ b) &>> 1), y, 0)
      }
    default:
      PlainKernels<UInt8>.averageBlock(
        dst, at: at, stride: stride, with: other, otherAt: otherAt, otherStride: otherStride,
        width: width, height: height)
    }
  }

  static func weightBlock(
    _ dst: PlaneView<UInt8>, at: Int, stride: Int, width: Int, height: Int, logWD: Int, weight: Int,
    offset: Int, maximum: Int32
  ) {
    // 255 · w + 64 + o must fit 16 bits.
    guard weight >= -128 && weight <= 127 && offset >= -128 && offset <= 127 && logWD <= 7 else {
      PlainKernels<UInt8>.weightBlock(
        dst, at: at, stride: stride, width: width, height: height, logWD: logWD, weight: weight,
        offset: offset, maximum: maximum)
      return
    }
    let block = dst.window(at: at, stride: stride, columns: width, rows: height)
    let w = WordVector(repeating: Int16(truncatingIfNeeded: weight))
    let o = WordVector(repeating: Int16(truncatingIfNeeded: offset))
    let shift = WordVector(repeating: Int16(truncatingIfNeeded: logWD))
    let rounding = WordVector(
      repeating: logWD >= 1 ? 1 &<< Int16(truncatingIfNeeded: logWD &- 1) : 0)
    WeightedPrediction.forEachVector(block) { samples, _, _ in
      ((samples &* w &+ rounding) &>> shift) &+ o
    }
  }

  static func weightBlocks(
    _ dst: PlaneView<UInt8>, at: Int, stride: Int, with other: PlaneView<UInt8>, otherAt: Int,
    otherStride: Int, width: Int, height: Int, logWD: Int, weight0: Int, weight1: Int, offset: Int,
    maximum: Int32
  ) {
    // §8.4.2.3 requires −128 ≤ w0 + w1 ≤ (logWD = 7 ? 127 : 128), and weights of 128 come with logWD
    // 5 only; then the sum fits 16 bits.
    let sum = weight0 &+ weight1
    let largest = logWD == 7 ? 127 : 128
    guard
      weight0 >= -128 && weight0 <= largest && weight1 >= -128 && weight1 <= largest
        && sum >= -128 && sum <= largest && offset >= -128 && offset <= 127 && logWD <= 7
    else {
      PlainKernels<UInt8>.weightBlocks(
        dst, at: at, stride: stride, with: other, otherAt: otherAt, otherStride: otherStride,
        width: width, height: height, logWD: logWD, weight0: weight0, weight1: weight1,
        offset: offset, maximum: maximum)
      return
    }
    let block = dst.window(at: at, stride: stride, columns: width, rows: height)
    let second = other.window(at: otherAt, stride: otherStride, columns: width, rows: height)
    let w0 = WordVector(repeating: Int16(truncatingIfNeeded: weight0))
    let w1 = WordVector(repeating: Int16(truncatingIfNeeded: weight1))
    let o = WordVector(repeating: Int16(truncatingIfNeeded: offset))
    let shift = WordVector(repeating: Int16(truncatingIfNeeded: logWD &+ 1))
    let rounding = WordVector(repeating: 1 &<< Int16(truncatingIfNeeded: logWD))
    WeightedPrediction.forEachVector(block) { samples, y, x in
      let others = WeightedPrediction.words(second, y, x)
      return ((samples &* w0 &+ others &* w1 &+ rounding) &>> shift) &+ o
    }
  }
}

/// The loop behind weighted prediction.
enum WeightedPrediction {
  typealias Window = PlaneWindow<UInt8>

  /// Replaces eight samples at a time (or the row's two or four) by `result`, clipped.
  @inline(__always)
  static func forEachVector(
    _ block: Window, _ result: (_ samples: WordVector, _ row: Int, _ column: Int) -> WordVector
  ) {
    if block.columns >= 8 {
      for y in 0..<block.rows {
        for x in Swift.stride(from: 0, to: block.columns &- 7, by: 8) {
          block.store(SIMD8<UInt8>(clipping: result(block.words(y, x), y, x)), y, x)
        }
      }
    } else if block.columns == 4 {
      for y in 0..<block.rows {
        block.store(SIMD8<UInt8>(clipping: result(words(block, y, 0), y, 0)).lowFour, y, 0)
      }
    } else {
      for y in 0..<block.rows {
        block.store(SIMD8<UInt8>(clipping: result(words(block, y, 0), y, 0)).lowTwo, y, 0)
      }
    }
  }

  /// Eight samples, or as many as the window has columns and zeros.
  @inline(__always)
  static func words(_ window: Window, _ y: Int, _ x: Int) -> WordVector {
    if window.columns >= 8 { return window.words(y, x) }
    let few: SIMD4<UInt8>
    if window.columns == 4 {
      few = window.load(y, 0)
    } else {
      few = SIMD4(lowHalf: window.load(y, 0), highHalf: SIMD2(0, 0))
    }
    return SIMD8(lowHalf: few, highHalf: SIMD4(repeating: 0)).words
  }
}
