// Intra prediction of 4×4 and 8×8 luma blocks. ISO/IEC 14496-10:2020 §8.3.1.2, §8.3.2.2.

import ReelCore

/// The samples around a block in one line: the left column from the bottom up, the corner, the row
/// above from the left.
///
///     index     0 … N−1        N       N+1 … 3N
///     sample    p[−1, N−1…0]   corner  p[0…2N−1, −1]
struct IntraEdge {
  var samples = [25 of Int32](repeating: 0)
  /// N: 4 or 8.
  let size: Int

  init(size: Int) { self.size = size }

  /// The sample at `index` of the line.
  @inline(__always)
  subscript(index: Int) -> Int32 { samples[index] }

  /// p[x, −1], x −1 ..< 2N.
  @inline(__always)
  func top(_ x: Int) -> Int32 { samples[size &+ 1 &+ x] }

  /// p[−1, y], y −1 ..< N.
  @inline(__always)
  func left(_ y: Int) -> Int32 { samples[size &- 1 &- y] }

  /// (a + 2b + c + 2) >> 2 around `index` of the line.
  @inline(__always)
  func smooth(_ index: Int) -> Int32 {
    (samples[index &- 1] &+ 2 &* samples[index] &+ samples[index &+ 1] &+ 2) >> 2
  }

  /// (a + b + 1) >> 1 of the samples at `index` and after it.
  @inline(__always)
  func middle(_ index: Int) -> Int32 { (samples[index] &+ samples[index &+ 1] &+ 1) >> 1 }
}

extension PlainKernels {
  static func predictIntra4x4(
    mode: Int, _ dst: PlaneView<S>, at: Int, stride: Int, top: SIMD8<UInt16>, left: SIMD4<UInt16>,
    topLeft: UInt16, hasTop: Bool, hasLeft: Bool, bitDepth: Int
  ) {
    var edge = IntraEdge(size: 4)
    for i in 0..<4 { edge.samples[3 &- i] = Int32(left[i]) }
    edge.samples[4] = Int32(topLeft)
    for i in 0..<8 { edge.samples[5 &+ i] = Int32(top[i]) }
    let block = dst.window(at: at, stride: stride, columns: 4, rows: 4)
    predict(block, mode, edge, hasTop, hasLeft, bitDepth)
  }

  static func predictIntra8x8(
    mode: Int, _ dst: PlaneView<S>, at: Int, stride: Int, top: SIMD16<UInt16>,
    left: SIMD8<UInt16>, topLeft: UInt16, hasTop: Bool, hasTopRight: Bool, hasLeft: Bool,
    hasTopLeft: Bool, bitDepth: Int
  ) {
    var edge = IntraEdge(size: 8)
    for i in 0..<8 { edge.samples[7 &- i] = Int32(left[i]) }
    edge.samples[8] = Int32(topLeft)
    for i in 0..<8 { edge.samples[9 &+ i] = Int32(top[i]) }
    for i in 8..<16 { edge.samples[9 &+ i] = Int32(hasTopRight ? top[i] : top[7]) }
    let filtered = filteredEdge(edge, hasTop, hasLeft, hasTopLeft)
    let block = dst.window(at: at, stride: stride, columns: 8, rows: 8)
    predict(block, mode, filtered, hasTop, hasLeft, bitDepth)
  }

  /// Reference sample filtering for Intra_8x8. §8.3.2.2.1. Missing samples stay as they are.
  static func filteredEdge(
    _ edge: IntraEdge, _ hasTop: Bool, _ hasLeft: Bool, _ hasTopLeft: Bool
  ) -> IntraEdge {
    // Where the neighbour along the line is missing, the sample itself takes its place: the three
    // to one weights of the standard are those of (a + 2b + c) with a = b.
    var line = edge
    if hasTop {
      for i in 10...23 { line.samples[i] = edge.smooth(i) }
      line.samples[24] = (edge[23] &+ 3 &* edge[24] &+ 2) >> 2
      line.samples[9] = ((hasTopLeft ? edge[8] : edge[9]) &+ 2 &* edge[9] &+ edge[10] &+ 2) >> 2
    }
    if hasTopLeft {
      let before = hasLeft ? edge[7] : edge[8]
      let after = hasTop ? edge[9] : edge[8]
      line.samples[8] = (before &+ 2 &* edge[8] &+ after &+ 2) >> 2
    }
    if hasLeft {
      line.samples[7] = ((hasTopLeft ? edge[8] : edge[7]) &+ 2 &* edge[7] &+ edge[6] &+ 2) >> 2
      for i in 1...6 { line.samples[i] = edge.smooth(i) }
      line.samples[0] = (edge[1] &+ 3 &* edge[0] &+ 2) >> 2
    }
    return line
  }

