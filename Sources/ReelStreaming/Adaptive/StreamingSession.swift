// A client that loads segments ahead of a playhead, in virtual time.

public import ReelCore

/// Where playback stands at a time of the session, and how it goes on from there.
public struct SessionPlayhead: Sendable, Hashable {
  /// Microseconds since the session began.
  public var time: Int64
  /// Media time, microseconds.
  public var position: Int64
  /// Media seconds a second; 0 at rest, negative backwards.
  public var rate: Rational

  public init(time: Int64 = 0, position: Int64 = 0, rate: Rational = .zero) {
    (self.time, self.position, self.rate) = (time, position, rate)
  }

  /// The media time at a later time.
  public func position(at later: Int64) -> Int64 {
    if rate == .one { return position + (later - time) }
    if rate == .zero { return position }
    return Int64(clamping: (Rational(position, 1) + rate * Rational(later - time, 1)).floor)
  }

  /// The first time at which `goal` is reached; nil when it never is.
  func time(at goal: Int64) -> Int64? {
    let distance = goal - position
    if distance == 0 { return time }
    guard rate != .zero, (rate > .zero) == (distance > 0) else { return nil }
    if rate == .one { return time + distance }
    let needed = -(Rational.zero - Rational(distance, 1) / rate).floor
    return Int64(clamping: Int128(time) + needed)
  }
}

/// Loads the segments of a plan one at a time, as far ahead of a playhead as the controller wants.
///
/// A state machine: it is told of each change of the playhead, and says when something happens of
/// itself. `reel hls simulate` moves the playhead by its own simple rule, a player by its queue; both
/// are this session. A segment that has begun to be shown keeps its level for ever, so that the levels
/// at the end are those of every picture that was shown.
public struct StreamingSession: Sendable {
  /// Chooses the level of the next segment; tests compare others with the controller's.
  public typealias Choose = @Sendable (AdaptiveState, [AdaptiveLevel]) -> Int

  public let plan: SessionPlan
  let network: NetworkTrace
  let controller: AdaptiveController
  private let choose: Choose?

  /// Up to which everything has happened.
  public private(set) var time: Int64 = 0
  public private(set) var playhead: SessionPlayhead
  /// Level of each segment that is there.
  public private(set) var levels: [Int?]
  /// What has happened and was not taken yet, oldest first.
  private var outbox: [(time: Int64, event: SessionEvent)] = []
  /// Bits that arrived, those of abandoned transfers too.
  public private(set) var loadedBits: Int64 = 0
  public private(set) var abandonedCount = 0
  /// The next segment never comes.
  public private(set) var hasFailed = false

  private var transfer: Transfer?
  private var estimate = ThroughputEstimate()
  /// Level of the last request that was not for a segment that was there already.
  private var currentLevel: Int?
  /// Segments of the lowest level that are to be loaded again while there is time.
  private var isFiller: [Bool]
  private var isShown: [Bool]
  private var shownLevel: Int?
  private let longest: Int64

  /// A transfer under way.
  private struct Transfer: Sendable {
    let segment: Int
    let level: Int
    let bits: Int64
    let begin: Int64
    /// When its first bit can be there.
    let first: Int64
    /// Nil: never.
    let arrival: Int64?
    /// Whether the segment is there already, at a lower level.
    let replaces: Bool
    /// It goes on although only the reserve is left: little is missing.
    var isKept = false
  }

  /// - Parameter choose: nil for the controller, which also gives up segments that come too late and
  ///   loads again those that it had to take too low.
  public init(
    _ plan: SessionPlan, network: NetworkTrace,
    controller: AdaptiveController = AdaptiveController(), choose: Choose? = nil
  ) {
    (self.plan, self.network, self.controller) = (plan, network, controller)
    self.choose = choose
    longest = plan.durations.max() ?? 0
    levels = [Int?](repeating: nil, count: plan.durations.count)
    isFiller = [Bool](repeating: false, count: plan.durations.count)
    isShown = isFiller
    playhead = SessionPlayhead(position: plan.startPosition)
  }

  // MARK: What is there

  /// End of what is there without a gap from the playhead on; its own position when nothing is.
  public var loadedEnd: Int64 { reach(from: playhead.position(at: time)) }

  /// Media that is there ahead of the playhead, in its direction, microseconds.
  public var buffer: Int64 { abs(loadedEnd - playhead.position(at: time)) }

  /// Everything in the direction of the playhead is there.
  public var isAllLoaded: Bool { frontier == nil }

  /// Media time ranges that are there, ascending.
  public var loadedRanges: [Range<Int64>] {
    var ranges: [Range<Int64>] = []
    for segment in levels.indices where levels[segment] != nil {
      let own = plan.start(segment)..<plan.start(segment + 1)
      if let last = ranges.last, last.upperBound == own.lowerBound {
        ranges[ranges.count - 1] = last.lowerBound..<own.upperBound
      } else {
        ranges.append(own)
      }
    }
    return ranges
  }

