import ReelCore

@testable import ReelPlayback

/// A player whose sources are known beforehand; loads are answered in the instant they are asked for.
struct Bench {
  var player: PlayerStateMachine
  /// Lengths by source; nil is a failure.
  var sources: [String: Result<ItemFacts, VPErrors>] = [
    "a.mp4": .success(ItemFacts(duration: MediaTime(value: 10, timescale: 1))),
    "b.mp4": .success(ItemFacts(duration: MediaTime(value: 4, timescale: 1))),
  ]
  var answersLoads = true
  private(set) var log: [LogEntry] = []
  private(set) var batches: [EventBatch] = []
  private(set) var actions: [PlayerAction] = []

  init(_ settings: VideoSettings? = nil, compatibility: PlayerCompatibility = []) {
    player = PlayerStateMachine(compatibility: compatibility)
    if let settings { apply(settings, at: 0) }
  }

  mutating func apply(_ settings: VideoSettings, at host: Rational) {
    player.apply(settings, at: host)
    collect()
  }

  mutating func run(_ commands: PlayerCommand..., at host: Rational) {
    player.execute(commands, at: host)
    collect()
  }

  mutating func advance(to host: Rational) {
    player.advance(to: host)
    collect()
  }

  mutating func withPlayer<R>(_ body: (inout PlayerStateMachine) throws -> R) rethrows -> R {
    defer { collect() }
    return try body(&player)
  }

  mutating func collect() {
    repeat {
      log += player.takeLog()
      batches += player.takeBatches()
      let new = player.takeActions()
      actions += new
      guard answersLoads else { return }
      for case .load(let id, let source) in new { answer(id, source) }
    } while !player.actions.isEmpty || !player.log.isEmpty
  }

  mutating func answer(_ id: ItemID, _ source: SourceReference) {
    switch sources[source.description] {
    case .success(let facts)?: player.itemDidLoad(id, facts, at: player.now)
    case .failure(let error)?: player.itemDidFail(id, error, at: player.now)
    case nil: player.itemDidFail(id, .sourceNotFound(source.description), at: player.now)
    }
  }

  /// Events of the contract since the last call of this.
  mutating func takeEvents() -> [PlayerEvent] {
    defer { log = [] }
    return log.compactMap { if case .event(let event) = $0.what { event } else { nil } }
  }

  /// Everything told since the last call, as text without instants.
  mutating func takeTexts() -> [String] {
    defer { log = [] }
    return log.map { "\($0.what)" }
  }

  mutating func takeLog() -> [LogEntry] {
    defer { log = [] }
    return log
  }

  mutating func takeActions() -> [PlayerAction] {
    defer { actions = [] }
    return actions
  }

  mutating func takeBatches() -> [EventBatch] {
    defer { batches = [] }
    return batches
  }

  var evaluation: Evaluation { player.evaluation }
  var itemTime: Rational { player.queue.currentTime }
  var status: TimeControlStatus { player.queue.timeControlStatus }
}

/// Item and host times in the tests: decimal text, exact.
func t(_ text: String) -> Rational {
  guard let value = Rational(text) else { preconditionFailure("\(text) is no time") }
  return value
}
