// When to load a playlist again, and what came of it. RFC 8216 §6.3.4.

public import ReelCore

/// What the client asks of the server in a reload. draft-pantos-hls-rfc8216bis-14 §6.2.5.
public struct ReloadRequest: Sendable, Hashable {
  /// Answer only when the playlist has the segment of this number (`_HLS_msn`).
  public var mediaSequenceNumber: Int64?
  /// … or this part of it (`_HLS_part`).
  public var part: Int?
  /// Leave out what the client has (`_HLS_skip`).
  public var skips: Skipping = .nothing

  public enum Skipping: String, Sendable, Hashable {
    case nothing = ""
    case segments = "YES"
    /// Date ranges too.
    case segmentsAndDateRanges = "v2"
  }

  public init() {}

  /// The address with the request in its query, parameters in order of their names.
  public func address(of playlist: String) -> String {
    var reference = URIReference(playlist)
    var pairs = (reference.query ?? "").split(separator: "&").map(String.init)
    pairs.removeAll { $0.hasPrefix("_HLS_") }
    if let number = mediaSequenceNumber { pairs.append("_HLS_msn=\(number)") }
    if let part { pairs.append("_HLS_part=\(part)") }
    if skips != .nothing { pairs.append("_HLS_skip=\(skips.rawValue)") }
    reference.query = pairs.isEmpty ? nil : pairs.joined(separator: "&")
    return reference.description
  }
}

/// Decides when a media playlist is loaded again and what is new in it: a value without a clock, tasks
/// or network. Events in, actions out; times are microseconds of the caller's clock.
public struct PlaylistReloader: Sendable {
  public enum Event: Sendable {
    /// The answer to the last request. `requested` is when it was asked for.
    case loaded(MediaPlaylist, requested: Int64, now: Int64)
    /// The last request failed.
    case failed(MediaError, now: Int64)
  }

  public enum Action: Sendable, Hashable {
    /// Load the playlist at this time, or at once when it is past.
    case load(at: Int64, ReloadRequest)
    /// Segments that are new, and the media sequence number of the first one.
    case append([Segment], number: Int64)
    /// Segments before this number are no longer in the playlist.
    case removed(before: Int64)
    /// The server began anew, or segments went by that were never seen: play on from these.
    case restart([Segment], number: Int64, reason: MediaError)
    /// Nothing will be appended.
    case end
    /// It makes no sense to go on.
    case fail(MediaError)
  }

  /// What is known of the playlist, whole.
  public private(set) var playlist: MediaPlaylist?
  /// Loads in a row that brought nothing new.
  public private(set) var unchangedCount = 0
  public private(set) var isDone = false
  private var failureCount = 0
  private var lastChange: Int64?
  /// A delta update could not be applied: the next request is for all.
  private var needsWhole = false

  /// Failed loads in a row after which it gives up.
  public var maximumFailures = 6
  /// Target durations without a new segment after which a playlist is dead.
  public var maximumStaleDurations: Int64 = 12

  public init() {}

  /// The first request.
  public var firstRequest: ReloadRequest { ReloadRequest() }

  /// Takes an event; the actions are to be done in order.
  public mutating func handle(_ event: Event) -> [Action] {
    guard !isDone else { return [] }
    switch event {
    case .loaded(let loaded, let requested, let now):
      failureCount = 0
      return take(loaded, requested: requested, now: now)
    case .failed(let error, let now):
      failureCount += 1
      guard failureCount < maximumFailures else { return [fail(error)] }
      // 1, 2, 4 … seconds, at most the target duration.
      let longest = max(target, 1_000_000)
      let delay = min(1_000_000 << Int64(min(failureCount - 1, 10)), longest)
      needsWhole = true
      return [.load(at: now + delay, request(blocks: false))]
    }
  }

  /// Microseconds of the target duration.
  private var target: Int64 {
    Int64(clamping: max(playlist?.effectiveTargetDuration ?? 1, 1)).multipliedReportingOverflow(
      by: 1_000_000
    ).partialValue
  }

  private mutating func take(
    _ loaded: MediaPlaylist, requested: Int64, now: Int64
  ) -> [Action] {
    var actions: [Action] = []
    guard let known = playlist else {
      guard loaded.skip == nil else { return wholeAgain(now) }
      playlist = loaded
      lastChange = now
      if !loaded.segments.isEmpty {
        actions.append(.append(loaded.segments, number: loaded.mediaSequence))
      }
      return actions + next(requested: requested, now: now, hasChanged: true)
    }
    let whole: MediaPlaylist
    do {
      whole = try known.applying(loaded)
    } catch {
      return wholeAgain(now)
    }
    needsWhole = false
    let difference = PlaylistDifference(from: known, to: whole)
    switch difference {
    case .older, .same:
      // A cache may answer with an older version.
      if case .same = difference { playlist = whole }
      return next(requested: requested, now: now, hasChanged: false)
    case .grown(let removedCount, let firstNew):
      playlist = whole
      if removedCount > 0 { actions.append(.removed(before: whole.mediaSequence)) }
      if firstNew < whole.segments.count {
        let number = whole.mediaSequenceNumber(ofSegmentAt: firstNew)
        actions.append(.append(Array(whole.segments[firstNew...]), number: number))
      }
      lastChange = now
      return actions + next(requested: requested, now: now, hasChanged: true)
    case .other(let reason):
      playlist = whole
      lastChange = now
      actions.append(
        .restart(whole.segments, number: whole.mediaSequence, reason: reason))
      return actions + next(requested: requested, now: now, hasChanged: true)
    }
  }

