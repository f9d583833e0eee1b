internal import Foundation
internal import ReelCore
internal import ReelTestSupport
internal import Synchronization
internal import Testing

@testable internal import ReelImaging

/// Coverage of a path in a small picture.
private func coverage(
  _ elements: [PathElement], width: Int, height: Int, rule: FillRule = .nonZero,
  tolerance: Double = 0.01
) throws -> [UInt8] {
  Canvas.mask(
    try FlatPath(elements, tolerance: tolerance), rule,
    bounds: SampleRect(x: 0, y: 0, width: width, height: height))
}

private func polygon(_ points: [(Double, Double)]) -> [PathElement] {
  points.enumerated().map { i, p in
    i == 0 ? .move(Point(x: p.0, y: p.1)) : .line(Point(x: p.0, y: p.1))
  } + [.close]
}

@Suite("Rasteriser")
struct RasteriserTests {
  /// The area of a convex polygon inside of a pixel, by clipping it at the four sides.
  private func clippedArea(_ points: [(Double, Double)], x: Double, y: Double) -> Double {
    var shape = points
    for side in 0..<4 {
      var next: [(Double, Double)] = []
      func distance(_ p: (Double, Double)) -> Double {
        switch side {
        case 0: p.0 - x
        case 1: x + 1 - p.0
        case 2: p.1 - y
        default: y + 1 - p.1
        }
      }
      for i in shape.indices {
        let (a, b) = (shape[i], shape[(i + 1) % shape.count])
        let (da, db) = (distance(a), distance(b))
        if da >= 0 { next.append(a) }
        if da * db < 0 {
          let t = da / (da - db)
          next.append((a.0 + (b.0 - a.0) * t, a.1 + (b.1 - a.1) * t))
        }
      }
      shape = next
      if shape.isEmpty { return 0 }
    }
    var sum = 0.0
    for i in shape.indices {
      let (a, b) = (shape[i], shape[(i + 1) % shape.count])
      sum += a.0 * b.1 - b.0 * a.1
    }
    return abs(sum) / 2
  }

  @Test("gives the exact area of convex polygons, inside and across the borders")
  func convex() throws {
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<200 {
      // Points on an ellipse, in order, rounded as the rasteriser rounds.
      let (cx, cy) = (
        Double.random(in: -4...28, using: &generator), Double.random(in: -4...28, using: &generator)
      )
      let (rx, ry) = (
        Double.random(in: 0.3...20, using: &generator),
        Double.random(in: 0.3...20, using: &generator)
      )
      let angles = (0..<7).map { _ in Double.random(in: 0...(2 * .pi), using: &generator) }.sorted()
      let points = angles.map { a in
        (((cx + rx * cos(a)) * 256).rounded() / 256, ((cy + ry * sin(a)) * 256).rounded() / 256)
      }
      let result = try coverage(polygon(points), width: 24, height: 24)
      for y in 0..<24 {
        for x in 0..<24 {
          let want = clippedArea(points, x: Double(x), y: Double(y)) * 255
          #expect(abs(Double(result[y * 24 + x]) - want) <= 0.75)
        }
      }
    }
  }

  @Test("fills whole pixels wholly and neighbours not at all")
  func whole() throws {
    for rule in FillRule.allCases {
      let outer = polygon([(2, 2), (10, 2), (10, 10), (2, 10)])
      let same = polygon([(4, 4), (8, 4), (8, 8), (4, 8)])
      let opposite = polygon([(4, 4), (4, 8), (8, 8), (8, 4)])
      for (inner, hole) in [(same, rule == .evenOdd), (opposite, true)] {
        let result = try coverage(outer + inner, width: 12, height: 12, rule: rule)
        for y in 0..<12 {
          for x in 0..<12 {
            let inOuter = (2..<10).contains(x) && (2..<10).contains(y)
            let inInner = (4..<8).contains(x) && (4..<8).contains(y)
            #expect(result[y * 12 + x] == (inOuter && !(inInner && hole) ? 255 : 0))
          }
        }
      }
    }
  }

