// Media segments.

/// A media segment.
///
/// A playlist may have hundreds of thousands: what most segments do not have of their own is shared
/// with the ones around (keys, initialization section) or held apart (parts, unknown tags), and
/// addresses stay in the text they were read from. 104 bytes each.
public struct Segment: Sendable, Hashable {
  private var address: TextSlice
  private var titleText: TextSlice
  private var unscaledDuration: Int64
  /// Offset and length; a length of −1 for no range.
  private var rangeOffset: Int64 = 0
  private var rangeLength: Int64 = -1
  /// Nanoseconds since 1970; `Int64.min` for no date.
  private var dateNanoseconds = Int64.min
  private(set) var context: SegmentContext
  /// One element or none: an array is a box that copies itself when written to.
  private var rare: [RareSegmentFacts] = []
  /// EXT-X-DISCONTINUITY-SEQUENCE of the playlist plus the discontinuities up to this segment.
  /// RFC 8216 §4.3.3.3.
  public var discontinuitySequence: Int64 = 0
  private var lineNumber: Int32 = 0
  private var dateZone: Int16 = 0
  private var dateDigits: UInt8 = 0
  private var durationDigits: UInt8
  private var flags: Flags = []

  private struct Flags: OptionSet, Hashable {
    let rawValue: UInt8
    static let discontinuity = Flags(rawValue: 1)
    static let gap = Flags(rawValue: 2)
    static let dateWithoutZone = Flags(rawValue: 4)
  }

  public init(uri: String, duration: DecimalNumber) {
    self.init(address: TextSlice(uri), title: .empty, duration: duration, context: .empty)
  }

  init(address: TextSlice, title: TextSlice, duration: DecimalNumber, context: SegmentContext) {
    (self.address, titleText, self.context) = (address, title, context)
    (unscaledDuration, durationDigits) = (duration.unscaled, duration.fractionDigits)
  }

  /// As written, to be resolved against the playlist's address; empty for a segment of which only
  /// parts are there.
  public var uri: String {
    get { address.string }
    set { address = TextSlice(newValue) }
  }

  /// What follows the duration; empty without.
  public var title: String {
    get { titleText.string }
    set { titleText = TextSlice(newValue) }
  }

  /// Seconds. RFC 8216 §4.3.2.1 (EXTINF).
  public var duration: DecimalNumber {
    get { DecimalNumber(unscaled: unscaledDuration, fractionDigits: durationDigits) }
    set { (unscaledDuration, durationDigits) = (newValue.unscaled, newValue.fractionDigits) }
  }

  /// The part of the resource that is the segment; nil for all of it. RFC 8216 §4.3.2.2.
  public var byteRange: ByteRange? {
    get { ByteRange(offset: rangeOffset, length: rangeLength) }
    set { (rangeOffset, rangeLength) = (newValue?.offset ?? 0, newValue?.length ?? -1) }
  }

  /// Timestamps, tracks or encoding change before this segment. RFC 8216 §4.3.2.3.
  public var isDiscontinuity: Bool {
    get { flags.contains(.discontinuity) }
    set { if newValue { flags.insert(.discontinuity) } else { flags.remove(.discontinuity) } }
  }

  /// The segment is not there and is not to be loaded. draft-pantos-hls-rfc8216bis-14 §4.4.4.7.
  public var isGap: Bool {
    get { flags.contains(.gap) }
    set { if newValue { flags.insert(.gap) } else { flags.remove(.gap) } }
  }

  /// The date of the first sample, where the segment has a tag of its own. RFC 8216 §4.3.2.6.
  public var programDateTime: DateTime? {
    get {
      guard dateNanoseconds != .min else { return nil }
      return DateTime(
        nanoseconds: dateNanoseconds,
        zoneMinutes: flags.contains(.dateWithoutZone) ? nil : Int(dateZone),
        fractionDigits: Int(dateDigits))
    }
    set {
      dateNanoseconds = newValue?.nanoseconds ?? .min
      dateZone = Int16(clamping: newValue?.zoneMinutes ?? 0)
      dateDigits = UInt8(clamping: newValue?.fractionDigits ?? 0)
      if newValue != nil && newValue?.zoneMinutes == nil {
        flags.insert(.dateWithoutZone)
      } else {
        flags.remove(.dateWithoutZone)
      }
    }
  }

