import Foundation
import ReelCore
import ReelTestSupport
import Testing

@testable import ReelPlayback

/// Everything a queue player can be told, at random, seeded: a failure prints its seed.
struct QueueOperations {
  var random: SeededGenerator
  /// Items that were made, in the queue or not.
  private var known: [PlayerItem] = []
  private var nextSeek = 0
  /// Seeks that were asked for.
  private(set) var asked: [SeekID] = []
  private var observers: [ObserverID] = []

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func time(upTo seconds: Int) -> Rational {
    let denominator = [1, 1, 2, 7, 30, 1000][random.int(in: 0...5)]
    return Rational(random.int(in: 0...seconds * denominator), denominator)
  }

  private mutating func mediaTime(upTo seconds: Int) -> MediaTime { MediaTime(time(upTo: seconds)) }

  private mutating func rate() -> Float {
    let usual: [Float] = [0, 0.3, 0.5, 1, 1, 1, 1.75, 2, -0.5, -1, -1, -2]
    if random.one(in: 60) {
      return [.greatestFiniteMagnitude, .leastNonzeroMagnitude, -1e10, .nan, .infinity][
        random.int(in: 0...4)]
    }
    return usual[random.int(in: 0...usual.count - 1)]
  }

  private mutating func facts() -> ItemFacts {
    switch random.int(in: 0...11) {
    case 0: return ItemFacts(duration: .indefinite)
    case 1: return ItemFacts(duration: .zero)
    default:
      var facts = ItemFacts(duration: MediaTime(value: Int64(random.int(in: 1...8)), timescale: 1))
      facts.frameDuration = MediaTime(value: 1, timescale: 10)
      if random.one(in: 4) {
        facts.syncTimes = [0, 2, 4].map { MediaTime(value: $0, timescale: 1) }
      }
      if random.one(in: 6) { facts.canPlayReverse = false }
      return facts
    }
  }

  private mutating func newItem(_ queue: inout QueueStateMachine) -> PlayerItem {
    var item = queue.makeItem(asset: AssetID(rawValue: known.count), source: "\(known.count)")
    if random.one(in: 2) {
      item.facts = facts()
      item.status = .readyToPlay
    }
    known.append(item)
    return item
  }

  private mutating func anyID(_ queue: QueueStateMachine) -> ItemID {
    let items = queue.items
    guard !items.isEmpty, !random.one(in: 8) else {
      return ItemID(rawValue: random.int(in: 0...max(queue.itemCount, 1)))
    }
    return items[random.int(in: 0...items.count - 1)].id
  }

  /// One thing at a host time; its name for a failure's message.
  mutating func step(_ queue: inout QueueStateMachine, at host: Rational) -> String {
    switch random.int(in: 0...11) {
    case 0...3: return playback(&queue, at: host)
    case 4, 5: return seeking(&queue, at: host)
    case 6...8: return items(&queue, at: host)
    case 9, 10: return looping(&queue, at: host)
    default: return watching(&queue, at: host)
    }
  }

  private mutating func playback(_ queue: inout QueueStateMachine, at host: Rational) -> String {
    switch random.int(in: 0...13) {
    case 0...3:
      queue.play(at: host)
      return "play"
    case 4:
      queue.pause(at: host)
      return "pause"
    case 5...8:
      let rate = rate()
      queue.setRate(rate, at: host)
      return "rate \(rate)"
    case 9:
      let rate = rate()
      queue.setDefaultRate(rate == 0 ? 1 : rate, at: host)
      return "defaultRate \(rate)"
    case 10:
      let rate = rate()
      queue.playImmediately(atRate: rate, at: host)
      return "playImmediately \(rate)"
    case 11:
      let value = random.one(in: 2)
      queue.setPlaysAgainAtEnd(value, at: host)
      return "playsAgain \(value)"
    case 12:
      let value = random.one(in: 2)
      queue.setAutomaticallyWaitsToMinimizeStalling(value, at: host)
      return "waits \(value)"
    default:
      let action = ActionAtItemEnd.allCases[random.int(in: 0...2)]
      queue.setActionAtItemEnd(action, at: host)
      return "action \(action)"
    }
  }

  private mutating func seeking(_ queue: inout QueueStateMachine, at host: Rational) -> String {
    switch random.int(in: 0...7) {
    case 0:
      queue.cancelPendingSeeks(at: host)
      return "cancelPendingSeeks"
    case 1:
      let latency = random.one(in: 2) ? .zero : time(upTo: 1)
      queue.setSeekLatency(latency, at: host)
      return "seekLatency \(latency)"
    case 2:
      let count = random.int(in: -3...3)
      queue.step(by: count, at: host)
      return "step \(count)"
    default:
      let id = SeekID(rawValue: nextSeek)
      nextSeek += 1
      asked.append(id)
      // To the very end as often as anywhere.
      let target =
        random.one(in: 4) ? queue.currentItem?.length ?? .zero : time(upTo: 9) - Rational(1)
      let tolerance: SeekTolerance = random.one(in: 3) ? .infinite : .zero
      queue.seek(to: target, tolerance: tolerance, id: id, at: host)
      return "seek \(target)"
    }
  }

