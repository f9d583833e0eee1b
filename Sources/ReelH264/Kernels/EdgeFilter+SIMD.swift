// Deblocking of one edge for 8-bit video, sixteen lines at a time. ISO/IEC 14496-10:2020 §8.7.2.
//
// A lane is a line of the edge: vectors p3…p0, q0…q3 hold the samples of one distance from it. At
// vertical edges they come from a transposition. Edges with other than four (chroma: two or four)
// lines a strength, and those that mix bS 4 with less, occur in MBAFF frames only and go the plain
// way.

import ReelCore
import ReelVideoCore

extension UInt8 {
  static func filterLumaEdge(
    _ plane: PlaneView<UInt8>, at: Int, across: Int, along: Int, linesPerStrength: Int,
    strengths: UInt32, alpha: Int32, beta: Int32, indexA: Int, bitDepth: Int
  ) {
    if alpha == 0 || beta == 0 || strengths == 0 { return }
    let edge = EdgeSetting(strengths, alpha, beta, indexA)
    guard linesPerStrength == 4 && edge.isUniform && (across == 1 || along == 1) else {
      PlainKernels<UInt8>.filterLumaEdge(
        plane, at: at, across: across, along: along, linesPerStrength: linesPerStrength,
        strengths: strengths, alpha: alpha, beta: beta, indexA: indexA, bitDepth: bitDepth)
      return
    }
    switch (across == 1, edge.isStrong) {
    case (false, false): EdgeKernels.filterHorizontal(plane, at, across, edge)
    case (false, true): EdgeKernels.filterHorizontalStrong(plane, at, across, edge)
    case (true, false): EdgeKernels.filterVertical(plane, at, along, edge)
    case (true, true): EdgeKernels.filterVerticalStrong(plane, at, along, edge)
    }
  }

  static func filterChromaEdge(
    _ plane: PlaneView<UInt8>, at: Int, across: Int, along: Int, linesPerStrength: Int,
    strengths: UInt32, alpha: Int32, beta: Int32, indexA: Int, bitDepth: Int
  ) {
    if alpha == 0 || beta == 0 || strengths == 0 { return }
    let edge = EdgeSetting(strengths, alpha, beta, indexA)
    guard edge.isUniform && (across == 1 || along == 1) else {
      PlainKernels<UInt8>.filterChromaEdge(
        plane, at: at, across: across, along: along, linesPerStrength: linesPerStrength,
        strengths: strengths, alpha: alpha, beta: beta, indexA: indexA, bitDepth: bitDepth)
      return
    }
    switch (across == 1, linesPerStrength) {
    case (false, 2): EdgeKernels.filterChromaHorizontal(plane, at, across, edge)
    case (true, 2):
      EdgeKernels.filterChromaVertical(plane, at, along, edge.limits(doubled: true), edge)
    case (true, 4):
      let limits = edge.limits(doubled: false)
      EdgeKernels.filterChromaVertical(plane, at, along, limits, edge)
      let lower = ByteVector(lowHalf: limits.highEight, highHalf: limits.lowEight)
      EdgeKernels.filterChromaVertical(plane, at &+ 8 &* along, along, lower, edge)
    default:
      PlainKernels<UInt8>.filterChromaEdge(
        plane, at: at, across: across, along: along, linesPerStrength: linesPerStrength,
        strengths: strengths, alpha: alpha, beta: beta, indexA: indexA, bitDepth: bitDepth)
    }
  }
}

/// Thresholds of one edge, and the clipping values of its four groups of lines.
struct EdgeSetting {
  let alpha: UInt8
  let beta: UInt8
  let strengths: UInt32
  /// t′C0 + 1 of each group with 1 ≤ bS ≤ 3, a byte each; 0 for groups with bS 0 or 4.
  let limitBytes: UInt32

