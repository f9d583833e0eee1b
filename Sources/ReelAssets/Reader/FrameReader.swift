// Frames by number or time, each the same as a linear decode gives.

public import ReelCore

/// Reads the frames of a video track in any order. Not shared between threads.
///
/// Asking for one frame after the other decodes each packet once. Any other frame costs decoding from
/// the sync sample before it, less what the cache holds. Memory does not grow with the length of the
/// media, apart from the frame index (a few bytes a frame).
public final class FrameReader {
  /// How frames are decoded and kept.
  public struct Options: Sendable, Hashable {
    /// Threads, limits and what becomes of damaged pictures.
    public var decode = DecodeOptions()
    /// Bytes of decoded frames that are kept for going back. Default: 32 MiB.
    public var cacheByteCount = 32 << 20
    /// One thread, concealment, a cache of 32 MiB.
    public init() {}
  }

  /// The track that is read.
  public let track: Track
  /// Its index in the asset's tracks.
  public let trackIndex: Int
  private let session: DecodeSession
  private let builder: FrameIndexBuilder
  private var timeline: PresentationTimeline?
  private var cache: FrameCache
  private let asset: Asset
  private let limits: Limits
  /// Presentation time of the sync sample at which the session started; nil when it began with the
  /// first sample, which makes all of its frames those of a linear decode.
  private var startTicks: Int64?
  /// Frames that came out since the session started.
  private var outputCount = 0
  /// The session's frames lack something from before its start.
  private var isTainted = false
  /// Samples that a decode from the start gives no frame for.
  private var hiddenSamples: Set<Int> = []
  /// Sync samples from which a decode does not give what a linear one gives, and where to start for
  /// their samples instead.
  private var startOverrides: [Int: Int] = [:]

  init(asset: Asset, trackIndex: Int, options: Options) throws(MediaError) {
    self.asset = asset
    self.trackIndex = trackIndex
    track = asset.tracks[trackIndex]
    session = try DecodeSession(asset: asset, trackIndex: trackIndex, options: options.decode)
    cache = FrameCache(budget: options.cacheByteCount, minimumCount: 4)
    let demuxer = asset.demuxer
    limits = options.decode.limits
    let makeReader = { () throws(MediaError) in
      try demuxer.makePacketReader(trackIndices: [trackIndex])
    }
    builder =
      demuxer.hasIndex
      ? try .complete(track: track, limits: limits, makeReader: makeReader)
      : FrameIndexBuilder(track: track, limits: limits, makeReader: makeReader)
  }

  // MARK: The presentation

  /// Number of presented frames. For a container without an index, all packets are read for it.
  public var frameCount: Int {
    get throws(MediaError) {
      let timeline = try self.presentation()
      try builder.extend { _ in false }
      return timeline.count(builder.index)
    }
  }

  /// The time at which the presentation of the track ends.
  public var endTime: MediaTime {
    get throws(MediaError) {
      let timeline = try self.presentation()
      try builder.extend { _ in false }
      return MediaTime(presentation: timeline.end(builder.index), timescale: track.timescale)
    }
  }

  /// Number of the frame that is shown at `time`: the last one whose presentation has begun, or the
  /// first one before that; nil when there are none or `time` is no number.
  public func number(at time: Rational) throws(MediaError) -> Int? {
    let timeline = try presentation()
    if timeline.isOpen {
      try builder.extend { index in
        index.count > 0 && timeline.number(at: time, index).map { $0 + 1 < index.count } ?? false
      }
    }
    return timeline.number(at: time, builder.index)
  }

  /// The number of the frame shown at a time, as for an exact one; nil for a time that is no
  /// number.
  public func number(at time: MediaTime) throws(MediaError) -> Int? {
    guard let time = Rational(time) else { return nil }
    return try number(at: time)
  }

  /// Presentation time of a frame's begin and end, without decoding it; nil outside the presentation.
  public func times(
    ofFrame number: Int
  ) throws(MediaError) -> (start: Rational, end: Rational)? {
    try location(number).map { ($0.start, $0.end) }
  }

