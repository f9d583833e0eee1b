// The segments of a presentation in order, each in one of its variants.

import ReelCore
import ReelHLS
import Synchronization

/// Segments of one or more playlists that tell of the same media, one after the other: which playlist each
/// segment is taken from, and how their clocks are laid onto one timeline. Shared by readers on any thread.
final class SegmentSequence: Sendable {
  /// One playlist for each variant; the first one's durations are the timeline.
  let stores: [SegmentStore]
  /// The store of each segment; nil where there is none.
  private let choice: [Int?]
  /// Anchors by the first segment of their group.
  private let anchors = Mutex<[Int: Rational]>([:])

  /// The segments of one playlist.
  convenience init(_ store: SegmentStore) {
    self.init([store], choice: [Int?](repeating: 0, count: store.timeline.count))
  }

  /// - Parameters:
  ///   - stores: at least one; all have as many segments.
  ///   - choice: for each segment an index into `stores`.
  init(_ stores: [SegmentStore], choice: [Int?]) {
    self.stores = stores
    self.choice = stores[0].timeline.indices.map { index in
      guard choice.indices.contains(index), let store = choice[index],
        stores.indices.contains(store), index < stores[store].timeline.count
      else { return nil }
      return store
    }
  }

  var timeline: SegmentTimeline { stores[0].timeline }
  var playlist: MediaPlaylist { stores[0].playlist }
  var count: Int { timeline.count }

  /// The place of a segment's initialization section: its store, and the section there (−1 for none).
  func section(ofSegment index: Int) -> SegmentedTrack.Section {
    let store = choice[index] ?? 0
    return SegmentedTrack.Section(store: store, section: stores[store].section(ofSegment: index))
  }

  /// Whether a segment is there to be loaded.
  func isLoadable(_ index: Int) -> Bool {
    guard let store = choice[index] else { return false }
    return stores[store].isLoadable(index)
  }

  /// Opens a segment. - Throws: as ``SegmentStore/open(_:)``; `damaged` when it is not there.
  func open(_ index: Int) throws(MediaError) -> OpenedSegment {
    guard let store = choice[index] else {
      throw MediaError(.damaged, .streamingEmpty, detail: "segment \(index)")
    }
    return try stores[store].open(index)
  }

  // MARK: Times

  /// Seconds to add to the media times of a segment.
  ///
  /// The anchor of a discontinuity group comes from its first segment that can be loaded, whichever is
  /// asked for first, so that it does not depend on what was read before. Renditions take that of the
  /// main playlist where it has the same group: their clock is the same. RFC 8216 §6.2.4.
  func offset(
    ofSegment index: Int, _ opened: OpenedSegment, main: SegmentSequence?
  ) throws(MediaError) -> Rational {
    let start = timeline.start(index)
    guard !opened.hasOwnClock else { return start - opened.mediaStart }
    let first = timeline.groupStart(index)
    let target = Rational(playlist.effectiveTargetDuration)
    var anchor = try main?.sharedAnchor(playlist.segments[index].discontinuitySequence)
    if anchor == nil { anchor = try self.anchor(ofGroupAt: first, before: index) }
    return TimestampAnchor.offset(
      mediaStart: opened.mediaStart, start: start, elapsed: start - timeline.start(first),
      target: target, anchor: anchor, wraps: opened.wraps)
  }

  private func sharedAnchor(_ sequence: Int64) throws(MediaError) -> Rational? {
    guard let first = timeline.groupStart(ofSequence: sequence) else { return nil }
    return try anchor(ofGroupAt: first, before: timeline.groupEnd(first))
  }

  /// The anchor of the group that begins at segment `first`, set by one of its segments before `end`; nil
  /// when none of them can set it.
  private func anchor(ofGroupAt first: Int, before end: Int) throws(MediaError) -> Rational? {
    if let known = anchors.withLock({ $0[first] }) { return known }
    guard let candidate = (first..<max(first, end)).first(where: isLoadable) else { return nil }
    let opened = try open(candidate)
    guard !opened.hasOwnClock else { return nil }
    let anchor = timeline.start(candidate) - opened.mediaStart
    anchors.withLock { $0[first] = anchor }
    return anchor
  }
}