  @inline(always)
  init(_ strengths: UInt32, _ alpha: Int32, _ beta: Int32, _ indexA: Int) {
    self.alpha = UInt8(truncatingIfNeeded: alpha)
    self.beta = UInt8(truncatingIfNeeded: beta)
    self.strengths = strengths
    let byStrength = LoopFilterTables.limits(indexA)
    var bytes: UInt32 = 0
    for group in 0..<4 {
      let shift = UInt32(truncatingIfNeeded: 8 &* group)
      let bS = (strengths &>> shift) & 7
      bytes |= ((byStrength &>> (8 &* (bS & 3))) & 255) &<< shift
    }
    limitBytes = bytes
  }

  /// All groups have bS 4.
  @inline(always)
  var isStrong: Bool { strengths == 0x0404_0404 }

  /// All groups have bS 4, or none has.
  @inline(always)
  var isUniform: Bool { isStrong || strengths & 0x0404_0404 == 0 }

  /// ``limitBytes`` for sixteen lines, or for eight (in the low lanes) with `doubled`.
  @inline(always)
  func limits(doubled: Bool) -> ByteVector {
    let bytes: ByteVector = reinterpreted(SIMD4<UInt32>(limitBytes, 0, 0, 0))
    let pairs = bytes.zippedLow(bytes)
    return doubled ? pairs : pairs.zippedLow(pairs)
  }
}

/// The filters on vectors of lines.
enum EdgeKernels {
  typealias Window = PlaneWindow<UInt8>

  /// 255 where filterSamplesFlag (8-450) may be set as far as samples go, else 0.
  @inline(always)
  static func mask(
    _ p1: ByteVector, _ p0: ByteVector, _ q0: ByteVector, _ q1: ByteVector, _ edge: EdgeSetting
  ) -> ByteVector {
    let beta = ByteVector(repeating: edge.beta)
    let step = ByteVector(repeating: edge.alpha).minusSaturated(p0.distance(q0))
    let slopes = beta.minusSaturated(p1.distance(p0).raised(to: q1.distance(q0)))
    return ByteVector(mask: step.lowered(to: slopes) .> ByteVector(repeating: 0))
  }

  /// p′0 and q′0 for bS < 4 with tC of each lane; unchanged where it is 0. (8-467) to (8-469)
  ///
  /// delta = ((q0 − p0) · 4 + p1 − q1 + 4) >> 3 is (d + f) >> 1 with d = q0 − p0 and
  /// f = ((p1 − q1) >> 2) + 1. In bytes: (d >> 1) + 128 is the rounded mean of q0 and 255 − p0, and
  /// the mean that carries d's lowest bit into f is (f + bit) >> 1 with 33 added. The sum
  /// saturates only where the clipped result is the same.
  @inline(always)
  static func filterInner(
    _ p1: ByteVector, _ p0: ByteVector, _ q0: ByteVector, _ q1: ByteVector, _ tc: ByteVector
  ) -> (p0: ByteVector, q0: ByteVector) {
    let half = q0.mean(~p0)
    let quarter = p1.mean(~q1).mean(ByteVector(repeating: 3))
    let carried = quarter.mean((p0 ^ q0) & 1)
    let sum = half.plusSaturated(carried)
    let zero = ByteVector(repeating: 161)
    let rise = sum.minusSaturated(zero).lowered(to: tc)
    let fall = zero.minusSaturated(sum).lowered(to: tc)
    return (
      p0.plusSaturated(rise).minusSaturated(fall), q0.minusSaturated(rise).plusSaturated(fall)
    )
  }

  /// p1 + Clip3(−limit, limit, (p2 + middle − 2 · p1) >> 1), middle = (p0 + q0 + 1) >> 1.
  @inline(always)
  static func filterOuter(
    _ p2: ByteVector, _ p1: ByteVector, _ middle: ByteVector, _ limit: ByteVector
  ) -> ByteVector {
    p2.flooredMean(middle).raised(to: p1.minusSaturated(limit)).lowered(to: p1.plusSaturated(limit))
  }

