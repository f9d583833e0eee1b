// Sums, products, quotients and whole parts of exact fractions.

extension Rational {
  /// The negative; always exact.
  public static prefix func - (a: Rational) -> Rational {
    // The numerator is never Int128.min, so that its negative exists.
    Rational(lowestTerms: -a.numerator, a.denominator, rounded: a.hasBeenRounded)
  }

  /// The sum, rounded by the rule of the type where it does not fit.
  public static func + (a: Rational, b: Rational) -> Rational {
    let isRounded = a.hasBeenRounded || b.hasBeenRounded
    // Knuth, The Art of Computer Programming vol. 2, §4.5.1: only the shared part of the
    // denominators can have a factor in common with the sum.
    let shared = Int128(greatestCommonDivisor(a.denominator.magnitude, b.denominator.magnitude))
    let scaleA = b.denominator / shared
    let scaleB = a.denominator / shared
    let left = a.numerator.multipliedReportingOverflow(by: scaleA)
    let right = b.numerator.multipliedReportingOverflow(by: scaleB)
    let sum = left.partialValue.addingReportingOverflow(right.partialValue)
    guard !left.overflow, !right.overflow, !sum.overflow, sum.partialValue != .min else {
      return roundedSum(a, b)
    }
    let common =
      shared == 1
      ? 1 : Int128(greatestCommonDivisor(sum.partialValue.magnitude, shared.magnitude))
    let denominator = scaleB.multipliedReportingOverflow(by: b.denominator / common)
    guard !denominator.overflow else { return roundedSum(a, b) }
    return Rational(
      lowestTerms: sum.partialValue / common, denominator.partialValue, rounded: isRounded)
  }

  /// The difference, as ``+(_:_:)``.
  public static func - (a: Rational, b: Rational) -> Rational { a + (-b) }

  /// The product, rounded by the rule of the type where it does not fit.
  public static func * (a: Rational, b: Rational) -> Rational {
    let first = Int128(greatestCommonDivisor(a.numerator.magnitude, b.denominator.magnitude))
    let second = Int128(greatestCommonDivisor(b.numerator.magnitude, a.denominator.magnitude))
    let (an, bn) = (a.numerator / first, b.numerator / second)
    let (ad, bd) = (a.denominator / second, b.denominator / first)
    let numerator = an.multipliedReportingOverflow(by: bn)
    let denominator = ad.multipliedReportingOverflow(by: bd)
    guard !numerator.overflow, !denominator.overflow, numerator.partialValue != .min else {
      return roundedProduct(
        an.magnitude, bn.magnitude, over: ad.magnitude, bd.magnitude,
        isNegative: (an < 0) != (bn < 0))
    }
    return Rational(
      lowestTerms: numerator.partialValue, denominator.partialValue,
      rounded: a.hasBeenRounded || b.hasBeenRounded)
  }

  /// The quotient. Division by zero gives ±``greatest`` with the sign of `a`, or 0 for 0/0, and marks
  /// it as rounded; it does not trap.
  public static func / (a: Rational, b: Rational) -> Rational {
    guard !b.isZero else {
      return Rational(
        lowestTerms: a.isZero ? 0 : a.numerator < 0 ? -.max : .max, 1, rounded: true)
    }
    let sign: Int128 = b.numerator < 0 ? -1 : 1
    return a
      * Rational(
        lowestTerms: b.denominator * sign, b.numerator * sign, rounded: b.hasBeenRounded)
  }

  /// Adds in place, as ``+(_:_:)``.
  public static func += (a: inout Rational, b: Rational) { a = a + b }
  /// Subtracts in place, as ``-(_:_:)``.
  public static func -= (a: inout Rational, b: Rational) { a = a - b }

  /// The largest whole number that is not above the value.
  public var floor: Int128 {
    let (quotient, remainder) = numerator.quotientAndRemainder(dividingBy: denominator)
    return remainder < 0 ? quotient - 1 : quotient
  }

  /// The smallest whole number that is not below the value.
  public var ceiling: Int128 { -(-self).floor }

  /// The whole number nearest to a product with `timescale` (> 0), as a count of ticks.
  ///
  /// A count that does not fit 64 bits is clamped to them and `fits` is false.
  public func ticks(
    timescale: Int32, rounding: TimeRounding = .towardNegativeInfinity
  ) -> (value: Int64, isExact: Bool, fits: Bool) {
    let scaled = self * Rational(Int(max(timescale, 1)))
    let whole = RoundedQuotient(
      scaled.numerator, by: scaled.denominator, rounding,
      becomesFiner: Int128(timescale) > denominator)
    let value = Int64(clamping: whole.value)
    return (
      value, whole.isExact && scaled.hasBeenRounded == hasBeenRounded,
      Int128(value) == whole.value
    )
  }

