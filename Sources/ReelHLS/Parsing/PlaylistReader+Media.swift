// Tags of media playlists. RFC 8216 §4.3.3.

import ReelCore

extension PlaylistReader {
  mutating func readMediaTag(_ tag: PlaylistTag, _ value: Range<Int>) throws(MediaError) {
    switch tag {
    case .targetDuration: try readTargetDuration(value)
    case .mediaSequence:
      if !media.segments.isEmpty { try complain(.playlistMediaSequence, "behind a segment") }
      if media.mediaSequence != 0 || pending.hasMediaSequence {
        try complain(.playlistMediaSequence, "a second one")
      }
      media.mediaSequence = try sequence(value, .playlistMediaSequence)
      pending.hasMediaSequence = true
    case .discontinuitySequence:
      if !media.segments.isEmpty || pending.isDiscontinuity {
        try complain(.playlistDiscontinuitySequence, "behind a segment or discontinuity")
      }
      media.discontinuitySequence = try sequence(value, .playlistDiscontinuitySequence)
    case .endList: media.isEnded = true
    case .playlistType:
      media.kind = MediaPlaylist.Kind(rawValue: String(decoding: text[value], as: UTF8.self))
      if media.kind == nil { try complain(.playlistType, "another word", at: value.lowerBound) }
    case .iFramesOnly: media.hasOnlyIFrames = true
    case .allowCache:
      switch String(decoding: text[value], as: UTF8.self) {
      case "YES": media.allowsCache = true
      case "NO": media.allowsCache = false
      default: try complain(.playlistAttributeValue, "neither YES nor NO", at: value.lowerBound)
      }
    case .partInformation:
      var list = try attributes(value)
      guard let target = try decimal("PART-TARGET", &list) else {
        throw error(.playlistMissingAttribute, "PART-TARGET is missing")
      }
      media.partTargetDuration = target
    case .serverControl: try readServerControl(value)
    case .skip: try readSkip(value)
    case .dateRange: try readDateRange(value)
    case .preloadHint: try readPreloadHint(value)
    case .renditionReport: try readRenditionReport(value)
    default: break
    }
  }

  private mutating func readTargetDuration(_ value: Range<Int>) throws(MediaError) {
    guard let number = DecimalNumber(text[value]), number.unscaled / Int64(number.scale) < 1 << 31
    else {
      throw error(.playlistTargetDuration, "it is no whole number", at: value.lowerBound)
    }
    let scale = Int64(number.scale)
    if number.unscaled % scale != 0 {
      try complain(.playlistTargetDuration, "it is no whole number", at: value.lowerBound)
    }
    if media.targetDuration != nil { try complain(.playlistTargetDuration, "a second one") }
    media.targetDuration = Int((number.unscaled + scale - 1) / scale)
  }

  private func sequence(_ value: Range<Int>, _ rule: Rule) throws(MediaError) -> Int64 {
    guard let number = Self.integer(text[value]) else {
      throw error(rule, "it is no whole number", at: value.lowerBound)
    }
    return number
  }

  private mutating func readServerControl(_ value: Range<Int>) throws(MediaError) {
    var list = try attributes(value)
    var control = ServerControl()
    control.canSkipUntil = try decimal("CAN-SKIP-UNTIL", &list)
    control.canSkipDateRanges = try flag("CAN-SKIP-DATERANGES", &list)
    control.holdBack = try decimal("HOLD-BACK", &list)
    control.partHoldBack = try decimal("PART-HOLD-BACK", &list)
    control.canBlockReload = try flag("CAN-BLOCK-RELOAD", &list)
    control.unknownAttributes = list.unknown(in: text)
    media.serverControl = control
  }

  private mutating func readSkip(_ value: Range<Int>) throws(MediaError) {
    var list = try attributes(value)
    guard let count = try integer("SKIPPED-SEGMENTS", &list), count >= 1 else {
      throw error(.playlistSkip, "SKIPPED-SEGMENTS is missing or 0")
    }
    guard count <= limits.maximumSegments else {
      throw tooMuch("\(count) skipped segments, at most \(limits.maximumSegments)")
    }
    guard media.skip == nil, media.segments.isEmpty else {
      throw error(.playlistSkip, "a second one, or behind a segment")
    }
    let removed = try string("RECENTLY-REMOVED-DATERANGES", &list) ?? ""
    media.skip = Skip(
      segmentCount: Int(count),
      removedDateRanges: removed.split(separator: "\t").map(String.init))
  }

  private mutating func readDateRange(_ value: Range<Int>) throws(MediaError) {
    guard media.dateRanges.count < limits.maximumDateRanges else {
      throw tooMuch("more than \(limits.maximumDateRanges) date ranges")
    }
    var list = try attributes(value)
    var range = DateRange(id: try requiredString("ID", &list))
    range.classID = try string("CLASS", &list)
    range.start = try date("START-DATE", &list)
    range.cue = try string("CUE", &list)
    range.end = try date("END-DATE", &list)
    range.duration = try decimal("DURATION", &list)
    range.plannedDuration = try decimal("PLANNED-DURATION", &list)
    range.scte35Command = try hexadecimal("SCTE35-CMD", &list)
    range.scte35Out = try hexadecimal("SCTE35-OUT", &list)
    range.scte35In = try hexadecimal("SCTE35-IN", &list)
    range.endsOnNext = try flag("END-ON-NEXT", &list)
    range.otherAttributes = list.unknown(in: text)
    range.line = SourceLine(lineNumber)
    media.dateRanges.append(range)
  }

  private mutating func date(
    _ name: StaticString, _ list: inout AttributeList
  ) throws(MediaError) -> DateTime? {
    guard let words = try string(name, &list) else { return nil }
    guard let date = DateTime(words) else {
      throw error(.playlistDate, "\(name) is no date")
    }
    return date
  }

  private mutating func readPreloadHint(_ value: Range<Int>) throws(MediaError) {
    guard media.preloadHints.count < limits.maximumOtherTags else {
      throw tooMuch("more than \(limits.maximumOtherTags) preload hints")
    }
    var list = try attributes(value)
    guard let type = try word("TYPE", &list) else {
      throw error(.playlistMissingAttribute, "TYPE is missing")
    }
    var hint = PreloadHint(type: type, uri: try requiredString("URI", &list))
    hint.byteRangeStart = try integer("BYTERANGE-START", &list)
    hint.byteRangeLength = try integer("BYTERANGE-LENGTH", &list)
    hint.unknownAttributes = list.unknown(in: text)
    media.preloadHints.append(hint)
  }

  private mutating func readRenditionReport(_ value: Range<Int>) throws(MediaError) {
    guard media.renditionReports.count < limits.maximumOtherTags else {
      throw tooMuch("more than \(limits.maximumOtherTags) rendition reports")
    }
    var list = try attributes(value)
    var report = RenditionReport(uri: try requiredString("URI", &list))
    report.lastMediaSequenceNumber = try integer("LAST-MSN", &list)
    report.lastPart = try integer("LAST-PART", &list)
    report.unknownAttributes = list.unknown(in: text)
    media.renditionReports.append(report)
  }
}
