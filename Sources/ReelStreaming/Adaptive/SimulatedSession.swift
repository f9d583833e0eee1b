// A streaming session in virtual time.

/// What a session plays: levels and the segments of each.
public struct SessionPlan: Sendable, Hashable {
  /// Ascending by bandwidth, at least one.
  public var levels: [AdaptiveLevel]
  /// Microseconds of each segment, > 0; the same at all levels.
  public var durations: [Int64]
  /// Bits of each segment by level, where they are known; else bandwidth times duration.
  public var sizes: [Int: [Int64]] = [:]

  public init(levels: [AdaptiveLevel], durations: [Int64]) {
    self.levels = levels.isEmpty ? [AdaptiveLevel(variantIndex: 0, bandwidth: 1)] : levels
    self.durations = durations.map { max($0, 1) }
  }

  /// Bits of a segment.
  public func bits(_ segment: Int, level: Int) -> Int64 {
    if let known = sizes[level], known.indices.contains(segment) { return max(known[segment], 1) }
    let bits = Int128(levels[level].bandwidth) * Int128(durations[segment]) / 1_000_000
    return max(Int64(clamping: bits), 1)
  }

  /// Microseconds of all segments.
  public var duration: Int64 { durations.reduce(0, +) }
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

/// Plays a plan over a network: a client that loads one segment at a time, in virtual time.
public struct SimulatedSession: Sendable {
  /// Chooses the level of the next segment; tests compare others with the controller's.
  public typealias Choose = @Sendable (AdaptiveState, [AdaptiveLevel]) -> Int

  private let plan: SessionPlan
  private let network: NetworkTrace
  private let controller: AdaptiveController
  private let choose: Choose
  private let abandons: Bool

  private var time: Int64 = 0
  private var buffer: Int64 = 0
  private var isPlaying = false
  private var hasStarted = false
  private var loadedEnd: Int64 = 0
  private var estimate = ThroughputEstimate()
  private var report = SessionReport()
  private var level: Int?
  private let longest: Int64

  /// LIMIT: a session that takes this much longer than what it plays has failed: an hour.
  private static let patience: Int64 = 3_600_000_000

  /// - Parameter choose: nil for the controller, which also gives up segments that come too late.
  public init(
    _ plan: SessionPlan, network: NetworkTrace,
    controller: AdaptiveController = AdaptiveController(), choose: Choose? = nil
  ) {
    (self.plan, self.network, self.controller) = (plan, network, controller)
    self.choose = choose ?? { controller.level($0, $1) }
    abandons = choose == nil
    longest = plan.durations.max() ?? 0
  }

  /// Plays to the end, or until the network gives nothing any more.
  public func run() -> SessionReport {
    var session = self
    session.play()
    return session.report
  }

  private mutating func play() {
    log(.waiting)
    let deadline = plan.duration + Self.patience
    for segment in plan.durations.indices {
      if isPlaying {
        let wait = controller.delay(buffer: buffer, nextDuration: plan.durations[segment])
        advance(to: time + min(wait, buffer))
      }
      guard load(segment), time <= deadline else {
        log(.failed)
        return finish()
      }
    }
    advance(to: time + buffer)
    log(.ended)
    report.isComplete = true
    finish()
  }

  private var state: AdaptiveState {
    AdaptiveState(
      buffer: buffer, throughput: estimate.bitsPerSecond, currentLevel: level,
      longestSegment: longest)
  }

  /// Loads a segment at the level that is chosen, or at the lowest one when that comes too late.
  private mutating func load(_ segment: Int) -> Bool {
    let wanted = min(max(choose(state, plan.levels), 0), plan.levels.count - 1)
    switchLevel(to: wanted)
    log(.request(segment: segment, level: wanted))
    let begin = time
    let first = time + network.condition(at: time).latency
    let bits = plan.bits(segment, level: wanted)
    let arrival = network.arrival(of: bits, from: first)
    if abandons, isPlaying, wanted > 0 {
      let limit = time + max(buffer - controller.reserve(state), 0)
      if arrival.map({ $0 > limit }) ?? true {
        let received = min(network.bits(from: first, to: limit), bits)
        let lowest = plan.bits(segment, level: 0)
        if controller.givesUp(missing: bits - received, lowest: lowest) {
          abandon(segment, wanted, received, at: limit, since: begin)
          return loadLowest(segment)
        }
      }
    }
    guard let arrival else { return false }
    arrive(segment, wanted, bits, at: arrival, since: begin)
    return true
  }

  private mutating func abandon(
    _ segment: Int, _ level: Int, _ received: Int64, at limit: Int64, since begin: Int64
  ) {
    advance(to: limit)
    report.abandonedCount += 1
    report.loadedBits += received
    if limit > begin { estimate.add(bits: received, time: limit - begin) }
    log(.abandoned(segment: segment, level: level, receivedBits: received))
  }

  private mutating func loadLowest(_ segment: Int) -> Bool {
    switchLevel(to: 0)
    log(.request(segment: segment, level: 0))
    let begin = time
    let bits = plan.bits(segment, level: 0)
    let first = time + network.condition(at: time).latency
    guard let arrival = network.arrival(of: bits, from: first) else { return false }
    arrive(segment, 0, bits, at: arrival, since: begin)
    return true
  }

  private mutating func arrive(
    _ segment: Int, _ level: Int, _ bits: Int64, at arrival: Int64, since begin: Int64
  ) {
    advance(to: arrival)
    let elapsed = max(arrival - begin, 1)
    estimate.add(bits: bits, time: elapsed)
    report.loadedBits += bits
    buffer += plan.durations[segment]
    loadedEnd += plan.durations[segment]
    report.shownLevels.append(level)
    let rate = Int64(clamping: Int128(bits) * 1_000_000 / Int128(elapsed))
    log(
      .loaded(
        segment: segment, level: level, bitsPerSecond: rate, buffer: buffer, loadedEnd: loadedEnd))
    guard !isPlaying else { return }
    if !hasStarted { report.startDelay = time }
    (isPlaying, hasStarted) = (true, true)
    log(.playing)
  }

  /// Lets time pass: what is loaded is shown, and where it ends the session waits.
  private mutating func advance(to target: Int64) {
    let passed = max(target - time, 0)
    if isPlaying {
      if passed > buffer {
        time += buffer
        (buffer, isPlaying) = (0, false)
        report.stallCount += 1
        log(.waiting)
        report.stallTime += target - time
      } else {
        buffer -= passed
      }
    } else if hasStarted {
      report.stallTime += passed
    }
    time = max(time, target)
  }

  private mutating func switchLevel(to next: Int) {
    if let level, level != next {
      if next > level { report.switchesUp += 1 } else { report.switchesDown += 1 }
      log(.switched(from: level, to: next))
    }
    level = next
  }

  private mutating func log(_ event: SessionEvent) { report.events.append((time, event)) }

  private mutating func finish() {
    report.length = time
    var (bits, length) = (Int128(0), Int128(0))
    for (segment, level) in report.shownLevels.enumerated() {
      bits += Int128(plan.levels[level].bandwidth) * Int128(plan.durations[segment])
      length += Int128(plan.durations[segment])
    }
    report.meanBandwidth = length > 0 ? Int64(clamping: bits / length) : 0
  }
}
