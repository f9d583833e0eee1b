// Fractional sample interpolation. ISO/IEC 23008-2:2020 §8.5.3.3.3.

import ReelCore

/// Filter coefficients. Tables 8-11 and 8-12.
enum InterpolationTables {
  /// fL at xFrac · 8.
  static let luma: InlineArray<32, Int16> = [
    0, 0, 0, 64, 0, 0, 0, 0, -1, 4, -10, 58, 17, -5, 1, 0,
    -1, 4, -11, 40, 40, -11, 4, -1, 0, 1, -5, 17, 58, -10, 4, -1,
  ]
  /// fC at xFrac · 4.
  static let chroma: InlineArray<32, Int16> = [
    0, 64, 0, 0, -2, 58, 10, -2, -4, 54, 16, -2, -6, 46, 28, -4,
    -4, 36, 36, -4, -4, 28, 46, -6, -2, 16, 54, -4, -2, 10, 58, -2,
  ]
}

/// Predictions at 14 bits. A source window starts at the first sample that the taps need; all of it
/// up to eight columns behind the last output may be read.
enum Interpolation<S: HEVCSample> {
  /// Columns that are read for `width` outputs of a filter with `taps`.
  @inline(always)
  static func readable(_ width: Int, taps: Int) -> Int { (width &+ 7) & ~7 &+ taps }

  /// Whole samples: `shift` is 14 − bitDepth.
  @inline(never)
  static func copy(
    _ output: borrowing WordBlock, _ source: PlaneWindow<S>, width: Int, height: Int, shift: Int
  ) {
    let shift = WordVector(repeating: Int16(truncatingIfNeeded: shift))
    for y in 0..<height {
      var x = 0
      while x < width {
        let words = S.words(source, y, x) &<< shift
        output.values.store(words, at: y &* output.stride &+ x)
        x &+= 8
      }
    }
  }

  /// Eight taps across. `shift` is bitDepth − 8.
  @inline(never)
  static func lumaAcross(
    _ output: borrowing WordBlock, _ source: PlaneWindow<S>, fraction: Int, width: Int,
    height: Int, shift: Int
  ) {
    let c = Taps8(fraction)
    let down = SumVector(repeating: Int32(truncatingIfNeeded: shift))
    for y in 0..<height {
      var x = 0
      while x < width {
        let result = c.apply(
          S.self, S.words(source, y, x), S.words(source, y, x &+ 1), S.words(source, y, x &+ 2),
          S.words(source, y, x &+ 3), S.words(source, y, x &+ 4), S.words(source, y, x &+ 5),
          S.words(source, y, x &+ 6), S.words(source, y, x &+ 7), down)
        output.values.store(result, at: y &* output.stride &+ x)
        x &+= 8
      }
    }
  }

  /// Eight taps down.
  @inline(never)
  static func lumaDown(
    _ output: borrowing WordBlock, _ source: PlaneWindow<S>, fraction: Int, width: Int,
    height: Int, shift: Int
  ) {
    let c = Taps8(fraction)
    let down = SumVector(repeating: Int32(truncatingIfNeeded: shift))
    var x = 0
    while x < width {
      var (r0, r1, r2) = (S.words(source, 0, x), S.words(source, 1, x), S.words(source, 2, x))
      var (r3, r4, r5) = (S.words(source, 3, x), S.words(source, 4, x), S.words(source, 5, x))
      var r6 = S.words(source, 6, x)
      for y in 0..<height {
        let r7 = S.words(source, y &+ 7, x)
        let result = c.apply(S.self, r0, r1, r2, r3, r4, r5, r6, r7, down)
        output.values.store(result, at: y &* output.stride &+ x)
        (r0, r1, r2, r3, r4, r5, r6) = (r1, r2, r3, r4, r5, r6, r7)
      }
      x &+= 8
    }
  }

  /// Four taps across.
  @inline(never)
  static func chromaAcross(
    _ output: borrowing WordBlock, _ source: PlaneWindow<S>, fraction: Int, width: Int,
    height: Int, shift: Int
  ) {
    let c = Taps4(fraction)
    let down = SumVector(repeating: Int32(truncatingIfNeeded: shift))
    for y in 0..<height {
      var x = 0
      while x < width {
        let result = c.apply(
          S.self, S.words(source, y, x), S.words(source, y, x &+ 1), S.words(source, y, x &+ 2),
          S.words(source, y, x &+ 3), down)
        output.values.store(result, at: y &* output.stride &+ x)
        x &+= 8
      }
    }
  }

  /// Four taps down.
  @inline(never)
  static func chromaDown(
    _ output: borrowing WordBlock, _ source: PlaneWindow<S>, fraction: Int, width: Int,
    height: Int, shift: Int
  ) {
    let c = Taps4(fraction)
    let down = SumVector(repeating: Int32(truncatingIfNeeded: shift))
    var x = 0
    while x < width {
      var (r0, r1, r2) = (S.words(source, 0, x), S.words(source, 1, x), S.words(source, 2, x))
      for y in 0..<height {
        let r3 = S.words(source, y &+ 3, x)
        output.values.store(c.apply(S.self, r0, r1, r2, r3, down), at: y &* output.stride &+ x)
        (r0, r1, r2) = (r1, r2, r3)
      }
      x &+= 8
    }
  }