  private var isBackward: Bool { playhead.rate < .zero }

  private func reach(from position: Int64) -> Int64 {
    var segment = plan.segment(at: position, isBackward: isBackward)
    if isBackward {
      guard position > plan.start(segment), levels[segment] != nil else { return position }
      while segment > 0, levels[segment - 1] != nil { segment -= 1 }
      return plan.start(segment)
    }
    guard levels[segment] != nil else { return position }
    while segment + 1 < levels.count, levels[segment + 1] != nil { segment += 1 }
    return max(plan.start(segment + 1), position)
  }

  /// The first segment ahead that is not there; nil when all are.
  private var frontier: Int? {
    let here = plan.segment(at: playhead.position(at: time), isBackward: isBackward)
    if isBackward {
      return levels[...here].lastIndex { $0 == nil }
    }
    return levels[here...].firstIndex { $0 == nil }
  }

  // MARK: Time

  /// The next time at which something happens of itself; nil when nothing does until the playhead
  /// changes.
  public var nextDue: Int64? {
    var due: [Int64] = []
    if let transfer {
      if let arrival = transfer.arrival { due.append(arrival) }
      if let limit = limit(of: transfer) { due.append(limit) }
    } else if let request = requestTime {
      due.append(request)
    }
    if let crossing { due.append(crossing) }
    return due.min().map { max($0, time) }
  }

  /// Does everything that is due up to and at `target`.
  public mutating func advance(to target: Int64) {
    while let due = nextDue, due <= target {
      let isNew = due > time
      time = due
      guard perform() || isNew else { break }
    }
    time = max(time, target)
  }

  /// The playhead has changed at its time, which is not before ``time``.
  public mutating func follow(_ playhead: SessionPlayhead) {
    advance(to: playhead.time)
    let distance = playhead.position - self.playhead.position(at: time)
    self.playhead = playhead
    show()
    // After a jump what is under way may be needed much later, or never.
    guard let transfer, distance.magnitude > 1000 else { return }
    if transfer.replaces || transfer.segment != frontier { abandon(transfer) }
  }

  /// What happened since the last call, oldest first.
  public mutating func takeEvents() -> [(time: Int64, event: SessionEvent)] {
    defer { outbox = [] }
    return outbox
  }

  /// Does what is due now; false when nothing was.
  private mutating func perform() -> Bool {
    if let crossing, crossing <= time { return show() }
    guard let transfer else {
      guard let request = requestTime, request <= time else { return false }
      return makeRequest()
    }
    if let arrival = transfer.arrival, arrival <= time {
      arrive(transfer)
      return true
    }
    guard let limit = limit(of: transfer), limit <= time else { return false }
    meetLimit(of: transfer)
    return true
  }

  // MARK: Showing

  /// When the playhead enters the next segment that is there.
  private var crossing: Int64? {
    guard playhead.rate != .zero else { return nil }
    let position = playhead.position(at: time)
    let here = plan.segment(at: position, isBackward: isBackward)
    if levels[here] != nil, !isEntered(here) { return time }
    let next = isBackward ? here - 1 : here + 1
    guard levels.indices.contains(next), levels[next] != nil else { return nil }
    return playhead.time(at: isBackward ? plan.start(here) : plan.start(next))
  }

  private func isEntered(_ segment: Int) -> Bool {
    isShown[segment] && shownLevel == levels[segment]
  }

  /// The segment at the playhead is shown from now on.
  @discardableResult
  private mutating func show() -> Bool {
    let here = plan.segment(at: playhead.position(at: time), isBackward: isBackward)
    guard let level = levels[here], !isEntered(here) else { return false }
    isShown[here] = true
    if let shownLevel, shownLevel != level { log(.switched(from: shownLevel, to: level)) }
    shownLevel = level
    return true
  }

  // MARK: Requests

  private var state: AdaptiveState {
    // At more than its own speed media is used up faster: each bit has to come sooner.
    let speed = max(playhead.rate.magnitude, .one)
    let throughput = estimate.bitsPerSecond.map { value in
      speed == .one ? value : Int64(clamping: (Rational(value, 1) / speed).floor)
    }
    return AdaptiveState(
      buffer: buffer, throughput: throughput, currentLevel: currentLevel, longestSegment: longest)
  }

  /// When the next request is made, without a transfer under way.
  private var requestTime: Int64? {
    guard !hasFailed else { return nil }
    if replacement != nil { return time }
    guard let frontier else { return nil }
    let room = min(
      controller.delay(buffer: buffer, nextDuration: plan.durations[frontier]), buffer)
    let available = max(plan.availability(of: frontier), time)
    guard room > 0 else { return available }
    let position = playhead.position(at: time) + (isBackward ? -room : room)
    return playhead.time(at: position).map { max($0, available) }
  }

