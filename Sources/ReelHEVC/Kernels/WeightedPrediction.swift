// From predictions at 14 bits to samples. ISO/IEC 23008-2:2020 §8.5.3.3.4.

import ReelCore

/// Weights of one component. (8-262) to (8-265).
struct Weighting {
  var log2WD: Int32
  var w0, w1, o0, o1: Int32
}

enum WeightedPrediction<S: HEVCSample> {
  typealias Window = PlaneWindow<S>

  /// Default prediction from one list.
  @inline(never)
  static func put(_ block: Window, _ p: borrowing WordBlock, bitDepth: Int) {
    let shift = WordVector(repeating: Int16(truncatingIfNeeded: 14 &- bitDepth))
    let rounding = WordVector(repeating: 1 &<< Int16(truncatingIfNeeded: 13 &- bitDepth))
    let maximum = WordVector(repeating: (1 &<< Int16(truncatingIfNeeded: bitDepth)) &- 1)
    for y in 0..<block.rows {
      var x = 0
      while x < block.columns {
        let a: WordVector = p.values.load(at: y &* p.stride &+ x)
        // Limited first, so that the sum does not wrap; what is changed is clipped anyway.
        let limited = a.lowered(to: WordVector(repeating: 32767) &- rounding)
        write((limited &+ rounding) &>> shift, maximum, block, y, x)
        x &+= 8
      }
    }
  }

  /// Default prediction from both lists.
  @inline(never)
  static func average(
    _ block: Window, _ p0: borrowing WordBlock, _ p1: borrowing WordBlock, bitDepth: Int
  ) {
    let shift = SumVector(repeating: Int32(truncatingIfNeeded: 15 &- bitDepth))
    let rounding = SumVector(repeating: 1 &<< Int32(truncatingIfNeeded: 14 &- bitDepth))
    let maximum = WordVector(repeating: (1 &<< Int16(truncatingIfNeeded: bitDepth)) &- 1)
    for y in 0..<block.rows {
      var x = 0
      while x < block.columns {
        let a: WordVector = p0.values.load(at: y &* p0.stride &+ x)
        let b: WordVector = p1.values.load(at: y &* p1.stride &+ x)
        let sum = (a.sums &+ b.sums &+ rounding) &>> shift
        write(WordVector(saturating: sum), maximum, block, y, x)
        x &+= 8
      }
    }
  }

  /// Explicit weights, one list: `w0`, `o0`.
  @inline(never)
  static func weight(_ block: Window, _ p: borrowing WordBlock, _ w: Weighting, bitDepth: Int) {
    let maximum = WordVector(repeating: (1 &<< Int16(truncatingIfNeeded: bitDepth)) &- 1)
    let shift = SumVector(repeating: w.log2WD)
    let rounding = SumVector(repeating: w.log2WD >= 1 ? 1 &<< (w.log2WD &- 1) : 0)
    for y in 0..<block.rows {
      var x = 0
      while x < block.columns {
        let a: WordVector = p.values.load(at: y &* p.stride &+ x)
        let sum = ((a.sums &* w.w0 &+ rounding) &>> shift) &+ w.o0
        write(WordVector(saturating: sum), maximum, block, y, x)
        x &+= 8
      }
    }
  }

  /// Explicit weights, both lists.
  @inline(never)
  static func weight(
    _ block: Window, _ p0: borrowing WordBlock, _ p1: borrowing WordBlock, _ w: Weighting,
    bitDepth: Int
  ) {
    let maximum = WordVector(repeating: (1 &<< Int16(truncatingIfNeeded: bitDepth)) &- 1)
    let shift = SumVector(repeating: w.log2WD &+ 1)
    let rounding = SumVector(repeating: (w.o0 &+ w.o1 &+ 1) &<< w.log2WD)
    for y in 0..<block.rows {
      var x = 0
      while x < block.columns {
        let a: WordVector = p0.values.load(at: y &* p0.stride &+ x)
        let b: WordVector = p1.values.load(at: y &* p1.stride &+ x)
        let sum = (a.sums &* w.w0 &+ b.sums &* w.w1 &+ rounding) &>> shift
        write(WordVector(saturating: sum), maximum, block, y, x)
        x &+= 8
      }
    }
  }

  /// Writes eight clipped samples, or as many as the block's row still has.
  @inline(always)
  private static func write(
    _ words: WordVector, _ maximum: WordVector, _ block: Window, _ y: Int, _ x: Int
  ) {
    if x &+ 8 <= block.columns {
      S.store(words, maximum: maximum, block, y, x)
    } else {
      for i in 0..<block.columns &- x {
        block[y, x &+ i] = S(
          truncatingIfNeeded: min(max(words[i & 7], 0), maximum[0]))
      }
    }
  }
}
