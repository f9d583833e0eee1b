// Loops over an item of the queue.

public import ReelCore

extension Rule {
  static let loopIsRunning = Rule("playback.loop-running", "a player has one loop at a time")
  static let loopRange = Rule(
    "playback.loop-range", "a loop's range lies in its item and is not empty")
}

extension QueueStateMachine {
  /// Starts a loop over replicas of `template`, as AVPlayerLooper does: they go to the head of the
  /// queue (or its end), playback of them starts at the range's start, and the template itself is
  /// never played. The rate is kept.
  ///
  /// - Throws: `.usage` when a loop is running, or when the template's duration is known and the range
  ///   is empty or does not lie in it.
  public mutating func makeLooper(
    template: PlayerItem, timeRange: MediaTimeRange = .invalid,
    existingItems: Looper.ItemOrdering = .loopingItemsPrecedeExistingItems, at host: Rational
  ) throws(MediaError) {
    advance(to: host)
    guard looper == nil else { throw MediaError(.usage, .loopIsRunning) }
    let ids = (0..<3).map { _ in makeItemID() }
    let looper = Looper(
      loopingPlayerItems: ids, timeRange: timeRange, delay: .zero, passLimit: nil)
    if template.status == .readyToPlay, looper.range(in: template.length ?? .zero) == nil {
      throw MediaError(
        .usage, .loopRange, detail: "range \(timeRange), duration \(template.duration)")
    }
    change(at: host) { player in
      player.looper = looper
      let entry = template.replica(ids[0])
      if existingItems == .loopingItemsPrecedeExistingItems || player.entries.isEmpty {
        player.entries.insert(entry, at: 0)
        player.startCurrentItem()
      } else {
        player.entries.append(entry)
      }
      player.updateLooperStatus()
      player.replan()
    }
  }

  /// Loops over the current item from where it stands; the running pass is the first.
  ///
  /// Nothing happens without an item or when a loop is running. A loop that is being ended
  /// (``disableLooping(at:)``) goes on instead.
  public mutating func loopCurrentItem(
    delay: Rational = .zero, passLimit: Int? = nil, at host: Rational
  ) {
    change(at: host) { player in
      guard let item = player.currentItem else { return }
      if let looper = player.looper {
        guard looper.status == .cancelled, looper.entry == player.entries[0].id else { return }
        player.finishLoop(at: item)
      }
      player.looper = Looper(
        loopingPlayerItems: [item.id, player.makeItemID(), player.makeItemID()],
        timeRange: .invalid, delay: max(delay, .zero), passLimit: passLimit.map { max($0, 1) },
        basePass: player.pass)
      player.updateLooperStatus()
      player.replan()
    }
  }

  /// Ends the loop: the running pass is played to its end, then comes what `actionAtItemEnd` says.
  /// Between two passes, also while paused there, the loop ends at once.
  public mutating func disableLooping(at host: Rational) {
    change(at: host) { player in
      guard let looper = player.looper, looper.status != .cancelled else { return }
      let item = player.currentItem
      let isBetween =
        player.location.phase == .holding
        || player.endedForward != nil && player.isLooping(looper)
      player.looper?.status = .cancelled
      player.emit(.looperStatusChanged(.cancelled))
      if player.entries.first?.id != looper.entry || looper.status != .ready {
        player.endLooper()
      }
      guard isBetween, let item else { return player.replan() }
      player.finishLoop(at: item)
      player.endBetweenPasses()
    }
  }

  /// Host seconds to hold the last picture between passes, from the next end on; ≥ 0.
  public mutating func setLoopDelay(_ delay: Rational, at host: Rational) {
    change(at: host) { player in
      guard player.looper != nil, player.looper?.delay != delay else { return }
      player.looper?.delay = max(delay, .zero)
      player.replan()
    }
  }

  /// The pass had ended and was told of; only the action is left.
  private mutating func endBetweenPasses() {
    let here = location
    endedForward = endedForward ?? (here.side == .before)
    switch ownActionAtItemEnd {
    case .pause:
      rate = 0
      plan(from: here.resting)
    case .none: plan(from: here.resting)
    case .advance: dropCurrentItem()
    }
  }

  /// The loop is over: the replica that plays becomes an item like any other.
  mutating func finishLoop(at item: PlayerItem) {
    guard let looper, entries.first?.id == looper.entry else { return }
    let wasCancelled = looper.status == .cancelled
    keep(looper)
    entries[0] = item
    self.looper = nil
    if !wasCancelled { emit(.looperStatusChanged(.cancelled)) }
  }

  /// The loop's entry is taken away or the loop is dropped.
  mutating func endLooper() {
    guard let looper else { return }
    keep(looper)
    if entries.first?.id == looper.entry, let item = currentItem { entries[0] = item }
    let wasTold = looper.status == .cancelled
    self.looper = nil
    if !wasTold { emit(.looperStatusChanged(.cancelled)) }
  }

  /// The count of a loop outlives it.
  private mutating func keep(_ looper: Looper) {
    finishedLoop = FinishedLoop(
      loopingPlayerItems: looper.loopingPlayerItems, loopCount: loopCount, failure: looper.failure)
  }

  /// The duration of the looped item, or its failure, has become known.
  mutating func updateLooperStatus() {
    guard let looper, looper.status == .unknown,
      let entry = entries.first(where: { $0.id == looper.entry })
    else { return }
    switch entry.status {
    case .unknown: return
    case .failed:
      self.looper?.failure = entry.failure
      self.looper?.status = .failed
    case .readyToPlay:
      let isPlayable = entry.length.map { looper.range(in: $0) != nil } ?? false
      self.looper?.status = isPlayable ? .ready : .failed
      if !isPlayable {
        self.looper?.failure = .failedToLoad(Rule.loopRange.text)
      }
    }
    emit(.looperStatusChanged(self.looper?.status ?? .failed))
  }

  /// The next pass at once; behind the last one the loop is over and the next item comes.
  mutating func skipPass(_ looper: Looper) {
    cancelSeek()
    let here = location
    if wrapping(from: here.pass)?.limit == 0 { return dropCurrentItem() }
    if timeControlStatus == .playing {
      endedForward = rate > 0
      return plan(from: here.resting)
    }
    guard let item = entries.first, let length = item.length, let range = looper.range(in: length)
    else { return }
    let isForward = rate >= 0
    jump(
      to: isForward ? range.start : range.end, pass: here.pass.addingClamped(1),
      side: isForward ? .atOrBefore : .before)
    tellCurrentItem()
    emit(.timeJumped(currentItem?.id ?? item.id))
    emit(.loopCountChanged(loopCount))
    observersSawJump()
  }
}
