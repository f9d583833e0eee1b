import ReelCore
import ReelTestSupport
import Testing

@testable import ReelH264

@Suite("Intra prediction")
struct IntraPredictionTests {
  /// What kernels write for one block, and that they write nothing else.
  static func written<S: H264Sample>(
    width: Int, height: Int, fieldStride: Bool, _ predict: (PlaneView<S>, Int, Int) -> Void
  ) -> [[Int]]? {
    let plane = KernelPlane<S>(width: 48, height: 48)
    let stride = fieldStride ? 2 * plane.stride : plane.stride
    let at = 3 * plane.stride + 16
    for i in 0..<plane.plane.count { plane.plane[i] = 77 }
    predict(plane.view, at, stride)
    let block = (0..<height).map { y in
      (0..<width).map { x in Int(plane.plane[at + y * stride + x]) }
    }
    for y in 0..<height {
      for x in 0..<width { plane.plane[at + y * stride + x] = 77 }
    }
    return plane.samples.allSatisfy { $0 == 77 } ? block : nil
  }

  static func lanes<V: SIMD>(_ values: [Int?], as: V.Type) -> V where V.Scalar == UInt16 {
    var v = V(repeating: 0)
    for i in 0..<V.scalarCount where i < values.count { v[i] = UInt16(values[i] ?? 999) }
    return v
  }

  // Above: 10 20 30 40 50 60 70 80, corner 8, left: 6 4 2 0.
  @Test(
    "a 4×4 block equals the one worked out by hand",
    arguments: [
      (0, [[10, 20, 30, 40], [10, 20, 30, 40], [10, 20, 30, 40], [10, 20, 30, 40]]),
      (1, [[6, 6, 6, 6], [4, 4, 4, 4], [2, 2, 2, 2], [0, 0, 0, 0]]),
      (2, [[14, 14, 14, 14], [14, 14, 14, 14], [14, 14, 14, 14], [14, 14, 14, 14]]),
      (3, [[20, 30, 40, 50], [30, 40, 50, 60], [40, 50, 60, 70], [50, 60, 70, 78]]),
      (4, [[8, 12, 20, 30], [6, 8, 12, 20], [4, 6, 8, 12], [2, 4, 6, 8]]),
      (5, [[9, 15, 25, 35], [8, 12, 20, 30], [6, 9, 15, 25], [4, 8, 12, 20]]),
      (6, [[7, 8, 12, 20], [5, 6, 7, 8], [3, 4, 5, 6], [1, 2, 3, 4]]),
      (7, [[15, 25, 35, 45], [20, 30, 40, 50], [25, 35, 45, 55], [30, 40, 50, 60]]),
      (8, [[5, 4, 3, 2], [3, 2, 1, 1], [1, 1, 0, 0], [0, 0, 0, 0]]),
    ])
  func handComputed4x4(mode: Int, expected: [[Int]]) {
    let block = Self.written(width: 4, height: 4, fieldStride: false) {
      (dst: PlaneView<UInt8>, at, stride) in
      predictIntra4x4(
        mode: mode, dst, at: at, stride: stride, top: SIMD8(10, 20, 30, 40, 50, 60, 70, 80),
        left: SIMD4(6, 4, 2, 0), topLeft: 8, hasTop: true, hasLeft: true, bitDepth: 8)
    }
    #expect(block == expected)
  }

  @Test("a plane through a linear edge goes on linearly")
  func planeOfLinearEdge() {
    // p[x, y] = 40 + 3x + 2y: H and V give b = 32 · 3 · … and the plane runs through the edge.
    let top = SIMD16<UInt16>((0..<16).map { UInt16(40 + 3 * $0 - 2) })
    let left = SIMD16<UInt16>((0..<16).map { UInt16(40 - 3 + 2 * $0) })
    let block = Self.written(width: 16, height: 16, fieldStride: false) {
      (dst: PlaneView<UInt8>, at, stride) in
      predictIntra16x16(
        mode: 3, dst, at: at, stride: stride, top: top, left: left, topLeft: 35, hasTop: true,
        hasLeft: true, bitDepth: 8)
    }
    let expected = (0..<16).map { y in (0..<16).map { x in 40 + 3 * x + 2 * y } }
    // (5 · H + 32) >> 6 with H = 3 · 408 is 96, V = 2 · 408 gives 64: slopes of exactly 3 and 2.
    #expect(block == expected)
  }

