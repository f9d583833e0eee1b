// Intra prediction of one block from its neighbours. ISO/IEC 23008-2:2020 §8.4.4.2.3 to §8.4.4.2.6.

import ReelCore

enum IntraTables {
  /// intraPredAngle of modes 2…34. Table 8-5.
  static let angle: InlineArray<35, Int16> = [
    0, 0, 32, 26, 21, 17, 13, 9, 5, 2, 0, -2, -5, -9, -13, -17, -21, -26,
    -32, -26, -21, -17, -13, -9, -5, -2, 0, 2, 5, 9, 13, 17, 21, 26, 32,
  ]
  /// invAngle of modes 11…25. Table 8-6.
  static let inverseAngle: InlineArray<15, Int32> = [
    -4096, -1638, -910, -630, -482, -390, -315, -256, -315, -390, -482, -630, -910, -1638, -4096,
  ]
  /// Modes of 4:2:2 chroma. Table 8-3.
  static let mode422: InlineArray<35, UInt8> = [
    0, 1, 2, 2, 2, 2, 3, 5, 7, 8, 10, 12, 13, 15, 17, 18, 19, 20,
    21, 22, 23, 23, 24, 24, 25, 25, 26, 27, 27, 28, 28, 29, 29, 30, 31,
  ]
}

/// The neighbouring samples of a block, and room to filter and to project them.
///
/// `left` and `top` have p[ −1 ][ −1 ] at index 0 and then up to 64 samples down and across.
final class IntraNeighbours {
  static let capacity = 96
  let left = CheckedBuffer<Int16>(repeating: 0, count: capacity)
  let top = CheckedBuffer<Int16>(repeating: 0, count: capacity)
  let filteredLeft = CheckedBuffer<Int16>(repeating: 0, count: capacity)
  let filteredTop = CheckedBuffer<Int16>(repeating: 0, count: capacity)
  /// ref[ i ] of §8.4.4.2.6 at 40 + i.
  let projected = CheckedBuffer<Int16>(repeating: 0, count: 160)
  /// A prediction whose rows become columns.
  let transposed = CheckedBuffer<Int16>(repeating: 0, count: 1024 + 8)
  static let origin = 40

  /// Filtering of neighbouring samples, §8.4.4.2.3.
  ///
  /// - Parameter isStrong: bi-linear smoothing where the border is nearly straight, for 32×32 luma.
  func filter(size: Int, isStrong: Bool, bitDepth: Int) {
    let end = 2 &* size
    let corner = Int32(top[0])
    if isStrong {
      let limit: Int32 = 1 &<< Int32(truncatingIfNeeded: bitDepth &- 5)
      let (farTop, farLeft) = (Int32(top[end]), Int32(left[end]))
      if abs(corner &+ farTop &- 2 &* Int32(top[size])) < limit
        && abs(corner &+ farLeft &- 2 &* Int32(left[size])) < limit
      {
        filteredTop[0] = top[0]
        filteredLeft[0] = top[0]
        for i in 1..<64 {
          let weight = Int32(truncatingIfNeeded: i)
          filteredTop[i] = Int16(
            truncatingIfNeeded: ((64 &- weight) &* corner &+ weight &* farTop &+ 32) >> 6)
          filteredLeft[i] = Int16(
            truncatingIfNeeded: ((64 &- weight) &* corner &+ weight &* farLeft &+ 32) >> 6)
        }
        filteredTop[64] = top[64]
        filteredLeft[64] = left[64]
        return
      }
    }
    let first = (Int32(left[1]) &+ 2 &* corner &+ Int32(top[1]) &+ 2) >> 2
    filteredTop[0] = Int16(truncatingIfNeeded: first)
    filteredLeft[0] = filteredTop[0]
    for i in 1..<end {
      filteredTop[i] = Int16(
        truncatingIfNeeded: (Int32(top[i &- 1]) &+ 2 &* Int32(top[i]) &+ Int32(top[i &+ 1]) &+ 2)
          >> 2)
      filteredLeft[i] = Int16(
        truncatingIfNeeded: (Int32(left[i &- 1]) &+ 2 &* Int32(left[i]) &+ Int32(left[i &+ 1])
          &+ 2) >> 2)
    }
    filteredTop[end] = top[end]
    filteredLeft[end] = left[end]
  }
}

/// The prediction modes. `left` and `top` as in ``IntraNeighbours``, filtered or not.
enum IntraPrediction<S: HEVCSample> {
  typealias Block = PlaneWindow<S>
  typealias Border = CheckedBuffer<Int16>

  /// Writes eight words of row `y` from column `x`, or four where the block is no wider.
  @inline(always)
  private static func write(_ words: WordVector, _ block: Block, _ y: Int, _ x: Int) {
    if block.columns >= 8 {
      S.store(words, maximum: WordVector(repeating: 32767), block, y, x)
    } else {
      for i in 0..<4 { block[y, i] = S(truncatingIfNeeded: words[i]) }
    }
  }

