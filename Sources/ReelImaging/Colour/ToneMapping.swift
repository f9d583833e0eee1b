// High to standard dynamic range.

internal import ReelCore

/// A curve that brings the light of a high dynamic range picture into the range of a display of
/// standard dynamic range. All work on the largest of the three components, so that hues stay.
public enum ToneCurve: String, Sendable, Hashable, CaseIterable {
  /// Hermite roll-off in the perceptual domain. Rec. ITU-R BT.2390-8 §5.4.1.
  case bt2390
  /// x · (1 + x/p²) / (1 + x) with p the peak, after E. Reinhard (2002).
  case reinhard
  /// J. Hable's filmic curve.
  case hable
  /// Light above white is cut.
  case clip

  /// Peak of the source in cd/m² that the curve rolls off from.
  static let sourcePeak = 1_000.0

  /// Light in cd/m² mapped to 0…1 of the display.
  func map(_ light: Double) -> Double {
    let white = TransferFunction.referenceWhite
    switch self {
    case .clip: return min(light / white, 1)
    case .reinhard:
      let (x, peak) = (light / white, Self.sourcePeak / white)
      return min(x * (1 + x / (peak * peak)) / (1 + x), 1)
    case .hable:
      return min(Self.filmic(light / white * 2) / Self.filmic(Self.sourcePeak / white * 2), 1)
    case .bt2390: return Self.rollOff(light) / white
    }
  }

  private static func filmic(_ x: Double) -> Double {
    let (a, b, c, d, e, f) = (0.15, 0.50, 0.10, 0.20, 0.02, 0.30)
    return (x * (a * x + c * b) + d * e) / (x * (a * x + b) + d * f) - e / f
  }

  private static func rollOff(_ light: Double) -> Double {
    let pq = TransferFunction.perceptualQuantizer
    let sourceMaximum = pq.coded(sourcePeak)
    let maximum = pq.coded(TransferFunction.referenceWhite) / sourceMaximum
    let e = min(pq.coded(light) / sourceMaximum, 1)
    let knee = 1.5 * maximum - 0.5
    guard e > knee else { return light }
    let t = (e - knee) / (1 - knee)
    let (t2, t3) = (t * t, t * t * t)
    let mapped =
      (2 * t3 - 3 * t2 + 1) * knee + (t3 - 2 * t2 + t) * (1 - knee) + (3 * t2 - 2 * t3) * maximum
    return pq.linear(mapped * sourceMaximum)
  }
}

/// Primaries by their code point, as the matrix from linear R, G, B to CIE X, Y, Z.
/// Rec. ITU-T H.273 §8.1.
struct ColourPrimaries: Sendable {
  let toXYZ: Matrix3

  init(code: UInt8) {
    let red, green, blue: (x: Double, y: Double)
    switch code {
    case 5: (red, green, blue) = ((0.64, 0.33), (0.29, 0.60), (0.15, 0.06))
    case 6, 7: (red, green, blue) = ((0.630, 0.340), (0.310, 0.595), (0.155, 0.070))
    case 9: (red, green, blue) = ((0.708, 0.292), (0.170, 0.797), (0.131, 0.046))
    case 11, 12: (red, green, blue) = ((0.680, 0.320), (0.265, 0.690), (0.150, 0.060))
    default: (red, green, blue) = ((0.64, 0.33), (0.30, 0.60), (0.15, 0.06))
    }
    let white = (x: 0.3127, y: 0.3290)  // D65 for all of them
    let columns = Matrix3([
      red.x / red.y, green.x / green.y, blue.x / blue.y, 1, 1, 1,
      (1 - red.x - red.y) / red.y, (1 - green.x - green.y) / green.y,
      (1 - blue.x - blue.y) / blue.y,
    ])
    let scale = columns.inverse.apply(white.x / white.y, 1, (1 - white.x - white.y) / white.y)
    toXYZ = columns * Matrix3(diagonal: scale.0, scale.1, scale.2)
  }

  /// Linear light of these primaries from linear light of `source`.
  func matrix(from source: ColourPrimaries) -> Matrix3 { toXYZ.inverse * source.toXYZ }
}

/// R′G′B′ of one colour space to R′G′B′ of another, through linear light.
struct LightConversion: Sendable {
  private let linearise: UnitTable
  private let matrix: Matrix3
  /// By the square root of linear light.
  private let encode: UnitTable
  private let isHLG: Bool
  /// Of HLG: Y^0.2 by √Y.
  private let systemGamma: UnitTable
  /// Of high dynamic range: 1/203 · (mapped ÷ light) by the fourth root of light ÷ 10,000.
  private let gain: UnitTable?

  /// nil when R′G′B′ needs no change: spaces of standard dynamic range with one set of primaries are
  /// taken as equal, because files seldom tell them apart rightly and players do not convert them.
  init?(from source: ColourDescription, to target: ColourDescription, curve: ToneCurve) {
    let from = TransferFunction(code: source.transfer)
    let to = TransferFunction(code: target.transfer)
    let isWide = { (code: UInt8) in code == 9 || code == 11 || code == 12 }
    let primariesDiffer =
      source.primaries != target.primaries && (isWide(source.primaries) || isWide(target.primaries))
    guard from != to && (from.isHighDynamicRange || to.isHighDynamicRange) || primariesDiffer else {
      return nil
    }
    linearise = UnitTable { from.linear($0) }
    matrix = ColourPrimaries(code: target.primaries).matrix(
      from: ColourPrimaries(code: source.primaries))
    isHLG = from == .hybridLogGamma
    systemGamma = UnitTable { ExactMath.power($0, 0.4) }
    if from.isHighDynamicRange && !to.isHighDynamicRange {
      encode = UnitTable { to.coded($0 * $0) }
      gain = UnitTable { root in
        // Below 0.01 cd/m² all curves are straight lines.
        let light = max(root * root * root * root * TransferFunction.pqPeak, 0.01)
        return curve.map(light) / light
      }
    } else {
      let scale =
        to.isHighDynamicRange && !from.isHighDynamicRange
        ? TransferFunction.referenceWhite : 1
      encode = UnitTable { to.coded($0 * $0 * scale) }
      gain = nil
    }
  }

  func apply(_ rows: inout RGBRows) {
    let m = matrix.m
    let (m0, m1, m2) = (Float(m[0]), Float(m[1]), Float(m[2]))
    let (m3, m4, m5) = (Float(m[3]), Float(m[4]), Float(m[5]))
    let (m6, m7, m8) = (Float(m[6]), Float(m[7]), Float(m[8]))
    for i in 0..<rows.count {
      var r = linearise.at(rows.r[i])
      var g = linearise.at(rows.g[i])
      var b = linearise.at(rows.b[i])
      if isHLG {
        // The opto-optical transfer of a display of 1,000 cd/m². BT.2100-2 Table 5.
        let y = 0.2627 * r + 0.6780 * g + 0.0593 * b
        let k = systemGamma.at(y.squareRoot()) * Float(TransferFunction.hlgPeak)
        (r, g, b) = (r * k, g * k, b * k)
      }
      if let gain {
        let light = max(r, max(g, b)) / Float(TransferFunction.pqPeak)
        let k = gain.at(light.squareRoot().squareRoot())
        (r, g, b) = (r * k, g * k, b * k)
      }
      rows.r[i] = encode.at(root(m0 * r + m1 * g + m2 * b))
      rows.g[i] = encode.at(root(m3 * r + m4 * g + m5 * b))
      rows.b[i] = encode.at(root(m6 * r + m7 * g + m8 * b))
    }
  }

  private func root(_ x: Float) -> Float { x > 0 ? x.squareRoot() : 0 }
}