  struct Draw: CustomTestStringConvertible {
    let seed: UInt64
    let kind: SampleSource.Kind
    let bitDepth: Int
    var testDescription: String { "seed \(seed), \(kind), depth \(bitDepth)" }
  }

  static let draws: [Draw] = [8, 9, 14].flatMap { depth in
    SampleSource.Kind.allCases.flatMap { kind in
      (1...4).map { Draw(seed: UInt64($0 * 31), kind: kind, bitDepth: depth) }
    }
  }

  @Test("4×4 modes equal the formulas of §8.3.1.2", arguments: draws)
  func formulas4x4(draw: Draw) {
    if draw.bitDepth == 8 { check4x4(draw, UInt8.self) }
    check4x4(draw, UInt16.self)
  }

  func check4x4<S: H264Sample>(_ draw: Draw, _: S.Type) {
    var source = SampleSource(seed: draw.seed, draw.kind, maximum: (1 << draw.bitDepth) - 1)
    for mode in 0...8 {
      for available in 0..<4 {
        let hasTop = available & 1 != 0
        let hasLeft = available & 2 != 0
        if mode != 2 && available != 3 { continue }
        let above = (0..<9).map { _ in source.next() }
        let left = (0..<4).map { _ in source.next() }
        let reference = IntraReference(
          above: hasTop ? above : above.map { _ in nil },
          left: hasLeft ? left : left.map { _ in nil },
          bitDepth: draw.bitDepth)
        let block = Self.written(width: 4, height: 4, fieldStride: mode & 1 == 1) {
          (dst: PlaneView<S>, at, stride) in
          predictIntra4x4(
            mode: mode, dst, at: at, stride: stride,
            top: Self.lanes(Array(above.dropFirst()), as: SIMD8.self),
            left: Self.lanes(left, as: SIMD4.self), topLeft: UInt16(above[0]), hasTop: hasTop,
            hasLeft: hasLeft, bitDepth: draw.bitDepth)
        }
        #expect(block == reference.block(mode: mode, n: 4), "mode \(mode)")
      }
    }
  }

  @Test("8×8 modes equal the formulas of §8.3.2.2, references filtered", arguments: draws)
  func formulas8x8(draw: Draw) {
    if draw.bitDepth == 8 { check8x8(draw, UInt8.self) }
    check8x8(draw, UInt16.self)
  }

  /// Neighbours (1 top, 2 left, 4 corner) that a mode needs.
  static let needed8x8 = [1, 2, 0, 1, 7, 7, 7, 1, 2]

