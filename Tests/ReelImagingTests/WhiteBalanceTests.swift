internal import ReelCore
internal import Testing

@testable internal import ReelImaging

/// White balance from published numbers alone: chromaticities of black bodies, the Bradford matrix and its
/// inverse, and those of the BT.709 primaries as IEC 61966-2-1 prints them.
@Suite("White balance")
struct WhiteBalanceTests {
  private static let bradford = [
    [0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296],
  ]
  private static let bradfordInverse = [
    [0.9869929, -0.1470543, 0.1599627], [0.4323053, 0.5183603, 0.0492912],
    [-0.0085287, 0.0400428, 0.9684867],
  ]
  private static let toXYZ = [
    [0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505],
  ]
  private static let fromXYZ = [
    [3.2406, -1.5372, -0.4986], [-0.9689, 1.8758, 0.0415], [0.0557, -0.2040, 1.0570],
  ]
  /// Kelvin and CIE 1931 x, y of a black body.
  private static let whites: [Double: (Double, Double)] = [
    2856: (0.4475, 0.4074), 4000: (0.3805, 0.3768), 5000: (0.3451, 0.3516), 6500: (0.3135, 0.3237),
    10000: (0.2807, 0.2884),
  ]

  private static func apply(_ m: [[Double]], _ v: [Double]) -> [Double] {
    m.map { row in row[0] * v[0] + row[1] * v[1] + row[2] * v[2] }
  }

  private static func cone(_ kelvin: Double) -> [Double] {
    let (x, y) = whites[kelvin] ?? (1 / 3, 1 / 3)
    return apply(bradford, [x / y, 1, (1 - x - y) / y])
  }

  @Test("is Bradford's adaptation between black bodies", arguments: [2856.0, 4000, 5000, 10000])
  func bodies(kelvin: Double) throws {
    let (before, after) = (Self.cone(6500), Self.cone(kelvin))
    let filter = FilterDescription(
      "CITemperatureAndTint", [FilterParameter("inputTargetNeutral", .vector([kelvin, 0]))])
    for form in [format(.yuv444, matrix: 0, full: true), format(.yuv420), format(.yuv422, 10)] {
      let frame = VideoFrame.scene(width: 40, height: 30, format: form)
      let want = PointReference(format: form) { c, _, _ in
        let cones = Self.apply(Self.bradford, Self.apply(Self.toXYZ, [c.r, c.g, c.b]))
        let adapted = (0..<3).map { cones[$0] * after[$0] / before[$0] }
        let rgb = Self.apply(Self.fromXYZ, Self.apply(Self.bradfordInverse, adapted))
        return (rgb[0], rgb[1], rgb[2])
      }.run(frame)
      let result = try FilterStack([filter], width: 40, height: 30).run(
        frame, context: FilterContext(pools: PlanePools(), executor: SerialExecutor()))
      for plane in 0..<3 {
        let unit = Double(1 << (form.lumaBitDepth - 8))
        let far = largestDifference(
          result.samples(plane), want[plane], maximum: 256 * unit - 1)
        // The printed numbers have four digits.
        #expect(far <= 1.7 * unit, "\(kelvin) plane \(plane): \(far)")
      }
    }
  }
}
