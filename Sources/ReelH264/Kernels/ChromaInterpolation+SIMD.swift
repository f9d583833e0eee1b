// Chroma samples at eighth positions for 8-bit video, eight lanes at a time.
// ISO/IEC 14496-10:2020 §8.4.2.2.2.

import ReelCore

extension UInt8 {
  static func predictChroma(
    _ dst: PlaneView<UInt8>, at: Int, stride: Int, from reference: PlaneView<UInt8>, x: Int, y: Int,
    xFraction: Int, yFraction: Int, width: Int, height: Int
  ) {
    precondition(width == 2 || width == 4 || width == 8)
    precondition(height >= 1 && height <= 16)
    let block = dst.window(at: at, stride: stride, columns: width, rows: height)
    let right = xFraction & 7
    let lower = yFraction & 7
    if right | lower == 0 {
      CopyKernel.copy(block, reference, x: x, y: y)
      return
    }
    ReferenceFetch.withWindow(
      reference, x: x, y: y, columns: right == 0 ? width : width &+ 1,
      rows: lower == 0 ? height : height &+ 1, readable: 9
    ) { source in
      ChromaInterpolation.interpolate(block, source, right, lower)
    }
  }
}

/// The kernels behind ``UInt8/predictChroma``: all compute eight columns and store the block's.
enum ChromaInterpolation {
  typealias Window = PlaneWindow<UInt8>

  @inline(never)
  static func interpolate(_ block: Window, _ source: Window, _ right: Int, _ lower: Int) {
    switch (right, lower) {
    case (_, 0): across(block, source, WordVector(repeating: Int16(truncatingIfNeeded: right)))
    case (0, _): down(block, source, WordVector(repeating: Int16(truncatingIfNeeded: lower)))
    default:
      both(
        block, source, WordVector(repeating: Int16(truncatingIfNeeded: right)),
        WordVector(repeating: Int16(truncatingIfNeeded: lower)))
    }
  }

  /// (8 − f) · a + f · b.
  @inline(always)
  private static func mixed(_ a: WordVector, _ b: WordVector, _ fraction: WordVector) -> WordVector
  {
    (a &<< 3) &+ (b &- a) &* fraction
  }

  @inline(always)
  private static func store(_ words: WordVector, _ block: Window, _ row: Int) {
    let samples = SIMD8<UInt8>(clipping: words)
    switch block.columns {
    case 8: block.store(samples, row, 0)
    case 4: block.store(samples.lowFour, row, 0)
    default: block.store(samples.lowTwo, row, 0)
    }
  }

  /// With one fraction 0 the other's weights are 8 · (8 − f) and 8 · f: three bits less to shift.
  private static func across(_ block: Window, _ s: Window, _ fraction: WordVector) {
    for y in 0..<block.rows {
      store((mixed(s.words(y, 0), s.words(y, 1), fraction) &+ 4) &>> 3, block, y)
    }
  }

  private static func down(_ block: Window, _ s: Window, _ fraction: WordVector) {
    var above = s.words(0, 0)
    for y in 0..<block.rows {
      let below = s.words(y &+ 1, 0)
      store((mixed(above, below, fraction) &+ 4) &>> 3, block, y)
      above = below
    }
  }

  private static func both(_ block: Window, _ s: Window, _ right: WordVector, _ lower: WordVector) {
    var above = mixed(s.words(0, 0), s.words(0, 1), right)
    for y in 0..<block.rows {
      let below = mixed(s.words(y &+ 1, 0), s.words(y &+ 1, 1), right)
      store((mixed(above, below, lower) &+ 32) &>> 6, block, y)
      above = below
    }
  }
}
