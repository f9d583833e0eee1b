// From the times of a track to those of the presentation. ISO/IEC 14496-12:2020 §8.6.6.

internal import ReelCaptions
internal import ReelCore

/// Lays a track's media out by its edits.
struct PresentedTimes {
  private struct Segment {
    /// Presentation seconds of its begin; nil length: to the end of the media.
    let start: Rational
    let length: Rational?
    /// Media seconds shown at `start`.
    let mediaStart: Rational
  }
  private var segments: [Segment] = []
  /// LIMIT: a track of subtitles is not cut into more pieces.
  private static let mostSegments = 1_000

  init(_ track: Track, origin: MediaTime) {
    let start = Rational(origin) ?? .zero
    guard !track.edits.isEmpty else {
      segments = [Segment(start: .zero, length: nil, mediaStart: start)]
      return
    }
    var at = Rational.zero
    for edit in track.edits.prefix(Self.mostSegments) {
      guard let length = Rational(edit.duration) else { continue }
      // Dwelling on a sample of text is not a way to show it.
      if let media = edit.mediaStart, edit.rate == 65_536 {
        segments.append(
          Segment(
            start: at, length: length.isZero ? nil : length,
            mediaStart: Rational(media, track.timescale)))
      }
      at = at + length
    }
  }

  /// The cues of the media as cues of the presentation.
  ///
  /// - Throws: `.limitExceeded` when the edits make more of them than a track may have.
  func present(all cues: [Cue]) throws(MediaError) -> [Cue] {
    var result: [Cue] = []
    for cue in cues {
      result += present(cue)
      guard result.count <= CaptionTrack.mostCues else {
        throw MediaError(.limitExceeded, .captionCount, detail: "\(segments.count) edits")
      }
    }
    return result
  }

  /// A cue of the media as cues of the presentation.
  func present(_ cue: Cue) -> [Cue] {
    guard let start = Rational(cue.start), let end = Rational(cue.end) else { return [] }
    return segments.compactMap { segment in
      let from = max(start, segment.mediaStart)
      var to = end
      if let length = segment.length { to = min(to, segment.mediaStart + length) }
      guard from < to else { return nil }
      var shown = cue
      shown.start = MediaTime(segment.start + from - segment.mediaStart)
      shown.end = MediaTime(segment.start + to - segment.mediaStart)
      return shown
    }
  }
}