  /// Eight taps down over sums of rows, which have 14 bits: shift2 is 6.
  @inline(never)
  static func lumaDown(
    _ output: borrowing WordBlock, sums: borrowing WordBlock, fraction: Int, width: Int, height: Int
  ) {
    let c = Taps8(fraction)
    let down = SumVector(repeating: 6)
    let stride = sums.stride
    var x = 0
    while x < width {
      var at = x
      for y in 0..<height {
        let result = c.applyWide(
          sums.values.load(at: at), sums.values.load(at: at &+ stride),
          sums.values.load(at: at &+ 2 &* stride), sums.values.load(at: at &+ 3 &* stride),
          sums.values.load(at: at &+ 4 &* stride), sums.values.load(at: at &+ 5 &* stride),
          sums.values.load(at: at &+ 6 &* stride), sums.values.load(at: at &+ 7 &* stride), down)
        output.values.store(result, at: y &* output.stride &+ x)
        at &+= stride
      }
      x &+= 8
    }
  }

  /// Four taps down over sums of rows.
  @inline(never)
  static func chromaDown(
    _ output: borrowing WordBlock, sums: borrowing WordBlock, fraction: Int, width: Int, height: Int
  ) {
    let c = Taps4(fraction)
    let down = SumVector(repeating: 6)
    let stride = sums.stride
    var x = 0
    while x < width {
      var at = x
      for y in 0..<height {
        let result = c.applyWide(
          sums.values.load(at: at), sums.values.load(at: at &+ stride),
          sums.values.load(at: at &+ 2 &* stride), sums.values.load(at: at &+ 3 &* stride), down)
        output.values.store(result, at: y &* output.stride &+ x)
        at &+= stride
      }
      x &+= 8
    }
  }
}

/// An eight-tap filter with its coefficients in every lane.
struct Taps8 {
  let c0, c1, c2, c3, c4, c5, c6, c7: Int16

  @inline(always)
  init(_ fraction: Int) {
    let at = (fraction & 3) &* 8
    (c0, c1) = (InterpolationTables.luma[at], InterpolationTables.luma[at &+ 1])
    (c2, c3) = (InterpolationTables.luma[at &+ 2], InterpolationTables.luma[at &+ 3])
    (c4, c5) = (InterpolationTables.luma[at &+ 4], InterpolationTables.luma[at &+ 5])
    (c6, c7) = (InterpolationTables.luma[at &+ 6], InterpolationTables.luma[at &+ 7])
  }

  @inline(always)
  func apply<S: HEVCSample>(
    _: S.Type, _ r0: WordVector, _ r1: WordVector, _ r2: WordVector, _ r3: WordVector,
    _ r4: WordVector, _ r5: WordVector, _ r6: WordVector, _ r7: WordVector, _ down: SumVector
  ) -> WordVector {
    // 8-bit samples: the sums fit, and the shift is 0.
    if S.sumsFitWords {
      let low = r0 &* c0 &+ r1 &* c1 &+ (r2 &* c2 &+ r3 &* c3)
      let high = r4 &* c4 &+ r5 &* c5 &+ (r6 &* c6 &+ r7 &* c7)
      return low &+ high
    }
    return applyWide(r0, r1, r2, r3, r4, r5, r6, r7, down)
  }

  @inline(always)
  func applyWide(
    _ r0: WordVector, _ r1: WordVector, _ r2: WordVector, _ r3: WordVector, _ r4: WordVector,
    _ r5: WordVector, _ r6: WordVector, _ r7: WordVector, _ down: SumVector
  ) -> WordVector {
    let low = r0.sums &* Int32(c0) &+ r1.sums &* Int32(c1)
    let middle = r2.sums &* Int32(c2) &+ r3.sums &* Int32(c3)
    let next = r4.sums &* Int32(c4) &+ r5.sums &* Int32(c5)
    let high = r6.sums &* Int32(c6) &+ r7.sums &* Int32(c7)
    return WordVector(saturating: (low &+ middle &+ (next &+ high)) &>> down)
  }
}

/// A four-tap filter with its coefficients in every lane.
struct Taps4 {
  let c0, c1, c2, c3: Int16

  @inline(always)
  init(_ fraction: Int) {
    let at = (fraction & 7) &* 4
    (c0, c1) = (InterpolationTables.chroma[at], InterpolationTables.chroma[at &+ 1])
    (c2, c3) = (InterpolationTables.chroma[at &+ 2], InterpolationTables.chroma[at &+ 3])
  }

  @inline(always)
  func apply<S: HEVCSample>(
    _: S.Type, _ r0: WordVector, _ r1: WordVector, _ r2: WordVector, _ r3: WordVector,
    _ down: SumVector
  ) -> WordVector {
    if S.sumsFitWords { return r0 &* c0 &+ r1 &* c1 &+ (r2 &* c2 &+ r3 &* c3) }
    return applyWide(r0, r1, r2, r3, down)
  }

  @inline(always)
  func applyWide(
    _ r0: WordVector, _ r1: WordVector, _ r2: WordVector, _ r3: WordVector, _ down: SumVector
  ) -> WordVector {
    let low = r0.sums &* Int32(c0) &+ r1.sums &* Int32(c1)
    let high = r2.sums &* Int32(c2) &+ r3.sums &* Int32(c3)
    return WordVector(saturating: (low &+ high) &>> down)
  }
}
