// What a playlist must be beyond what reading needs. RFC 8216 and its second edition.

public import ReelCore

extension Playlist {
  /// Rules the playlist breaks that its text shows, in order of its parts; places are lines where they
  /// are known. What reading finds is in ``ParsedPlaylist/warnings``.
  public var issues: [MediaError] {
    var validation = PlaylistValidation()
    switch self {
    case .media(let media): validation.check(media)
    case .master(let master): validation.check(master)
    }
    return validation.issues
  }
}

/// Gathers issues.
struct PlaylistValidation {
  private(set) var issues: [MediaError] = []
  /// LIMIT: issues that are kept.
  private static let maximumIssues = 1_000

  mutating func add(_ rule: Rule, _ line: SourceLine = 0, _ detail: String = "") {
    guard issues.count < Self.maximumIssues else { return }
    issues.append(
      MediaError(
        .damaged, rule, at: line.number > 0 ? .line(line.number) : .unknown, detail: detail))
  }

  /// The lowest version that has what the playlist uses. RFC 8216 §7,
  /// draft-pantos-hls-rfc8216bis-14 §8.
  mutating func requireVersion(
    _ needed: Int, _ header: PlaylistHeader, _ what: String, _ line: SourceLine = 0
  ) {
    let version = header.version ?? 1
    guard version < needed else { return }
    add(.issueVersion, line, "\(what) needs version \(needed), told is \(version)")
  }

  mutating func check(_ header: PlaylistHeader) {
    if !header.definitions.isEmpty { requireVersion(8, header, "EXT-X-DEFINE") }
    let readsQuery = header.definitions.contains {
      if case .queryParameter = $0 { true } else { false }
    }
    if readsQuery { requireVersion(11, header, "EXT-X-DEFINE:QUERYPARAM") }
  }

  /// Rules of EXT-X-KEY and EXT-X-SESSION-KEY.
  mutating func check(_ key: Key, _ header: PlaylistHeader) {
    if key.initializationVector != nil { requireVersion(2, header, "IV", key.line) }
    if key.format != nil || key.formatVersions != nil {
      requireVersion(5, header, "KEYFORMAT", key.line)
    }
    let versions = (key.formatVersions ?? "1").split(
      separator: "/", omittingEmptySubsequences: false)
    if !versions.allSatisfy({ Int($0).map { $0 > 0 } ?? false }) {
      add(.issueKeyVersions, key.line, key.formatVersions ?? "")
    }
  }
}

extension Rule {
  static let issueVersion = hls(
    "issue.version", "EXT-X-VERSION must tell the version that is used", "7")
  static let issueTarget = hls(
    "issue.target", "EXTINF, rounded to whole seconds, must not exceed the target duration",
    "4.3.3.1")
  static let issueKeyVersions = hls(
    "issue.key-versions", "KEYFORMATVERSIONS must be whole numbers separated by slashes", "4.3.2.4")
  static let issueSectionVector = hls(
    "issue.map-iv", "EXT-X-MAP under AES-128 must have a key with an IV", "4.3.2.5")
  static let issueDateRangeDate = hls(
    "issue.daterange-date", "a playlist with EXT-X-DATERANGE must have EXT-X-PROGRAM-DATE-TIME",
    "4.3.2.7")
  static let issueDateRange = hls(
    "issue.daterange",
    "EXT-X-DATERANGE must have a start, an end behind it and a length that agrees",
    "4.3.2.7")
  static let issueEndOnNext = hls(
    "issue.end-on-next", "END-ON-NEXT must come with CLASS, without DURATION and END-DATE",
    "4.3.2.7"
  )
  static let issueDateRangeSame = hls(
    "issue.daterange-same", "EXT-X-DATERANGE tags of one ID must have the same values", "4.3.2.7.1")
  static let issueDateRangeCue = hlsbis(
    "issue.daterange-cue", "CUE must not have both PRE and POST", "4.4.5.1")
  static let issuePartTarget = hlsbis(
    "issue.part-target", "EXT-X-PART must come with EXT-X-PART-INF and not exceed its target",
    "4.4.4.9")
  static let issueHoldBack = hlsbis(
    "issue.hold-back", "HOLD-BACK must be at least three target durations", "4.4.3.8")
  static let issuePartHoldBack = hlsbis(
    "issue.part-hold-back",
    "PART-HOLD-BACK must be there with EXT-X-PART-INF and be at least two part targets", "4.4.3.8")
  static let issueSkipUntil = hlsbis(
    "issue.skip-until", "CAN-SKIP-UNTIL must be at least six target durations", "4.4.3.8")
  static let issueSkipDateRanges = hlsbis(
    "issue.skip-dateranges", "CAN-SKIP-DATERANGES must come with CAN-SKIP-UNTIL", "4.4.3.8")
  static let issueHints = hlsbis(
    "issue.hints", "EXT-X-PRELOAD-HINT must be PART or MAP, each once", "4.4.5.3")
  static let issueGroup = hls(
    "issue.group", "a variant must name groups that EXT-X-MEDIA tags of the type make up", "4.3.4.2"
  )
  static let issueGroupNames = hls(
    "issue.group-names", "names within a group must differ, and one at most is the default",
    "4.3.4.1.1")
  static let issueGroupMembers = hls(
    "issue.group-members", "groups of a type must have the same members in all variants",
    "4.3.4.2.1"
  )
  static let issueClosedCaptions = hls(
    "issue.closed-captions",
    "CLOSED-CAPTIONS must have an INSTREAM-ID of CC1 to CC4 or SERVICE1 to SERVICE63 and no URI",
    "4.3.4.1")
  static let issueRenditionAttributes = hls(
    "issue.rendition", "INSTREAM-ID and FORCED must stand only with the type that has them",
    "4.3.4.1")
  static let issueSubtitleAddress = hls(
    "issue.subtitles-uri", "SUBTITLES must have a URI", "4.3.4.1")
  static let issueNoCaptions = hls(
    "issue.no-captions", "CLOSED-CAPTIONS=NONE must stand in all variants or in none", "4.3.4.2")
  static let issueSessionData = hls(
    "issue.session-data",
    "EXT-X-SESSION-DATA must have either VALUE or URI, each ID and language once",
    "4.3.4.4")
  static let issueSessionKey = hls(
    "issue.session-key", "EXT-X-SESSION-KEY must not be there twice with the same values", "4.3.4.5"
  )
  static let issueStableID = hlsbis(
    "issue.stable-id", "a stable id must have letters, digits and + / = . - _ alone", "4.4.6.2")
  static let issuePathway = hlsbis(
    "issue.pathway", "PATHWAY-ID of EXT-X-CONTENT-STEERING must be that of a variant", "4.4.6.6")
  static let issueIFrameAttributes = hls(
    "issue.iframe", "EXT-X-I-FRAME-STREAM-INF must not name frame rate, sound or subtitles",
    "4.3.4.3"
  )
  static let issueRemoved = hls(
    "issue.removed", "what a version removed must not be in its playlists", "7")
}
