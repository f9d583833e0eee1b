// Sums, products and conversions of times, with the rules of CMTime.
//
// A result keeps the operands' timescale when they share one; otherwise it takes their least common
// multiple, at most ``MediaTime/maximumTimescale``. A value that does not fit 64 bits halves the
// timescale until it does; at one tick a second it becomes infinite. Whatever rounds is marked.

extension MediaTime {
  /// The finest timescale, 2³¹ − 1 ticks a second.
  public static let maximumTimescale: Int32 = .max

  /// `numerator / denominator` seconds in ticks of `timescale` (> 0), halved until the ticks fit.
  ///
  /// |numerator| × timescale must stay below 2¹²⁷; the callers' operands are at most 64 and 62 bits.
  init(
    numerator: Int128, denominator: Int128, timescale: Int32, rounding: TimeRounding = .standard,
    isRounded: Bool
  ) {
    var scale = Int128(timescale)
    while true {
      let ticks = RoundedQuotient(
        numerator * scale, by: denominator, rounding, becomesFiner: scale > denominator)
      if let value = Int64(exactly: ticks.value) {
        self.init(
          value: value, timescale: Int32(scale), state: .numeric,
          hasBeenRounded: isRounded || !ticks.isExact)
        return
      }
      guard scale > 1 else {
        self = (numerator < 0 ? MediaTime.negativeInfinity : .positiveInfinity).markedRounded()
        return
      }
      scale /= 2
    }
  }

  /// The same time with the sticky mark that a rounding happened.
  func markedRounded(_ isRounded: Bool = true) -> MediaTime {
    MediaTime(
      value: value, timescale: timescale, state: state,
      hasBeenRounded: hasBeenRounded || isRounded)
  }

  /// The timescale of a sum: the shared one, else the least common multiple, capped.
  private static func commonTimescale(_ a: Int32, _ b: Int32) -> Int32 {
    guard a != b else { return a }
    let divisor = Int64(greatestCommonDivisor(UInt64(a), UInt64(b)))
    return Int32(exactly: Int64(a) / divisor * Int64(b)) ?? maximumTimescale
  }

  /// What a sum is when an operand is no number; nil when both are.
  private static func sumOfStates(_ a: MediaTime, _ b: MediaTime) -> MediaTime? {
    if a.isNumeric && b.isNumeric { return nil }
    guard a.isValid && b.isValid else { return .invalid }
    switch (a.isInfinite, b.isInfinite) {
    case (true, true): return a.state == b.state ? a : .invalid
    case (true, false): return a
    case (false, true): return b
    case (false, false): return .indefinite
    }
  }

  private var isInfinite: Bool { state == .positiveInfinity || state == .negativeInfinity }

  /// The sum, by the rules of the timescale above. Infinite and a number is infinite, infinities of
  /// both signs are invalid, indefinite and a number is indefinite, invalid stays.
  public static func + (a: MediaTime, b: MediaTime) -> MediaTime {
    let isRounded = a.hasBeenRounded || b.hasBeenRounded
    if let result = sumOfStates(a, b) { return result.markedRounded(isRounded) }
    let scale = commonTimescale(a.timescale, b.timescale)
    // Both products are below 2⁹⁴ and the denominator below 2⁶², so that the scaled sum fits.
    let sum =
      Int128(a.value) * Int128(b.timescale) + Int128(b.value) * Int128(a.timescale)
    return MediaTime(
      numerator: sum, denominator: Int128(a.timescale) * Int128(b.timescale), timescale: scale,
      isRounded: isRounded)
  }

  /// The negative of a numeric or infinite time. −2⁶³ ticks, which have no negative, halve the scale.
  public static prefix func - (a: MediaTime) -> MediaTime {
    switch a.state {
    case .invalid, .indefinite: a
    case .positiveInfinity: negativeInfinity.markedRounded(a.hasBeenRounded)
    case .negativeInfinity: positiveInfinity.markedRounded(a.hasBeenRounded)
    case .numeric:
      MediaTime(
        numerator: -Int128(a.value), denominator: Int128(a.timescale), timescale: a.timescale,
        isRounded: a.hasBeenRounded)
    }
  }

