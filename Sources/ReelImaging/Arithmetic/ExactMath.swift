// Transcendental functions from additions, multiplications and divisions alone.

/// Functions that decide bytes of pictures, the same on every machine.
///
/// A system's libm may round the last bit as it likes; these use only IEEE 754 operations whose result
/// is fixed, in a fixed order, without fused operations. Errors are below 4 units in the last place
/// for the arguments that pictures need, which the tests check.
package enum ExactMath {
  package static let pi = 3.141592653589793
  static let ln2 = 0.6931471805599453

  /// log₂(x) for x > 0; −∞ at 0, NaN below.
  package static func log2(_ x: Double) -> Double {
    guard x > 0 else { return x == 0 ? -.infinity : .nan }
    guard x.isFinite else { return x }
    var exponent = Double(x.exponent)
    var m = x.significand
    if m > 1.4142135623730951 {
      m *= 0.5
      exponent += 1
    }
    // ln m = 2 atanh(s); |s| ≤ 0.1716, so that the term s²³ is below 2⁻⁵⁸.
    let s = (m - 1) / (m + 1)
    let s2 = s * s
    var sum = 0.0
    var odd = 23.0
    while odd > 0 {
      sum = sum * s2 + 1 / odd
      odd -= 2
    }
    return exponent + 2 * s * sum / ln2
  }

  /// 2ˣ; 0 below the range, +∞ above it, NaN for NaN.
  package static func exp2(_ x: Double) -> Double {
    guard x == x else { return x }
    guard x > -1022 else { return 0 }
    guard x < 1024 else { return .infinity }
    let whole = x.rounded()
    let f = (x - whole) * ln2
    // Taylor's series; |f| ≤ 0.347, so that the term f¹⁵ ÷ 15! is below 2⁻⁶².
    var sum = 1.0
    var k = 15.0
    while k > 0 {
      sum = 1 + sum * f / k
      k -= 1
    }
    return Double(sign: .plus, exponent: Int(whole), significand: sum)
  }

  /// eˣ.
  package static func exp(_ x: Double) -> Double { exp2(x / ln2) }

  /// ln x.
  package static func log(_ x: Double) -> Double { log2(x) * ln2 }

  /// bᵉ for b ≥ 0; 0 for negative b, as a filter needs it.
  package static func power(_ base: Double, _ exponent: Double) -> Double {
    if exponent == 0 { return 1 }
    guard base > 0 else { return exponent > 0 ? 0 : .infinity }
    if exponent == 1 { return base }
    return exp2(exponent * log2(base))
  }

  /// The sine and the cosine of an angle in radians, |angle| ≤ 10⁶; larger or no number: (0, 1).
  package static func sineAndCosine(_ angle: Double) -> (sine: Double, cosine: Double) {
    guard angle.magnitude <= 1e6 else { return (0, 1) }
    let quarter = (angle / (pi / 2)).rounded()
    // π/2 in two parts, so that the subtraction keeps its low bits.
    let x = (angle - quarter * 1.5707963267341256) - quarter * 6.077100506506192e-11
    let x2 = x * x
    var s = 1.0
    var c = 1.0
    var k = 20.0
    while k > 0 {
      s = 1 - s * x2 / (k * (k + 1))
      c = 1 - c * x2 / (k * (k - 1))
      k -= 2
    }
    s *= x
    switch Int(quarter) & 3 {
    case 0: return (s, c)
    case 1: return (c, -s)
    case 2: return (-s, -c)
    default: return (-c, s)
    }
  }

  /// The angle of the vector (x, y) in radians, −π … π; 0 for (0, 0).
  package static func angle(y: Double, x: Double) -> Double {
    guard x != 0 || y != 0 else { return 0 }
    let swapped = y.magnitude > x.magnitude
    var t = swapped ? x.magnitude / y.magnitude : y.magnitude / x.magnitude
    // Two half-angle steps bring t below 0.199, where the series converges fast.
    t = t / (1 + (1 + t * t).squareRoot())
    t = t / (1 + (1 + t * t).squareRoot())
    let t2 = t * t
    var sum = 0.0
    var odd = 25.0
    while odd > 0 {
      sum = 1 / odd - sum * t2
      odd -= 2
    }
    var angle = 4 * t * sum
    if swapped { angle = pi / 2 - angle }
    if x < 0 { angle = pi - angle }
    return y < 0 ? -angle : angle
  }
}
