import ReelCore
import ReelTestSupport
import Testing

@testable import ReelH264

/// Interpolation written straight from the formulas of ISO/IEC 14496-10:2020 §8.4.2.2.
struct InterpolationReference<S: H264Sample> {
  let plane: KernelPlane<S>
  let maximum: Int

  private func tap(_ e: Int, _ f: Int, _ g: Int, _ h: Int, _ i: Int, _ j: Int) -> Int {
    e - 5 * f + 20 * g + 20 * h - 5 * i + j
  }
  private func clip(_ value: Int) -> Int { min(max(value, 0), maximum) }

  private func b1(_ x: Int, _ y: Int) -> Int {
    tap(
      plane.clamped(x - 2, y), plane.clamped(x - 1, y), plane.clamped(x, y),
      plane.clamped(x + 1, y), plane.clamped(x + 2, y), plane.clamped(x + 3, y))
  }
  private func h1(_ x: Int, _ y: Int) -> Int {
    tap(
      plane.clamped(x, y - 2), plane.clamped(x, y - 1), plane.clamped(x, y),
      plane.clamped(x, y + 1), plane.clamped(x, y + 2), plane.clamped(x, y + 3))
  }

  /// The luma sample at quarter position (`x`, `y`). Table 8-12, Figure 8-4.
  func luma(_ x: Int, _ y: Int) -> Int {
    let (xInt, yInt) = (x >> 2, y >> 2)
    let g = plane.clamped(xInt, yInt)
    let rightOfG = plane.clamped(xInt + 1, yInt)
    let m0 = plane.clamped(xInt, yInt + 1)
    let b = clip((b1(xInt, yInt) + 16) >> 5)
    let h = clip((h1(xInt, yInt) + 16) >> 5)
    let s = clip((b1(xInt, yInt + 1) + 16) >> 5)
    let m = clip((h1(xInt + 1, yInt) + 16) >> 5)
    let j1 = tap(
      b1(xInt, yInt - 2), b1(xInt, yInt - 1), b1(xInt, yInt), b1(xInt, yInt + 1),
      b1(xInt, yInt + 2), b1(xInt, yInt + 3))
    let j = clip((j1 + 512) >> 10)
    func mean(_ a: Int, _ b: Int) -> Int { (a + b + 1) >> 1 }
    switch (x & 3, y & 3) {
    case (0, 0): return g
    case (0, 1): return mean(g, h)
    case (0, 2): return h
    case (0, 3): return mean(h, m0)
    case (1, 0): return mean(g, b)
    case (1, 1): return mean(b, h)
    case (1, 2): return mean(h, j)
    case (1, 3): return mean(h, s)
    case (2, 0): return b
    case (2, 1): return mean(b, j)
    case (2, 2): return j
    case (2, 3): return mean(j, s)
    case (3, 0): return mean(b, rightOfG)
    case (3, 1): return mean(b, m)
    case (3, 2): return mean(j, m)
    default: return mean(s, m)
    }
  }

  /// (8-266).
  func chroma(_ x: Int, _ y: Int, _ xF: Int, _ yF: Int) -> Int {
    ((8 - xF) * (8 - yF) * plane.clamped(x, y) + xF * (8 - yF) * plane.clamped(x + 1, y)
      + (8 - xF) * yF * plane.clamped(x, y + 1) + xF * yF * plane.clamped(x + 1, y + 1) + 32) >> 6
  }
}

@Suite("Inter prediction")
struct InterPredictionTests {
  static let kinds: [(SampleSource.Kind, Int)] = [8, 9, 14].flatMap { depth in
    SampleSource.Kind.allCases.map { ($0, depth) }
  }

  /// Compares a block of `dst` with `expected` and the rest of it with `before`.
  static func compare<S: H264Sample>(
    _ dst: KernelPlane<S>, _ before: KernelPlane<S>, at: Int, stride: Int, width: Int, height: Int,
    _ comment: String, _ expected: (Int, Int) -> Int
  ) {
    var isRight = true
    for y in 0..<height {
      for x in 0..<width {
        let i = at + y * stride + x
        if Int(dst.plane[i]) != expected(x, y) { isRight = false }
        dst.plane[i] = before.plane[i]
      }
    }
    #expect(isRight, "\(comment)")
    let isRestUntouched = dst.samples == before.samples
    #expect(isRestUntouched, "\(comment): writes outside the block")
  }

  @Test(
    "luma equals the six-tap formulas at all positions, in and out of the picture", arguments: kinds
  )
  func luma(kind: SampleSource.Kind, depth: Int) {
    if depth == 8 { checkLuma(kind, depth, UInt8.self) }
    checkLuma(kind, depth, UInt16.self)
  }

