// Where the segments of a playlist lie in time, before any is loaded.

import ReelCore
import ReelHLS

/// The times of a playlist's segments as their durations tell them, and their discontinuity groups.
///
/// Exact: whole nanoseconds, which a decimal of nine digits is.
struct SegmentTimeline: Sendable {
  /// Begin of each segment and the end of the last one, nanoseconds.
  private let starts: [Int64]
  /// First segment of each group of one discontinuity sequence number, ascending.
  private let groupStarts: [Int]
  /// Their discontinuity sequence numbers.
  private let groupSequences: [Int64]

  /// LIMIT: 200 years.
  private static let maximumLength: Int64 = 200 * 366 * 86_400 * 1_000_000_000

  init(_ segments: [Segment]) throws(MediaError) {
    var starts: [Int64] = [0]
    starts.reserveCapacity(segments.count + 1)
    var (groups, sequences): ([Int], [Int64]) = ([], [])
    var (time, sequence) = (Int64(0), Int64(0))
    for (index, segment) in segments.enumerated() {
      if index == 0 || segment.discontinuitySequence != sequence {
        groups.append(index)
        sequences.append(segment.discontinuitySequence)
      }
      sequence = segment.discontinuitySequence
      let length =
        Int128(segment.duration.unscaled) * 1_000_000_000 / Int128(segment.duration.scale)
      let end = Int128(time) + max(length, 0)
      guard end <= Int128(Self.maximumLength) else {
        throw MediaError(.limitExceeded, .streamingLength, at: .line(segment.line.number))
      }
      time = Int64(end)
      starts.append(time)
    }
    (self.starts, groupStarts, groupSequences) = (starts, groups, sequences)
  }

  var count: Int { starts.count - 1 }
  var indices: Range<Int> { 0..<count }
  /// Seconds of all segments.
  var duration: Rational { Rational(starts[count], 1_000_000_000) }

  /// Seconds from the begin of the playlist to that of segment `index`, 0…`count`.
  func start(_ index: Int) -> Rational { Rational(starts[index], 1_000_000_000) }

  /// Seconds of segment `index`.
  func length(_ index: Int) -> Rational {
    Rational(starts[index + 1] - starts[index], 1_000_000_000)
  }

  /// First segment of the group that segment `index` is in.
  func groupStart(_ index: Int) -> Int {
    var (low, high) = (0, groupStarts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if groupStarts[middle] <= index { low = middle } else { high = middle }
    }
    return groupStarts.isEmpty ? 0 : groupStarts[low]
  }

  /// First segment of the first group with a discontinuity sequence number.
  func groupStart(ofSequence sequence: Int64) -> Int? {
    groupSequences.firstIndex(of: sequence).map { groupStarts[$0] }
  }

  /// The segment behind the last one of the group that begins at `first`.
  func groupEnd(_ first: Int) -> Int { groupStarts.first { $0 > first } ?? count }

  /// The last segment that begins at or before `time`; 0 before the first one.
  func segment(at time: Rational) -> Int {
    var (low, high) = (0, max(count, 1))
    while high - low > 1 {
      let middle = (low + high) / 2
      if start(middle) <= time { low = middle } else { high = middle }
    }
    return low
  }
}

/// How the clock of the media is laid onto the playlist's time.
enum TimestampAnchor {
  /// Times of 33 bits in 90 kHz come round after 26.5 hours. Rec. ITU-T H.222.0 §2.4.3.6.
  static let transportPeriod = Rational(Int64(1) << 33, 90_000)

  /// Seconds to add to a media time to get the playlist's time.
  ///
  /// - Parameters:
  ///   - mediaStart: First media time of the segment, seconds.
  ///   - start: Playlist time of the segment's begin by the durations before it.
  ///   - elapsed: Playlist time since the anchor was set.
  ///   - target: Target duration, seconds.
  ///   - anchor: What the segment's discontinuity group was anchored with; nil for its first segment.
  ///   - wraps: Media times have 33 bits of 90 kHz.
  static func offset(
    mediaStart: Rational, start: Rational, elapsed: Rational, target: Rational, anchor: Rational?,
    wraps: Bool
  ) -> Rational {
    guard let anchor else { return start - mediaStart }
    var offset = anchor
    if wraps {
      // As many periods as bring the segment nearest to where the durations say it is.
      let periods = ((start - mediaStart - anchor) / transportPeriod + Rational(1, 2)).floor
      offset = anchor + Rational(periods, 1) * transportPeriod
    }
    // Durations are rounded, to whole seconds in old playlists, so they drift from the media's own
    // times, which are right. Beyond that the media jumps without a discontinuity being told.
    let deviation = mediaStart + offset - start
    let tolerance = target / Rational(2) + elapsed / Rational(4)
    let isWithin = deviation <= tolerance && Rational.zero - deviation <= tolerance
    return isWithin ? offset : start - mediaStart
  }
}