  private func presentation() throws(MediaError) -> PresentationTimeline {
    if let timeline { return timeline }
    let made: PresentationTimeline
    if track.edits.isEmpty {
      let origin = asset.demuxer.presentationOrigin.convertScale(track.timescale)
      made = PresentationTimeline(
        wholeMediaWithTimescale: track.timescale, origin: origin.isNumeric ? origin.value : 0)
    } else {
      try builder.extend { _ in false }
      made = try PresentationTimeline(
        track.edits, timescale: track.timescale, index: builder.index, limits: limits)
    }
    timeline = made
    return made
  }

  private func location(_ number: Int) throws(MediaError) -> PresentationTimeline.Location? {
    let timeline = try presentation()
    // One more frame than asked for, whose begin is the asked one's end.
    if timeline.isOpen { try builder.extend { $0.count > number + 1 } }
    return timeline.location(number, builder.index)
  }

  // MARK: Frames

  /// The frame with a number in presentation order.
  ///
  /// - Returns: nil outside the presentation, and where a linear decode shows no frame for the sample
  ///   (one that is damaged beyond decoding; see ``faults``).
  /// - Throws: `unsupported`, `limitExceeded`, `io`.
  public func frame(number: Int) throws(MediaError) -> PresentedFrame? {
    guard let location = try location(number) else { return nil }
    let sample = builder.index.sample(ofFrame: location.frame)
    guard let decoded = try decodedFrame(sample) else { return nil }
    return PresentedFrame(
      frame: decoded.frame, number: number, sample: sample, start: location.start,
      end: location.end, timescale: track.timescale)
  }

  /// The frame that is shown at `time`: the last one whose presentation has begun by then, or the
  /// first one. Where that one cannot be decoded, the nearest earlier one that can.
  ///
  /// - Returns: nil when the track shows no frame at all.
  /// - Throws: as ``frame(number:)``; the first fault when no frame can be decoded.
  public func frame(at time: Rational) throws(MediaError) -> PresentedFrame? {
    guard var number = try number(at: time) else { return nil }
    let wanted = number
    while number >= 0 {
      if let frame = try frame(number: number) { return frame }
      number -= 1
      // LIMIT: so far back nothing is being held any more, the track is broken.
      if wanted - number > 300 { break }
    }
    if let fault = session.faults.first { throw fault.error }
    return nil
  }

  /// The frame shown at a time, as for an exact one; nil for a time that is no number.
  public func frame(at time: MediaTime) throws(MediaError) -> PresentedFrame? {
    guard let time = Rational(time) else { return nil }
    return try frame(at: time)
  }

  /// Samples that gave no picture so far, and why; at most the first hundred.
  public var faults: [MediaError] { session.faults.map(\.error) }
  /// Packets decoded so far, to see what seeking costs.
  public var decodedPacketCount: Int { session.decodedPacketCount }

  // MARK: Decoding

  private func decodedFrame(_ sample: Int) throws(MediaError) -> DecodedFrame? {
    if let cached = cache.frame(ofSample: sample) { return cached }
    if hiddenSamples.contains(sample) { return nil }
    if !canContinue(to: sample) { try restart(at: sync(for: sample)) }
    while true {
      if let found = try decode(to: sample) { return found }
      guard isTainted else {
        hiddenSamples.insert(sample)
        return nil
      }
      try restart(at: startBefore(session.firstSample, for: sample))
    }
  }

  private func restart(at sync: FrameIndex.Sync?) throws(MediaError) {
    (isTainted, outputCount) = (false, 0)
    try session.restart(at: sync)
    startTicks = session.firstSample > 0 ? sync?.presentationTicks : nil
  }

