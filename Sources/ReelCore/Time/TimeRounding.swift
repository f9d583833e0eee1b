// How a time is brought to ticks that do not fit it.

/// What to do with a fraction of a tick. The names are those of CMTimeRoundingMethod.
public enum TimeRounding: String, Sendable, Hashable, Codable, CaseIterable {
  /// To the nearest tick; halves away from zero. The default everywhere.
  case halfAwayFromZero
  /// Drops the fraction.
  case towardZero
  /// To the next tick of larger magnitude.
  case awayFromZero
  /// Towards zero when the new scale is coarser, away from zero when it is finer; a negative time
  /// never becomes zero but −1 tick.
  case quickTime
  /// To the next later tick.
  case towardPositiveInfinity
  /// To the next earlier tick.
  case towardNegativeInfinity

  /// What is used where nothing else is said.
  public static let standard = TimeRounding.halfAwayFromZero
}

/// A quotient of whole numbers after rounding, and whether rounding was needed.
struct RoundedQuotient {
  var value: Int128
  var isExact: Bool

  /// `numerator / denominator`; the denominator is > 0. `becomesFiner` tells ``TimeRounding/quickTime``
  /// which way the scale changes.
  init(
    _ numerator: Int128, by denominator: Int128, _ rounding: TimeRounding,
    becomesFiner: Bool = false
  ) {
    let (quotient, remainder) = numerator.quotientAndRemainder(dividingBy: denominator)
    value = quotient
    isExact = remainder == 0
    guard !isExact else { return }
    let outward: Int128 = numerator < 0 ? -1 : 1
    switch rounding {
    case .halfAwayFromZero:
      // remainder ≥ denominator − remainder avoids doubling the remainder.
      let magnitude = remainder < 0 ? -remainder : remainder
      if magnitude >= denominator - magnitude { value += outward }
    case .towardZero: break
    case .awayFromZero: value += outward
    case .quickTime:
      if becomesFiner || (quotient == 0 && numerator < 0) { value += outward }
    case .towardPositiveInfinity: if numerator > 0 { value += 1 }
    case .towardNegativeInfinity: if numerator < 0 { value -= 1 }
    }
  }
}