  func checkLuma<S: H264Sample>(_ kind: SampleSource.Kind, _ depth: Int, _: S.Type) {
    let seed: UInt64 = 606
    let maximum = (1 << depth) - 1
    var source = SampleSource(seed: seed, kind, maximum: maximum)
    let picture = KernelPlane<S>(width: 50, height: 40, &source)
    let dst = KernelPlane<S>(width: 40, height: 40, &source)
    let before = KernelPlane(dst)
    let reference = InterpolationReference(plane: picture, maximum: maximum)
    let inside = (12, 10)
    let places = [
      inside, (0, 0), (2, 2), (-1, 5), (5, -1), (-9, -3), (29, 19), (31, 21), (33, 25), (46, 37),
      (60, 55), (-40, 12), (12, -40), (-100_000, 100_000), (1 << 40, -(1 << 40)),
    ]
    for (width, height) in [(4, 4), (4, 8), (8, 4), (8, 8), (8, 16), (16, 8), (16, 16)] {
      for (column, row) in places {
        for fraction in 0..<16 {
          let (x, y) = (column * 4 + fraction % 4, row * 4 + fraction / 4)
          let at = 3 * dst.stride + 8
          predictLuma(
            dst.view, at: at, stride: dst.stride, from: picture.view, x: x, y: y, width: width,
            height: height, maximum: Int32(maximum))
          Self.compare(
            dst, before, at: at, stride: dst.stride, width: width, height: height,
            "seed \(seed), \(width)×\(height) at (\(x), \(y))"
          ) { reference.luma(x + 4 * $0, y + 4 * $1) }
        }
      }
    }
  }

  @Test("extreme rows and columns do not overflow the centre position", arguments: [8, 14])
  func centreExtremes(depth: Int) {
    // Patterns that drive the six-tap sums to their ends, in both directions.
    let maximum = (1 << depth) - 1
    let bright = [true, false, true, true, false, true]
    func check<S: H264Sample>(_: S.Type) {
      for shift in 0..<36 {
        let picture = KernelPlane<S>(width: 40, height: 40)
        for y in 0..<40 {
          for x in 0..<40 {
            let value = bright[(x + shift % 6) % 6] == bright[(y + shift / 6) % 6]
            picture.plane[y * picture.stride + x] = value ? S(maximum) : 0
          }
        }
        let dst = KernelPlane<S>(width: 32, height: 32)
        let before = KernelPlane(dst)
        let reference = InterpolationReference(plane: picture, maximum: maximum)
        for (xF, yF) in [(2, 2), (2, 1), (1, 2), (2, 3), (3, 2)] {
          predictLuma(
            dst.view, at: 0, stride: dst.stride, from: picture.view, x: 40 + xF, y: 40 + yF,
            width: 16, height: 16, maximum: Int32(maximum))
          Self.compare(
            dst, before, at: 0, stride: dst.stride, width: 16, height: 16,
            "shift \(shift), fraction (\(xF), \(yF))"
          ) { reference.luma(40 + xF + 4 * $0, 40 + yF + 4 * $1) }
        }
      }
    }
    if depth == 8 { check(UInt8.self) }
    check(UInt16.self)
  }

  @Test("a field of a frame is a reference of its own")
  func fields() {
    var source = SampleSource(seed: 8, .noise, maximum: 255)
    let frame = KernelPlane<UInt8>(width: 48, height: 48, &source)
    for parity in 0...1 {
      let field = KernelPlane<UInt8>(width: 48, height: 24)
      for y in 0..<24 {
        for x in 0..<48 {
          field.plane[y * field.stride + x] = UInt8(frame[x, 2 * y + parity])
        }
      }
      let dst = KernelPlane<UInt8>(width: 32, height: 64, &source)
      let before = KernelPlane(dst)
      let reference = InterpolationReference(plane: field, maximum: 255)
      for (x, y) in [(33, 22), (-6, 70), (150, -10), (110, 49), (130, 31)] {
        predictLuma(
          dst.view, at: dst.stride, stride: 2 * dst.stride, from: frame.view.field(parity), x: x,
          y: y, width: 16, height: 16, maximum: 255)
        Self.compare(
          dst, before, at: dst.stride, stride: 2 * dst.stride, width: 16, height: 16,
          "(\(x), \(y))"
        ) { reference.luma(x + 4 * $0, y + 4 * $1) }
      }
    }
  }

  @Test("a picture smaller than the filter is all border")
  func tinyPicture() {
    var source = SampleSource(seed: 8, .noise, maximum: 255)
    let picture = KernelPlane<UInt8>(width: 2, height: 2, &source)
    let dst = KernelPlane<UInt8>(width: 32, height: 32)
    let before = KernelPlane(dst)
    let reference = InterpolationReference(plane: picture, maximum: 255)
    for fraction in 0..<16 {
      predictLuma(
        dst.view, at: 0, stride: dst.stride, from: picture.view, x: fraction % 4, y: fraction / 4,
        width: 16, height: 16, maximum: 255)
      Self.compare(
        dst, before, at: 0, stride: dst.stride, width: 16, height: 16, "fraction \(fraction)"
      ) { reference.luma(fraction % 4 + 4 * $0, fraction / 4 + 4 * $1) }
    }
  }

  @Test(
    "chroma equals the bilinear formula at all fractions, in and out of the picture",
    arguments: kinds)
  func chroma(kind: SampleSource.Kind, depth: Int) {
    if depth == 8 { checkChroma(kind, depth, UInt8.self) }
    checkChroma(kind, depth, UInt16.self)
  }

