// Seeks and steps.

public import ReelCore

/// How far from its target a seek may land, in item seconds.
public struct SeekTolerance: Sendable, Hashable, Codable {
  /// ≥ 0; nil without limit.
  public var before: Rational?
  /// ≥ 0; nil without limit.
  public var after: Rational?
  /// Limits in both directions.
  public init(before: Rational?, after: Rational?) {
    self.before = before
    self.after = after
  }
  /// Exactly there.
  public static let zero = SeekTolerance(before: .zero, after: .zero)
  /// Wherever it is cheapest. The default of a low-level seek.
  public static let infinite = SeekTolerance(before: nil, after: nil)
}

/// A seek that has not finished.
struct PendingSeek: Sendable, Hashable, Codable {
  let id: SeekID
  let target: Rational
  let tolerance: SeekTolerance
  /// The rate to go on at from there; nil: the one that is set then.
  let rate: Float?
  /// When it is done; nil until the item is ready.
  var due: Rational?
}

extension QueueStateMachine {
  /// Moves the current item's time to `target` seconds; `seekFinished` tells with `id` how it ended.
  ///
  /// With `thenRate`, playback goes on at that rate from there, in the same instant.
  ///
  /// It ends with `false` at once without an item, with a failed one, or with a target outside of the
  /// seekable ranges; and when another seek or another current item comes before it is done. On an
  /// item that is not ready it waits.
  public mutating func seek(
    to target: Rational, tolerance: SeekTolerance = .infinite, thenRate rate: Float? = nil,
    id: SeekID, at host: Rational
  ) {
    change(at: host) { player in
      player.cancelSeek()
      guard let item = player.entries.first, item.status != .failed,
        item.status == .unknown || player.isSeekable(target, in: item)
      else {
        player.emit(.seekFinished(id, false))
        // The older one does not hold the time any more.
        return player.replan()
      }
      let isReady = item.status == .readyToPlay
      let seek = PendingSeek(
        id: id, target: target, tolerance: tolerance, rate: rate,
        due: isReady ? player.now + player.seekLatency : nil)
      if isReady, player.seekLatency.isZero {
        player.land(seek, in: item)
      } else {
        player.pendingSeek = seek
        player.replan()
      }
    }
  }

  /// Ends a pending seek with `false`.
  public mutating func cancelPendingSeeks(at host: Rational) {
    change(at: host) { player in
      player.cancelSeek()
      player.replan()
    }
  }

  /// Host time that seeks take from now on, ≥ 0.
  public mutating func setSeekLatency(_ latency: Rational, at host: Rational) {
    advance(to: host)
    seekLatency = max(latency, .zero)
  }

  /// Moves by pictures: exactly `count` times the item's frame duration, within the item. Pauses.
  public mutating func step(by count: Int, at host: Rational) {
    setRate(0, at: host)
    change(at: host) { player in
      guard let item = player.entries.first, item.status == .readyToPlay, count != 0,
        count > 0 ? item.facts.canStepForward : item.facts.canStepBackward,
        let frame = item.facts.frameDuration.flatMap({ Rational($0) }), frame.signum > 0,
        let length = item.length
      else { return }
      // On the picture that is shown, and never behind the last one.
      let place = player.location
      var shown = (place.item / frame).floor
      if place.side == .before, Rational(shown, 1) * frame == place.item { shown -= 1 }
      let last = (length / frame).ceiling - 1
      let number = min(max(shown + Int128(count), 0), max(last, 0))
      player.jump(to: Rational(number, 1) * frame, pass: player.pass)
      player.emit(.timeJumped(item.id))
      player.observersSawJump()
    }
  }

  mutating func cancelSeek() {
    guard let seek = pendingSeek else { return }
    pendingSeek = nil
    emit(.seekFinished(seek.id, false))
  }

  /// The pending seek is due.
  mutating func completeSeek() {
    guard let seek = pendingSeek, let item = entries.first else { return }
    tellingChanges { player in
      player.pendingSeek = nil
      player.land(seek, in: item)
    }
  }

  mutating func land(_ seek: PendingSeek, in item: PlayerItem) {
    if let rate = seek.rate, rate.isFinite, item.canPlay(at: rate) { self.rate = rate }
    jump(to: landing(of: seek, in: item), pass: pass)
    emit(.timeJumped(currentItem?.id ?? item.id))
    emit(.seekFinished(seek.id, true))
    observersSawJump()
  }

  private func isSeekable(_ target: Rational, in item: PlayerItem) -> Bool {
    if item.facts.seekableTimeRanges.isEmpty {
      return target >= .zero && (item.length.map { target <= $0 } ?? true)
    }
    return item.facts.seekableTimeRanges.contains { range in
      guard let start = Rational(range.start), let end = Rational(range.end) else { return false }
      return start <= target && target <= end
    }
  }

  /// The sync sample at or before the target within the tolerance, else the next one within it, else
  /// the target itself.
  private func landing(of seek: PendingSeek, in item: PlayerItem) -> Rational {
    let times = item.facts.syncTimes
    let allows = { (limit: Rational?, distance: Rational) in limit.map { distance <= $0 } ?? true }
    // The first sync time behind the target.
    var (low, high) = (0, times.count)
    while low < high {
      let middle = (low + high) / 2
      if let time = Rational(times[middle]), time <= seek.target {
        low = middle + 1
      } else {
        high = middle
      }
    }
    if low > 0, let time = Rational(times[low - 1]),
      allows(seek.tolerance.before, seek.target - time)
    {
      return time
    }
    if low < times.count, let time = Rational(times[low]),
      allows(seek.tolerance.after, time - seek.target)
    {
      return time
    }
    return seek.target
  }
}
