// A queue player, as AVQueuePlayer.

public import ReelCore
public import ReelPlayback
internal import Synchronization

/// Plays items one after the other. Rules and names are those of AVQueuePlayer; items are values that
/// are known by their ``PlayerItem/id``.
///
/// An item is loaded when it enters the queue. Safe to use from any thread.
public final class QueuePlayer: Sendable {
  private struct Front {
    var observers: [ObserverID: @Sendable (MediaTime) -> Void] = [:]
    var seeks: [SeekID: @Sendable (Bool) -> Void] = [:]
    var nextSeek = 0
    var sources: [ItemID: SourceReference] = [:]
  }
  let driver: PlayerDriver<QueueStateMachine>
  private let front = Mutex(Front())
  private let receivers = Subscribers<QueueEvent>()
  private let loader: any SourceLoader

  /// A player with an empty queue.
  public init(clock: any PlayerClock = HostClock(), loader: any SourceLoader = FileSourceLoader()) {
    self.loader = loader
    let owner = WeakReference<QueuePlayer>()
    driver = PlayerDriver(QueueStateMachine(), clock: clock) { output, _ in
      owner.object?.deliver(output)
    }
    owner.set(self)
  }

  /// A player with items of these sources in its queue.
  public convenience init(
    items: [SourceReference], clock: any PlayerClock = HostClock(),
    loader: any SourceLoader = FileSourceLoader()
  ) {
    self.init(clock: clock, loader: loader)
    for source in items { append(makeItem(source)) }
  }

  // MARK: The queue

  /// A new item, not yet in the queue.
  public func makeItem(_ source: SourceReference) -> PlayerItem {
    let item = driver.perform { machine, _ in
      // Every item has an asset of its own.
      machine.makeItem(
        asset: AssetID(rawValue: machine.itemCount), source: source.description)
    }
    front.withLock { $0.sources[item.id] = source }
    return item
  }

  /// A new item by name or address, not yet in the queue.
  public func makeItem(_ name: String, ext: String = "mp4") -> PlayerItem {
    makeItem(SourceReference(name: name, ext: ext))
  }

  /// All items in order; those of a loop as its replicas.
  public var items: [PlayerItem] { driver.machine.items }
  /// The head of the queue; nil when it is empty.
  public var currentItem: PlayerItem? { driver.machine.currentItem }

  /// Puts an item behind another one, or at the end, and loads it.
  ///
  /// - Throws: `.usage` when the item is in the queue already, or the other one is not.
  public func insert(_ item: PlayerItem, after other: ItemID? = nil) throws(MediaError) {
    try driver.perform { (machine, now) throws(MediaError) in
      try machine.insert(item, after: other, at: now)
    }
    load(item)
  }

  private func append(_ item: PlayerItem) {
    // A new item is in no queue.
    try? insert(item)
  }

  /// Takes an item out; the current one makes way for the next.
  public func remove(_ id: ItemID) {
    driver.perform { machine, now in machine.remove(id, at: now) }
  }

  /// Empties the queue; a loop ends.
  public func removeAllItems() {
    driver.perform { machine, now in machine.removeAllItems(at: now) }
  }

  /// Ends the current item and goes to the next; in a loop to its next pass.
  public func advanceToNextItem() {
    driver.perform { machine, now in machine.advanceToNextItem(at: now) }
  }

  /// Puts an item in the place of the current one; the current item itself is no change.
  ///
  /// - Throws: `.usage` when the item is elsewhere in the queue.
  public func replaceCurrentItem(with item: PlayerItem?) throws(MediaError) {
    try driver.perform { (machine, now) throws(MediaError) in
      try machine.replaceCurrentItem(with: item, at: now)
    }
    if let item { load(item) }
  }

  private func load(_ item: PlayerItem) {
    guard item.status == .unknown, let source = front.withLock({ $0.sources[item.id] }) else {
      return
    }
    driver.load(source, for: item.id, with: loader)
  }

  // MARK: Looping

  /// Loops over a template, which is copied now; see ``PlayerLooper``.
  func startLooping(
    _ template: PlayerItem, timeRange: MediaTimeRange, ordering: Looper.ItemOrdering
  ) throws(MediaError) -> [ItemID] {
    let ids = try driver.perform { (machine, now) throws(MediaError) -> [ItemID] in
      try machine.makeLooper(
        template: template, timeRange: timeRange, existingItems: ordering, at: now)
      return machine.looper?.loopingPlayerItems ?? []
    }
    if let source = front.withLock({ $0.sources[template.id] }), let first = ids.first {
      front.withLock { $0.sources[first] = source }
      if let entry = driver.machine.item(first) { load(entry) }
    }
    return ids
  }

