// Tags of segments, and the addresses that end them. RFC 8216 §4.3.2.

import ReelCore

/// What the tags since the last address say of the next segment.
struct PendingSegment {
  var duration: DecimalNumber?
  var title = TextSlice.empty
  var byteRange: (length: Int64, offset: Int64?)?
  var isDiscontinuity = false
  var isGap = false
  var programDateTime: DateTime?
  var parts: [PartialSegment] = []
  var unknownTags: [UnknownTag] = []

  // What goes on through all segments:
  var context = SegmentContext.empty
  var discontinuityCount: Int64 = 0
  /// Address of the last segment with a byte range, and the range's end.
  var lastRange: (address: TextSlice, end: Int64)?
  var lastPartRange: (address: String, end: Int64)?
  var hasMediaSequence = false

  mutating func startNext() {
    duration = nil
    title = .empty
    byteRange = nil
    isDiscontinuity = false
    isGap = false
    programDateTime = nil
    if !parts.isEmpty { parts = [] }
    if !unknownTags.isEmpty { unknownTags = [] }
  }
}

extension PlaylistReader {
  mutating func readSegmentTag(_ tag: PlaylistTag, _ value: Range<Int>) throws(MediaError) {
    switch tag {
    case .duration: try readDuration(value)
    case .byteRange: pending.byteRange = try byteRange(value, .playlistByteRange)
    case .discontinuity:
      if !pending.isDiscontinuity { pending.discontinuityCount += 1 }
      pending.isDiscontinuity = true
    case .key: try readKey(value)
    case .map: try readMap(value)
    case .programDateTime:
      guard let date = DateTime(text[value]) else {
        return try complain(.playlistDate, "it is no date", at: value.lowerBound)
      }
      pending.programDateTime = date
    case .gap: pending.isGap = true
    case .bitrate:
      guard let rate = Self.integer(text[value]), rate < 1 << 31 else {
        return try complain(.playlistBitrate, "it is no whole number", at: value.lowerBound)
      }
      pending.context = SegmentContext(
        keys: pending.context.keys, section: pending.context.section, bitrate: Int(rate),
        hasKeyTag: pending.context.hasKeyTag)
    case .part: try readPart(value)
    default: break
    }
  }

  /// `duration,[title]`
  private mutating func readDuration(_ value: Range<Int>) throws(MediaError) {
    let comma = text[value].firstIndex(of: UInt8(ascii: ",")) ?? value.upperBound
    var end = comma
    while end > value.lowerBound, Self.isBlank(text[end - 1]) { end -= 1 }
    guard let duration = DecimalNumber(text[value.lowerBound..<end]) else {
      throw error(.playlistSegmentDuration, "it is no decimal number", at: value.lowerBound)
    }
    guard duration.unscaled / Int64(duration.scale) < 1 << 31 else {
      throw error(.playlistSegmentDuration, "it is longer than 68 years", at: value.lowerBound)
    }
    pending.duration = duration
    var titleStart = min(comma + 1, value.upperBound)
    while titleStart < value.upperBound, Self.isBlank(text[titleStart]) { titleStart += 1 }
    pending.title =
      titleStart < value.upperBound ? TextSlice(text, titleStart..<value.upperBound) : .empty
  }

  /// `length[@offset]`
  private func byteRange(
    _ value: Range<Int>, _ rule: Rule
  ) throws(MediaError) -> (length: Int64, offset: Int64?) {
    let at = text[value].firstIndex(of: UInt8(ascii: "@")) ?? value.upperBound
    guard let length = Self.integer(text[value.lowerBound..<at]) else {
      throw error(rule, "the length is no whole number", at: value.lowerBound)
    }
    guard at < value.upperBound else { return (length, nil) }
    guard let offset = Self.integer(text[at + 1..<value.upperBound]) else {
      throw error(rule, "the offset is no whole number", at: at + 1)
    }
    return (length, offset)
  }

  // MARK: Keys and sections

