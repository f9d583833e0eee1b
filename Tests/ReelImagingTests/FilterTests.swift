internal import Foundation
internal import ReelCore
internal import ReelTestSupport
internal import Testing

@testable internal import ReelImaging

/// Filters on points as their definitions say, in double precision, on pixels that share their chroma.
struct PointReference {
  typealias RGB = (r: Double, g: Double, b: Double)
  let format: PictureFormat
  let operation: (RGB, _ x: Int, _ y: Int) -> RGB

  /// R′G′B′ limited to 0…1 per pixel, or what codes can hold of it.
  func run(_ frame: VideoFrame, isLimited: Bool = true) -> [DoublePlane] {
    let reference = ColourReference(format)
    let planes = (0..<3).map { index in
      frame.samples(index).map { reference.value($0, plane: index) }
    }
    let (h, v) = (format.chromaFormat.horizontalShift, format.chromaFormat.verticalShift)
    var result = [DoublePlane](
      repeating: DoublePlane(width: frame.width, height: frame.height), count: 3)
    for y in 0..<frame.height {
      for x in 0..<frame.width {
        let rgb = reference.rgb(
          planes[0][x, y], planes[1][x >> h, y >> v], planes[2][x >> h, y >> v])
        let out = operation((rgb.0, rgb.1, rgb.2), x, y)
        func unit(_ c: Double) -> Double { isLimited ? min(max(c, 0), 1) : c }
        let ycc = reference.ycc(unit(out.r), unit(out.g), unit(out.b))
        result[0][x, y] = ycc.0
        result[1][x, y] = ycc.1
        result[2][x, y] = ycc.2
      }
    }
    for index in 1...2 {
      let full = result[index]
      result[index] = DoublePlane(width: planes[index].width, height: planes[index].height) {
        x, y in
        var sum = 0.0
        for dy in 0..<(1 << v) {
          for dx in 0..<(1 << h) { sum += full.clamped((x << h) + dx, (y << v) + dy) }
        }
        return sum / Double(1 << (h + v))
      }
    }
    return result.indices.map { index in
      result[index].map { reference.code($0, plane: index) }
    }
  }
}

extension PointReference {
  /// What may come out: R′G′B′ limited, and what codes hold where luma and chroma stay apart. Which of both
  /// a picture gets depends on its codes: see `CodeMapTests/shown`.
  func either(_ frame: VideoFrame) -> [[DoublePlane]] {
    [run(frame)] + (keepsPlanesApart ? [run(frame, isLimited: false)] : [])
  }

  /// The operation is affine, makes luma of luma alone and chroma of chroma alone: then codes may hold what
  /// R′G′B′ 0…1 does not. Found by trying.
  var keepsPlanesApart: Bool {
    guard format.chromaFormat.hasChroma else { return false }
    let reference = ColourReference(format)
    func out(
      _ y: Double, _ cb: Double, _ cr: Double, at place: Int = 0
    ) -> (Double, Double, Double) {
      let rgb = reference.rgb(y, cb, cr)
      let c = operation((rgb.0, rgb.1, rgb.2), place, place)
      return reference.ycc(c.r, c.g, c.b)
    }
    let middle = out(0.5, 0.1, 0.1)
    guard out(0.5, 0.1, 0.1, at: 23) == middle else { return false }
    for (y, cb, cr) in [(0.2, 0.1, 0.1), (0.8, 0.1, 0.1), (0.5, -0.4, 0.1), (0.5, 0.3, -0.4)] {
      let (a, b) = (out(y, cb, cr), out(1 - y, 0.2 - cb, 0.2 - cr))
      // Affine: the mean of two is what the mean gives.
      let mean = ((a.0 + b.0) / 2, (a.1 + b.1) / 2, (a.2 + b.2) / 2)
      let bend = max(
        abs(mean.0 - middle.0), abs(mean.1 - middle.1), abs(mean.2 - middle.2))
      if bend > 1e-9 { return false }
    }
    // In codes, of the largest codes there are.
    func code(_ v: Double, _ plane: Int) -> Double { reference.code(v, plane: plane) }
    let (cb, cr, bright) = (out(0.5, 0.6, 0.1), out(0.5, 0.1, 0.6), out(1, 0.1, 0.1))
    let reach = Double(1 << (format.lumaBitDepth - 1)) / (code(0.5, 1) - code(0, 1))
    let inLuma =
      (abs(code(cb.0, 0) - code(middle.0, 0)) + abs(code(cr.0, 0) - code(middle.0, 0))) * reach
    let height = Double(1 << format.lumaBitDepth) / (code(1, 0) - code(0.5, 0))
    let inChroma = (1...2).map { plane in
      let (from, to) = plane == 1 ? (middle.1, bright.1) : (middle.2, bright.2)
      return abs(code(to, plane) - code(from, plane)) * height
    }
    return inLuma <= 0.3 && inChroma.allSatisfy { $0 <= 0.3 }
  }
}

