// Which picture is shown when: the player's timeline, cut where what is shown changes.

public import ReelCore
internal import ReelPlayback

/// How often pictures are put out.
public enum RenderSampling: Sendable, Hashable {
  /// When a source frame begins to be shown; variable rates stay variable.
  case source
  /// At this many pictures a second, > 0.
  case rate(Rational)
}

/// One picture of the output.
struct ScheduledPicture {
  /// Host time of its begin and of the next picture's.
  var start: Rational
  var end: Rational
  /// Which of the inputs, and the number of its frame in the presentation.
  let input: Int
  let frame: Int
  /// How it looks, see ``PictureComposer``.
  let look: Int
  /// Times the item has started again.
  let pass: Int
}

/// Walks through a timeline without decoding anything.
struct RenderSchedule {
  private var timeline: Timeline
  private let inputs: [RenderInput]
  private let composer: (any PictureComposer)?
  private let sampling: RenderSampling
  private let from: Rational
  private let until: Rational
  /// What the player told on the way and nobody has taken yet; nil: it is not kept.
  private var log: [LogEntry]?
  /// Host time of the next picture, and its number.
  private var host: Rational
  private var number = 0
  /// The picture before, which stays while there is no data.
  private var held: (input: Int, frame: Int)?

  init(
    _ timeline: Timeline, inputs: [RenderInput], composer: (any PictureComposer)?,
    sampling: RenderSampling, from: Rational, until: Rational, keepsLog: Bool = false
  ) {
    log = keepsLog ? [] : nil
    self.timeline = timeline
    self.inputs = inputs
    self.composer = composer
    self.sampling = sampling
    (self.from, self.until, host) = (from, until, from)
  }

  /// The next picture, or nil at the end. Instants at which nothing is shown are passed over.
  mutating func next() throws(MediaError) -> ScheduledPicture? {
    while host < until || number == 0 {
      let start = host
      let shown = timeline.evaluate(at: start)
      collectLog()
      let frame = try frameNumber(shown)
      host = try nextInstant(shown, frame)
      number += 1
      if let frame, let input = shown.asset?.rawValue {
        held = (input, frame)
        let look = try composer?.look(of: shown, from: inputs[input]) ?? 0
        if inputs[input].stream != nil { try extend(shown, frame, look) }
        return ScheduledPicture(
          start: start, end: min(host, max(until, start)), input: input, frame: frame, look: look,
          pass: shown.pass)
      }
    }
    return nil
  }

  /// Goes on to where something else is shown: what is loaded on the way makes no new picture.
  private mutating func extend(
    _ shown: Evaluation, _ frame: Int, _ look: Int
  ) throws(MediaError) {
    guard case .source = sampling else { return }
    while host < until {
      let later = timeline.evaluate(at: host)
      collectLog()
      guard later.asset == shown.asset, later.pass == shown.pass,
        try frameNumber(later) == frame,
        let input = later.asset?.rawValue,
        try composer?.look(of: later, from: inputs[input]) ?? 0 == look
      else { return }
      let next = try nextInstant(later, frame)
      guard next > host else { return }
      host = next
    }
  }

  private mutating func collectLog() {
    let told = timeline.takeLog()
    log?.append(contentsOf: told)
  }

  /// What the player told since the last call, oldest first; at the end also what it tells up to then.
  mutating func takeLog(atEnd: Bool = false) -> [LogEntry] {
    if atEnd, log != nil {
      timeline.advance(to: until)
      collectLog()
    }
    defer { log = log.map { _ in [] } }
    return log ?? []
  }

  private func frameNumber(_ shown: Evaluation) throws(MediaError) -> Int? {
    guard let asset = shown.asset else { return nil }
    let input = inputs[asset.rawValue]
    guard input.stream != nil, let item = timeline.player.queue.currentItem,
      let ranges = item.buffer.loadedTimeRanges
    else { return try input.frameNumber(at: shown.itemTime, shown.side) }
    let place = MediaTime(shown.itemTime)
    if ranges.contains(where: { $0.contains(place) }) {
      return try input.frameNumber(at: shown.itemTime, shown.side)
    }
    if ranges.contains(where: { $0.end == place }) {
      return try input.frameNumber(at: shown.itemTime, .before)
    }
    return held.flatMap { $0.input == asset.rawValue ? $0.frame : nil }
  }

  /// Host time of the next picture: the next sampling instant, or the next change of what is shown.
  private func nextInstant(_ shown: Evaluation, _ frame: Int?) throws(MediaError) -> Rational {
    switch sampling {
    case .rate(let rate):
      // From the number, not from the last instant: nothing adds up.
      return from + Rational(number + 1) / rate
    case .source:
      var next = until
      if let due = timeline.nextDue, due > shown.host { next = min(next, due) }
      if let command = nextCommand(after: shown.host) { next = min(next, command) }
      let rate = Rational(exactly: shown.rate) ?? .zero
      guard rate != .zero, let asset = shown.asset else { return next }
      let input = inputs[asset.rawValue]
      var changes: [Rational?] = [try composer?.nextChange(of: shown, from: input)]
      if let frame {
        changes.append(try input.nextChange(after: frame, at: shown.itemTime, rate: rate))
      }
      for change in changes.compactMap({ $0 }) {
        let instant = shown.host + (change - shown.itemTime) / rate
        if instant > shown.host { next = min(next, instant) }
      }
      return next
    }
  }

  private func nextCommand(after host: Rational) -> Rational? {
    let entries = timeline.script.entries
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].time <= host { low = middle + 1 } else { high = middle }
    }
    return low < entries.count ? entries[low].time : nil
  }
}
