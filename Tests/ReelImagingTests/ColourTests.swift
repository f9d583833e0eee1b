internal import Foundation
internal import ReelCore
internal import ReelTestSupport
internal import Testing

@testable internal import ReelImaging

@Suite("Exact functions")
struct ExactMathTests {
  @Test("agree with the system's functions to a few units in the last place")
  func accuracy() {
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<20_000 {
      let x = Double.random(in: 1e-9...100, using: &generator)
      let e = Double.random(in: -30...30, using: &generator)
      #expect(abs(ExactMath.log2(x) - log2(x)) <= 4e-15 * max(1, abs(log2(x))))
      #expect(abs(ExactMath.exp2(e) / exp2(e) - 1) < 2e-15)
      let s = ExactMath.sineAndCosine(e)
      #expect(abs(s.sine - sin(e)) < 4e-15 && abs(s.cosine - cos(e)) < 4e-15)
      let a = Double.random(in: -5...5, using: &generator)
      #expect(abs(ExactMath.angle(y: a, x: e) - atan2(a, e)) < 2e-15)
      let p = Double.random(in: 0.1...3, using: &generator)
      #expect(abs(ExactMath.power(x, p) / pow(x, p) - 1) < 2e-13)
    }
  }

  @Test("take every number without a trap")
  func extremes() {
    for x in [0, -1, .infinity, -.infinity, .nan, 1e308, -1e308, .leastNonzeroMagnitude] as [Double]
    {
      _ = ExactMath.log2(x)
      _ = ExactMath.exp2(x)
      _ = ExactMath.power(x, x)
      _ = ExactMath.sineAndCosine(x)
      _ = ExactMath.angle(y: x, x: -x)
    }
    #expect(ExactMath.power(0, 0.5) == 0 && ExactMath.power(1, 7) == 1)
    #expect(ExactMath.exp2(10) == 1024 && ExactMath.log2(8) == 3)
  }
}

@Suite("Colour conversion")
struct ColourConversionTests {
  static let formats: [PictureFormat] = [
    format(.yuv420, matrix: 1), format(.yuv420, matrix: 6, full: true, location: 1),
    format(.yuv420, 10, matrix: 9, location: 2), format(.yuv420, matrix: 6, location: 3),
    format(.yuv420, matrix: 1, location: 4), format(.yuv420, 12, matrix: 1, location: 5),
    format(.yuv422, 10, matrix: 1), format(.yuv422, matrix: 6, location: 1),
    format(.yuv444, matrix: 7), format(.yuv444, 16, matrix: 1, full: true),
    format(.monochrome), format(.yuv444, matrix: 0, full: true),
    format(.yuv444, 12, matrix: 0, full: false),
  ]

  @Test("keeps every sample within one code of the double-precision reference", arguments: formats)
  func accuracy(source: PictureFormat) throws {
    for target in Self.formats {
      for (width, height) in [(70, 42), (33, 17)] {
        let frame = VideoFrame.noise(width: width, height: height, format: source, seed: 7)
        let result = try frame.converted(to: target)
        if target == source { continue }
        let expected = ColourReference(target).codes(ColourReference(source).rgbPlanes(frame))
        // Planes that keep their meaning are not resampled.
        let keepsChroma =
          source.chromaFormat == target.chromaFormat
          && source.colour.matrix == target.colour.matrix
          && source.colour.chromaLocation == target.colour.chromaLocation
        for plane in 0..<result.planeCount where !(keepsChroma && plane > 0) {
          let depth = plane == 0 ? target.lumaBitDepth : target.chromaBitDepth
          let difference = largestDifference(
            result.samples(plane), expected[plane], maximum: Double(1 << depth - 1))
          #expect(
            difference <= 0.6, "\(source) to \(target), plane \(plane), \(width)×\(height)")
        }
      }
    }
  }

  @Test("shares the planes when nothing changes")
  func untouched() throws {
    let frame = VideoFrame.noise(width: 32, height: 32, format: format(.yuv420), seed: 3)
    let same = try frame.converted(to: frame.format)
    guard case .depth8(let a) = frame.storage, case .depth8(let b) = same.storage else {
      Issue.record("storage changed")
      return
    }
    #expect(a === b)
  }

  @Test("gives the same bytes with any number of bands", arguments: formats)
  func bands(source: PictureFormat) throws {
    let frame = VideoFrame.noise(width: 61, height: 45, format: source, seed: 11)
    for target in Self.formats {
      let one = try frame.converted(to: target)
      for width in [2, 3, 7] {
        let more = try frame.converted(to: target, executor: SerialExecutor(width: width))
        #expect(one.fingerprint == more.fingerprint)
      }
    }
  }

  @Test("refuses matrices that are not built", arguments: [3, 10, 11, 14, 255] as [UInt8])
  func unsupported(matrix: UInt8) {
    let frame = VideoFrame.noise(
      width: 8, height: 8, format: format(.yuv420, matrix: matrix), seed: 1)
    #expect(throws: MediaError.self) { _ = try frame.converted(to: .rgb()) }
  }
}