private func luma(_ c: PointReference.RGB) -> Double {
  0.2126 * c.r + 0.7152 * c.g + 0.0722 * c.b
}
private func mix(
  _ a: PointReference.RGB, _ b: PointReference.RGB, _ t: Double
) -> PointReference.RGB {
  (a.r + (b.r - a.r) * t, a.g + (b.g - a.g) * t, a.b + (b.b - a.b) * t)
}
private func map(
  _ c: PointReference.RGB, _ f: (Double) -> Double
) -> PointReference.RGB { (f(c.r), f(c.g), f(c.b)) }

@Suite("Colour filters")
struct ColourFilterTests {
  static let width = 66
  static let height = 46

  static let formats: [PictureFormat] = [
    format(.yuv420), format(.yuv420, matrix: 6, full: true), format(.yuv422, 10, matrix: 9),
    format(.yuv444, matrix: 0, full: true), format(.yuv444, 16), format(.yuv420, 12),
  ]

  struct Case: Sendable, CustomTestStringConvertible {
    var filter: FilterDescription
    var reference: @Sendable (PointReference.RGB, Int, Int) -> PointReference.RGB
    var tolerance = 0.6
    var testDescription: String { filter.description }
  }

  static let cases: [Case] = [
    Case(
      filter: .init(
        "CIColorControls",
        ["inputSaturation": 1.6, "inputBrightness": 0.1, "inputContrast": 1.3])
    ) { c, _, _ in
      let l = luma(c)
      return map((l + (c.r - l) * 1.6, l + (c.g - l) * 1.6, l + (c.b - l) * 1.6)) {
        ($0 + 0.1 - 0.5) * 1.3 + 0.5
      }
    },
    Case(filter: .init("CIColorControls", ["inputContrast": 4])) { c, _, _ in
      map(c) { ($0 - 0.5) * 4 + 0.5 }
    },
    Case(filter: .init("CIExposureAdjust", ["inputEV": 0.8])) { c, _, _ in
      map(c) { $0 * pow(2, 0.8) }
    },
    Case(
      filter: .init("CIGammaAdjust", ["inputPower": 0.45]),
      reference: { c, _, _ in
        map(c) { pow(max($0, 0), 0.45) }
      }, tolerance: 1),
    Case(
      filter: .init("CIGammaAdjust", ["inputPower": 2.2]),
      reference: { c, _, _ in
        map(c) { pow(max($0, 0), 2.2) }
      }, tolerance: 1),
    Case(filter: .init("CIHueAdjust", ["inputAngle": 1.2])) { c, _, _ in
      // Through the matrices of SVG 1.1 §15.10.
      let (k, s) = (cos(1.2), sin(1.2))
      let w = (0.213, 0.715, 0.072)
      let l = w.0 * c.r + w.1 * c.g + w.2 * c.b
      let sinR = -0.213 * c.r - 0.715 * c.g + 0.928 * c.b
      let sinG = 0.143 * c.r + 0.140 * c.g - 0.283 * c.b
      let sinB = -0.787 * c.r + 0.715 * c.g + 0.072 * c.b
      return (
        l + k * (c.r - l) + s * sinR, l + k * (c.g - l) + s * sinG, l + k * (c.b - l) + s * sinB
      )
    },
    Case(filter: .init("CIVibrance", ["inputAmount": 0.7])) { c, _, _ in
      let l = luma(c)
      let spread = max(c.r, c.g, c.b) - min(c.r, c.g, c.b)
      let k = 1 + 0.7 * (1 - min(spread, 1))
      return (l + (c.r - l) * k, l + (c.g - l) * k, l + (c.b - l) * k)
    },
    Case(
      filter: .init(
        "CIColorMatrix",
        [
          .init("inputRVector", .vector([0.5, 0.2, 0.1, 0.05])),
          .init("inputGVector", .vector([0, 0.9, -0.2, 0])),
          .init("inputBVector", .vector([0.3, 0, 0.8, 0])),
          .init("inputBiasVector", .vector([0.02, 0.1, -0.1, 0])),
        ])
    ) { c, _, _ in
      (
        0.5 * c.r + 0.2 * c.g + 0.1 * c.b + 0.07, 0.9 * c.g - 0.2 * c.b + 0.1,
        0.3 * c.r + 0.8 * c.b - 0.1
      )
    },
    Case(filter: .init("CIColorInvert")) { c, _, _ in map(c) { 1 - $0 } },
    Case(
      filter: .init(
        "CIColorMonochrome",
        [
          .init("inputColor", .color(RGBAColor(red: 0.2, green: 0.5, blue: 0.9))),
          .init("inputIntensity", .number(0.8)),
        ])
    ) { c, _, _ in
      let l = luma(c)
      return mix(c, (l * 0.2, l * 0.5, l * 0.9), 0.8)
    },
    Case(filter: .init("CISepiaTone", ["inputIntensity": 0.9])) { c, _, _ in
      mix(
        c,
        (
          0.393 * c.r + 0.769 * c.g + 0.189 * c.b, 0.349 * c.r + 0.686 * c.g + 0.168 * c.b,
          0.272 * c.r + 0.534 * c.g + 0.131 * c.b
        ), 0.9)
    },
    Case(filter: .init("CIVignette", ["inputRadius": 1.5, "inputIntensity": 0.8])) { c, x, y in
      let (w, h) = (Double(width) / 2, Double(height) / 2)
      let d = hypot(Double(x) + 0.5 - w, Double(y) + 0.5 - h) / hypot(w, h) * 1.5
      let s = min(d, 1)
      return map(c) { $0 * (1 - 0.8 * s * s * (3 - 2 * s)) }
    },
  ]

