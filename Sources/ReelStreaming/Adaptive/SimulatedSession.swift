// A streaming session in virtual time.

import ReelCore

/// What a session plays: levels and the segments of each.
public struct SessionPlan: Sendable, Hashable {
  /// Ascending by bandwidth, at least one.
  public var levels: [AdaptiveLevel]
  /// Microseconds of each segment, > 0; the same at all levels.
  public let durations: [Int64]
  /// Begin of each segment and the end of the last one.
  private let starts: [Int64]
  /// Bits of each segment by level, where they are known; else bandwidth times duration.
  public var sizes: [Int: [Int64]] = [:]
  /// Media time to begin at.
  public var startPosition: Int64 = 0
  /// Session time from which on each segment can be asked for, as a live list tells of them; empty for a
  /// list that is whole.
  public var availability: [Int64] = []

  public init(levels: [AdaptiveLevel], durations: [Int64]) {
    self.levels = levels.isEmpty ? [AdaptiveLevel(variantIndex: 0, bandwidth: 1)] : levels
    // LIMIT: 200 years, as the timeline of a playlist.
    let longest: Int64 = 200 * 366 * 86_400 * 1_000_000
    var (own, starts): ([Int64], [Int64]) = ([], [0])
    for duration in durations {
      own.append(min(max(duration, 1), longest - (starts.last ?? 0)))
      starts.append((starts.last ?? 0) + (own.last ?? 0))
    }
    (self.durations, self.starts) = (own, starts)
  }

  /// Media time at which a segment begins, 0…count.
  public func start(_ segment: Int) -> Int64 { starts[segment] }

  /// The segment that is shown at a media time; the last one behind the end.
  ///
  /// - Parameter isBackward: A segment is left at its begin, so there the one before is meant.
  public func segment(at position: Int64, isBackward: Bool = false) -> Int {
    var (low, high) = (0, max(durations.count, 1))
    while high - low > 1 {
      let middle = (low + high) / 2
      let isBefore = isBackward ? starts[middle] < position : starts[middle] <= position
      if isBefore { low = middle } else { high = middle }
    }
    return low
  }

  func availability(of segment: Int) -> Int64 {
    availability.indices.contains(segment) ? availability[segment] : 0
  }

  /// Bits of a segment.
  public func bits(_ segment: Int, level: Int) -> Int64 {
    if let known = sizes[level], known.indices.contains(segment) { return max(known[segment], 1) }
    let bits = Int128(levels[level].bandwidth) * Int128(durations[segment]) / 1_000_000
    return max(Int64(clamping: bits), 1)
  }

  /// Microseconds of all segments.
  public var duration: Int64 { starts[durations.count] }
}

/// Something that happened in a session. Times are microseconds since its begin.
public enum SessionEvent: Sendable, Hashable {
  /// `waitingToPlayAtSpecifiedRate`: at the begin, and where nothing is loaded any more.
  case waiting
  case playing
  case ended
  /// Nothing has arrived for too long, or ever will.
  case failed
  case request(segment: Int, level: Int)
  /// A segment that is there at level `instead` is asked for at a higher one.
  case requestedAgain(segment: Int, level: Int, instead: Int)
  /// What is shown changes its level.
  case switched(from: Int, to: Int)
  /// A segment is there. `bits` a second were measured; `buffer` and `loadedEnd` (media time) follow.
  case loaded(segment: Int, level: Int, bitsPerSecond: Int64, buffer: Int64, loadedEnd: Int64)
  case abandoned(segment: Int, level: Int, receivedBits: Int64)
}