  @Test("curves are those of Bézier, by counting points")
  func curves() throws {
    let elements: [PathElement] = [
      .move(Point(x: 2, y: 12)),
      .cubicCurve(
        control1: Point(x: 2, y: -8), control2: Point(x: 22, y: 30), end: Point(x: 22, y: 8)),
      .quadCurve(control: Point(x: 20, y: 24), end: Point(x: 8, y: 20)), .close,
    ]
    let result = try coverage(elements, width: 24, height: 24, rule: .evenOdd)
    // A dense polygon of the formulas.
    var points: [(Double, Double)] = []
    for i in 0...400 {
      let t = Double(i) / 400
      let s = 1 - t
      points.append(
        (
          s * s * s * 2 + 3 * s * s * t * 2 + 3 * s * t * t * 22 + t * t * t * 22,
          s * s * s * 12 + 3 * s * s * t * -8 + 3 * s * t * t * 30 + t * t * t * 8
        ))
    }
    for i in 0...400 {
      let t = Double(i) / 400
      let s = 1 - t
      points.append(
        (s * s * 22 + 2 * s * t * 20 + t * t * 8, s * s * 8 + 2 * s * t * 24 + t * t * 20))
    }
    func isInside(_ x: Double, _ y: Double) -> Bool {
      var inside = false
      for i in points.indices {
        let (a, b) = (points[i], points[(i + 1) % points.count])
        if (a.1 > y) != (b.1 > y), x < (b.0 - a.0) * (y - a.1) / (b.1 - a.1) + a.0 {
          inside.toggle()
        }
      }
      return inside
    }
    var far = 0
    for y in 0..<24 {
      for x in 0..<24 {
        var hits = 0
        for sub in 0..<256 {
          let (u, v) = (Double(sub % 16) / 16 + 1 / 32.0, Double(sub / 16) / 16 + 1 / 32.0)
          if isInside(Double(x) + u, Double(y) + v) { hits += 1 }
        }
        if abs(Double(result[y * 24 + x]) - Double(hits) / 256 * 255) > 14 { far += 1 }
      }
    }
    // Only the pixel in which the path crosses itself.
    #expect(far <= 1)
  }

  @Test("takes points from anywhere, up to the limit")
  func hostile() throws {
    let far = polygon([(-1e300, -1e300), (1e300, -1e300), (1e300, 1e300), (-1e300, 1e300)])
    #expect(try coverage(far, width: 8, height: 8).allSatisfy { $0 == 255 })
    let thin = polygon([(-1e9, 3), (1e9, 3.5), (1e9, 4)])
    _ = try coverage(thin, width: 8, height: 8)
    #expect(throws: MediaError.self) {
      _ = try coverage(polygon([(.nan, 1), (2, 3)]), width: 8, height: 8)
    }
    #expect(throws: MediaError.self) {
      _ = try coverage(
        [.move(.zero), .quadCurve(control: Point(x: .infinity, y: 0), end: .zero)], width: 8,
        height: 8)
    }
    let million = [PathElement](repeating: .line(Point(x: 1, y: 1)), count: 1_000_000)
    #expect(throws: MediaError.self) { _ = try coverage(million, width: 8, height: 8) }
    var generator = SeededGenerator(seed: 1)
    let wild = (0..<50_000).map { _ -> PathElement in
      .line(
        Point(
          x: Double(generator.int(in: -2000...2000)), y: Double(generator.int(in: -2000...2000))))
    }
    _ = try coverage([.move(.zero)] + wild, width: 64, height: 64, rule: .evenOdd)
    _ = try coverage([.close, .close, .line(.zero), .close], width: 8, height: 8)
  }
}

@Suite("Strokes")
struct StrokeTests {
  private func area(_ shape: ShapeDescription, size: Int = 120) throws -> Double {
    var drawing = OverlayDrawing(bounds: SampleRect(x: 0, y: 0, width: size, height: size))
    try drawing.draw([.shape(shape)])
    return drawing.canvas.pixels.reduce(0) { $0 + Double($1.w) }
  }

  private func line(_ points: [(Double, Double)], closed: Bool = false) -> [PathElement] {
    let path = polygon(points)
    return closed ? path : Array(path.dropLast())
  }

