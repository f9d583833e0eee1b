// Intra prediction of 4×4 and 8×8 luma blocks. ISO/IEC 14496-10:2020 §8.3.1.2, §8.3.2.2.

import ReelCore

/// The samples around a block of N × N in one line: the left column from the bottom up, the corner,
/// the row above from the left, its last sample once more. Beside it the means of its samples: the
/// directional modes copy them, each row of the block being the one above shifted along the line.
///
///     index     0 … N−1        N       N+1 … 3N        3N+1
///     sample    p[−1, N−1…0]   corner  p[0…2N−1, −1]   p[2N−1, −1]
///
/// 16 bits hold all sums of four samples of 14 bits.
private struct IntraEdge {
  /// Rows of 32: the samples, means of two, means of three, samples before filtering.
  let lines: PlaneWindow<UInt16>
  let size: Int

  @inline(always)
  init(_ lines: PlaneWindow<UInt16>, size: Int) {
    self.lines = lines.part(columns: 32, rows: 4)
    self.size = size
  }

  @inline(always)
  subscript(index: Int) -> UInt16 {
    get { lines[0, index] }
    nonmutating set { lines[0, index] = newValue }
  }

  /// (e_i + e_(i+1) + 1) >> 1.
  @inline(always)
  func two(_ index: Int) -> UInt16 { lines[1, index] }

  /// (e_(i−1) + 2e_i + e_(i+1) + 2) >> 2.
  @inline(always)
  func three(_ index: Int) -> UInt16 { lines[2, index] }

  /// p[x, −1], x −1 ..< 2N.
  @inline(always)
  func top(_ x: Int) -> UInt16 { self[size &+ 1 &+ x] }

  /// p[−1, y], y −1 ..< N.
  @inline(always)
  func left(_ y: Int) -> UInt16 { self[size &- 1 &- y] }

  @inline(always)
  func findMeans() {
    let count = 3 &* size &+ 1
    for i in 0..<count { lines[1, i] = (lines[0, i] &+ lines[0, i &+ 1] &+ 1) >> 1 }
    for i in 1..<count { lines[2, i] = smoothed(0, i) }
  }

  /// The smoothed sample at `index` of a row of ``lines``.
  @inline(always)
  private func smoothed(_ row: Int, _ index: Int) -> UInt16 {
    (lines[row, index &- 1] &+ 2 &* lines[row, index] &+ lines[row, index &+ 1] &+ 2) >> 2
  }

  /// Reference sample filtering for Intra_8x8. §8.3.2.2.1. Missing samples come out as anything.
  @inline(always)
  func filter(_ hasTop: Bool, _ hasLeft: Bool, _ hasTopLeft: Bool) {
    for i in 0..<26 { lines[3, i] = lines[0, i] }
    for i in 1...24 { lines[0, i] = smoothed(3, i) }
    // Where the neighbour along the line is missing, the sample itself takes its place: the three
    // to one weights of the standard are those of (a + 2b + c) with a = b.
    let corner = lines[3, 8]
    let above = lines[3, 9]
    let side = lines[3, 7]
    let first = lines[3, 0]
    lines[0, 0] = (lines[3, 1] &+ 3 &* first &+ 2) >> 2
    lines[0, 7] = (lines[3, 6] &+ 2 &* side &+ (hasTopLeft ? corner : side) &+ 2) >> 2
    lines[0, 8] = ((hasLeft ? side : corner) &+ 2 &* corner &+ (hasTop ? above : corner) &+ 2) >> 2
    lines[0, 9] = ((hasTopLeft ? corner : above) &+ 2 &* above &+ lines[3, 10] &+ 2) >> 2
    lines[0, 25] = lines[0, 24]
  }
}

extension PlainKernels {
  static func predictIntra4x4(
    mode: Int, _ dst: PlaneView<S>, at: Int, stride: Int, top: SIMD8<UInt16>, left: SIMD4<UInt16>,
    topLeft: UInt16, hasTop: Bool, hasLeft: Bool, bitDepth: Int
  ) {
    let block = dst.window(at: at, stride: stride, columns: 4, rows: 4)
    PlaneWindow<UInt16>.withTemporary(columns: 32, rows: 4) { lines in
      let edge = IntraEdge(lines, size: 4)
      for i in 0..<4 { edge[3 &- i] = left[i] }
      edge[4] = topLeft
      for i in 0..<8 { edge[5 &+ i] = top[i] }
      edge[13] = top[7]
      predict(block, 4, mode, edge, hasTop, hasLeft, bitDepth)
    }
  }

  static func predictIntra8x8(
    mode: Int, _ dst: PlaneView<S>, at: Int, stride: Int, top: SIMD16<UInt16>,
    left: SIMD8<UInt16>, topLeft: UInt16, hasTop: Bool, hasTopRight: Bool, hasLeft: Bool,
    hasTopLeft: Bool, bitDepth: Int
  ) {
    let block = dst.window(at: at, stride: stride, columns: 8, rows: 8)
    PlaneWindow<UInt16>.withTemporary(columns: 32, rows: 4) { lines in
      let edge = IntraEdge(lines, size: 8)
      for i in 0..<8 { edge[7 &- i] = left[i] }
      edge[8] = topLeft
      for i in 0..<8 { edge[9 &+ i] = top[i] }
      for i in 8..<16 { edge[9 &+ i] = hasTopRight ? top[i] : top[7] }
      edge[25] = hasTopRight ? top[15] : top[7]
      edge.filter(hasTop, hasLeft, hasTopLeft)
      predict(block, 8, mode, edge, hasTop, hasLeft, bitDepth)
    }
  }