  private mutating func wholeAgain(_ now: Int64) -> [Action] {
    needsWhole = true
    failureCount += 1
    guard failureCount < maximumFailures else {
      return [fail(MediaError(.damaged, .reloadDelta))]
    }
    return [.load(at: now, request(blocks: false))]
  }

  private mutating func fail(_ error: MediaError) -> Action {
    isDone = true
    return .fail(error)
  }

  /// What to do after a load.
  private mutating func next(requested: Int64, now: Int64, hasChanged: Bool) -> [Action] {
    unchangedCount = hasChanged ? 0 : unchangedCount + 1
    guard let playlist, !playlist.isEnded, playlist.kind != .vod else {
      isDone = true
      return [.end]
    }
    let quiet = now - (lastChange ?? now)
    guard quiet < target.multipliedReportingOverflow(by: maximumStaleDurations).partialValue else {
      return [
        fail(
          MediaError(
            .io, .reloadStale,
            detail: "nothing new for \(quiet / 1_000_000) s, target \(target / 1_000_000) s"))
      ]
    }
    if playlist.serverControl?.canBlockReload == true, hasChanged {
      return [.load(at: now, request(blocks: true))]
    }
    // From the begin of the last load: the target duration, half of it when nothing was new.
    let delay = hasChanged ? target : target / 2
    return [.load(at: max(requested + delay, now), request(blocks: false))]
  }

  private func request(blocks: Bool) -> ReloadRequest {
    var request = ReloadRequest()
    guard let playlist else { return request }
    let control = playlist.serverControl
    if blocks {
      request.mediaSequenceNumber = playlist.mediaSequence + Int64(playlist.segments.count)
      if playlist.partTargetDuration != nil {
        request.part = playlist.unfinishedSegment?.parts.count ?? 0
      }
    }
    if control?.canSkipUntil != nil, !needsWhole {
      request.skips = control?.canSkipDateRanges == true ? .segmentsAndDateRanges : .segments
    }
    return request
  }
}

/// How a playlist differs from the version before.
public enum PlaylistDifference: Sendable {
  case same
  /// A version that ends before what is known.
  case older
  /// Segments went at the begin, others came behind `firstNew - 1`.
  case grown(removedCount: Int, firstNew: Int)
  /// It does not follow from the one before.
  case other(MediaError)

  /// Compares two versions, both whole.
  public init(from known: MediaPlaylist, to new: MediaPlaylist) {
    let knownEnd = known.mediaSequence &+ Int64(known.segments.count)
    let newEnd = new.mediaSequence &+ Int64(new.segments.count)
    if new.mediaSequence < known.mediaSequence {
      // Either an older version or a server that counts anew.
      let overlaps = Self.agree(known, new)
      self =
        newEnd > known.mediaSequence && overlaps && newEnd <= knownEnd
        ? .older : .other(Self.changed("numbers went back to \(new.mediaSequence)"))
      return
    }
    if new.mediaSequence > knownEnd {
      self = .other(
        MediaError(
          .damaged, .reloadLost,
          detail: "segments \(knownEnd)..<\(new.mediaSequence) were never there"))
      return
    }
    guard Self.agree(known, new) else {
      self = .other(Self.changed("a segment has another address than before"))
      return
    }
    if newEnd < knownEnd {
      self = .older
      return
    }
    let isEvent = known.kind == .event && new.mediaSequence != known.mediaSequence
    if isEvent {
      self = .other(Self.changed("segments of an EVENT playlist were removed"))
      return
    }
    let hasMoreParts =
      new.unfinishedSegment?.parts.count != known.unfinishedSegment?.parts.count
    let removed = Int(new.mediaSequence - known.mediaSequence)
    if newEnd == knownEnd, removed == 0, !hasMoreParts, new.isEnded == known.isEnded {
      self = .same
    } else {
      self = .grown(removedCount: removed, firstNew: Int(knownEnd - new.mediaSequence))
    }
  }

  /// Segments that both have are the same resources.
  private static func agree(_ known: MediaPlaylist, _ new: MediaPlaylist) -> Bool {
    let first = max(known.mediaSequence, new.mediaSequence)
    let end = min(
      known.mediaSequence &+ Int64(known.segments.count),
      new.mediaSequence &+ Int64(new.segments.count))
    var number = first
    while number < end {
      let a = known.segments[Int(number - known.mediaSequence)]
      let b = new.segments[Int(number - new.mediaSequence)]
      if a.uri != b.uri || a.byteRange != b.byteRange { return false }
      number += 1
    }
    return true
  }

  private static func changed(_ detail: String) -> MediaError {
    MediaError(.damaged, .reloadChanged, detail: detail)
  }
}
