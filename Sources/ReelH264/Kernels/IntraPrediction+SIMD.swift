// Intra prediction of 4×4 and 8×8 luma blocks for 8-bit video.
// ISO/IEC 14496-10:2020 §8.3.1.2, §8.3.2.2.
//
// Every directional mode copies means of two or smoothed triples of neighbouring edge samples, each
// row shifted against the one above. So the means of the whole edge are computed at once, and a row
// is a piece of them cut out by shifts of 64-bit integers (first sample lowest).

import ReelCore
import ReelVideoCore

/// Sixteen samples of an edge, or means of them, as two integers.
private struct EdgeBytes {
  var low: UInt64
  var high: UInt64

  @inline(always)
  init(_ low: UInt64, _ high: UInt64) {
    self.low = low
    self.high = high
  }

  @inline(always)
  init(_ bytes: ByteVector) {
    let halves: SIMD2<UInt64> = reinterpreted(bytes)
    self.init(halves[0], halves[1])
  }

  @inline(always)
  var vector: ByteVector { reinterpreted(SIMD2<UInt64>(low, high)) }

  /// Samples 1…15, then `next`.
  @inline(always)
  func advanced(_ next: UInt64) -> EdgeBytes {
    EdgeBytes(low >> 8 | high << 56, high >> 8 | next << 56)
  }

  /// Eight samples from `index`, 0…8.
  @inline(always)
  func eight(_ index: Int) -> UInt64 {
    if index == 0 { return low }
    if index == 8 { return high }
    let shift = UInt64(truncatingIfNeeded: 8 &* index)
    return low &>> shift | high &<< (64 &- shift)
  }

  @inline(always)
  func byte(_ index: Int) -> UInt64 {
    (low &>> UInt64(truncatingIfNeeded: 8 &* index)) & 255
  }
}

/// Means along an edge e.
private struct EdgeMeans {
  /// (e_i + e_(i+1) + 1) >> 1.
  let two: EdgeBytes
  /// (e_i + 2e_(i+1) + e_(i+2) + 2) >> 2.
  let three: EdgeBytes

  /// `next` follows the sixteen samples of `edge`, twice.
  @inline(always)
  init(_ edge: EdgeBytes, next: UInt64) {
    self.init(edge, edge.advanced(next), edge.advanced(next).advanced(next))
  }

  @inline(always)
  init(_ edge: EdgeBytes, _ second: EdgeBytes, _ third: EdgeBytes) {
    let b = second.vector
    two = EdgeBytes(edge.vector.mean(b))
    three = EdgeBytes(b.mean(edge.vector.flooredMean(third.vector)))
  }

  /// Four pairs of a mean of two and a mean of three, from index `first`, 0 or 4.
  @inline(always)
  func pairs(_ first: Int) -> UInt64 {
    let shift = UInt64(truncatingIfNeeded: 8 &* first)
    return Self.spread(two.low &>> shift) | Self.spread(three.low &>> shift) << 8
  }

  /// The four low bytes with a zero byte after each.
  @inline(always)
  private static func spread(_ bytes: UInt64) -> UInt64 {
    let four = bytes & 0xffff_ffff
    let words = (four | four << 16) & 0x0000_ffff_0000_ffff
    return (words | words << 8) & 0x00ff_00ff_00ff_00ff
  }
}

/// Shared pieces of the intra kernels.
enum IntraKernels {
  static let everyByte: UInt64 = 0x0101_0101_0101_0101

  /// The sum of four 16-bit lanes, each at most 16383.
  @inline(always)
  static func sumOfFour(_ four: UInt64) -> UInt64 { (four &* 0x0001_0001_0001_0001) >> 48 }

  /// Lanes 0…7 and 8…15.
  @inline(always)
  static func halves(_ words: SIMD16<UInt16>) -> (SIMD8<UInt16>, SIMD8<UInt16>) {
    var low = SIMD8<UInt16>()
    var high = SIMD8<UInt16>()
    for i in 0..<8 {
      low[i] = words[i]
      high[i] = words[8 &+ i]
    }
    return (low, high)
  }

  /// The low bytes of eight lanes as an integer.
  @inline(always)
  static func bytes(_ words: SIMD8<UInt16>) -> UInt64 {
    reinterpreted(SIMD8<UInt8>(truncating: words))
  }
}

