internal import Foundation
internal import ReelCore
internal import ReelTestSupport
internal import Testing

@testable internal import ReelImaging

/// Filters on planes as their definitions say.
private enum SpatialReference {
  static func gaussian(_ p: DoublePlane, _ sx: Double, _ sy: Double) -> DoublePlane {
    func taps(_ s: Double) -> [Double] {
      if s < 1e-9 { return [1] }
      let reach = Int(ceil(s * 5))
      let w = (-reach...reach).map { exp(-Double($0 * $0) / (2 * s * s)) }
      let sum = w.reduce(0, +)
      return w.map { $0 / sum }
    }
    let (wx, wy) = (taps(sx), taps(sy))
    let (rx, ry) = (wx.count / 2, wy.count / 2)
    let wide = DoublePlane(width: p.width, height: p.height) { x, y in
      var sum = 0.0
      for k in wx.indices { sum += wx[k] * p.clamped(x + k - rx, y) }
      return sum
    }
    return DoublePlane(width: p.width, height: p.height) { x, y in
      var sum = 0.0
      for k in wy.indices { sum += wy[k] * wide.clamped(x, y + k - ry) }
      return sum
    }
  }

  static func box(_ p: DoublePlane, _ rx: Double, _ ry: Double) -> DoublePlane {
    func weight(_ d: Int, _ r: Double) -> Double {
      let whole = floor(r)
      return abs(Double(d)) <= whole ? 1 : abs(Double(d)) <= whole + 1 ? r - whole : 0
    }
    let (ix, iy) = (Int(rx) + 1, Int(ry) + 1)
    return DoublePlane(width: p.width, height: p.height) { x, y in
      var sum = 0.0
      var total = 0.0
      for dy in -iy...iy {
        for dx in -ix...ix {
          let w = weight(dx, rx) * weight(dy, ry)
          sum += w * p.clamped(x + dx, y + dy)
          total += w
        }
      }
      return sum / total
    }
  }

  static func motion(
    _ p: DoublePlane, _ radius: Double, _ angle: Double, _ shift: (Int, Int)
  ) -> DoublePlane {
    let n = Int(ceil(radius))
    return DoublePlane(width: p.width, height: p.height) { x, y in
      var sum = 0.0
      for k in -n...n {
        let t = n == 0 ? 0 : Double(k) * radius / Double(n)
        let u = Double(x) + t * cos(angle) / Double(1 << shift.0)
        let v = Double(y) - t * sin(angle) / Double(1 << shift.1)
        let (i, j) = (Int(floor(u)), Int(floor(v)))
        let (fu, fv) = (u - floor(u), v - floor(v))
        sum +=
          (p.clamped(i, j) * (1 - fu) + p.clamped(i + 1, j) * fu) * (1 - fv)
          + (p.clamped(i, j + 1) * (1 - fu) + p.clamped(i + 1, j + 1) * fu) * fv
      }
      return sum / Double(2 * n + 1)
    }
  }

  static func pixellate(
    _ p: DoublePlane, _ scale: Double, _ origin: (Double, Double), _ shift: (Int, Int)
  ) -> DoublePlane {
    func cell(_ i: Int, _ origin: Double, _ shift: Int) -> Int {
      Int(floor(((Double(i) + 0.5) * Double(1 << shift) - origin) / scale))
    }
    var sums: [SIMD2<Int>: (Double, Int)] = [:]
    for y in 0..<p.height {
      for x in 0..<p.width {
        let key = SIMD2(cell(x, origin.0, shift.0), cell(y, origin.1, shift.1))
        let old = sums[key] ?? (0, 0)
        sums[key] = (old.0 + p[x, y], old.1 + 1)
      }
    }
    return DoublePlane(width: p.width, height: p.height) { x, y in
      let s = sums[SIMD2(cell(x, origin.0, shift.0), cell(y, origin.1, shift.1))] ?? (0, 1)
      return s.0 / Double(s.1)
    }
  }
}

@Suite("Spatial filters")
struct SpatialFilterTests {
  static let formats: [PictureFormat] = [
    format(.yuv420), format(.yuv422, 10), format(.yuv444, matrix: 0, full: true),
    format(.yuv420, 16), format(.monochrome),
  ]