  @Test("have the area of their width, caps and joins")
  func areas() throws {
    var shape = ShapeDescription(
      path: line([(20, 30), (90, 30)]), stroke: .white, lineWidth: 8)
    #expect(abs(try area(shape) - 560) < 1)
    shape.lineCap = .square
    #expect(abs(try area(shape) - 560 - 64) < 1)
    shape.lineCap = .round
    #expect(abs(try area(shape) - 560 - .pi * 16) < 1)
    // A right angle: miter 8 × 8 at the corner, bevel half of the outer quarter, round a quarter circle.
    shape = ShapeDescription(
      path: line([(20, 20), (80, 20), (80, 80)]), stroke: .white, lineWidth: 8)
    let arms = 60.0 * 8 * 2 - 16
    #expect(abs(try area(shape) - (arms + 16)) < 1)
    shape.lineJoin = .bevel
    #expect(abs(try area(shape) - (arms + 8)) < 1)
    shape.lineJoin = .round
    #expect(abs(try area(shape) - (arms + .pi * 4)) < 1)
    // A miter beyond its limit is a bevel.
    shape.lineJoin = .miter
    shape.miterLimit = 1.2
    #expect(abs(try area(shape) - (arms + 8)) < 1)
    // A closed square has four miters and no caps.
    shape = ShapeDescription(
      path: line([(20, 20), (80, 20), (80, 80), (20, 80)], closed: true), stroke: .white,
      lineWidth: 6)
    #expect(abs(try area(shape) - (66 * 66 - 54 * 54)) < 1)
    // A circle's ring.
    shape = ShapeDescription(
      path: ShapeDescription.ellipse(in: Rect(x: 20, y: 20, width: 80, height: 80)),
      stroke: .white, lineWidth: 5)
    #expect(abs(try area(shape) - .pi * (42.5 * 42.5 - 37.5 * 37.5)) < 2)
  }

  @Test("have dots for lines of no length, wherever they stand, and none for lone starts")
  func dots() throws {
    func dots(_ path: [PathElement]) throws -> Double {
      var shape = ShapeDescription(path: path, stroke: .white, lineWidth: 8)
      shape.lineCap = .round
      return try area(shape) / (Double.pi * 16)
    }
    let (place, other) = (Point(x: 30, y: 30), Point(x: 60, y: 60))
    let lone: [PathElement] = [.move(place)]
    let dot: [PathElement] = [.move(other), .line(other)]
    // Two lines that close: 40 long, 8 wide, and the half discs at the ends.
    let arm = line([(80, 20), (80, 60)])
    let long = 1 + 320 / (Double.pi * 16)
    let cases: [([PathElement], Double)] = [
      (lone, 0), (dot, 1), (lone + dot, 1), (dot + lone, 1), (arm + lone, long),
      (lone + arm, long), (arm + dot, long + 1), (arm + lone + dot, long + 1),
      (dot + arm, long + 1), (dot + [.close], 1), (dot + [.close] + lone, 1),
      ([.move(place), .close], 1), ([.move(other), .quadCurve(control: other, end: other)], 1),
    ]
    for (path, count) in cases {
      #expect(abs(try dots(path) - count) < 0.03, "\(path)")
    }
  }

