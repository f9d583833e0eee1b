// Dates of ISO base media files.

import ReelCore

/// A point in time as the calendar has it, UTC.
struct CalendarTime: CustomStringConvertible {
  /// Seconds since 1970-01-01.
  private let seconds: Int64

  /// Nil for 0, which stands for "not told", and for what lies beyond the year 9999.
  init?(secondsSince1904 value: UInt64) {
    guard value > 0, value < 255_500_000_000 else { return nil }
    // Files whose writers counted from 1970 are told by values that would lie before it.
    let offset: Int64 = 2_082_844_800
    seconds = Int64(value) >= offset ? Int64(value) - offset : Int64(value)
  }

  /// Such as `2016-05-31T17:01:35.000000Z`.
  var description: String {
    let (days, rest) = seconds.quotientAndRemainder(dividingBy: 86_400)
    // The proleptic Gregorian calendar repeats after 146,097 days; years begin in March here.
    let shifted = days + 719_468
    let era = shifted / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    let date = "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    let time = "\(padded(rest / 3600, 2)):\(padded(rest / 60 % 60, 2)):\(padded(rest % 60, 2))"
    return "\(date)T\(time).000000Z"
  }

  private func padded(_ value: Int64, _ width: Int) -> String {
    let text = "\(value)"
    return String(repeating: "0", count: max(width - text.count, 0)) + text
  }
}

extension FourCC {
  /// The four characters, others than letters, digits and a few signs as `[N]`, as FFmpeg writes tags.
  var bracketedDescription: String {
    var text = ""
    for shift in [24, 16, 8, 0] as [UInt32] {
      let byte = UInt8(truncatingIfNeeded: rawValue >> shift)
      let scalar = Unicode.Scalar(byte)
      let isPlain =
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
        || (0x61...0x7A).contains(byte) || [0x20, 0x2D, 0x2E, 0x5F].contains(byte)
      if isPlain { text.unicodeScalars.append(scalar) } else { text += "[\(byte)]" }
    }
    return text
  }
}
