// Numbers as decimals.

import ReelCore

extension Rational {
  /// The value with this many decimals, the last one rounded to nearest; exact integer arithmetic.
  func decimal(places: Int) -> String {
    var scale = 1
    for _ in 0..<places { scale *= 10 }
    let scaled = (magnitude * Rational(scale) + Rational(1, 2)).floor
    let whole = scaled / Int128(scale)
    let rest = String(scaled % Int128(scale))
    let sign = signum < 0 && scaled != 0 ? "-" : ""
    guard places > 0 else { return "\(sign)\(whole)" }
    return "\(sign)\(whole)." + String(repeating: "0", count: places - rest.count) + rest
  }

}