  /// Samples p1, p0, q0, q1 for bS < 4, or nil where no line changes. §8.7.2.3
  @inline(always)
  static func filterNormal(
    _ p2: ByteVector, _ p1: ByteVector, _ p0: ByteVector, _ q0: ByteVector, _ q1: ByteVector,
    _ q2: ByteVector, _ edge: EdgeSetting
  ) -> (p1: ByteVector, p0: ByteVector, q0: ByteVector, q1: ByteVector)? {
    let limits = edge.limits(doubled: false) & mask(p1, p0, q0, q1, edge)
    if limits.isZero { return nil }
    // t′C0 of filtered lines; the extra 1 in `limits` marks them.
    let tc0 = limits.minusSaturated(ByteVector(repeating: 1))
    let lines = ByteVector(mask: limits .> ByteVector(repeating: 0))
    let beta = ByteVector(repeating: edge.beta)
    let filtersP = ByteVector(mask: p2.distance(p0) .< beta) & lines
    let filtersQ = ByteVector(mask: q2.distance(q0) .< beta) & lines
    let inner = filterInner(p1, p0, q0, q1, tc0 &- filtersP &- filtersQ)
    let middle = p0.mean(q0)
    return (
      filterOuter(p2, p1, middle, tc0 & filtersP), inner.p0, inner.q0,
      filterOuter(q2, q1, middle, tc0 & filtersQ)
    )
  }

  /// (p1 · 2 + p0 + q1 + 2) >> 2: p′0 for bS 4 without smoothing; with sides exchanged q′0.
  @inline(always)
  static func filterWeak(_ p1: ByteVector, _ p0: ByteVector, _ q1: ByteVector) -> ByteVector {
    p1.mean(p0.flooredMean(q1))
  }
}

// Horizontal edges: a row of the plane is a vector.
extension EdgeKernels {
  @inline(never)
  static func filterHorizontal(
    _ plane: PlaneView<UInt8>, _ at: Int, _ stride: Int, _ edge: EdgeSetting
  ) {
    let s = plane.window(at: at &- 3 &* stride, stride: stride, columns: 16, rows: 6)
    guard
      let out = filterNormal(
        s.load(0, 0), s.load(1, 0), s.load(2, 0), s.load(3, 0), s.load(4, 0), s.load(5, 0), edge)
    else { return }
    s.store(out.p1, 1, 0)
    s.store(out.p0, 2, 0)
    s.store(out.q0, 3, 0)
    s.store(out.q1, 4, 0)
  }

  @inline(never)
  static func filterHorizontalStrong(
    _ plane: PlaneView<UInt8>, _ at: Int, _ stride: Int, _ edge: EdgeSetting
  ) {
    let s = plane.window(at: at &- 4 &* stride, stride: stride, columns: 16, rows: 8)
    var lines = EdgeLines(
      s.load(0, 0), s.load(1, 0), s.load(2, 0), s.load(3, 0), s.load(4, 0), s.load(5, 0),
      s.load(6, 0), s.load(7, 0))
    guard lines.filterStrong(edge) else { return }
    s.store(lines.p2, 1, 0)
    s.store(lines.p1, 2, 0)
    s.store(lines.p0, 3, 0)
    s.store(lines.q0, 4, 0)
    s.store(lines.q1, 5, 0)
    s.store(lines.q2, 6, 0)
  }

  @inline(never)
  static func filterChromaHorizontal(
    _ plane: PlaneView<UInt8>, _ at: Int, _ stride: Int, _ edge: EdgeSetting
  ) {
    // Rows are eight samples wide; what lies right of them is read and computed but not stored.
    let s = plane.window(at: at &- 2 &* stride, stride: stride, columns: 16, rows: 4)
    guard
      let out = filterChroma(
        s.load(0, 0), s.load(1, 0), s.load(2, 0), s.load(3, 0), edge.limits(doubled: true), edge)
    else { return }
    s.store(out.p0.lowEight, 1, 0)
    s.store(out.q0.lowEight, 2, 0)
  }

  /// p0 and q0 of chroma lines, or nil where none changes; `limits` are t′C0 + 1.
  @inline(always)
  static func filterChroma(
    _ p1: ByteVector, _ p0: ByteVector, _ q0: ByteVector, _ q1: ByteVector, _ limits: ByteVector,
    _ edge: EdgeSetting
  ) -> (p0: ByteVector, q0: ByteVector)? {
    let lines = mask(p1, p0, q0, q1, edge)
    if edge.isStrong {
      if lines.isZero { return nil }
      let p = filterWeak(p1, p0, q1)
      let q = filterWeak(q1, q0, p1)
      return ((p & lines) | (p0 & ~lines), (q & lines) | (q0 & ~lines))
    }
    let tc = limits & lines
    if tc.isZero { return nil }
    return filterInner(p1, p0, q0, q1, tc)
  }
}

