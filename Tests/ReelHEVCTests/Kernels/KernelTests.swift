internal import ReelCore
internal import ReelTestSupport
internal import Testing

@testable internal import ReelHEVC

/// Each kernel against the formula of the standard, on random samples and extremes.
@Suite("Kernels of HEVC")
struct KernelTests {
  static let depths = [8, 10, 12]

  @Test("luma interpolation equals the sums of §8.5.3.3.3.1", arguments: depths)
  func luma(bitDepth: Int) {
    if bitDepth == 8 {
      interpolate(UInt8.self, bitDepth, taps: 8)
    } else {
      interpolate(UInt16.self, bitDepth, taps: 8)
    }
  }

  @Test("chroma interpolation equals the sums of §8.5.3.3.3.2", arguments: depths)
  func chroma(bitDepth: Int) {
    if bitDepth == 8 {
      interpolate(UInt8.self, bitDepth, taps: 4)
    } else {
      interpolate(UInt16.self, bitDepth, taps: 4)
    }
  }

  private func tap(_ taps: Int, _ fraction: Int, _ i: Int) -> Int {
    Int(
      taps == 8
        ? InterpolationTables.luma[fraction * 8 + i] : InterpolationTables.chroma[fraction * 4 + i])
  }

  private func interpolate<S: HEVCSample>(_: S.Type, _ bitDepth: Int, taps: Int) {
    let seed = UInt64(bitDepth * 31 + taps)
    var random = SeededGenerator(seed: seed)
    let sums = WordBlock(stride: 64, rows: 72)
    let output = WordBlock(stride: 64, rows: 64)
    for _ in 0..<40 {
      let plane = KernelPlane<S>(width: 96, height: 80, bitDepth: bitDepth, &random)
      let width = [2, 4, 6, 8, 12, 16, 24, 32, 64][random.int(in: 0...8)]
      let height = [2, 4, 8, 16, 32, 64][random.int(in: 0...5)]
      let fx = random.int(in: 0...(taps == 8 ? 3 : 7))
      let fy = random.int(in: 0...(taps == 8 ? 3 : 7))
      let source = plane.view.window(
        at: 0, stride: plane.plane.stride,
        columns: Interpolation<S>.readable(width, taps: taps),
        rows: fy == 0 ? height : height + taps - 1)
      let shift = bitDepth - 8
      run(
        taps, output, sums, source, fx, fy, width: width, height: height, bitDepth: bitDepth)
      for y in 0..<height {
        for x in 0..<width {
          func across(_ row: Int) -> Int {
            fx == 0
              ? plane[x, row]
              : (0..<taps).reduce(0) { $0 + tap(taps, fx, $1) * plane[x + $1, row] } >> shift
          }
          let expected: Int
          if fy == 0 {
            expected = fx == 0 ? plane[x, y] << (14 - bitDepth) : across(y)
          } else {
            let sum = (0..<taps).reduce(0) { $0 + tap(taps, fy, $1) * across(y + $1) }
            expected = sum >> (fx == 0 ? shift : 6)
          }
          let got = Int(output.values[y * 64 + x])
          #expect(got == expected, "seed \(seed): (\(x), \(y)) of \(width)×\(height), \(fx), \(fy)")
          if got != expected { return }
        }
      }
    }
  }

  private func run<S: HEVCSample>(
    _ taps: Int, _ output: borrowing WordBlock, _ sums: borrowing WordBlock,
    _ source: PlaneWindow<S>, _ fx: Int, _ fy: Int, width: Int, height: Int, bitDepth: Int
  ) {
    let shift = bitDepth - 8
    typealias Kernel = Interpolation<S>
    switch (fx == 0, fy == 0, taps) {
    case (true, true, _):
      Kernel.copy(output, source, width: width, height: height, shift: 14 - bitDepth)
    case (false, true, 8):
      Kernel.lumaAcross(
        output, source, fraction: fx, width: width, height: height, shift: shift)
    case (false, true, _):
      Kernel.chromaAcross(
        output, source, fraction: fx, width: width, height: height, shift: shift)
    case (true, false, 8):
      Kernel.lumaDown(output, source, fraction: fy, width: width, height: height, shift: shift)
    case (true, false, _):
      Kernel.chromaDown(output, source, fraction: fy, width: width, height: height, shift: shift)
    case (false, false, 8):
      Kernel.lumaAcross(
        sums, source, fraction: fx, width: width, height: height + 7, shift: shift)
      Kernel.lumaDown(output, sums: sums, fraction: fy, width: width, height: height)
    default:
      Kernel.chromaAcross(
        sums, source, fraction: fx, width: width, height: height + 3, shift: shift)
      Kernel.chromaDown(output, sums: sums, fraction: fy, width: width, height: height)
    }
  }