  /// A segment ahead that can be had better before it is shown.
  private var replacement: (segment: Int, level: Int)? {
    guard choose == nil, playhead.rate > .zero, estimate.bitsPerSecond != nil else { return nil }
    let position = playhead.position(at: time)
    let end = loadedEnd
    var segment = plan.segment(at: position, isBackward: false) + 1
    let state = state
    while segment < levels.count, plan.start(segment) < end {
      defer { segment += 1 }
      guard isFiller[segment], !isShown[segment], let own = levels[segment] else { continue }
      let level = controller.wish(state, plan.levels)
      guard level > own else { continue }
      let left = plan.start(segment) - position
      let bits = plan.bits(segment, level: level)
      if controller.replaces(bits: bits, mediaBefore: left, state) { return (segment, level) }
    }
    return nil
  }

  private mutating func makeRequest() -> Bool {
    if let (segment, level) = replacement {
      log(.requestedAgain(segment: segment, level: level, instead: levels[segment] ?? 0))
      begin(segment, level, replaces: true)
      return true
    }
    guard let frontier else { return false }
    let state = state
    let wanted = choose?(state, plan.levels) ?? controller.level(state, plan.levels)
    let level = min(max(wanted, 0), plan.levels.count - 1)
    let wished = controller.wish(state, plan.levels)
    isFiller[frontier] =
      choose == nil && level == 0 && controller.fills(wished, state, plan.levels)
    currentLevel = level
    log(.request(segment: frontier, level: level))
    begin(frontier, level, replaces: false)
    return true
  }

  private mutating func begin(_ segment: Int, _ level: Int, replaces: Bool) {
    let first = time + network.condition(at: time).latency
    let bits = plan.bits(segment, level: level)
    let arrival = network.arrival(of: bits, from: first)
    let isHopeless = arrival == nil && (choose != nil || level == 0)
    if isHopeless {
      hasFailed = true
      return
    }
    transfer = Transfer(
      segment: segment, level: level, bits: bits, begin: time, first: first, arrival: arrival,
      replaces: replaces)
  }

  /// When a transfer of a higher level has to be looked at: only the reserve is left, or what it is to
  /// replace begins. Nil while nothing moves.
  private func limit(of transfer: Transfer) -> Int64? {
    guard choose == nil, !transfer.isKept, transfer.level > 0 || transfer.replaces,
      playhead.rate > .zero
    else { return nil }
    let position = playhead.position(at: time)
    var media = max(loadedEnd - position - controller.reserve(state), 0)
    if transfer.replaces { media = min(media, plan.start(transfer.segment) - position) }
    return playhead.time(at: position + max(media, 0)).map { max($0, time) }
  }

  private mutating func meetLimit(of transfer: Transfer) {
    let received = received(transfer)
    let lowest = plan.bits(transfer.segment, level: 0)
    let gives =
      transfer.replaces
      || controller.givesUp(missing: transfer.bits - received, lowest: lowest)
    guard gives else {
      self.transfer?.isKept = true
      return
    }
    abandon(transfer)
    guard !transfer.replaces else { return }
    currentLevel = 0
    isFiller[transfer.segment] = false
    log(.request(segment: transfer.segment, level: 0))
    begin(transfer.segment, 0, replaces: false)
  }

  private func received(_ transfer: Transfer) -> Int64 {
    min(network.bits(from: transfer.first, to: time), transfer.bits)
  }

  private mutating func abandon(_ transfer: Transfer) {
    let received = received(transfer)
    self.transfer = nil
    abandonedCount += 1
    loadedBits += received
    if transfer.replaces { isFiller[transfer.segment] = false }
    if time > transfer.begin { estimate.add(bits: received, time: time - transfer.begin) }
    log(
      .abandoned(segment: transfer.segment, level: transfer.level, receivedBits: received))
  }

  private mutating func arrive(_ transfer: Transfer) {
    self.transfer = nil
    let elapsed = max(time - transfer.begin, 1)
    estimate.add(bits: transfer.bits, time: elapsed)
    loadedBits += transfer.bits
    levels[transfer.segment] = transfer.level
    if transfer.replaces {
      isFiller[transfer.segment] = false
      currentLevel = transfer.level
    }
    let rate = Int64(clamping: Int128(transfer.bits) * 1_000_000 / Int128(elapsed))
    log(
      .loaded(
        segment: transfer.segment, level: transfer.level, bitsPerSecond: rate, buffer: buffer,
        loadedEnd: loadedEnd))
    show()
  }

  private mutating func log(_ event: SessionEvent) { outbox.append((time, event)) }
}