  // MARK: Results that do not fit

  /// Binary places of a rounded result.
  private static var places: Int { 62 }

  /// A magnitude of `whole + remainder / divisor` with its sign, to the nearest multiple of 2⁻⁶².
  private init(
    rounding whole: UInt128, _ remainder: UInt128, over divisor: UInt128, isNegative: Bool
  ) {
    let sign: Int128 = isNegative ? -1 : 1
    guard whole < 1 << 63 else {
      let up: UInt128 = remainder >= divisor - remainder && remainder > 0 ? 1 : 0
      let value = Int128(clamping: whole == .max ? whole : whole + up)
      self.init(lowestTerms: value * sign, 1, rounded: true)
      return
    }
    // remainder < divisor, so that the quotient is below 2⁶² and the division is defined.
    let shifted = (
      high: remainder >> UInt128(128 - Self.places), low: remainder << UInt128(Self.places)
    )
    let part = divisor.dividingFullWidth(shifted)
    let up: UInt128 = part.remainder >= divisor - part.remainder && part.remainder > 0 ? 1 : 0
    let value = whole << UInt128(Self.places) + part.quotient + up
    let zeros = min(value.trailingZeroBitCount, Self.places)
    self.init(
      lowestTerms: Int128(value >> UInt128(zeros)) * sign,
      value == 0 ? 1 : 1 << Int128(Self.places - zeros), rounded: true)
  }

  /// The value to a multiple of 2⁻⁶², or whole from 2⁶³ on.
  private var rounded: Rational {
    let (whole, remainder) = numerator.magnitude.quotientAndRemainder(
      dividingBy: denominator.magnitude)
    return Rational(
      rounding: whole, remainder, over: denominator.magnitude, isNegative: numerator < 0)
  }

  private static func roundedSum(_ a: Rational, _ b: Rational) -> Rational {
    let (a, b) = (a.rounded, b.rounded)
    // Either both have at most 2⁶² below the line and at most 2¹²⁵ above, or one is a whole number
    // beyond 2⁶³, and then the other is rounded to one as well.
    if a.magnitude.floor >= 1 << 63 || b.magnitude.floor >= 1 << 63 {
      let (x, y) = (a.nearestWhole, b.nearestWhole)
      let sum = x.addingReportingOverflow(y)
      let value = sum.overflow ? (x < 0 ? -Int128.max : .max) : max(sum.partialValue, -.max)
      return Rational(lowestTerms: value, 1, rounded: true)
    }
    let unit: Int128 = 1 << Int128(places)
    let sum = a.numerator * (unit / a.denominator) + b.numerator * (unit / b.denominator)
    let zeros = sum == 0 ? places : min(sum.trailingZeroBitCount, places)
    return Rational(
      lowestTerms: sum >> Int128(zeros), 1 << Int128(places - zeros), rounded: true)
  }

  private var nearestWhole: Int128 {
    RoundedQuotient(numerator, by: denominator, .halfAwayFromZero).value
  }

  /// a·b / (c·d) through 256 bits.
  private static func roundedProduct(
    _ a: UInt128, _ b: UInt128, over c: UInt128, _ d: UInt128, isNegative: Bool
  ) -> Rational {
    var top = a.multipliedFullWidth(by: b)
    var bottom = c.multipliedFullWidth(by: d)
    // All factors are below 2¹²⁷ and the products below 2²⁵⁴. The same shift brings the divisor below
    // 2¹²⁷; what falls off is below 2⁻¹²⁵ of the value.
    let bits = bottom.high == 0 ? 0 : 129 - bottom.high.leadingZeroBitCount
    if bits > 0 {
      bottom.low = shift(bottom.high, bottom.low, right: bits).low
      top = shift(top.high, top.low, right: bits)
    } else if bottom.low.leadingZeroBitCount == 0 {
      bottom.low >>= 1
      top = shift(top.high, top.low, right: 1)
    }
    guard top.high < bottom.low else {
      return Rational(lowestTerms: isNegative ? -.max : .max, 1, rounded: true)
    }
    let quotient = bottom.low.dividingFullWidth((high: top.high, low: top.low))
    return Rational(
      rounding: quotient.quotient, quotient.remainder, over: bottom.low, isNegative: isNegative)
  }

  /// A 256-bit value shifted right by 1…127 bits.
  private static func shift(
    _ high: UInt128, _ low: UInt128, right count: Int
  ) -> (high: UInt128, low: UInt128) {
    (high >> UInt128(count), low >> UInt128(count) | high << UInt128(128 - count))
  }
}