@Suite("Tone mapping")
struct ToneMappingTests {
  static func pq(_ c: Double) -> Double {
    let p = pow(c, 1 / 78.84375)
    return 10000 * pow(max(p - 0.8359375, 0) / (18.8515625 - 18.6875 * p), 1 / 0.1593017578125)
  }
  static func pqInverse(_ l: Double) -> Double {
    let y = pow(l / 10000, 0.1593017578125)
    return pow((0.8359375 + 18.8515625 * y) / (1 + 18.6875 * y), 78.84375)
  }
  static func curve(_ curve: ToneCurve, _ l: Double) -> Double {
    switch curve {
    case .clip: return min(l / 203, 1)
    case .reinhard:
      let p = 1000.0 / 203
      let x = l / 203
      return min(x * (1 + x / (p * p)) / (1 + x), 1)
    case .hable:
      func f(_ x: Double) -> Double {
        (x * (0.15 * x + 0.05) + 0.004) / (x * (0.15 * x + 0.5) + 0.06) - 0.02 / 0.3
      }
      return min(f(l / 203 * 2) / f(2000.0 / 203), 1)
    case .bt2390:
      let top = pqInverse(1000)
      let m = pqInverse(203) / top
      let e = min(pqInverse(l) / top, 1)
      let k = 1.5 * m - 0.5
      if e < k { return l / 203 }
      let t = (e - k) / (1 - k)
      let h =
        (2 * t * t * t - 3 * t * t + 1) * k + (t * t * t - 2 * t * t + t) * (1 - k)
        + (3 * t * t - 2 * t * t * t) * m
      return pq(h * top) / 203
    }
  }

  @Test("follows its curve within two codes", arguments: ToneCurve.allCases)
  func accuracy(curve: ToneCurve) throws {
    for transfer in [16, 18] as [UInt8] {
      let source = format(
        .yuv444, 10, matrix: 0, full: true, primaries: 9, transfer: transfer)
      let frame = VideoFrame.noise(width: 64, height: 64, format: source, seed: 5)
      let target = format(.yuv444, matrix: 0, full: true, primaries: 1, transfer: 1)
      let result = try frame.converted(to: target, curve: curve)
      let planes = (0..<3).map { frame.samples($0).map { $0 / 1023 } }
      let toBT709: [[Double]] = [
        [1.660491, -0.587641, -0.072850], [-0.124550, 1.132900, -0.008349],
        [-0.018151, -0.100579, 1.118730],
      ]
      for i in planes[0].values.indices {
        // Planes are G, B, R.
        var rgb = [planes[2].values[i], planes[0].values[i], planes[1].values[i]]
        if transfer == 16 {
          rgb = rgb.map(Self.pq)
        } else {
          rgb = rgb.map {
            $0 <= 0.5 ? $0 * $0 / 3 : (exp(($0 - 0.55991073) / 0.17883277) + 0.28466892) / 12
          }
          let y = 0.2627 * rgb[0] + 0.6780 * rgb[1] + 0.0593 * rgb[2]
          rgb = rgb.map { $0 * 1000 * pow(y, 0.2) }
        }
        let light = rgb.max() ?? 0
        let gain = light > 0 ? Self.curve(curve, light) / light : 0
        let mapped = toBT709.map { row in
          pow(min(max(zip(row, rgb).reduce(0) { $0 + $1.0 * $1.1 } * gain, 0), 1), 1 / 2.4) * 255
        }
        for (plane, component) in [(0, 1), (1, 2), (2, 0)] {
          #expect(abs(result.samples(plane).values[i] - mapped[component]) <= 2)
        }
      }
    }
  }
}

@Suite("Tone mapping in compositions")
struct ToneMappedCompositionTests {
  @Test("brings PQ and HLG to BT.709 with the named curve, and leaves other pictures alone")
  func toned() throws {
    for transfer in [16, 18] as [UInt8] {
      let form = format(.yuv420, 10, matrix: 9, primaries: 9, transfer: transfer)
      let frame = VideoFrame.scene(width: 40, height: 24, format: form)
      var target = form
      (target.colour.primaries, target.colour.transfer, target.colour.matrix) = (1, 1, 1)
      for curve in ToneCurve.allCases {
        var composition = Composition()
        composition.toneCurve = curve
        let result = try Compositor().compose(frame, composition)
        let want = try frame.converted(to: target, curve: curve)
        #expect(result.fingerprint == want.fingerprint && result.colour == target.colour)
      }
    }
    var composition = Composition()
    composition.toneCurve = .hable
    let plain = VideoFrame.scene(width: 40, height: 24, format: format(.yuv420))
    #expect(try Compositor().compose(plain, composition).fingerprint == plain.fingerprint)
  }
}