  // MARK: Telling

  /// Calls with everything that happens, in the instant it does.
  @discardableResult
  public func onEvent(_ body: @escaping @Sendable (QueueEvent) -> Void) -> Subscription {
    receivers.add(body)
  }

  /// Everything that happens from now on.
  public var events: AsyncStream<QueueEvent> { receivers.stream() }

  private func deliver(_ event: QueueEvent) {
    switch event.kind {
    case .seekFinished(let id, let finished):
      front.withLock { $0.seeks.removeValue(forKey: id) }?(finished)
    case .periodicTime(let id, let time), .boundaryTime(let id, let time):
      front.withLock { $0.observers[id] }?(MediaTime(time))
    default: break
    }
    receivers.send(event)
  }

  /// Calls at multiples of an interval of item time, on jumps, and when playback starts or stops.
  ///
  /// - Throws: `.usage` for an interval below a microsecond.
  public func addPeriodicTimeObserver(
    forInterval interval: MediaTime, using body: @escaping @Sendable (MediaTime) -> Void
  ) throws(MediaError) -> ObserverID {
    let id = try driver.perform { (machine, now) throws(MediaError) -> ObserverID in
      try machine.addPeriodicTimeObserver(interval: Rational(interval) ?? .zero, at: now)
    }
    front.withLock { $0.observers[id] = body }
    return id
  }

  /// Calls when one of the times is reached by playing.
  ///
  /// - Throws: `.usage` for none or more than a thousand times.
  public func addBoundaryTimeObserver(
    forTimes times: [MediaTime], using body: @escaping @Sendable (MediaTime) -> Void
  ) throws(MediaError) -> ObserverID {
    let id = try driver.perform { (machine, now) throws(MediaError) -> ObserverID in
      try machine.addBoundaryTimeObserver(times: times.compactMap { Rational($0) }, at: now)
    }
    front.withLock { $0.observers[id] = body }
    return id
  }

  /// No call is begun for the observer after this returns.
  public func removeTimeObserver(_ id: ObserverID) {
    front.withLock { _ = $0.observers.removeValue(forKey: id) }
    driver.perform { machine, now in machine.removeTimeObserver(id, at: now) }
  }

  // MARK: Seeking

  /// Moves the current item's time; `completionHandler` tells whether it got there.
  ///
  /// A newer seek ends this one with `false` at once, as do another current item, no item, and a time
  /// outside of the seekable ranges. Without tolerances it may land on a sync sample nearby.
  public func seek(
    to time: MediaTime, toleranceBefore: MediaTime = .positiveInfinity,
    toleranceAfter: MediaTime = .positiveInfinity,
    completionHandler: @escaping @Sendable (Bool) -> Void = { _ in }
  ) {
    guard let target = Rational(time), let before = Self.tolerance(toleranceBefore),
      let after = Self.tolerance(toleranceAfter)
    else { return completionHandler(false) }
    let id = front.withLock { front in
      front.nextSeek += 1
      let id = SeekID(rawValue: front.nextSeek)
      front.seeks[id] = completionHandler
      return id
    }
    driver.perform { machine, now in
      machine.seek(
        to: target, tolerance: SeekTolerance(before: before.limit, after: after.limit), id: id,
        at: now)
    }
  }

  /// The limit of a tolerance, which is none for +∞; nil for a tolerance that is no length.
  private static func tolerance(_ time: MediaTime) -> (limit: Rational?, Void)? {
    if time.state == .positiveInfinity { return (nil, ()) }
    guard let seconds = Rational(time), seconds >= .zero else { return nil }
    return (seconds, ())
  }

  /// Moves the current item's time and returns whether it got there.
  public func seek(
    to time: MediaTime, toleranceBefore: MediaTime = .positiveInfinity,
    toleranceAfter: MediaTime = .positiveInfinity
  ) async -> Bool {
    await withCheckedContinuation { continuation in
      seek(to: time, toleranceBefore: toleranceBefore, toleranceAfter: toleranceAfter) {
        continuation.resume(returning: $0)
      }
    }
  }

  /// Ends a seek that is under way with `false`.
  public func cancelPendingSeeks() {
    driver.perform { machine, now in machine.cancelPendingSeeks(at: now) }
  }

  /// Moves by pictures; pauses.
  public func step(byCount count: Int) {
    driver.perform { machine, now in machine.step(by: count, at: now) }
  }
}
