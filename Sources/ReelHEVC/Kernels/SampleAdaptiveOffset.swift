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
    // Vectors throughout: replacing lanes with a scalar runs lane by lane.
    let limit = WordVector(repeating: maximum)
    let zero = WordVector(repeating: 0)
    let one = WordVector(repeating: 1)
    let two = WordVector(repeating: 2)
    let o = OffsetVectors(offsets)
    for y in 0..<block.rows {
      var x = 0
      while x < block.columns {
        let c = S.words(source, y &+ 1, x &+ 8)
        let a = S.words(source, y &+ 1 &+ dy, x &+ 8 &+ dx)
        let b = S.words(source, y &+ 1 &- dy, x &+ 8 &- dx)
        let above =
          zero.replacing(with: one, where: c .> a) &+ zero.replacing(with: one, where: c .> b)
        let below =
          zero.replacing(with: one, where: c .< a) &+ zero.replacing(with: one, where: c .< b)
        let sum = above &- below &+ two
        let offset = zero.replacing(with: o.first, where: sum .== zero)
          .replacing(with: o.second, where: sum .== one)
          .replacing(with: o.third, where: sum .== o.three)
          .replacing(with: o.fourth, where: sum .== o.four)
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
    let one = WordVector(repeating: 1)
    let two = WordVector(repeating: 2)
    let mask = WordVector(repeating: 31)
    let o = OffsetVectors(offsets)
    for y in 0..<block.rows {
      var x = 0
      while x < block.columns {
        let c = S.words(source, y &+ 1, x &+ 8)
        let band = (c &>> shift &- first) & mask
        let offset = zero.replacing(with: o.first, where: band .== zero)
          .replacing(with: o.second, where: band .== one)
          .replacing(with: o.third, where: band .== two)
          .replacing(with: o.fourth, where: band .== o.three)
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

/// Four offsets, each in all lanes, and numbers that they are chosen by.
private struct OffsetVectors {
  let first, second, third, fourth: WordVector
  let three = WordVector(repeating: 3)
  let four = WordVector(repeating: 4)

  @inline(always)
  init(_ offsets: SIMD4<Int16>) {
    first = WordVector(repeating: offsets[0])
    second = WordVector(repeating: offsets[1])
    third = WordVector(repeating: offsets[2])
    fourth = WordVector(repeating: offsets[3])
  }
}
