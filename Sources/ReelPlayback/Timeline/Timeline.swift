// A scenario as a function of host time.

public import ReelCore

/// What is played under which script: asked for any host time, it tells what is shown, without
/// decoding.
///
/// Times may be asked in any order; ascending ones cost least. The same inputs and script give the
/// same answers in any order and from any host time on.
public struct Timeline: Sendable {
  /// An input that has been opened, or could not be.
  public struct Input: Sendable, Hashable {
    /// Name or address, for the log.
    public let source: String
    /// What opening it came to.
    public let outcome: Result<ItemFacts, VPErrors>
    /// An input by what opening it came to.
    public init(source: String, _ outcome: Result<ItemFacts, VPErrors>) {
      self.source = source
      self.outcome = outcome
    }
    /// An input of this length.
    public init(source: String, duration: MediaTime) {
      self.init(source: source, .success(ItemFacts(duration: duration)))
    }
  }

  private let start: PlayerStateMachine
  /// The commands.
  public let script: Script
  /// The player at the host time that was asked for last.
  public private(set) var player: PlayerStateMachine
  private var nextEntry = 0
  private let startFeeds: FeedRunner
  private var runner: FeedRunner

  /// - Parameters:
  ///   - inputs: The queue, in order; their position is the ``AssetID``. With several, the end of one
  ///     leads to the next; a single one pauses on its last picture.
  ///   - initially: Commands at host time 0, before the script's.
  ///   - subtitles: Subtitles of a file of their own, for all inputs; empty for none.
  ///   - feeds: What loads the data of inputs that are not there from the begin, by their position.
  ///   - tellsPasses: Passes are told of one by one in the log. Without, a million cost nothing.
  public init(
    inputs: [Input], initially commands: [PlayerCommand] = [.play], script: Script = Script(),
    bounds: Rect = .zero, tellsPasses: Bool = true, subtitles: String = "",
    feeds: [AssetID: any ItemFeed] = [:]
  ) {
    self.script = script
    var player = PlayerStateMachine(bounds: bounds)
    player.externalSubtitles = subtitles
    player.queue.tellsPasses = tellsPasses
    player.load(inputs)
    var runner = FeedRunner(feeds)
    runner.prepare(&player)
    player.execute(commands, at: .zero)
    runner.follow(&player)
    start = player
    startFeeds = runner
    (self.player, self.runner) = (player, runner)
  }

  /// The feed of an input as it is at the host time that was asked for last.
  public func feed(of input: AssetID) -> (any ItemFeed)? { runner.feeds[input] }

  /// The next host time at which something happens of itself, commands left out.
  public var nextDue: Rational? { [player.nextDue, runner.nextDue].compactMap { $0 }.min() }

  /// What is shown at a host time ≥ 0. Everything that is due at that instant has happened.
  public mutating func evaluate(at host: Rational) -> Evaluation {
    advance(to: host)
    return player.evaluation
  }

  /// Brings the player to a host time, from the start again when it lies behind the last one.
  public mutating func advance(to host: Rational) {
    if host < player.now {
      (player, runner) = (start, startFeeds)
      nextEntry = 0
    }
    while nextEntry < script.entries.count, script.entries[nextEntry].time <= host {
      let entry = script.entries[nextEntry]
      run(to: entry.time)
      player.execute(entry.command, at: entry.time)
      nextEntry += 1
      if !runner.isEmpty { runner.follow(&player) }
    }
    run(to: host)
  }

  /// Brings the player to a host time, with what feeds it.
  private mutating func run(to host: Rational) {
    guard !runner.isEmpty else { return player.advance(to: host) }
    var (instant, repeats) = (player.now, 0)
    // LIMIT: nothing makes more than a few things happen at one instant.
    while repeats < 1000, let due = nextDue, due <= host {
      player.advance(to: due)
      runner.follow(&player)
      repeats = player.now > instant ? 0 : repeats + 1
      instant = player.now
    }
    player.advance(to: host)
    runner.follow(&player)
  }

  /// What happened since the last call, oldest first.
  public mutating func takeLog() -> [LogEntry] { player.takeLog() }

  /// The host time from which on nothing changes any more; nil when playback has no end.
  public func end() -> Rational? {
    var rest = self
    rest.player.queue.tellsPasses = false
    if let last = script.entries.last { rest.advance(to: max(last.time, player.now)) }
    return runner.isEmpty ? rest.player.queue.rest() : rest.restOfFed()
  }

  /// Plays on until nothing moves and nothing more is loaded; nil when that never is.
  private mutating func restOfFed() -> Rational? {
    // LIMIT: a presentation of a day has fewer instants at which something happens.
    for _ in 0..<2_000_000 {
      if player.queue.timeControlStatus == .paused { return player.now }
      if runner.nextDue == nil {
        return player.queue.rest() ?? (player.isWaiting ? player.now : nil)
      }
      guard let due = nextDue else { return player.isWaiting ? player.now : nil }
      run(to: due)
    }
    return nil
  }
}

extension PlayerStateMachine {
  fileprivate var isWaiting: Bool { queue.timeControlStatus == .waitingToPlayAtSpecifiedRate }
}

extension PlayerStateMachine {
  /// A player of a scenario: everything that needs a setting is enabled.
  init(bounds: Rect) {
    self.init()
    self.bounds = bounds
    isVectorEnabled = true
    isPictureInPictureEnabled = true
  }

  /// Puts opened inputs into the queue.
  mutating func load(_ inputs: [Timeline.Input]) {
    if inputs.count > 1 { queue.setActionAtItemEnd(.advance, at: .zero) }
    for (index, input) in inputs.enumerated() {
      let item = queue.makeItem(asset: AssetID(rawValue: index), source: input.source)
      queue.append(item, at: .zero)
      switch input.outcome {
      case .success(let facts): queue.itemDidLoad(item.id, facts, at: .zero)
      case .failure(let failure): queue.itemDidFail(item.id, failure, at: .zero)
      }
      drainQueue()
    }
  }
}

extension QueueStateMachine {
  /// Puts an item that was just made at the end of the queue.
  mutating func append(_ item: PlayerItem, at host: Rational) {
    change(at: host) { player in
      player.entries.append(item)
      if player.entries.count == 1 { player.startCurrentItem() }
    }
  }

  /// Plays on until nothing moves; the host time it stops at, or nil when it never does.
  mutating func rest() -> Rational? {
    // Each step ends an item or a loop's last pass.
    while timeControlStatus == .playing {
      let isEndless = motion.period != nil && motion.wrapLimit == nil || motion.firstEnd == nil
      guard !isEndless, !motion.runsPastEnd, let next = nextDue else { return nil }
      advance(to: next)
    }
    return now
  }
}