  /// A key replaces the one of the same format; NONE ends all. RFC 8216 §4.3.2.4.
  private mutating func readKey(_ value: Range<Int>) throws(MediaError) {
    var keys = pending.context.keys
    if let key = try key(value) {
      let format = key.format ?? "identity"
      if let index = keys.firstIndex(where: { ($0.format ?? "identity") == format }) {
        keys[index] = key
      } else {
        keys.append(key)
      }
    } else {
      keys = []
    }
    guard keys.count <= limits.maximumKeys else {
      throw tooMuch("more than \(limits.maximumKeys) keys at once")
    }
    pending.context = SegmentContext(
      keys: keys, section: pending.context.section, bitrate: pending.context.bitrate,
      hasKeyTag: true)
  }

  /// The key of a tag; nil for METHOD=NONE.
  mutating func key(_ value: Range<Int>) throws(MediaError) -> Key? {
    var list = try attributes(value)
    guard let method = try word("METHOD", &list) else {
      throw error(.playlistKey, "METHOD is missing")
    }
    if method == "NONE" {
      if list.entries.count > 1 { try complain(.playlistKey, "NONE with other attributes") }
      return nil
    }
    guard let uri = try string("URI", &list) else { throw error(.playlistKey, "URI is missing") }
    var key = Key(method: Key.Method(method), uri: uri)
    if let vector = try hexadecimal("IV", &list) {
      guard vector.count <= 16 || vector.dropLast(16).allSatisfy({ $0 == 0 }) else {
        throw error(.playlistKey, "IV has \(vector.count) bytes")
      }
      if vector.count != 16 { try complain(.playlistKey, "IV has \(vector.count) bytes") }
      let padding = [UInt8](repeating: 0, count: max(16 - vector.count, 0))
      key.initializationVector = padding + vector.suffix(16)
    }
    key.format = try string("KEYFORMAT", &list)
    key.formatVersions = try string("KEYFORMATVERSIONS", &list)
    key.unknownAttributes = list.unknown(in: text)
    key.line = SourceLine(lineNumber)
    return key
  }

  private mutating func readMap(_ value: Range<Int>) throws(MediaError) {
    var list = try attributes(value)
    guard let uri = try string("URI", &list) else { throw error(.playlistMap, "URI is missing") }
    var section = InitializationSection(uri: uri, keys: pending.context.keys)
    if let entry = list.take("BYTERANGE", in: text) {
      let (length, offset) = try byteRange(entry.value, .playlistMap)
      section.byteRange = try range(length, offset ?? 0, entry.value.lowerBound)
    }
    section.unknownAttributes = list.unknown(in: text)
    section.line = SourceLine(lineNumber)
    pending.context = SegmentContext(
      keys: pending.context.keys, section: section, bitrate: pending.context.bitrate,
      hasKeyTag: pending.context.hasKeyTag)
  }

  private func range(
    _ length: Int64, _ offset: Int64, _ position: Int?
  ) throws(MediaError) -> ByteRange {
    guard let range = ByteRange(offset: offset, length: length) else {
      throw error(.playlistByteRange, "\(length)@\(offset) is out of range", at: position)
    }
    return range
  }

  private mutating func readPart(_ value: Range<Int>) throws(MediaError) {
    partCount += 1
    guard partCount <= limits.maximumParts else {
      throw tooMuch("more than \(limits.maximumParts) partial segments")
    }
    var list = try attributes(value)
    let uri = try requiredString("URI", &list)
    guard let duration = try decimal("DURATION", &list) else {
      throw error(.playlistMissingAttribute, "DURATION is missing")
    }
    var part = PartialSegment(uri: uri, duration: duration)
    if let entry = list.take("BYTERANGE", in: text) {
      let (length, offset) = try byteRange(entry.value, .playlistByteRange)
      var start = offset
      if start == nil, let last = pending.lastPartRange, last.address == uri { start = last.end }
      if start == nil {
        try complain(
          .playlistByteRange, "no part of the same resource before", at: entry.value.lowerBound)
      }
      part.byteRange = try range(length, start ?? 0, entry.value.lowerBound)
    }
    pending.lastPartRange = part.byteRange.map { (uri, $0.end) }
    part.isIndependent = try flag("INDEPENDENT", &list)
    part.isGap = try flag("GAP", &list)
    part.unknownAttributes = list.unknown(in: text)
    part.line = SourceLine(lineNumber)
    pending.parts.append(part)
  }

