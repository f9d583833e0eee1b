// Decimal numbers of a playlist, kept exactly as they are written.

public import ReelCore

/// A decimal number with at most nine digits behind the point: `unscaled / 10^fractionDigits`.
///
/// Playlists count seconds in decimals. Floating point would round them, and a thousand rounded
/// segment lengths drift. `10.0` and `10` are different as text and equal in ``time``.
public struct DecimalNumber: Sendable, Hashable, CustomStringConvertible {
  public let unscaled: Int64
  /// 0…9.
  public let fractionDigits: UInt8

  /// `fractionDigits` beyond 9 counts as 9.
  public init(unscaled: Int64, fractionDigits: UInt8 = 0) {
    self.unscaled = unscaled
    self.fractionDigits = min(fractionDigits, 9)
  }

  public init(_ whole: Int64) { self.init(unscaled: whole) }

  public static let zero = DecimalNumber(0)

  /// Parses `-?digits(.digits)?`; nil when the bytes are no such number or pass ±10¹⁸ / 10⁹. Digits
  /// behind the ninth are rounded, half away from zero.
  init?(_ bytes: some Collection<UInt8>, allowsSign: Bool = false) {
    var (value, digits, fraction, seen, inFraction) = (Int64(0), 0, UInt8(0), false, false)
    var (isNegative, roundsUp) = (false, false)
    for (position, byte) in bytes.enumerated() {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        seen = true
        if inFraction && fraction == 9 {
          if digits == 9 { roundsUp = byte >= UInt8(ascii: "5") }
          digits += 1
          continue
        }
        guard value < 100_000_000_000_000_000 else { return nil }
        value = value * 10 + Int64(byte - UInt8(ascii: "0"))
        if inFraction {
          fraction += 1
          digits += 1
        }
      case UInt8(ascii: "."):
        guard !inFraction else { return nil }
        inFraction = true
      case UInt8(ascii: "-"):
        guard allowsSign, position == 0 else { return nil }
        isNegative = true
      case UInt8(ascii: "+"):
        guard allowsSign, position == 0 else { return nil }
      default: return nil
      }
    }
    guard seen else { return nil }
    if roundsUp { value += 1 }
    self.init(unscaled: isNegative ? -value : value, fractionDigits: fraction)
  }

  /// 10 to the power of `fractionDigits`.
  public var scale: Int32 { Self.powers[Int(fractionDigits)] }
  private static let powers: [Int32] = [
    1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000,
  ]

  /// The number as seconds.
  public var time: MediaTime { MediaTime(value: unscaled, timescale: scale) }
  public var rational: Rational { Rational(unscaled, scale) }
  /// The nearest Double, for display.
  public var value: Double { Double(unscaled) / Double(scale) }
  /// The nearest whole number, half away from zero, as playlists round segment lengths.
  public var rounded: Int64 {
    let half = Int64(scale) / 2
    return (unscaled + (unscaled < 0 ? -half : half)) / Int64(scale)
  }

  /// As it stands in a playlist.
  public var description: String {
    guard fractionDigits > 0 else { return String(unscaled) }
    let digits = String(unscaled.magnitude)
    let padding = max(Int(fractionDigits) + 1 - digits.count, 0)
    let padded = String(repeating: "0", count: padding) + digits
    let whole = padded.dropLast(Int(fractionDigits))
    return "\(unscaled < 0 ? "-" : "")\(whole).\(padded.suffix(Int(fractionDigits)))"
  }
}
