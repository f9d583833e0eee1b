// Luma samples at quarter positions for 8-bit video, eight lanes at a time.
// ISO/IEC 14496-10:2020 §8.4.2.2.1.
//
// Sums of six taps lie in −2550…10710 and fit 16 bits. A window handed to a kernel starts at the
// first sample its taps need; kernels for 4 columns compute eight and store four, for which four
// more columns of any content must be readable.

import ReelCore

extension UInt8 {
  static func predictLuma(
    _ dst: PlaneView<UInt8>, at: Int, stride: Int, from reference: PlaneView<UInt8>, x: Int, y: Int,
    width: Int, height: Int, maximum: Int32
  ) {
    precondition(width == 4 || width == 8 || width == 16)
    precondition(height >= 1 && height <= 16)
    let block = dst.window(at: at, stride: stride, columns: width, rows: height)
    let xFraction = x & 3
    let yFraction = y & 3
    // Only taps that are used may make a block leave the picture.
    let columnsBefore = xFraction == 0 ? 0 : 2
    let rowsBefore = yFraction == 0 ? 0 : 2
    let columns = xFraction == 0 ? width : width &+ 5
    if columnsBefore | rowsBefore == 0 {
      CopyKernel.copy(block, reference, x: x >> 2, y: y >> 2)
      return
    }
    ReferenceFetch.withWindow(
      reference, x: (x >> 2) &- columnsBefore, y: (y >> 2) &- rowsBefore, columns: columns,
      rows: yFraction == 0 ? height : height &+ 5,
      readable: xFraction == 0 ? Swift.max(width, 8) : LumaInterpolation.readable(width)
    ) { source in
      LumaInterpolation.interpolate(block, source, xFraction, yFraction)
    }
  }
}

/// The kernels behind ``UInt8/predictLuma``.
enum LumaInterpolation {
  typealias Window = PlaneWindow<UInt8>

  /// Columns that kernels with horizontal taps read: whole vectors from the first to the last tap.
  @inline(always)
  static func readable(_ width: Int) -> Int { width == 16 ? 24 : 16 }

  @inline(never)
  static func interpolate(_ block: Window, _ source: Window, _ xFraction: Int, _ yFraction: Int) {
    switch (yFraction &<< 2) | xFraction {
    case 2: across(block, source)
    case 1, 3: acrossMean(block, source, nearest: 2 &+ (xFraction >> 1))
    case 8: down(block, source)
    case 4, 12: downMean(block, source, nearest: 2 &+ (yFraction >> 1))
    case 10: centre(block, source)
    case 6: centreUpperMean(block, source)
    case 14: centreLowerMean(block, source)
    case 9, 11: centreColumnMean(block, source, nearest: 2 &+ (xFraction >> 1))
    default:
      diagonal(block, source, row: 2 &+ (yFraction >> 1), column: 2 &+ (xFraction >> 1))
    }
  }

  /// E − 5F + 20G + 20H − 5I + J.
  @inline(always)
  static func sixTap(
    _ e: WordVector, _ f: WordVector, _ g: WordVector, _ h: WordVector, _ i: WordVector,
    _ j: WordVector
  )
    -> WordVector
  {
    (e &+ j) &+ 5 &* (((g &+ h) &<< 2) &- (f &+ i))
  }

  /// The six-tap sum of `row` for the half samples right of the samples two columns after `column`.
  @inline(always)
  static func sumAcross(_ s: Window, _ row: Int, _ column: Int) -> WordVector {
    sixTap(
      s.words(row, column), s.words(row, column &+ 1), s.words(row, column &+ 2),
      s.words(row, column &+ 3), s.words(row, column &+ 4), s.words(row, column &+ 5))
  }

  /// The half sample of a sum, not yet clipped.
  @inline(always)
  static func half(_ sum: WordVector) -> WordVector { (sum &+ 16) &>> 5 }

  /// (E − 5F + 20G + 20H − 5I + J + 512) >> 10 of six-tap sums, not yet clipped.
  ///
  /// With a = E + J, b = F + I, c = G + H the sum is 16 · ((((a − b) / 4 − b + c) / 4) + c), and
  /// shifts round down at each division just as one shift at the end does. The inner sum is limited
  /// to what 16 bits hold; where that changes it, c is so large or small that the result is clipped
  /// to the same value.
  @inline(always)
  static func centre(
    _ e: WordVector, _ f: WordVector, _ g: WordVector, _ h: WordVector, _ i: WordVector,
    _ j: WordVector
  ) -> WordVector {
    let b = f &+ i
    let c = g &+ h
    let quarter = (e &+ j &- b) &>> 2  // −6630…6630
    let limit = WordVector(repeating: 26_137)  // 32767 − 6630
    let rest = (c &- b).lowered(to: limit).raised(to: 0 &- limit)
    return (((quarter &+ rest) &>> 2) &+ c &+ 32) &>> 6
  }

