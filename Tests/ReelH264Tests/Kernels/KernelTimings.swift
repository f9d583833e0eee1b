import Foundation
import ReelCore
import ReelTestSupport
import Testing

@testable import ReelH264

/// Prints nanoseconds per block for each kernel when REEL_KERNEL_TIMINGS is set.
@Suite(
  "Kernel timings", .serialized,
  .enabled(if: ProcessInfo.processInfo.environment["REEL_KERNEL_TIMINGS"] != nil))
struct KernelTimings {
  /// Existential, so that this module calls the kernels through their witnesses: a specialisation
  /// made here would contain plain kernels that are not specialised.
  static let types: [any H264Sample.Type] = [UInt8.self, UInt16.self]

  /// The least time of one call in `body`, which makes `calls`.
  static func measure(_ name: String, calls: Int = 2000, _ body: (Int) -> Void) {
    let clock = ContinuousClock()
    var best = Duration.seconds(1000)
    for _ in 0..<15 {
      let time = clock.measure { for i in 0..<calls { body(i) } }
      best = min(best, time)
    }
    let nanoseconds = Double(best.components.attoseconds) / 1e9 / Double(calls)
    let text = (nanoseconds * 10).rounded() / 10
    print("TIMING \(name.padding(toLength: 44, withPad: " ", startingAt: 0)) \(text) ns")
  }

  static func planes<S: H264Sample>(_ kind: SampleSource.Kind, _: S.Type) -> (
    KernelPlane<S>, KernelPlane<S>
  ) {
    var source = SampleSource(seed: 1, kind, maximum: S.self == UInt8.self ? 255 : 1023)
    return (
      KernelPlane(width: 480, height: 272, &source), KernelPlane(width: 480, height: 272, &source)
    )
  }

  @Test("luma interpolation")
  func luma() {
    for type in Self.types { run(type) }
    func run<S: H264Sample>(_: S.Type) {
      let (reference, dst) = Self.planes(.noise, S.self)
      let maximum: Int32 = S.self == UInt8.self ? 255 : 1023
      for (width, height) in [(16, 16), (8, 8), (4, 4)] {
        for fraction in 0..<16 {
          Self.measure("\(S.self) luma \(width)×\(height) (\(fraction & 3), \(fraction >> 2))") {
            predictLuma(
              dst.view, at: ($0 & 7) * 16, stride: dst.stride, from: reference.view,
              x: 400 + 4 * ($0 & 63) + fraction & 3, y: 400 + fraction >> 2, width: width,
              height: height, maximum: maximum)
          }
        }
      }
      for (x, y) in [(-37, 101), (101, -37), (-39, -38)] {
        Self.measure("\(S.self) luma 16×16 at the border (\(x), \(y))") { _ in
          predictLuma(
            dst.view, at: 0, stride: dst.stride, from: reference.view, x: x, y: y, width: 16,
            height: 16, maximum: maximum)
        }
      }
    }
  }

  @Test("chroma interpolation and weighting")
  func chroma() {
    for type in Self.types { run(type) }
    func run<S: H264Sample>(_: S.Type) {
      let (reference, dst) = Self.planes(.noise, S.self)
      let maximum: Int32 = S.self == UInt8.self ? 255 : 1023
      for (width, height) in [(8, 8), (4, 4), (2, 2)] {
        for (x, y) in [(0, 0), (3, 0), (0, 5), (3, 5)] {
          Self.measure("\(S.self) chroma \(width)×\(height) (\(x), \(y))") {
            predictChroma(
              dst.view, at: ($0 & 7) * 16, stride: dst.stride, from: reference.view,
              x: 100 + $0 & 63, y: 100, xFraction: x, yFraction: y, width: width, height: height)
          }
        }
      }
      for (width, height) in [(16, 16), (8, 8), (4, 4)] {
        Self.measure("\(S.self) mean \(width)×\(height)") {
          averageBlock(
            dst.view, at: ($0 & 7) * 16, stride: dst.stride, with: reference.view, otherAt: 5,
            otherStride: reference.stride, width: width, height: height)
        }
        Self.measure("\(S.self) weight \(width)×\(height)") {
          weightBlock(
            dst.view, at: ($0 & 7) * 16, stride: dst.stride, width: width, height: height,
            logWD: 5, weight: 30, offset: 2, maximum: maximum)
        }
        Self.measure("\(S.self) weight both \(width)×\(height)") {
          weightBlocks(
            dst.view, at: ($0 & 7) * 16, stride: dst.stride, with: reference.view, otherAt: 5,
            otherStride: reference.stride, width: width, height: height, logWD: 5, weight0: 30,
            weight1: 34, offset: 2, maximum: maximum)
        }
      }
    }
  }