// Vertical edges: a row of the plane becomes a lane.
extension EdgeKernels {
  @inline(never)
  static func filterVertical(
    _ plane: PlaneView<UInt8>, _ at: Int, _ stride: Int, _ edge: EdgeSetting
  ) {
    let s = plane.window(at: at &- 4, stride: stride, columns: 8, rows: 16)
    let lines = EdgeLines(transposing: s)
    guard
      let out = filterNormal(
        lines.p2, lines.p1, lines.p0, lines.q0, lines.q1, lines.q2, edge)
    else { return }
    storeColumns(out.p1, out.p0, out.q0, out.q1, s)
  }

  /// Writes the four samples nearest to the edge of sixteen rows.
  ///
  /// Never inlined: where the optimiser sees the vectors computed, it computes single lanes instead.
  @inline(never)
  private static func storeColumns(
    _ p1: ByteVector, _ p0: ByteVector, _ q0: ByteVector, _ q1: ByteVector, _ s: Window
  ) {
    let s = s.part(columns: 8, rows: 16)
    let rows = FourColumns(p1, p0, q0, q1)
    store(rows.r0, s, 0)
    store(rows.r4, s, 4)
    store(rows.r8, s, 8)
    store(rows.r12, s, 12)
  }

  /// Writes four rows of p1 p0 q0 q1.
  @inline(always)
  private static func store(_ rows: SIMD4<UInt32>, _ s: Window, _ row: Int) {
    for i in 0..<4 { s.store(reinterpreted(rows[i], as: SIMD4<UInt8>.self), row &+ i, 2) }
  }

  @inline(never)
  static func filterVerticalStrong(
    _ plane: PlaneView<UInt8>, _ at: Int, _ stride: Int, _ edge: EdgeSetting
  ) {
    let s = plane.window(at: at &- 4, stride: stride, columns: 8, rows: 16)
    var lines = EdgeLines(transposing: s)
    guard lines.filterStrong(edge) else { return }
    storeColumns(
      lines.p3, lines.p2, lines.p1, lines.p0, lines.q0, lines.q1, lines.q2, lines.q3, s)
  }

  /// Writes all eight samples of sixteen rows. Never inlined, as its namesake.
  @inline(never)
  private static func storeColumns(
    _ p3: ByteVector, _ p2: ByteVector, _ p1: ByteVector, _ p0: ByteVector, _ q0: ByteVector,
    _ q1: ByteVector, _ q2: ByteVector, _ q3: ByteVector, _ s: Window
  ) {
    ByteMatrix(p3, p2, p1, p0, q0, q1, q2, q3).store(asColumnsOf: s.part(columns: 8, rows: 16))
  }

  /// Eight lines; `limits` in the low lanes.
  @inline(never)
  static func filterChromaVertical(
    _ plane: PlaneView<UInt8>, _ at: Int, _ stride: Int, _ limits: ByteVector, _ edge: EdgeSetting
  ) {
    // Eight samples a row, of which the middle four are used: rows of chroma are eight wide.
    let s = plane.window(at: at &- 4, stride: stride, columns: 8, rows: 8)
    let columns = EightColumns(s, 0)
    let p: ByteVector = reinterpreted(columns.c23)
    let q: ByteVector = reinterpreted(columns.c45)
    guard
      let out = filterChroma(
        p, ByteVector(p.highEight), q, ByteVector(q.highEight), limits, edge)
    else { return }
    storePairs(out.p0, out.q0, s)
  }

  /// Writes the two samples nearest to the edge of eight rows.
  @inline(never)
  private static func storePairs(_ p0: ByteVector, _ q0: ByteVector, _ s: Window) {
    let s = s.part(columns: 8, rows: 8)
    let pairs: SIMD8<UInt16> = reinterpreted(p0.zippedLow(q0))
    for i in 0..<8 { s.store(reinterpreted(pairs[i], as: SIMD2<UInt8>.self), i, 3) }
  }
}

