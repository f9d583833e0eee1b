// EBML Head, Info and SeekHead. RFC 8794 §11.2; RFC 9559 §5.1.1, §5.1.2.

import ReelCore

/// The EBML header.
struct EBMLHead {
  private(set) var docType = "matroska"
  private(set) var readVersion = 1

  /// - Throws: `unsupported` for other document types and for versions that are not read.
  init(_ element: EBMLElement, _ context: inout EBMLContext) throws(MediaError) {
    var (type, version, idLength, sizeLength) = ("matroska", 1, 4, 8)
    try element.forEachChild(&context) { (id, child, _) throws(MediaError) in
      switch id {
      case ElementID.docType: type = child.text()
      case ElementID.docTypeReadVersion: version = try child.integer()
      case ElementID.ebmlMaxIDLength: idLength = try child.integer()
      case ElementID.ebmlMaxSizeLength: sizeLength = try child.integer()
      default: break
      }
    }
    (docType, readVersion) = (type, version)
    guard type == "matroska" || type == "webm", version <= 4, idLength <= 4, sizeLength <= 8 else {
      throw MediaError(
        .unsupported, .ebmlDocType, at: .offset(0), detail: "\(type), version \(version)")
    }
  }
}

/// Info: times and names of the segment.
struct SegmentInfo {
  /// Nanoseconds of a tick, > 0.
  private(set) var timestampScale: Int64 = 1_000_000
  /// Length in ticks; nil when not told.
  private(set) var duration: Double?
  private(set) var tags: [Tag] = []

  mutating func read(_ element: EBMLElement, _ context: inout EBMLContext) throws(MediaError) {
    var info = self
    defer { self = info }
    try element.forEachChild(&context) { (id, child, _) throws(MediaError) in
      switch id {
      case ElementID.timestampScale:
        let scale = try child.unsigned()
        if scale > 0, scale <= 1_000_000_000 { info.timestampScale = Int64(scale) }
      case ElementID.duration:
        let value = try child.float()
        if value > 0 { info.duration = value }
      case ElementID.title: info.tags.append(Tag("title", child.text()))
      case ElementID.muxingApp: info.tags.append(Tag("encoder", child.text()))
      case ElementID.dateUTC:
        info.tags.append(Tag("creation_time", Self.date(try child.signed())))
      default: break
      }
    }
  }

  /// Ticks a second of packet times: what the scale gives, or nanoseconds where it divides no second.
  var timescale: Int32 {
    1_000_000_000 % timestampScale == 0 ? Int32(1_000_000_000 / timestampScale) : 1_000_000_000
  }

  /// The packet time of a number of the segment's ticks; nil when it does not fit.
  func ticks(_ value: Int64) -> Int64? {
    guard 1_000_000_000 % timestampScale != 0 else { return value }
    let (product, overflow) = value.multipliedReportingOverflow(by: timestampScale)
    return overflow ? nil : product
  }

  /// The packet time of so many nanoseconds, rounded down.
  func ticks(nanoseconds: Int64) -> Int64 {
    1_000_000_000 % timestampScale == 0 ? nanoseconds / timestampScale : nanoseconds
  }

  /// Length of the segment; indefinite when not told.
  var length: MediaTime {
    guard let duration, let ticks = Int64(exactly: duration.rounded()), let time = self.ticks(ticks)
    else { return .indefinite }
    return MediaTime(value: time, timescale: timescale)
  }

  /// Nanoseconds since 2001-01-01T00:00:00 as text. RFC 8794 §7.6.
  private static func date(_ nanoseconds: Int64) -> String {
    let microseconds = nanoseconds.flooredQuotient(1000)
    let seconds = microseconds.flooredQuotient(1_000_000)
    let days = seconds.flooredQuotient(86_400)
    let time = seconds - days * 86_400
    let (year, month, day) = CivilDate.date(daysSince2001: days)
    func padded(_ value: Int64, _ width: Int) -> String {
      let text = "\(value)"
      return String(repeating: "0", count: max(width - text.utf8.count, 0)) + text
    }
    let fraction = padded(microseconds - seconds * 1_000_000, 6)
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T\(padded(time / 3600, 2)):"
      + "\(padded(time / 60 % 60, 2)):\(padded(time % 60, 2)).\(fraction)Z"
  }
}

/// Days as dates of the Gregorian calendar.
enum CivilDate {
  /// Year, month 1…12 and day 1…31 of a day counted from 2001-01-01.
  static func date(daysSince2001 days: Int64) -> (Int64, Int64, Int64) {
    // 400 years have 146,097 days, and 2001 begins such a period.
    let period = days.flooredQuotient(146_097)
    var rest = days - period * 146_097
    let century = min(rest / 36_524, 3)
    rest -= century * 36_524
    let four = rest / 1461
    rest -= four * 1461
    let year = min(rest / 365, 3)
    rest -= year * 365
    let isLeap = year == 3 && (four != 24 || century == 3)
    let lengths: [Int64] = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    var month = 0
    while rest >= lengths[month] {
      rest -= lengths[month]
      month += 1
    }
    return (2001 + period * 400 + century * 100 + four * 4 + year, Int64(month) + 1, rest + 1)
  }
}

extension Int64 {
  /// The quotient rounded down; `divisor` > 0.
  func flooredQuotient(_ divisor: Int64) -> Int64 {
    let quotient = self / divisor
    return self % divisor < 0 ? quotient - 1 : quotient
  }
}

/// SeekHead: where other elements of the Segment are.
struct SeekHead {
  /// Identifier and offset from the Segment's first byte.
  private(set) var entries: [(id: UInt32, position: Int64)] = []

  /// LIMIT: entries; each element of the Segment needs one.
  private static let maximumEntries = 64

  mutating func read(_ element: EBMLElement, _ context: inout EBMLContext) throws(MediaError) {
    var entries = self.entries
    defer { self.entries = entries }
    try element.forEachChild(&context) { (id, child, context) throws(MediaError) in
      guard id == ElementID.seek, entries.count < Self.maximumEntries else { return }
      var target: UInt64 = 0
      var position: Int64?
      try child.forEachChild(&context) { (id, field, _) throws(MediaError) in
        if id == ElementID.seekID { target = try field.unsigned() }
        if id == ElementID.seekPosition { position = Int64(exactly: try field.unsigned()) }
      }
      if let position, let id = UInt32(exactly: target) { entries.append((id, position)) }
    }
  }
}