  /// The difference, by the rules of ``+(_:_:)``.
  public static func - (a: MediaTime, b: MediaTime) -> MediaTime {
    let isRounded = a.hasBeenRounded || b.hasBeenRounded
    if let result = sumOfStates(a, b.isInfinite ? -b : b) { return result.markedRounded(isRounded) }
    let scale = commonTimescale(a.timescale, b.timescale)
    let difference =
      Int128(a.value) * Int128(b.timescale) - Int128(b.value) * Int128(a.timescale)
    return MediaTime(
      numerator: difference, denominator: Int128(a.timescale) * Int128(b.timescale),
      timescale: scale, isRounded: isRounded)
  }

  /// Adds in place, as ``+(_:_:)``.
  public static func += (a: inout MediaTime, b: MediaTime) { a = a + b }
  /// Subtracts in place, as ``-(_:_:)``.
  public static func -= (a: inout MediaTime, b: MediaTime) { a = a - b }

  /// The time `multiplier` times over, in the same timescale while it fits.
  public func multiplied(by multiplier: Int32) -> MediaTime {
    multiplied(by: multiplier, over: 1)
  }

  /// `time · multiplier / divisor`, exactly when a timescale up to the maximum can hold it.
  ///
  /// A divisor of 0 gives an infinite time of the product's sign, or an invalid one for 0/0. Times
  /// that are no numbers stay as they are; infinite ones take the sign of the factors.
  public func multiplied(by multiplier: Int32, over divisor: Int32) -> MediaTime {
    switch state {
    case .invalid, .indefinite: return self
    case .positiveInfinity, .negativeInfinity:
      return (multiplier < 0) != (divisor < 0) ? -self : self
    case .numeric: break
    }
    let sign: Int128 = divisor < 0 ? -1 : 1
    let product = Int128(value) * Int128(multiplier) * sign
    guard divisor != 0 else {
      return product == 0 ? .invalid : product < 0 ? .negativeInfinity : .positiveInfinity
    }
    // product / (timescale · |divisor|): cancelling first keeps the timescale when it can be kept.
    let whole = Int128(timescale) * Int128(divisor.magnitude)
    if product % Int128(divisor.magnitude) == 0 {
      return MediaTime(
        numerator: product / Int128(divisor.magnitude), denominator: Int128(timescale),
        timescale: timescale, isRounded: hasBeenRounded)
    }
    let common = Int128(greatestCommonDivisor(product.magnitude, whole.magnitude))
    let scale = Int32(exactly: whole / common) ?? Self.maximumTimescale
    return MediaTime(
      numerator: product / common, denominator: whole / common, timescale: scale,
      isRounded: hasBeenRounded)
  }

  /// The product with a binary fraction, in a timescale of at least 65,536.
  ///
  /// The timescale is doubled until it is that fine, and halved while the value overflows. NaN gives
  /// an invalid time, ±∞ an infinite one (invalid for zero).
  public func multiplied(byFloat64 multiplier: Double) -> MediaTime {
    guard !multiplier.isNaN else { return .invalid }
    switch state {
    case .invalid, .indefinite: return self
    case .positiveInfinity, .negativeInfinity: return multiplier < 0 ? -self : self
    case .numeric: break
    }
    guard multiplier.isFinite else {
      if value == 0 { return .invalid }
      return (value < 0) == (multiplier < 0) ? .positiveInfinity : .negativeInfinity
    }
    var scale = timescale
    while scale < 65536 { scale *= 2 }
    let exact = Rational(value, timescale) * Rational(rounding: multiplier)
    return MediaTime(exact, timescale: scale).markedRounded(hasBeenRounded)
  }