  @Test("of more points than a path may have are an error, not another path")
  func points() {
    // Four million lines, and the point that they start at.
    let far = FlatPath.farthest
    let curves = (0..<4_000).map { i in
      PathElement.quadCurve(
        control: Point(x: far, y: i % 2 == 0 ? far : -far), end: Point(x: -far, y: 0))
    }
    let error = #expect(throws: MediaError.self) {
      try FlatPath([.move(Point(x: -far, y: 0))] + curves, tolerance: 1e-6)
    }
    #expect(error?.rule == .pathSize)
  }

  @Test("dash along their length, from the phase on")
  func dashes() throws {
    var shape = ShapeDescription(path: line([(10, 20), (110, 20)]), stroke: .white, lineWidth: 4)
    shape.dashPattern = [10, 5]
    // 6 whole dashes and 10 of the last 100.
    #expect(abs(try area(shape) - 4 * 70) < 0.5)
    shape.dashPattern = [10]
    #expect(abs(try area(shape) - 4 * 50) < 0.5)
    shape.dashPattern = [10, 10]
    shape.dashPhase = 5
    #expect(abs(try area(shape) - 4 * 50) < 0.5)
    shape.dashPattern = [0, 10]
    shape.lineCap = .round
    #expect(abs(try area(shape) - 10 * .pi * 4) < 2.5)
    shape.dashPattern = [0, 0]
    #expect(abs(try area(shape) - 412.6) < 2)
    shape.dashPattern = [1e-8, 1e-8]
    #expect(throws: MediaError.self) { _ = try area(shape) }
  }

  @Test("are transformed with their shape, and are as opaque as it is")
  func transformAndOpacity() throws {
    var shape = ShapeDescription(path: line([(5, 10), (25, 10)]), stroke: .white, lineWidth: 2)
    shape.transform = .scale(x: 2, y: 3)
    #expect(abs(try area(shape) - 40 * 6) < 0.5)
    shape.opacity = 0.25
    #expect(abs(try area(shape) - 40 * 6 * 0.25) < 0.5)
    // Fill and stroke are one: where they overlap nothing shines through.
    var both = ShapeDescription(
      path: line([(20, 20), (60, 20), (60, 60), (20, 60)], closed: true), fill: .black,
      stroke: .white, lineWidth: 10)
    both.opacity = 0.5
    var drawing = OverlayDrawing(bounds: SampleRect(x: 0, y: 0, width: 80, height: 80))
    try drawing.draw([.shape(both)])
    #expect(
      abs(drawing.canvas[22, 40].x - 0.5) < 1e-3 && abs(drawing.canvas[22, 40].w - 0.5) < 1e-3)
    #expect(abs(drawing.canvas[40, 40].x) < 1e-3 && abs(drawing.canvas[40, 40].w - 0.5) < 1e-3)
  }

  @Test("of wild numbers give an error or something")
  func hostile() throws {
    for bad in [Double.nan, .infinity, -.infinity] {
      var shape = ShapeDescription(path: line([(0, 0), (9, 9)]), stroke: .white, lineWidth: 2)
      shape.lineWidth = bad
      #expect(throws: MediaError.self) { _ = try area(shape) }
      shape.lineWidth = 2
      shape.transform.a = bad
      #expect(throws: MediaError.self) { _ = try area(shape) }
    }
    // Finite, but not what is made of it.
    for large in [1e160, 1e300, -1e308] {
      var shape = ShapeDescription(
        path: [
          .move(.zero),
          .cubicCurve(
            control1: Point(x: 9, y: -9), control2: Point(x: -5, y: 1), end: Point(x: 4, y: 7)),
        ], fill: .white, stroke: .white, lineWidth: 2)
      shape.transform = Transform2D(a: large, b: large, c: -large, d: large, tx: large, ty: 0)
      _ = try area(shape)
      shape.transform = Transform2D(a: large, b: 0, c: 1, d: 1 / large, tx: 0, ty: -large)
      _ = try area(shape)
    }
    var generator = SeededGenerator(seed: 4)
    for _ in 0..<300 {
      let points = (0..<generator.int(in: 1...8)).map { _ in
        (Double(generator.int(in: -3...3)) * 20, Double(generator.int(in: -3...3)) * 20)
      }
      var shape = ShapeDescription(
        path: line(points, closed: generator.one(in: 2)), stroke: .white,
        lineWidth: Double(generator.int(in: 0...200)))
      shape.lineCap = LineCap.allCases[generator.int(in: 0...2)]
      shape.lineJoin = LineJoin.allCases[generator.int(in: 0...2)]
      shape.miterLimit = Double(generator.int(in: -2...20))
      if generator.one(in: 3) { shape.dashPattern = [Double(generator.int(in: -5...30)), 3] }
      shape.transform = .scale(
        x: Double(generator.int(in: -3...3)), y: Double(generator.int(in: -3...3)))
      _ = try area(shape)
    }
  }
}