  @Test("inverse transforms equal the products of matrices", arguments: depths)
  func transforms(bitDepth: Int) {
    let seed = UInt64(bitDepth + 77)
    var random = SeededGenerator(seed: seed)
    let coefficients = CheckedBuffer<Int16>(repeating: 0, count: 1032)
    let residual = CheckedBuffer<Int16>(repeating: 0, count: 1032)
    let scratch = CheckedBuffer<Int16>(repeating: 0, count: 1032)
    let matrix = CheckedBuffer<Int16>(TransformTables.dct + [Int16](repeating: 0, count: 8))
    let sine = CheckedBuffer<Int16>(TransformTables.dst)
    for round in 0..<60 {
      let log2Size = 2 + round % 4
      let isSine = log2Size == 2 && random.one(in: 2)
      let size = 1 << log2Size
      let columns = 4 * random.int(in: 1...size / 4)
      let rows = 4 * random.int(in: 1...size / 4)
      coefficients.fill(with: 0)
      for y in 0..<rows {
        for x in 0..<columns where random.one(in: 3) {
          coefficients[y * size + x] = Int16(random.int(in: -2000...2000))
        }
      }
      func entry(_ k: Int, _ n: Int) -> Int {
        isSine
          ? Int(TransformTables.dst[k * 4 + n])
          : Int(TransformTables.dct[(k << (5 - log2Size)) * 32 + n])
      }
      if log2Size == 2 {
        if isSine {
          InverseTransform.transform4x4(
            coefficients, residual, matrix: sine, step: 4, bitDepth: bitDepth)
        } else {
          InverseTransform.transform4x4(
            coefficients, residual, matrix: matrix, step: 256, bitDepth: bitDepth)
        }
      } else {
        InverseTransform.dct(
          coefficients, residual, scratch: scratch, matrix: matrix, log2Size: log2Size,
          columns: columns, rows: rows, bitDepth: bitDepth)
      }
      var first = [Int](repeating: 0, count: size * size)
      for x in 0..<size {
        for n in 0..<size {
          let sum = (0..<size).reduce(0) { $0 + entry($1, n) * Int(coefficients[$1 * size + x]) }
          first[n * size + x] = min(max((sum + 64) >> 7, -32768), 32767)
        }
      }
      for y in 0..<size {
        for n in 0..<size {
          let sum = (0..<size).reduce(0) { $0 + entry($1, n) * first[y * size + $1] }
          let shift = 20 - bitDepth
          let expected = min(max((sum + 1 << (shift - 1)) >> shift, -32768), 32767)
          #expect(Int(residual[y * size + n]) == expected, "seed \(seed), size \(size)")
        }
      }
    }
  }

  @Test("weighted prediction equals the formulas of §8.5.3.3.4", arguments: depths)
  func weights(bitDepth: Int) {
    if bitDepth == 8 { weight(UInt8.self, bitDepth) } else { weight(UInt16.self, bitDepth) }
  }