  // MARK: Addresses

  /// The current line is the address of a segment.
  mutating func endSegment() throws(MediaError) {
    guard let duration = pending.duration else {
      throw error(.playlistSegmentDuration, "no EXTINF before this address")
    }
    guard media.segments.count + (media.skip?.segmentCount ?? 0) < limits.maximumSegments else {
      throw tooMuch("more than \(limits.maximumSegments) segments")
    }
    let address = try address()
    var segment = Segment(
      address: address, title: pending.title, duration: duration, context: pending.context)
    if let (length, offset) = pending.byteRange {
      var start = offset
      if start == nil { start = try chained(address) }
      segment.byteRange = try range(length, start ?? 0, nil)
    }
    pending.lastRange = segment.byteRange.map { (address, $0.end) }
    fill(&segment)
    segment.line = SourceLine(lineNumber)
    media.segments.append(segment)
    pending.startNext()
  }

  /// The current line as an address.
  mutating func address() throws(MediaError) -> TextSlice {
    let address = try substituted(line)
    let first = address.bytes.first ?? 32
    guard first > 32, first != UInt8(ascii: "#"), address.bytes.last ?? 32 > 32 else {
      throw error(.playlistVariable, "the address is empty, or begins as a tag")
    }
    return address
  }

  /// Without an offset, a range begins where the one of the segment before ends, which must be of the
  /// same resource; else the playlist is undefined. RFC 8216 §4.3.2.2.
  private func chained(_ address: TextSlice) throws(MediaError) -> Int64 {
    guard let last = pending.lastRange, last.address == address else {
      throw error(
        .playlistByteRange, "no offset, and the segment before is no part of this resource")
    }
    return last.end
  }

  private func fill(_ segment: inout Segment) {
    if pending.isDiscontinuity { segment.isDiscontinuity = true }
    if pending.isGap { segment.isGap = true }
    if pending.programDateTime != nil { segment.programDateTime = pending.programDateTime }
    segment.discontinuitySequence = pending.discontinuityCount
    if !pending.parts.isEmpty { segment.parts = pending.parts }
    if !pending.unknownTags.isEmpty { segment.unknownTags = pending.unknownTags }
  }

  mutating func finishMedia() throws(MediaError) {
    if pending.duration != nil || pending.byteRange != nil {
      try complain(.playlistSegmentDuration, "the playlist ends before the segment's address")
    }
    let isStarted =
      pending.isDiscontinuity || pending.isGap || pending.programDateTime != nil
      || !pending.parts.isEmpty
    let context = pending.context
    if !isStarted, media.segments.isEmpty, context.keys.isEmpty, context.section == nil,
      context.bitrate == nil
    {
      // Nothing is left of a segment that they could belong to.
      header.unknownTags += pending.unknownTags
    } else if isStarted || !pending.unknownTags.isEmpty {
      var segment = Segment(
        address: .empty, title: .empty, duration: .zero, context: pending.context)
      fill(&segment)
      segment.line = SourceLine(lineNumber)
      media.unfinishedSegment = segment
    }
    if media.targetDuration == nil { try complain(.playlistTargetDuration, "it is missing") }
    guard media.discontinuitySequence != 0 else { return }
    for index in media.segments.indices {
      media.segments[index].discontinuitySequence &+= media.discontinuitySequence
    }
    media.unfinishedSegment?.discontinuitySequence &+= media.discontinuitySequence
  }
}

extension Key.Method {
  init(_ name: String) {
    switch name {
    case "AES-128": self = .aes128
    case "SAMPLE-AES": self = .sampleAES
    case "SAMPLE-AES-CTR": self = .sampleAESCTR
    default: self = .other(name)
    }
  }
}
