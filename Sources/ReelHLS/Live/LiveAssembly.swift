// A live playlist put together from its versions.

public import ReelCore

/// Everything that the versions of a live playlist told of from where playback begins: a playlist that is
/// whole, and when each of its segments became known.
///
/// While a segment is not complete, its parts are segments of their own, so that they can be played before
/// the segment is; they stay in its place when they turn out to be all of it.
public struct LiveAssembly: Sendable {
  /// What is loaded as one: a segment, or a part of one.
  public struct Unit: Sendable, Hashable {
    /// Media sequence number of the segment.
    public let number: Int64
    /// The part it is; nil for the whole segment.
    public let part: Int?
    public let segment: Segment
    /// When the playlist told of it, in the caller's clock.
    public let availability: Int64
  }

  public private(set) var units: [Unit] = []
  /// The last version ended the playlist.
  public private(set) var isEnded = false
  /// The last version.
  public private(set) var latest: MediaPlaylist?
  /// Number of the segment that comes next; nil before the first version.
  public private(set) var next: Int64?
  private let usesParts: Bool
  /// Added to discontinuity sequence numbers, so that they ascend over a server that began anew.
  private var sequenceShift: Int64 = 0
  /// LIMIT: a day of parts of a third of a second.
  public static let maximumUnits = 300_000

  public init(usesParts: Bool) { self.usesParts = usesParts }

  /// Takes a version of the playlist, whole.
  ///
  /// - Parameters:
  ///   - isNew: It does not follow from the versions before.
  ///   - prepare: Changes a segment when it is taken, such as its addresses.
  /// - Throws: `limitExceeded` beyond ``maximumUnits``.
  public mutating func take(
    _ playlist: MediaPlaylist, at time: Int64, isNew: Bool = false,
    prepare: (Segment) throws(MediaError) -> Segment
  ) throws(MediaError) {
    let first: Int64
    if let next, !isNew {
      first = next
    } else if isNew, next != nil {
      first = playlist.mediaSequence
      let known = (units.last?.segment.discontinuitySequence ?? 0) &+ 1
      sequenceShift = known &- playlist.discontinuitySequence
    } else {
      let start = playlist.startPosition(usesParts: usesParts)
      let index = min(playlist.segmentIndex(at: start), max(playlist.segments.count - 1, 0))
      first = playlist.mediaSequence &+ Int64(index)
    }
    next = first
    var begins = isNew && !units.isEmpty
    for (index, segment) in playlist.segments.enumerated() {
      let number = playlist.mediaSequenceNumber(ofSegmentAt: index)
      guard number >= first else { continue }
      try close(segment, number, time, &begins, prepare)
      next = number &+ 1
    }
    if usesParts, let open = playlist.unfinishedSegment, let next {
      try append(open, next, time, &begins, prepare)
    }
    (isEnded, latest) = (playlist.isEnded, playlist)
  }

  /// Forgets what lies before a segment at the begin. Numbers that began anew are no matter.
  public mutating func drop(before number: Int64) {
    units.removeFirst(units.prefix { $0.number < number }.count)
  }

  /// Seconds of all units.
  public var duration: Rational {
    units.reduce(Rational.zero) { $0 + $1.segment.duration.rational }
  }

  /// The playlist of all units, ended.
  public var playlist: MediaPlaylist {
    var whole = MediaPlaylist()
    whole.header.version = latest?.header.version
    whole.header.hasIndependentSegments = latest?.header.hasIndependentSegments ?? false
    whole.targetDuration = latest?.targetDuration
    whole.mediaSequence = units.first?.number ?? 0
    whole.discontinuitySequence = units.first?.segment.discontinuitySequence ?? 0
    (whole.isEnded, whole.kind) = (true, .vod)
    whole.segments = units.map(\.segment)
    return whole
  }

  /// A segment that is complete now.
  private mutating func close(
    _ segment: Segment, _ number: Int64, _ time: Int64, _ begins: inout Bool,
    _ prepare: (Segment) throws(MediaError) -> Segment
  ) throws(MediaError) {
    let seen = seenParts(number)
    if seen > 0 {
      if segment.parts.count >= seen {
        return try append(segment, number, time, &begins, prepare)
      }
      let told = units.suffix(seen).reduce(Rational.zero) { $0 + $1.segment.duration.rational }
      // Its parts are not listed any more: what was seen is all of it, or it is taken whole.
      let missing = segment.duration.rational - told
      if missing <= Rational(1, 1000) { return }
      units.removeLast(seen)
    }
    var own = segment
    own.parts = []
    try add(own, number, nil, time, &begins, prepare)
  }

  private func seenParts(_ number: Int64) -> Int {
    units.reversed().prefix { $0.number == number && $0.part != nil }.count
  }

  /// Appends the parts of a segment that have not been seen.
  private mutating func append(
    _ segment: Segment, _ number: Int64, _ time: Int64, _ begins: inout Bool,
    _ prepare: (Segment) throws(MediaError) -> Segment
  ) throws(MediaError) {
    let seen = seenParts(number)
    for (index, part) in segment.parts.enumerated().dropFirst(seen) {
      var own = segment
      (own.uri, own.duration, own.byteRange) = (part.uri, part.duration, part.byteRange)
      own.isGap = segment.isGap || part.isGap
      own.isDiscontinuity = segment.isDiscontinuity && index == 0
      (own.parts, own.unknownTags) = ([], [])
      try add(own, number, index, time, &begins, prepare)
    }
  }

  private mutating func add(
    _ segment: Segment, _ number: Int64, _ part: Int?, _ time: Int64, _ begins: inout Bool,
    _ prepare: (Segment) throws(MediaError) -> Segment
  ) throws(MediaError) {
    guard units.count < Self.maximumUnits else {
      throw MediaError(.limitExceeded, .reloadLength, detail: "\(units.count) segments")
    }
    var own = try prepare(segment)
    // Their numbers are others in the playlist of all units.
    own.keys = own.keys.map { key in
      guard key.method == .aes128 else { return key }
      var numbered = key
      numbered.initializationVector = key.initializationVector(mediaSequenceNumber: number)
      return numbered
    }
    own.discontinuitySequence = own.discontinuitySequence &+ sequenceShift
    if begins { own.isDiscontinuity = true }
    begins = false
    units.append(Unit(number: number, part: part, segment: own, availability: time))
  }
}

extension Rule {
  public static let reloadLength = hls(
    "length", "a live playlist is followed over less than a day of parts", "6.3.4")
}