  static func check(_ c: Case, _ form: PictureFormat, _ frame: VideoFrame) throws {
    let stack = try FilterStack([c.filter], width: frame.width, height: frame.height)
    let context = FilterContext(pools: PlanePools(), executor: SerialExecutor())
    let result = try stack.run(frame, context: context)
    let reference = PointReference(format: form) { c.reference($0, $1, $2) }
    let differences = reference.either(frame).map { faults(c, form, result, $0) }
    #expect(
      differences.contains { $0.isEmpty },
      "\(c.filter.name) \(form.chromaFormat): \(differences)")
  }

  private static func faults(
    _ c: Case, _ form: PictureFormat, _ result: VideoFrame, _ expected: [DoublePlane]
  ) -> [String] {
    (0..<3).compactMap { plane in
      let depth = plane == 0 ? form.lumaBitDepth : form.chromaBitDepth
      // Tables are built for 8 to 10 bits; above, their error is told in parts of the range.
      let unit = c.tolerance > 0.6 && depth > 8 ? Double(1 << (depth - 8)) * 0.5 : 1
      let difference = largestDifference(
        result.samples(plane), expected[plane], maximum: Double(1 << depth - 1))
      // 8-bit 4:2:0 runs in integers of 13 or 12 bits where a filter is a matrix.
      let isInteger = form.chromaFormat == .yuv420 && form.lumaBitDepth == 8
      return difference <= (isInteger ? max(c.tolerance, 0.8) : c.tolerance * unit)
        ? nil : "plane \(plane) of \(depth) bit: \(difference)"
    }
  }

  @Test("agree with their definitions", arguments: cases)
  func accuracy(c: Case) throws {
    for form in Self.formats {
      try Self.check(
        c, form, .noise(width: Self.width, height: Self.height, format: form, seed: 31))
      try Self.check(c, form, .scene(width: Self.width, height: Self.height, format: form))
    }
  }

  @Test("posterize puts every component on a level next to it")
  func posterize() throws {
    let form = format(.yuv444, matrix: 0, full: true)
    let frame = VideoFrame.noise(width: 64, height: 64, format: form, seed: 6)
    for levels in [2, 5, 30] {
      let stack = try FilterStack(
        [.init("CIColorPosterize", ["inputLevels": Double(levels)])], width: 64, height: 64)
      let result = try stack.run(
        frame, context: FilterContext(pools: PlanePools(), executor: SerialExecutor()))
      for plane in 0..<3 {
        for (a, b) in zip(frame.samples(plane).values, result.samples(plane).values) {
          // A component on the edge between two levels may take either.
          let exact = a / 255 * Double(levels)
          if abs(exact - exact.rounded()) < 1e-4 { continue }
          let level = min(floor(exact), Double(levels - 1))
          #expect(abs(b - level / Double(levels - 1) * 255) <= 0.6)
        }
      }
    }
  }

  @Test("a cube interpolates along its three axes")
  func cube() throws {
    var generator = SeededGenerator(seed: 12)
    for n in [2, 7, 17] {
      let values = (0..<3 * n * n * n).map { _ in Float.random(in: 0...1, using: &generator) }
      let cube = try ColourCube(dimension: n, values: values)
      let c = Case(
        filter: cube.filter,
        reference: { c, _, _ in
          func at(_ r: Int, _ g: Int, _ b: Int, _ k: Int) -> Double {
            Double(values[3 * (r + n * (g + n * b)) + k])
          }
          func place(_ x: Double) -> (Int, Double) {
            let p = min(max(x, 0), 1) * Double(n - 1)
            let i = min(Int(p), n - 2)
            return (i, p - Double(i))
          }
          let ((r, wr), (g, wg), (b, wb)) = (place(c.r), place(c.g), place(c.b))
          let parts = (0..<3).map { k in
            var sum = 0.0
            for corner in 0..<8 {
              let (dr, dg, db) = (corner & 1, corner >> 1 & 1, corner >> 2)
              let weight =
                (dr == 1 ? wr : 1 - wr) * (dg == 1 ? wg : 1 - wg) * (db == 1 ? wb : 1 - wb)
              sum += weight * at(r + dr, g + dg, b + db, k)
            }
            return sum
          }
          return (parts[0], parts[1], parts[2])
        }, tolerance: 0.6)
      for form in Self.formats where form.lumaBitDepth <= 12 {
        try Self.check(c, form, .noise(width: 40, height: 30, format: form, seed: 8))
      }
    }
  }

  @Test("cube files are read, and damaged ones refused with their line")
  func cubeFiles() throws {
    let text = """
      # made by hand
      TITLE "invert"
      LUT_3D_SIZE 2
      DOMAIN_MIN 0 0 0
      DOMAIN_MAX 1.0 1.0 1.0
      1 1 1
      0 1 1
      1 0 1
      0 0 1
      1 1 0
      0 1 0
      1 0 0
      0 0 0

      """
    let cube = try ColourCube(cubeFile: Array(text.utf8))
    let form = format(.yuv444, matrix: 0, full: true)
    let frame = VideoFrame.noise(width: 16, height: 16, format: form, seed: 3)
    let context = FilterContext(pools: PlanePools(), executor: SerialExecutor())
    let a = try FilterStack([cube.filter], width: 16, height: 16).run(frame, context: context)
    let b = try FilterStack([.init("CIColorInvert")], width: 16, height: 16).run(
      frame, context: context)
    #expect(a.fingerprint == b.fingerprint)
    for damaged in [
      "LUT_3D_SIZE 300\n", "LUT_3D_SIZE 2\n1 2\n", "1 2 3\n", "LUT_3D_SIZE 2\n1 nan 3\n",
      "LUT_1D_SIZE 3\n", "LUT_3D_SIZE 2\nDOMAIN_MIN 0 0 1\n", "", "LUT_3D_SIZE 2\n1 1 1\n",
    ] {
      #expect(throws: MediaError.self) { _ = try ColourCube(cubeFile: Array(damaged.utf8)) }
    }
  }

  @Test("white balance keeps white under the same light and makes it bluer under a colder one")
  func whiteBalance() throws {
    let same = WhiteBalance.matrix(from: [5000, 20], to: [5000, 20])
    for i in 0..<12 { #expect(abs(same.m[i] - AffineColour.identity.m[i]) < 1e-9) }
    let colder = WhiteBalance.matrix(from: [6500, 0], to: [10000, 0])
    let red = colder.m[0] + colder.m[1] + colder.m[2]
    let blue = colder.m[8] + colder.m[9] + colder.m[10]
    #expect(blue > 1.05 && red < 0.97)
    // The black body of 6,500 K has the chromaticity (0.3135, 0.3237) in CIE 1931 xy.
    let white = WhiteBalance.white(temperature: 6500, tint: 0)
    let sum = white.0 + white.1 + white.2
    #expect(abs(white.0 / sum - 0.3135) < 1e-3 && abs(white.1 / sum - 0.3237) < 1e-3)
  }

  @Test(
    "photo effects follow their matrix and curves",
    arguments: [
      "CIPhotoEffectMono", "CIPhotoEffectNoir", "CIPhotoEffectTonal", "CIPhotoEffectChrome",
      "CIPhotoEffectFade", "CIPhotoEffectInstant", "CIPhotoEffectProcess",
      "CIPhotoEffectTransfer",
    ])
  func photoEffects(name: String) throws {
    let knots: [String: (Double, [[Double]])] = [
      "CIPhotoEffectMono": (0, [[0.04, 0.27, 0.51, 0.74, 0.95]]),
      "CIPhotoEffectNoir": (0, [[0, 0.12, 0.46, 0.84, 1]]),
      "CIPhotoEffectTonal": (0, [[0, 0.235, 0.49, 0.755, 1]]),
      "CIPhotoEffectChrome": (1.25, [[0, 0.22, 0.51, 0.79, 1]]),
      "CIPhotoEffectFade": (0.65, [[0.1, 0.3, 0.52, 0.73, 0.92]]),
      "CIPhotoEffectInstant": (
        0.8,
        [
          [0.08, 0.31, 0.56, 0.79, 0.97], [0.06, 0.28, 0.53, 0.76, 0.95],
          [0.14, 0.31, 0.49, 0.68, 0.86],
        ]
      ),
      "CIPhotoEffectProcess": (
        0.9,
        [
          [0, 0.19, 0.47, 0.75, 0.96], [0.01, 0.25, 0.53, 0.8, 1], [0.1, 0.33, 0.56, 0.76, 0.94],
        ]
      ),
      "CIPhotoEffectTransfer": (
        0.9,
        [
          [0.06, 0.31, 0.58, 0.82, 1], [0.04, 0.26, 0.51, 0.75, 0.95],
          [0.05, 0.22, 0.43, 0.65, 0.84],
        ]
      ),
    ]
    let (saturation, curves) = try #require(knots[name])
    @Sendable func curve(_ k: [Double], _ x: Double) -> Double {
      let p = min(max(x, 0), 1) * 4
      let i = min(Int(p), 3)
      let t = p - Double(i)
      let before = i == 0 ? 2 * k[0] - k[1] : k[i - 1]
      let after = i == 3 ? 2 * k[4] - k[3] : k[i + 2]
      let (a, b) = (k[i], k[i + 1])
      return a + 0.5 * t
        * ((b - before) + t
          * (2 * before - 5 * a + 4 * b - after + t * (3 * (a - b) + after - before)))
    }
    let c = Case(
      filter: .init(name),
      reference: { c, _, _ in
        let l = luma(c)
        let s = (
          l + (c.r - l) * saturation, l + (c.g - l) * saturation, l + (c.b - l) * saturation
        )
        let three = curves.count == 3
        return (
          curve(curves[0], s.0), curve(curves[three ? 1 : 0], s.1),
          curve(curves[three ? 2 : 0], s.2)
        )
      }, tolerance: 0.7)
    for form in Self.formats where form.lumaBitDepth <= 10 {
      try Self.check(c, form, .noise(width: 40, height: 30, format: form, seed: 44))
    }
  }

  @Test("brightness and contrast run last, once, after the stack")
  func order() throws {
    let form = format(.yuv444, matrix: 0, full: true)
    let frame = VideoFrame.noise(width: 32, height: 32, format: form, seed: 9)
    let context = FilterContext(pools: PlanePools(), executor: SerialExecutor())
    let stack = try FilterStack(
      [.init("CIColorInvert")], brightness: 0.2, contrast: 1.5, width: 32, height: 32)
    #expect(stack.stages.count == 1)
    let result = try stack.run(frame, context: context)
    for plane in 0..<3 {
      for (a, b) in zip(frame.samples(plane).values, result.samples(plane).values) {
        let c = min(max((1 - a / 255 + 0.2 - 0.5) * 1.5 + 0.5, 0), 1)
        #expect(abs(b - c * 255) <= 0.6)
      }
    }
    let none = try FilterStack([], brightness: 0, contrast: 1, width: 32, height: 32)
    #expect(none.isEmpty)
    let clamped = try FilterStack([], brightness: 9, contrast: -3, width: 32, height: 32)
    let grey = try clamped.run(frame, context: context)
    #expect(grey.samples(0).values.allSatisfy { $0 == 128 })
  }
}

