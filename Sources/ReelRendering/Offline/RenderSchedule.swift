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
        let look = try composer?.look(of: shown, from: inputs[input]) ?? 0
        return ScheduledPicture(
          start: start, end: min(host, max(until, start)), input: input, frame: frame, look: look,
          pass: shown.pass)
      }
    }
    return nil
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
    return try inputs[asset.rawValue].frameNumber(at: shown.itemTime, shown.side)
  }

  /// Host time of the next picture: the next sampling instant, or the next change of what is shown.
  private func nextInstant(_ shown: Evaluation, _ frame: Int?) throws(MediaError) -> Rational {
    switch sampling {
    case .rate(let rate):
      // From the number, not from the last instant: nothing adds up.
      return from + Rational(number + 1) / rate
    case .source:
      var next = until
      if let due = timeline.player.nextDue, due > shown.host { next = min(next, due) }
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
