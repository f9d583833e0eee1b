// Delta updates. draft-pantos-hls-rfc8216bis-14 §6.2.5.1.

public import ReelCore

extension MediaPlaylist {
  /// The whole playlist that a delta update of this one stands for.
  ///
  /// Segments that the update leaves out are taken from here, and so are keys and initialization
  /// section for those after them that have no tags of their own. Date ranges are kept unless the
  /// update removes them.
  ///
  /// - Throws: `damaged` when a segment that is left out is not here: the client has to load the
  ///   playlist whole.
  public func applying(_ delta: MediaPlaylist) throws(MediaError) -> MediaPlaylist {
    guard let skip = delta.skip else { return delta }
    let distance = delta.mediaSequence.subtractingReportingOverflow(mediaSequence)
    guard self.skip == nil, !distance.overflow, distance.partialValue >= 0,
      distance.partialValue <= Int64(segments.count)
    else { throw missing("it begins with number \(delta.mediaSequence)") }
    let start = Int(distance.partialValue)
    guard start + skip.segmentCount <= segments.count else {
      throw missing("\(skip.segmentCount) are skipped, \(segments.count - start) are known")
    }
    var whole = delta
    whole.skip = nil
    let kept = segments[start..<start + skip.segmentCount]
    let inherited = kept.last?.context ?? .empty
    whole.segments = Array(kept) + delta.segments.map { $0.inheriting(inherited) }
    whole.unfinishedSegment = delta.unfinishedSegment?.inheriting(inherited)
    whole.countDiscontinuities()
    let removed = Set(skip.removedDateRanges)
    let renewed = Set(delta.dateRanges.map(\.id))
    whole.dateRanges =
      dateRanges.filter { !removed.contains($0.id) && !renewed.contains($0.id) }
      + delta.dateRanges
    return whole
  }

  private func missing(_ detail: String) -> MediaError {
    MediaError(
      .damaged, .reloadDelta,
      detail: "\(detail); known are \(mediaSequence)..<\(mediaSequence + Int64(segments.count))",
      advice: "load the playlist without a delta update")
  }

  private mutating func countDiscontinuities() {
    var sequence = discontinuitySequence
    for index in segments.indices {
      if segments[index].isDiscontinuity { sequence &+= 1 }
      segments[index].discontinuitySequence = sequence
    }
    guard let unfinished = unfinishedSegment else { return }
    unfinishedSegment?.discontinuitySequence = sequence &+ (unfinished.isDiscontinuity ? 1 : 0)
  }
}

extension Segment {
  /// This segment with what still applies from before.
  fileprivate func inheriting(_ earlier: SegmentContext) -> Segment {
    var segment = self
    let keys = context.hasKeyTag ? context.keys : earlier.keys
    segment.set(
      context: SegmentContext(
        keys: keys, section: context.section ?? earlier.section,
        bitrate: context.bitrate ?? earlier.bitrate, hasKeyTag: true))
    return segment
  }
}

extension Rule {
  public static let reloadDelta = hlsbis(
    "delta", "a delta update must leave out only segments that the client has", "6.2.5.1")
  public static let reloadChanged = hls(
    "changed", "a playlist must not change but by new segments at its end and old ones that go",
    "6.2.1")
  public static let reloadLost = hls(
    "lost", "a playlist must be loaded again before segments leave it", "6.3.4")
  public static let reloadStale = hls(
    "stale", "a live playlist must get new segments in time", "6.2.1")
}
