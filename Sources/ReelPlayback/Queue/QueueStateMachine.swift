// A queue player as a value: AVQueuePlayer's rules in virtual time.

public import ReelCore

/// The state of a queue player and everything that changes it.
///
/// Every change names the host time it happens at; what was due before is done first. Host times do
/// not run backwards: an earlier one counts as ``now``. Nothing here reads a clock, decodes, or waits:
/// ``advance(to:)`` brings the state to an instant, ``takeEvents()`` gives what happened on the way,
/// in order. The value can be copied, compared, saved and restored at any instant, and goes on alike.
public struct QueueStateMachine: Sendable, Hashable, Codable {
  /// Host time up to which everything has been done.
  public internal(set) var now: Rational = .zero
  /// The queue; a loop is one entry of it, see ``items``.
  var entries: [PlayerItem] = []
  var nextItemID = 0

  /// The rate asked for; 0 when paused.
  public internal(set) var rate: Float = 0
  /// What ``play(at:)`` sets ``rate`` to.
  public internal(set) var defaultRate: Float = 1
  /// A stall waits for data; without it, it pauses with rate 0.
  public internal(set) var automaticallyWaitsToMinimizeStalling = true
  var ownActionAtItemEnd: ActionAtItemEnd = .advance
  /// `play` behind the end of an item starts it again; without it the player stays at the end.
  public internal(set) var playsAgainAtEnd = false
  /// Host time a seek takes; 0: it is done in the instant it is asked for.
  public internal(set) var seekLatency: Rational = .zero
  /// 0…1.
  public internal(set) var volume: Float = 1
  /// Silent, whatever the volume.
  public internal(set) var isMuted = false

  var motion = Motion(restingAt: .start, since: .zero)
  /// Number of the motion's next end, and whether the pass behind the end before it is to begin.
  var nextEnd = 0
  var isPassDue = false
  /// The end has been reached: forwards (true) or backwards (false). A jump clears it.
  var endedForward: Bool?
  var pendingSeek: PendingSeek?
  /// The current item that was told of last.
  var toldItem: ItemID?
  /// Playback has run out of data. New data or a jump clears it.
  var isStalled = false
  /// The loop; nil when there is none.
  public internal(set) var looper: Looper?
  /// The last loop that ended.
  public internal(set) var finishedLoop: FinishedLoop?
  var observers: [TimeObserver] = []
  var nextObserverID = 0
  var outbox: [QueueEvent] = []
  /// Passes of a loop are told of one by one.
  var tellsPasses = true

  /// Passes and observer calls closer than a thousandth of a host second are not told of one by one:
  /// no rate makes a second of host time cost more than a thousand of them.
  public static let shortestTold = Rational(1, 1000)

  /// A player at host time 0 with an empty queue.
  public init() {}

  // MARK: What it is

  /// All items in order; a running loop shows its replicas, the playing one first.
  public var items: [PlayerItem] {
    entries.enumerated().flatMap { index, entry in
      guard let looper, entry.id == looper.entry,
        looper.status == .unknown || looper.status == .ready
      else { return index == 0 ? [currentItem ?? entry] : [entry] }
      let ids = looper.loopingPlayerItems
      let turn = index == 0 ? ids.firstIndex(of: looper.replica(in: pass)) ?? 0 : 0
      return (0..<ids.count).map { entry.replica(ids[(turn + $0) % ids.count]) }
    }
  }

  /// The item that plays: the head of the queue.
  public var currentItem: PlayerItem? {
    guard let entry = entries.first else { return nil }
    guard let looper, entry.id == looper.entry else { return entry }
    let id = looper.replica(in: pass)
    return id == entry.id ? entry : entry.replica(id)
  }

