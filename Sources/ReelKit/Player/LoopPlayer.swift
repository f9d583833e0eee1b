// The looping player of the contract, as application code uses it.

public import ReelAssets
public import ReelCore
@_exported public import ReelPlayback
internal import Synchronization

/// A video player without a screen: settings and commands in, events and what is shown out.
///
/// ```swift
/// let clock = ManualClock()
/// let player = LoopPlayer(clock: clock) {
///   SourceName("swipe.mp4")
///   Loop()
///   Events()
/// }
/// player.send(.seek(to: 2.0))
/// clock.advance(by: 1)
/// player.evaluation.itemTime   // 3
/// ```
///
/// Safe to use from any thread. Closures are called one at a time, in order, on the thread that made
/// the call or that drives the clock.
public final class LoopPlayer: Sendable {
  /// A published time.
  public struct PublishedTime: Sendable, Hashable {
    /// Host time at which it was published.
    public let host: Rational
    /// The item's time.
    public let time: MediaTime
  }

  private struct Front {
    var last: PlaybackCommand?
    /// Builders by the text of their id, for when the bounds change.
    var builders: [String: any ShapeLayerBuilderProtocol] = [:]
    /// The container of the newest source.
    var asset: (id: AssetID, asset: Asset)?
    var observers: [ObserverID: @Sendable (MediaTime) -> Void] = [:]
  }
  let driver: PlayerDriver<PlayerStateMachine>
  private let front: Mutex<Front>
  private let receivers: Receivers
  private let loader: any SourceLoader

  /// What the driver's closure needs of the player; it does not keep the player itself.
  fileprivate final class Receivers: Sendable {
    let batches = Subscribers<EventBatch>()
    let times = Subscribers<PublishedTime>()
    let log = Subscribers<LogEntry>()
  }

  /// A player without settings yet.
  ///
  /// - Parameters:
  ///   - clock: Where host time comes from; real time when none is given.
  ///   - loader: Opens sources.
  ///   - bounds: Size of the output in pixels.
  ///   - compatibility: Ways of the original players that are to be kept.
  public convenience init(
    clock: any PlayerClock = HostClock(), loader: any SourceLoader = FileSourceLoader(),
    bounds: Rect = .zero, compatibility: PlayerCompatibility = []
  ) {
    self.init(
      restoring: PlayerStateMachine(compatibility: compatibility), clock: clock, loader: loader)
    if bounds != .zero { setBounds(bounds) }
  }

  /// A player that goes on from a saved state. Its sources are opened again when a picture is asked
  /// for; overlays keep the shapes they had until their builders are added again.
  public init(
    restoring state: PlayerStateMachine, clock: any PlayerClock,
    loader: any SourceLoader = FileSourceLoader()
  ) {
    self.loader = loader
    let receivers = Receivers()
    self.receivers = receivers
    front = Mutex(Front())
    let owner = WeakReference<LoopPlayer>()
    driver = PlayerDriver(state, clock: clock) { output, _ in owner.object?.deliver(output) }
    owner.set(self)
    // What the state has due is scheduled, and what it waits for is asked for again.
    driver.perform { machine, now in machine.resumeLoading(at: now) }
  }

  /// A player with settings, which are applied at once.
  public convenience init(
    settings: VideoSettings, clock: any PlayerClock = HostClock(),
    loader: any SourceLoader = FileSourceLoader(), bounds: Rect = .zero,
    compatibility: PlayerCompatibility = []
  ) {
    self.init(clock: clock, loader: loader, bounds: bounds, compatibility: compatibility)
    apply(settings)
  }

  /// A player with settings from building blocks.
  public convenience init(
    clock: any PlayerClock = HostClock(), loader: any SourceLoader = FileSourceLoader(),
    bounds: Rect = .zero, @SettingsBuilder _ builder: () -> [any Setting]
  ) {
    self.init(
      settings: VideoSettings(builder: builder), clock: clock, loader: loader, bounds: bounds)
  }

  /// The short form: a file name, how it fits, and the first command.
  public convenience init(
    fileName: String, ext: String = "mp4", gravity: Gravity = .resizeAspect,
    timePublishing: MediaTime? = nil, command: PlaybackCommand = .play,
    clock: any PlayerClock = HostClock(), loader: any SourceLoader = FileSourceLoader()
  ) {
    self.init(
      settings: VideoSettings(
        fileName: fileName, ext: ext, gravity: gravity, timePublishing: timePublishing),
      clock: clock, loader: loader)
    send(command)
  }

