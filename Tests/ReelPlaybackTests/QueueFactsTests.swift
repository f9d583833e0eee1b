import ReelCore
import Testing

@testable import ReelPlayback

/// Contract §10: Apple's queue player and looper, by their published comments.
@Suite struct QueueFactsTests {
  private static func facts(_ seconds: Int64) -> ItemFacts {
    ItemFacts(duration: MediaTime(value: seconds, timescale: 1))
  }

  /// A queue with ready items of these lengths in seconds.
  private func queue(_ lengths: Int64...) throws -> (QueueStateMachine, [PlayerItem]) {
    var queue = QueueStateMachine()
    var items: [PlayerItem] = []
    for length in lengths {
      let item = queue.makeItem(asset: AssetID(rawValue: items.count), source: "\(items.count)")
      try queue.insert(item, at: 0)
      queue.itemDidLoad(item.id, Self.facts(length), at: 0)
      items.append(item)
    }
    _ = queue.takeEvents()
    return (queue, items)
  }

  private func kinds(_ queue: inout QueueStateMachine) -> [QueueEvent.Kind] {
    queue.takeEvents().map(\.kind)
  }

  // MARK: Looper

  @Test(
    "a looper makes three replicas at once, before existing items, and never plays the template")
  func looperReplicas() throws {
    var (queue, items) = try queue(5)
    var template = queue.makeItem(asset: AssetID(rawValue: 9), source: "template")
    template.facts = Self.facts(4)
    template.status = .readyToPlay
    try queue.makeLooper(template: template, at: 0)
    let looper = try #require(queue.looper)
    #expect(looper.loopingPlayerItems.count == 3 && looper.status == .ready)
    #expect(!looper.loopingPlayerItems.contains(template.id))
    #expect(queue.items.map(\.id) == looper.loopingPlayerItems + [items[0].id])
    queue.play(at: 0)
    var seen: [ItemID] = []
    for second in 0..<20 {
      queue.advance(to: Rational(second))
      if let id = queue.currentItem?.id, seen.last != id { seen.append(id) }
    }
    #expect(seen == looper.loopingPlayerItems + looper.loopingPlayerItems.prefix(2))
    #expect(queue.items.first?.id == queue.currentItem?.id)
  }