  /// Where playback stands. An end or the begin of a pass that is due at this instant but has not been
  /// done has not happened: whoever jumps to the end of a pass is there until it has been told of.
  var location: Location {
    if let firstEnd = motion.firstEnd, firstEnd <= now, motion.period != nil, !passesAreSilent {
      if isPassDue, nextEnd > 0, let begin = passBegin, begin <= now {
        return motion.held(atEnd: nextEnd - 1)
      }
      if !isPassDue, let end = motion.end(nextEnd), end <= now {
        return motion.held(atEnd: nextEnd)
      }
    }
    return motion.locate(at: now)
  }
  /// Item time of the current item at ``now``; 0 without one.
  public var currentTime: Rational { location.item }
  /// Times the current item has started again.
  public var pass: Int { location.pass }
  /// Which picture the current time stands for.
  public var side: PictureSide { location.side }
  /// Times the loop has started its item again, from 0.
  public var loopCount: Int {
    guard let looper, entries.first?.id == looper.entry else { return 0 }
    return pass - looper.basePass
  }

  /// The current item has been played to its end, and no jump has led away from it.
  public var hasPlayedToEnd: Bool { endedForward != nil }

  /// What happens at an item's end; a loop makes it `advance` while it lasts.
  public var actionAtItemEnd: ActionAtItemEnd { looper == nil ? ownActionAtItemEnd : .advance }

  /// Whether it is paused, waits, or plays.
  public var timeControlStatus: TimeControlStatus {
    if rate == 0 { return .paused }
    return reasonForWaitingToPlay == nil ? .playing : .waitingToPlayAtSpecifiedRate
  }

  /// Why playback does not run although a rate is set; nil while it runs or is paused.
  public var reasonForWaitingToPlay: WaitingReason? {
    guard rate != 0 else { return nil }
    guard let item = entries.first else { return .noItemToPlay }
    guard item.status == .readyToPlay, pendingSeek == nil else { return .evaluatingBufferingRate }
    return isStarved(item) ? .toMinimizeStalls : nil
  }

  /// Rate at which item time runs now: 0 while paused, waiting, or between two passes.
  public var effectiveRate: Float {
    timeControlStatus == .playing && location.phase == .moving ? rate : 0
  }

  /// The next host time at which something happens of itself; nil when nothing will.
  public var nextDue: Rational? { nextTransition?.host }

  // MARK: Time

  /// Does everything that is due up to and at `host`.
  public mutating func advance(to host: Rational) {
    let target = max(host, now)
    while let next = nextTransition, next.host <= target {
      now = max(now, next.host)
      perform(next.kind)
    }
    now = target
  }

  /// What happened since the last call, oldest first.
  public mutating func takeEvents() -> [QueueEvent] {
    defer { outbox = [] }
    return outbox
  }

  mutating func emit(_ kind: QueueEvent.Kind) {
    emit(kind, item: currentItem?.id, at: location)
  }

  mutating func emit(_ kind: QueueEvent.Kind, item: ItemID?, at place: Location) {
    outbox.append(
      QueueEvent(host: now, kind: kind, item: item, pass: place.pass, itemTime: place.item))
  }

  /// Brings the state to `host`, makes a change, tells what became different, and does what the
  /// change made due.
  mutating func change(at host: Rational, _ body: (inout QueueStateMachine) -> Void) {
    advance(to: host)
    tellingChanges(body)
    advance(to: now)
  }

  /// Tells which item is current, unless that has been told.
  mutating func tellCurrentItem() {
    let id = currentItem?.id
    guard id != toldItem else { return }
    toldItem = id
    emit(.currentItemChanged(currentItem))
  }

  /// Makes a change and tells, in this order: current item, rate, time control status.
  mutating func tellingChanges(_ body: (inout QueueStateMachine) -> Void) {
    let rate = rate
    let (status, reason) = (timeControlStatus, reasonForWaitingToPlay)
    body(&self)
    tellCurrentItem()
    if self.rate != rate { emit(.rateChanged(self.rate)) }
    if timeControlStatus != status || reasonForWaitingToPlay != reason {
      emit(.timeControlStatusChanged(timeControlStatus, reasonForWaitingToPlay))
      observersSawStartOrStop()
    }
  }
}

extension Location {
  /// The start of an item.
  static let start = Location(item: .zero, pass: 0, side: .atOrBefore, phase: .resting)
}