  /// Whether going on from where the session stands is the way to a sample.
  private func canContinue(to sample: Int) -> Bool {
    guard isAhead(sample) else { return false }
    guard let sync = sync(for: sample) else { return session.firstSample == 0 }
    // A leading picture needs what is before the sync sample at which this session may have started: its
    // decoder passes it over. A sync sample that lies ahead saves decoding what is before it.
    return (session.firstSample...session.nextSample + 8).contains(sync.sample)
  }

  /// Whether the frame of a sample is still to come without going back.
  private func isAhead(_ sample: Int) -> Bool {
    guard builder.index.isOutputCounted else { return session.isAhead(sample) }
    return !session.isFinished && sample >= session.firstSample + outputCount
  }

  /// The sync sample to start at for a sample; nil for the first sample.
  ///
  /// A picture that is presented before its sync sample (a leading picture) may refer to pictures of
  /// the group before.
  private func sync(for sample: Int) -> FrameIndex.Sync? {
    let index = builder.index
    guard var number = index.syncIndex(atOrBefore: sample) else { return nil }
    if number > 0, !index.isOutputCounted, ticks(sample) < index.sync(number).presentationTicks {
      number -= 1
    }
    if let override = startOverrides[number] { return override < 0 ? nil : index.sync(override) }
    return index.sync(number)
  }

  /// An earlier place to start at than the session did, farther back at each try; noted for the samples
  /// to come.
  private func startBefore(_ firstSample: Int, for sample: Int) -> FrameIndex.Sync? {
    let index = builder.index
    guard let current = index.syncIndex(atOrBefore: firstSample),
      let own = index.syncIndex(atOrBefore: sample)
    else { return nil }
    let earlier = current - max(own - current, 1) * 2
    startOverrides[own] = earlier
    return earlier < 0 ? nil : index.sync(earlier)
  }

  /// Decodes until the frame of a sample is out; nil when it is certain not to come, or when this
  /// session turns out not to give what a linear decode gives.
  private func decode(to sample: Int) throws(MediaError) -> DecodedFrame? {
    var hasPassed = false
    while isAhead(sample), let frames = try session.step() {
      var found: DecodedFrame?
      for frame in numbered(frames) where keep(frame) {
        if frame.sample == sample { found = frame }
        hasPassed = hasPassed || follows(frame.sample, sample)
      }
      if isTainted { return nil }
      if let found { return found }
      if hasPassed && session.nextSample > sample + DecodeSession.reorderBound { return nil }
    }
    return nil
  }

  /// Where packets have no presentation times, frames are numbered as they come out: as many frames
  /// come before a sync sample's as there are samples before it.
  private func numbered(_ frames: [DecodedFrame]) -> [DecodedFrame] {
    guard builder.index.isOutputCounted else { return frames }
    return frames.map { frame in
      var own = frame
      own.sample = session.firstSample + outputCount
      outputCount += 1
      return own
    }
  }

  /// Puts a frame into the cache unless it may differ from what a linear decode gives.
  private func keep(_ frame: DecodedFrame) -> Bool {
    if let startTicks {
      // A leading picture of the sync sample at which the session started.
      if ticks(frame.sample) < startTicks { return false }
      // Something before the start is missing, and whatever refers to this frame lacks it too.
      if !frame.frame.isWhole { isTainted = true }
      if isTainted { return false }
    }
    cache.insert(frame)
    return true
  }

  /// Whether sample `a` is presented after sample `b`.
  private func follows(_ a: Int, _ b: Int) -> Bool {
    (builder.index.frame(ofSample: a) ?? .max) > (builder.index.frame(ofSample: b) ?? .max)
  }

  /// Presentation time of a sample; beyond all others where the index does not reach yet.
  private func ticks(_ sample: Int) -> Int64 {
    builder.index.frame(ofSample: sample).map(builder.index.presentationTicks) ?? .max
  }
}

extension VideoFrame {
  /// Nothing of the picture was made up.
  fileprivate var isWhole: Bool { concealedBlockCount == 0 && missingReferenceCount == 0 }
}
