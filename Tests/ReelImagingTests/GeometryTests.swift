internal import Foundation
internal import ReelCore
internal import ReelTestSupport
internal import Testing

@testable internal import ReelImaging

/// Scaling as its definition says it, in double precision.
private struct ScaleReference {
  let filter: ScaleFilter

  func weight(_ t: Double) -> Double {
    let x = abs(t)
    switch filter {
    case .nearest: return 0
    case .bilinear: return max(0, 1 - x)
    case .bicubic:
      return x < 1
        ? 1.5 * pow(x, 3) - 2.5 * pow(x, 2) + 1
        : x < 2 ? -0.5 * pow(x, 3) + 2.5 * pow(x, 2) - 4 * x + 2 : 0
    case .lanczos3:
      func sinc(_ a: Double) -> Double { a == 0 ? 1 : sin(Double.pi * a) / (Double.pi * a) }
      return x < 3 ? sinc(x) * sinc(x / 3) : 0
    }
  }

  /// `centre(i)`: position of output sample i among the source samples; `spacing`: samples a step.
  func line(_ source: [Double], count: Int, spacing: Double, centre: (Int) -> Double) -> [Double] {
    (0..<count).map { i in
      let c = centre(i)
      func at(_ j: Int) -> Double { source[min(max(j, 0), source.count - 1)] }
      if filter == .nearest { return at(Int(floor(c + 0.5))) }
      let f = max(1, spacing)
      var sum = 0.0
      var total = 0.0
      for j in Int(floor(c - 3 * f)) - 1...Int(ceil(c + 3 * f)) + 1 {
        let w = weight((Double(j) - c) / f)
        sum += w * at(j)
        total += w
      }
      return sum / total
    }
  }

  /// A plane from `region` (in luma samples) to `width` × `height` luma samples.
  func plane(
    _ p: DoublePlane, region: (x: Double, y: Double, w: Double, h: Double),
    target: (w: Int, h: Int), shift: (x: Int, y: Int), site: (x: Double, y: Double)
  ) -> DoublePlane {
    let columns = (target.w + (1 << shift.x) - 1) >> shift.x
    let rows = (target.h + (1 << shift.y) - 1) >> shift.y
    func centre(_ i: Int, _ shift: Int, _ site: Double, _ origin: Double, _ ratio: Double)
      -> Double
    {
      let step = Double(1 << shift)
      let s = shift == 0 ? 0 : site
      let position = origin + (Double(i) * step + s + 0.5) * ratio
      return (position - s - 0.5) / step
    }
    let rx = region.w / Double(target.w)
    let ry = region.h / Double(target.h)
    var wide = DoublePlane(width: columns, height: p.height)
    for y in 0..<p.height {
      let row = Array(p.values[y * p.width..<(y + 1) * p.width])
      let scaled = line(row, count: columns, spacing: rx) {
        centre($0, shift.x, site.x, region.x, rx)
      }
      for x in 0..<columns { wide[x, y] = scaled[x] }
    }
    var result = DoublePlane(width: columns, height: rows)
    for x in 0..<columns {
      let column = (0..<p.height).map { wide[x, $0] }
      let scaled = line(column, count: rows, spacing: ry) {
        centre($0, shift.y, site.y, region.y, ry)
      }
      for y in 0..<rows { result[x, y] = scaled[y] }
    }
    return result
  }
}

@Suite("Gravity")
struct PictureFitTests {
  private func fit(_ w: Int, _ h: Int, _ bw: Int, _ bh: Int, _ g: Gravity, par: Ratio = .square)
    -> PictureFit
  {
    PictureFit(
      width: w, height: h, pixelAspect: par, in: (bw, bh), gravity: g, alignment: (1, 1))
  }

