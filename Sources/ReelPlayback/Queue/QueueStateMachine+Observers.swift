// Observers of the item time.

public import ReelCore

/// An observer of the current item's time.
struct TimeObserver: Sendable, Hashable, Codable {
  enum Kind: Sendable, Hashable, Codable {
    /// Multiples of an interval > 0.
    case periodic(Rational)
    /// These times, ascending.
    case boundary([Rational])
  }
  let id: ObserverID
  let kind: Kind
  /// The last call; the same place in the same instant is not told twice.
  var lastHost: Rational?
  var lastTime: Rational?
  /// The item time in this pass up to which every call has been made.
  var progress: Rational
}

extension Rule {
  static let observerInterval = Rule(
    "playback.observer-interval", "an interval is at least a microsecond")
  static let observerTimes = Rule(
    "playback.observer-times", "a boundary observer has 1 to 1,000 times")
}

extension QueueStateMachine {
  /// Calls at multiples of `interval` seconds of item time while it runs, and whenever the time jumps
  /// or playback starts or stops.
  ///
  /// Calls are at least a thousandth of a host second apart.
  ///
  /// - Throws: `.usage` for an interval below a microsecond.
  public mutating func addPeriodicTimeObserver(
    interval: Rational, at host: Rational
  ) throws(MediaError) -> ObserverID {
    guard interval >= Rational(1, 1_000_000) else { throw MediaError(.usage, .observerInterval) }
    return addObserver(.periodic(interval), at: host)
  }

  /// Calls when one of `times` is reached by playing, in either direction.
  ///
  /// - Throws: `.usage` for none or more than a thousand times.
  public mutating func addBoundaryTimeObserver(
    times: [Rational], at host: Rational
  ) throws(MediaError) -> ObserverID {
    guard (1...1000).contains(times.count) else { throw MediaError(.usage, .observerTimes) }
    return addObserver(.boundary(Array(Set(times)).sorted()), at: host)
  }

  private mutating func addObserver(_ kind: TimeObserver.Kind, at host: Rational) -> ObserverID {
    advance(to: host)
    let id = ObserverID(rawValue: nextObserverID)
    nextObserverID = nextObserverID.addingClamped(1)
    observers.append(TimeObserver(id: id, kind: kind, progress: location.item))
    return id
  }

  /// No call is made for the observer from here on.
  public mutating func removeTimeObserver(_ id: ObserverID, at host: Rational) {
    advance(to: host)
    observers.removeAll { $0.id == id }
  }

  // MARK: When

  /// A motion or a pass begins at `place`; calls are made for what lies ahead of it.
  mutating func setObserverProgress(_ place: Rational) {
    for index in observers.indices { observers[index].progress = place }
  }

  /// The observer's next call on the way to the end of this pass; nil for none.
  func nextCall(of observer: TimeObserver) -> (host: Rational, time: Rational)? {
    guard !passesAreSilent, !isPassDue else { return nil }
    let isForward = motion.rate.signum > 0
    let (beginHost, beginItem) = passOrigin
    let from = observer.progress
    let time: Rational?
    switch observer.kind {
    case .boundary(let times):
      time = isForward ? times.first { $0 > from } : times.last { $0 < from }
    case .periodic(let interval):
      let index = from / interval
      var number =
        isForward ? index.floor.addingClamped(1) : index.ceiling.addingClamped(-1)
      if let last = observer.lastHost {
        // Not before a thousandth of a host second has passed.
        let reach = beginItem + (last + Self.shortestTold - beginHost) * motion.rate
        number =
          isForward
          ? max(number, (reach / interval).ceiling) : min(number, (reach / interval).floor)
      }
      time = Rational(number, 1) * interval
    }
    guard let time, isForward ? time > from : time < from else { return nil }
    let hasLimit = motion.firstEnd != nil && !motion.runsPastEnd
    if hasLimit, isForward ? time > motion.tail : time < motion.tail { return nil }
    return (beginHost + (time - beginItem) / motion.rate, time)
  }

  /// Host and item time that the running pass began with, or the motion if that came later.
  private var passOrigin: (host: Rational, item: Rational) {
    guard nextEnd > 0, !motion.runsPastEnd, let begin = passBegin else {
      return (motion.host, motion.item)
    }
    return (begin, motion.lead)
  }

  /// Makes a call; one that has been made for this time in this instant is not made again.
  mutating func callObserver(_ index: Int, time: Rational) {
    observers[index].progress = time
    guard observers[index].lastHost != now || observers[index].lastTime != time else { return }
    observers[index].lastHost = now
    observers[index].lastTime = time
    let id = observers[index].id
    switch observers[index].kind {
    case .periodic: emit(.periodicTime(id, time))
    case .boundary: emit(.boundaryTime(id, time))
    }
  }

  /// Playback has started or stopped.
  mutating func observersSawStartOrStop() { callPeriodicObservers() }

  /// The time has changed other than by playing.
  mutating func observersSawJump() { callPeriodicObservers() }

  /// A pass begins: its first instant is reached by playing.
  mutating func observersSawPass() {
    let time = motion.lead
    for index in observers.indices {
      switch observers[index].kind {
      case .periodic: callObserver(index, time: time)
      case .boundary(let times): if times.contains(time) { callObserver(index, time: time) }
      }
    }
  }

  private mutating func callPeriodicObservers() {
    let time = location.item
    for index in observers.indices {
      guard case .periodic = observers[index].kind else { continue }
      let progress = observers[index].progress
      callObserver(index, time: time)
      observers[index].progress = progress
    }
  }
}
