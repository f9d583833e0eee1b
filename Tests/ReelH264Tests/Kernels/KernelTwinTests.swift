import ReelCore
import ReelTestSupport
import Testing

@testable import ReelH264

/// Each vector kernel of 8-bit video gives what its plain twin gives, on random calls.
@Suite("Vector kernels and their plain twins")
struct KernelTwinTests {
  /// A random call of one kernel, made on `plane` by the vector kernel or by its twin.
  typealias Call = (_ plane: KernelPlane<UInt8>, _ usesPlain: Bool) -> Void
  typealias Plain = PlainKernels<UInt8>

  /// Runs `rounds` calls drawn by `draw` on equal planes.
  static func compare(
    seed: UInt64, rounds: Int, _ draw: (inout SeededGenerator, KernelPlane<UInt8>) -> (Call, String)
  ) {
    var generator = SeededGenerator(seed: seed)
    for round in 0..<rounds {
      let kind = SampleSource.Kind.allCases[round % 3]
      var source = SampleSource(seed: generator.next(), kind, maximum: 255)
      let plane = KernelPlane<UInt8>(width: 64, height: 48, &source)
      let twin = KernelPlane(plane)
      let (call, text) = draw(&generator, plane)
      call(plane, false)
      call(twin, true)
      let isEqual = plane.samples == twin.samples
      #expect(isEqual, "seed \(seed), round \(round), \(kind): \(text)")
    }
  }

  @Test("luma interpolation", arguments: [1, 2] as [UInt64])
  func luma(seed: UInt64) {
    var source = SampleSource(seed: seed, .extremes, maximum: 255)
    let reference = KernelPlane<UInt8>(width: 56, height: 44, &source)
    Self.compare(seed: seed, rounds: 600) { generator, plane in
      let width = [4, 8, 16][generator.int(in: 0...2)]
      let height = [4, 8, 16][generator.int(in: 0...2)]
      let x = generator.int(in: -120...300)
      let y = generator.int(in: -120...250)
      let at = generator.int(in: 0...40) + plane.stride * generator.int(in: 0...20)
      let call: Call = { plane, usesPlain in
        (usesPlain ? Plain.predictLuma : UInt8.predictLuma)(
          plane.view, at, plane.stride, reference.view, x, y, width, height, 255)
      }
      return (call, "\(width)×\(height) at (\(x), \(y))")
    }
  }

  @Test("chroma interpolation", arguments: [3, 4] as [UInt64])
  func chroma(seed: UInt64) {
    var source = SampleSource(seed: seed, .extremes, maximum: 255)
    let reference = KernelPlane<UInt8>(width: 28, height: 22, &source)
    Self.compare(seed: seed, rounds: 1000) { generator, plane in
      let width = [2, 4, 8][generator.int(in: 0...2)]
      let height = [2, 4, 8, 16][generator.int(in: 0...3)]
      let x = generator.int(in: -20...45)
      let y = generator.int(in: -20...40)
      let fraction = generator.int(in: 0...63)
      let at = generator.int(in: 0...40) + plane.stride * generator.int(in: 0...20)
      let call: Call = { plane, usesPlain in
        (usesPlain ? Plain.predictChroma : UInt8.predictChroma)(
          plane.view, at, plane.stride, reference.view, x, y, fraction & 7, fraction >> 3, width,
          height)
      }
      return (call, "\(width)×\(height) at (\(x), \(y)), fraction \(fraction)")
    }
  }

