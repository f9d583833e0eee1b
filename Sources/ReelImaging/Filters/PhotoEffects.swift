// The photo effects: a matrix and a curve each.

internal import ReelCore

/// Core Image does not publish its photo effects. These are ours, in the spirit of their descriptions:
/// stated here as numbers, so that they are the same everywhere and can be tested.
enum PhotoEffects {
  static func operations(_ name: String) -> [PointOperation]? {
    switch name {
    case "CIPhotoEffectMono": [.matrix(grey), curve([0.04, 0.27, 0.51, 0.74, 0.95])]
    case "CIPhotoEffectNoir": [.matrix(grey), curve([0, 0.12, 0.46, 0.84, 1])]
    case "CIPhotoEffectTonal": [.matrix(grey), curve([0, 0.235, 0.49, 0.755, 1])]
    case "CIPhotoEffectChrome":
      [.matrix(ColourFilters.saturation(1.25)), curve([0, 0.22, 0.51, 0.79, 1])]
    case "CIPhotoEffectFade":
      [.matrix(ColourFilters.saturation(0.65)), curve([0.1, 0.3, 0.52, 0.73, 0.92])]
    case "CIPhotoEffectInstant":
      [
        .matrix(ColourFilters.saturation(0.8)),
        curves(
          [0.08, 0.31, 0.56, 0.79, 0.97], [0.06, 0.28, 0.53, 0.76, 0.95],
          [0.14, 0.31, 0.49, 0.68, 0.86]),
      ]
    case "CIPhotoEffectProcess":
      [
        .matrix(ColourFilters.saturation(0.9)),
        curves(
          [0, 0.19, 0.47, 0.75, 0.96], [0.01, 0.25, 0.53, 0.8, 1],
          [0.1, 0.33, 0.56, 0.76, 0.94]),
      ]
    case "CIPhotoEffectTransfer":
      [
        .matrix(ColourFilters.saturation(0.9)),
        curves(
          [0.06, 0.31, 0.58, 0.82, 1], [0.04, 0.26, 0.51, 0.75, 0.95],
          [0.05, 0.22, 0.43, 0.65, 0.84]),
      ]
    default: nil
    }
  }

  private static let grey = ColourFilters.saturation(0)

  /// One curve for all components.
  private static func curve(_ knots: [Double]) -> PointOperation { curves(knots, knots, knots) }

  /// A curve for each component through its values at 0, ¼, ½, ¾ and 1.
  private static func curves(
    _ red: [Double], _ green: [Double], _ blue: [Double]
  ) -> PointOperation {
    .curves(
      UnitTable { value(red, $0) }, UnitTable { value(green, $0) }, UnitTable { value(blue, $0) })
  }

  /// Cubic Hermite interpolation with the slopes of Catmull and Rom, one-sided at the ends.
  static func value(_ knots: [Double], _ x: Double) -> Double {
    let position = min(max(x, 0), 1) * 4
    let i = min(Int(position), 3)
    let t = position - Double(i)
    func slope(_ k: Int) -> Double {
      k == 0
        ? knots[1] - knots[0] : k == 4 ? knots[4] - knots[3] : (knots[k + 1] - knots[k - 1]) / 2
    }
    let (t2, t3) = (t * t, t * t * t)
    return (2 * t3 - 3 * t2 + 1) * knots[i] + (t3 - 2 * t2 + t) * slope(i)
      + (3 * t2 - 2 * t3) * knots[i + 1] + (t3 - t2) * slope(i + 1)
  }
}