  private func weight<S: HEVCSample>(_: S.Type, _ bitDepth: Int) {
    let seed = UInt64(bitDepth + 5)
    var random = SeededGenerator(seed: seed)
    let p0 = WordBlock(stride: 64, rows: 64)
    let p1 = WordBlock(stride: 64, rows: 64)
    let maximum = 1 << bitDepth - 1
    for _ in 0..<40 {
      for i in 0..<64 * 64 {
        p0.values[i] = Int16(random.int(in: -4000...20000))
        p1.values[i] = Int16(random.int(in: -4000...20000))
      }
      let plane = KernelPlane<S>(width: 64, height: 16, bitDepth: bitDepth, &random)
      let width = [2, 4, 6, 8, 12, 24, 64][random.int(in: 0...6)]
      let block = plane.view.window(at: 0, stride: plane.plane.stride, columns: width, rows: 4)
      let shift = 14 - bitDepth
      let w = Weighting(
        log2WD: Int32(shift + random.int(in: 0...7)), w0: Int32(random.int(in: -128...255)),
        w1: Int32(random.int(in: -128...255)), o0: Int32(random.int(in: -128...127)),
        o1: Int32(random.int(in: -128...127)))
      let kind = random.int(in: 0...3)
      switch kind {
      case 0: WeightedPrediction<S>.put(block, p0, bitDepth: bitDepth)
      case 1: WeightedPrediction<S>.average(block, p0, p1, bitDepth: bitDepth)
      case 2: WeightedPrediction<S>.weight(block, p0, w, bitDepth: bitDepth)
      default: WeightedPrediction<S>.weight(block, p0, p1, w, bitDepth: bitDepth)
      }
      for y in 0..<4 {
        for x in 0..<width {
          let (a, b) = (Int(p0.values[y * 64 + x]), Int(p1.values[y * 64 + x]))
          let log2WD = Int(w.log2WD)
          let value: Int
          switch kind {
          case 0: value = (a + 1 << (shift - 1)) >> shift
          case 1: value = (a + b + 1 << shift) >> (shift + 1)
          case 2: value = (a * Int(w.w0) + 1 << (log2WD - 1)) >> log2WD + Int(w.o0)
          default:
            value =
              (a * Int(w.w0) + b * Int(w.w1) + Int(w.o0 + w.o1 + 1) << log2WD) >> (log2WD + 1)
          }
          #expect(
            plane[x, y] == min(max(value, 0), maximum), "seed \(seed), kind \(kind), width \(width)"
          )
        }
      }
    }
  }

  @Test("sample adaptive offset equals the formulas of §8.7.3.2", arguments: depths)
  func offsets(bitDepth: Int) {
    if bitDepth == 8 { offset(UInt8.self, bitDepth) } else { offset(UInt16.self, bitDepth) }
  }

  private func offset<S: HEVCSample>(_: S.Type, _ bitDepth: Int) {
    let seed = UInt64(bitDepth + 9)
    var random = SeededGenerator(seed: seed)
    let maximum = 1 << bitDepth - 1
    for _ in 0..<40 {
      let source = KernelPlane<S>(width: 96, height: 18, bitDepth: bitDepth, &random)
      let plane = KernelPlane<S>(width: 64, height: 16, bitDepth: bitDepth, &random)
      let width = [4, 8, 12, 16, 64][random.int(in: 0...4)]
      let block = plane.view.window(at: 0, stride: plane.plane.stride, columns: width, rows: 16)
      let window = source.view.window(
        at: 0, stride: source.plane.stride, columns: (width + 7) & ~7 + 16, rows: 18)
      let values = SIMD4<Int16>(7, 3, -2, -7)
      let isBand = random.one(in: 2)
      let position = random.int(in: 0...31)
      let (dx, dy) = [(-1, 0), (0, -1), (-1, -1), (1, -1)][random.int(in: 0...3)]
      if isBand {
        OffsetFilter<S>.band(block, window, position: position, values, bitDepth: bitDepth)
      } else {
        OffsetFilter<S>.edge(block, window, dx: dx, dy: dy, values, maximum: Int16(maximum))
      }
      for y in 0..<16 {
        for x in 0..<width {
          let sample = source[x + 8, y + 1]
          var index = 0
          if isBand {
            let band = (sample >> (bitDepth - 5) - position) & 31
            index = band < 4 ? band + 1 : 0
          } else {
            let sum =
              (sample - source[x + 8 + dx, y + 1 + dy]).signum()
              + (sample - source[x + 8 - dx, y + 1 - dy]).signum()
            index = [1, 2, 0, 3, 4][sum + 2]
          }
          let expected = index == 0 ? sample : sample + Int(values[index - 1])
          #expect(plane[x, y] == min(max(expected, 0), maximum), "seed \(seed), band \(isBand)")
        }
      }
    }
  }
}