  func check8x8<S: H264Sample>(_ draw: Draw, _: S.Type) {
    var source = SampleSource(seed: draw.seed, draw.kind, maximum: (1 << draw.bitDepth) - 1)
    for mode in 0...8 {
      for available in 0..<16 where available & Self.needed8x8[mode] == Self.needed8x8[mode] {
        let (hasTop, hasLeft) = (available & 1 != 0, available & 2 != 0)
        let (hasCorner, hasTopRight) = (available & 4 != 0, available & 8 != 0)
        if hasTopRight && !hasTop { continue }
        let drawn = (0..<17).map { _ in source.next() }
        let left = (0..<8).map { _ in source.next() }
        var above: [Int?] = drawn
        for x in 8..<16 where !hasTopRight { above[x + 1] = above[8] }
        for x in 0..<16 where !hasTop { above[x + 1] = nil }
        if !hasCorner { above[0] = nil }
        let reference = IntraReference(
          above: above, left: hasLeft ? left : left.map { _ in nil }, bitDepth: draw.bitDepth)
        let block = Self.written(width: 8, height: 8, fieldStride: mode & 1 == 1) {
          (dst: PlaneView<S>, at, stride) in
          predictIntra8x8(
            mode: mode, dst, at: at, stride: stride,
            top: Self.lanes(Array(drawn.dropFirst()), as: SIMD16.self),
            left: Self.lanes(left, as: SIMD8.self), topLeft: UInt16(drawn[0]), hasTop: hasTop,
            hasTopRight: hasTopRight, hasLeft: hasLeft, hasTopLeft: hasCorner,
            bitDepth: draw.bitDepth)
        }
        #expect(
          block == reference.filtered().block(mode: mode, n: 8),
          "mode \(mode), available \(available)")
      }
    }
  }

  @Test("16×16 modes equal the formulas of §8.3.3", arguments: draws)
  func formulas16x16(draw: Draw) {
    if draw.bitDepth == 8 { check16x16(draw, UInt8.self) }
    check16x16(draw, UInt16.self)
  }

  func check16x16<S: H264Sample>(_ draw: Draw, _: S.Type) {
    var source = SampleSource(seed: draw.seed, draw.kind, maximum: (1 << draw.bitDepth) - 1)
    for mode in 0...3 {
      for available in 0..<4 where mode == 2 || available == 3 {
        let (hasTop, hasLeft) = (available & 1 != 0, available & 2 != 0)
        let above = (0..<17).map { _ in source.next() }
        let left = (0..<16).map { _ in source.next() }
        let reference = IntraReference(
          above: hasTop ? above : above.map { _ in nil },
          left: hasLeft ? left : left.map { _ in nil },
          bitDepth: draw.bitDepth)
        let block = Self.written(width: 16, height: 16, fieldStride: available & 1 == 1) {
          (dst: PlaneView<S>, at, stride) in
          predictIntra16x16(
            mode: mode, dst, at: at, stride: stride,
            top: Self.lanes(Array(above.dropFirst()), as: SIMD16.self),
            left: Self.lanes(left, as: SIMD16.self), topLeft: UInt16(above[0]), hasTop: hasTop,
            hasLeft: hasLeft, bitDepth: draw.bitDepth)
        }
        let expected = mode == 3 ? reference.plane16x16() : reference.block(mode: mode, n: 16)
        #expect(block == expected, "mode \(mode), available \(available)")
      }
    }
  }

  @Test("chroma modes equal the formulas of §8.3.4 for each availability", arguments: draws)
  func formulasChroma(draw: Draw) {
    if draw.bitDepth == 8 { checkChroma(draw, UInt8.self) }
    checkChroma(draw, UInt16.self)
  }

  func checkChroma<S: H264Sample>(_ draw: Draw, _: S.Type) {
    var source = SampleSource(seed: draw.seed, draw.kind, maximum: (1 << draw.bitDepth) - 1)
    for height in [8, 16] {
      for mode in 0...3 {
        for available in 0..<8 where mode == 0 || available == 7 {
          let hasTop = available & 1 != 0
          let hasLeft = available & 2 != 0
          let hasLowerLeft = available & 4 != 0
          let above = (0..<9).map { _ in source.next() }
          let left = (0..<height).map { _ in source.next() }
          let reference = IntraReference(
            above: hasTop ? above : above.map { _ in nil },
            left: left.indices.map { ($0 < height / 2 ? hasLeft : hasLowerLeft) ? left[$0] : nil },
            bitDepth: draw.bitDepth)
          let block = Self.written(width: 8, height: height, fieldStride: available & 1 == 1) {
            (dst: PlaneView<S>, at, stride) in
            predictIntraChroma(
              mode: mode, dst, at: at, stride: stride, height: height,
              top: Self.lanes(Array(above.dropFirst()), as: SIMD8.self),
              left: Self.lanes(left, as: SIMD16.self), topLeft: UInt16(above[0]), hasTop: hasTop,
              hasLeft: hasLeft, hasLowerLeft: hasLeft == hasLowerLeft ? nil : hasLowerLeft,
              bitDepth: draw.bitDepth)
          }
          let expected: [[Int]] =
            switch mode {
            case 0: reference.chromaDC(height: height)
            case 1: (0..<height).map { y in (0..<8).map { _ in left[y] } }
            case 2: (0..<height).map { _ in Array(above.dropFirst()) }
            default: reference.chromaPlane(height: height)
            }
          #expect(block == expected, "mode \(mode), height \(height), available \(available)")
        }
      }
    }
  }
}
