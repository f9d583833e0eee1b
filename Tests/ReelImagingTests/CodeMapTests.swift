internal import ReelCore
internal import ReelTestSupport
internal import Testing

@testable internal import ReelImaging

@Suite("Maps of codes")
struct CodeMapTests {
  private static func row(_ own: Double, _ other: Double, _ offset: Double) -> CodeMap.Row {
    CodeMap.Row(own: own, other: other, offset: offset)
  }

  @Test(
    "a line is ¾ of a code at most from the exact one, for every code",
    arguments: [-3.5, -1.0, -0.37, 0.0, 0.01, 0.26, 0.5, 0.77, 0.999, 1.0, 1.2, 1.7, 2.9, 3.99])
  func line(slope: Double) throws {
    for offset in stride(from: -520.0, through: 740, by: 7.3) {
      let end = offset + slope * 255
      guard min(offset, end) >= -760, max(offset, end) <= 1015 else { continue }
      let identity = Self.row(1, 0, 0)
      let map = try #require(
        CodeMapIntegers(luma: Self.row(slope, 0, offset), blue: identity, red: identity))
      let line = try #require(map.luma)
      for code in 0...255 {
        let exact = min(max(Double(code) * slope + offset, 0), 255)
        let far = abs(Double(line.mapped(UInt8(code))) - exact)
        #expect(far <= 0.76, "\(code) · \(slope) + \(offset): \(far)")
      }
    }
  }

  @Test("leaves what its integers cannot hold to single precision")
  func unfit() {
    let identity = Self.row(1, 0, 0)
    for row in [Self.row(8, 0, 0), Self.row(1, 0, 900), Self.row(-4, 0, 100), Self.row(1, 0, -761)]
    {
      #expect(CodeMapIntegers(luma: row, blue: identity, red: identity) == nil)
    }
    for row in [Self.row(3, -3, 0), Self.row(1, 1, 900), Self.row(0, 1, 1e9)] {
      #expect(CodeMapIntegers(luma: identity, blue: row, red: row) == nil)
    }
  }

  @Test("a run of any length is the line for each of its codes")
  func runs() throws {
    for slope in [1.3, 0.4, -0.8] {
      let map = try #require(
        CodeMapIntegers(
          luma: Self.row(slope, 0, 99), blue: Self.row(1, 0, 3), red: Self.row(1, 0, 0)))
      let line = try #require(map.luma)
      for length in [1, 15, 31, 32, 33, 95, 130] {
        let source = SamplePlane<UInt8>(width: length + 3, height: 1)
        let target = SamplePlane<UInt8>(width: length + 3, height: 1)
        for x in 0..<length + 3 { source[x] = UInt8(x * 37 % 256) }
        CodeMapIntegers.map(source, at: 1, into: target, at: 2, count: length, line)
        for x in 0..<length {
          #expect(target[2 + x] == line.mapped(source[1 + x]), "\(slope) \(length) \(x)")
        }
        #expect(target[1] == 0 && target[length + 2] == 0)
      }
    }
  }

  @Test("turned chroma is one code at most from the exact one, for codes of all kinds")
  func mixed() throws {
    for (own, other) in [(0.88, 0.48), (-0.3, 0.95), (-0.9, -0.4), (1.7, -0.2)] {
      let form = format(.yuv420)
      let frame = VideoFrame.noise(width: 96, height: 64, format: form, seed: 8)
      let identity = Self.row(1, 0, 0)
      let constant = 128 * (1 - own - other)
      let map = try #require(
        CodeMapIntegers(
          luma: identity, blue: Self.row(own, other, constant),
          red: Self.row(own, -other, 128 * (1 - own + other))))
      guard case .depth8(let planes) = frame.storage else { return }
      let output = FramePlanes<UInt8>(width: 96, height: 64, chromaFormat: .yuv420)
      let place = try #require(
        CodeMap.Place(frame.crop, ResolvedFormat(form, width: 96, height: 64)))
      map.run(planes, into: output, place, band: 0..<64)
      for i in 0..<48 {
        let (b, r) = (Double(planes.cb[i]), Double(planes.cr[i]))
        let blue = min(max(own * b + other * r + constant, 0), 255)
        let red = min(max(own * r - other * b + 128 * (1 - own + other), 0), 255)
        #expect(abs(Double(output.cb[i]) - blue) <= 0.6)
        #expect(abs(Double(output.cr[i]) - red) <= 0.6)
        #expect(output.y[i] == planes.y[i])
      }
    }
  }

  @Test(
    "every colour is shown as clamp((c + brightness − 0.5) · contrast + 0.5)",
    arguments: [(0.1, 1.2), (0.3, 1.0), (-0.25, 1.0), (0.0, 2.5), (0.0, 0.4), (-0.4, 3.0), (1, 4)])
  func shown(brightness: Double, contrast: Double) throws {
    var pass = PointPass()
    pass.append(.matrix(ColourFilters.brightness(brightness, contrast: contrast)))
    let context = FilterContext(pools: PlanePools(), executor: SerialExecutor())
    for form in [format(.yuv420), format(.yuv420, matrix: 6, full: true), format(.yuv444, 10)] {
      let reference = ColourReference(form)
      func shown(_ frame: VideoFrame) -> [Double] {
        let v = (0..<3).map { reference.value(frame.samples($0)[0, 0], plane: $0) }
        let c = reference.rgb(v[0], v[1], v[2])
        return [c.0, c.1, c.2]
      }
      for number in 0..<216 {
        let colour = [number % 6, number / 6 % 6, number / 36].map { Double($0) / 5 }
        let ycc = reference.ycc(colour[0], colour[1], colour[2])
        let codes = [ycc.0, ycc.1, ycc.2].enumerated().map {
          min(Int(reference.code($1, plane: $0).rounded()), 1 << form.lumaBitDepth - 1)
        }
        let frame = VideoFrame.made(width: 16, height: 16, format: form) { plane, _, _ in
          codes[plane]
        }
        let got = shown(try pass.run(frame, context: context))
        let want = shown(frame).map { min(max(($0 + brightness - 0.5) * contrast + 0.5, 0), 1) }
        for (g, w) in zip(got, want) {
          let far = abs(min(max(g, 0), 1) - w)
          // A code of luma and two of chroma.
          #expect(far <= 0.022, "\(colour) in \(form.chromaFormat): \(g), not \(w)")
        }
      }
    }
  }

  @Test("is found where luma and chroma stay apart, and not where they mix")
  func found() throws {
    let bt709 = try ResolvedFormat(format(.yuv420, matrix: 1), width: 64, height: 48)
    let bt601 = try ResolvedFormat(format(.yuv420, matrix: 6), width: 64, height: 48)
    for map in [
      ColourFilters.brightness(0.2, contrast: 1.3), ColourFilters.scale(2),
      AffineColour(m: [-1, 0, 0, 1, 0, -1, 0, 1, 0, 0, -1, 1]),
    ] {
      #expect(CodeMap(map, format: bt709) != nil)
      #expect(CodeMap(map, format: bt601) != nil)
    }
    // Weights of BT.709 keep its luma and no other.
    for map in [ColourFilters.saturation(1.4), ColourFilters.hueRotation(1)] {
      #expect(CodeMap(map, format: bt709) != nil)
      #expect(CodeMap(map, format: bt601) == nil)
    }
    #expect(CodeMap(ColourFilters.sepia, format: bt709) == nil)
  }
}
