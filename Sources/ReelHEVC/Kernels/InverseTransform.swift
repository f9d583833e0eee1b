// Inverse transforms of residual blocks. ISO/IEC 23008-2:2020 §8.6.4.2.

import ReelCore

enum TransformTables {
  /// transMatrix of 32×32 in rows of 32: the matrix of a smaller size has every (32/size)th row.
  static let dct: [Int16] = {
    var matrix = [Int16](repeating: 64, count: 1024)
    for k in 1..<32 {
      for n in 0..<32 { matrix[k * 32 + n] = cosine(k * (2 * n + 1)) }
    }
    return matrix
  }()

  /// The entry for the angle π · `m` / 64, by the symmetries of the cosine.
  private static func cosine(_ m: Int) -> Int16 {
    var m = m % 128
    if m > 64 { m = 128 - m }
    return m > 32 ? -firstColumn[64 - m] : firstColumn[m]
  }

  /// The first column of transMatrix, (8-300) to (8-303); the last entry is never used.
  static let firstColumn: [Int16] = [
    64, 90, 90, 90, 89, 88, 87, 85, 83, 82, 80, 78, 75, 73, 70, 67,
    64, 61, 57, 54, 50, 46, 43, 38, 36, 31, 25, 22, 18, 13, 9, 4, 0,
  ]

  /// The matrix of the 4×4 DST, (8-296), in rows of 4.
  static let dst: [Int16] = [29, 55, 74, 84, 74, 74, 0, -74, 84, -29, -74, 55, 55, -84, 74, -29]
}

/// Transforms a block of scaled coefficients to a residual of the same layout: rows of `size`.
enum InverseTransform {

  /// The inverse DCT of size 8, 16 or 32, coefficients outside of the upper left `columns` × `rows`
  /// being 0. `scratch` has room for a block.
  @inline(never)
  static func dct(
    _ source: borrowing CheckedBuffer<Int16>, _ residual: borrowing CheckedBuffer<Int16>,
    scratch: borrowing CheckedBuffer<Int16>, matrix: borrowing CheckedBuffer<Int16>,
    log2Size: Int, columns: Int, rows: Int, bitDepth: Int
  ) {
    let size = 1 &<< log2Size
    let step = 32 &>> log2Size &* 32
    // Columns first: shift 7. Only groups of columns with coefficients.
    var x = 0
    while x < columns {
      for j in 0..<size {
        var sum = SumVector(repeating: 64)
        for k in 0..<rows {
          let row: WordVector = source.load(at: k &<< log2Size &+ x)
          sum &+= row.sums &* Int32(matrix[k &* step &+ j])
        }
        scratch.store(WordVector(saturating: sum &>> 7), at: j &<< log2Size &+ x)
      }
      x &+= 8
    }
    let shift = SumVector(repeating: Int32(truncatingIfNeeded: 20 &- bitDepth))
    let rounding = SumVector(repeating: 1 &<< Int32(truncatingIfNeeded: 19 &- bitDepth))
    for y in 0..<size {
      x = 0
      while x < size {
        var sum = rounding
        for k in 0..<columns {
          let row: WordVector = matrix.load(at: k &* step &+ x)
          sum &+= row.sums &* Int32(scratch[y &<< log2Size &+ k])
        }
        residual.store(WordVector(saturating: sum &>> shift), at: y &<< log2Size &+ x)
        x &+= 8
      }
    }
  }

  /// The inverse 4×4 DCT or DST; `matrix` has rows of `step`.
  @inline(never)
  static func transform4x4(
    _ source: borrowing CheckedBuffer<Int16>, _ residual: borrowing CheckedBuffer<Int16>,
    matrix: borrowing CheckedBuffer<Int16>, step: Int, bitDepth: Int
  ) {
    typealias Row = SIMD4<Int32>
    @inline(always)
    func load(_ buffer: borrowing CheckedBuffer<Int16>, _ at: Int) -> Row {
      let words: SIMD4<Int16> = buffer.load(at: at)
      return Row(Int32(words[0]), Int32(words[1]), Int32(words[2]), Int32(words[3]))
    }
    let rows = (load(source, 0), load(source, 4), load(source, 8), load(source, 12))
    let bases = (
      load(matrix, 0), load(matrix, step), load(matrix, 2 &* step), load(matrix, 3 &* step)
    )
    let shift = Row(repeating: Int32(truncatingIfNeeded: 20 &- bitDepth))
    let rounding = Row(repeating: 1 &<< Int32(truncatingIfNeeded: 19 &- bitDepth))
    for y in 0..<4 {
      var t =
        rows.0 &* bases.0[y] &+ rows.1 &* bases.1[y] &+ rows.2 &* bases.2[y]
        &+ rows.3 &* bases.3[y]
      t = (t &+ 64) &>> 7
      t = t.clamped(
        lowerBound: Row(repeating: -32768), upperBound: Row(repeating: 32767))
      let sum =
        bases.0 &* t[0] &+ bases.1 &* t[1] &+ bases.2 &* t[2] &+ bases.3 &* t[3] &+ rounding
      let result = (sum &>> shift).clamped(
        lowerBound: Row(repeating: -32768), upperBound: Row(repeating: 32767))
      residual.store(SIMD4<Int16>(truncatingIfNeeded: result), at: y &* 4)
    }
  }

  /// The residual of a block with coefficient 0 alone: one value everywhere.
  @inline(always)
  static func dcValue(_ coefficient: Int16, bitDepth: Int) -> Int16 {
    let first = (64 &* Int32(coefficient) &+ 64) &>> 7
    let shift = Int32(truncatingIfNeeded: 20 &- bitDepth)
    return Int16(truncatingIfNeeded: (64 &* first &+ 1 &<< (shift &- 1)) &>> shift)
  }

  /// Adds a residual in rows of `size` to the samples of a block.
  @inline(never)
  static func add<S: HEVCSample>(
    _ residual: borrowing CheckedBuffer<Int16>, _ block: PlaneWindow<S>, size: Int, bitDepth: Int
  ) {
    let maximum = WordVector(repeating: (1 &<< Int16(truncatingIfNeeded: bitDepth)) &- 1)
    let most = WordVector(repeating: 16384)
    if size == 4 {
      for y in 0..<4 {
        for x in 0..<4 {
          let sum = Int32(block[y, x]) &+ Int32(residual[y &* 4 &+ x])
          block[y, x] = S(truncatingIfNeeded: min(max(sum, 0), Int32(maximum[0])))
        }
      }
      return
    }
    for y in 0..<size {
      var x = 0
      while x < size {
        let r: WordVector = residual.load(at: y &* size &+ x)
        S.store(
          S.words(block, y, x) &+ r.lowered(to: most), maximum: maximum, block, y, x)
        x &+= 8
      }
    }
  }
}