  /// Fills a square block from its edge, by the nine modes of Tables 8-2 and 8-3.
  ///
  /// - Parameter n: 4 or 8, a constant, so that the compiler resolves all positions.
  @inline(always)
  private static func predict(
    _ block: PlaneWindow<S>, _ n: Int, _ mode: Int, _ edge: IntraEdge, _ hasTop: Bool,
    _ hasLeft: Bool, _ bitDepth: Int
  ) {
    switch mode {
    case 0:
      for y in 0..<n {
        for x in 0..<n { block[y, x] = S(truncatingIfNeeded: edge.top(x)) }
      }
    case 1:
      for y in 0..<n {
        let value = S(truncatingIfNeeded: edge.left(y))
        for x in 0..<n { block[y, x] = value }
      }
    case 3...8:
      edge.findMeans()
      switch mode {
      case 3: predictDiagonal(block, n, edge, start: n &+ 2, step: 1)
      case 4: predictDiagonal(block, n, edge, start: n, step: -1)
      case 5: predictVerticalRight(block, n, edge)
      case 6: predictHorizontalDown(block, n, edge)
      case 7: predictVerticalLeft(block, n, edge)
      default: predictHorizontalUp(block, n, edge)
      }
    default:
      let value = S(truncatingIfNeeded: dc(edge, n, hasTop, hasLeft, bitDepth))
      for y in 0..<n {
        for x in 0..<n { block[y, x] = value }
      }
    }
  }

  /// Row y holds means of three from `start` + y · `step`. §8.3.1.2.4, §8.3.1.2.5, §8.3.2.2.5,
  /// §8.3.2.2.6.
  @inline(always)
  private static func predictDiagonal(
    _ block: PlaneWindow<S>, _ n: Int, _ edge: IntraEdge, start: Int, step: Int
  ) {
    for y in 0..<n {
      for x in 0..<n {
        block[y, x] = S(truncatingIfNeeded: edge.three(start &+ y &* step &+ x))
      }
    }
  }

  /// §8.3.1.2.3, §8.3.2.2.4.
  @inline(always)
  private static func dc(
    _ edge: IntraEdge, _ n: Int, _ hasTop: Bool, _ hasLeft: Bool, _ bitDepth: Int
  ) -> Int32 {
    var top: Int32 = 0
    var left: Int32 = 0
    for i in 0..<n {
      top &+= Int32(edge.top(i))
      left &+= Int32(edge.left(i))
    }
    let shift: Int32 = n == 4 ? 2 : 3
    let half = Int32(n / 2)
    switch (hasTop, hasLeft) {
    case (true, true): return (top &+ left &+ 2 &* half) >> (shift &+ 1)
    case (true, false): return (top &+ half) >> shift
    case (false, true): return (left &+ half) >> shift
    case (false, false): return 1 << Int32(bitDepth &- 1)
    }
  }

  /// §8.3.1.2.6, §8.3.2.2.7.
  @inline(always)
  private static func predictVerticalRight(
    _ block: PlaneWindow<S>, _ n: Int, _ edge: IntraEdge
  ) {
    for y in 0..<n {
      for x in 0..<n {
        let z = 2 &* x &- y
        let along = n &+ x &- (y >> 1)
        let value =
          z < -1
          ? edge.three(n &+ 1 &- y &+ 2 &* x) : z & 1 == 0 ? edge.two(along) : edge.three(along)
        block[y, x] = S(truncatingIfNeeded: value)
      }
    }
  }

  /// §8.3.1.2.7, §8.3.2.2.8.
  @inline(always)
  private static func predictHorizontalDown(
    _ block: PlaneWindow<S>, _ n: Int, _ edge: IntraEdge
  ) {
    for y in 0..<n {
      for x in 0..<n {
        let z = 2 &* y &- x
        let along = n &- y &+ (x >> 1)
        let value =
          z < -1
          ? edge.three(n &- 1 &+ x &- 2 &* y)
          : z & 1 == 0 ? edge.two(along &- 1) : edge.three(along)
        block[y, x] = S(truncatingIfNeeded: value)
      }
    }
  }

  /// §8.3.1.2.8, §8.3.2.2.9.
  @inline(always)
  private static func predictVerticalLeft(_ block: PlaneWindow<S>, _ n: Int, _ edge: IntraEdge) {
    for y in 0..<n {
      for x in 0..<n {
        let along = n &+ 1 &+ x &+ (y >> 1)
        let value = y & 1 == 0 ? edge.two(along) : edge.three(along &+ 1)
        block[y, x] = S(truncatingIfNeeded: value)
      }
    }
  }

  /// §8.3.1.2.9, §8.3.2.2.10.
  @inline(always)
  private static func predictHorizontalUp(
    _ block: PlaneWindow<S>, _ n: Int, _ edge: IntraEdge
  ) {
    let last = edge.left(n &- 1)
    for y in 0..<n {
      for x in 0..<n {
        let z = x &+ 2 &* y
        let along = n &- 2 &- (z >> 1)
        var value = last
        if z < 2 &* n &- 3 {
          value = z & 1 == 0 ? edge.two(along) : edge.three(along)
        } else if z == 2 &* n &- 3 {
          value = (edge.left(n &- 2) &+ 3 &* last &+ 2) >> 2
        }
        block[y, x] = S(truncatingIfNeeded: value)
      }
    }
  }
}
