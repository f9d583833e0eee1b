// From a timeline to a sink, as fast as it goes.

internal import ReelAssets
public import ReelCore
public import ReelPlayback

/// Renders what a player shows, in virtual time.
///
/// Every picture has a key that tells what it is made of. A key that came before is not decoded again,
/// and a sink that remembers what it made of it repeats its bytes: a loop costs one pass.
public final class OfflineRenderer {
  /// What is rendered and how.
  public struct Options: Sendable {
    /// At which host times there are pictures.
    public var sampling: RenderSampling = .source
    /// Host time of the first picture, ≥ 0.
    public var from: Rational = .zero
    /// Host seconds to render; nil: until playback rests. 0 gives the one picture at `from`.
    public var duration: Rational?
    /// Bytes of decoded frames that are kept for later passes. Default: 256 MiB.
    public var loopByteBudget = 256 << 20
    /// Everything from host time 0, a picture wherever what is shown changes.
    public init() {}
  }

  /// What was rendered.
  public struct Summary: Sendable, Hashable {
    /// Pictures that the sink got.
    public var pictureCount = 0
    /// Pictures among them that had been decoded and put out before.
    public var repeatedCount = 0
    /// Frames that were decoded for it.
    public var decodedCount = 0
    /// Frames among them with made-up blocks or missing references.
    public var concealedCount = 0
    /// Blocks that were made up, in all of them.
    public var concealedBlockCount = 0
    /// Instants without a picture, because none could be decoded.
    public var missingCount = 0
    /// Passes that were begun after the first.
    public var repeatedPassCount = 0
  }

  private let inputs: [RenderInput]
  private let composer: (any PictureComposer)?
  private let timeline: Timeline
  private let options: Options
  /// Everything the player is told.
  private let commands: [PlayerCommand]
  private let until: Rational
  private var store: FrameStore
  /// Keys the sink has been given; nil when no picture comes again but right after itself.
  private var given: Set<CompositionKey>?
  private var last: (key: CompositionKey, frame: VideoFrame)?
  private var lastDecoded: (key: CompositionKey, frame: VideoFrame)?
  /// What was rendered so far; whole once ``render(to:)`` has returned.
  public private(set) var summary = Summary()
  /// Receives what the player tells, in order, while the render comes to it.
  public var onLog: ((LogEntry) throws(MediaError) -> Void)?

  /// - Parameters:
  ///   - commands: What the player is told at host time 0, before the script.
  ///   - subtitles: Subtitles of a file of their own, as the setting has them; empty for none.
  ///   - composer: Makes what is shown of the decoded frames; nil: they are shown as they are.
  /// - Throws: `.usage` when playback has no end and no duration is given.
  public init(
    inputs: [RenderInput], commands: [PlayerCommand] = [.play], script: Script = Script(),
    subtitles: String = "", composer: (any PictureComposer)? = nil, options: Options = Options()
  ) throws(MediaError) {
    self.inputs = inputs
    self.composer = composer
    self.options = options
    var feeds: [AssetID: any ItemFeed] = [:]
    for (index, input) in inputs.enumerated() {
      feeds[AssetID(rawValue: index)] = input.stream?.feed
    }
    timeline = Timeline(
      inputs: inputs.map { Timeline.Input(source: $0.name, .success($0.facts)) },
      initially: commands, script: script, subtitles: subtitles, feeds: feeds)
    if let duration = options.duration {
      until = options.from + duration
    } else if let end = timeline.end() {
      until = end
    } else {
      throw MediaError(
        .usage, .renderEndless, advice: "give a duration, or a number of passes to the loop")
    }
    // What is loaded does not depend on the pictures: it is known before the first one.
    if !feeds.isEmpty {
      var ahead = timeline
      ahead.advance(to: until)
      for (index, input) in inputs.enumerated() {
        if let feed = ahead.feed(of: AssetID(rawValue: index)) { try input.settle(feed) }
      }
    }
    store = FrameStore(byteBudget: options.loopByteBudget)
    self.commands = commands + script.entries.map(\.command)
    given = self.commands.contains(where: \.canShowAgain) ? [] : nil
  }

  /// The time base and rate of the output.
  public var outputTiming: OutputTiming {
    get throws(MediaError) {
      var timing: OutputTiming
      switch options.sampling {
      case .rate(let rate): timing = OutputTiming(rate: rate)
      case .source:
        guard let first = inputs.first else { return OutputTiming(rate: Rational(25)) }
        let source = try SourceTiming(first.asset, trackIndex: first.reader.trackIndex)
        timing = source.outputTiming
        if inputs.count > 1 || first.stream != nil || commands.contains(where: \.changesRate) {
          // Frames of several lengths: ticks of the track stay exact for most of them.
          timing.timeBase = Ratio(1, Int(first.reader.track.timescale))
        }
      }
      timing.repetition = given == nil ? .adjacent : .any
      return timing
    }
  }