  @Test("resizeAspect shows the whole picture in the middle")
  func aspect() {
    #expect(
      fit(1920, 1080, 1280, 960, .resizeAspect).target
        == SampleRect(x: 0, y: 120, width: 1280, height: 720))
    #expect(
      fit(1080, 1920, 1280, 720, .resizeAspect).target
        == SampleRect(x: 436, y: 0, width: 406, height: 720))
    #expect(fit(640, 360, 1280, 720, .resizeAspect).target.width == 1280)
    // Anamorphic: 720 × 576 at 64:45 is 16:9.
    #expect(
      fit(720, 576, 1024, 576, .resizeAspect, par: Ratio(64, 45)).target
        == SampleRect(x: 0, y: 0, width: 1024, height: 576))
  }

  @Test("resizeAspectFill cuts both sides alike")
  func fill() {
    let f = fit(1920, 1080, 500, 500, .resizeAspectFill)
    #expect(f.target == SampleRect(x: 0, y: 0, width: 500, height: 500))
    #expect(f.sourceX == 420 && f.sourceWidth == 1080 && f.sourceHeight == 1080)
    let g = fit(1080, 1920, 1920, 1080, .resizeAspectFill)
    #expect(g.sourceHeight == 607.5 && g.sourceY == 656.25)
  }

  @Test("resize stretches, and extreme shapes keep a picture")
  func stretch() {
    #expect(
      fit(7, 5, 100, 300, .resize).target == SampleRect(x: 0, y: 0, width: 100, height: 300))
    #expect(fit(32768, 1, 16, 16, .resizeAspect).target.height == 2)
    #expect(
      fit(16, 16, 16, 16, .resizeAspect, par: Ratio(.max, 1)).target
        == SampleRect(x: 0, y: 6, width: 16, height: 2))
  }
}