  /// Keys that apply, at most one a key format; empty when the segment is not encrypted.
  public var keys: [Key] {
    get { context.keys }
    set {
      context = SegmentContext(
        keys: newValue, section: context.section, bitrate: context.bitrate)
    }
  }

  /// What to read before the segment; nil for none.
  public var initializationSection: InitializationSection? {
    get { context.section }
    set {
      context = SegmentContext(keys: context.keys, section: newValue, bitrate: context.bitrate)
    }
  }

  /// Kilobits a second, about, told by EXT-X-BITRATE. draft-pantos-hls-rfc8216bis-14 §4.4.4.8.
  public var bitrate: Int? {
    get { context.bitrate }
    set {
      context = SegmentContext(
        keys: context.keys, section: context.section, bitrate: newValue)
    }
  }

  /// The partial segments it consists of, while the playlist lists them.
  public var parts: [PartialSegment] {
    get { rare.first?.parts ?? [] }
    set { if !(newValue.isEmpty && rare.isEmpty) { change { $0.parts = newValue } } }
  }

  /// Tags that are not known and stand before this segment's address.
  public var unknownTags: [UnknownTag] {
    get { rare.first?.unknownTags ?? [] }
    set { if !(newValue.isEmpty && rare.isEmpty) { change { $0.unknownTags = newValue } } }
  }

  /// Where its address stood.
  public var line: SourceLine {
    get { SourceLine(Int(lineNumber)) }
    set { lineNumber = Int32(clamping: newValue.number) }
  }

  private mutating func change(_ body: (inout RareSegmentFacts) -> Void) {
    var facts = rare.first ?? RareSegmentFacts()
    rare = []
    body(&facts)
    if facts != RareSegmentFacts() { rare = [facts] }
  }

  mutating func set(context: SegmentContext) { self.context = context }
  mutating func set(address: TextSlice) { self.address = address }
  var hasAddress: Bool { !address.isEmpty }

  public static func == (a: Segment, b: Segment) -> Bool {
    a.address == b.address && a.titleText == b.titleText
      && a.unscaledDuration == b.unscaledDuration && a.durationDigits == b.durationDigits
      && a.rangeOffset == b.rangeOffset && a.rangeLength == b.rangeLength
      && a.dateNanoseconds == b.dateNanoseconds && a.dateZone == b.dateZone
      && a.dateDigits == b.dateDigits && a.flags == b.flags
      && a.discontinuitySequence == b.discontinuitySequence && a.rare == b.rare
      && a.context == b.context
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(address)
    hasher.combine(unscaledDuration)
    hasher.combine(rangeOffset)
  }
}

/// What few segments have.
private struct RareSegmentFacts: Sendable, Hashable {
  var parts: [PartialSegment] = []
  var unknownTags: [UnknownTag] = []
}

/// What a run of segments shares.
final class SegmentContext: Sendable, Hashable {
  let keys: [Key]
  let section: InitializationSection?
  let bitrate: Int?

  /// An EXT-X-KEY tag has been read: no keys means that there are none, rather than that they stand in
  /// what a delta update leaves out. No part of equality.
  let hasKeyTag: Bool

  static let empty = SegmentContext(keys: [], section: nil, bitrate: nil)

  init(
    keys: [Key], section: InitializationSection?, bitrate: Int?, hasKeyTag: Bool = false
  ) {
    (self.keys, self.section, self.bitrate) = (keys, section, bitrate)
    self.hasKeyTag = hasKeyTag
  }

  static func == (a: SegmentContext, b: SegmentContext) -> Bool {
    a === b || (a.keys == b.keys && a.section == b.section && a.bitrate == b.bitrate)
  }

  func hash(into hasher: inout Hasher) { hasher.combine(keys) }
}

/// A part of a segment that can be loaded on its own. draft-pantos-hls-rfc8216bis-14 §4.4.4.9.
public struct PartialSegment: Sendable, Hashable {
  public var uri: String
  /// Seconds.
  public var duration: DecimalNumber
  public var byteRange: ByteRange?
  /// It contains an independent frame.
  public var isIndependent = false
  /// It is not there.
  public var isGap = false
  public var unknownAttributes: [UnknownAttribute] = []
  public var line: SourceLine = 0
  public init(uri: String, duration: DecimalNumber, byteRange: ByteRange? = nil) {
    (self.uri, self.duration, self.byteRange) = (uri, duration, byteRange)
  }
}
