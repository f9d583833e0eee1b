// How the player's state becomes a motion, and what happens along it.

internal import ReelCore

extension QueueStateMachine {
  enum Transition: Sendable, Hashable {
    case seekCompletes
    case observer(Int, Rational)
    case itemEnds
    case passBegins
    case bufferRunsOut
  }

  // MARK: Making motions

  /// Starts a new motion from where playback stands, after something it depends on has changed.
  mutating func replan() {
    let here = location
    plan(from: here, holdEnd: here.phase == .holding ? passBegin : nil)
  }

  /// Starts a motion from `here`, which lies between two passes up to `holdEnd` where that is given.
  mutating func plan(from here: Location, holdEnd: Rational? = nil) {
    (nextEnd, isPassDue) = (0, false)
    setObserverProgress(here.item)
    guard let item = entries.first, timeControlStatus == .playing,
      let speed = Rational(exactly: rate)
    else {
      // A pass that has ended stays ended: the next one begins when playback goes on.
      if here.phase == .holding { endedForward = here.side == .before }
      motion = Motion(restingAt: here.resting, since: now)
      return
    }
    let isForward = speed.signum > 0
    let hasEnded = holdEnd == nil ? endedForward == isForward : (here.side == .before) == isForward
    let wrapping = wrapping(from: here.pass)
    let (start, end) = bounds(of: item, from: here.item, isForward: isForward)
    if hasEnded, let wrapping, wrapping.limit != 0 {
      endedForward = nil
      isPassDue = true
      motion = Motion(
        from: (isForward ? start : end) ?? .zero, pass: here.pass.addingClamped(1),
        at: holdEnd ?? now, rate: speed, start: start, end: end,
        wrapping: Motion.Wrapping(delay: wrapping.delay, limit: wrapping.limit.map { $0 - 1 }),
        before: holdEnd == nil ? nil : here)
      return
    }
    endedForward = hasEnded ? isForward : nil
    motion = Motion(
      from: here.item, pass: here.pass, at: now, rate: speed, start: start, end: end,
      wrapping: wrapping, runsPastEnd: wrapping == nil && actionAtItemEnd == .none)
    // With action none, an end that has been told of is not told of again.
    if hasEnded && motion.runsPastEnd { nextEnd = 1 }
  }

  /// Places the current item and starts its motion from there.
  mutating func jump(to time: Rational, pass: Int, side: PictureSide = .atOrBefore) {
    endedForward = nil
    isStalled = false
    plan(from: Location(item: time, pass: pass, side: side, phase: .resting))
  }

  /// Whether the loop is at the head of the queue and repeats.
  func isLooping(_ looper: Looper) -> Bool {
    looper.status == .ready && entries.first?.id == looper.entry
  }

  /// The running loop as a motion needs it in `pass`; nil when the end of the item is an end.
  func wrapping(from pass: Int) -> Motion.Wrapping? {
    guard let looper, isLooping(looper) else { return nil }
    let limit = looper.passLimit.map { max($0 - 1 - (pass - looper.basePass), 0) }
    return Motion.Wrapping(delay: looper.delay, limit: limit)
  }

  /// Where travel from `place` begins and ends in an item.
  func bounds(
    of item: PlayerItem, from place: Rational, isForward: Bool
  ) -> (start: Rational, end: Rational?) {
    let length = item.length
    if let looper, looper.entry == item.id, looper.status == .ready || looper.status == .cancelled,
      let length, let range = looper.range(in: length)
    {
      return range
    }
    var start = Rational(item.reversePlaybackEndTime).map { max($0, .zero) } ?? .zero
    var end = length
    if let limit = Rational(item.forwardPlaybackEndTime), limit >= .zero {
      end = length.map { min($0, limit) } ?? limit
    }
    // Who has already passed a limit plays on to the item's own end.
    if isForward, let limit = end, place > limit { end = length }
    if !isForward, place < start { start = .zero }
    return (start, end)
  }

  // MARK: What is due

  /// Ends that wrap are not told of, only the last one.
  var passesAreSilent: Bool { motion.isTooFastToTell || !tellsPasses && motion.period != nil }

  /// When the pass begins that is due.
  var passBegin: Rational? {
    nextEnd == 0 ? motion.host : motion.end(nextEnd - 1).map { $0 + motion.delay }
  }

  /// What happens next of itself. Of several at one instant: a seek, then observers of the time that
  /// is reached, then the end, then the next pass.
  var nextTransition: (host: Rational, kind: Transition)? {
    var first: (host: Rational, kind: Transition)?
    func consider(_ host: Rational?, _ kind: Transition) {
      if let host, first.map({ host < $0.host }) ?? true { first = (host, kind) }
    }
    if let seek = pendingSeek { consider(seek.due, .seekCompletes) }
    guard !motion.rate.isZero else { return first }
    for index in observers.indices {
      if let call = nextCall(of: observers[index]) {
        consider(call.host, .observer(index, call.time))
      }
    }
    if isPassDue {
      consider(passBegin, .passBegins)
    } else if passesAreSilent {
      consider(motion.wrapLimit.flatMap { motion.end($0) }, .itemEnds)
    } else {
      consider(motion.end(nextEnd), .itemEnds)
    }
    consider(bufferEnd, .bufferRunsOut)
    return first
  }

  mutating func perform(_ transition: Transition) {
    switch transition {
    case .seekCompletes: completeSeek()
    case .observer(let index, let time): callObserver(index, time: time)
    case .itemEnds: endPass()
    case .passBegins: beginPass()
    case .bufferRunsOut: runOutOfBuffer()
    }
  }

  /// The end of a pass, or of the item.
  private mutating func endPass() {
    if passesAreSilent { nextEnd = motion.wrapLimit ?? nextEnd }
    guard motion.wraps(at: nextEnd), let looper else { return endItem() }
    let place = motion.held(atEnd: nextEnd)
    let id = looper.replica(in: place.pass)
    nextEnd = nextEnd.addingClamped(1)
    isPassDue = true
    emit(.didPlayToEnd(id), item: id, at: place)
  }

  private mutating func beginPass() {
    isPassDue = false
    setObserverProgress(motion.lead)
    tellCurrentItem()
    emit(.loopCountChanged(loopCount))
    observersSawPass()
  }

  /// The end of the current item for good.
  private mutating func endItem() {
    guard let item = currentItem else { return }
    let isForward = motion.rate.signum > 0
    let isTold = endedForward == isForward
    let place = motion.held(atEnd: nextEnd)
    finishLoop(at: item)
    // A loop that waits behind this item still makes the player advance.
    switch actionAtItemEnd {
    case .pause:
      tellingChanges { player in
        player.rate = 0
        player.endedForward = isForward
        player.motion = Motion(restingAt: place.resting, since: player.now)
      }
      if !isTold { emit(.didPlayToEnd(item.id)) }
    case .none:
      endedForward = isForward
      replan()
      if !isTold { emit(.didPlayToEnd(item.id)) }
    case .advance:
      if !isTold { emit(.didPlayToEnd(item.id), item: item.id, at: place) }
      tellingChanges { $0.dropCurrentItem() }
    }
  }
}

extension Location {
  /// The same place at rest.
  var resting: Location { Location(item: item, pass: pass, side: side, phase: .resting) }
}