  /// Fills a square block from its edge, by the nine modes of Tables 8-2 and 8-3.
  static func predict(
    _ block: PlaneWindow<S>, _ mode: Int, _ edge: IntraEdge, _ hasTop: Bool, _ hasLeft: Bool,
    _ bitDepth: Int
  ) {
    let n = edge.size
    switch mode {
    case 0: fill(block, n) { x, _ in edge.top(x) }
    case 1: fill(block, n) { _, y in edge.left(y) }
    case 3: fill(block, n) { x, y in diagonalDownLeft(edge, x, y) }
    case 4: fill(block, n) { x, y in edge.smooth(n &+ x &- y) }
    case 5: fill(block, n) { x, y in verticalRight(edge, x, y) }
    case 6: fill(block, n) { x, y in horizontalDown(edge, x, y) }
    case 7: fill(block, n) { x, y in verticalLeft(edge, x, y) }
    case 8: fill(block, n) { x, y in horizontalUp(edge, x, y) }
    default:
      let value = dc(edge, hasTop, hasLeft, bitDepth)
      fill(block, n) { _, _ in value }
    }
  }

  @inline(__always)
  private static func fill(_ block: PlaneWindow<S>, _ n: Int, _ sample: (Int, Int) -> Int32) {
    for y in 0..<n {
      for x in 0..<n { block[y, x] = S(truncatingIfNeeded: sample(x, y)) }
    }
  }

  /// §8.3.1.2.3, §8.3.2.2.4.
  private static func dc(
    _ edge: IntraEdge, _ hasTop: Bool, _ hasLeft: Bool, _ bitDepth: Int
  ) -> Int32 {
    let n = edge.size
    var top: Int32 = 0
    var left: Int32 = 0
    for i in 0..<n {
      top &+= edge.top(i)
      left &+= edge.left(i)
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

  /// §8.3.1.2.4, §8.3.2.2.5.
  @inline(__always)
  private static func diagonalDownLeft(_ edge: IntraEdge, _ x: Int, _ y: Int) -> Int32 {
    let n = edge.size
    if x &+ y == 2 &* n &- 2 {
      return (edge.top(2 &* n &- 2) &+ 3 &* edge.top(2 &* n &- 1) &+ 2) >> 2
    }
    return edge.smooth(n &+ 2 &+ x &+ y)
  }

  /// §8.3.1.2.6, §8.3.2.2.7.
  @inline(__always)
  private static func verticalRight(_ edge: IntraEdge, _ x: Int, _ y: Int) -> Int32 {
    let z = 2 &* x &- y
    if z < -1 { return edge.smooth(edge.size &- 1 &- (y &- 2 &* x &- 2)) }
    let column = edge.size &+ x &- (y >> 1)
    return z & 1 == 0 ? edge.middle(column) : edge.smooth(z == -1 ? edge.size : column)
  }

  /// §8.3.1.2.7, §8.3.2.2.8.
  @inline(__always)
  private static func horizontalDown(_ edge: IntraEdge, _ x: Int, _ y: Int) -> Int32 {
    let z = 2 &* y &- x
    if z < -1 { return edge.smooth(edge.size &+ 1 &+ (x &- 2 &* y &- 2)) }
    let row = edge.size &- (y &- (x >> 1))
    return z & 1 == 0 ? edge.middle(row &- 1) : edge.smooth(z == -1 ? edge.size : row)
  }

  /// §8.3.1.2.8, §8.3.2.2.9.
  @inline(__always)
  private static func verticalLeft(_ edge: IntraEdge, _ x: Int, _ y: Int) -> Int32 {
    let column = edge.size &+ 1 &+ x &+ (y >> 1)
    return y & 1 == 0 ? edge.middle(column) : edge.smooth(column &+ 1)
  }

  /// §8.3.1.2.9, §8.3.2.2.10.
  @inline(__always)
  private static func horizontalUp(_ edge: IntraEdge, _ x: Int, _ y: Int) -> Int32 {
    let n = edge.size
    let z = x &+ 2 &* y
    if z > 2 &* n &- 3 { return edge.left(n &- 1) }
    if z == 2 &* n &- 3 { return (edge.left(n &- 2) &+ 3 &* edge.left(n &- 1) &+ 2) >> 2 }
    let row = n &- 1 &- (y &+ (x >> 1))
    return z & 1 == 0 ? edge.middle(row &- 1) : edge.smooth(row &- 1)
  }
}