// 4×4.
extension UInt8 {
  static func predictIntra4x4(
    mode: Int, _ dst: PlaneView<UInt8>, at: Int, stride: Int, top: SIMD8<UInt16>,
    left: SIMD4<UInt16>, topLeft: UInt16, hasTop: Bool, hasLeft: Bool, bitDepth: Int
  ) {
    let block = dst.window(at: at, stride: stride, columns: 4, rows: 4)
    let above = IntraKernels.bytes(top)
    let side = IntraKernels.bytes(SIMD8(lowHalf: left, highHalf: SIMD4(repeating: 0)))
    switch mode {
    case 0: Intra4x4.store(block, above, above, above, above)
    case 1:
      let four: UInt64 = 0x0101_0101
      Intra4x4.store(
        block, (side & 255) &* four, (side >> 8 & 255) &* four, (side >> 16 & 255) &* four,
        (side >> 24 & 255) &* four)
    case 3...7: Intra4x4.predictDirectional(block, mode, above, side, UInt64(topLeft & 255))
    case 8: Intra4x4.predictHorizontalUp(block, side)
    default:
      let halves: SIMD2<UInt64> = reinterpreted(top)
      let sumAbove = IntraKernels.sumOfFour(halves[0])
      let sumSide = IntraKernels.sumOfFour(reinterpreted(left))
      let value: UInt64 =
        switch (hasTop, hasLeft) {
        case (true, true): (sumAbove &+ sumSide &+ 4) >> 3
        case (true, false): (sumAbove &+ 2) >> 2
        case (false, true): (sumSide &+ 2) >> 2
        case (false, false): 128
        }
      let row = value &* IntraKernels.everyByte
      Intra4x4.store(block, row, row, row, row)
    }
  }
}

private enum Intra4x4 {
  typealias Window = PlaneWindow<UInt8>

  /// Writes the four low bytes of each row.
  @inline(always)
  static func store(_ block: Window, _ r0: UInt64, _ r1: UInt64, _ r2: UInt64, _ r3: UInt64) {
    @inline(always)
    func store(_ row: UInt64, _ y: Int) {
      block.store(reinterpreted(UInt32(truncatingIfNeeded: row), as: SIMD4<UInt8>.self), y, 0)
    }
    store(r0, 0)
    store(r1, 1)
    store(r2, 2)
    store(r3, 3)
  }

  /// Modes 3…7, whose edge is the line l3 l2 l1 l0, corner, t0 … t7, t7 ….
  @inline(always)
  static func predictDirectional(
    _ block: Window, _ mode: Int, _ above: UInt64, _ side: UInt64, _ corner: UInt64
  ) {
    let reversed = UInt64(UInt32(truncatingIfNeeded: side).byteSwapped)
    let last = above >> 56
    let edge = EdgeBytes(
      reversed | corner << 32 | above << 40, above >> 24 | (last &* 0x0001_0101) << 40)
    let means = EdgeMeans(edge, next: last)
    let (m, t) = (means.two, means.three)
    switch mode {
    case 3: store(block, t.eight(5), t.eight(6), t.eight(7), t.eight(8))
    case 4: store(block, t.eight(3), t.eight(2), t.eight(1), t.low)
    case 5:
      store(
        block, m.eight(4), t.eight(3), m.eight(4) << 8 | t.byte(2), t.eight(3) << 8 | t.byte(1))
    case 6:
      let pairs = means.pairs(0)
      store(block, pairs >> 48 | t.eight(4) << 16, pairs >> 32, pairs >> 16, pairs)
    default: store(block, m.eight(5), t.eight(5), m.eight(6), t.eight(6))
    }
  }

  @inline(always)
  static func predictHorizontalUp(_ block: Window, _ side: UInt64) {
    let last = side >> 24 & 255
    let edge = EdgeBytes((side & 0xffff_ffff) | (last &* 0x0101_0101) << 32, last)
    let pairs = EdgeMeans(edge, next: last).pairs(0)
    store(block, pairs, pairs >> 16, pairs >> 32, last &* 0x0101_0101)
  }
}

// 8×8.
extension UInt8 {
  static func predictIntra8x8(
    mode: Int, _ dst: PlaneView<UInt8>, at: Int, stride: Int, top: SIMD16<UInt16>,
    left: SIMD8<UInt16>, topLeft: UInt16, hasTop: Bool, hasTopRight: Bool, hasLeft: Bool,
    hasTopLeft: Bool, bitDepth: Int
  ) {
    let block = dst.window(at: at, stride: stride, columns: 8, rows: 8)
    let halves = IntraKernels.halves(top)
    let above = IntraKernels.bytes(halves.0)
    let right =
      hasTopRight ? IntraKernels.bytes(halves.1) : (above >> 56) &* IntraKernels.everyByte
    let edge = FilteredEdge(
      above: EdgeBytes(above, right), side: IntraKernels.bytes(left), corner: UInt64(topLeft & 255),
      hasTop, hasLeft, hasTopLeft)
    switch mode {
    case 0: Intra8x8.fill(block) { _ in edge.above.low }
    case 1: Intra8x8.fill(block) { (edge.side >> (8 &* $0) & 255) &* IntraKernels.everyByte }
    case 3, 7: Intra8x8.predictLeftward(block, mode, edge)
    case 4, 5, 6: Intra8x8.predictRightward(block, mode, edge)
    case 8: Intra8x8.predictHorizontalUp(block, edge)
    default:
      let value = Intra8x8.dc(edge, hasTop, hasLeft) &* IntraKernels.everyByte
      Intra8x8.fill(block) { _ in value }
    }
  }
}

/// The filtered reference samples p′ of an 8×8 block. §8.3.2.2.1.
private struct FilteredEdge {
  let above: EdgeBytes
  let side: UInt64
  let corner: UInt64

