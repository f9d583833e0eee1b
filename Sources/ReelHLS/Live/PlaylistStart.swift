// Where a client begins to play. RFC 8216 §6.3.3, draft-pantos-hls-rfc8216bis-14 §4.4.3.8 and §6.3.3.

public import ReelCore

extension MediaPlaylist {
  /// Seconds from the end that a client stays behind: PART-HOLD-BACK when it plays parts, else HOLD-BACK,
  /// else three target durations.
  public func holdBack(usesParts: Bool) -> Rational {
    if usesParts, let own = serverControl?.partHoldBack?.rational { return own }
    if usesParts, let part = partTargetDuration?.rational { return Rational(3) * part }
    return serverControl?.holdBack?.rational ?? Rational(3 * effectiveTargetDuration)
  }

  /// Seconds of all segments, and of the parts behind them where those are counted.
  public func duration(withParts: Bool) -> Rational {
    guard withParts, let unfinishedSegment else { return duration }
    return unfinishedSegment.parts.reduce(duration) { $0 + $1.duration.rational }
  }

  /// Seconds from the begin of the playlist to where playback begins: what EXT-X-START says, else the
  /// live edge less what a client stays behind, else the begin. A playlist that goes on is not played
  /// closer to its end than that.
  public func startPosition(usesParts: Bool = false) -> Rational {
    let length = duration(withParts: usesParts)
    let edge = max(length - holdBack(usesParts: usesParts), .zero)
    guard let start = header.start else { return isEnded ? .zero : edge }
    let offset = start.timeOffset.rational
    let wanted = offset < .zero ? max(length + offset, .zero) : min(offset, length)
    return isEnded ? wanted : min(wanted, edge)
  }

  /// The segment that a position lies in; the one after the last for a position behind it.
  public func segmentIndex(at position: Rational) -> Int {
    var end = Rational.zero
    for (index, segment) in segments.enumerated() {
      end += segment.duration.rational
      if position < end { return index }
    }
    return segments.count
  }
}
