// The curves that scaling weighs samples with.

/// How samples between samples are made.
public enum ScaleFilter: String, Sendable, Hashable, CaseIterable {
  /// The nearest sample.
  case nearest
  /// Linear between two samples; a triangle when scaling down.
  case bilinear
  /// Catmull–Rom's cubic: through the samples, with a slight overshoot at edges.
  case bicubic
  /// A windowed sinc of three lobes.
  case lanczos3

  /// Half of the width in which the curve is not zero, in samples.
  var radius: Double {
    switch self {
    case .nearest: 0.5
    case .bilinear: 1
    case .bicubic: 2
    case .lanczos3: 3
    }
  }

  /// The curve at the distance `t` from a sample.
  func weight(_ t: Double) -> Double {
    let x = t.magnitude
    switch self {
    case .nearest: return x <= 0.5 ? 1 : 0
    case .bilinear: return max(1 - x, 0)
    case .bicubic:
      if x < 1 { return (1.5 * x - 2.5) * x * x + 1 }
      if x < 2 { return ((-0.5 * x + 2.5) * x - 4) * x + 2 }
      return 0
    case .lanczos3:
      if x < 1e-9 { return 1 }
      if x >= 3 { return 0 }
      let a = ExactMath.pi * x
      return 3 * ExactMath.sineAndCosine(a).sine * ExactMath.sineAndCosine(a / 3).sine / (a * a)
    }
  }
}
