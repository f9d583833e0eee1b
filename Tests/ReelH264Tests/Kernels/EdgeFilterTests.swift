import ReelCore
import ReelTestSupport
import Testing

@testable import ReelH264

/// One line across an edge, filtered as ISO/IEC 14496-10:2020 §8.7.2 writes it.
enum EdgeReference {
  /// `line` is p3 p2 p1 p0 q0 q1 q2 q3.
  static func filtered(
    _ line: [Int], bS: Int, alpha: Int, beta: Int, tc0: Int, chromaStyle: Bool, bitDepth: Int
  ) -> [Int] {
    let (p3, p2, p1, p0) = (line[0], line[1], line[2], line[3])
    let (q0, q1, q2, q3) = (line[4], line[5], line[6], line[7])
    let (alpha, beta) = (alpha << (bitDepth - 8), beta << (bitDepth - 8))
    let isFiltered =
      bS != 0 && abs(p0 - q0) < alpha && abs(p1 - p0) < beta && abs(q1 - q0) < beta
    guard isFiltered else { return line }
    let (ap, aq) = (abs(p2 - p0), abs(q2 - q0))
    func clip3(_ low: Int, _ high: Int, _ x: Int) -> Int { min(max(x, low), high) }
    func clip1(_ x: Int) -> Int { clip3(0, (1 << bitDepth) - 1, x) }
    var out = line
    if bS < 4 {
      let tC0 = tc0 << (bitDepth - 8)
      let tC = chromaStyle ? tC0 + 1 : tC0 + (ap < beta ? 1 : 0) + (aq < beta ? 1 : 0)
      let delta = clip3(-tC, tC, (((q0 - p0) << 2) + (p1 - q1) + 4) >> 3)
      out[3] = clip1(p0 + delta)
      out[4] = clip1(q0 - delta)
      if !chromaStyle && ap < beta {
        out[2] = p1 + clip3(-tC0, tC0, (p2 + ((p0 + q0 + 1) >> 1) - (p1 << 1)) >> 1)
      }
      if !chromaStyle && aq < beta {
        out[5] = q1 + clip3(-tC0, tC0, (q2 + ((p0 + q0 + 1) >> 1) - (q1 << 1)) >> 1)
      }
      return out
    }
    let isSmall = abs(p0 - q0) < ((alpha >> 2) + 2)
    if !chromaStyle && ap < beta && isSmall {
      out[3] = (p2 + 2 * p1 + 2 * p0 + 2 * q0 + q1 + 4) >> 3
      out[2] = (p2 + p1 + p0 + q0 + 2) >> 2
      out[1] = (2 * p3 + 3 * p2 + p1 + p0 + q0 + 4) >> 3
    } else {
      out[3] = (2 * p1 + p0 + q1 + 2) >> 2
    }
    if !chromaStyle && aq < beta && isSmall {
      out[4] = (p1 + 2 * p0 + 2 * q0 + 2 * q1 + q2 + 4) >> 3
      out[5] = (p0 + q0 + q1 + q2 + 2) >> 2
      out[6] = (2 * q3 + 3 * q2 + q1 + q0 + p0 + 4) >> 3
    } else {
      out[4] = (2 * q1 + q0 + p1 + 2) >> 2
    }
    return out
  }
}

@Suite("Deblocking of an edge")
struct EdgeFilterTests {
  struct Setting: CustomTestStringConvertible {
    let chromaStyle: Bool
    let isVertical: Bool
    let linesPerStrength: Int
    let bitDepth: Int
    var testDescription: String {
      "\(chromaStyle ? "chroma" : "luma") \(isVertical ? "vertical" : "horizontal") "
        + "\(4 * linesPerStrength) lines, depth \(bitDepth)"
    }
  }

  static let settings: [Setting] = [8, 10, 14].flatMap { depth in
    [false, true].flatMap { chroma in
      [false, true].flatMap { vertical in
        [1, 2, 4].map {
          Setting(
            chromaStyle: chroma, isVertical: vertical, linesPerStrength: $0, bitDepth: depth)
        }
      }
    }
  }