  @Test("transforms")
  func transforms() {
    for type in Self.types { run(type) }
    func run<S: H264Sample>(_: S.Type) {
      let (_, dst) = Self.planes(.noise, S.self)
      let maximum: Int32 = S.self == UInt8.self ? 255 : 1023
      // Eight blocks in turn, each filled well before its transform, as in a decoder.
      let buffer = CheckedBuffer<Int32>(repeating: 0, count: 8 * 64)
      func prepare(_ i: Int) -> Int {
        buffer[((i + 4) & 7) * 64] = 300
        buffer[((i + 4) & 7) * 64 + 9] = -40
        return (i & 7) * 64
      }
      Self.measure("\(S.self) inverse 4×4") {
        addInverse4x4(
          buffer, from: prepare($0), dst.view, at: ($0 & 7) * 16, stride: dst.stride,
          maximum: maximum)
      }
      Self.measure("\(S.self) inverse 4×4 DC") {
        addInverse4x4DC(
          buffer, from: prepare($0), dst.view, at: ($0 & 7) * 16, stride: dst.stride,
          maximum: maximum)
      }
      Self.measure("\(S.self) inverse 8×8") {
        addInverse8x8(
          buffer, from: prepare($0), dst.view, at: ($0 & 7) * 16, stride: dst.stride,
          maximum: maximum)
      }
      Self.measure("\(S.self) inverse 8×8 DC") {
        addInverse8x8DC(
          buffer, from: prepare($0), dst.view, at: ($0 & 7) * 16, stride: dst.stride,
          maximum: maximum)
      }
      Self.measure("luma DC") { _ in inverseLumaDC(buffer, from: 0, scale: 160, qp: 28) }
      Self.measure("\(S.self) bypass 4×4, vertical differences") {
        addBypass(
          buffer, from: 0, size: 4, dst.view, at: ($0 & 7) * 16, stride: dst.stride,
          maximum: maximum, direction: 2)
      }
    }
  }

  @Test("intra prediction")
  func intra() {
    for type in Self.types { run(type) }
    func run<S: H264Sample>(_: S.Type) {
      let (_, dst) = Self.planes(.noise, S.self)
      let bitDepth = S.self == UInt8.self ? 8 : 10
      var edge = SIMD16<UInt16>()
      for i in 0..<16 { edge[i] = UInt16(i * 13) }
      for mode in 0...8 {
        Self.measure("\(S.self) intra 4×4 mode \(mode)") {
          predictIntra4x4(
            mode: mode, dst.view, at: ($0 & 7) * 16, stride: dst.stride, top: edge.lowHalf,
            left: edge.highHalf.lowHalf, topLeft: UInt16(20 + $0 & 15), hasTop: true, hasLeft: true,
            bitDepth: bitDepth)
        }
      }
      for mode in 0...8 {
        Self.measure("\(S.self) intra 8×8 mode \(mode)") {
          predictIntra8x8(
            mode: mode, dst.view, at: ($0 & 7) * 16, stride: dst.stride, top: edge,
            left: edge.highHalf, topLeft: UInt16(20 + $0 & 15), hasTop: true, hasTopRight: true,
            hasLeft: true, hasTopLeft: true, bitDepth: bitDepth)
        }
      }
      for mode in 0...3 {
        Self.measure("\(S.self) intra 16×16 mode \(mode)") {
          predictIntra16x16(
            mode: mode, dst.view, at: ($0 & 7) * 16, stride: dst.stride, top: edge, left: edge,
            topLeft: UInt16(20 + $0 & 15), hasTop: true, hasLeft: true, bitDepth: bitDepth)
        }
        Self.measure("\(S.self) intra chroma mode \(mode)") {
          predictIntraChroma(
            mode: mode, dst.view, at: ($0 & 7) * 16, stride: dst.stride, height: 8,
            top: edge.lowHalf, left: edge, topLeft: UInt16(20 + $0 & 15), hasTop: true,
            hasLeft: true, bitDepth: bitDepth)
        }
      }
    }
  }

  @Test("loop filter")
  func loopFilter() {
    for type in Self.types { run(type) }
    func run<S: H264Sample>(_: S.Type) {
      let (rough, _) = Self.planes(.noise, S.self)
      let bitDepth = S.self == UInt8.self ? 8 : 10
      // Small differences in both directions, in which every line is filtered.
      let (smooth, _) = Self.planes(.noise, S.self)
      for i in 0..<smooth.plane.count { smooth.plane[i] = 120 &+ smooth.plane[i] % 7 }
      for (name, plane) in [("filtered", smooth), ("not filtered", rough)] {
        for isVertical in [false, true] {
          for (strengths, kind) in [(UInt32(0x0203_0102), "bS<4"), (0x0404_0404, "bS 4")] {
            let across = isVertical ? 1 : plane.stride
            let along = isVertical ? plane.stride : 1
            let edge = isVertical ? "vertical" : "horizontal"
            Self.measure("\(S.self) luma edge \(edge) \(kind) \(name)") {
              filterLumaEdge(
                plane.view, at: ($0 % 28 + 1) * 16 + 32 * plane.stride, across: across,
                along: along, linesPerStrength: 4, strengths: strengths, alpha: 40, beta: 11,
                indexA: 34, bitDepth: bitDepth)
            }
            Self.measure("\(S.self) chroma edge \(edge) \(kind) \(name)") {
              filterChromaEdge(
                plane.view, at: ($0 % 56 + 1) * 8 + 32 * plane.stride, across: across,
                along: along, linesPerStrength: 2, strengths: strengths, alpha: 40, beta: 11,
                indexA: 34, bitDepth: bitDepth)
            }
          }
        }
      }
    }
  }
}
