// Exact fractions for the clock.

/// A fraction in lowest terms, exact as long as both terms fit 127 bits.
///
/// The player's clock is made of these: host times, item times and rates of any mixture of timescales
/// and binary fractions. No operation traps. Where the exact result does not fit, it is rounded to
/// the nearest multiple of 2⁻⁶² (to the nearest whole number from a magnitude of 2⁶³ on), it never
/// passes ±(2¹²⁷ − 1), and ``hasBeenRounded`` is set on it and on everything that comes of it.
public struct Rational: Sendable {
  /// In lowest terms; never Int128.min.
  public let numerator: Int128
  /// > 0.
  public let denominator: Int128
  /// An operation on the way here had to round; sticky. Takes no part in comparisons.
  public let hasBeenRounded: Bool

  /// Terms as they are: lowest terms, denominator > 0, numerator > Int128.min.
  init(lowestTerms numerator: Int128, _ denominator: Int128, rounded: Bool) {
    self.numerator = numerator
    self.denominator = denominator
    hasBeenRounded = rounded
  }

  /// A whole number.
  public init(_ value: Int) {
    self.init(lowestTerms: Int128(value), 1, rounded: false)
  }

  /// `numerator / denominator`; a denominator of 0 follows the rule of ``/(_:_:)``.
  public init<N: BinaryInteger, D: BinaryInteger>(_ numerator: N, _ denominator: D) {
    let top = Rational(saturating: numerator)
    self = denominator == 1 ? top : top / Rational(saturating: denominator)
  }

  private init<N: BinaryInteger>(saturating value: N) {
    let clamped = Int128(clamping: value)
    let fits = Int128(exactly: value) != nil && clamped != .min
    self.init(lowestTerms: clamped == .min ? -.max : clamped, 1, rounded: !fits)
  }

  /// A numeric time; nil for any other.
  public init?(_ time: MediaTime) {
    guard time.isNumeric else { return nil }
    let exact = Rational(time.value, time.timescale)
    self.init(
      lowestTerms: exact.numerator, exact.denominator,
      rounded: exact.hasBeenRounded || time.hasBeenRounded)
  }

  /// 0.
  public static let zero = Rational(0)
  /// 1.
  public static let one = Rational(1)
  /// The largest value, 2¹²⁷ − 1.
  public static let greatest = Rational(lowestTerms: .max, 1, rounded: false)

  /// The value is 0.
  public var isZero: Bool { numerator == 0 }
  /// −1, 0 or 1.
  public var signum: Int { numerator.signum() == 0 ? 0 : numerator < 0 ? -1 : 1 }
  /// The value without its sign.
  public var magnitude: Rational { numerator < 0 ? -self : self }

  /// The nearest Double, for display: two correctly rounded conversions and a division.
  public var seconds: Double { Double(numerator) / Double(denominator) }
}

extension Rational: ExpressibleByIntegerLiteral {
  /// A whole number, as a literal.
  public init(integerLiteral value: Int) { self.init(value) }
}

extension Rational: Comparable, Hashable {
  public static func == (a: Rational, b: Rational) -> Bool {
    a.numerator == b.numerator && a.denominator == b.denominator
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(numerator)
    hasher.combine(denominator)
  }

  public static func < (a: Rational, b: Rational) -> Bool {
    if a.denominator == b.denominator { return a.numerator < b.numerator }
    let left = a.numerator.multipliedReportingOverflow(by: b.denominator)
    let right = b.numerator.multipliedReportingOverflow(by: a.denominator)
    if !left.overflow && !right.overflow { return left.partialValue < right.partialValue }
    if a.signum != b.signum { return a.signum < b.signum }
    let low = a.numerator.magnitude.multipliedFullWidth(by: b.denominator.magnitude)
    let high = b.numerator.magnitude.multipliedFullWidth(by: a.denominator.magnitude)
    let isLess = (low.high, low.low) < (high.high, high.low)
    let isEqual = (low.high, low.low) == (high.high, high.low)
    return a.signum < 0 ? !isLess && !isEqual : isLess
  }
}

/// Greatest common divisor of 128-bit values; of 0 and 0 it is 1, so that it can always divide.
func greatestCommonDivisor(_ a: UInt128, _ b: UInt128) -> UInt128 {
  var (a, b) = (a, b)
  while b != 0 {
    if a <= UInt64.max && b <= UInt64.max {
      return UInt128(
        greatestCommonDivisor(UInt64(truncatingIfNeeded: a), UInt64(truncatingIfNeeded: b)))
    }
    (a, b) = (b, a % b)
  }
  return max(a, 1)
}