  @Test("averages and weights, also of values no stream may have", arguments: [5, 6] as [UInt64])
  func weights(seed: UInt64) {
    var source = SampleSource(seed: seed, .extremes, maximum: 255)
    let other = KernelPlane<UInt8>(width: 64, height: 48, &source)
    Self.compare(seed: seed, rounds: 1200) { generator, plane in
      let width = [2, 4, 8, 16][generator.int(in: 0...3)]
      let height = [2, 4, 8, 16][generator.int(in: 0...3)]
      let at = generator.int(in: 0...40) + plane.stride * generator.int(in: 0...20)
      let extreme = generator.one(in: 3)
      func weight() -> Int {
        extreme
          ? [-128, -127, 0, 1, 127, 128][generator.int(in: 0...5)] : generator.int(in: -128...128)
      }
      let (w0, w1) = (weight(), generator.one(in: 2) ? 64 - weight() : weight())
      let logWD = generator.int(in: 0...7)
      let offset = generator.int(in: -128...127)
      let kernel = generator.int(in: 0...2)
      let call: Call = { plane, usesPlain in
        switch kernel {
        case 0:
          (usesPlain ? Plain.averageBlock : UInt8.averageBlock)(
            plane.view, at, plane.stride, other.view, 7, other.stride, width, height)
        case 1:
          (usesPlain ? Plain.weightBlock : UInt8.weightBlock)(
            plane.view, at, plane.stride, width, height, logWD, w0, offset, 255)
        default:
          (usesPlain ? Plain.weightBlocks : UInt8.weightBlocks)(
            plane.view, at, plane.stride, other.view, 7, other.stride, width, height, logWD, w0,
            w1, offset, 255)
        }
      }
      return (call, "kernel \(kernel), \(width)×\(height), logWD \(logWD), \(w0) \(w1) \(offset)")
    }
  }

  @Test("transforms of values that conforming streams have", arguments: [7, 8] as [UInt64])
  func transforms(seed: UInt64) {
    Self.compare(seed: seed, rounds: 1500) { generator, plane in
      let kernel = generator.int(in: 0...3)
      let size = kernel < 2 ? 4 : 8
      var c = TransformTests.coefficients(&generator, count: size * size, depth: 8)
      if kernel & 1 == 1 { for i in 1..<c.count { c[i] = 0 } }
      let at = generator.int(in: 0...50) + plane.stride * generator.int(in: 0...20)
      let call: Call = { plane, usesPlain in
        let buffer = CheckedBuffer<Int32>(c.map(Int32.init))
        switch (kernel, usesPlain) {
        case (0, false):
          UInt8.addInverse4x4(
            buffer, from: 0, plane.view, at: at, stride: plane.stride, maximum: 255)
        case (0, true):
          Plain.addInverse4x4(
            buffer, from: 0, plane.view, at: at, stride: plane.stride, maximum: 255)
        case (1, false):
          UInt8.addInverse4x4DC(
            buffer, from: 0, plane.view, at: at, stride: plane.stride, maximum: 255)
        case (1, true):
          Plain.addInverse4x4DC(
            buffer, from: 0, plane.view, at: at, stride: plane.stride, maximum: 255)
        case (2, false):
          UInt8.addInverse8x8(
            buffer, from: 0, plane.view, at: at, stride: plane.stride, maximum: 255)
        case (2, true):
          Plain.addInverse8x8(
            buffer, from: 0, plane.view, at: at, stride: plane.stride, maximum: 255)
        case (_, false):
          UInt8.addInverse8x8DC(
            buffer, from: 0, plane.view, at: at, stride: plane.stride, maximum: 255)
        case (_, true):
          Plain.addInverse8x8DC(
            buffer, from: 0, plane.view, at: at, stride: plane.stride, maximum: 255)
        }
        #expect((0..<c.count).allSatisfy { buffer[$0] == 0 })
      }
      return (call, "kernel \(kernel), \(c)")
    }
  }