  // MARK: Telling it

  /// Applies settings; see ``PlayerStateMachine/apply(_:at:)``.
  public func apply(_ settings: VideoSettings) {
    driver.perform { machine, now in machine.apply(settings, at: now) }
  }

  /// Executes a command, unless it equals the one before it; ``PlaybackCommand/idle`` between them
  /// makes the second count.
  public func send(_ command: PlaybackCommand) { send([command]) }

  /// Executes commands at one instant, in order; the rule for equal ones holds among them too.
  public func send(_ commands: [PlaybackCommand]) {
    let fresh = front.withLock { front in
      commands.filter { command in
        defer { front.last = command }
        guard command != front.last else { return false }
        if case .addVector(let builder, let clear) = command {
          if clear { front.builders = [:] }
          front.builders[builder.id.description] = builder
        } else if case .removeAllVectors = command {
          front.builders = [:]
        }
        return true
      }
    }
    guard !fresh.isEmpty else { return }
    driver.perform { machine, now in
      for command in fresh {
        if let exact = command.exact(in: machine.bounds) {
          machine.execute(exact, at: now)
        } else {
          machine.note("seek to NaN: ignored", at: now)
        }
      }
    }
  }

  /// Executes exact commands at one instant, as often as they are given.
  public func execute(_ commands: PlayerCommand...) { execute(commands) }

  /// Executes exact commands at one instant, in order.
  public func execute(_ commands: [PlayerCommand]) {
    driver.perform { machine, now in machine.execute(commands, at: now) }
  }

  /// The output has other bounds: overlays are built again.
  public func setBounds(_ bounds: Rect) {
    driver.perform { machine, now in machine.setBounds(bounds, at: now) }
  }

  /// Whether the output can show an inset; where it cannot, `startPiP` is an error.
  public func setPictureInPictureSupported(_ isSupported: Bool) {
    driver.perform { machine, now in
      machine.setPictureInPictureSupported(isSupported, at: now)
    }
  }

  /// Tells what is loaded of the current item, for sources that come over a network.
  public func setBuffer(_ buffer: ItemBuffer) {
    driver.perform { machine, now in
      guard let item = machine.queue.currentItem else { return }
      machine.setBuffer(buffer, of: item.id, at: now)
    }
  }

  // MARK: What it is

  /// What is shown now.
  public var evaluation: Evaluation { driver.machine.evaluation }

  /// The whole state now: a value to compare, print, save, and go on from with ``init(restoring:clock:loader:)``.
  public var state: PlayerStateMachine { driver.machine }

  /// Time of the current item; zero without one.
  public var currentTime: MediaTime { MediaTime(driver.machine.queue.currentTime) }
  /// The item that plays; nil when there is none.
  public var currentItem: PlayerItem? { driver.machine.queue.currentItem }
  /// Length of the current item; indefinite while unknown.
  public var duration: MediaTime { currentItem?.duration ?? .indefinite }
  /// Whether it is paused, waits, or plays.
  public var timeControlStatus: TimeControlStatus { driver.machine.queue.timeControlStatus }
  /// Why it waits; nil when it does not.
  public var reasonForWaitingToPlay: WaitingReason? { driver.machine.queue.reasonForWaitingToPlay }
  /// The rate asked for; 0 when paused.
  public var rate: Float { driver.machine.queue.rate }
  /// A loop is there, running out included.
  public var isLooping: Bool { driver.machine.queue.looper != nil }
  /// The last error; nil when there was none.
  public var error: VPErrors? { driver.machine.error }

  /// The container of the current item; nil until it is ready, and for sources without one.
  public var currentAsset: Asset? {
    guard let item = currentItem, item.status == .readyToPlay else { return nil }
    if let known = front.withLock({ $0.asset }), known.id == item.asset { return known.asset }
    // An item of a restored state: opened again by its source.
    guard let settings = driver.machine.settings, settings.source.description == item.source,
      let asset = try? loader.load(settings.source).asset
    else { return nil }
    front.withLock { $0.asset = (item.asset, asset) }
    return asset
  }

  // MARK: What it tells

  /// Calls with each batch of events: one a second of host time, filtered by the ``Events`` setting.
  @discardableResult
  public func onEvents(_ body: @escaping @Sendable (EventBatch) -> Void) -> Subscription {
    receivers.batches.add(body)
  }