  @Test("replicas can go behind the existing items")
  func looperAfterExisting() throws {
    var (queue, items) = try queue(5)
    var template = queue.makeItem(asset: AssetID(rawValue: 9), source: "template")
    template.facts = Self.facts(4)
    template.status = .readyToPlay
    try queue.makeLooper(
      template: template, existingItems: .loopingItemsFollowExistingItems, at: 0)
    #expect(queue.currentItem?.id == items[0].id && queue.items.count == 4)
    queue.play(at: 0)
    queue.advance(to: 14)
    #expect(
      queue.currentItem?.source == "template" && queue.loopCount == 2 && queue.currentTime == 1)
  }

  @Test(
    "an item before a waiting loop leads into it, whatever the player's own action is",
    arguments: ActionAtItemEnd.allCases)
  func looperBehindAnItem(action: ActionAtItemEnd) throws {
    var (queue, _) = try queue(5)
    var template = queue.makeItem(asset: AssetID(rawValue: 9), source: "template")
    template.facts = Self.facts(4)
    template.status = .readyToPlay
    queue.setActionAtItemEnd(action, at: 0)
    try queue.makeLooper(
      template: template, existingItems: .loopingItemsFollowExistingItems, at: 0)
    #expect(queue.actionAtItemEnd == .advance)
    queue.play(at: 0)
    queue.advance(to: 14)
    #expect(queue.currentItem?.source == "template" && queue.loopCount == 2)
    queue.disableLooping(at: 14)
    #expect(queue.actionAtItemEnd == .advance)
    queue.advance(to: 30)
    #expect(queue.actionAtItemEnd == action && queue.looper == nil)
  }

  @Test("later changes of the template are not seen by the loop")
  func looperCopies() throws {
    var queue = QueueStateMachine()
    var template = queue.makeItem(asset: AssetID(rawValue: 0), source: "template")
    template.facts = Self.facts(4)
    template.status = .readyToPlay
    try queue.makeLooper(template: template, at: 0)
    template.forwardPlaybackEndTime = MediaTime(value: 1, timescale: 1)
    queue.setForwardPlaybackEndTime(template.forwardPlaybackEndTime, of: template.id, at: 0)
    queue.play(at: 0)
    queue.advance(to: 3)
    #expect(queue.currentTime == 3 && queue.loopCount == 0)
  }

  @Test("the looper's status is unknown until the duration is loaded, then ready or failed")
  func looperStatus() throws {
    var queue = QueueStateMachine()
    let template = queue.makeItem(asset: AssetID(rawValue: 0), source: "template")
    try queue.makeLooper(template: template, at: 0)
    #expect(queue.looper?.status == .unknown)
    let entry = try #require(queue.currentItem)
    var failed = queue
    queue.itemDidLoad(entry.id, Self.facts(4), at: 1)
    #expect(queue.looper?.status == .ready)
    failed.itemDidFail(entry.id, .failedToLoad("broken"), at: 1)
    #expect(failed.looper?.status == .failed && failed.looper?.failure == .failedToLoad("broken"))
  }

  @Test("a range outside of the item, or no length, is an error, or a failed loop if told late")
  func looperRange() throws {
    var queue = QueueStateMachine()
    var template = queue.makeItem(asset: AssetID(rawValue: 0), source: "template")
    template.facts = Self.facts(4)
    template.status = .readyToPlay
    let late = MediaTimeRange(
      start: MediaTime(value: 3, timescale: 1), duration: MediaTime(value: 2, timescale: 1))
    #expect(throws: MediaError.self) {
      try queue.makeLooper(template: template, timeRange: late, at: 0)
    }
    template.facts = ItemFacts(duration: .zero)
    #expect(throws: MediaError.self) { try queue.makeLooper(template: template, at: 0) }
    let unknown = queue.makeItem(asset: AssetID(rawValue: 1), source: "unknown")
    try queue.makeLooper(template: unknown, timeRange: late, at: 0)
    let entry = try #require(queue.currentItem)
    queue.play(at: 0)
    queue.itemDidLoad(entry.id, Self.facts(4), at: 0)
    #expect(queue.looper?.status == .failed)
    queue.advance(to: 10)
    #expect(queue.loopCount == 0)
  }

  @Test("a loop over a range starts there, ends there, and comes back exactly")
  func looperTimeRange() throws {
    var queue = QueueStateMachine()
    var template = queue.makeItem(asset: AssetID(rawValue: 0), source: "template")
    template.facts = Self.facts(10)
    template.status = .readyToPlay
    try queue.makeLooper(
      template: template,
      timeRange: MediaTimeRange(
        start: MediaTime(value: 2, timescale: 1), duration: MediaTime(value: 3, timescale: 1)),
      at: 0)
    #expect(queue.currentTime == 2)
    queue.play(at: 0)
    queue.advance(to: 4)
    #expect(queue.currentTime == 3 && queue.loopCount == 1)
    queue.setRate(-1, at: 4)
    queue.advance(to: t("5.5"))
    #expect(queue.currentTime == t("4.5") && queue.loopCount == 2)
    queue.disableLooping(at: 6)
    queue.advance(to: 20)
    #expect(queue.currentItem == nil)
  }

  @Test("a loop forces the action advance and gives the player's own back when it has ended")
  func looperAction() throws {
    var queue = QueueStateMachine()
    queue.setActionAtItemEnd(.pause, at: 0)
    var template = queue.makeItem(asset: AssetID(rawValue: 0), source: "template")
    template.facts = Self.facts(4)
    template.status = .readyToPlay
    try queue.makeLooper(template: template, at: 0)
    #expect(queue.actionAtItemEnd == .advance)
    queue.play(at: 0)
    queue.disableLooping(at: 5)
    #expect(queue.looper?.status == .cancelled && queue.actionAtItemEnd == .advance)
    queue.advance(to: 9)
    #expect(queue.actionAtItemEnd == .pause && queue.timeControlStatus == .paused)
    #expect(queue.looper == nil && queue.currentTime == 4)
  }

  @Test("the count of a loop is kept when it is over", arguments: [false, true])
  func finishedLoop(isTakenAway: Bool) throws {
    var queue = QueueStateMachine()
    var template = queue.makeItem(asset: AssetID(rawValue: 0), source: "template")
    template.facts = Self.facts(4)
    template.status = .readyToPlay
    try queue.makeLooper(template: template, at: 0)
    let items = queue.looper?.loopingPlayerItems
    queue.play(at: 0)
    queue.advance(to: 9)
    #expect(queue.loopCount == 2 && queue.finishedLoop == nil)
    if isTakenAway { queue.removeAllItems(at: 10) } else { queue.disableLooping(at: 10) }
    queue.advance(to: 20)
    #expect(queue.looper == nil && queue.loopCount == 0)
    #expect(queue.finishedLoop?.loopCount == 2 && queue.finishedLoop?.loopingPlayerItems == items)
  }

  @Test("making a loop keeps the rate")
  func looperKeepsRate() throws {
    var (queue, _) = try queue(5)
    queue.setRate(1.5, at: 0)
    var template = queue.makeItem(asset: AssetID(rawValue: 9), source: "template")
    template.facts = Self.facts(3)
    template.status = .readyToPlay
    try queue.makeLooper(template: template, at: 1)
    #expect(queue.rate == 1.5 && queue.currentTime == 0)
    queue.advance(to: 4)
    #expect(queue.currentTime == t("1.5") && queue.loopCount == 1)
    #expect(throws: MediaError.self) { try queue.makeLooper(template: template, at: 4) }
  }

  @Test("the loop count starts at 0 and grows when the item starts again")
  func loopCount() throws {
    var (queue, _) = try queue(5)
    queue.loopCurrentItem(at: 0)
    queue.play(at: 0)
    queue.advance(to: t("4.999"))
    #expect(queue.loopCount == 0)
    queue.advance(to: 5)
    #expect(queue.loopCount == 1)
  }

  // MARK: Seeking

  @Test("a newer seek finishes the older one with false at once")
  func newerSeek() throws {
    var (queue, _) = try queue(10)
    queue.setSeekLatency(1, at: 0)
    queue.seek(to: 3, id: SeekID(rawValue: 1), at: 0)
    queue.seek(to: 6, id: SeekID(rawValue: 2), at: t("0.5"))
    #expect(kinds(&queue) == [.seekFinished(SeekID(rawValue: 1), false)])
    queue.advance(to: t("1.4"))
    #expect(queue.currentTime == 0)
    queue.advance(to: t("1.5"))
    #expect(queue.currentTime == 6)
    #expect(
      kinds(&queue) == [.timeJumped(ItemID(rawValue: 0)), .seekFinished(SeekID(rawValue: 2), true)])
  }

  @Test("a seek that is refused ends the older one, and playback goes on where it stood")
  func refusedSeek() throws {
    var (queue, _) = try queue(10)
    queue.play(at: 0)
    queue.setSeekLatency(1, at: 0)
    queue.seek(to: 6, id: SeekID(rawValue: 1), at: 2)
    queue.seek(to: 99, id: SeekID(rawValue: 2), at: t("2.5"))
    #expect(queue.timeControlStatus == .playing && queue.currentTime == 2)
    queue.advance(to: 4)
    #expect(queue.currentTime == t("3.5"))
    let finished = kinds(&queue).filter { if case .seekFinished = $0 { true } else { false } }
    #expect(
      finished == [
        .seekFinished(SeekID(rawValue: 1), false), .seekFinished(SeekID(rawValue: 2), false),
      ])
  }

  @Test("going to the next pass of a loop ends a seek that is under way")
  func seekAndNextPass() throws {
    var (queue, _) = try queue(10)
    queue.loopCurrentItem(at: 0)
    queue.play(at: 0)
    queue.setSeekLatency(1, at: 0)
    queue.seek(to: 6, id: SeekID(rawValue: 1), at: 2)
    queue.advanceToNextItem(at: t("2.5"))
    #expect(kinds(&queue).contains(.seekFinished(SeekID(rawValue: 1), false)))
    queue.advance(to: t("3.5"))
    #expect(queue.currentTime == 1 && queue.loopCount == 1)
  }

  @Test("time stands still while a seek is under way, and the player waits")
  func seekLatency() throws {
    var (queue, _) = try queue(10)
    queue.play(at: 0)
    queue.setSeekLatency(1, at: 0)
    queue.seek(to: 6, id: SeekID(rawValue: 1), at: 2)
    queue.advance(to: t("2.5"))
    #expect(queue.currentTime == 2 && queue.reasonForWaitingToPlay == .evaluatingBufferingRate)
    queue.advance(to: 4)
    #expect(queue.currentTime == 7 && queue.timeControlStatus == .playing)
  }

  @Test("a seek without an item, or out of the seekable ranges, finishes with false")
  func seekNowhere() throws {
    var empty = QueueStateMachine()
    empty.seek(to: 1, id: SeekID(rawValue: 1), at: 0)
    #expect(kinds(&empty) == [.seekFinished(SeekID(rawValue: 1), false)])
    var (queue, _) = try queue(10)
    queue.seek(to: -1, id: SeekID(rawValue: 1), at: 0)
    queue.seek(to: 11, id: SeekID(rawValue: 2), at: 0)
    queue.seek(to: 10, id: SeekID(rawValue: 3), at: 0)
    #expect(
      kinds(&queue).filter { if case .seekFinished = $0 { true } else { false } } == [
        .seekFinished(SeekID(rawValue: 1), false), .seekFinished(SeekID(rawValue: 2), false),
        .seekFinished(SeekID(rawValue: 3), true),
      ])
    var ranged = QueueStateMachine()
    let item = ranged.makeItem(asset: AssetID(rawValue: 0), source: "live")
    try ranged.insert(item, at: 0)
    var facts = ItemFacts(duration: .indefinite)
    facts.seekableTimeRanges = [
      MediaTimeRange(
        start: MediaTime(value: 100, timescale: 1), duration: MediaTime(value: 30, timescale: 1))
    ]
    ranged.itemDidLoad(item.id, facts, at: 0)
    ranged.seek(to: 110, id: SeekID(rawValue: 1), at: 0)
    ranged.seek(to: 90, id: SeekID(rawValue: 2), at: 0)
    #expect(ranged.currentTime == 110)
    #expect(kinds(&ranged).last == .seekFinished(SeekID(rawValue: 2), false))
  }

  @Test("a seek on an item that is not ready waits for it; another item ends it with false")
  func seekBeforeReady() throws {
    var queue = QueueStateMachine()
    let item = queue.makeItem(asset: AssetID(rawValue: 0), source: "a")
    try queue.insert(item, at: 0)
    queue.seek(to: 3, id: SeekID(rawValue: 1), at: 0)
    queue.play(at: 0)
    _ = queue.takeEvents()
    var replaced = queue
    queue.itemDidLoad(item.id, Self.facts(5), at: 1)
    #expect(queue.currentTime == 3)
    let told = kinds(&queue)
    #expect(told.contains(.seekFinished(SeekID(rawValue: 1), true)))
    #expect(told.filter { $0 == .timeControlStatusChanged(.playing, nil) }.count == 1)
    replaced.remove(item.id, at: 1)
    #expect(kinds(&replaced).contains(.seekFinished(SeekID(rawValue: 1), false)))
    var late = QueueStateMachine()
    let short = late.makeItem(asset: AssetID(rawValue: 0), source: "a")
    try late.insert(short, at: 0)
    late.seek(to: 30, id: SeekID(rawValue: 2), at: 0)
    late.itemDidLoad(short.id, Self.facts(5), at: 1)
    #expect(
      kinds(&late).contains(.seekFinished(SeekID(rawValue: 2), false)) && late.currentTime == 0)
  }

  @Test("cancelPendingSeeks ends a seek with false")
  func cancelPendingSeeks() throws {
    var (queue, _) = try queue(10)
    queue.setSeekLatency(1, at: 0)
    queue.seek(to: 3, id: SeekID(rawValue: 1), at: 0)
    queue.cancelPendingSeeks(at: t("0.5"))
    queue.advance(to: 5)
    #expect(kinds(&queue) == [.seekFinished(SeekID(rawValue: 1), false)] && queue.currentTime == 0)
  }

  @Test("infinite tolerances land on the sync sample before, zero ones exactly, others within")
  func tolerances() throws {
    var queue = QueueStateMachine()
    let item = queue.makeItem(asset: AssetID(rawValue: 0), source: "a")
    try queue.insert(item, at: 0)
    var facts = Self.facts(10)
    facts.syncTimes = [0, 4, 8].map { MediaTime(value: $0, timescale: 1) }
    queue.itemDidLoad(item.id, facts, at: 0)
    func landing(_ target: Rational, _ tolerance: SeekTolerance) -> Rational {
      var copy = queue
      copy.seek(to: target, tolerance: tolerance, id: SeekID(rawValue: 1), at: 0)
      return copy.currentTime
    }
    #expect(landing(t("5.5"), .infinite) == 4)
    #expect(landing(t("5.5"), .zero) == t("5.5"))
    #expect(landing(t("5.5"), SeekTolerance(before: 1, after: 1)) == t("5.5"))
    #expect(landing(t("5.5"), SeekTolerance(before: 2, after: 0)) == 4)
    #expect(landing(t("7.5"), SeekTolerance(before: 1, after: 1)) == 8)
    #expect(landing(8, .infinite) == 8)
    #expect(landing(9, .infinite) == 8)
    var exact = try self.queue(10).0
    exact.seek(to: t("5.5"), id: SeekID(rawValue: 1), at: 0)
    #expect(exact.currentTime == t("5.5"))
  }

  @Test("step moves by whole pictures within the item and pauses")
  func step() throws {
    var queue = QueueStateMachine()
    let item = queue.makeItem(asset: AssetID(rawValue: 0), source: "a")
    try queue.insert(item, at: 0)
    var facts = Self.facts(1)
    facts.frameDuration = MediaTime(value: 1, timescale: 10)
    queue.itemDidLoad(item.id, facts, at: 0)
    queue.play(at: 0)
    queue.step(by: 2, at: t("0.25"))
    #expect(queue.currentTime == t("0.4") && queue.timeControlStatus == .paused)
    queue.step(by: -1, at: 1)
    #expect(queue.currentTime == t("0.3"))
    queue.step(by: 100, at: 1)
    #expect(queue.currentTime == t("0.9"))
    queue.step(by: -100, at: 1)
    #expect(queue.currentTime == 0)
  }

  // MARK: Rate

  @Test("play uses defaultRate, setRate does not")
  func defaultRate() throws {
    var (queue, _) = try queue(10)
    queue.setDefaultRate(2, at: 0)
    #expect(queue.rate == 0)
    queue.play(at: 0)
    #expect(queue.rate == 2)
    queue.setRate(0.5, at: 1)
    #expect(queue.rate == 0.5 && queue.defaultRate == 2)
  }

  @Test("rates 1…2 are always allowed, others by the item's flags, which hold at the ends as well")
  func rateFlags() throws {
    var queue = QueueStateMachine()
    let item = queue.makeItem(asset: AssetID(rawValue: 0), source: "a")
    try queue.insert(item, at: 0)
    var facts = Self.facts(10)
    facts.canPlayFastForward = false
    facts.canPlaySlowForward = false
    facts.canPlayReverse = false
    facts.canPlaySlowReverse = false
    facts.canPlayFastReverse = false
    queue.itemDidLoad(item.id, facts, at: 0)
    for (rate, isAllowed) in [
      (1, true), (1.5, true), (2, true), (2.5, false), (0.5, false), (-1, false), (-0.5, false),
      (-2, false),
    ] as [(Float, Bool)] {
      queue.setRate(0, at: 0)
      queue.setRate(rate, at: 0)
      #expect((queue.rate == rate) == isAllowed, "\(rate)")
    }
    queue.setRate(0, at: 0)
    queue.seek(to: 10, tolerance: .zero, id: SeekID(rawValue: 1), at: 0)
    queue.setRate(-1, at: 0)
    #expect(queue.rate == 0)
  }

  @Test("the end of backwards playback tells didPlayToEnd")
  func reverseEnd() throws {
    var (queue, items) = try queue(10)
    queue.setActionAtItemEnd(.pause, at: 0)
    queue.seek(to: 3, tolerance: .zero, id: SeekID(rawValue: 1), at: 0)
    queue.setRate(-1, at: 0)
    queue.advance(to: 5)
    #expect(kinds(&queue).last == .didPlayToEnd(items[0].id))
    #expect(queue.currentTime == 0)
  }

  @Test("forward and reverse end times bound playback in their direction only")
  func endTimes() throws {
    var (queue, items) = try queue(10)
    queue.setActionAtItemEnd(.pause, at: 0)
    queue.setForwardPlaybackEndTime(MediaTime(value: 6, timescale: 1), of: items[0].id, at: 0)
    queue.setReversePlaybackEndTime(MediaTime(value: 2, timescale: 1), of: items[0].id, at: 0)
    queue.play(at: 0)
    queue.advance(to: 20)
    #expect(queue.currentTime == 6 && queue.side == .before)
    queue.setRate(-1, at: 20)
    queue.advance(to: 40)
    #expect(queue.currentTime == 2)
    // Behind the limit, playback goes on to the item's own end.
    queue.seek(to: 8, tolerance: .zero, id: SeekID(rawValue: 1), at: 40)
    queue.play(at: 40)
    queue.advance(to: 50)
    #expect(queue.currentTime == 10)
  }

  @Test("an end that was told of is told again only when it has moved")
  func movedEnd() throws {
    var (queue, items) = try queue(10)
    queue.setActionAtItemEnd(.none, at: 0)
    queue.play(at: 0)
    queue.advance(to: 12)
    _ = queue.takeEvents()
    queue.setReversePlaybackEndTime(MediaTime(value: 1, timescale: 1), of: items[0].id, at: 12)
    queue.setForwardPlaybackEndTime(MediaTime(value: 99, timescale: 1), of: items[0].id, at: 12)
    queue.setForwardPlaybackEndTime(.invalid, of: items[0].id, at: 12)
    #expect(queue.takeEvents().isEmpty && queue.currentTime == 12)
  }

  // MARK: Time control status

  @Test("waiting has its reason: no item, not evaluated yet, about to stall")
  func waitingReasons() throws {
    var queue = QueueStateMachine()
    queue.play(at: 0)
    #expect(queue.reasonForWaitingToPlay == .noItemToPlay)
    let item = queue.makeItem(asset: AssetID(rawValue: 0), source: "a")
    try queue.insert(item, at: 1)
    #expect(queue.reasonForWaitingToPlay == .evaluatingBufferingRate)
    queue.setBuffer(
      ItemBuffer(
        loadedTimeRanges: [MediaTimeRange(start: .zero, end: MediaTime(value: 3, timescale: 1))],
        isPlaybackLikelyToKeepUp: false), of: item.id, at: 1)
    queue.itemDidLoad(item.id, Self.facts(10), at: 1)
    #expect(queue.reasonForWaitingToPlay == .toMinimizeStalls)
    queue.playImmediately(atRate: 1, at: 1)
    #expect(queue.timeControlStatus == .playing && queue.reasonForWaitingToPlay == nil)
    queue.pause(at: 2)
    #expect(queue.timeControlStatus == .paused && queue.reasonForWaitingToPlay == nil)
    // At the rate that is set already it plays as well, and tells it.
    queue.setBuffer(ItemBuffer(isPlaybackLikelyToKeepUp: false), of: item.id, at: 3)
    queue.play(at: 3)
    _ = queue.takeEvents()
    queue.playImmediately(atRate: 1, at: 4)
    #expect(kinds(&queue) == [.timeControlStatusChanged(.playing, nil)])
    queue.advance(to: 5)
    #expect(queue.currentTime == 2)
  }

  /// Three of ten seconds are loaded.
  private func partlyLoaded() throws -> (QueueStateMachine, ItemID) {
    var (queue, items) = try queue(10)
    queue.setBuffer(
      ItemBuffer(
        loadedTimeRanges: [
          MediaTimeRange(
            start: MediaTime(value: 1, timescale: 1), end: MediaTime(value: 3, timescale: 1)),
          MediaTimeRange(start: .zero, end: MediaTime(value: 1, timescale: 1)),
        ]), of: items[0].id, at: 0)
    queue.play(at: 0)
    return (queue, items[0].id)
  }

  @Test("a stall waits, and playback goes on when there is data again")
  func stall() throws {
    var (queue, id) = try partlyLoaded()
    _ = queue.takeEvents()
    queue.advance(to: 5)
    #expect(queue.currentTime == 3 && queue.reasonForWaitingToPlay == .toMinimizeStalls)
    #expect(
      kinds(&queue) == [
        .playbackStalled(id),
        .timeControlStatusChanged(.waitingToPlayAtSpecifiedRate, .toMinimizeStalls),
      ])
    queue.setBuffer(ItemBuffer(), of: id, at: 6)
    queue.advance(to: 8)
    #expect(queue.currentTime == 5 && queue.timeControlStatus == .playing)
  }

  @Test("a stall ahead does not hold playback in the other direction")
  func stallAndTurn() throws {
    var (queue, _) = try partlyLoaded()
    queue.advance(to: 5)
    #expect(queue.reasonForWaitingToPlay == .toMinimizeStalls)
    queue.pause(at: 6)
    queue.play(at: 6)
    #expect(queue.reasonForWaitingToPlay == .toMinimizeStalls && queue.currentTime == 3)
    queue.setRate(-1, at: 6)
    queue.advance(to: 8)
    #expect(queue.timeControlStatus == .playing && queue.currentTime == 1)
    queue.setRate(1, at: 8)
    queue.advance(to: 20)
    #expect(queue.currentTime == 3 && queue.reasonForWaitingToPlay == .toMinimizeStalls)
  }

  @Test("without waiting, a stall pauses with rate 0")
  func stallWithoutWaiting() throws {
    var (queue, id) = try partlyLoaded()
    queue.setAutomaticallyWaitsToMinimizeStalling(false, at: 0)
    queue.advance(to: 5)
    #expect(queue.currentTime == 3 && queue.timeControlStatus == .paused && queue.rate == 0)
    #expect(kinds(&queue).contains(.playbackStalled(id)))
  }

  // MARK: Action at the end

  @Test("advance goes to the next item; pause sets the rate to 0")
  func advanceAndPause() throws {
    var (queue, items) = try queue(2, 3)
    queue.play(at: 0)
    queue.advance(to: 3)
    #expect(queue.currentItem?.id == items[1].id && queue.currentTime == 1 && queue.rate == 1)
    queue.setActionAtItemEnd(.pause, at: 3)
    queue.advance(to: 10)
    #expect(queue.currentItem?.id == items[1].id && queue.rate == 0 && queue.currentTime == 3)
  }

  @Test("none lets time run on past the end; switching later acts at once")
  func actionNone() throws {
    var (queue, items) = try queue(2, 3)
    queue.setActionAtItemEnd(.none, at: 0)
    queue.play(at: 0)
    queue.advance(to: 7)
    #expect(queue.currentTime == 7 && queue.rate == 1)
    #expect(kinds(&queue).filter { $0 == .didPlayToEnd(items[0].id) }.count == 1)
    var paused = queue
    paused.setActionAtItemEnd(.pause, at: 8)
    #expect(paused.rate == 0 && paused.timeControlStatus == .paused)
    queue.setActionAtItemEnd(.advance, at: 8)
    #expect(queue.currentItem?.id == items[1].id && queue.currentTime == 0)
    #expect(kinds(&queue).filter { $0 == .didPlayToEnd(items[0].id) }.isEmpty)
  }

  @Test("with the queue played out the player waits for an item and plays one that comes")
  func playedOut() throws {
    var (queue, _) = try queue(2)
    queue.play(at: 0)
    queue.advance(to: 5)
    #expect(queue.currentItem == nil && queue.rate == 1)
    #expect(queue.reasonForWaitingToPlay == .noItemToPlay)
    let next = queue.makeItem(asset: AssetID(rawValue: 7), source: "next")
    try queue.insert(next, at: 6)
    queue.itemDidLoad(next.id, Self.facts(4), at: 7)
    queue.advance(to: 8)
    #expect(queue.currentTime == 1)
  }

  // MARK: Observers

  @Test("a periodic observer fires at multiples, on jumps, and when playback starts or stops")
  func periodicObserver() throws {
    var (queue, _) = try queue(10)
    let id = try queue.addPeriodicTimeObserver(interval: t("1.5"), at: 0)
    queue.play(at: 1)
    queue.seek(to: 7, tolerance: .zero, id: SeekID(rawValue: 1), at: 5)
    queue.pause(at: t("6.25"))
    queue.advance(to: 20)
    let calls = queue.takeEvents().compactMap { event -> String? in
      if case .periodicTime(id, let time) = event.kind { return "\(event.host): \(time)" }
      return nil
    }
    #expect(calls == ["1: 0", "2.5: 1.5", "4: 3", "5: 7", "5.5: 7.5", "6.25: 8.25"])
  }

  @Test("a periodic observer fires backwards and in every pass")
  func periodicObserverBackwards() throws {
    var (queue, _) = try queue(3)
    queue.loopCurrentItem(at: 0)
    let id = try queue.addPeriodicTimeObserver(interval: 2, at: 0)
    queue.seek(to: 1, tolerance: .zero, id: SeekID(rawValue: 1), at: 0)
    _ = queue.takeEvents()
    queue.setRate(-1, at: 0)
    queue.advance(to: 5)
    let calls = queue.takeEvents().compactMap { event -> String? in
      if case .periodicTime(id, let time) = event.kind { return "\(event.host): \(time)" }
      return nil
    }
    #expect(calls == ["1: 0", "1: 3", "2: 2", "4: 0", "4: 3", "5: 2"])
  }

  @Test("a boundary observer fires when a time is traversed, not when it is jumped over")
  func boundaryObserver() throws {
    var (queue, _) = try queue(10)
    queue.loopCurrentItem(at: 0)
    let id = try queue.addBoundaryTimeObserver(times: [3, 1, 3, 10, 0], at: 0)
    queue.play(at: 0)
    queue.seek(to: 5, tolerance: .zero, id: SeekID(rawValue: 1), at: 2)
    queue.advance(to: t("8.5"))
    let calls = queue.takeEvents().compactMap { event -> String? in
      if case .boundaryTime(id, let time) = event.kind { return "\(event.host): \(time)" }
      return nil
    }
    #expect(calls == ["1: 1", "7: 10", "7: 0", "8: 1"])
  }

  @Test("after removal no call is made")
  func observerRemoval() throws {
    var (queue, _) = try queue(10)
    let id = try queue.addPeriodicTimeObserver(interval: 1, at: 0)
    let other = try queue.addBoundaryTimeObserver(times: [3], at: 0)
    queue.play(at: 0)
    queue.removeTimeObserver(id, at: 2)
    queue.removeTimeObserver(other, at: 2)
    _ = queue.takeEvents()
    queue.advance(to: 9)
    #expect(queue.takeEvents().isEmpty && queue.nextDue == 10)
  }

  @Test("observers of no interval, no times or too many are errors")
  func observerErrors() throws {
    var (queue, _) = try queue(10)
    #expect(throws: MediaError.self) { try queue.addPeriodicTimeObserver(interval: 0, at: 0) }
    #expect(throws: MediaError.self) { try queue.addPeriodicTimeObserver(interval: -1, at: 0) }
    #expect(throws: MediaError.self) { try queue.addBoundaryTimeObserver(times: [], at: 0) }
    #expect(throws: MediaError.self) {
      try queue.addBoundaryTimeObserver(times: (0...1000).map { Rational($0) }, at: 0)
    }
  }

  @Test("a fine interval at a high rate costs at most a thousand calls a host second")
  func observerThrottle() throws {
    var (queue, _) = try queue(1_000_000)
    _ = try queue.addPeriodicTimeObserver(interval: t("0.000001"), at: 0)
    queue.setRate(1000, at: 0)
    _ = queue.takeEvents()
    queue.advance(to: 1)
    let count = queue.takeEvents().count
    #expect(count <= 1001 && count >= 999)
  }

  // MARK: The queue

  @Test("removing the current item is advancing to the next one")
  func removeCurrent() throws {
    var (queue, items) = try queue(5, 6, 7)
    queue.play(at: 0)
    var advanced = queue
    queue.remove(items[0].id, at: 2)
    advanced.advanceToNextItem(at: 2)
    #expect(queue == advanced)
    #expect(queue.currentItem?.id == items[1].id && queue.currentTime == 0)
    queue.remove(items[2].id, at: 3)
    #expect(queue.items.map(\.id) == [items[1].id] && queue.currentTime == 1)
    queue.remove(items[0].id, at: 3)
    queue.removeAllItems(at: 4)
    #expect(queue.items.isEmpty && queue.currentTime == 0)
  }

  @Test("replacing the current item with itself is no change")
  func replaceWithItself() throws {
    var (queue, items) = try queue(5, 6)
    queue.play(at: 0)
    queue.advance(to: 2)
    _ = queue.takeEvents()
    let before = queue
    try queue.replaceCurrentItem(with: items[0], at: 2)
    #expect(queue == before)
    #expect(throws: MediaError.self) { try queue.replaceCurrentItem(with: items[1], at: 2) }
    let new = queue.makeItem(asset: AssetID(rawValue: 5), source: "new")
    try queue.replaceCurrentItem(with: new, at: 3)
    #expect(queue.items.map(\.id) == [new.id, items[1].id])
    try queue.replaceCurrentItem(with: nil, at: 3)
    #expect(queue.items.map(\.id) == [items[1].id])
  }

  @Test("inserting an item that is queued is an error; so is an unknown place")
  func insertTwice() throws {
    var (queue, items) = try queue(5, 6)
    #expect(throws: MediaError.self) { try queue.insert(items[1], at: 0) }
    let new = queue.makeItem(asset: AssetID(rawValue: 5), source: "new")
    #expect(throws: MediaError.self) {
      try queue.insert(new, after: ItemID(rawValue: 99), at: 0)
    }
    try queue.insert(new, after: items[0].id, at: 0)
    #expect(queue.items.map(\.id) == [items[0].id, new.id, items[1].id])
    #expect(throws: MediaError.self) { try queue.insert(new, at: 0) }
  }

  @Test("a failed current item pauses the player")
  func failedCurrent() throws {
    var queue = QueueStateMachine()
    let item = queue.makeItem(asset: AssetID(rawValue: 0), source: "a")
    try queue.insert(item, at: 0)
    queue.play(at: 0)
    queue.itemDidFail(item.id, .failedToLoad("x"), at: 1)
    #expect(queue.rate == 0 && queue.currentItem?.status == .failed)
    queue.itemDidLoad(item.id, Self.facts(3), at: 2)
    #expect(queue.currentItem?.status == .failed)
  }

  @Test("nobody waits for an item that has failed: not play, not a queue that comes to it")
  func failedIsNotWaitedFor() throws {
    var (queue, items) = try queue(2)
    let broken = queue.makeItem(asset: AssetID(rawValue: 1), source: "broken")
    try queue.insert(broken, at: 0)
    queue.itemDidFail(broken.id, .failedToLoad("x"), at: 0)
    #expect(queue.currentItem?.id == items[0].id)
    queue.play(at: 0)
    queue.advance(to: 3)
    #expect(queue.currentItem?.id == broken.id)
    #expect(queue.timeControlStatus == .paused && queue.rate == 0)
    queue.play(at: 4)
    queue.setRate(2, at: 4)
    queue.playImmediately(atRate: 1, at: 4)
    #expect(queue.timeControlStatus == .paused && queue.reasonForWaitingToPlay == nil)
    let next = queue.makeItem(asset: AssetID(rawValue: 2), source: "next")
    try queue.replaceCurrentItem(with: next, at: 5)
    queue.itemDidLoad(next.id, Self.facts(3), at: 5)
    queue.play(at: 5)
    queue.advance(to: 6)
    #expect(queue.currentTime == 1)
  }
}
