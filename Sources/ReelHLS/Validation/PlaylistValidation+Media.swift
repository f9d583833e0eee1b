// Rules of media playlists.

import ReelCore

extension PlaylistValidation {
  mutating func check(_ media: MediaPlaylist) {
    check(media.header)
    checkVersions(media)
    if let target = media.targetDuration {
      for segment in media.segments where segment.duration.rounded > Int64(target) {
        add(.issueTarget, segment.line, "\(segment.duration) s, target \(target) s")
      }
    }
    checkKeys(media)
    checkDateRanges(media)
    checkParts(media)
    if let control = media.serverControl { check(control, media) }
    var hints: Set<String> = []
    for hint in media.preloadHints
    where !["PART", "MAP"].contains(hint.type) || !hints.insert(hint.type).inserted {
      add(.issueHints, 0, hint.type)
    }
  }

  private mutating func checkVersions(_ media: MediaPlaylist) {
    let header = media.header
    if let segment = media.segments.first(where: { $0.duration.fractionDigits > 0 }) {
      requireVersion(3, header, "a decimal EXTINF", segment.line)
    }
    if let segment = media.segments.first(where: { $0.byteRange != nil }) {
      requireVersion(4, header, "EXT-X-BYTERANGE", segment.line)
    }
    if media.hasOnlyIFrames { requireVersion(4, header, "EXT-X-I-FRAMES-ONLY") }
    let section = media.segments.lazy.compactMap(\.initializationSection).first
    if let section {
      let needed = media.hasOnlyIFrames ? 5 : 6
      requireVersion(needed, header, "EXT-X-MAP", section.line)
    }
    if let segment = media.segments.first(where: \.isGap) {
      requireVersion(8, header, "EXT-X-GAP", segment.line)
    }
    if let skip = media.skip {
      requireVersion(skip.removedDateRanges.isEmpty ? 9 : 10, header, "EXT-X-SKIP")
    }
    if media.allowsCache != nil, header.version ?? 1 >= 7 {
      add(.issueRemoved, 0, "EXT-X-ALLOW-CACHE, removed in version 7")
    }
  }

  private mutating func checkKeys(_ media: MediaPlaylist) {
    var seen: [Key] = []
    var sections: [InitializationSection] = []
    for segment in media.segments {
      for key in segment.keys where seen.last != key && !seen.contains(key) {
        check(key, media.header)
        // LIMIT: the keys compared with, so that rotating ones do not take quadratic time.
        if seen.count < 64 { seen.append(key) }
      }
      guard let section = segment.initializationSection, section != sections.last else { continue }
      sections = [section]
      let whole = section.keys.filter { $0.method == .aes128 }
      if !whole.isEmpty, whole.contains(where: { $0.initializationVector == nil }) {
        add(.issueSectionVector, section.line)
      }
    }
  }

  private mutating func checkDateRanges(_ media: MediaPlaylist) {
    guard let first = media.dateRanges.first else { return }
    let hasDate = media.segments.contains { $0.programDateTime != nil }
    if !hasDate && media.unfinishedSegment?.programDateTime == nil && media.skip == nil {
      add(.issueDateRangeDate, first.line)
    }
    var byID: [String: DateRange] = [:]
    for range in media.dateRanges {
      check(range)
      if let earlier = byID[range.id], !earlier.agrees(with: range) {
        add(.issueDateRangeSame, range.line, range.id)
      }
      byID[range.id] = byID[range.id] ?? range
    }
  }

  private mutating func check(_ range: DateRange) {
    if range.start == nil { add(.issueDateRange, range.line, "START-DATE is missing") }
    if let start = range.start, let end = range.end, end.nanoseconds < start.nanoseconds {
      add(.issueDateRange, range.line, "END-DATE is before START-DATE")
    }
    if let start = range.start, let end = range.end, let duration = range.duration,
      start.advanced(by: duration)?.milliseconds != end.milliseconds
    {
      add(.issueDateRange, range.line, "START-DATE and DURATION do not give END-DATE")
    }
    if range.endsOnNext,
      range.classID == nil || range.duration != nil || range.end != nil
    {
      add(.issueEndOnNext, range.line)
    }
    let cues = Set((range.cue ?? "").split(separator: ","))
    if cues.contains("PRE") && cues.contains("POST") { add(.issueDateRangeCue, range.line) }
  }

  private mutating func checkParts(_ media: MediaPlaylist) {
    let parts = (media.segments + (media.unfinishedSegment.map { [$0] } ?? [])).flatMap(\.parts)
    for part in parts {
      guard let target = media.partTargetDuration else {
        return add(.issuePartTarget, part.line, "EXT-X-PART-INF is missing")
      }
      if part.duration.rational > target.rational {
        add(.issuePartTarget, part.line, "\(part.duration) s, target \(target) s")
      }
    }
    guard let target = media.partTargetDuration else { return }
    let holdBack = media.serverControl?.partHoldBack
    if holdBack.map({ $0.rational < target.rational * Rational(2) }) ?? true {
      add(.issuePartHoldBack, 0, holdBack.map { "\($0) s, part target \(target) s" } ?? "missing")
    }
  }

  private mutating func check(_ control: ServerControl, _ media: MediaPlaylist) {
    let target = Rational(media.effectiveTargetDuration)
    if let holdBack = control.holdBack, holdBack.rational < target * Rational(3) {
      add(.issueHoldBack, 0, "\(holdBack) s")
    }
    if let until = control.canSkipUntil, until.rational < target * Rational(6) {
      add(.issueSkipUntil, 0, "\(until) s")
    }
    if control.canSkipDateRanges && control.canSkipUntil == nil { add(.issueSkipDateRanges) }
  }
}

extension DateRange {
  /// Attributes that both tags have are the same.
  fileprivate func agrees(with other: DateRange) -> Bool {
    func same<T: Equatable>(_ a: T?, _ b: T?) -> Bool { a == nil || b == nil || a == b }
    return same(classID, other.classID) && same(start, other.start) && same(end, other.end)
      && same(duration, other.duration) && same(plannedDuration, other.plannedDuration)
      && same(cue, other.cue)
  }
}