  @Test("an edge equals the formulas of §8.7.2 line by line", arguments: settings)
  func formulas(setting: Setting) {
    if setting.bitDepth == 8 { check(setting, UInt8.self) }
    check(setting, UInt16.self)
  }

  /// Samples around an edge: a random step with small texture, so that all branches are taken.
  static func fill<S: H264Sample>(
    _ plane: KernelPlane<S>, _ setting: Setting, _ generator: inout SeededGenerator, spread: Int
  ) {
    let maximum = (1 << setting.bitDepth) - 1
    let scale = setting.bitDepth - 8
    let base = generator.one(in: 4) ? (generator.one(in: 2) ? 0 : 255) : generator.int(in: 0...255)
    let step = generator.int(in: -spread...spread)
    for y in 0..<plane.plane.height {
      for x in 0..<plane.plane.width {
        let isQ = (setting.isVertical ? x : y) >= 16
        let texture = generator.int(in: -(spread / 3 + 1)...(spread / 3 + 1))
        let value = (base + (isQ ? step : 0) + texture) << scale
        let fine = scale > 0 ? generator.int(in: 0...(1 << scale) - 1) : 0
        plane.plane[y * plane.stride + x] = S(min(max(value + fine, 0), maximum))
      }
    }
  }

  func check<S: H264Sample>(_ setting: Setting, _: S.Type) {
    let seed: UInt64 = 3030
    var generator = SeededGenerator(seed: seed)
    var filteredLines = 0
    for round in 0..<600 {
      let spread = [1, 3, 8, 20, 60, 255][round % 6]
      let plane = KernelPlane<S>(width: 48, height: 48)
      Self.fill(plane, setting, &generator, spread: spread)
      let indexA = generator.one(in: 8) ? 51 : generator.int(in: 14...51)
      let indexB = generator.int(in: 14...51)
      let alpha = Int(LoopFilterTables.alpha(indexA))
      let beta = Int(LoopFilterTables.beta(indexB))
      let strong = generator.one(in: 3)
      let bS = (0..<4).map { _ in
        generator.one(in: 5) ? 0 : strong ? 4 : generator.int(in: 1...3)
      }
      let strengths = UInt32(bS[0] | bS[1] << 8 | bS[2] << 16 | bS[3] << 24)
      let at = setting.isVertical ? 8 * plane.stride + 16 : 16 * plane.stride + 8
      let across = setting.isVertical ? 1 : plane.stride
      let along = setting.isVertical ? plane.stride : 1

      let expected = KernelPlane(plane)
      for line in 0..<4 * setting.linesPerStrength {
        let strength = bS[line / setting.linesPerStrength]
        let q0 = at + line * along
        let before = (-4..<4).map { Int(plane.plane[q0 + $0 * across]) }
        let after = EdgeReference.filtered(
          before, bS: strength, alpha: alpha, beta: beta,
          tc0: Int(LoopFilterTables.tc0(indexA, strength)), chromaStyle: setting.chromaStyle,
          bitDepth: setting.bitDepth)
        if after != before { filteredLines += 1 }
        for i in -4..<4 { expected.plane[q0 + i * across] = S(after[i + 4]) }
      }
      let filter = setting.chromaStyle ? filterChromaEdge : filterLumaEdge as EdgeFilter<S>
      filter(
        plane.view, at, across, along, setting.linesPerStrength, strengths, Int32(alpha),
        Int32(beta), indexA, setting.bitDepth)
      let isEqual = plane.samples == expected.samples
      #expect(
        isEqual,
        "seed \(seed), round \(round), bS \(bS), indexA \(indexA)")
    }
    #expect(filteredLines > 200, "the samples drawn exercise the filter")
  }

  typealias EdgeFilter<S: H264Sample> = (
    PlaneView<S>, Int, Int, Int, Int, UInt32, Int32, Int32, Int, Int
  ) -> Void
}