@Suite("Filter descriptions")
struct FilterDescriptionTests {
  private func error(_ filter: FilterDescription) -> MediaError? {
    do throws(MediaError) {
      _ = try FilterStack([filter], width: 64, height: 64)
      return nil
    } catch { return error }
  }

  @Test("unknown names and keys list the known ones")
  func unknown() throws {
    let name = try #require(error(.init("CIGausianBlur")))
    #expect(name.rule == .filterName && name.description.contains("CIGaussianBlur"))
    let key = try #require(error(.init("CIGaussianBlur", ["inputRadios": 3])))
    #expect(key.rule == .filterKey && key.description.contains("inputRadius"))
  }

  @Test("values that are no numbers or of the wrong kind are refused")
  func values() {
    for value in [Double.nan, .infinity, -.infinity] {
      #expect(error(.init("CIGaussianBlur", ["inputRadius": value]))?.rule == .filterValue)
    }
    #expect(
      error(.init("CIGaussianBlur", [.init("inputRadius", .string("3"))]))?.rule == .filterValue)
    #expect(
      error(.init("CIPixellate", [.init("inputCenter", .vector([1]))]))?.rule == .filterValue)
    #expect(error(.init("CIColorCube", ["inputCubeDimension": 4]))?.rule == .filterValue)
    #expect(
      error(
        .init(
          "CIColorCube",
          [.init("inputCubeDimension", .number(4)), .init("inputCubeData", .data([1, 2]))]))?.rule
        == .cubeData)
  }

  @Test("every filter runs with its defaults, at its limits and beyond them, on every format")
  func extremes() throws {
    for specification in FilterCatalog.all where specification.name != "CIColorCube" {
      for scale in [0, -1e30, 1e30] {
        let parameters = specification.parameters.compactMap { p -> FilterParameter? in
          if scale == 0 { return nil }
          switch p.kind {
          case .number: return FilterParameter(p.key, .number(scale))
          case .vector(let v, _): return FilterParameter(p.key, .vector(v.map { _ in scale }))
          case .colour:
            return FilterParameter(
              p.key, .color(RGBAColor(red: scale, green: 0, blue: scale)))
          case .data: return nil
          }
        }
        let filter = FilterDescription(specification.name, parameters)
        for form in ColourFilterTests.formats + [format(.monochrome), format(.monochrome, 10)] {
          for (w, h) in [(1, 1), (2, 3), (50, 40)] {
            let stack: FilterStack
            do { stack = try FilterStack([filter], width: w, height: h) } catch { continue }
            let frame = VideoFrame.noise(width: w, height: h, format: form, seed: 2)
            let result = try stack.run(
              frame, context: FilterContext(pools: PlanePools(), executor: SerialExecutor()))
            #expect(result.width == w && result.height == h)
            let two = try stack.run(
              frame, context: FilterContext(pools: PlanePools(), executor: SerialExecutor(width: 3))
            )
            #expect(two.fingerprint == result.fingerprint, "\(filter) \(form) \(w)×\(h)")
          }
        }
      }
    }
  }

  @Test("custom filters run by their name, on rows and on frames")
  func custom() throws {
    let form = format(.yuv444, matrix: 0, full: true)
    let frame = VideoFrame.noise(width: 20, height: 20, format: form, seed: 1)
    let swap = CustomFilter(name: "swap", cacheKey: "1") { (row: inout FilterRow) in
      (row.red, row.blue) = (row.blue, row.red)
    }
    let broken = CustomFilter(name: "broken", cacheKey: "1") { (row: inout FilterRow) in
      row.red = []
      row.green[0] = .nan
    }
    let turn = CustomFilter(name: "turn", cacheKey: "1") {
      (frame: VideoFrame) throws(MediaError) in
      try frame.oriented(Orientation(quarterTurns: 2))
    }
    let context = FilterContext(pools: PlanePools(), executor: SerialExecutor())
    let result = try FilterStack(
      [.init("swap"), .init("turn"), .init("broken")], width: 20, height: 20,
      custom: [swap, turn, broken]
    ).run(frame, context: context)
    #expect(result.samples(0)[3, 4] == frame.samples(0)[16, 15])
    #expect(result.samples(1)[3, 4] == frame.samples(2)[16, 15])
  }
}
