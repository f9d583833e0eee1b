// Averages and weighted sums of predictions. ISO/IEC 14496-10:2020 §8.4.2.3.

import ReelCore

extension PlainKernels {
  static func averageBlock(
    _ dst: PlaneView<S>, at: Int, stride: Int, with other: PlaneView<S>, otherAt: Int,
    otherStride: Int, width: Int, height: Int
  ) {
    let block = dst.window(at: at, stride: stride, columns: width, rows: height)
    let second = other.window(at: otherAt, stride: otherStride, columns: width, rows: height)
    for y in 0..<height {
      for x in 0..<width {
        let sum = UInt32(block[y, x]) &+ UInt32(second[y, x]) &+ 1
        block[y, x] = S(truncatingIfNeeded: sum >> 1)
      }
    }
  }

  static func weightBlock(
    _ dst: PlaneView<S>, at: Int, stride: Int, width: Int, height: Int, logWD: Int, weight: Int,
    offset: Int, maximum: Int32
  ) {
    let block = dst.window(at: at, stride: stride, columns: width, rows: height)
    let w = Int32(truncatingIfNeeded: weight)
    let o = Int32(truncatingIfNeeded: offset)
    let shift = Int32(truncatingIfNeeded: logWD)
    let rounding: Int32 = logWD >= 1 ? 1 &<< (shift &- 1) : 0
    for y in 0..<height {
      for x in 0..<width {
        let scaled = (Int32(block[y, x]) &* w &+ rounding) &>> shift
        block[y, x] = clip(scaled &+ o, maximum)
      }
    }
  }

  static func weightBlocks(
    _ dst: PlaneView<S>, at: Int, stride: Int, with other: PlaneView<S>, otherAt: Int,
    otherStride: Int, width: Int, height: Int, logWD: Int, weight0: Int, weight1: Int, offset: Int,
    maximum: Int32
  ) {
    let block = dst.window(at: at, stride: stride, columns: width, rows: height)
    let second = other.window(at: otherAt, stride: otherStride, columns: width, rows: height)
    let w0 = Int32(truncatingIfNeeded: weight0)
    let w1 = Int32(truncatingIfNeeded: weight1)
    let o = Int32(truncatingIfNeeded: offset)
    let shift = Int32(truncatingIfNeeded: logWD)
    for y in 0..<height {
      for x in 0..<width {
        let sum = Int32(block[y, x]) &* w0 &+ Int32(second[y, x]) &* w1 &+ (1 &<< shift)
        block[y, x] = clip((sum &>> (shift &+ 1)) &+ o, maximum)
      }
    }
  }
}
