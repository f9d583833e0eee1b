// Chroma samples at eighth positions. ISO/IEC 14496-10:2020 §8.4.2.2.2.

import ReelCore

extension PlainKernels {
  static func predictChroma(
    _ dst: PlaneView<S>, at: Int, stride: Int, from reference: PlaneView<S>, x: Int, y: Int,
    xFraction: Int, yFraction: Int, width: Int, height: Int
  ) {
    let block = dst.window(at: at, stride: stride, columns: width, rows: height)
    let right = Int32(truncatingIfNeeded: xFraction)
    let lower = Int32(truncatingIfNeeded: yFraction)
    ReferenceFetch.withWindow(
      reference, x: x, y: y, columns: width &+ 1, rows: height &+ 1, readable: width &+ 1
    ) { s in
      for y in 0..<height {
        for x in 0..<width {
          let above = (8 &- right) &* Int32(s[y, x]) &+ right &* Int32(s[y, x &+ 1])
          let below = (8 &- right) &* Int32(s[y &+ 1, x]) &+ right &* Int32(s[y &+ 1, x &+ 1])
          let sum = (8 &- lower) &* above &+ lower &* below
          block[y, x] = S(truncatingIfNeeded: (sum &+ 32) >> 6)
        }
      }
    }
  }
}
