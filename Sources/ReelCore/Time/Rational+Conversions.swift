// Fractions from floating-point numbers and text.

extension Rational {
  /// The exact value of a finite Float, which is a binary fraction; nil for NaN and infinities.
  ///
  /// Magnitudes below 2⁻¹⁰² or above 2¹²⁷ are rounded by the rule of the type.
  public init?(exactly value: Float) {
    guard value.isFinite else { return nil }
    self.init(rounding: Double(value))
  }

  /// The exact value of a finite Double where 127 bits hold it, else rounded by the rule of the type.
  /// NaN is 0; infinities are ±``greatest``.
  public init(rounding value: Double) {
    guard value.isFinite else {
      self.init(
        lowestTerms: value.isNaN ? 0 : value < 0 ? -.max : .max, 1, rounded: true)
      return
    }
    guard value != 0 else {
      self = .zero
      return
    }
    // value = significand · 2^power, with an odd significand below 2⁵³.
    let bits = Int128(value.significandBitPattern) + (value.isSubnormal ? 0 : 1 << 52)
    let zeros = bits.trailingZeroBitCount
    let significand = (bits >> Int128(zeros)) * (value < 0 ? -1 : 1)
    let power = (value.isSubnormal ? -1074 : Int(value.exponent) - 52) + zeros
    if power >= 0 {
      let fits = power < 127 && significand.magnitude.leadingZeroBitCount - 1 > power
      self.init(
        lowestTerms: fits ? significand << Int128(power) : value < 0 ? -.max : .max, 1,
        rounded: !fits)
    } else if power >= -126 {
      self.init(lowestTerms: significand, 1 << Int128(-power), rounded: false)
    } else {
      // |value| < 2⁵³⁻¹²⁷, below half of 2⁻⁶².
      self.init(lowestTerms: 0, 1, rounded: true)
    }
  }

  /// The simplest fraction (smallest denominator) that rounds to `value`; nil for NaN and infinities.
  ///
  /// A Double stands for a time that someone meant: 0.3 for 3/10, and the quotient 1001.0 / 30000 for
  /// exactly the second frame at 29.97 Hz. Taken literally, both can lie just before the frame.
  public init?(simplest value: Double) {
    guard value.isFinite else { return nil }
    let exact = Rational(rounding: value)
    guard exact.denominator > 1, exact.denominator <= 1 << 112 else {
      self = exact
      return
    }
    let size = value.magnitude
    // Half of the gaps to the neighbours; below a power of two the gap is half as wide.
    let below = Rational(rounding: size.nextDown)
    let above = Rational(rounding: size.nextUp)
    let low = (exact.magnitude + below) / Rational(2)
    let high = (exact.magnitude + above) / Rational(2)
    let found = Rational.simplest(between: low, and: high)
    self = value < 0 ? -found : found
  }

  /// The fraction with the smallest denominator strictly between two positive ones, by their
  /// continued fractions.
  private static func simplest(between low: Rational, and high: Rational) -> Rational {
    var terms: [Int128] = []
    var (low, high): (Rational, Rational?) = (low, high)
    // LIMIT: a continued fraction of 128-bit terms has at most 185 steps.
    for _ in 0..<200 {
      let whole = low.floor
      let next = Rational(lowestTerms: whole + 1, 1, rounded: false)
      if high.map({ next < $0 }) ?? true {
        terms.append(whole + 1)
        break
      }
      terms.append(whole)
      let base = Rational(lowestTerms: whole, 1, rounded: false)
      let rest = low - base
      let upper = high.map { .one / ($0 - base) } ?? .zero
      (low, high) = (upper, rest.isZero ? nil : .one / rest)
    }
    var value = Rational(lowestTerms: terms.last ?? 0, 1, rounded: false)
    for term in terms.dropLast().reversed() {
      value = Rational(lowestTerms: term, 1, rounded: false) + .one / value
    }
    return value
  }

  /// A decimal number (`-1.5`, `.25`), a fraction of whole numbers (`1001/30000`), or a clock time
  /// (`1:02:03.5`, `02:03.5`); nil for anything else, or more than 30 digits in a number.
  public init?(_ text: some StringProtocol) {
    var body = Substring(text)
    let isNegative = body.first == "-"
    if isNegative || body.first == "+" { body.removeFirst() }
    guard let first = body.utf8.first, first != UInt8(ascii: "-"), first != UInt8(ascii: "+") else {
      return nil
    }
    var value: Rational
    if body.contains("/") {
      let terms = body.split(separator: "/", omittingEmptySubsequences: false)
      guard terms.count == 2, let top = Self.decimal(terms[0]), let bottom = Self.decimal(terms[1]),
        top.denominator == 1, bottom.denominator == 1, !bottom.isZero
      else { return nil }
      value = top / bottom
    } else {
      let parts = body.split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count <= 3 else { return nil }
      value = .zero
      for (index, part) in parts.enumerated() {
        guard let number = Self.decimal(part),
          index == parts.count - 1 || number.denominator == 1 && !part.contains(".")
        else { return nil }
        value = value * Rational(60) + number
      }
    }
    self = isNegative ? -value : value
  }

  /// Digits with at most one point.
  private static func decimal(_ text: Substring) -> Rational? {
    var (numerator, denominator): (Int128, Int128) = (0, 1)
    var (digits, sawPoint) = (0, false)
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        digits += 1
        guard digits <= 30 else { return nil }
        numerator = numerator * 10 + Int128(byte - UInt8(ascii: "0"))
        if sawPoint { denominator *= 10 }
      case UInt8(ascii: "."):
        guard !sawPoint else { return nil }
        sawPoint = true
      default: return nil
      }
    }
    guard digits > 0 else { return nil }
    return Rational(numerator, denominator)
  }
}

extension Rational: CustomStringConvertible {
  /// A decimal number where nine places hold it exactly, else `numerator/denominator`.
  public var description: String {
    let billion: Int128 = 1_000_000_000
    guard billion % denominator == 0 else { return "\(numerator)/\(denominator)" }
    let (whole, rest) = numerator.magnitude.quotientAndRemainder(
      dividingBy: denominator.magnitude)
    let sign = numerator < 0 ? "-" : ""
    guard rest != 0 else { return "\(sign)\(whole)" }
    var digits = String(rest * UInt128(billion / denominator))
    digits = String(repeating: "0", count: 9 - digits.count) + digits
    while digits.last == "0" { digits.removeLast() }
    return "\(sign)\(whole).\(digits)"
  }
}

extension Rational: Codable {
  /// Text: the description, with `~` behind it when the value has been rounded.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode("\(numerator)/\(denominator)" + (hasBeenRounded ? "~" : ""))
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    var text = Substring(try container.decode(String.self))
    let isRounded = text.last == "~"
    if isRounded { text.removeLast() }
    let terms = text.split(separator: "/", omittingEmptySubsequences: false)
    guard terms.count == 2, let top = Int128(terms[0]), let bottom = Int128(terms[1]),
      bottom > 0, top != .min
    else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "\"\(text)\" is no fraction")
    }
    let common = Int128(greatestCommonDivisor(top.magnitude, bottom.magnitude))
    self.init(lowestTerms: top / common, bottom / common, rounded: isRounded)
  }
}
