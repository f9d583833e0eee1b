// Rates, stalls and what an end does. AVPlayer's playback control.

public import ReelCore

extension QueueStateMachine {
  /// Plays at ``defaultRate``.
  ///
  /// Behind the end it starts again from the other side where ``playsAgainAtEnd`` is set, else it
  /// stays there.
  public mutating func play(at host: Rational) {
    setRate(defaultRate, restarting: playsAgainAtEnd, at: host)
  }

  /// The same as a rate of 0.
  public mutating func pause(at host: Rational) { setRate(0, at: host) }

  /// Sets the rate; any finite number, negative for backwards.
  ///
  /// Ignored: NaN and infinities, a rate the ready item cannot play, any rate but 0 with a failed item,
  /// and a rate that leads on past an end that was reached, with action pause and no loop.
  public mutating func setRate(_ rate: Float, at host: Rational) {
    setRate(rate, restarting: false, at: host)
  }

  private mutating func setRate(_ rate: Float, restarting: Bool, at host: Rational) {
    guard rate.isFinite else { return advance(to: host) }
    change(at: host) { player in
      if let item = player.entries.first, !player.canStart(item, at: rate) { return }
      let isAtEnd =
        rate != 0
        && (player.endedForward == (rate > 0)
          || restarting && player.standsAtEnd(isForward: rate > 0))
      if isAtEnd, !(player.looper.map { player.isLooping($0) } ?? false) {
        if restarting {
          player.rate = rate
          return player.restart()
        }
        if player.actionAtItemEnd == .pause { return }
      }
      guard rate != player.rate else { return }
      // Data that is missing ahead does not hold playback in the other direction.
      if rate != 0, player.isStalled, let item = player.entries.first,
        player.hasDataAhead(item, rate: rate)
      {
        player.isStalled = false
      }
      player.rate = rate
      player.replan()
    }
  }

  /// Whether a rate can be set with this current item. Nobody waits for one that has failed.
  private func canStart(_ item: PlayerItem, at rate: Float) -> Bool {
    switch item.status {
    case .unknown: true
    case .readyToPlay: item.canPlay(at: rate)
    case .failed: rate == 0
    }
  }

  /// Paused, with nothing left to play in this direction, however it got there.
  private func standsAtEnd(isForward: Bool) -> Bool {
    guard rate == 0, pendingSeek == nil, let item = entries.first, item.status == .readyToPlay
    else {
      return false
    }
    let place = location.item
    let (start, end) = bounds(of: item, from: place, isForward: isForward)
    return isForward ? end.map { place >= $0 } ?? false : place <= start
  }

  /// From the end back to where the direction of travel begins; a jump.
  private mutating func restart() {
    guard let item = entries.first else { return }
    let end = item.length ?? .zero
    jump(to: rate < 0 ? end : .zero, pass: pass, side: rate < 0 ? .before : .atOrBefore)
    emit(.timeJumped(item.id))
    observersSawJump()
  }

  /// Plays what is buffered without waiting for more, at `rate`.
  public mutating func playImmediately(atRate rate: Float, at host: Rational) {
    guard rate.isFinite else { return advance(to: host) }
    change(at: host) { player in
      guard let item = player.entries.first, !item.buffer.isPlaybackLikelyToKeepUp,
        player.hasDataAhead(item, rate: rate)
      else { return }
      player.entries[0].buffer.isPlaybackLikelyToKeepUp = true
      player.replan()
    }
    setRate(rate, at: host)
  }

  /// What ``play(at:)`` plays at; any finite number.
  public mutating func setDefaultRate(_ rate: Float, at host: Rational) {
    advance(to: host)
    if rate.isFinite { defaultRate = rate }
  }

  /// What happens at an item's end. Playback that is past an end acts at once.
  public mutating func setActionAtItemEnd(_ action: ActionAtItemEnd, at host: Rational) {
    change(at: host) { player in
      guard action != player.ownActionAtItemEnd else { return }
      player.ownActionAtItemEnd = action
      player.replan()
    }
  }

