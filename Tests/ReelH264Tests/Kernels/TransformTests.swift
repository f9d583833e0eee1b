import ReelCore
import ReelTestSupport
import Testing

@testable import ReelH264

@Suite("Inverse transforms")
struct TransformTests {
  typealias Matrix = TransformReference.Matrix

  /// Checks that `kernel` adds `residual` to a random prediction, clips, and zeroes `used`
  /// coefficients from 16 on.
  static func check<S: H264Sample>(
    _ generator: inout SeededGenerator, size: Int, maximum: Int, coefficients: [Int],
    residual: Matrix, _: S.Type, _ comment: String,
    _ kernel: (borrowing CheckedBuffer<Int32>, Int, PlaneView<S>, Int, Int, Int32) -> Void
  ) {
    var source = SampleSource(
      seed: generator.next(), generator.one(in: 2) ? .noise : .extremes, maximum: maximum)
    let plane = KernelPlane<S>(width: 40, height: 40, &source)
    let before = KernelPlane(plane)
    let buffer = CheckedBuffer<Int32>(repeating: 9, count: 16 + coefficients.count + 16)
    for i in coefficients.indices { buffer[16 + i] = Int32(coefficients[i]) }
    let at = 5 * plane.stride + 8
    let stride = generator.one(in: 2) ? plane.stride : 2 * plane.stride
    kernel(buffer, 16, plane.view, at, stride, Int32(maximum))
    for y in 0..<size {
      for x in 0..<size {
        let i = at + y * stride + x
        let expected = min(max(Int(before.plane[i]) + residual[y][x], 0), maximum)
        #expect(Int(plane.plane[i]) == expected, "\(comment), row \(y), column \(x)")
        plane.plane[i] = before.plane[i]
      }
    }
    let isRestUntouched = plane.samples == before.samples
    #expect(isRestUntouched, "\(comment): writes outside the block")
    let left = (0..<buffer.count).map { Int(buffer[$0]) }
    let zeros = [Int](repeating: 0, count: coefficients.count)
    #expect(
      left == [Int](repeating: 9, count: 16) + zeros + [Int](repeating: 9, count: 16), "\(comment)")
  }

  /// Coefficients whose transform stays in the range that §8.5.12.2 allows for 8 bits.
  static func coefficients(_ generator: inout SeededGenerator, count: Int, depth: Int) -> [Int] {
    var c = [Int](repeating: 0, count: count)
    switch generator.int(in: 0...3) {
    case 0:  // a single, possibly extreme one
      let limit = count == 16 ? 1 << (depth + 5) : 1 << (depth + 4)
      c[generator.int(in: 0...count - 1)] = generator.one(in: 2) ? limit : -limit
    case 1:  // few
      for _ in 0..<4 {
        c[generator.int(in: 0...count - 1)] = generator.int(in: -(1 << depth)...(1 << depth))
      }
    case 2:  // many small
      for i in c.indices { c[i] = generator.int(in: -120...120) }
    default:  // many, as large as can be
      let limit = (1 << (depth + 6)) / count
      for i in c.indices { c[i] = generator.one(in: 2) ? limit : -limit }
    }
    return c
  }

  static func matrix(_ c: [Int], columns: Int) -> Matrix {
    Swift.stride(from: 0, to: c.count, by: columns).map { Array(c[$0..<$0 + columns]) }
  }

  @Test("4×4 and 8×8 equal the formulas of §8.5.12.2 and §8.5.13", arguments: [8, 10, 14])
  func inverse(depth: Int) {
    let seed: UInt64 = 20_240 + UInt64(depth)
    var generator = SeededGenerator(seed: seed)
    let maximum = (1 << depth) - 1
    for round in 0..<400 {
      for size in [4, 8] {
        let c = Self.coefficients(&generator, count: size * size, depth: depth)
        let residual = TransformReference.inverse(Self.matrix(c, columns: size))
        let comment = "seed \(seed), round \(round), size \(size)"
        if depth == 8 {
          Self.check(
            &generator, size: size, maximum: maximum, coefficients: c, residual: residual,
            UInt8.self, comment
          ) { b, from, dst, at, stride, maximum in
            if size == 4 {
              addInverse4x4(b, from: from, dst, at: at, stride: stride, maximum: maximum)
            } else {
              addInverse8x8(b, from: from, dst, at: at, stride: stride, maximum: maximum)
            }
          }
        }
        Self.check(
          &generator, size: size, maximum: maximum, coefficients: c, residual: residual,
          UInt16.self, comment
        ) { b, from, dst, at, stride, maximum in
          if size == 4 {
            addInverse4x4(b, from: from, dst, at: at, stride: stride, maximum: maximum)
          } else {
            addInverse8x8(b, from: from, dst, at: at, stride: stride, maximum: maximum)
          }
        }
      }
    }
  }

  @Test("a DC coefficient alone gives what the whole transform gives", arguments: [8, 12])
  func inverseDC(depth: Int) {
    let seed: UInt64 = 77
    var generator = SeededGenerator(seed: seed)
    let maximum = (1 << depth) - 1
    let limit = 1 << (depth + 6)
    for dc in [-limit, -33, -32, -31, 0, 31, 32, 33, 1000, limit - 1] {
      for size in [4, 8] {
        var c = [Int](repeating: 0, count: size * size)
        c[0] = dc
        let residual = TransformReference.inverse(Self.matrix(c, columns: size))
        let comment = "seed \(seed), DC \(dc), size \(size)"
        func run<S: H264Sample>(_: S.Type) {
          Self.check(
            &generator, size: size, maximum: maximum, coefficients: c, residual: residual,
            S.self, comment
          ) { b, from, dst, at, stride, maximum in
            if size == 4 {
              addInverse4x4DC(b, from: from, dst, at: at, stride: stride, maximum: maximum)
            } else {
              addInverse8x8DC(b, from: from, dst, at: at, stride: stride, maximum: maximum)
            }
          }
        }
        if depth == 8 { run(UInt8.self) }
        run(UInt16.self)
      }
    }
  }

  @Test("no coefficient value traps")
  func extremesDoNotTrap() {
    let plane = KernelPlane<UInt8>(width: 32, height: 32)
    for value in [Int32.min, Int32.max, -1, 1 << 30] {
      let buffer = CheckedBuffer<Int32>(repeating: value, count: 64)
      addInverse8x8(buffer, from: 0, plane.view, at: 0, stride: plane.stride, maximum: 255)
      buffer.fill(with: value)
      addInverse4x4(buffer, from: 48, plane.view, at: 0, stride: plane.stride, maximum: 255)
      addInverse4x4DC(buffer, from: 0, plane.view, at: 0, stride: plane.stride, maximum: 255)
      addInverse8x8DC(buffer, from: 1, plane.view, at: 0, stride: plane.stride, maximum: 255)
      inverseLumaDC(buffer, from: 2, scale: value, qp: 87)
      inverseChromaDC422(buffer, from: 20, scale: value, qpDC: 90)
      _ = inverseChromaDC420(value, value, value, value, scale: value, qp: 87)
      buffer.fill(with: value)
      reconstructSwitchingLuma4x4(
        buffer, from: 0, plane.view, at: 0, stride: plane.stride, qp: 51, qs: 51, switching: false)
      buffer.fill(with: value)
      reconstructSwitchingChroma8x8(
        buffer, from: 0, plane.view, at: 0, stride: plane.stride, qp: 39, qs: 39, switching: true)
      #expect((0..<64).allSatisfy { buffer[$0] == 0 })
    }
  }

  @Test("DC transforms equal the matrix products of §8.5.10 and §8.5.11 at every qp")
  func dcTransforms() {
    let seed: UInt64 = 5
    var generator = SeededGenerator(seed: seed)
    for qp in 0...87 {
      let scale = 16 * TransformReference.v[qp % 6][0] + generator.int(in: -80...200)
      let c = (0..<16).map { _ in generator.int(in: -2047...2047) }
      let buffer = CheckedBuffer<Int32>(repeating: 3, count: 24)
      for i in 0..<16 { buffer[4 + i] = Int32(c[i]) }
      // In 32 bits only the low bits survive a large shift, as in the kernel.
      func low(_ m: Matrix) -> [Int32] { m.flatMap { $0 }.map { Int32(truncatingIfNeeded: $0) } }
      inverseLumaDC(buffer, from: 4, scale: Int32(scale), qp: qp)
      let luma = TransformReference.lumaDC(Self.matrix(c, columns: 4), scale: scale, qp: qp)
      #expect((0..<16).map { buffer[4 + $0] } == low(luma), "seed \(seed), qp \(qp)")

      for i in 0..<8 { buffer[4 + i] = Int32(c[i]) }
      inverseChromaDC422(buffer, from: 4, scale: Int32(scale), qpDC: qp)
      let chroma = TransformReference.chromaDC422(
        Self.matrix(Array(c[0..<8]), columns: 2), scale: scale, qpDC: qp)
      #expect((0..<8).map { buffer[4 + $0] } == low(chroma), "seed \(seed), qp \(qp)")

      let small = c.map { $0 / 64 }
      let dc = inverseChromaDC420(
        Int32(small[0]), Int32(small[1]), Int32(small[2]), Int32(small[3]), scale: Int32(scale),
        qp: min(qp, 60))
      let expected = TransformReference.chromaDC420(
        [[small[0], small[1]], [small[2], small[3]]], scale: scale, qp: min(qp, 60))
      #expect((0..<4).map { dc[$0] } == low(expected), "seed \(seed), qp \(qp)")
    }
  }

  @Test("untransformed residuals add up along rows or columns, §8.5.15", arguments: [4, 8])
  func bypass(size: Int) {
    let seed: UInt64 = 91
    var generator = SeededGenerator(seed: seed)
    for direction in 0...2 {
      let c = (0..<size * size).map { _ in generator.int(in: -60...60) }
      let m = Self.matrix(c, columns: size)
      var residual = m
      for i in 0..<size {
        for j in 0..<size {
          switch direction {
          case 1: residual[i][j] = m[i][0...j].reduce(0, +)
          case 2: residual[i][j] = (0...i).map { m[$0][j] }.reduce(0, +)
          default: break
          }
        }
      }
      Self.check(
        &generator, size: size, maximum: 255, coefficients: c, residual: residual, UInt8.self,
        "seed \(seed), direction \(direction)"
      ) { b, from, dst, at, stride, maximum in
        addBypass(
          b, from: from, size: size, dst, at: at, stride: stride, maximum: maximum,
          direction: direction)
      }
    }
  }

  @Test("pieces of a 16×16 array of differences continue one another", arguments: [1, 2])
  func bypassContinues(direction: Int) {
    var generator = SeededGenerator(seed: 4)
    let residual = (0..<16).map { _ in (0..<16).map { _ in generator.int(in: -4...4) } }
    let plane = KernelPlane<UInt8>(width: 32, height: 32)
    let buffer = CheckedBuffer<Int32>(repeating: 0, count: 16)
    let edge = (0..<16).map { _ in generator.int(in: 80...160) }
    for y in 0..<16 {
      for x in 0..<16 { plane.plane[y * plane.stride + x] = UInt8(edge[direction == 1 ? y : x]) }
    }
    for piece in 0..<16 {
      let (x, y) = (piece % 4 * 4, piece / 4 * 4)
      for i in 0..<16 { buffer[i] = Int32(residual[y + i / 4][x + i % 4]) }
      addBypass(
        buffer, from: 0, size: 4, plane.view, at: y * plane.stride + x, stride: plane.stride,
        maximum: 255, direction: direction, continuing: (direction == 1 ? x : y) > 0)
    }
    for y in 0..<16 {
      for x in 0..<16 {
        let sum =
          direction == 1
          ? residual[y][0...x].reduce(0, +) : (0...y).map { residual[$0][x] }.reduce(0, +)
        #expect(plane[x, y] == edge[direction == 1 ? y : x] + sum)
      }
    }
  }

  @Test("SP and SI blocks equal the formulas of §8.6", arguments: [false, true])
  func switching(switching: Bool) {
    let seed: UInt64 = 1234
    var generator = SeededGenerator(seed: seed)
    for round in 0..<200 {
      let (qp, qs) = (generator.int(in: 0...51), generator.int(in: 0...51))
      let (qpC, qsC) = (min(qp, 39), min(qs, 39))
      let limit = generator.one(in: 2) ? 3 : 40
      var source = SampleSource(seed: generator.next(), .smooth, maximum: 255)
      let plane = KernelPlane<UInt8>(width: 32, height: 32, &source)
      let prediction = (0..<8).map { y in (0..<8).map { x in plane[x + 8, y + 2] } }
      let levels = (0..<4).map { _ in
        (0..<4).map { _ in (0..<4).map { _ in generator.int(in: -limit...limit) } }
      }
      let buffer = CheckedBuffer<Int32>(levels.flatMap { $0.flatMap { $0 } }.map(Int32.init))
      let at = 2 * plane.stride + 8
      let comment = "seed \(seed), round \(round), qp \(qp), qs \(qs)"
      reconstructSwitchingChroma8x8(
        buffer, from: 0, plane.view, at: at, stride: plane.stride, qp: qpC, qs: qsC,
        switching: switching)
      let chroma = (0..<8).map { y in (0..<8).map { x in plane[x + 8, y + 2] } }
      let expected = TransformReference.switchingChroma(
        prediction: prediction, levels: levels, qp: qpC, qs: qsC, switching: switching)
      #expect(chroma == expected, "\(comment)")
      #expect((0..<64).allSatisfy { buffer[$0] == 0 })

      let corner = (0..<4).map { y in (0..<4).map { x in plane[x + 8, y + 2] } }
      for i in 0..<16 { buffer[i] = Int32(levels[1][i / 4][i % 4]) }
      reconstructSwitchingLuma4x4(
        buffer, from: 0, plane.view, at: at, stride: plane.stride, qp: qp, qs: qs,
        switching: switching)
      let luma = (0..<4).map { y in (0..<4).map { x in plane[x + 8, y + 2] } }
      let expectedLuma = TransformReference.switchingLuma(
        prediction: corner, levels: levels[1], qp: qp, qs: qs, switching: switching)
      #expect(luma == expectedLuma, "\(comment)")
    }
  }
}