@Suite("Scaling")
struct ScalingTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var filter: ScaleFilter
    var format: PictureFormat
    var from: (Int, Int)
    var to: (Int, Int)
    var gravity: Gravity
    var testDescription: String {
      "\(filter) \(format.chromaFormat) \(format.lumaBitDepth) \(from) to \(to) \(gravity)"
    }
  }

  static let cases: [Case] = {
    var all: [Case] = []
    let sizes: [((Int, Int), (Int, Int))] = [
      ((96, 64), (60, 44)), ((40, 30), (90, 70)), ((33, 21), (64, 17)), ((200, 100), (10, 6)),
      ((64, 64), (64, 32)), ((3, 3), (20, 20)), ((300, 8), (2, 8)),
    ]
    let formats = [
      format(.yuv420), format(.yuv420, location: 1), format(.yuv422, 10),
      format(.yuv444, 16, full: true), format(.monochrome), format(.yuv420, location: 2),
    ]
    for filter in ScaleFilter.allCases {
      for (index, size) in sizes.enumerated() {
        for format in formats {
          all.append(
            Case(
              filter: filter, format: format, from: size.0, to: size.1,
              gravity: Gravity.allCases[index % 3]))
        }
      }
    }
    return all
  }()

  static func scaler(_ c: Case) throws -> FrameScaler {
    let resolved = try ResolvedFormat(c.format, width: c.from.0, height: c.from.1)
    let fit = PictureFit(
      width: c.from.0, height: c.from.1, pixelAspect: .square, in: c.to, gravity: c.gravity,
      alignment: (c.format.chromaFormat.horizontalShift, c.format.chromaFormat.verticalShift))
    return FrameScaler(
      .init(
        fit: fit, width: c.from.0, height: c.from.1, outputWidth: c.to.0, outputHeight: c.to.1,
        format: resolved, filter: c.filter))
  }

  @Test("is within one code of the reference, whichever filter, format and size")
  func accuracy() throws {
    for c in Self.cases {
      let frame = VideoFrame.noise(width: c.from.0, height: c.from.1, format: c.format, seed: 9)
      let scaler = try Self.scaler(c)
      let black = PlaneColour(.black, in: scaler.geometry.format)
      let result = scaler.run(
        frame, background: black, pool: PlanePools(), executor: SerialExecutor())
      #expect(result.width == c.to.0 && result.height == c.to.1)
      let fit = scaler.geometry.fit
      for plane in 0..<frame.planeCount {
        let h = plane == 0 ? 0 : c.format.chromaFormat.horizontalShift
        let v = plane == 0 ? 0 : c.format.chromaFormat.verticalShift
        let expected = ScaleReference(filter: c.filter).plane(
          frame.samples(plane),
          region: (fit.sourceX, fit.sourceY, fit.sourceWidth, fit.sourceHeight),
          target: (fit.target.width, fit.target.height), shift: (h, v),
          site: ColourReference(c.format).siting)
        let got = result.samples(plane)
        let depth = plane == 0 ? c.format.lumaBitDepth : c.format.chromaBitDepth
        var largest = 0.0
        for y in 0..<got.height {
          for x in 0..<got.width {
            let (i, j) = (x - fit.target.x >> h, y - fit.target.y >> v)
            let isInside = i >= 0 && j >= 0 && i < expected.width && j < expected.height
            let want = isInside ? expected[i, j] : Double(black[plane])
            largest = max(largest, abs(got[x, y] - min(max(want, 0), Double(1 << depth - 1))))
          }
        }
        #expect(largest <= 1, "\(c.testDescription) plane \(plane): \(largest)")
      }
    }
  }

  @Test("vector and plain kernels and any number of bands give the same bytes")
  func twins() throws {
    for c in Self.cases where c.format.lumaBitDepth == 8 {
      let frame = VideoFrame.noise(width: c.from.0, height: c.from.1, format: c.format, seed: 21)
      let scaler = try Self.scaler(c)
      let black = PlaneColour(.black, in: scaler.geometry.format)
      let vector = scaler.run(
        frame, background: black, pool: PlanePools(), executor: SerialExecutor())
      let plain = scaler.run(
        frame, background: black, pool: PlanePools(), executor: SerialExecutor(width: 3),
        kernels: .plain)
      #expect(vector.fingerprint == plain.fingerprint, "\(c.testDescription)")
    }
  }

  @Test("leaves a flat picture flat to its edges", arguments: ScaleFilter.allCases)
  func flat(filter: ScaleFilter) throws {
    for value in [0, 1, 77, 254, 255] {
      let frame = VideoFrame.made(width: 50, height: 30, format: format(.yuv420)) { _, _, _ in
        value
      }
      let c = Case(
        filter: filter, format: format(.yuv420), from: (50, 30), to: (37, 71), gravity: .resize)
      let result = try Self.scaler(c).run(
        frame, background: PlaneColour(.black, in: Self.scaler(c).geometry.format),
        pool: PlanePools(), executor: SerialExecutor())
      for plane in 0..<3 {
        #expect(result.samples(plane).values.allSatisfy { $0 == Double(value) })
      }
    }
  }

  @Test("takes crops from anywhere in the planes")
  func crop() throws {
    var frame = VideoFrame.noise(width: 80, height: 60, format: format(.yuv420), seed: 2)
    frame.crop = SampleRect(x: 10, y: 6, width: 64, height: 40)
    let cut = VideoFrame.made(width: 64, height: 40, format: format(.yuv420)) { plane, x, y in
      Int(frame.samples(plane)[x, y])
    }
    let c = Case(
      filter: .bicubic, format: format(.yuv420), from: (64, 40), to: (40, 60), gravity: .resize)
    let scaler = try Self.scaler(c)
    let black = PlaneColour(.black, in: scaler.geometry.format)
    let a = scaler.run(frame, background: black, pool: PlanePools(), executor: SerialExecutor())
    let b = scaler.run(cut, background: black, pool: PlanePools(), executor: SerialExecutor())
    #expect(a.fingerprint == b.fingerprint)
  }
}