  /// A neighbour that is missing is replaced by the sample itself, which gives it the standard's
  /// weights. Samples that are not available come out as anything.
  @inline(always)
  init(
    above: EdgeBytes, side: UInt64, corner: UInt64, _ hasTop: Bool, _ hasLeft: Bool,
    _ hasTopLeft: Bool
  ) {
    let firstAbove = above.low & 255
    let firstSide = side & 255
    let beforeAbove = hasTopLeft ? corner : firstAbove
    let beforeSide = hasTopLeft ? corner : firstSide
    let before = EdgeBytes(above.low << 8 | beforeAbove, above.high << 8 | above.low >> 56)
    let after = above.advanced(above.high >> 56)
    self.above = EdgeBytes(above.vector.mean(before.vector.flooredMean(after.vector)))
    let sideBefore = EdgeBytes(side << 8 | beforeSide, 0)
    let sideAfter = EdgeBytes(side >> 8 | (side >> 56) << 56, 0)
    self.side =
      EdgeBytes(
        EdgeBytes(side, 0).vector.mean(sideBefore.vector.flooredMean(sideAfter.vector))
      ).low
    let neighbours = (hasTop ? firstAbove : corner) &+ (hasLeft ? firstSide : corner)
    self.corner = (neighbours &+ 2 &* corner &+ 2) >> 2
  }
}

private enum Intra8x8 {
  typealias Window = PlaneWindow<UInt8>

  @inline(always)
  static func store(_ block: Window, _ row: UInt64, _ y: Int) {
    block.store(reinterpreted(row, as: SIMD8<UInt8>.self), y, 0)
  }

  @inline(__always)
  static func fill(_ block: Window, _ row: (UInt64) -> UInt64) {
    for y in 0..<8 { store(block, row(UInt64(truncatingIfNeeded: y)), y) }
  }

  @inline(always)
  static func dc(_ edge: FilteredEdge, _ hasTop: Bool, _ hasLeft: Bool) -> UInt64 {
    let above = sum(edge.above.low)
    let side = sum(edge.side)
    switch (hasTop, hasLeft) {
    case (true, true): return (above &+ side &+ 8) >> 4
    case (true, false): return (above &+ 4) >> 3
    case (false, true): return (side &+ 4) >> 3
    case (false, false): return 128
    }
  }

  /// The sum of eight bytes.
  @inline(always)
  static func sum(_ bytes: UInt64) -> UInt64 {
    let words = (bytes & 0x00ff_00ff_00ff_00ff) &+ (bytes >> 8 & 0x00ff_00ff_00ff_00ff)
    return IntraKernels.sumOfFour(words)
  }

  /// Modes 3 and 7, which use the row above and above right.
  @inline(always)
  static func predictLeftward(_ block: Window, _ mode: Int, _ edge: FilteredEdge) {
    let means = EdgeMeans(edge.above, next: edge.above.high >> 56)
    if mode == 3 {
      for y in 0..<8 { store(block, means.three.eight(y), y) }
    } else {
      for y in 0..<4 {
        store(block, means.two.eight(y), 2 &* y)
        store(block, means.three.eight(y), 2 &* y &+ 1)
      }
    }
  }

  /// Modes 4, 5, 6, whose edge is the line l7 … l0, corner, t0 … t7.
  @inline(always)
  static func predictRightward(_ block: Window, _ mode: Int, _ edge: FilteredEdge) {
    let above = edge.above.low
    let line = EdgeBytes(edge.side.byteSwapped, edge.corner | above << 8)
    let second = line.advanced(above >> 56)
    let means = EdgeMeans(line, second, second.advanced(0))
    let (m, t) = (means.two, means.three)
    switch mode {
    case 4:
      for y in 0..<8 { store(block, t.eight(7 &- y), y) }
    case 5:
      var even = m.high
      var odd = t.eight(7)
      store(block, even, 0)
      store(block, odd, 1)
      for k in 1..<4 {
        even = even << 8 | t.byte(8 &- 2 &* k)
        odd = odd << 8 | t.byte(7 &- 2 &* k)
        store(block, even, 2 &* k)
        store(block, odd, 2 &* k &+ 1)
      }
    default:
      let lower = EdgeBytes(means.pairs(0), means.pairs(4))
      let upper = EdgeBytes(lower.high, t.high)
      for y in 0..<4 {
        store(block, upper.eight(6 &- 2 &* y), y)
        store(block, lower.eight(6 &- 2 &* y), y &+ 4)
      }
    }
  }

  @inline(always)
  static func predictHorizontalUp(_ block: Window, _ edge: FilteredEdge) {
    let last = edge.side >> 56
    let lasts = last &* IntraKernels.everyByte
    let means = EdgeMeans(EdgeBytes(edge.side, lasts), next: last)
    let upper = EdgeBytes(means.pairs(0), means.pairs(4))
    let lower = EdgeBytes(upper.high, lasts)
    for y in 0..<4 {
      store(block, upper.eight(2 &* y), y)
      store(block, lower.eight(2 &* y), y &+ 4)
    }
  }
}