  /// Intra_Planar, §8.4.4.2.4.
  @inline(never)
  static func planar(_ block: Block, left: borrowing Border, top: borrowing Border, log2Size: Int) {
    let size = 1 &<< log2Size
    let right = Int32(top[size &+ 1])
    let bottom = Int32(left[size &+ 1])
    let shift = SumVector(repeating: Int32(truncatingIfNeeded: log2Size &+ 1))
    for y in 0..<size {
      let l = Int32(left[y &+ 1])
      let down = Int32(truncatingIfNeeded: y &+ 1)
      let up = Int32(truncatingIfNeeded: size) &- down
      var x = 0
      while x < size {
        let t: WordVector = top.load(at: x &+ 1)
        var across = SumVector(0, 1, 2, 3, 4, 5, 6, 7)
        across &+= Int32(truncatingIfNeeded: x &+ 1)
        let back = SumVector(repeating: Int32(truncatingIfNeeded: size)) &- across
        var sum = back &* l &+ across &* right
        sum &+= t.sums &* up
        sum &+= down &* bottom &+ Int32(truncatingIfNeeded: size)
        write(WordVector(saturating: sum &>> shift), block, y, x)
        x &+= 8
      }
    }
  }

  /// Intra_DC, §8.4.4.2.5; `hasEdges` smooths the first row and column.
  @inline(never)
  static func dc(
    _ block: Block, left: borrowing Border, top: borrowing Border, log2Size: Int, hasEdges: Bool
  ) {
    let size = 1 &<< log2Size
    var sum = Int32(truncatingIfNeeded: size)
    for i in 1...size { sum &+= Int32(left[i]) &+ Int32(top[i]) }
    let dc = sum >> Int32(truncatingIfNeeded: log2Size &+ 1)
    let words = WordVector(repeating: Int16(truncatingIfNeeded: dc))
    for y in 0..<size {
      var x = 0
      while x < size {
        write(words, block, y, x)
        x &+= 8
      }
    }
    guard hasEdges else { return }
    block[0, 0] = S(truncatingIfNeeded: (Int32(left[1]) &+ 2 &* dc &+ Int32(top[1]) &+ 2) >> 2)
    for i in 1..<size {
      block[0, i] = S(truncatingIfNeeded: (Int32(top[i &+ 1]) &+ 3 &* dc &+ 2) >> 2)
      block[i, 0] = S(truncatingIfNeeded: (Int32(left[i &+ 1]) &+ 3 &* dc &+ 2) >> 2)
    }
  }

  /// Intra_Angular, §8.4.4.2.6. `mode` 2…34; `hasEdges` smooths the border of modes 10 and 26.
  @inline(never)
  static func angular(
    _ block: Block, mode: Int, _ neighbours: IntraNeighbours, left: borrowing Border,
    top: borrowing Border, log2Size: Int, hasEdges: Bool, maximum: Int32
  ) {
    let size = 1 &<< log2Size
    let isVertical = mode >= 18
    let angle = Int(IntraTables.angle[mode])
    if isVertical {
      project(neighbours.projected, main: top, side: left, mode: mode, size: size, angle: angle)
    } else {
      project(neighbours.projected, main: left, side: top, mode: mode, size: size, angle: angle)
    }
    for y in 0..<size {
      let position = (y &+ 1) &* angle
      let at = IntraNeighbours.origin &+ (position >> 5) &+ 1
      let fraction = Int32(truncatingIfNeeded: position & 31)
      var x = 0
      while x < size {
        var words: WordVector = neighbours.projected.load(at: at &+ x)
        if fraction != 0 {
          let next: WordVector = neighbours.projected.load(at: at &+ x &+ 1)
          let sum = words.sums &* (32 &- fraction) &+ next.sums &* fraction &+ 16
          words = WordVector(saturating: sum &>> 5)
        }
        if isVertical {
          write(words, block, y, x)
        } else {
          neighbours.transposed.store(words, at: y &<< log2Size &+ x)
        }
        x &+= 8
      }
    }
    if !isVertical { writeTransposed(block, neighbours.transposed, log2Size: log2Size) }
    guard hasEdges && angle == 0 else { return }
    let corner = Int32(top[0])
    for i in 0..<size {
      let main = Int32(isVertical ? top[1] : left[1])
      let side = Int32(isVertical ? left[i &+ 1] : top[i &+ 1])
      let value = S(truncatingIfNeeded: min(max(main &+ (side &- corner) >> 1, 0), maximum))
      if isVertical { block[i, 0] = value } else { block[0, i] = value }
    }
  }

  /// ref[ ] of (8-54) to (8-59).
  @inline(always)
  private static func project(
    _ projected: borrowing Border, main: borrowing Border, side: borrowing Border, mode: Int,
    size: Int, angle: Int
  ) {
    let origin = IntraNeighbours.origin
    for i in 0...size { projected[origin &+ i] = main[i] }
    let last = (size &* angle) >> 5
    if angle < 0 {
      if last < -1 {
        let inverse = Int(IntraTables.inverseAngle[mode &- 11])
        for i in last...(-1) {
          projected[origin &+ i] = side[(i &* inverse &+ 128) >> 8]
        }
      }
    } else {
      for i in size &+ 1...2 &* size { projected[origin &+ i] = main[i] }
    }
  }

  @inline(always)
  private static func writeTransposed(
    _ block: Block, _ rows: borrowing Border, log2Size: Int
  ) {
    let size = 1 &<< log2Size
    for y in 0..<size {
      for x in 0..<size { block[y, x] = S(truncatingIfNeeded: rows[x &<< log2Size &+ y]) }
    }
  }
}