  @Test("intra prediction of all sizes and modes", arguments: [9, 10] as [UInt64])
  func intra(seed: UInt64) {
    Self.compare(seed: seed, rounds: 2000) { generator, plane in
      var source = SampleSource(
        seed: generator.next(), SampleSource.Kind.allCases[generator.int(in: 0...2)], maximum: 255)
      var top = SIMD16<UInt16>()
      var left = SIMD16<UInt16>()
      for i in 0..<16 {
        top[i] = UInt16(source.next())
        left[i] = UInt16(source.next())
      }
      let corner = UInt16(source.next())
      let kernel = generator.int(in: 0...3)
      let mode = generator.int(in: 0...(kernel < 2 ? 8 : 3))
      // Only DC may lack neighbours; corner and above right may be missing where no use is made.
      let isDC = mode == (kernel == 3 ? 0 : 2)
      let hasTop = isDC ? generator.one(in: 2) : true
      let hasLeft = isDC ? generator.one(in: 2) : true
      let hasLowerLeft = isDC ? generator.one(in: 2) : true
      let hasCorner = (4...6).contains(mode) || generator.one(in: 2)
      let hasTopRight = generator.one(in: 2)
      let height = generator.one(in: 2) ? 8 : 16
      let at = generator.int(in: 0...40) + plane.stride * generator.int(in: 0...20)
      let call: Call = { plane, usesPlain in
        let (view, stride) = (plane.view, plane.stride)
        switch kernel {
        case 0:
          (usesPlain ? Plain.predictIntra4x4 : UInt8.predictIntra4x4)(
            mode, view, at, stride, top.lowHalf, left.lowHalf.lowHalf, corner, hasTop, hasLeft, 8)
        case 1:
          (usesPlain ? Plain.predictIntra8x8 : UInt8.predictIntra8x8)(
            mode, view, at, stride, top, left.lowHalf, corner, hasTop, hasTopRight, hasLeft,
            hasCorner, 8)
        case 2:
          (usesPlain ? Plain.predictIntra16x16 : UInt8.predictIntra16x16)(
            mode, view, at, stride, top, left, corner, hasTop, hasLeft, 8)
        default:
          (usesPlain ? Plain.predictIntraChroma : UInt8.predictIntraChroma)(
            mode, view, at, stride, height, top.lowHalf, left, corner, hasTop, hasLeft,
            hasLowerLeft, 8)
        }
      }
      return (call, "kernel \(kernel), mode \(mode), \(top) \(left) \(corner)")
    }
  }

  @Test("edge filters, also with strengths mixed", arguments: [11, 12, 13] as [UInt64])
  func edges(seed: UInt64) {
    Self.compare(seed: seed, rounds: 3000) { generator, plane in
      let isVertical = generator.one(in: 2)
      let isChroma = generator.one(in: 2)
      let lines = [1, 2, 4][generator.int(in: 0...2)]
      let setting = EdgeFilterTests.Setting(
        chromaStyle: isChroma, isVertical: isVertical, linesPerStrength: lines, bitDepth: 8)
      if generator.one(in: 2) {
        // Samples near one another, else the plane's own.
        EdgeFilterTests.fill(
          plane, setting, &generator, spread: [2, 8, 30][generator.int(in: 0...2)])
      }
      let samples = KernelPlane(plane)
      let kind = generator.int(in: 0...3)
      let strengths = (0..<4).reduce(UInt32(0)) { sum, group in
        let bS = kind == 0 ? 4 : kind == 1 ? generator.int(in: 0...4) : generator.int(in: 0...3)
        return sum | UInt32(bS) << UInt32(8 * group)
      }
      let alpha = Int32(generator.one(in: 4) ? 255 : generator.int(in: 0...255))
      let beta = Int32(generator.one(in: 4) ? 18 : generator.int(in: 0...18))
      let indexA = generator.int(in: 0...51)
      let at = 16 + plane.stride * 16
      let call: Call = { plane, usesPlain in
        for i in 0..<plane.plane.count { plane.plane[i] = samples.plane[i] }
        let across = isVertical ? 1 : plane.stride
        let along = isVertical ? plane.stride : 1
        let luma = usesPlain ? Plain.filterLumaEdge : UInt8.filterLumaEdge
        let chroma = usesPlain ? Plain.filterChromaEdge : UInt8.filterChromaEdge
        (isChroma ? chroma : luma)(
          plane.view, at, across, along, lines, strengths, alpha, beta, indexA, 8)
      }
      return (call, "\(setting), strengths \(strengths), α \(alpha), β \(beta), index \(indexA)")
    }
  }
}
