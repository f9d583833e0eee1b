// Writing media playlists. RFC 8216 §4.3.2 and §4.3.3.

import ReelCore

extension PlaylistWriter {
  mutating func write(_ media: MediaPlaylist) throws(MediaError) {
    try header(media.header)
    try mediaTags(media)
    var context = SegmentContext.empty
    for segment in media.segments {
      try transition(&context, to: segment.context)
      try write(segment)
      try address(segment.uri)
    }
    if let segment = media.unfinishedSegment {
      try transition(&context, to: segment.context)
      try write(segment)
    }
    try trailingTags(media)
  }

  private mutating func mediaTags(_ media: MediaPlaylist) throws(MediaError) {
    if let duration = media.targetDuration { tag(.targetDuration, duration) }
    if media.mediaSequence != 0 { tag(.mediaSequence, media.mediaSequence) }
    if media.discontinuitySequence != 0 {
      tag(.discontinuitySequence, media.discontinuitySequence)
    }
    if let kind = media.kind { tag(.playlistType, kind.rawValue) }
    if media.hasOnlyIFrames { tag(.iFramesOnly) }
    if let allows = media.allowsCache { tag(.allowCache, allows ? "YES" : "NO") }
    if let target = media.partTargetDuration {
      var list = AttributeWriter()
      list.plain("PART-TARGET", target)
      tag(.partInformation, list)
    }
    if let control = media.serverControl { try write(control) }
    if let skip = media.skip {
      var list = AttributeWriter()
      list.plain("SKIPPED-SEGMENTS", skip.segmentCount)
      if !skip.removedDateRanges.isEmpty {
        try list.quoted(
          "RECENTLY-REMOVED-DATERANGES", skip.removedDateRanges.joined(separator: "\t"))
      }
      tag(.skip, list)
    }
    for range in media.dateRanges { try write(range) }
  }

  private mutating func write(_ control: ServerControl) throws(MediaError) {
    var list = AttributeWriter()
    list.flag("CAN-BLOCK-RELOAD", control.canBlockReload)
    list.plain("CAN-SKIP-UNTIL", control.canSkipUntil)
    list.flag("CAN-SKIP-DATERANGES", control.canSkipDateRanges)
    list.plain("HOLD-BACK", control.holdBack)
    list.plain("PART-HOLD-BACK", control.partHoldBack)
    try list.unknown(control.unknownAttributes)
    tag(.serverControl, list)
  }

  private mutating func write(_ range: DateRange) throws(MediaError) {
    var list = AttributeWriter()
    try list.quoted("ID", range.id)
    try list.quoted("CLASS", range.classID)
    try list.quoted("START-DATE", range.start?.description)
    try list.quoted("CUE", range.cue)
    try list.quoted("END-DATE", range.end?.description)
    list.plain("DURATION", range.duration)
    list.plain("PLANNED-DURATION", range.plannedDuration)
    list.hexadecimal("SCTE35-CMD", range.scte35Command)
    list.hexadecimal("SCTE35-OUT", range.scte35Out)
    list.hexadecimal("SCTE35-IN", range.scte35In)
    list.flag("END-ON-NEXT", range.endsOnNext)
    try list.unknown(range.otherAttributes)
    tag(.dateRange, list)
  }

  /// The tags of a segment but for its keys and section, and not its address.
  private mutating func write(_ segment: Segment) throws(MediaError) {
    if segment.isDiscontinuity { tag(.discontinuity) }
    if segment.isGap { tag(.gap) }
    if let date = segment.programDateTime { tag(.programDateTime, date) }
    for part in segment.parts { try write(part) }
    if segment.hasAddress {
      guard isPlain(segment.title), !hasBlankEdge(segment.title) else {
        throw Self.unwritable("title", segment.title)
      }
      tag(.duration, "\(segment.duration),\(segment.title)")
    }
    if let range = segment.byteRange { tag(.byteRange, range) }
    try unknown(segment.unknownTags)
  }

  private mutating func write(_ part: PartialSegment) throws(MediaError) {
    var list = AttributeWriter()
    list.plain("DURATION", part.duration)
    try list.quoted("URI", part.uri)
    try list.quoted("BYTERANGE", part.byteRange?.description)
    list.flag("INDEPENDENT", part.isIndependent)
    list.flag("GAP", part.isGap)
    try list.unknown(part.unknownAttributes)
    tag(.part, list)
  }

  // MARK: What segments share

  /// Writes what turns one state of keys, section and bit rate into the next.
  private mutating func transition(
    _ state: inout SegmentContext, to next: SegmentContext
  ) throws(MediaError) {
    if state === next { return }
    var keys = state.keys
    if let section = next.section, section != state.section {
      try transition(&keys, to: section.keys)
      try write(section)
    } else if next.section == nil, state.section != nil {
      throw Self.unwritable("segment", "without EXT-X-MAP behind one with it")
    }
    try transition(&keys, to: next.keys)
    if let bitrate = next.bitrate, bitrate != state.bitrate {
      tag(.bitrate, bitrate)
    } else if next.bitrate == nil, state.bitrate != nil {
      throw Self.unwritable("segment", "without EXT-X-BITRATE behind one with it")
    }
    state = next
  }

  /// A key replaces only the one of its format: what does not follow by that begins from nothing.
  private mutating func transition(_ keys: inout [Key], to next: [Key]) throws(MediaError) {
    if keys == next { return }
    let isExtension =
      keys.count <= next.count
      && zip(keys, next).allSatisfy { ($0.format ?? "identity") == ($1.format ?? "identity") }
    if !isExtension {
      tag(.key, "METHOD=NONE")
      keys = []
    }
    for (index, key) in next.enumerated() where index >= keys.count || keys[index] != key {
      try self.key(key, as: .key)
    }
    keys = next
  }

  private mutating func write(_ section: InitializationSection) throws(MediaError) {
    var list = AttributeWriter()
    try list.quoted("URI", section.uri)
    try list.quoted("BYTERANGE", section.byteRange?.description)
    try list.unknown(section.unknownAttributes)
    tag(.map, list)
  }

  private mutating func trailingTags(_ media: MediaPlaylist) throws(MediaError) {
    for hint in media.preloadHints {
      var list = AttributeWriter()
      try list.word("TYPE", hint.type)
      try list.quoted("URI", hint.uri)
      list.plain("BYTERANGE-START", hint.byteRangeStart)
      list.plain("BYTERANGE-LENGTH", hint.byteRangeLength)
      try list.unknown(hint.unknownAttributes)
      tag(.preloadHint, list)
    }
    for report in media.renditionReports {
      var list = AttributeWriter()
      try list.quoted("URI", report.uri)
      list.plain("LAST-MSN", report.lastMediaSequenceNumber)
      list.plain("LAST-PART", report.lastPart)
      try list.unknown(report.unknownAttributes)
      tag(.renditionReport, list)
    }
    if media.isEnded { tag(.endList) }
  }
}
