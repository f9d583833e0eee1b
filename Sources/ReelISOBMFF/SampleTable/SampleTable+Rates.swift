// Frame rates, from the durations of the samples.

import ReelCore

extension SampleTable {
  /// Samples a second on average; nil without samples or time.
  func averageRate(_ timescale: Int32) -> Ratio? {
    guard count > 0, deltas.total > 0 else { return nil }
    return Self.ratio(Int64(count) * Int64(timescale), deltas.total)
  }

  /// The least rate that all decoding times are multiples of: the timescale over the greatest common
  /// divisor of the durations. The last sample's own duration counts only when it is the only one:
  /// it is not seen in any time.
  func commonRate(_ timescale: Int32) -> Ratio? {
    var divisor: Int64 = 0
    for entry in 0..<deltas.entryCount {
      if deltas.start(entry) == count - 1 && divisor > 0 { break }
      divisor = Self.greatestCommonDivisor(divisor, Int64(deltas.entryValue(entry)))
      if divisor == 1 { break }
    }
    guard divisor > 0 else { return nil }
    return Self.ratio(Int64(timescale), divisor)
  }

  private static func ratio(_ numerator: Int64, _ denominator: Int64) -> Ratio {
    let divisor = greatestCommonDivisor(numerator, denominator)
    return Ratio(Int(numerator / divisor), Int(denominator / divisor))
  }

  private static func greatestCommonDivisor(_ a: Int64, _ b: Int64) -> Int64 {
    var (a, b) = (a, b)
    while b != 0 { (a, b) = (b, a % b) }
    return a
  }
}
