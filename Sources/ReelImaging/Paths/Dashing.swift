// Dashes along lines.

internal import ReelCore

extension FlatPath {
  /// The pieces of these lines that a dash pattern leaves.
  ///
  /// - Parameters:
  ///   - pattern: lengths of dashes and gaps in turn, ≥ 0; an odd number is taken twice.
  ///   - phase: where in the pattern a line starts.
  /// - Throws: `.limitExceeded` when that makes too many points.
  func dashed(_ pattern: [Double], phase: Double) throws(MediaError) -> FlatPath {
    let lengths = pattern.count % 2 == 0 ? pattern : pattern + pattern
    let period = lengths.reduce(0, +)
    guard period > 1e-9, period.isFinite, phase.isFinite else { return self }
    var result = FlatPath()
    for subpath in subpaths {
      var points = subpath.points
      if subpath.isClosed, let first = points.first { points.append(first) }
      var dash = DashState(lengths, phase: phase, period: period)
      var piece: [Vector] = dash.isOn ? [points[0]] : []
      for (from, to) in zip(points, points.dropFirst()) {
        let step = to - from
        let length = (step * step).sum().squareRoot()
        guard length > 0 else { continue }
        var done = 0.0
        // LIMIT: dashes so short that they cannot be seen would take for ever.
        guard length / period < Double(Self.mostPoints) else {
          throw MediaError(.limitExceeded, .pathSize, detail: "dashes of \(period) along \(length)")
        }
        while length - done > dash.left {
          done += dash.left
          let point = from + step * (done / length)
          if dash.isOn {
            piece.append(point)
            try result.append(piece, isClosed: false)
            piece = []
          } else {
            piece = [point]
          }
          dash.advance()
        }
        dash.left -= length - done
        if dash.isOn { piece.append(to) }
      }
      if piece.count > 1 { try result.append(piece, isClosed: false) }
    }
    return result
  }
}

/// Where in a dash pattern a line is.
private struct DashState {
  private let lengths: [Double]
  private var index = 0
  /// Length that is left of the current dash or gap.
  var left: Double

  init(_ lengths: [Double], phase: Double, period: Double) {
    self.lengths = lengths
    var rest = phase - (phase / period).rounded(.down) * period
    // A dash of no length at the very start is one.
    while index < lengths.count - 1,
      rest > lengths[index] || rest == lengths[index] && lengths[index] > 0
    {
      rest -= lengths[index]
      index += 1
    }
    left = max(lengths[index] - rest, 0)
  }

  var isOn: Bool { index % 2 == 0 }

  mutating func advance() {
    // Zero lengths are passed at once; the whole pattern is longer than zero.
    index = (index + 1) % lengths.count
    left = lengths[index]
  }
}
