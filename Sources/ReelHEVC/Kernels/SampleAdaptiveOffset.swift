// Sample adaptive offset of one block. ISO/IEC 23008-2:2020 §8.7.3.2.

import ReelCore

enum OffsetFilter<S: HEVCSample> {
  typealias Window = PlaneWindow<S>

  /// Edge offset: each sample is compared with two neighbours.
  ///
  /// - Parameters:
  ///   - source: the samples before the filter, with a row above and below and eight columns before
  ///     and sixteen behind those of `block`.
  ///   - dx: place of the first neighbour; the second lies opposite.
  ///   - dy: as `dx`, of its row.
  @inline(never)
  static func edge(
    _ block: Window, _ source: Window, dx: Int, dy: Int, _ offsets: SIMD4<Int16>, maximum: Int16
  ) {
    let limit = WordVector(repeating: maximum)
    let zero = WordVector(repeating: 0)
    for y in 0..<block.rows {
      var x = 0
      while x < block.columns {
        let c = S.words(source, y &+ 1, x &+ 8)
        let a = S.words(source, y &+ 1 &+ dy, x &+ 8 &+ dx)
        let b = S.words(source, y &+ 1 &- dy, x &+ 8 &- dx)
        let signA = zero.replacing(with: 1, where: c .> a).replacing(with: -1, where: c .< a)
        let signB = zero.replacing(with: 1, where: c .> b).replacing(with: -1, where: c .< b)
        let sum = signA &+ signB
        let offset = zero.replacing(with: offsets[0], where: sum .== -2)
          .replacing(with: offsets[1], where: sum .== -1)
          .replacing(with: offsets[2], where: sum .== 1)
          .replacing(with: offsets[3], where: sum .== 2)
        write(c &+ offset, limit, block, y, x)
        x &+= 8
      }
    }
  }

  /// Band offset: four bands of sample values from `position` on.
  @inline(never)
  static func band(
    _ block: Window, _ source: Window, position: Int, _ offsets: SIMD4<Int16>, bitDepth: Int
  ) {
    let limit = WordVector(repeating: 1 &<< Int16(truncatingIfNeeded: bitDepth) &- 1)
    let shift = WordVector(repeating: Int16(truncatingIfNeeded: bitDepth &- 5))
    let first = WordVector(repeating: Int16(truncatingIfNeeded: position))
    let zero = WordVector(repeating: 0)
    for y in 0..<block.rows {
      var x = 0
      while x < block.columns {
        let c = S.words(source, y &+ 1, x &+ 8)
        let band = (c &>> shift &- first) & 31
        let offset = zero.replacing(with: offsets[0], where: band .== 0)
          .replacing(with: offsets[1], where: band .== 1)
          .replacing(with: offsets[2], where: band .== 2)
          .replacing(with: offsets[3], where: band .== 3)
        write(c &+ offset, limit, block, y, x)
        x &+= 8
      }
    }
  }

  @inline(always)
  private static func write(
    _ words: WordVector, _ limit: WordVector, _ block: Window, _ y: Int, _ x: Int
  ) {
    if x &+ 8 <= block.columns {
      S.store(words, maximum: limit, block, y, x)
    } else {
      for i in 0..<block.columns &- x {
        block[y, x &+ i] = S(truncatingIfNeeded: min(max(words[i & 7], 0), limit[0]))
      }
    }
  }
}
