// The queue: insert, remove, advance, replace, and what becomes known of the items.

public import ReelCore

extension Rule {
  static let itemAlreadyQueued = Rule(
    "playback.item-queued", "an item is in the queue at most once")
  static let itemNotQueued = Rule("playback.item-unknown", "the item is in the queue")
}

extension QueueStateMachine {
  /// A new item of `asset`, not yet in the queue.
  public mutating func makeItem(asset: AssetID, source: String) -> PlayerItem {
    PlayerItem(id: makeItemID(), asset: asset, source: source)
  }

  /// Items that have been made so far, replicas included.
  public var itemCount: Int { nextItemID }

  mutating func makeItemID() -> ItemID {
    defer { nextItemID = nextItemID.addingClamped(1) }
    return ItemID(rawValue: nextItemID)
  }

  /// Position of the entry that an item or replica belongs to.
  func index(of id: ItemID) -> Int? {
    entries.firstIndex { entry in
      if entry.id == id { return true }
      guard let looper, looper.entry == entry.id else { return false }
      return looper.loopingPlayerItems.contains(id)
    }
  }

  /// An item of the queue or a replica by its identity.
  public func item(_ id: ItemID) -> PlayerItem? {
    guard let index = index(of: id) else { return nil }
    return entries[index].id == id ? entries[index] : entries[index].replica(id)
  }

  /// Puts an item behind another one, or at the end.
  ///
  /// - Throws: `.usage` when the item is in the queue already, or the other one is not.
  public mutating func insert(
    _ item: PlayerItem, after other: ItemID? = nil, at host: Rational
  ) throws(MediaError) {
    advance(to: host)
    guard index(of: item.id) == nil else {
      throw MediaError(.usage, .itemAlreadyQueued, at: .named("item \(item.id)"))
    }
    var position = entries.count
    if let other {
      guard let index = index(of: other) else {
        throw MediaError(.usage, .itemNotQueued, at: .named("item \(other)"))
      }
      position = index + 1
    }
    change(at: host) { player in
      player.entries.insert(item, at: position)
      if player.entries.count == 1 { player.startCurrentItem() }
    }
  }

  /// Takes an item out; the current one makes way for the next. Nothing happens when it is not there.
  public mutating func remove(_ id: ItemID, at host: Rational) {
    change(at: host) { player in
      guard let index = player.index(of: id) else { return }
      if index == 0 {
        player.dropCurrentItem()
      } else {
        if player.looper?.entry == player.entries[index].id { player.endLooper() }
        player.entries.remove(at: index)
      }
    }
  }

  /// Ends the current item and goes to the next. A loop goes to its next pass.
  public mutating func advanceToNextItem(at host: Rational) {
    change(at: host) { player in
      if let looper = player.looper, player.isLooping(looper) {
        player.skipPass(looper)
      } else {
        player.dropCurrentItem()
      }
    }
  }

  /// Empties the queue; a loop and a pending seek end.
  public mutating func removeAllItems(at host: Rational) {
    change(at: host) { player in
      player.endLooper()
      player.entries = []
      player.startCurrentItem()
    }
  }

  /// Puts `item` in the place of the current one, or takes that away when nil. The current item in its
  /// own place is no change.
  ///
  /// - Throws: `.usage` when the item is elsewhere in the queue.
  public mutating func replaceCurrentItem(
    with item: PlayerItem?, at host: Rational
  ) throws(MediaError) {
    advance(to: host)
    if let item {
      if index(of: item.id) == 0 { return }
      guard index(of: item.id) == nil else {
        throw MediaError(.usage, .itemAlreadyQueued, at: .named("item \(item.id)"))
      }
    }
    change(at: host) { player in
      if player.looper?.entry == player.entries.first?.id { player.endLooper() }
      if !player.entries.isEmpty { player.entries.removeFirst() }
      if let item { player.entries.insert(item, at: 0) }
      player.startCurrentItem()
    }
  }