  /// Renders into a sink, which is finished at the end, or abandoned when something fails.
  ///
  /// - Parameter progress: Called after each picture with the host time that is done, as a fraction of
  ///   all; returning false ends the render in good order.
  /// - Throws: what reading and writing throw.
  public func render(
    to sink: any Sink, progress: (Summary, Double) -> Bool = { _, _ in true }
  ) throws(MediaError) {
    do throws(MediaError) {
      let timing = try outputTiming
      try sink.begin(timing)
      var schedule = RenderSchedule(
        timeline, inputs: inputs, composer: composer, sampling: options.sampling,
        from: options.from, until: until, keepsLog: onLog != nil)
      let length = max((until - options.from).seconds, 1e-9)
      while let picture = try schedule.next() {
        summary.repeatedPassCount = max(summary.repeatedPassCount, picture.pass)
        try tell(schedule.takeLog())
        try put(picture, timing, to: sink)
        let done = (picture.end - options.from).seconds / length
        if !progress(summary, done) { break }
      }
      try tell(schedule.takeLog(atEnd: true))
    } catch {
      sink.abandon()
      throw error
    }
    try sink.finish()
  }

  private func tell(_ log: [LogEntry]) throws(MediaError) {
    guard let onLog else { return }
    for entry in log { try onLog(entry) }
  }

  private func put(
    _ picture: ScheduledPicture, _ timing: OutputTiming, to sink: any Sink
  ) throws(MediaError) {
    let key = CompositionKey(
      source: picture.input, picture: picture.frame, look: picture.look)
    let start = timing.ticks(picture.start - options.from)
    let own = PictureTiming(
      ticks: start, duration: max(0, timing.ticks(picture.end - options.from) - start))
    guard sink.needsPictures else {
      _ = try sink.writeAgain(key, timing: own)
      summary.pictureCount += 1
      return
    }
    let isKnown = given?.contains(key) ?? (last?.key == key)
    if isKnown, try sink.writeAgain(key, timing: own) {
      summary.pictureCount += 1
      summary.repeatedCount += 1
      return
    }
    guard let frame = try frame(key) else {
      summary.missingCount += 1
      return
    }
    try sink.write(frame, key: key, timing: own)
    // LIMIT: as many keys as sinks remember.
    if let count = given?.count, count < OutputTiming.mostKeys { given?.insert(key) }
    summary.pictureCount += 1
  }

  /// The picture of a key: the last one, one that was kept, or composed of its frame.
  private func frame(_ key: CompositionKey) throws(MediaError) -> VideoFrame? {
    if let last, last.key == key { return last.frame }
    if let kept = store[key] { return kept }
    var plain = key
    plain.look = 0
    guard let decoded = try decodedFrame(plain) else { return nil }
    var frame = decoded
    if key.look != 0, let composer {
      frame = try composer.compose(decoded, look: key.look)
      // The picture is what later passes ask for; its frame is not kept beside it.
    }
    last = (key, frame)
    if given != nil { store.keep(frame, for: key) }
    return frame
  }

  /// The frame of a key without a look: the last decoded one, one that was kept, or decoded.
  private func decodedFrame(_ key: CompositionKey) throws(MediaError) -> VideoFrame? {
    if let lastDecoded, lastDecoded.key == key { return lastDecoded.frame }
    if let kept = store[key] { return kept }
    guard let presented = try inputs[key.source].reader.frame(number: key.picture) else {
      return nil
    }
    let frame = presented.frame
    summary.decodedCount += 1
    if frame.concealedBlockCount > 0 || frame.missingReferenceCount > 0 {
      summary.concealedCount += 1
      summary.concealedBlockCount += frame.concealedBlockCount
    }
    lastDecoded = (key, frame)
    return frame
  }
}

extension PlayerCommand {
  /// What was shown may be shown again after this.
  fileprivate var canShowAgain: Bool {
    switch self {
    case .loop, .seek, .begin, .rate: true
    default: false
    }
  }

  /// Frames are not shown for their own length after this.
  fileprivate var changesRate: Bool {
    switch self {
    case .playbackSpeed, .rate: true
    default: false
    }
  }
}