  /// The time in ticks of `newTimescale`.
  ///
  /// A scale ≤ 0 gives an invalid time. Unlike in a sum, a value that does not fit does not change
  /// the scale that was asked for: it becomes infinite.
  public func convertScale(
    _ newTimescale: Int32, method: TimeRounding = .standard
  ) -> MediaTime {
    guard isNumeric else { return self }
    guard newTimescale > 0 else { return .invalid }
    let ticks = RoundedQuotient(
      Int128(value) * Int128(newTimescale), by: Int128(timescale), method,
      becomesFiner: newTimescale > timescale)
    guard let result = Int64(exactly: ticks.value) else {
      return (value < 0 ? MediaTime.negativeInfinity : .positiveInfinity).markedRounded()
    }
    return MediaTime(
      value: result, timescale: newTimescale, state: .numeric,
      hasBeenRounded: hasBeenRounded || !ticks.isExact)
  }

  /// The time without its sign; −∞ becomes +∞. As CMTimeAbsoluteValue.
  public var absoluteValue: MediaTime {
    state == .negativeInfinity || (isNumeric && value < 0) ? -self : self
  }

  /// `seconds` in ticks of `preferredTimescale`, which is halved while the value does not fit.
  ///
  /// NaN and a scale ≤ 0 give an invalid time, ±∞ an infinite one. Marked as rounded when the ticks
  /// are not exactly `seconds`.
  public init(seconds: Double, preferredTimescale: Int32) {
    guard preferredTimescale > 0, !seconds.isNaN else {
      self = .invalid
      return
    }
    guard seconds.isFinite else {
      self = seconds < 0 ? .negativeInfinity : .positiveInfinity
      return
    }
    self.init(Rational(rounding: seconds), timescale: preferredTimescale)
  }

  /// `time` in ticks of `timescale` (> 0, else invalid), which is halved while the ticks do not fit.
  public init(_ time: Rational, timescale: Int32, rounding: TimeRounding = .standard) {
    guard timescale > 0 else {
      self = .invalid
      return
    }
    var scale = timescale
    while true {
      let ticks = time.ticks(timescale: scale, rounding: rounding)
      if ticks.fits {
        self.init(
          value: ticks.value, timescale: scale, state: .numeric,
          hasBeenRounded: time.hasBeenRounded || !ticks.isExact)
        return
      }
      guard scale > 1 else {
        self = (time.numerator < 0 ? MediaTime.negativeInfinity : .positiveInfinity)
          .markedRounded()
        return
      }
      scale /= 2
    }
  }
}

extension MediaTime {
  /// The fraction itself where 63 and 31 bits hold its terms, else the nearest time at the finest scale
  /// that can hold it, marked as rounded.
  public init(_ time: Rational) {
    if let value = Int64(exactly: time.numerator), let scale = Int32(exactly: time.denominator) {
      self.init(
        value: value, timescale: scale, state: .numeric, hasBeenRounded: time.hasBeenRounded)
    } else {
      self.init(time, timescale: Self.maximumTimescale)
    }
  }
}

extension MediaTime: CustomStringConvertible {
  /// `value/timescale`, or the name of the state; `~` behind a time that has been rounded.
  public var description: String {
    let mark = hasBeenRounded ? "~" : ""
    return switch state {
    case .numeric: "\(value)/\(timescale)\(mark)"
    case .invalid: "invalid"
    case .indefinite: "indefinite"
    case .positiveInfinity: "+infinity\(mark)"
    case .negativeInfinity: "-infinity\(mark)"
    }
  }

  /// The time with this description; nil for any other text.
  public init?(description text: String) {
    var body = Substring(text)
    let isRounded = body.last == "~"
    if isRounded { body.removeLast() }
    switch body {
    case "invalid": self = .invalid
    case "indefinite": self = .indefinite
    case "+infinity": self = .positiveInfinity.markedRounded(isRounded)
    case "-infinity": self = .negativeInfinity.markedRounded(isRounded)
    default:
      let terms = body.split(separator: "/", omittingEmptySubsequences: false)
      guard terms.count == 2, let value = Int64(terms[0]), let scale = Int32(terms[1]), scale > 0
      else { return nil }
      self.init(value: value, timescale: scale, state: .numeric, hasBeenRounded: isRounded)
    }
  }
}

extension MediaTime: Codable {
  /// Text: the description.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let time = MediaTime(description: text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "\"\(text)\" is no time")
    }
    self = time
  }
}