  /// The batches of events from now on.
  public var events: AsyncStream<EventBatch> { receivers.batches.stream() }

  /// Calls with the time at the interval of ``TimePublishing``, and on jumps, starts and stops.
  @discardableResult
  public func onTime(_ body: @escaping @Sendable (PublishedTime) -> Void) -> Subscription {
    receivers.times.add(body)
  }

  /// The published times from now on.
  public var times: AsyncStream<PublishedTime> { receivers.times.stream() }

  /// Calls with everything that happens, in the instant it does, unfiltered.
  @discardableResult
  public func onLog(_ body: @escaping @Sendable (LogEntry) -> Void) -> Subscription {
    receivers.log.add(body)
  }

  /// Calls at multiples of an interval of item time, on jumps, and when playback starts or stops.
  ///
  /// - Throws: `.usage` for an interval below a microsecond.
  public func addPeriodicTimeObserver(
    forInterval interval: MediaTime, using body: @escaping @Sendable (MediaTime) -> Void
  ) throws(MediaError) -> ObserverID {
    try addObserver(body) { (queue, now) throws(MediaError) in
      try queue.addPeriodicTimeObserver(interval: Rational(interval) ?? .zero, at: now)
    }
  }

  /// Calls when one of the times is reached by playing.
  ///
  /// - Throws: `.usage` for none or more than a thousand times.
  public func addBoundaryTimeObserver(
    forTimes times: [MediaTime], using body: @escaping @Sendable (MediaTime) -> Void
  ) throws(MediaError) -> ObserverID {
    try addObserver(body) { (queue, now) throws(MediaError) in
      try queue.addBoundaryTimeObserver(times: times.compactMap { Rational($0) }, at: now)
    }
  }

  private func addObserver(
    _ body: @escaping @Sendable (MediaTime) -> Void,
    _ add: (inout QueueStateMachine, Rational) throws(MediaError) -> ObserverID
  ) throws(MediaError) -> ObserverID {
    let id = try driver.perform { (machine, now) throws(MediaError) -> ObserverID in
      try machine.withQueue(at: now) { (queue) throws(MediaError) in try add(&queue, now) }
    }
    front.withLock { $0.observers[id] = body }
    return id
  }

  /// No call is begun for the observer after this returns.
  public func removeTimeObserver(_ id: ObserverID) {
    front.withLock { _ = $0.observers.removeValue(forKey: id) }
    driver.perform { machine, now in
      machine.withQueue(at: now) { $0.removeTimeObserver(id, at: now) }
    }
  }

  // MARK: Doing what the machine asks for

  fileprivate func deliver(_ output: PlayerStateMachine.Output) {
    switch output {
    case .log(let entry):
      receivers.log.send(entry)
      switch entry.what {
      case .time(let time):
        receivers.times.send(PublishedTime(host: entry.host, time: MediaTime(time)))
      case .queue(.periodicTime(let id, let time)), .queue(.boundaryTime(let id, let time)):
        front.withLock { $0.observers[id] }?(MediaTime(time))
      default: break
      }
    case .batch(let batch): receivers.batches.send(batch)
    case .action(.load(let id, let source)): load(source, for: id)
    case .action(.cancelLoading): break  // its late answer is ignored
    case .action(.buildVectors(let ids, let bounds)): build(ids, in: bounds)
    }
  }

  private func build(_ ids: [String], in bounds: Rect) {
    let builders = front.withLock { front in ids.compactMap { front.builders[$0] } }
    let layers = builders.map { $0.layer(in: bounds) }
    driver.perform { machine, now in
      for layer in layers { machine.vectorWasBuilt(layer, at: now) }
    }
  }

  private func load(_ source: SourceReference, for id: ItemID) {
    // Kept before the machine knows, so that who hears of the item finds its container.
    driver.load(source, for: id, with: loader) { [weak self] loaded, machine in
      guard let self, let asset = machine.queue.item(id)?.asset else { return }
      front.withLock { front in front.asset = loaded.asset.map { (asset, $0) } }
    }
  }
}

extension PlayerStateMachine: DrivenMachine {
  enum Output: Sendable {
    case log(LogEntry)
    case batch(EventBatch)
    case action(PlayerAction)
  }

  mutating func takeOutputs() -> [Output] {
    takeLog().map { .log($0) } + takeBatches().map { .batch($0) }
      + takeActions().map { .action($0) }
  }
}
