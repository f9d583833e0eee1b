internal import ReelCore
internal import ReelTestSupport
internal import Testing

@testable internal import ReelImaging

@Suite("Integer colour maps")
struct IntegerColourMapTests {
  static let maps: [(String, AffineColour)] = [
    ("nothing", .identity),
    ("bright", ColourFilters.brightness(0.2, contrast: 1.3)),
    ("dark", ColourFilters.brightness(-0.4, contrast: 0.6)),
    ("hard", ColourFilters.brightness(0, contrast: 3.5)),
    ("flat", ColourFilters.brightness(0.1, contrast: 0)),
    ("grey", ColourFilters.saturation(0)), ("loud", ColourFilters.saturation(2)),
    ("turned", ColourFilters.hueRotation(2)), ("sepia", ColourFilters.sepia),
    ("inverted", AffineColour(m: [-1, 0, 0, 1, 0, -1, 0, 1, 0, 0, -1, 1])),
  ]

  private static func run(
    _ frame: VideoFrame, _ map: AffineColour, kernels: KernelChoice, bands: Int = 1
  ) throws -> VideoFrame {
    var pass = PointPass()
    pass.append(.matrix(map))
    var context = FilterContext(pools: PlanePools(), executor: SerialExecutor(width: bands))
    context.kernels = kernels
    return try pass.run(frame, context: context)
  }

  @Test("are one code at most from the exact values, on noise and on scenes")
  func exact() throws {
    for form in [format(.yuv420), format(.yuv420, matrix: 6, full: true)] {
      for (name, map) in Self.maps where !map.isIdentity {
        let resolved = try ResolvedFormat(form, width: 64, height: 48)
        _ = try #require(IntegerColourMap(map, format: resolved), "\(name) runs in integers")
        for frame in [
          VideoFrame.noise(width: 64, height: 48, format: form, seed: 5),
          VideoFrame.scene(width: 64, height: 48, format: form),
        ] {
          let wanted = PointReference(format: form) { c, _, _ in
            let m = map.m
            return (
              m[0] * c.r + m[1] * c.g + m[2] * c.b + m[3],
              m[4] * c.r + m[5] * c.g + m[6] * c.b + m[7],
              m[8] * c.r + m[9] * c.g + m[10] * c.b + m[11]
            )
          }.either(frame)
          let result = try Self.run(frame, map, kernels: .vector)
          let far = wanted.map { want in
            (0..<3).map {
              largestDifference(result.samples($0), want[$0], maximum: 255)
            }
          }
          #expect(far.contains { $0.allSatisfy { $0 <= 1 } }, "\(name): \(far)")
        }
      }
    }
  }

  @Test("vector and plain kernels and any number of bands give the same bytes")
  func twins() throws {
    for (w, h) in [(2, 2), (16, 4), (34, 18), (130, 66)] {
      for form in [format(.yuv420), format(.yuv420, matrix: 9, full: true)] {
        var frame = VideoFrame.noise(width: w + 8, height: h + 6, format: form, seed: 9)
        frame.crop = SampleRect(x: 4, y: 2, width: w, height: h)
        let scene = VideoFrame.scene(width: w, height: h, format: form)
        for (name, map) in Self.maps where !map.isIdentity {
          for picture in [frame, scene] {
            let vector = try Self.run(picture, map, kernels: .vector)
            let plain = try Self.run(picture, map, kernels: .plain, bands: 3)
            #expect(vector.fingerprint == plain.fingerprint, "\(name) \(w)×\(h)")
          }
        }
      }
    }
  }

  @Test("leave what does not fit to single precision")
  func unfit() throws {
    let form = try ResolvedFormat(format(.yuv420), width: 64, height: 48)
    #expect(IntegerColourMap(ColourFilters.scale(1000), format: form) == nil)
    let most = ColourFilters.brightness(0, contrast: 4)
    #expect(IntegerColourMap(most, format: form) == nil)
    let deep = try ResolvedFormat(format(.yuv420, 10), width: 64, height: 48)
    #expect(IntegerColourMap(.identity, format: deep) == nil)
    let whole = try ResolvedFormat(format(.yuv444), width: 64, height: 48)
    #expect(IntegerColourMap(.identity, format: whole) == nil)
  }
}