@Suite("Paints")
struct PaintTests {
  @Test("gradients run from their first to their last stop, and spread as told")
  func gradients() throws {
    let stops: [GradientDescription.Stop] = [
      .init(0, .black), .init(0.5, RGBAColor(red: 1, green: 0, blue: 0)), .init(1, .white),
    ]
    var gradient = GradientDescription(
      .linear(start: Point(x: 10, y: 0), end: Point(x: 50, y: 0)), stops: stops)
    func color(_ x: Double) -> SIMD4<Float> {
      GradientRamp(gradient, transform: .identity)?.color(x: x, y: 7) ?? .zero
    }
    #expect(abs(color(20).x - 0.5) < 2e-3 && color(20).y == 0)
    #expect(abs(color(40).x - 1) < 2e-3 && abs(color(40).y - 0.5) < 2e-3)
    #expect(color(0) == SIMD4(0, 0, 0, 1) && color(99) == SIMD4(1, 1, 1, 1))
    gradient.spread = .repeat
    #expect(abs(color(60).x - 0.5) < 3e-3)
    gradient.spread = .reflect
    #expect(abs(color(60).y - 0.5) < 3e-3)
    gradient.geometry = .radial(centre: Point(x: 0, y: 7), radius: 20)
    gradient.spread = .pad
    #expect(abs(color(5).x - 0.5) < 3e-3 && color(30) == SIMD4(1, 1, 1, 1))
    gradient.stops = []
    #expect(GradientRamp(gradient, transform: .identity) == nil)
    gradient.stops = [.init(.nan, .white), .init(-.infinity, .black)]
    #expect(color(5).w == 1)
  }

  @Test("images are scaled into their frame")
  func images() throws {
    let image = try RGBAImage(
      width: 2, height: 1, pixels: [255, 0, 0, 255, 0, 0, 255, 128])
    var drawing = OverlayDrawing(bounds: SampleRect(x: 0, y: 0, width: 40, height: 20))
    try drawing.draw([.image(ImageLayer(image, in: Rect(x: 4, y: 5, width: 20, height: 10)))])
    #expect(drawing.canvas[3, 8] == .zero && drawing.canvas[24, 8] == .zero)
    #expect(drawing.canvas[4, 4] == .zero && drawing.canvas[4, 15] == .zero)
    #expect(abs(drawing.canvas[5, 8].x - 1) < 1e-3 && abs(drawing.canvas[5, 14].w - 1) < 1e-3)
    #expect(abs(drawing.canvas[22, 8].z - 128 / 255.0) < 1e-3)
    for bad in [Double.nan, .infinity] {
      #expect(throws: MediaError.self) {
        try drawing.draw([.image(ImageLayer(image, in: Rect(x: bad, y: 0, width: 1, height: 1)))])
      }
    }
    try drawing.draw([
      .image(ImageLayer(image, in: Rect(x: -1e9, y: -1e9, width: 2e9, height: 2e9)))
    ])
    #expect(throws: MediaError.self) { _ = try RGBAImage(width: 2, height: 2, pixels: [1]) }
  }
}

@Suite("Composition")
struct CompositionTests {
  static let formats: [PictureFormat] = [
    format(.yuv420), format(.yuv422, 10), format(.yuv444, matrix: 0, full: true),
    format(.yuv420, 16, full: true),
  ]

  private static func layers() -> [OverlayLayer] {
    var disc = ShapeDescription(
      path: ShapeDescription.ellipse(in: Rect(x: 10, y: 6, width: 30, height: 30)),
      fill: RGBAColor(red: 1, green: 0.2, blue: 0), stroke: .white, lineWidth: 3)
    disc.opacity = 0.7
    var path = PaintedPath(
      ShapeDescription.rectangle(Rect(x: 31, y: 21, width: 26, height: 20)),
      paint: .gradient(
        GradientDescription(
          .linear(start: Point(x: 30, y: 20), end: Point(x: 60, y: 40)),
          stops: [.init(0, RGBAColor(red: 0, green: 0, blue: 1, alpha: 0.2)), .init(1, .white)])))
    path.transform = .translation(x: 0.3, y: 0.6)
    return [.shape(disc), .path(path)]
  }

