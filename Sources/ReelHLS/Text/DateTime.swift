// Dates and times of day: RFC 3339 (a profile of ISO 8601).

/// A moment of the calendar with the zone it is told in, exact to the nanosecond.
///
/// 1678 to 2261. A leap second (`:60`) is the first second of the next minute.
public struct DateTime: Sendable, Hashable, CustomStringConvertible {
  /// Nanoseconds since 1970-01-01T00:00:00Z.
  public let nanoseconds: Int64
  /// Minutes the zone is ahead of UTC, −1,439…1,439; nil where no zone is told, which reads as UTC.
  public let zoneMinutes: Int?
  /// Digits behind the second's point, 0…9.
  public let fractionDigits: Int

  /// Values outside their ranges are clamped.
  public init(nanoseconds: Int64, zoneMinutes: Int? = 0, fractionDigits: Int = 3) {
    self.nanoseconds = nanoseconds
    self.zoneMinutes = zoneMinutes.map { min(max($0, -1439), 1439) }
    self.fractionDigits = min(max(fractionDigits, 0), 9)
  }

  /// Seconds since 1970, whole ones, and milliseconds of them.
  public var milliseconds: Int64 { nanoseconds / 1_000_000 }

  /// This moment `seconds` later; nil beyond the range of years.
  public func advanced(by seconds: DecimalNumber) -> DateTime? {
    let step = Int128(seconds.unscaled) * 1_000_000_000 / Int128(seconds.scale)
    guard let sum = Int64(exactly: Int128(nanoseconds) + step) else { return nil }
    return DateTime(nanoseconds: sum, zoneMinutes: zoneMinutes, fractionDigits: fractionDigits)
  }

  /// Parses `YYYY-MM-DDThh:mm:ss(.f+)?(Z|±hh:mm|±hhmm|±hh)?`; nil for anything else.
  init?(_ bytes: some Collection<UInt8>) {
    var cursor = DigitCursor(Array(bytes))
    guard let year = cursor.number(4), cursor.skip("-"), let month = cursor.number(2),
      cursor.skip("-"), let day = cursor.number(2),
      cursor.skip("T") || cursor.skip("t") || cursor.skip(" "),
      let hour = cursor.number(2), cursor.skip(":"), let minute = cursor.number(2),
      cursor.skip(":"), let second = cursor.number(2),
      1...12 ~= month, 1...Self.days(in: month, of: year) ~= day, hour <= 23, minute <= 59,
      second <= 60, let (fraction, digits) = cursor.fraction(), let zone = cursor.zone(),
      cursor.isAtEnd
    else { return nil }
    let days = Self.daysSince1970(year, month, day)
    let ofDay = hour * 3600 + minute * 60 + second - (zone.minutes ?? 0) * 60
    let total = (Int128(days) * 86_400 + Int128(ofDay)) * 1_000_000_000 + Int128(fraction)
    guard let nanoseconds = Int64(exactly: total) else { return nil }
    self.init(nanoseconds: nanoseconds, zoneMinutes: zone.minutes, fractionDigits: digits)
  }

  public init?(_ string: String) { self.init(Array(string.utf8)) }

  static func days(in month: Int, of year: Int) -> Int {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
  }

  /// Days from 1970-01-01 in the Gregorian calendar: years begin in March, so that the leap day is
  /// the last one.
  private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private static func date(daysSince1970 days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let part = (5 * dayOfYear + 2) / 153
    let month = part < 10 ? part + 3 : part - 9
    return (
      yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * part + 2) / 5 + 1
    )
  }

  /// As it stands in a playlist.
  public var description: String {
    let local = Int128(nanoseconds) + Int128(zoneMinutes ?? 0) * 60_000_000_000
    var seconds = Int(local / 1_000_000_000)
    var rest = Int(local % 1_000_000_000)
    if rest < 0 { (seconds, rest) = (seconds - 1, rest + 1_000_000_000) }
    var days = seconds / 86_400
    if seconds % 86_400 < 0 { days -= 1 }
    let ofDay = seconds - days * 86_400
    let date = Self.date(daysSince1970: days)
    var text = "\(Self.digits(date.year, 4))-\(Self.digits(date.month, 2))-"
    text += "\(Self.digits(date.day, 2))T\(Self.digits(ofDay / 3600, 2)):"
    text += "\(Self.digits(ofDay / 60 % 60, 2)):\(Self.digits(ofDay % 60, 2))"
    if fractionDigits > 0 { text += ".\(Self.digits(rest, 9).prefix(fractionDigits))" }
    guard let zoneMinutes else { return text }
    if zoneMinutes == 0 { return text + "Z" }
    let zone = abs(zoneMinutes)
    let clock = "\(Self.digits(zone / 60, 2)):\(Self.digits(zone % 60, 2))"
    return text + (zoneMinutes < 0 ? "-" : "+") + clock
  }

  private static func digits(_ value: Int, _ count: Int) -> String {
    let text = String(value)
    return String(repeating: "0", count: max(count - text.count, 0)) + text
  }
}

/// Reads fixed-width numbers.
private struct DigitCursor {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { position == bytes.count }
  private var digit: Int? {
    guard position < bytes.count, 48...57 ~= bytes[position] else { return nil }
    return Int(bytes[position]) - 48
  }

  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  mutating func number(_ count: Int) -> Int? {
    var value = 0
    for _ in 0..<count {
      guard let digit else { return nil }
      value = value * 10 + digit
      position += 1
    }
    return value
  }

  /// Nanoseconds and the number of digits, at most 9; further digits are cut.
  mutating func fraction() -> (Int, Int)? {
    guard skip(".") || skip(",") else { return (0, 0) }
    var (value, count, seen) = (0, 0, false)
    while let digit {
      seen = true
      position += 1
      guard count < 9 else { continue }
      value = value * 10 + digit
      count += 1
    }
    guard seen else { return nil }
    for _ in count..<9 { value *= 10 }
    return (value, count)
  }

  mutating func zone() -> (minutes: Int?, Void)? {
    if isAtEnd { return (nil, ()) }
    if skip("Z") || skip("z") { return (0, ()) }
    let isAhead = skip("+")
    guard isAhead || skip("-"), let hours = number(2) else { return nil }
    _ = skip(":")
    guard let minutes = isAtEnd ? 0 : number(2), hours <= 23, minutes <= 59 else { return nil }
    return ((isAhead ? 1 : -1) * (hours * 60 + minutes), ())
  }
}
