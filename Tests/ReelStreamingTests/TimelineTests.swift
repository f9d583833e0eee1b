import ReelCore
import ReelHLS
import Testing

@testable import ReelStreaming

@Suite("Segments in time")
struct TimelineTests {
  private func segments(_ durations: [String], discontinuities: Set<Int> = []) -> [Segment] {
    var text = "#EXTM3U\n#EXT-X-TARGETDURATION:10\n"
    for (index, duration) in durations.enumerated() {
      if discontinuities.contains(index) { text += "#EXT-X-DISCONTINUITY\n" }
      text += "#EXTINF:\(duration),\n\(index).ts\n"
    }
    guard let parsed = try? Playlist.parse(Array(text.utf8)),
      case .media(let media) = parsed.playlist
    else { return [] }
    return media.segments
  }

  @Test("starts are exact sums of decimals")
  func starts() throws {
    let timeline = try SegmentTimeline(segments([String](repeating: "3.333333333", count: 3000)))
    #expect(timeline.duration == Rational(9_999_999_999, 1_000_000))
    #expect(timeline.start(1) == Rational(3_333_333_333, 1_000_000_000))
  }

  @Test("a time is found in the segment that has begun by then")
  func lookup() throws {
    let timeline = try SegmentTimeline(segments(["4", "0", "2.5"]))
    #expect(timeline.segment(at: Rational(-1)) == 0)
    #expect(timeline.segment(at: Rational(39, 10)) == 0)
    #expect(timeline.segment(at: Rational(4)) == 2)
    #expect(timeline.segment(at: Rational(1000)) == 2)
  }

  @Test("groups begin where the discontinuity sequence number changes")
  func groups() throws {
    let timeline = try SegmentTimeline(
      segments(["1", "1", "1", "1", "1"], discontinuities: [2, 4]))
    #expect((0..<5).map(timeline.groupStart) == [0, 0, 2, 2, 4])
  }

  @Test("lengths beyond 200 years are refused")
  func tooLong() {
    #expect(throws: MediaError.self) {
      _ = try SegmentTimeline(segments([String](repeating: "2000000000", count: 4)))
    }
  }

  @Test("times of 33 bits go on where they come round")
  func wrap() {
    let period = TimestampAnchor.transportPeriod
    // The group began three seconds before the clock comes round.
    let anchor = Rational.zero - (period - Rational(3))
    let offset = TimestampAnchor.offset(
      mediaStart: Rational(1), start: Rational(4), elapsed: Rational(4), target: Rational(4),
      anchor: anchor, wraps: true)
    #expect(offset + Rational(1) == Rational(4))
    let later = TimestampAnchor.offset(
      mediaStart: Rational(97), start: Rational(100) + period * Rational(2),
      elapsed: Rational(100) + period * Rational(2), target: Rational(4), anchor: anchor,
      wraps: true)
    #expect(later + Rational(97) == Rational(100) + period * Rational(2))
  }

  @Test("rounded durations do not move pictures; a jump without a discontinuity does")
  func drift() {
    func offset(_ mediaStart: Rational, _ start: Rational) -> Rational {
      TimestampAnchor.offset(
        mediaStart: mediaStart, start: start, elapsed: start, target: Rational(10),
        anchor: Rational(-1), wraps: false)
    }
    // 30 segments of 9.6 s that are told to have 10 s.
    #expect(offset(Rational(289), Rational(300)) == Rational(-1))
    // The clock begins anew.
    #expect(offset(Rational(1), Rational(300)) == Rational(299))
  }
}
