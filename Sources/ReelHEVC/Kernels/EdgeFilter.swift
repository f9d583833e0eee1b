// Deblocking of four lines of an edge. ISO/IEC 23008-2:2020 §8.7.2.5.

import ReelCore

/// What an edge is filtered with, at the samples' depth.
struct EdgeThresholds {
  var beta: Int32
  var tc: Int32
  var maximum: Int32
  /// Samples of the side p or q stay as they are.
  var keepsP = false
  var keepsQ = false
}

enum EdgeFilter<S: HEVCSample> {
  /// Luma: `at` is the offset of q0 on the first line, `across` the step from p0 to q0, `along` the
  /// step from line to line.
  @inline(__always)
  static func filterLuma(
    _ plane: PlaneView<S>, at: Int, across: Int, along: Int, _ t: EdgeThresholds
  ) {
    @inline(__always) func sample(_ line: Int, _ i: Int) -> Int32 {
      Int32(plane[at &+ line &* along &+ i &* across])
    }
    let dp0 = abs(sample(0, -3) &- 2 &* sample(0, -2) &+ sample(0, -1))
    let dp3 = abs(sample(3, -3) &- 2 &* sample(3, -2) &+ sample(3, -1))
    let dq0 = abs(sample(0, 2) &- 2 &* sample(0, 1) &+ sample(0, 0))
    let dq3 = abs(sample(3, 2) &- 2 &* sample(3, 1) &+ sample(3, 0))
    guard dp0 &+ dq0 &+ dp3 &+ dq3 < t.beta else { return }
    @inline(__always) func isFlat(_ line: Int, _ d: Int32) -> Bool {
      2 &* d < t.beta >> 2
        && abs(sample(line, -4) &- sample(line, -1)) &+ abs(sample(line, 0) &- sample(line, 3))
          < t.beta >> 3
        && abs(sample(line, -1) &- sample(line, 0)) < (5 &* t.tc &+ 1) >> 1
    }
    if isFlat(0, dp0 &+ dq0) && isFlat(3, dp3 &+ dq3) {
      for line in 0..<4 { filterStrong(plane, at &+ line &* along, across, t) }
      return
    }
    let limit = (t.beta &+ t.beta >> 1) >> 3
    let changesP1 = dp0 &+ dp3 < limit
    let changesQ1 = dq0 &+ dq3 < limit
    for line in 0..<4 {
      filterWeak(plane, at &+ line &* along, across, t, changesP1, changesQ1)
    }
  }

  @inline(__always)
  private static func limit(_ value: Int32, _ around: Int32, _ by: Int32) -> Int32 {
    min(max(value, around &- by), around &+ by)
  }

  @inline(__always)
  private static func filterStrong(
    _ plane: PlaneView<S>, _ at: Int, _ across: Int, _ t: EdgeThresholds
  ) {
    let p3 = Int32(plane[at &- 4 &* across])
    let p2 = Int32(plane[at &- 3 &* across])
    let p1 = Int32(plane[at &- 2 &* across])
    let p0 = Int32(plane[at &- across])
    let q0 = Int32(plane[at])
    let q1 = Int32(plane[at &+ across])
    let q2 = Int32(plane[at &+ 2 &* across])
    let q3 = Int32(plane[at &+ 3 &* across])
    let by = 2 &* t.tc
    if !t.keepsP {
      let a = limit((p2 &+ 2 &* p1 &+ 2 &* p0 &+ 2 &* q0 &+ q1 &+ 4) >> 3, p0, by)
      let b = limit((p2 &+ p1 &+ p0 &+ q0 &+ 2) >> 2, p1, by)
      let c = limit((2 &* p3 &+ 3 &* p2 &+ p1 &+ p0 &+ q0 &+ 4) >> 3, p2, by)
      plane[at &- across] = S(truncatingIfNeeded: a)
      plane[at &- 2 &* across] = S(truncatingIfNeeded: b)
      plane[at &- 3 &* across] = S(truncatingIfNeeded: c)
    }
    if !t.keepsQ {
      let a = limit((p1 &+ 2 &* p0 &+ 2 &* q0 &+ 2 &* q1 &+ q2 &+ 4) >> 3, q0, by)
      let b = limit((p0 &+ q0 &+ q1 &+ q2 &+ 2) >> 2, q1, by)
      let c = limit((p0 &+ q0 &+ q1 &+ 3 &* q2 &+ 2 &* q3 &+ 4) >> 3, q2, by)
      plane[at] = S(truncatingIfNeeded: a)
      plane[at &+ across] = S(truncatingIfNeeded: b)
      plane[at &+ 2 &* across] = S(truncatingIfNeeded: c)
    }
  }

  @inline(__always)
  private static func filterWeak(
    _ plane: PlaneView<S>, _ at: Int, _ across: Int, _ t: EdgeThresholds, _ changesP1: Bool,
    _ changesQ1: Bool
  ) {
    let p1 = Int32(plane[at &- 2 &* across])
    let p0 = Int32(plane[at &- across])
    let q0 = Int32(plane[at])
    let q1 = Int32(plane[at &+ across])
    var delta = (9 &* (q0 &- p0) &- 3 &* (q1 &- p1) &+ 8) >> 4
    guard abs(delta) < 10 &* t.tc else { return }
    delta = limit(delta, 0, t.tc)
    let half = t.tc >> 1
    if !t.keepsP {
      plane[at &- across] = clip(p0 &+ delta, t.maximum)
      if changesP1 {
        let p2 = Int32(plane[at &- 3 &* across])
        let change = limit(((p2 &+ p0 &+ 1) >> 1 &- p1 &+ delta) >> 1, 0, half)
        plane[at &- 2 &* across] = clip(p1 &+ change, t.maximum)
      }
    }
    if !t.keepsQ {
      plane[at] = clip(q0 &- delta, t.maximum)
      if changesQ1 {
        let q2 = Int32(plane[at &+ 2 &* across])
        let change = limit(((q2 &+ q0 &+ 1) >> 1 &- q1 &- delta) >> 1, 0, half)
        plane[at &+ across] = clip(q1 &+ change, t.maximum)
      }
    }
  }

  @inline(__always)
  private static func clip(_ value: Int32, _ maximum: Int32) -> S {
    S(truncatingIfNeeded: min(max(value, 0), maximum))
  }

  /// Chroma: `lines` lines of an edge with bS 2.
  @inline(__always)
  static func filterChroma(
    _ plane: PlaneView<S>, at: Int, across: Int, along: Int, lines: Int, _ t: EdgeThresholds
  ) {
    for line in 0..<lines {
      let at = at &+ line &* along
      let p1 = Int32(plane[at &- 2 &* across])
      let p0 = Int32(plane[at &- across])
      let q0 = Int32(plane[at])
      let q1 = Int32(plane[at &+ across])
      let delta = limit(((q0 &- p0) &<< 2 &+ p1 &- q1 &+ 4) >> 3, 0, t.tc)
      if !t.keepsP { plane[at &- across] = clip(p0 &+ delta, t.maximum) }
      if !t.keepsQ { plane[at] = clip(q0 &- delta, t.maximum) }
    }
  }
}
