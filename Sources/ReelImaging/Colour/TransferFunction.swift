// Between coded and linear light. Rec. ITU-T H.273 §8.2, Rec. ITU-R BT.2100-2.

internal import ReelCore

/// How coded components stand for light. Light is relative to the white of standard dynamic range, or
/// to 203 cd/m² where the coding is of high dynamic range (Rec. ITU-R BT.2408).
enum TransferFunction: Sendable, Hashable {
  /// A power law as a display applies it (Rec. ITU-R BT.1886 has 2.4).
  case power(Double)
  case sRGB
  case linear
  case perceptualQuantizer
  case hybridLogGamma

  /// Peak of PQ, and of the display that HLG is rendered for here, in cd/m².
  static let pqPeak = 10_000.0
  static let hlgPeak = 1_000.0
  /// White of standard dynamic range in a high dynamic range picture, in cd/m².
  static let referenceWhite = 203.0

  init(code: UInt8) {
    switch code {
    case 4: self = .power(2.2)
    case 5: self = .power(2.8)
    case 8: self = .linear
    case 13: self = .sRGB
    case 16: self = .perceptualQuantizer
    case 18: self = .hybridLogGamma
    default: self = .power(2.4)
    }
  }

  var isHighDynamicRange: Bool { self == .perceptualQuantizer || self == .hybridLogGamma }

  /// Linear light of a coded component 0…1: 0…1 for standard dynamic range, cd/m² for PQ, and scene
  /// light 0…1 before the opto-optical transfer for HLG.
  func linear(_ coded: Double) -> Double {
    let c = min(max(coded, 0), 1)
    switch self {
    case .linear: return c
    case .power(let gamma): return ExactMath.power(c, gamma)
    case .sRGB:
      return c <= 0.04045 ? c / 12.92 : ExactMath.power((c + 0.055) / 1.055, 2.4)
    case .perceptualQuantizer:
      let p = ExactMath.power(c, 1 / PQ.m2)
      return Self.pqPeak * ExactMath.power(max(p - PQ.c1, 0) / (PQ.c2 - PQ.c3 * p), 1 / PQ.m1)
    case .hybridLogGamma:
      return c <= 0.5 ? c * c / 3 : (ExactMath.exp((c - HLG.c) / HLG.a) + HLG.b) / 12
    }
  }

  /// The coded component of linear light, the inverse of ``linear(_:)``.
  func coded(_ linear: Double) -> Double {
    switch self {
    case .linear: return linear
    case .power(let gamma): return ExactMath.power(max(linear, 0), 1 / gamma)
    case .sRGB:
      return linear <= 0.0031308
        ? max(linear, 0) * 12.92 : 1.055 * ExactMath.power(linear, 1 / 2.4) - 0.055
    case .perceptualQuantizer:
      let y = ExactMath.power(max(linear, 0) / Self.pqPeak, PQ.m1)
      return ExactMath.power((PQ.c1 + PQ.c2 * y) / (1 + PQ.c3 * y), PQ.m2)
    case .hybridLogGamma:
      let e = max(linear, 0)
      return e <= 1.0 / 12 ? (3 * e).squareRoot() : HLG.a * ExactMath.log(12 * e - HLG.b) + HLG.c
    }
  }

  private enum PQ {
    static let m1 = 2610.0 / 16384
    static let m2 = 2523.0 / 4096 * 128
    static let c1 = 3424.0 / 4096
    static let c2 = 2413.0 / 4096 * 32
    static let c3 = 2392.0 / 4096 * 32
  }

  private enum HLG {
    static let a = 0.17883277
    static let b = 0.28466892
    static let c = 0.55991073
  }
}

/// A function of 0…1 as 4,097 values with linear interpolation between them.
struct UnitTable: Sendable {
  static let intervals = 4096
  let values: [Float]

  init(_ function: (Double) -> Double) {
    values = (0...Self.intervals).map { Float(function(Double($0) / Double(Self.intervals))) }
  }

  /// The value at `x`, limited to 0…1; no number counts as 0.
  @inline(__always)
  func at(_ x: Float) -> Float {
    let low = x > 0 ? x : 0
    let position = (low < 1 ? low : 1) * Float(Self.intervals)
    // The largest index keeps one interval to its right; UInt32 of a number 0…4096 cannot trap.
    let index = min(Int(UInt32(position)), Self.intervals - 1)
    let weight = position - Float(index)
    return values[index] + (values[index &+ 1] - values[index]) * weight
  }
}