  /// Writes eight clipped samples, or the first four where the block has no more.
  @inline(always)
  static func store(_ words: WordVector, _ block: Window, _ row: Int, _ column: Int) {
    store(SIMD8<UInt8>(clipping: words), block, row, column)
  }

  @inline(always)
  static func store(_ samples: SIMD8<UInt8>, _ block: Window, _ row: Int, _ column: Int) {
    if block.columns == 4 {
      block.store(samples.lowFour, row, column)
    } else {
      block.store(samples, row, column)
    }
  }

  /// The first five of six values down a column, which move on by one row at a time.
  struct ColumnTaps {
    var e, f, g, h, i: WordVector

    @inline(always)
    init(_ e: WordVector, _ f: WordVector, _ g: WordVector, _ h: WordVector, _ i: WordVector) {
      (self.e, self.f, self.g, self.h, self.i) = (e, f, g, h, i)
    }

    /// Samples of rows 0…4.
    @inline(always)
    init(_ s: Window, _ column: Int) {
      self.init(
        s.words(0, column), s.words(1, column), s.words(2, column), s.words(3, column),
        s.words(4, column))
    }

    /// Horizontal sums of rows 0…4.
    @inline(always)
    init(sumsOf s: Window, _ column: Int) {
      self.init(
        sumAcross(s, 0, column), sumAcross(s, 1, column), sumAcross(s, 2, column),
        sumAcross(s, 3, column), sumAcross(s, 4, column))
    }

    @inline(always)
    func sum(_ j: WordVector) -> WordVector { LumaInterpolation.sixTap(e, f, g, h, i, j) }

    @inline(always)
    func centre(_ j: WordVector) -> WordVector { LumaInterpolation.centre(e, f, g, h, i, j) }

    @inline(always)
    mutating func advance(_ j: WordVector) { (e, f, g, h, i) = (f, g, h, i, j) }
  }
}

// Horizontal and vertical positions. Each kernel has one loop, written out: with closures or copies
// of it for each width the compiler stops inlining.
extension LumaInterpolation {
  /// b.
  @inline(never)
  static func across(_ block: Window, _ s: Window) {
    var column = 0
    while column < block.columns {
      for y in 0..<block.rows { store(half(sumAcross(s, y, column)), block, y, column) }
      column &+= 8
    }
  }

  /// a and c: b averaged with the sample at column `nearest`.
  @inline(never)
  static func acrossMean(_ block: Window, _ s: Window, nearest: Int) {
    var column = 0
    while column < block.columns {
      for y in 0..<block.rows {
        let b = SIMD8<UInt8>(clipping: half(sumAcross(s, y, column)))
        store(b.mean(s.load(y, column &+ nearest)), block, y, column)
      }
      column &+= 8
    }
  }

  /// h.
  @inline(never)
  static func down(_ block: Window, _ s: Window) {
    var column = 0
    while column < block.columns {
      var taps = ColumnTaps(s, column)
      for y in 0..<block.rows {
        let j = s.words(y &+ 5, column)
        store(half(taps.sum(j)), block, y, column)
        taps.advance(j)
      }
      column &+= 8
    }
  }

  /// d and n: h averaged with the sample at row `nearest`.
  @inline(never)
  static func downMean(_ block: Window, _ s: Window, nearest: Int) {
    var column = 0
    while column < block.columns {
      var taps = ColumnTaps(s, column)
      for y in 0..<block.rows {
        let j = s.words(y &+ 5, column)
        let h = SIMD8<UInt8>(clipping: half(taps.sum(j)))
        store(h.mean(s.load(y &+ nearest, column)), block, y, column)
        taps.advance(j)
      }
      column &+= 8
    }
  }

  /// e, g, p, r: the half sample across of row `row` averaged with that down of column `column`.
  @inline(never)
  static func diagonal(_ block: Window, _ s: Window, row: Int, column: Int) {
    var first = 0
    while first < block.columns {
      var taps = ColumnTaps(s, first &+ column)
      for y in 0..<block.rows {
        let j = s.words(y &+ 5, first &+ column)
        let h = SIMD8<UInt8>(clipping: half(taps.sum(j)))
        let b = SIMD8<UInt8>(clipping: half(sumAcross(s, y &+ row, first)))
        store(b.mean(h), block, y, first)
        taps.advance(j)
      }
      first &+= 8
    }
  }
}

// Positions that need the centre half sample.
extension LumaInterpolation {
  /// j.
  @inline(never)
  static func centre(_ block: Window, _ s: Window) {
    var column = 0
    while column < block.columns {
      var taps = ColumnTaps(sumsOf: s, column)
      for y in 0..<block.rows {
        let j = sumAcross(s, y &+ 5, column)
        store(taps.centre(j), block, y, column)
        taps.advance(j)
      }
      column &+= 8
    }
  }