/// A session: its log and figures.
public struct SessionReport: Sendable, Hashable {
  public internal(set) var events: [(time: Int64, event: SessionEvent)] = []
  /// Microseconds from the begin to the first picture.
  public internal(set) var startDelay: Int64 = 0
  public internal(set) var stallCount = 0
  /// Microseconds.
  public internal(set) var stallTime: Int64 = 0
  public internal(set) var switchesUp = 0
  public internal(set) var switchesDown = 0
  public internal(set) var abandonedCount = 0
  /// Bits that arrived, those of abandoned segments too.
  public internal(set) var loadedBits: Int64 = 0
  /// Level of each segment that was shown.
  public internal(set) var shownLevels: [Int] = []
  /// Bits a second of what was shown, by the levels' bandwidths and the segments' durations.
  public internal(set) var meanBandwidth: Int64 = 0
  /// Microseconds from the begin to the end of the presentation.
  public internal(set) var length: Int64 = 0
  public internal(set) var isComplete = false

  public static func == (a: SessionReport, b: SessionReport) -> Bool {
    a.lines == b.lines && a.meanBandwidth == b.meanBandwidth && a.stallTime == b.stallTime
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(meanBandwidth) }
}

/// Plays a plan over a network from its begin to its end: a session whose playhead goes on whenever
/// something is there.
public struct SimulatedSession: Sendable {
  private let plan: SessionPlan
  private var session: StreamingSession
  private var report = SessionReport()
  private var isPlaying = false
  private var hasStarted = false
  private var stalledSince: Int64?

  /// LIMIT: a session that takes this much longer than what it plays has failed: an hour.
  private static let patience: Int64 = 3_600_000_000

  /// - Parameter choose: nil for the controller, which also gives up segments that come too late and
  ///   loads again those that it had to take too low.
  public init(
    _ plan: SessionPlan, network: NetworkTrace,
    controller: AdaptiveController = AdaptiveController(), choose: StreamingSession.Choose? = nil
  ) {
    self.plan = plan
    session = StreamingSession(plan, network: network, controller: controller, choose: choose)
  }

  /// Plays to the end, or until the network gives nothing any more.
  public func run() -> SessionReport {
    var own = self
    own.play()
    return own.report
  }

  private mutating func play() {
    log(.waiting)
    let deadline = (plan.availability.last ?? 0) + plan.duration + Self.patience
    while session.time <= deadline {
      if !isPlaying, session.buffer > 0 { start() }
      let end = isPlaying ? session.playhead.time(at: session.loadedEnd) : nil
      guard let next = [end, session.nextDue].compactMap({ $0 }).min() else { break }
      session.advance(to: next)
      collect()
      guard isPlaying, session.buffer == 0 else { continue }
      if session.playhead.position(at: session.time) >= plan.duration {
        log(.ended)
        report.isComplete = true
        return finish()
      }
      stall()
    }
    log(.failed)
    finish()
  }

  private mutating func start() {
    if let stalledSince { report.stallTime += session.time - stalledSince }
    if !hasStarted { report.startDelay = session.time }
    (isPlaying, hasStarted, stalledSince) = (true, true, nil)
    move(.one)
    log(.playing)
    collect()
  }

  private mutating func stall() {
    isPlaying = false
    stalledSince = session.time
    report.stallCount += 1
    move(.zero)
    log(.waiting)
  }

  private mutating func move(_ rate: Rational) {
    let position = session.playhead.position(at: session.time)
    session.follow(SessionPlayhead(time: session.time, position: position, rate: rate))
  }

  private mutating func log(_ event: SessionEvent) { report.events.append((session.time, event)) }

  private mutating func collect() {
    for (time, event) in session.takeEvents() {
      if case .switched(let from, let to) = event {
        if to > from { report.switchesUp += 1 } else { report.switchesDown += 1 }
      }
      report.events.append((time, event))
    }
  }

  private mutating func finish() {
    if let stalledSince { report.stallTime += session.time - stalledSince }
    report.length = session.time
    report.abandonedCount = session.abandonedCount
    report.loadedBits = session.loadedBits
    var (bits, length) = (Int128(0), Int128(0))
    for (segment, level) in session.levels.enumerated() {
      guard let level else { continue }
      report.shownLevels.append(level)
      bits += Int128(plan.levels[level].bandwidth) * Int128(plan.durations[segment])
      length += Int128(plan.durations[segment])
    }
    report.meanBandwidth = length > 0 ? Int64(clamping: bits / length) : 0
  }
}