  func checkChroma<S: H264Sample>(_ kind: SampleSource.Kind, _ depth: Int, _: S.Type) {
    let seed: UInt64 = 99
    let maximum = (1 << depth) - 1
    var source = SampleSource(seed: seed, kind, maximum: maximum)
    let picture = KernelPlane<S>(width: 30, height: 20, &source)
    let dst = KernelPlane<S>(width: 40, height: 40, &source)
    let before = KernelPlane(dst)
    let reference = InterpolationReference(plane: picture, maximum: maximum)
    let places = [
      (6, 2), (0, 0), (-1, -1), (21, 11), (22, 12), (26, 15), (35, 25), (-20, 4), (4, -20),
      (-1_000_000, 1_000_000), (1 << 40, -(1 << 40)),
    ]
    let sizes = [(2, 2), (2, 4), (4, 2), (4, 4), (4, 8), (8, 4), (8, 8), (8, 16), (2, 8), (4, 16)]
    for (width, height) in sizes {
      for (x, y) in places {
        for fraction in 0..<64 {
          let at = 3 * dst.stride + 8
          predictChroma(
            dst.view, at: at, stride: dst.stride, from: picture.view, x: x, y: y,
            xFraction: fraction % 8, yFraction: fraction / 8, width: width, height: height)
          Self.compare(
            dst, before, at: at, stride: dst.stride, width: width, height: height,
            "seed \(seed), \(width)×\(height) at (\(x), \(y)), fraction \(fraction)"
          ) { reference.chroma(x + $0, y + $1, fraction % 8, fraction / 8) }
        }
      }
    }
  }

  static let blockSizes = [
    (2, 2), (2, 4), (4, 2), (4, 4), (4, 8), (8, 4), (8, 8), (8, 16), (16, 8), (16, 16),
  ]

  @Test("averages and weighted sums equal (8-271) to (8-274)", arguments: kinds)
  func weighting(kind: SampleSource.Kind, depth: Int) {
    if depth == 8 { checkWeighting(kind, depth, UInt8.self) }
    checkWeighting(kind, depth, UInt16.self)
  }

  func checkWeighting<S: H264Sample>(_ kind: SampleSource.Kind, _ depth: Int, _: S.Type) {
    let seed: UInt64 = 41
    var generator = SeededGenerator(seed: seed)
    let maximum = (1 << depth) - 1
    var source = SampleSource(seed: seed, kind, maximum: maximum)
    let first = KernelPlane<S>(width: 40, height: 40, &source)
    let second = KernelPlane<S>(width: 60, height: 50, &source)
    func clip(_ value: Int) -> Int { min(max(value, 0), maximum) }
    for (width, height) in Self.blockSizes {
      for round in 0..<40 {
        let at = 3 * first.stride + 8
        let otherAt = 5 * second.stride + 3
        let logWD = round % 8
        let extreme = round % 3 == 0
        let w0 = extreme ? [-128, 127, 128][round / 3 % 3] : generator.int(in: -64...127)
        let w1 = extreme ? [127, -128, 0][round / 3 % 3] : generator.int(in: -64...64)
        let offset = generator.int(in: -128...127) << (depth - 8)
        let comment =
          "seed \(seed), \(width)×\(height), logWD \(logWD), w \(w0) \(w1), offset \(offset)"
        func a(_ x: Int, _ y: Int) -> Int { Int(first.plane[at + y * first.stride + x]) }
        func b(_ x: Int, _ y: Int) -> Int { Int(second.plane[otherAt + y * second.stride + x]) }

        var dst = KernelPlane(first)
        averageBlock(
          dst.view, at: at, stride: dst.stride, with: second.view, otherAt: otherAt,
          otherStride: second.stride, width: width, height: height)
        Self.compare(
          dst, first, at: at, stride: dst.stride, width: width, height: height, "mean, \(comment)"
        ) { (a($0, $1) + b($0, $1) + 1) >> 1 }

        dst = KernelPlane(first)
        weightBlock(
          dst.view, at: at, stride: dst.stride, width: width, height: height, logWD: logWD,
          weight: w0, offset: offset, maximum: Int32(maximum))
        Self.compare(
          dst, first, at: at, stride: dst.stride, width: width, height: height, "one, \(comment)"
        ) {
          logWD >= 1
            ? clip(((a($0, $1) * w0 + (1 << (logWD - 1))) >> logWD) + offset)
            : clip(a($0, $1) * w0 + offset)
        }

        dst = KernelPlane(first)
        weightBlocks(
          dst.view, at: at, stride: dst.stride, with: second.view, otherAt: otherAt,
          otherStride: second.stride, width: width, height: height, logWD: logWD, weight0: w0,
          weight1: w1, offset: offset, maximum: Int32(maximum))
        Self.compare(
          dst, first, at: at, stride: dst.stride, width: width, height: height, "both, \(comment)"
        ) {
          clip(((a($0, $1) * w0 + b($0, $1) * w1 + (1 << logWD)) >> (logWD + 1)) + offset)
        }
      }
    }
  }
}