  /// f: j averaged with b.
  @inline(never)
  static func centreUpperMean(_ block: Window, _ s: Window) {
    var column = 0
    while column < block.columns {
      var taps = ColumnTaps(sumsOf: s, column)
      for y in 0..<block.rows {
        let j = sumAcross(s, y &+ 5, column)
        let b = SIMD8<UInt8>(clipping: half(taps.g))
        store(b.mean(SIMD8<UInt8>(clipping: taps.centre(j))), block, y, column)
        taps.advance(j)
      }
      column &+= 8
    }
  }

  /// q: j averaged with s.
  @inline(never)
  static func centreLowerMean(_ block: Window, _ s: Window) {
    var column = 0
    while column < block.columns {
      var taps = ColumnTaps(sumsOf: s, column)
      for y in 0..<block.rows {
        let j = sumAcross(s, y &+ 5, column)
        let below = SIMD8<UInt8>(clipping: half(taps.h))
        store(below.mean(SIMD8<UInt8>(clipping: taps.centre(j))), block, y, column)
        taps.advance(j)
      }
      column &+= 8
    }
  }

  /// i and k: j averaged with h or, for `nearest` 3, m.
  ///
  /// The vertical sums come first here, so that h and m are among them.
  @inline(never)
  static func centreColumnMean(_ block: Window, _ s: Window, nearest: Int) {
    PlaneWindow<Int16>.withTemporary(columns: 24, rows: 16) { sums in
      sumDown(s, sums, columns: block.columns &+ 5, rows: block.rows)
      centreColumnMean(block, sums, nearest: nearest)
    }
  }

  /// The vertical six-tap sums of `columns`, rounded up to whole vectors.
  @inline(never)
  private static func sumDown(
    _ s: Window, _ sums: PlaneWindow<Int16>, columns: Int, rows: Int
  ) {
    var column = 0
    while column < columns {
      var taps = ColumnTaps(s, column)
      for y in 0..<rows {
        let j = s.words(y &+ 5, column)
        sums.store(taps.sum(j), y, column)
        taps.advance(j)
      }
      column &+= 8
    }
  }

  @inline(never)
  private static func centreColumnMean(
    _ block: Window, _ sums: PlaneWindow<Int16>, nearest: Int
  ) {
    var column = 0
    while column < block.columns {
      for y in 0..<block.rows {
        let j = centre(
          sums.load(y, column), sums.load(y, column &+ 1), sums.load(y, column &+ 2),
          sums.load(y, column &+ 3), sums.load(y, column &+ 4), sums.load(y, column &+ 5))
        let h = SIMD8<UInt8>(clipping: half(sums.load(y, column &+ nearest)))
        store(h.mean(SIMD8<UInt8>(clipping: j)), block, y, column)
      }
      column &+= 8
    }
  }
}

/// Whole-sample displacement.
enum CopyKernel {
  /// Copies the samples at column `x`, row `y` of the reference to the block.
  @inline(always)
  static func copy(_ block: PlaneWindow<UInt8>, _ reference: PlaneView<UInt8>, x: Int, y: Int) {
    let (columns, rows) = (block.columns, block.rows)
    if x >= 0 && y >= 0 && x <= reference.width &- columns && y <= reference.height &- rows {
      copy(
        block,
        reference.window(
          at: y &* reference.stride &+ x, stride: reference.stride, columns: columns, rows: rows))
    } else {
      copyClamped(block, reference, x: x, y: y)
    }
  }

  @inline(never)
  private static func copyClamped(
    _ block: PlaneWindow<UInt8>, _ reference: PlaneView<UInt8>, x: Int, y: Int
  ) {
    ReferenceFetch.withWindow(
      reference, x: x, y: y, columns: block.columns, rows: block.rows, readable: block.columns
    ) { source in
      copy(block, source.part(columns: block.columns, rows: block.rows))
    }
  }

  @inline(always)
  private static func copy(_ block: PlaneWindow<UInt8>, _ source: PlaneWindow<UInt8>) {
    switch block.columns {
    case 16:
      for y in 0..<block.rows { block.store(source.load(y, 0, as: SIMD16<UInt8>.self), y, 0) }
    case 8:
      for y in 0..<block.rows { block.store(source.load(y, 0, as: SIMD8<UInt8>.self), y, 0) }
    case 4:
      for y in 0..<block.rows { block.store(source.load(y, 0, as: SIMD4<UInt8>.self), y, 0) }
    default:
      for y in 0..<block.rows { block.store(source.load(y, 0, as: SIMD2<UInt8>.self), y, 0) }
    }
  }
}