@Suite("Orientation")
struct OrientationTests {
  static let all: [Orientation] = (0..<8).map { bits in
    var o = Orientation()
    o.isTransposed = bits & 1 != 0
    o.isMirroredAcross = bits & 2 != 0
    o.isMirroredDown = bits & 4 != 0
    return o
  }

  @Test("is read from display matrices")
  func matrices() {
    let one: Int32 = 65536
    #expect(Orientation(matrix: nil) == .upright)
    #expect(Orientation(matrix: [one, 0, 0, 0, one, 0, 0, 0, 1 << 30]) == .upright)
    #expect(
      Orientation(matrix: [0, one, 0, -one, 0, 0, 1080 << 16, 0, 1 << 30])
        == Orientation(quarterTurns: 1))
    #expect(
      Orientation(matrix: [-one, 0, 0, 0, -one, 0, 0, 0, 1 << 30]) == Orientation(quarterTurns: 2))
    #expect(
      Orientation(matrix: [0, -one, 0, one, 0, 0, 0, 0, 1 << 30]) == Orientation(quarterTurns: 3))
    #expect(Orientation(matrix: [46341, 46341, 0, -46341, 46341, 0, 0, 0, 1 << 30]) == nil)
    #expect(Orientation(matrix: [1, 2]) == nil)
    #expect(Orientation(matrix: [Int32](repeating: .min, count: 9)) == nil)
  }

  @Test("moves every luma sample to its place", arguments: all)
  func luma(orientation: Orientation) throws {
    for (w, h) in [(46, 34), (35, 65), (1, 7)] {
      let frame = VideoFrame.noise(width: w, height: h, format: format(.yuv420, 10), seed: 4)
      let turned = try frame.oriented(orientation)
      let (a, b) = (frame.samples(0), turned.samples(0))
      #expect(b.width == (orientation.isTransposed ? h : w))
      for y in 0..<b.height {
        for x in 0..<b.width {
          let u = orientation.isMirroredAcross ? b.width - 1 - x : x
          let v = orientation.isMirroredDown ? b.height - 1 - y : y
          #expect(b[x, y] == (orientation.isTransposed ? a[v, u] : a[u, v]))
        }
      }
    }
  }

  @Test("keeps colours where they are", arguments: all)
  func chroma(orientation: Orientation) throws {
    for location in [nil, 0, 1, 2, 3, 4, 5] as [UInt8?] {
      for chroma in [ChromaFormat.yuv420, .yuv422, .yuv444] {
        for (w, h) in [(64, 48), (63, 47)] {
          let form = format(chroma, full: true, location: location)
          let reference = ColourReference(form)
          let s = reference.siting
          // Chroma is a plane that rises along x and y, so that interpolation is exact inside.
          let frame = VideoFrame.made(width: w, height: h, format: form) { plane, x, y in
            if plane == 0 { return 128 }
            let px = Double(x << chroma.horizontalShift) + (chroma.horizontalShift == 1 ? s.x : 0)
            let py = Double(y << chroma.verticalShift) + (chroma.verticalShift == 1 ? s.y : 0)
            return Int(40 + px * 2 + py * (plane == 1 ? 1 : -0.5))
          }
          let turned = try frame.oriented(orientation)
          let before = reference.rgbPlanes(frame)
          let after = ColourReference(turned.format).rgbPlanes(turned)
          var largest = 0.0
          for y in 4..<turned.height - 4 {
            for x in 4..<turned.width - 4 {
              let u = orientation.isMirroredAcross ? turned.width - 1 - x : x
              let v = orientation.isMirroredDown ? turned.height - 1 - y : y
              for c in 0..<3 {
                let want = orientation.isTransposed ? before[c][v, u] : before[c][u, v]
                largest = max(largest, abs(after[c][x, y] - want) * 255)
              }
            }
          }
          #expect(largest <= 2.2, "\(chroma) location \(location ?? 9) \(w)×\(h): \(largest)")
        }
      }
    }
  }
}
