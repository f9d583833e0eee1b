// Frames one after the other, as a decoder puts them out.

public import ReelCore

/// Decodes a video track from begin to end, its edit list applied. Each packet is decoded once for each
/// edit that needs it, and nothing is kept. Not shared between threads.
public final class LinearFrameReader {
  /// The track that is read.
  public let track: Track
  private let session: DecodeSession
  /// Nil for a track without edits: all frames, without an index.
  private let plan: Plan?
  private var segment = -1
  private var isSegmentDone = true
  private var shownInSegment = 0
  /// The last sample that the segment needs.
  private var lastSample = 0
  private var waiting: [DecodedFrame] = []
  private var waitingPosition = 0
  /// Frames given so far.
  private var count = 0
  /// Presentation ticks of the next frame of a stream without times.
  private var clock: Int64 = 0
  private let origin: Int64

  private struct Plan {
    let index: FrameIndex
    let timeline: PresentationTimeline
  }

  init(asset: Asset, trackIndex: Int, options: DecodeOptions) throws(MediaError) {
    let track = asset.tracks[trackIndex]
    self.track = track
    session = try DecodeSession(asset: asset, trackIndex: trackIndex, options: options)
    let start = asset.demuxer.presentationOrigin.convertScale(track.timescale)
    origin = start.isNumeric ? start.value : 0
    guard !track.edits.isEmpty else {
      plan = nil
      return
    }
    let builder = try FrameIndexBuilder.complete(
      track: track, limits: options.limits,
      makeReader: { () throws(MediaError) in
        try asset.demuxer.makePacketReader(trackIndices: [trackIndex])
      })
    plan = Plan(
      index: builder.index,
      timeline: try PresentationTimeline(
        track.edits, timescale: track.timescale, index: builder.index, limits: options.limits))
  }

  /// Samples that gave no picture so far, and why; at most the first hundred.
  public var faults: [MediaError] { session.faults.map(\.error) }

  /// The next frame in output order, or nil at the end.
  ///
  /// - Throws: `unsupported`, `limitExceeded`, `io`. Damaged packets are passed over and told in
  ///   ``faults``; the first fault is thrown at the end when there was no frame at all.
  public func next() throws(MediaError) -> PresentedFrame? {
    while true {
      while waitingPosition < waiting.count {
        let decoded = waiting[waitingPosition]
        waitingPosition += 1
        guard let frame = presented(decoded) else { continue }
        count += 1
        return frame
      }
      (waiting, waitingPosition) = ([], 0)
      guard let frames = try decodeMore() else {
        if count == 0, let fault = session.faults.first { throw fault.error }
        return nil
      }
      waiting = frames
    }
  }

  /// Frames of the next packet, or of the next edit's first one; nil when all is done.
  private func decodeMore() throws(MediaError) -> [DecodedFrame]? {
    guard let plan else { return try session.step() }
    if isSegmentDone {
      guard try startNextSegment(plan) else { return nil }
    }
    if shownInSegment < plan.timeline.segments[segment].frames.count {
      if session.nextSample <= lastSample, let frames = try session.step() { return frames }
      isSegmentDone = true
      return try session.finish()
    }
    isSegmentDone = true
    return []
  }

  private func startNextSegment(_ plan: Plan) throws(MediaError) -> Bool {
    repeat {
      segment += 1
    } while segment < plan.timeline.segments.count
      && plan.timeline.segments[segment].frames.isEmpty
    guard segment < plan.timeline.segments.count else { return false }
    let frames = plan.timeline.segments[segment].frames
    var first = Int.max
    lastSample = 0
    for frame in frames {
      let sample = plan.index.sample(ofFrame: frame)
      (first, lastSample) = (min(first, sample), max(lastSample, sample))
    }
    shownInSegment = 0
    isSegmentDone = false
    try session.restart(at: start(first, frames.lowerBound, plan.index))
    return true
  }

  /// Where to start decoding for an edit: the last sync sample that is presented no later than its
  /// first frame and stands before all of its samples.
  private func start(_ sample: Int, _ frame: Int, _ index: FrameIndex) -> FrameIndex.Sync? {
    guard var number = index.syncIndex(atOrBefore: sample) else { return nil }
    let ticks = index.presentationTicks(frame)
    while number > 0 && index.sync(number).presentationTicks > ticks { number -= 1 }
    return index.sync(number)
  }

  /// A decoded frame with its place in the presentation; nil when the edits leave it out.
  private func presented(_ decoded: DecodedFrame) -> PresentedFrame? {
    guard let plan else { return unedited(decoded) }
    let segment = plan.timeline.segments[self.segment]
    guard let frame = plan.index.frame(ofSample: decoded.sample), segment.frames.contains(frame),
      let location = plan.timeline.location(
        segment.firstNumber + frame - segment.frames.lowerBound, plan.index)
    else { return nil }
    shownInSegment += 1
    return PresentedFrame(
      frame: decoded.frame, number: location.number, sample: decoded.sample,
      start: location.start, end: location.end, timescale: track.timescale)
  }

  private func unedited(_ decoded: DecodedFrame) -> PresentedFrame {
    let length = max(decoded.durationTicks ?? Int64(track.timescale) / 25, 0)
    let ticks = decoded.presentationTicks.map { $0.subtractingReportingOverflow(origin) }
    let start = ticks?.partialValue ?? clock
    clock = start.addingReportingOverflow(length).partialValue
    return PresentedFrame(
      frame: decoded.frame, number: count, sample: decoded.sample,
      start: Rational(start, track.timescale), end: Rational(clock, track.timescale),
      timescale: track.timescale)
  }
}