  static func check(
    _ filter: FilterDescription, tolerance: Double, sizes: [(Int, Int)] = [(90, 70), (33, 41)],
    noise: Bool = true,
    _ reference: (_ plane: DoublePlane, _ index: Int, _ shift: (Int, Int), _ frame: VideoFrame) ->
      DoublePlane
  ) throws {
    for form in formats {
      for (w, h) in sizes {
        for frame in [
          VideoFrame.scene(width: w, height: h, format: form),
          VideoFrame.noise(width: w, height: h, format: form, seed: 17),
        ].prefix(noise ? 2 : 1) {
          let stack = try FilterStack([filter], width: w, height: h)
          let one = try stack.run(
            frame, context: FilterContext(pools: PlanePools(), executor: SerialExecutor()))
          let three = try stack.run(
            frame,
            context: FilterContext(
              pools: PlanePools(), executor: SerialExecutor(width: 3), kernels: .plain))
          #expect(one.fingerprint == three.fingerprint, "\(filter) \(form)")
          for plane in 0..<frame.planeCount {
            let h = plane == 0 ? 0 : form.chromaFormat.horizontalShift
            let v = plane == 0 ? 0 : form.chromaFormat.verticalShift
            let depth = plane == 0 ? form.lumaBitDepth : form.chromaBitDepth
            let want = reference(frame.samples(plane), plane, (h, v), frame)
            let difference = largestDifference(
              one.samples(plane), want, maximum: Double(1 << depth - 1))
            let unit = tolerance > 0.6 ? Double(1 << (depth - 8)) : 1
            #expect(
              difference <= tolerance * unit,
              "\(filter) \(form.chromaFormat) \(depth) bit plane \(plane): \(difference)")
          }
        }
      }
    }
  }

  @Test(
    "the Gaussian blur is within 1/255 of the exact one",
    arguments: [
      0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 2.2, 2.6, 2.8, 3.05, 3.06, 4, 5, 6.24, 6.25, 6.5, 8, 10, 12.7,
      20, 33, 60,
    ])
  func gaussian(radius: Double) throws {
    try Self.check(
      .init("CIGaussianBlur", ["inputRadius": radius]), tolerance: 1, sizes: [(120, 90), (35, 51)]
    ) { plane, _, shift, _ in
      SpatialReference.gaussian(
        plane, radius / Double(1 << shift.0), radius / Double(1 << shift.1))
    }
  }

  @Test("the box blur is exact", arguments: [0.3, 1, 2.5, 7, 30.25])
  func box(radius: Double) throws {
    try Self.check(.init("CIBoxBlur", ["inputRadius": radius]), tolerance: 0.6) {
      plane, _, shift, _ in
      SpatialReference.box(plane, radius / Double(1 << shift.0), radius / Double(1 << shift.1))
    }
  }

  @Test(
    "the motion blur follows its line",
    arguments: [(5.0, 0.0), (8, 0.6), (3.5, 1.5707963), (10, -2.2)])
  func motion(radius: Double, angle: Double) throws {
    try Self.check(
      .init("CIMotionBlur", ["inputRadius": radius, "inputAngle": angle]), tolerance: 0.6
    ) { plane, _, shift, _ in SpatialReference.motion(plane, radius, angle, shift) }
  }

  @Test("pixellate means squares, on grids that start anywhere", arguments: [1.0, 3, 8, 10.5, 200])
  func pixellate(scale: Double) throws {
    for centre in [[0.0, 0], [150, 150], [13.25, -7.5]] {
      try Self.check(
        .init(
          "CIPixellate",
          [.init("inputScale", .number(scale)), .init("inputCenter", .vector(centre))]),
        tolerance: 0.6
      ) { plane, _, shift, frame in
        SpatialReference.pixellate(
          plane, scale, (centre[0], Double(frame.height) - centre[1]), shift)
      }
    }
  }

  @Test("sharpening adds what the blur takes away", arguments: [1.0, 2.5, 6])
  func sharpen(radius: Double) throws {
    try Self.check(
      .init("CIUnsharpMask", ["inputRadius": radius, "inputIntensity": 0.8]), tolerance: 1.5
    ) { plane, _, shift, _ in
      let blurred = SpatialReference.gaussian(
        plane, radius / Double(1 << shift.0), radius / Double(1 << shift.1))
      return DoublePlane(width: plane.width, height: plane.height) { x, y in
        plane[x, y] + 0.8 * (plane[x, y] - blurred[x, y])
      }
    }
    try Self.check(
      .init("CISharpenLuminance", ["inputRadius": radius, "inputSharpness": 1]), tolerance: 1.7
    ) { plane, index, shift, frame in
      if index > 0 && frame.colour.matrix != 0 { return plane }
      let blurred = SpatialReference.gaussian(plane, radius, radius)
      return DoublePlane(width: plane.width, height: plane.height) { x, y in
        2 * plane[x, y] - blurred[x, y]
      }
    }
  }

  @Test("a crop leaves black outside, by area where its edges cut samples")
  func crop() throws {
    let rect = [10.5, 8.0, 40.25, 30.0]
    try Self.check(
      .init("CICrop", [.init("inputRectangle", .vector(rect))]), tolerance: 0.6
    ) { plane, index, shift, frame in
      let black = try? PlaneColour(
        .black,
        in: ResolvedFormat(frame.format, width: frame.width, height: frame.height))
      let background = Double(black?[index] ?? 0)
      let top = Double(frame.height) - rect[1] - rect[3]
      return DoublePlane(width: plane.width, height: plane.height) { x, y in
        func share(_ i: Int, _ s: Int, _ a: Double, _ b: Double) -> Double {
          let u = Double(1 << s)
          return max(0, min(Double(i + 1) * u, b) - max(Double(i) * u, a)) / u
        }
        let k =
          share(x, shift.0, rect[0], rect[0] + rect[2]) * share(y, shift.1, top, top + rect[3])
        return background + (plane[x, y] - background) * k
      }
    }
  }

  @Test("an affine transform turns around Core Image's origin, at the bottom left")
  func affine() throws {
    // A shift by whole chroma samples is exact, and upwards for positive y.
    try Self.check(
      .init("CIAffineTransform", [.init("inputTransform", .vector([1, 0, 0, 1, 8, 4]))]),
      tolerance: 0.6
    ) { plane, index, shift, frame in
      let black = try? PlaneColour(
        .black, in: ResolvedFormat(frame.format, width: frame.width, height: frame.height))
      return DoublePlane(width: plane.width, height: plane.height) { x, y in
        let (u, v) = (x - 8 >> shift.0, y + 4 >> shift.1)
        let inside = u >= 0 && v < plane.height
        return inside ? plane[u, v] : Double(black?[index] ?? 0)
      }
    }
    // Half size: the picture's lower left corner stays.
    let form = format(.yuv444, matrix: 0, full: true)
    let frame = VideoFrame.made(width: 40, height: 40, format: form) { _, x, y in
      x < 20 && y >= 20 ? 200 : 50
    }
    let stack = try FilterStack(
      [
        .init(
          "CIAffineTransform", [.init("inputTransform", .vector([0.5, 0, 0, 0.5, 0, 0]))])
      ], width: 40, height: 40)
    let result = try stack.run(
      frame, context: FilterContext(pools: PlanePools(), executor: SerialExecutor()))
    #expect(result.samples(0)[3, 36] == 200 && result.samples(0)[15, 36] == 50)
    #expect(result.samples(0)[15, 24] == 50 && result.samples(0)[30, 5] == 0)
  }

  @Test("edges are the length of Sobel's gradient; bloom adds only where the blur is brighter")
  func edgesAndBloom() throws {
    for form in [format(.yuv420), format(.yuv444, matrix: 0, full: true), format(.yuv422, 10)] {
      let frame = VideoFrame.scene(width: 64, height: 48, format: form)
      let reference = ColourReference(form)
      // Pixels with the chroma that covers them.
      let (h, v) = (form.chromaFormat.horizontalShift, form.chromaFormat.verticalShift)
      let planes = (0..<3).map { i in frame.samples(i).map { reference.value($0, plane: i) } }
      var rgb = [DoublePlane](repeating: DoublePlane(width: 64, height: 48), count: 3)
      for y in 0..<48 {
        for x in 0..<64 {
          let c = reference.rgb(
            planes[0][x, y], planes[1][x >> h, y >> v], planes[2][x >> h, y >> v])
          (rgb[0][x, y], rgb[1][x, y], rgb[2][x, y]) = (c.0, c.1, c.2)
        }
      }
      let edges = PointReference(format: form) { _, x, y in
        func length(_ p: DoublePlane) -> Double {
          let gx =
            p.clamped(x + 1, y - 1) + 2 * p.clamped(x + 1, y) + p.clamped(x + 1, y + 1)
            - p.clamped(x - 1, y - 1) - 2 * p.clamped(x - 1, y) - p.clamped(x - 1, y + 1)
          let gy =
            p.clamped(x - 1, y + 1) + 2 * p.clamped(x, y + 1) + p.clamped(x + 1, y + 1)
            - p.clamped(x - 1, y - 1) - 2 * p.clamped(x, y - 1) - p.clamped(x + 1, y - 1)
          return hypot(gx, gy) / 4 * 2
        }
        return (length(rgb[0]), length(rgb[1]), length(rgb[2]))
      }.run(frame)
      let context = FilterContext(pools: PlanePools(), executor: SerialExecutor())
      let result = try FilterStack(
        [.init("CIEdges", ["inputIntensity": 2])], width: 64, height: 48
      ).run(frame, context: context)
      let top = Double(1 << form.lumaBitDepth - 1)
      for i in 0..<3 {
        #expect(largestDifference(result.samples(i), edges[i], maximum: top) <= 0.6)
      }
      let bloom = try FilterStack(
        [.init("CIBloom", ["inputIntensity": 1, "inputRadius": 4])], width: 64, height: 48
      ).run(frame, context: context)
      let before = frame.samples(0).values.reduce(0, +)
      #expect(bloom.samples(0).values.reduce(0, +) > before)
      let none = try FilterStack(
        [.init("CIBloom", ["inputIntensity": 0])], width: 64, height: 48
      ).run(frame, context: context)
      #expect(largestDifference(none.samples(0), frame.samples(0), maximum: top) <= 0.6)
    }
  }

  @Test("linear light leaves the form of a picture as it was, also where its matrix is not told")
  func linearForm() throws {
    for form in [format(.yuv420, matrix: 2), format(.yuv420, 10, matrix: 9), format(.monochrome)] {
      // Colours well inside of R′G′B′, so that nothing is limited.
      let unit = 1 << (form.lumaBitDepth - 8)
      let frame = VideoFrame.made(width: 48, height: 32, format: form) { plane, x, y in
        (plane == 0 ? 60 + 2 * x + y : 120 + x / 2 + y / 4) * unit
      }
      var composition = Composition()
      composition.usesLinearLight = true
      composition.filters = [.init("CIGaussianBlur", ["inputRadius": 0.01])]
      let result = try Compositor().compose(frame, composition)
      #expect(result.colour == frame.colour && result.lumaBitDepth == frame.lumaBitDepth)
      let far = largestDifference(
        result.samples(0), frame.samples(0), maximum: Double(256 * unit - 1))
      #expect(far <= Double(2 * unit), "\(form.chromaFormat)")
    }
  }

  @Test("linear light: a blur of a fine chequer is brighter than of codes")
  func linear() throws {
    let form = format(.yuv444, matrix: 0, full: true)
    let frame = VideoFrame.made(width: 40, height: 40, format: form) { _, x, y in
      (x + y) & 1 == 0 ? 0 : 255
    }
    let context = FilterContext(pools: PlanePools(), executor: SerialExecutor())
    let filters = [FilterDescription("CIGaussianBlur", ["inputRadius": 6])]
    let coded = try FilterStack(filters, width: 40, height: 40).run(frame, context: context)
    let light = try FilterStack(filters, width: 40, height: 40, isLinear: true).run(
      frame, context: context)
    #expect(abs(coded.samples(0)[20, 20] - 127.5) <= 1)
    #expect(abs(light.samples(0)[20, 20] - 188) <= 1)
    let nothing = try FilterStack(
      [.init("CIExposureAdjust", ["inputEV": 1])], width: 40, height: 40, isLinear: true)
    let grey = VideoFrame.made(width: 8, height: 8, format: form) { _, x, y in 10 + x + 8 * y }
    let doubled = try nothing.run(grey, context: context)
    for (a, b) in zip(grey.samples(0).values, doubled.samples(0).values) {
      func toLinear(_ c: Double) -> Double {
        c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4)
      }
      func toCode(_ l: Double) -> Double {
        l <= 0.0031308 ? l * 12.92 : 1.055 * pow(l, 1 / 2.4) - 0.055
      }
      #expect(abs(b - toCode(2 * toLinear(a / 255)) * 255) <= 1)
    }
  }
}