  private mutating func items(_ queue: inout QueueStateMachine, at host: Rational) -> String {
    switch random.int(in: 0...11) {
    case 0, 1, 2:
      guard queue.items.count < 8 else { return "-" }
      let item = newItem(&queue)
      let other = random.one(in: 2) ? nil : anyID(queue)
      try? queue.insert(item, after: other, at: host)
      return "insert \(item.id) after \(String(describing: other))"
    case 3:
      let id = anyID(queue)
      queue.remove(id, at: host)
      return "remove \(id)"
    case 4, 5:
      queue.advanceToNextItem(at: host)
      return "advance"
    case 6:
      guard random.one(in: 3) else { return "-" }
      queue.removeAllItems(at: host)
      return "removeAll"
    case 7:
      let item = random.one(in: 3) ? queue.currentItem : random.one(in: 4) ? nil : newItem(&queue)
      try? queue.replaceCurrentItem(with: item, at: host)
      return "replace \(String(describing: item?.id))"
    case 8, 9:
      let id = anyID(queue)
      queue.itemDidLoad(id, facts(), at: host)
      return "load \(id)"
    case 10:
      guard random.one(in: 3) else { return "-" }
      let id = anyID(queue)
      queue.itemDidFail(id, .failedToLoad("x"), at: host)
      return "fail \(id)"
    default:
      let id = anyID(queue)
      let buffer =
        random.one(in: 2)
        ? ItemBuffer()
        : ItemBuffer(
          loadedTimeRanges: [MediaTimeRange(start: .zero, duration: mediaTime(upTo: 8))],
          isPlaybackLikelyToKeepUp: random.one(in: 2))
      queue.setBuffer(buffer, of: id, at: host)
      return "buffer \(id)"
    }
  }

  private mutating func looping(_ queue: inout QueueStateMachine, at host: Rational) -> String {
    switch random.int(in: 0...8) {
    case 0, 1, 2:
      let delay = random.one(in: 3) ? time(upTo: 1) : .zero
      let limit = random.one(in: 3) ? random.int(in: 1...3) : nil
      queue.loopCurrentItem(delay: delay, passLimit: limit, at: host)
      return "loop \(delay) \(String(describing: limit))"
    case 3, 4:
      guard queue.items.count < 8 else { return "-" }
      let template = newItem(&queue)
      let range =
        random.one(in: 2)
        ? .invalid : MediaTimeRange(start: mediaTime(upTo: 2), duration: mediaTime(upTo: 3))
      let order: Looper.ItemOrdering =
        random.one(in: 2) ? .loopingItemsPrecedeExistingItems : .loopingItemsFollowExistingItems
      try? queue.makeLooper(template: template, timeRange: range, existingItems: order, at: host)
      return "looper \(range) \(order)"
    case 5, 6:
      queue.disableLooping(at: host)
      return "disableLooping"
    case 7:
      let delay = time(upTo: 1)
      queue.setLoopDelay(delay, at: host)
      return "loopDelay \(delay)"
    default:
      let (id, time) = (anyID(queue), random.one(in: 2) ? .invalid : mediaTime(upTo: 8))
      let isForward = random.one(in: 2)
      if isForward {
        queue.setForwardPlaybackEndTime(time, of: id, at: host)
      } else {
        queue.setReversePlaybackEndTime(time, of: id, at: host)
      }
      return "end time \(time) forward \(isForward)"
    }
  }

  private mutating func watching(_ queue: inout QueueStateMachine, at host: Rational) -> String {
    if observers.count > 3 {
      let id = observers.removeFirst()
      queue.removeTimeObserver(id, at: host)
      return "remove \(id)"
    }
    let id =
      random.one(in: 2)
      ? try? queue.addPeriodicTimeObserver(interval: time(upTo: 3), at: host)
      : try? queue.addBoundaryTimeObserver(times: [time(upTo: 8), time(upTo: 8), 0], at: host)
    if let id { observers.append(id) }
    return "observe"
  }
}

/// What must hold of a queue player and of what it tells, after every step.
struct QueueChecker {
  private var lastHost = Rational.zero
  private var status: TimeControlStatus?
  private var reason: WaitingReason?
  private var rate: Float = 0
  private var item: ItemID?
  private var finished: Set<SeekID> = []
  /// The end that was told of last, unless something has led away from it.
  private var end: ItemID?
  private var durations: Set<ItemID> = []
  private var mayBeOutside = false

