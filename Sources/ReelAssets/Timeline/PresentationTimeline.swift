// From edit lists to the frames that are shown, and when. ISO/IEC 14496-12:2020 §8.6.6.

import ReelCore

/// The presentation of a video track: its edits laid out one after the other.
///
/// A frame belongs to an edit when its presentation time lies from the edit's media time up to the
/// media time at which the edit ends, as FFmpeg and the usual players have it: a frame that began
/// before is not shown. Presented frames are numbered from 0 through all edits; one that two edits
/// show has two numbers.
struct PresentationTimeline: Sendable {
  /// An edit that shows media.
  struct Segment: Sendable {
    /// Presentation time of its begin, seconds.
    let start: Rational
    /// Presentation time of its end; nil for the end of the media.
    let end: Rational?
    /// Media ticks shown at `start`.
    let mediaStart: Int64
    /// Media seconds a presentation second; 0 dwells on one frame.
    let rate: Rational
    /// Its frames in the index; an open segment has all there are.
    let frames: Range<Int>
    /// Number of its first presented frame.
    let firstNumber: Int
  }

  /// A presented frame.
  struct Location: Sendable {
    let number: Int
    /// Number in the frame index.
    let frame: Int
    let segment: Int
    let start: Rational
    let end: Rational
  }

  let segments: [Segment]
  let timescale: Int32
  /// The only segment is the whole media, however long it is.
  let isOpen: Bool

  /// The media as it is, `origin` being media ticks at presentation time 0.
  init(wholeMediaWithTimescale timescale: Int32, origin: Int64) {
    self.timescale = timescale
    isOpen = true
    segments = [
      Segment(
        start: .zero, end: nil, mediaStart: origin, rate: .one, frames: 0..<Int.max, firstNumber: 0)
    ]
  }

  /// The edits of a track over its complete index.
  ///
  /// - Throws: `limitExceeded` when they show more frames than a track may have samples.
  init(
    _ edits: [TimelineEdit], timescale: Int32, index: FrameIndex, limits: Limits
  ) throws(MediaError) {
    self.timescale = timescale
    isOpen = false
    var segments: [Segment] = []
    var (start, number) = (Rational.zero, 0)
    for edit in edits {
      let length = Rational(edit.duration) ?? .zero
      if let mediaStart = edit.mediaStart {
        let rate = Rational(Int(edit.rate), 65536)
        let frames = Self.frames(from: mediaStart, length, rate, timescale, index)
        segments.append(
          Segment(
            start: start, end: length > .zero ? start + length : nil, mediaStart: mediaStart,
            rate: rate, frames: frames, firstNumber: number))
        number += frames.count
        // LIMIT: edits that show the same media again and again make a small file endless.
        guard number <= limits.maximumSamplesPerTrack else {
          throw MediaError(
            .limitExceeded, .assetPresentedFrames, detail: "more than \(number)",
            advice: "raise Limits.maximumSamplesPerTrack if the file is trusted")
        }
      }
      start += length
    }
    self.segments = segments
  }

  /// Frames of an edit. One of length 0 goes to the end of the media: so do files that are written
  /// before their length is known (§8.6.6.1).
  private static func frames(
    from mediaStart: Int64, _ length: Rational, _ rate: Rational, _ timescale: Int32,
    _ index: FrameIndex
  ) -> Range<Int> {
    if rate <= .zero {
      guard let frame = index.lastFrame(presentedAtOrBefore: mediaStart) else { return 0..<0 }
      return frame..<frame + 1
    }
    let first = index.firstFrame(presentedAtOrAfter: mediaStart)
    guard length > .zero else { return first..<index.count }
    // The length is given in movie ticks, often rounded: to the nearest media tick, as FFmpeg has it.
    let ticks = (length * rate).ticks(timescale: timescale, rounding: .standard).value
    let (end, overflow) = mediaStart.addingReportingOverflow(ticks)
    let last = overflow ? index.count : index.firstFrame(presentedAtOrAfter: end)
    return first..<max(first, last)
  }

  // MARK: Lookup

  /// Number of presented frames, of an open timeline as far as the index goes.
  func count(_ index: FrameIndex) -> Int {
    guard let last = segments.last else { return 0 }
    return isOpen ? index.count : last.firstNumber + last.frames.count
  }

  /// Where presented frame `number` is; nil outside 0 ..< `count`.
  func location(_ number: Int, _ index: FrameIndex) -> Location? {
    guard number >= 0, number < count(index) else { return nil }
    var (low, high) = (0, segments.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if segments[middle].firstNumber <= number { low = middle } else { high = middle }
    }
    // Of several with this first number, all but the last are empty.
    let segment = segments[low]
    let frame = segment.frames.lowerBound + number - segment.firstNumber
    return Location(
      number: number, frame: frame, segment: low, start: time(of: frame, segment, index),
      end: endTime(of: frame, segment, index))
  }

  /// Number of the last frame whose presentation has begun by `time`; the first one before that; nil
  /// when there are none.
  func number(at time: Rational, _ index: FrameIndex) -> Int? {
    guard count(index) > 0 else { return nil }
    var (low, high) = (0, segments.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if segments[middle].start <= time { low = middle } else { high = middle }
    }
    let segment = segments[low]
    let elapsed = (time - segment.start) * segment.rate
    let offset = elapsed.ticks(timescale: timescale, rounding: .towardNegativeInfinity).value
    let (ticks, overflow) = segment.mediaStart.addingReportingOverflow(offset)
    let reached =
      segment.rate <= .zero
      ? segment.frames.upperBound
      : (index.lastFrame(presentedAtOrBefore: overflow ? .max : ticks) ?? -1) + 1
    let shown = min(max(reached - segment.frames.lowerBound, 0), framesCount(segment, index))
    return max(segment.firstNumber + shown - 1, 0)
  }

  private func framesCount(_ segment: Segment, _ index: FrameIndex) -> Int {
    isOpen ? index.count : segment.frames.count
  }

  private func time(of frame: Int, _ segment: Segment, _ index: FrameIndex) -> Rational {
    guard segment.rate > .zero else { return segment.start }
    let ticks = index.presentationTicks(frame).subtractingReportingOverflow(segment.mediaStart)
    return segment.start + Rational(ticks.partialValue, timescale) / segment.rate
  }

  /// A frame ends where the next one of its edit begins, the last one with the edit.
  private func endTime(of frame: Int, _ segment: Segment, _ index: FrameIndex) -> Rational {
    let isLast = frame + 1 >= min(segment.frames.upperBound, index.count)
    if !isLast { return time(of: frame + 1, segment, index) }
    if let end = segment.end { return end }
    return time(of: frame, segment, index) + Rational(index.duration(frame), timescale)
  }

  /// The time at which the presentation ends.
  func end(_ index: FrameIndex) -> Rational {
    guard let last = segments.last else { return .zero }
    if let end = last.end { return end }
    return last.start + Rational(index.endTicks &- last.mediaStart, timescale)
  }
}