/// The eight samples across an edge for sixteen lines.
struct EdgeLines {
  var p3, p2, p1, p0, q0, q1, q2, q3: ByteVector

  @inline(always)
  init(
    _ p3: ByteVector, _ p2: ByteVector, _ p1: ByteVector, _ p0: ByteVector, _ q0: ByteVector,
    _ q1: ByteVector, _ q2: ByteVector, _ q3: ByteVector
  ) {
    (self.p3, self.p2, self.p1, self.p0) = (p3, p2, p1, p0)
    (self.q0, self.q1, self.q2, self.q3) = (q0, q1, q2, q3)
  }

  /// From sixteen rows of eight samples.
  @inline(always)
  init(transposing s: PlaneWindow<UInt8>) {
    let m = ByteMatrix(columnsOf: s)
    self.init(m.v0, m.v1, m.v2, m.v3, m.v4, m.v5, m.v6, m.v7)
  }

  /// Filters all lines with bS 4; false when none changes. §8.7.2.4
  @inline(always)
  mutating func filterStrong(_ edge: EdgeSetting) -> Bool {
    let lines = EdgeKernels.mask(p1, p0, q0, q1, edge)
    if lines.isZero { return false }
    let beta = ByteVector(repeating: edge.beta)
    let isFlat = ByteVector(
      mask: p0.distance(q0) .< ByteVector(repeating: (edge.alpha >> 2) &+ 2))
    let smoothsP = ByteVector(mask: p2.distance(p0) .< beta) & isFlat & lines
    let smoothsQ = ByteVector(mask: q2.distance(q0) .< beta) & isFlat & lines
    let weakP = EdgeKernels.filterWeak(p1, p0, q1)
    let weakQ = EdgeKernels.filterWeak(q1, q0, p1)
    let p = Self.smoothed(p3, p2, p1, p0, q0, q1)
    let q = Self.smoothed(q3, q2, q1, q0, p0, p1)
    p0 = Self.chosen(p.0, smoothsP, Self.chosen(weakP, lines, p0))
    q0 = Self.chosen(q.0, smoothsQ, Self.chosen(weakQ, lines, q0))
    p1 = Self.chosen(p.1, smoothsP, p1)
    q1 = Self.chosen(q.1, smoothsQ, q1)
    p2 = Self.chosen(p.2, smoothsP, p2)
    q2 = Self.chosen(q.2, smoothsQ, q2)
    return true
  }

  @inline(always)
  private static func chosen(_ a: ByteVector, _ mask: ByteVector, _ b: ByteVector) -> ByteVector {
    (a & mask) | (b & ~mask)
  }

  /// p′0, p′1, p′2 of (8-476) to (8-478).
  @inline(always)
  private static func smoothed(
    _ p3: ByteVector, _ p2: ByteVector, _ p1: ByteVector, _ p0: ByteVector, _ q0: ByteVector,
    _ q1: ByteVector
  ) -> (ByteVector, ByteVector, ByteVector) {
    let low = smoothed(
      p3.lowWords, p2.lowWords, p1.lowWords, p0.lowWords, q0.lowWords, q1.lowWords)
    let high = smoothed(
      p3.highWords, p2.highWords, p1.highWords, p0.highWords, q0.highWords, q1.highWords)
    return (
      ByteVector(clipping: low.0, high.0), ByteVector(clipping: low.1, high.1),
      ByteVector(clipping: low.2, high.2)
    )
  }

  @inline(always)
  private static func smoothed(
    _ p3: WordVector, _ p2: WordVector, _ p1: WordVector, _ p0: WordVector, _ q0: WordVector,
    _ q1: WordVector
  ) -> (WordVector, WordVector, WordVector) {
    let near = p1 &+ p0 &+ q0
    let four = near &+ p2
    return (
      (four &+ near &+ q1 &+ 4) &>> 3, (four &+ 2) &>> 2,
      (((p3 &+ p2) &<< 1) &+ four &+ 4) &>> 3
    )
  }
}
