// Deblocking of one edge. ISO/IEC 14496-10:2020 §8.7.2.

import ReelCore

/// The samples across an edge on one line: p3…p0 | q0…q3.
private struct EdgeLine<S: PictureSample> {
  let plane: PlaneView<S>
  let q0At: Int
  let across: Int

  /// q_i for `i` 0…3, p_(−1 − i) for `i` −1…−4.
  @inline(always)
  subscript(i: Int) -> Int32 {
    get { Int32(plane[q0At &+ i &* across]) }
    nonmutating set { plane[q0At &+ i &* across] = S(truncatingIfNeeded: newValue) }
  }
}

/// Thresholds of one edge at the samples' depth.
private struct EdgeThresholds {
  let alpha: Int32
  let beta: Int32
  let maximum: Int32
  /// bitDepth − 8.
  let depthShift: Int32

  init(alpha: Int32, beta: Int32, bitDepth: Int) {
    depthShift = Int32(truncatingIfNeeded: bitDepth &- 8)
    self.alpha = alpha &<< depthShift
    self.beta = beta &<< depthShift
    maximum = (1 &<< Int32(truncatingIfNeeded: bitDepth)) &- 1
  }
}

extension PlainKernels {
  static func filterLumaEdge(
    _ plane: PlaneView<S>, at: Int, across: Int, along: Int, linesPerStrength: Int,
    strengths: UInt32, alpha: Int32, beta: Int32, indexA: Int, bitDepth: Int
  ) {
    filterEdge(
      plane, at: at, across: across, along: along, linesPerStrength: linesPerStrength,
      strengths: strengths, EdgeThresholds(alpha: alpha, beta: beta, bitDepth: bitDepth),
      indexA: indexA, chromaStyle: false)
  }

  static func filterChromaEdge(
    _ plane: PlaneView<S>, at: Int, across: Int, along: Int, linesPerStrength: Int,
    strengths: UInt32, alpha: Int32, beta: Int32, indexA: Int, bitDepth: Int
  ) {
    filterEdge(
      plane, at: at, across: across, along: along, linesPerStrength: linesPerStrength,
      strengths: strengths, EdgeThresholds(alpha: alpha, beta: beta, bitDepth: bitDepth),
      indexA: indexA, chromaStyle: true)
  }

  @inline(always)
  private static func filterEdge(
    _ plane: PlaneView<S>, at: Int, across: Int, along: Int, linesPerStrength: Int,
    strengths: UInt32, _ thresholds: EdgeThresholds, indexA: Int, chromaStyle: Bool
  ) {
    if thresholds.alpha == 0 || thresholds.beta == 0 { return }
    for group in 0..<4 {
      let bS = Int(truncatingIfNeeded: (strengths >> UInt32(8 &* group)) & 255)
      if bS == 0 { continue }
      let tc0 = LoopFilterTables.tc0(indexA, bS) &<< thresholds.depthShift
      for i in 0..<linesPerStrength {
        let q0At = at &+ (group &* linesPerStrength &+ i) &* along
        let line = EdgeLine(plane: plane, q0At: q0At, across: across)
        let p0 = line[-1]
        let q0 = line[0]
        // filterSamplesFlag, (8-450).
        guard abs(p0 &- q0) < thresholds.alpha, abs(line[-2] &- p0) < thresholds.beta,
          abs(line[1] &- q0) < thresholds.beta
        else { continue }
        switch (bS < 4, chromaStyle) {
        case (true, false): filterLuma(line, thresholds, tc0)
        case (true, true): filterInner(line, tc0 &+ 1, thresholds.maximum)
        case (false, false): filterLumaStrong(line, thresholds)
        case (false, true): filterChromaStrong(line)
        }
      }
    }
  }

  /// p′0 and q′0 for bS < 4. (8-467) to (8-469)
  @inline(always)
  private static func filterInner(_ line: EdgeLine<S>, _ tc: Int32, _ maximum: Int32) {
    let p0 = line[-1]
    let q0 = line[0]
    let step = (((q0 &- p0) &<< 2) &+ (line[-2] &- line[1]) &+ 4) >> 3
    let delta = min(max(step, 0 &- tc), tc)
    line[-1] = min(max(p0 &+ delta, 0), maximum)
    line[0] = min(max(q0 &- delta, 0), maximum)
  }

  /// Samples for bS < 4 where chromaStyleFilteringFlag is 0. §8.7.2.3
  @inline(always)
  private static func filterLuma(_ line: EdgeLine<S>, _ t: EdgeThresholds, _ tc0: Int32) {
    let p0 = line[-1]
    let q0 = line[0]
    let p1 = line[-2]
    let q1 = line[1]
    let p2 = line[-3]
    let q2 = line[2]
    let filtersP = abs(p2 &- p0) < t.beta
    let filtersQ = abs(q2 &- q0) < t.beta
    filterInner(line, tc0 &+ (filtersP ? 1 : 0) &+ (filtersQ ? 1 : 0), t.maximum)
    let middle = (p0 &+ q0 &+ 1) >> 1
    if filtersP {
      line[-2] = p1 &+ min(max((p2 &+ middle &- 2 &* p1) >> 1, 0 &- tc0), tc0)
    }
    if filtersQ {
      line[1] = q1 &+ min(max((q2 &+ middle &- 2 &* q1) >> 1, 0 &- tc0), tc0)
    }
  }

  /// Samples for bS 4 where chromaStyleFilteringFlag is 0. §8.7.2.4
  @inline(always)
  private static func filterLumaStrong(_ line: EdgeLine<S>, _ t: EdgeThresholds) {
    let (p3, p2, p1, p0) = (line[-4], line[-3], line[-2], line[-1])
    let (q0, q1, q2, q3) = (line[0], line[1], line[2], line[3])
    let isFlat = abs(p0 &- q0) < (t.alpha >> 2) &+ 2
    if isFlat && abs(p2 &- p0) < t.beta {
      line[-1] = (p2 &+ 2 &* p1 &+ 2 &* p0 &+ 2 &* q0 &+ q1 &+ 4) >> 3
      line[-2] = (p2 &+ p1 &+ p0 &+ q0 &+ 2) >> 2
      line[-3] = (2 &* p3 &+ 3 &* p2 &+ p1 &+ p0 &+ q0 &+ 4) >> 3
    } else {
      line[-1] = (2 &* p1 &+ p0 &+ q1 &+ 2) >> 2
    }
    if isFlat && abs(q2 &- q0) < t.beta {
      line[0] = (p1 &+ 2 &* p0 &+ 2 &* q0 &+ 2 &* q1 &+ q2 &+ 4) >> 3
      line[1] = (p0 &+ q0 &+ q1 &+ q2 &+ 2) >> 2
      line[2] = (2 &* q3 &+ 3 &* q2 &+ q1 &+ q0 &+ p0 &+ 4) >> 3
    } else {
      line[0] = (2 &* q1 &+ q0 &+ p1 &+ 2) >> 2
    }
  }

  /// Samples for bS 4 where chromaStyleFilteringFlag is 1. (8-479), (8-486)
  @inline(always)
  private static func filterChromaStrong(_ line: EdgeLine<S>) {
    let (p1, p0, q0, q1) = (line[-2], line[-1], line[0], line[1])
    line[-1] = (2 &* p1 &+ p0 &+ q1 &+ 2) >> 2
    line[0] = (2 &* q1 &+ q0 &+ p1 &+ 2) >> 2
  }
}