  @Test("blends layers as arithmetic says, within one code", arguments: formats)
  func blend(form: PictureFormat) throws {
    let frame = VideoFrame.noise(width: 64, height: 48, format: form, seed: 12)
    var composition = Composition()
    composition.layers = Self.layers()
    let result = try Compositor().compose(frame, composition)
    var drawing = OverlayDrawing(bounds: SampleRect(x: 0, y: 0, width: 64, height: 48))
    try drawing.draw(composition.layers)
    let reference = ColourReference(form)
    for plane in 0..<3 {
      let (h, v) =
        plane == 0 ? (0, 0) : (form.chromaFormat.horizontalShift, form.chromaFormat.verticalShift)
      let before = frame.samples(plane)
      let depth = plane == 0 ? form.lumaBitDepth : form.chromaBitDepth
      let want = DoublePlane(width: before.width, height: before.height) { x, y in
        var code = 0.0
        var alpha = 0.0
        for dy in 0..<(1 << v) {
          for dx in 0..<(1 << h) {
            let p = drawing.canvas[(x << h) + dx, (y << v) + dy]
            guard p.w > 0 else { continue }
            let a = Double(p.w)
            let c = reference.ycc(Double(p.x) / a, Double(p.y) / a, Double(p.z) / a)
            code += a * reference.code([c.0, c.1, c.2][plane], plane: plane)
            alpha += a
          }
        }
        let n = Double(1 << (h + v))
        return code / n + before[x, y] * (1 - alpha / n)
      }
      #expect(
        largestDifference(result.samples(plane), want, maximum: Double(1 << depth - 1))
          <= (depth == 16 ? 1.6 : 1.01))
    }
    let bands = try Compositor(executor: SerialExecutor(width: 3)).compose(frame, composition)
    #expect(bands.fingerprint == result.fingerprint)
  }

  @Test("leaves pictures alone where nothing is asked for, sharing their planes")
  func untouched() throws {
    let frame = VideoFrame.noise(width: 64, height: 48, format: format(.yuv420), seed: 1)
    var composition = Composition()
    composition.filters = [.init("CIColorControls")]
    composition.size = PixelSize(width: 64, height: 48)
    let result = try Compositor().compose(frame, composition)
    guard case .depth8(let a) = frame.storage, case .depth8(let b) = result.storage else {
      Issue.record("storage")
      return
    }
    #expect(a === b)
    // Drawing never writes into the source's planes.
    let before = frame.fingerprint
    composition.layers = Self.layers()
    composition.cornerRadius = 8
    _ = try Compositor().compose(frame, composition)
    #expect(frame.fingerprint == before)
  }

  @Test("is the same whichever pictures came before")
  func pure() throws {
    let compositor = Compositor()
    var kept: [(VideoFrame, UInt64)] = []
    for seed in 0..<12 {
      let frame = VideoFrame.noise(
        width: 64, height: 48, format: Self.formats[seed % 3], seed: UInt64(seed))
      var composition = Composition()
      composition.size = PixelSize(width: 50, height: 50)
      composition.gravity = Gravity.allCases[seed % 3]
      composition.layers = seed % 2 == 0 ? Self.layers() : []
      composition.filters = [.init("CIGaussianBlur", ["inputRadius": Double(seed)])]
      composition.contrast = 1.5
      if seed % 4 == 3 { composition.inset = Inset() }
      let result = try compositor.compose(frame, composition)
      #expect(result.width == 50 && result.height == 50)
      let alone = try Compositor().compose(frame, composition)
      #expect(alone.fingerprint == result.fingerprint)
      kept.append((result, result.fingerprint))
    }
    // Pictures that are still held are not written over.
    for (frame, fingerprint) in kept { #expect(frame.fingerprint == fingerprint) }
  }

  @Test("rounds corners and puts the picture into an inset")
  func cornersAndInset() throws {
    let form = format(.yuv444, matrix: 0, full: true)
    let frame = VideoFrame.made(width: 80, height: 60, format: form) { _, _, _ in 200 }
    var composition = Composition()
    composition.cornerRadius = 20
    composition.background = RGBAColor(red: 0, green: 0, blue: 1)
    let round = try Compositor().compose(frame, composition)
    #expect(round.samples(1)[0, 0] == 255 && round.samples(0)[0, 0] == 0)
    #expect(round.samples(0)[40, 30] == 200 && round.samples(0)[0, 30] == 200)
    // The share of the corners is 1 − π/4 of their squares.
    let lost = round.samples(0).values.reduce(0) { $0 + (200 - $1) / 200 }
    #expect(abs(lost - 4 * 400 * (1 - .pi / 4)) < 3)
    composition.cornerRadius = 0
    var inset = Inset()
    inset.scale = 0.5
    inset.margin = 0.1
    inset.corner = .topRight
    inset.cornerRadius = 0
    composition.inset = inset
    composition.size = PixelSize(width: 100, height: 100)
    let small = try Compositor().compose(frame, composition)
    let g = small.samples(0)
    // 50 × 37.5 pixels, rounded to 38 rows, 10 from the top and the right.
    #expect(g[40, 10] == 200 && g[89, 10] == 200 && g[89, 47] == 200)
    #expect(g[39, 10] == 0 && g[90, 10] == 0 && g[60, 9] == 0 && g[60, 48] == 0)
    #expect(small.samples(1)[5, 5] == 255)
    inset.backdrop = try RGBAImage(
      width: 1, height: 1, pixels: [0, 255, 0, 255])
    composition.inset = inset
    #expect(try Compositor().compose(frame, composition).samples(0)[5, 95] == 255)
  }

  @Test("corners and the shape of an inset are made once for many pictures")
  func keptShapes() throws {
    let compositor = Compositor()
    var composition = Composition()
    composition.cornerRadius = 9
    func compose(_ composition: Composition, _ seed: UInt64) throws {
      let frame = VideoFrame.noise(width: 40, height: 30, format: Self.formats[0], seed: seed)
      let alone = try Compositor().compose(frame, composition).fingerprint
      #expect(try compositor.compose(frame, composition).fingerprint == alone)
    }
    for seed in 0..<4 { try compose(composition, UInt64(seed)) }
    #expect(compositor.corners.count == 1)
    composition.background = .white
    try compose(composition, 4)
    composition.cornerRadius = 8
    try compose(composition, 5)
    composition.size = PixelSize(width: 20, height: 20)
    try compose(composition, 6)
    #expect(compositor.corners.count == 4)
    composition.inset = Inset()
    for seed in 7..<10 { try compose(composition, UInt64(seed)) }
    #expect(compositor.masks.count == 1)
    composition.inset?.cornerRadius = 0.4
    try compose(composition, 10)
    composition.inset?.scale = 0.6
    try compose(composition, 11)
    #expect(compositor.masks.count == 3)
  }

  /// Counts the bands it is given.
  private final class CountingExecutor: BandExecutor {
    let width = 4
    let counts = Mutex<[Int]>([])
    func run(_ count: Int, _ body: @Sendable (Int) -> Void) {
      counts.withLock { $0.append(count) }
      for band in 0..<count { body(band) }
    }
  }

  @Test("what is drawn at the bottom is cut into bands of its own rows, when it is worth it")
  func bandsOfOverlay() throws {
    let form = format(.yuv444, matrix: 0, full: true)
    let (width, height) = (8_200, 90)
    let resolved = try ResolvedFormat(form, width: width, height: height)
    // 8,193 samples a row: four rows are worth it, three are not.
    for (rows, bands) in [(1, [Int]()), (3, []), (4, [4, 4, 4]), (9, [4, 4, 4])] {
      let place = Rect(x: 2, y: Double(height - rows), width: 8_193, height: Double(rows))
      var drawing = OverlayDrawing(bounds: SampleRect(x: 0, y: 0, width: width, height: height))
      try drawing.draw([
        .shape(ShapeDescription(path: ShapeDescription.rectangle(place), fill: .white))
      ])
      let planes = try #require(
        OverlayPlanes(drawing.canvas, format: resolved, width: width, height: height))
      let executor = CountingExecutor()
      func blended(_ executor: any BandExecutor) -> VideoFrame {
        let frame = VideoFrame.made(width: width, height: height, format: form) { _, _, _ in 10 }
        planes.blend(into: frame, executor: executor)
        return frame
      }
      let frame = blended(executor)
      #expect(executor.counts.withLock { $0 } == bands)
      #expect(frame.fingerprint == blended(SerialExecutor()).fingerprint)
      let green = frame.samples(0)
      for y in 0..<height {
        #expect(green[5, y] == (y >= height - rows ? 255 : 10) && green[1, y] == 10)
      }
    }
  }

  @Test("an inset lies inside of the smallest pictures")
  func smallInset() throws {
    for form in Self.formats {
      let frame = VideoFrame.noise(width: 16, height: 12, format: form, seed: 4)
      for width in 1...3 {
        for height in 1...3 {
          for corner in Inset.Corner.allCases {
            var composition = Composition()
            composition.size = PixelSize(width: width, height: height)
            composition.background.alpha = 0.5
            var inset = Inset()
            inset.corner = corner
            composition.inset = inset
            let result = try Compositor().compose(frame, composition)
            #expect(result.width == width && result.height == height)
            let place = inset.place(
              of: frame, in: PixelSize(width: width, height: height), alignment: (1, 1))
            #expect(place.x >= 0 && place.x + place.width <= width && place.width > 0)
            #expect(place.y >= 0 && place.y + place.height <= height && place.height > 0)
          }
        }
      }
    }
  }

  @Test("a transparent background gives alpha")
  func alpha() throws {
    let frame = VideoFrame.made(
      width: 40, height: 20, format: format(.yuv444, matrix: 0, full: true)
    ) {
      _, _, _ in 100
    }
    var composition = Composition()
    composition.size = PixelSize(width: 40, height: 40)
    composition.background = .clear
    composition.layers = [
      .shape(
        ShapeDescription(
          path: ShapeDescription.rectangle(Rect(x: 0, y: 0, width: 10, height: 5)),
          fill: RGBAColor(red: 1, green: 1, blue: 1, alpha: 0.5)))
    ]
    let result = try Compositor().compose(frame, composition)
    let alpha = try #require(result.alpha)
    func at(_ x: Int, _ y: Int) -> Int { Int(alpha.y[y * alpha.y.stride + x]) }
    #expect(at(20, 20) == 255 && at(20, 5) == 0 && at(20, 35) == 0)
    #expect(abs(at(3, 2) - 128) <= 1)
    #expect(abs(result.samples(0)[3, 2] - 127.5) <= 1 && result.samples(0)[20, 5] == 0)
  }

  @Test("sizes and values beyond all bounds are errors")
  func hostile() throws {
    let frame = VideoFrame.noise(width: 16, height: 16, format: format(.yuv420), seed: 1)
    for (w, h) in [(0, 1), (-1, 5), (40_000, 2), (.max, .max), (32_768, 32_768)] {
      var composition = Composition()
      composition.size = PixelSize(width: w, height: h)
      #expect(throws: MediaError.self) { _ = try Compositor().compose(frame, composition) }
      #expect(throws: MediaError.self) { try Compositor().check(composition) }
    }
    for bad in [Double.nan, .infinity] {
      var composition = Composition()
      composition.brightness = bad
      #expect(throws: MediaError.self) { _ = try Compositor().compose(frame, composition) }
      composition = Composition()
      composition.cornerRadius = bad
      #expect(throws: MediaError.self) { try Compositor().check(composition) }
      composition = Composition()
      composition.background = RGBAColor(red: bad, green: 0, blue: 0)
      composition.size = PixelSize(width: 30, height: 16)
      _ = try Compositor().compose(frame, composition)
    }
    var group: OverlayLayer = .group([], opacity: 1, clip: nil)
    for _ in 0..<100 { group = .group([group], opacity: 1, clip: nil) }
    var composition = Composition()
    composition.layers = [group]
    #expect(throws: MediaError.self) { _ = try Compositor().compose(frame, composition) }
  }
}