  /// The asset of an item is loaded.
  public mutating func itemDidLoad(_ id: ItemID, _ facts: ItemFacts, at host: Rational) {
    change(at: host) { player in
      guard let index = player.index(of: id), player.entries[index].status == .unknown else {
        return
      }
      player.entries[index].facts = facts
      player.entries[index].status = .readyToPlay
      let shown = index == 0 ? player.currentItem?.id ?? id : player.entries[index].id
      player.emit(.itemStatusChanged(shown, .readyToPlay))
      player.emit(.durationChanged(shown, facts.duration))
      player.updateLooperStatus()
      guard index == 0 else { return }
      player.currentItemBecameReady()
    }
  }

  private mutating func currentItemBecameReady() {
    guard let item = entries.first else { return }
    if !item.canPlay(at: rate) { rate = 0 }
    guard let seek = pendingSeek else {
      // Backwards, an item is entered at its end, which is known only now.
      if location.item.isZero { startMotion() } else { replan() }
      return
    }
    guard seek.target >= .zero, item.length.map({ seek.target <= $0 }) ?? true else {
      cancelSeek()
      return startMotion()
    }
    guard seekLatency.isZero else {
      pendingSeek?.due = now + seekLatency
      return startMotion()
    }
    pendingSeek = nil
    land(seek, in: item)
  }

  /// The asset of an item could not be loaded or played on. A failed current item pauses the player.
  public mutating func itemDidFail(_ id: ItemID, _ failure: VPErrors, at host: Rational) {
    change(at: host) { player in
      guard let index = player.index(of: id), player.entries[index].status != .failed else {
        return
      }
      player.entries[index].status = .failed
      player.entries[index].failure = failure
      let shown = index == 0 ? player.currentItem?.id ?? id : player.entries[index].id
      player.emit(.itemStatusChanged(shown, .failed))
      player.updateLooperStatus()
      guard index == 0 else { return }
      player.cancelSeek()
      player.rate = 0
      player.replan()
    }
  }

  /// Where forward playback of an item ends; invalid: at its duration.
  public mutating func setForwardPlaybackEndTime(
    _ time: MediaTime, of id: ItemID, at host: Rational
  ) {
    setEndTime(time, \.forwardPlaybackEndTime, of: id, at: host)
  }

  /// Where backward playback of an item ends; invalid: at zero.
  public mutating func setReversePlaybackEndTime(
    _ time: MediaTime, of id: ItemID, at host: Rational
  ) {
    setEndTime(time, \.reversePlaybackEndTime, of: id, at: host)
  }

  private mutating func setEndTime(
    _ time: MediaTime, _ end: WritableKeyPath<PlayerItem, MediaTime>, of id: ItemID,
    at host: Rational
  ) {
    change(at: host) { player in
      guard let index = player.index(of: id), player.entries[index][keyPath: end] != time else {
        return
      }
      let isForward = end == \.forwardPlaybackEndTime
      let old = player.currentEnd(isForward: isForward)
      player.entries[index][keyPath: end] = time
      guard index == 0 else { return }
      // An end that stays where it is has been told of.
      if player.endedForward == isForward, player.currentEnd(isForward: isForward) != old {
        player.endedForward = nil
      }
      player.replan()
    }
  }

  /// Where playback of the current item ends from its place on, in one direction; nil when it does not.
  private func currentEnd(isForward: Bool) -> Rational? {
    guard let item = entries.first else { return nil }
    let (start, end) = bounds(of: item, from: location.item, isForward: isForward)
    return isForward ? end : start
  }

  // MARK: The head of the queue

  /// Takes the current item out and starts the next.
  mutating func dropCurrentItem() {
    guard let entry = entries.first else { return }
    if looper?.entry == entry.id { endLooper() }
    entries.removeFirst()
    startCurrentItem()
  }

  /// Another item is at the head.
  mutating func startCurrentItem() {
    cancelSeek()
    if entries.first?.status == .failed { rate = 0 }
    startMotion()
    if let item = entries.first { emit(.timeJumped(item.id)) }
    observersSawJump()
  }

  private mutating func startMotion() {
    guard let item = entries.first, item.status == .readyToPlay else {
      return jump(to: .zero, pass: 0)
    }
    var (start, end) = (Rational.zero, item.length)
    if let looper, looper.entry == item.id, let length = item.length,
      let range = looper.range(in: length)
    {
      (start, end) = range
    }
    if rate < 0, let end {
      jump(to: end, pass: 0, side: .before)
    } else {
      jump(to: start, pass: 0)
    }
  }
}