  /// Whether `play` behind the end of an item starts it again.
  public mutating func setPlaysAgainAtEnd(_ value: Bool, at host: Rational) {
    advance(to: host)
    playsAgainAtEnd = value
  }

  /// Whether a stall waits for data (true) or pauses with rate 0.
  public mutating func setAutomaticallyWaitsToMinimizeStalling(_ value: Bool, at host: Rational) {
    change(at: host) { player in
      guard value != player.automaticallyWaitsToMinimizeStalling else { return }
      player.automaticallyWaitsToMinimizeStalling = value
      player.replan()
    }
  }

  /// 0…1; values outside are clamped, NaN is ignored.
  public mutating func setVolume(_ volume: Float, at host: Rational) {
    advance(to: host)
    guard !volume.isNaN else { return }
    let clamped = min(max(volume, 0), 1)
    guard clamped != self.volume else { return }
    self.volume = clamped
    emit(.volumeChanged(clamped))
  }

  /// Silences, whatever the volume.
  public mutating func setMuted(_ isMuted: Bool, at host: Rational) {
    advance(to: host)
    guard isMuted != self.isMuted else { return }
    self.isMuted = isMuted
    emit(.mutedChanged(isMuted))
  }

  // MARK: Buffers

  /// What is loaded of an item has changed.
  public mutating func setBuffer(_ buffer: ItemBuffer, of id: ItemID, at host: Rational) {
    change(at: host) { player in
      guard let index = player.index(of: id), player.entries[index].buffer != buffer else { return }
      player.entries[index].buffer = buffer
      guard index == 0 else { return }
      player.isStalled = false
      player.replan()
    }
  }

  /// Playback waits for data.
  func isStarved(_ item: PlayerItem) -> Bool {
    automaticallyWaitsToMinimizeStalling && (isStalled || !item.buffer.isPlaybackLikelyToKeepUp)
  }

  /// Whether the current place can be played on from at `rate`.
  private func hasDataAhead(_ item: PlayerItem, rate: Float) -> Bool {
    guard item.buffer.loadedTimeRanges != nil else { return true }
    let place = location.item
    // At an end there is nothing left to wait for.
    if rate > 0, let length = item.length, place >= length { return true }
    if rate < 0, place <= .zero { return true }
    return loadedEnd(item, from: place, isForward: rate >= 0) != nil
  }

  /// How far the data around `place` reaches in the direction of travel; nil when there is none.
  private func loadedEnd(_ item: PlayerItem, from place: Rational, isForward: Bool) -> Rational? {
    var reach = place
    // Ranges come in any order and may touch each other.
    let ranges = (item.buffer.loadedTimeRanges ?? []).compactMap { range in
      Rational(range.start).flatMap { start in Rational(range.end).map { (start, $0) } }
    }
    for (start, end) in isForward
      ? ranges.sorted(by: { $0.0 < $1.0 }) : ranges.sorted(by: { $0.1 > $1.1 })
    {
      if isForward, start <= reach, end > reach { reach = end }
      if !isForward, end >= reach, start < reach { reach = start }
    }
    return reach == place ? nil : reach
  }

  /// Host time at which the loaded data ends before the item does; nil when it does not.
  var bufferEnd: Rational? {
    guard let item = entries.first, item.buffer.loadedTimeRanges != nil else { return nil }
    let place = location
    guard place.phase == .moving else { return nil }
    let isForward = motion.rate.signum > 0
    let reach = loadedEnd(item, from: place.item, isForward: isForward) ?? place.item
    let hasEnd = isForward ? item.length != nil : true
    if hasEnd, isForward ? reach >= motion.tail : reach <= motion.tail { return nil }
    return now + (reach - place.item) / motion.rate
  }

  mutating func runOutOfBuffer() {
    guard let item = currentItem else { return }
    // Playback that could not even begin has not stalled.
    if location.item != motion.item { emit(.playbackStalled(item.id)) }
    tellingChanges { player in
      if player.automaticallyWaitsToMinimizeStalling {
        player.isStalled = true
      } else {
        player.rate = 0
      }
      player.replan()
    }
  }
}
