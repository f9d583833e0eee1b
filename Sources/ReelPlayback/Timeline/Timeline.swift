// A scenario as a function of host time.

public import ReelCore

/// What is played under which script: asked for any host time, it tells what is shown, without
/// decoding.
///
/// Times may be asked in any order; ascending ones cost least. The same inputs and script give the
/// same answers in any order and from any host time on.
public struct Timeline: Sendable, Hashable {
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

  /// - Parameters:
  ///   - inputs: The queue, in order; their position is the ``AssetID``. With several, the end of one
  ///     leads to the next; a single one pauses on its last picture.
  ///   - initially: Commands at host time 0, before the script's.
  ///   - subtitles: Subtitles of a file of their own, for all inputs; empty for none.
  ///   - tellsPasses: Passes are told of one by one in the log. Without, a million cost nothing.
  public init(
    inputs: [Input], initially commands: [PlayerCommand] = [.play], script: Script = Script(),
    bounds: Rect = .zero, tellsPasses: Bool = true, subtitles: String = ""
  ) {
    self.script = script
    var player = PlayerStateMachine(bounds: bounds)
    player.externalSubtitles = subtitles
    player.queue.tellsPasses = tellsPasses
    player.load(inputs)
    player.execute(commands, at: .zero)
    start = player
    self.player = player
  }

  /// What is shown at a host time ≥ 0. Everything that is due at that instant has happened.
  public mutating func evaluate(at host: Rational) -> Evaluation {
    advance(to: host)
    return player.evaluation
  }

  /// Brings the player to a host time, from the start again when it lies behind the last one.
  public mutating func advance(to host: Rational) {
    if host < player.now {
      player = start
      nextEntry = 0
    }
    while nextEntry < script.entries.count, script.entries[nextEntry].time <= host {
      let entry = script.entries[nextEntry]
      player.execute(entry.command, at: entry.time)
      nextEntry += 1
    }
    player.advance(to: host)
  }

  /// What happened since the last call, oldest first.
  public mutating func takeLog() -> [LogEntry] { player.takeLog() }

  /// The host time from which on nothing changes any more; nil when playback has no end.
  public func end() -> Rational? {
    var rest = self
    rest.player.queue.tellsPasses = false
    if let last = script.entries.last { rest.advance(to: max(last.time, player.now)) }
    return rest.player.queue.rest()
  }
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