  mutating func check(
    _ queue: QueueStateMachine, at host: Rational, asked: [SeekID], events: [QueueEvent]
  ) -> [String] {
    var problems: [String] = []
    func require(_ condition: Bool, _ text: @autoclosure () -> String) {
      if !condition { problems.append(text()) }
    }
    require(queue.now == host, "now \(queue.now)")
    require(queue.nextDue.map { $0 > host } ?? true, "something due was left")
    let place = queue.currentTime
    // With the action none time may run out of the item, and stays there until it jumps.
    if queue.ownActionAtItemEnd == .none {
      mayBeOutside = true
    } else if events.contains(where: { $0.kind.isJump }) {
      mayBeOutside = false
    }
    if !mayBeOutside {
      require(place >= .zero, "time \(place) below zero")
      if let length = queue.currentItem?.length {
        require(place <= length, "\(place) of \(length)")
      }
    }
    require(queue.currentItem != nil || place.isZero, "a time without an item")
    require(queue.items.first?.id == queue.currentItem?.id, "the current item is the first")
    require(Set(queue.items.map(\.id)).count == queue.items.count, "an item stands twice")
    require(queue.pass >= 0 && queue.loopCount >= 0, "pass \(queue.pass) \(queue.loopCount)")
    for event in events {
      require(event.host >= lastHost && event.host <= host, "\(event.host) after \(lastHost)")
      lastHost = event.host
      if let problem = take(event.kind) { problems.append(problem) }
    }
    require(rate == queue.rate, "rate \(queue.rate), told \(rate)")
    // Passes too short to be told of are not.
    require(
      queue.passesAreSilent || item == queue.currentItem?.id,
      "item \(String(describing: queue.currentItem?.id))")
    require(
      (status ?? .paused) == queue.timeControlStatus && reason == queue.reasonForWaitingToPlay,
      "status \(queue.timeControlStatus), told \(String(describing: status))")
    // A running player's time runs: nothing is forgotten on the way.
    let speed = queue.timeControlStatus == .playing ? Rational(exactly: queue.rate) ?? .zero : .zero
    require(queue.motion.rate == speed, "motion \(queue.motion.rate) at \(queue.rate)")
    if let item = queue.currentItem, item.status == .failed {
      require(queue.rate == 0, "rate \(queue.rate) with a failed item")
    }
    let open = Set(asked).subtracting(finished)
    require(
      open == (queue.pendingSeek.map { [$0.id] } ?? []), "seeks without an answer: \(open)")
    return problems
  }

  private mutating func take(_ kind: QueueEvent.Kind) -> String? {
    switch kind {
    case .timeControlStatusChanged(let status, let reason):
      defer { (self.status, self.reason) = (status, reason) }
      return status == self.status && reason == self.reason ? "\(kind) twice" : nil
    case .rateChanged(let rate):
      defer { self.rate = rate }
      end = nil
      return rate == self.rate ? "\(kind) twice" : nil
    case .currentItemChanged(let item):
      defer { self.item = item?.id }
      end = nil
      return item?.id == self.item ? "item \(String(describing: item?.id)) twice" : nil
    case .seekFinished(let id, _): return finished.insert(id).inserted ? nil : "\(id) twice"
    case .didPlayToEnd(let id):
      defer { end = id }
      return end == id ? "the end of \(id) twice" : nil
    case .timeJumped, .loopCountChanged, .looperStatusChanged: end = nil
    case .durationChanged(let id, _):
      return durations.insert(id).inserted ? nil : "the duration of \(id) twice"
    default: break
    }
    return nil
  }
}

extension QueueEvent.Kind {
  /// The time has changed other than by playing, or is that of another item.
  fileprivate var isJump: Bool {
    switch self {
    case .timeJumped, .currentItemChanged: true
    default: false
    }
  }
}

@Suite struct QueueOperationsTests {
  @Test("100,000 random operations on a queue keep its invariants, in leaps as in small steps")
  func invariants() throws {
    let environment = ProcessInfo.processInfo.environment
    let first = UInt64(environment["SEED"] ?? "") ?? 1
    var failures = 0
    for seed in first..<first + 500 where failures < 5 {
      var operations = QueueOperations(seed: seed)
      var queue = QueueStateMachine()
      var checker = QueueChecker()
      var host = Rational.zero
      var names: [String] = []
      for _ in 0..<200 {
        let before = host
        host += operations.random.one(in: 4) ? .zero : operations.time(upTo: 4)
        var leap = queue
        leap.advance(to: host)
        for part in 1...3 {
          queue.advance(to: before + (host - before) * Rational(part, 3))
        }
        let isAlike = leap == queue
        names.append("\(host) " + operations.step(&queue, at: host))
        let problems = checker.check(
          queue, at: host, asked: operations.asked, events: queue.takeEvents())
        guard problems.isEmpty, isAlike else {
          let trail = names.suffix(12).joined(separator: "\n")
          Issue.record("seed \(seed): \(problems), alike \(isAlike), \(queue)\n\(trail)")
          failures += 1
          break
        }
      }
    }
  }
}
