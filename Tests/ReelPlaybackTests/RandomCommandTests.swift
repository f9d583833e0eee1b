import Foundation
import ReelCore
import ReelTestSupport
import Testing

@testable import ReelPlayback

/// Commands at random, seeded: a failure prints its seed.
struct RandomCommands {
  var random: SeededGenerator

  mutating func time(upTo seconds: Int) -> Rational {
    let denominators = [1, 2, 7, 30, 600, 1000, 30000, 90000]
    let denominator = denominators[random.int(in: 0...denominators.count - 1)]
    return Rational(random.int(in: 0...seconds * denominator), denominator)
  }

  mutating func rate() -> Float {
    let usual: [Float] = [0, 0.25, 0.3, 0.5, 1, 1, 1, 1.75, 2, -0.5, -1, -2, 7.3]
    if random.one(in: 50) {
      return [.greatestFiniteMagnitude, .leastNonzeroMagnitude, -1e10, 1e-10, .nan, .infinity][
        random.int(in: 0...5)]
    }
    return usual[random.int(in: 0...usual.count - 1)]
  }

  mutating func command() -> PlayerCommand {
    let languages = ["en", "de", "xx"]
    switch random.int(in: 0...31) {
    case 0, 1, 2: return .play
    case 3, 4: return .pause
    case 5, 6, 7: return .seek(to: time(upTo: 14) - 2, play: !random.one(in: 3))
    case 8: return .begin
    case 9: return .end
    case 10: return .mute
    case 11: return .unmute
    case 12: return .volume(Float(random.int(in: -5...15)) / 10)
    case 13: return .playbackSpeed(rate())
    case 14, 15, 16: return .rate(rate())
    case 17, 18: return .loop(passes: random.one(in: 3) ? random.int(in: 1...4) : nil)
    case 19: return .loopDelay(time(upTo: 1))
    case 20: return .unloop
    case 21: return .subtitles(random.one(in: 3) ? nil : languages[random.int(in: 0...2)])
    case 22: return .audioTrack(languageCode: languages[random.int(in: 0...2)])
    case 23: return .brightness(Float(random.int(in: -20...20)) / 10)
    case 24: return .contrast(Float(random.int(in: -20...60)) / 10)
    case 25: return .filter(FilterDescription("CISepiaTone"), clear: random.one(in: 2))
    case 26: return .removeAllFilters
    case 27:
      return .addVector(
        VectorLayer(id: "\(random.int(in: 0...3))", shapes: []), clear: random.one(in: 2))
    case 28: return .removeAllVectors
    case 29: return .startPiP
    case 30: return .stopPiP
    default: return random.one(in: 4) ? .next : .idle
    }
  }

  mutating func settings() -> VideoSettings {
    VideoSettings(
      name: ["a", "b", "missing", "live"][random.int(in: 0...3)],
      subtitles: random.one(in: 3) ? "en" : "", loop: random.one(in: 2),
      pictureInPicture: random.one(in: 2), mute: random.one(in: 4),
      notAutoPlay: random.one(in: 4),
      timePublishing: random.one(in: 2) ? MediaTime(value: 1, timescale: 2) : nil,
      enableVector: random.one(in: 2), events: [])
  }

  /// Something done to the player beside commands.
  mutating func disturb(_ bench: inout Bench, at host: Rational) {
    switch random.int(in: 0...7) {
    case 0: bench.apply(settings(), at: host)
    case 1:
      let latency = random.one(in: 2) ? time(upTo: 1) : .zero
      bench.withPlayer { $0.withQueue(at: host) { $0.setSeekLatency(latency, at: host) } }
    case 2:
      let reach = MediaTime(time(upTo: 10))
      let buffer =
        random.one(in: 2)
        ? ItemBuffer()
        : ItemBuffer(
          loadedTimeRanges: [MediaTimeRange(start: .zero, duration: reach)],
          isPlaybackLikelyToKeepUp: random.one(in: 2))
      bench.withPlayer { player in
        guard let item = player.queue.currentItem else { return }
        player.setBuffer(buffer, of: item.id, at: host)
      }
    case 3:
      let bounds = Rect(x: 0, y: 0, width: Double(random.int(in: 1...100)), height: 50)
      bench.withPlayer { $0.setBounds(bounds, at: host) }
    case 4:
      let action: ActionAtItemEnd = random.one(in: 2) ? .advance : .pause
      bench.withPlayer { $0.withQueue(at: host) { $0.setActionAtItemEnd(action, at: host) } }
    case 5:
      bench.withPlayer { player in
        player.withQueue(at: host) { queue in
          guard queue.items.count < 6 else { return }
          let item = queue.makeItem(asset: AssetID(rawValue: 50), source: "b.mp4")
          queue.append(item, at: host)
          queue.itemDidLoad(
            item.id, ItemFacts(duration: MediaTime(value: 4, timescale: 1)), at: host)
        }
      }
    case 6:
      let waits = random.one(in: 2)
      bench.withPlayer {
        $0.withQueue(at: host) { $0.setAutomaticallyWaitsToMinimizeStalling(waits, at: host) }
      }
    default:
      let end = MediaTime(time(upTo: 10))
      bench.withPlayer { player in
        guard let item = player.queue.currentItem else { return }
        player.withQueue(at: host) { $0.setForwardPlaybackEndTime(end, of: item.id, at: host) }
      }
    }
  }

  static func bench() -> Bench {
    var bench = Bench()
    var facts = ItemFacts(duration: MediaTime(value: 352 * 1001, timescale: 30000))
    facts.legible = [MediaOption(trackID: 2, language: "en")]
    facts.audible = [MediaOption(trackID: 3, language: "de")]
    bench.sources["a.mp4"] = .success(facts)
    bench.sources["live.mp4"] = .success(ItemFacts(duration: .indefinite))
    bench.apply(
      VideoSettings(name: "a", pictureInPicture: true, enableVector: true, events: []), at: 0)
    return bench
  }
}

@Suite struct RandomCommandTests {
  @Test("100,000 random steps keep the invariants")
  func invariants() {
    let seed = UInt64(ProcessInfo.processInfo.environment["SEED"] ?? "") ?? 0xC0FFEE
    var commands = RandomCommands(random: SeededGenerator(seed: seed))
    var bench = RandomCommands.bench()
    var host = Rational.zero
    var checker = LogChecker()
    for step in 0..<100_000 {
      host += commands.random.one(in: 4) ? .zero : commands.time(upTo: 2)
      if commands.random.one(in: 10) {
        commands.disturb(&bench, at: host)
      } else {
        bench.run(commands.command(), at: host)
      }
      bench.advance(to: host)
      let queue = bench.player.queue
      let problems = checker.check(
        queue, at: host, log: bench.takeLog(), batches: bench.takeBatches())
      guard problems.isEmpty else {
        Issue.record("seed \(seed), step \(step), host \(host): \(problems) in \(bench.player)")
        return
      }
      _ = bench.takeActions()
    }
  }

  @Test("random steps with the action none never trap")
  func actionNone() {
    let seed: UInt64 = 0xBEEF
    var commands = RandomCommands(random: SeededGenerator(seed: seed))
    var bench = RandomCommands.bench()
    var host = Rational.zero
    for _ in 0..<5_000 {
      host += commands.time(upTo: 3)
      let action = [ActionAtItemEnd.none, .none, .pause][commands.random.int(in: 0...2)]
      bench.withPlayer { $0.withQueue(at: host) { $0.setActionAtItemEnd(action, at: host) } }
      bench.run(commands.command(), at: host)
      #expect(
        bench.player.queue.currentTime >= .zero || bench.player.queue.rate < 0, "seed \(seed)")
      _ = bench.takeLog()
    }
  }
}

/// What must hold after every step.
struct LogChecker {
  private var lastHost = Rational.zero
  private var lastStatus: String?
  private var lastItem: ItemID??
  private var lastBatch = Rational(-1)
  private var lastVolume: Float = 1
  private var isInset = false
  private var delivered: [TimedEvent] = []
  private var told: [TimedEvent] = []

  mutating func check(
    _ queue: QueueStateMachine, at host: Rational, log: [LogEntry], batches: [EventBatch]
  ) -> [String] {
    var problems: [String] = []
    func require(_ condition: Bool, _ text: @autoclosure () -> String) {
      if !condition { problems.append(text()) }
    }
    require(queue.now == host, "now \(queue.now)")
    let place = queue.currentTime
    require(place >= .zero, "time \(place) below zero")
    if let length = queue.currentItem?.length {
      require(place <= length, "time \(place) of \(length)")
    }
    require(queue.currentItem != nil || place.isZero, "a time without an item")
    require(queue.items.first?.id == queue.currentItem?.id, "the current item is the first")
    require(Set(queue.items.map(\.id)).count == queue.items.count, "an item stands twice")
    require(queue.pass >= 0 && queue.loopCount >= 0, "pass \(queue.pass)")
    require(queue.nextDue.map { $0 > host } ?? true, "something due was left")
    require(
      (queue.reasonForWaitingToPlay == nil)
        || queue.timeControlStatus == .waitingToPlayAtSpecifiedRate, "reason")
    for entry in log {
      require(entry.host >= lastHost && entry.host <= host, "host \(entry.host) after \(lastHost)")
      lastHost = entry.host
      guard case .event(let event) = entry.what else { continue }
      told.append(TimedEvent(host: entry.host, event: event))
      switch event {
      case .paused, .playing, .waitingToPlayAtSpecifiedRate:
        require(event.description != lastStatus, "\(event) twice")
        lastStatus = event.description
      case .volumeChanged(let volume):
        require(volume != lastVolume, "\(event) twice")
        lastVolume = volume
      case .startedPiP, .stoppedPiP:
        require(isInset == (event == .stoppedPiP), "\(event) twice")
        isInset.toggle()
      case .currentItemChanged(let item):
        require(lastItem != .some(item?.id), "item \(String(describing: item?.id)) twice")
        lastItem = .some(item?.id)
      case .currentItemRemoved:
        require(lastItem != .some(nil), "removed twice")
        lastItem = .some(nil)
      default: break
      }
    }
    delivered += batches.flatMap(\.events)
    // Batches hold what was told, all of it, in order, once.
    require(
      delivered.count <= told.count && delivered.elementsEqual(told.prefix(delivered.count)),
      "batches that are not what was told")
    told.removeFirst(min(delivered.count, told.count))
    delivered = []
    for batch in batches {
      require(
        batch.host > lastBatch && batch.host <= host, "batch \(batch.host) after \(lastBatch)")
      lastBatch = batch.host
      require(!batch.events.isEmpty, "an empty batch")
      require(
        batch.events.allSatisfy { $0.host < batch.host && $0.host >= batch.host - 1 },
        "batch \(batch.host) holds \(batch.events.map(\.host))")
    }
    return problems
  }
}

@Suite struct SplitScenarioTests {
  struct Run: Equatable {
    var lines: [String] = []
    var batches: [String] = []
    var shown: [String] = []
    var end = ""
    var all: [String] { lines + batches + shown + [end] }
  }

  /// A scenario of a minute; at each of the `cuts` the player is saved as text and read back.
  private func run(seed: UInt64, cuts: [Rational]) throws -> Run {
    var commands = RandomCommands(random: SeededGenerator(seed: seed))
    var bench = RandomCommands.bench()
    var result = Run()
    var cuts = cuts[...]
    var hosts = (0..<120).map { _ in commands.time(upTo: 60) }
    hosts.sort()
    func collect(_ bench: inout Bench) {
      result.lines += bench.takeLog().map(\.json)
      result.batches += bench.takeBatches().map { "\($0.host) \($0.events)" }
    }
    for (index, host) in hosts.enumerated() {
      while let cut = cuts.first, cut <= host {
        bench.advance(to: cut)
        collect(&bench)
        let saved = try JSONEncoder().encode(bench.player)
        bench.player = try JSONDecoder().decode(PlayerStateMachine.self, from: saved)
        cuts.removeFirst()
      }
      if index % 10 == 9 {
        commands.disturb(&bench, at: host)
      } else {
        bench.run(commands.command(), at: host)
      }
      collect(&bench)
      let shown = bench.evaluation
      result.shown.append(
        "\(shown.host) \(shown.pass) \(shown.itemTime) \(shown.side) \(shown.rate)")
    }
    result.end = "\(bench.player)"
    return result
  }

  @Test("the same scenario twice, and in seven parts, gives the same log byte for byte")
  func sevenParts() throws {
    for seed in UInt64(1)...40 {
      var random = SeededGenerator(seed: seed &* 977)
      let cuts = (0..<6).map { _ in Rational(random.int(in: 0...6_000_000), 100_003) }.sorted()
      let whole = try run(seed: seed, cuts: [])
      #expect(try run(seed: seed, cuts: []) == whole, "seed \(seed)")
      let parts = try run(seed: seed, cuts: cuts)
      let first = zip(whole.all, parts.all).first { $0 != $1 }
      #expect(first == nil, "seed \(seed), cuts \(cuts): \(first.map { "\($0)" } ?? "")")
      #expect(parts.all.count == whole.all.count, "seed \(seed)")
      #expect(whole.lines.count > 50)
    }
  }

  @Test("a saved state that is damaged is refused or plays on, but never traps")
  func damagedState() throws {
    var bench = RandomCommands.bench()
    bench.run(.loop(passes: 3), .loopDelay(1), .rate(0.3), at: 3)
    let text = String(decoding: try JSONEncoder().encode(bench.player), as: UTF8.self)
    let seed: UInt64 = 0xDA
    var random = SeededGenerator(seed: seed)
    var decoded = 0
    for _ in 0..<3000 {
      var bytes = Array(text.utf8)
      for _ in 0..<random.int(in: 1...3) {
        let index = random.int(in: 0...bytes.count - 1)
        let digits = Array("0123456789-/".utf8)
        if bytes[index] >= 0x30, bytes[index] <= 0x39 {
          bytes[index] = digits[random.int(in: 0...digits.count - 1)]
        } else if random.one(in: 20) {
          bytes[index] = UInt8(random.int(in: 32...126))
        }
      }
      guard var player = try? JSONDecoder().decode(PlayerStateMachine.self, from: Data(bytes))
      else {
        continue
      }
      decoded += 1
      player.queue.tellsPasses = false
      player.advance(to: player.now + 3)
      player.execute([.pause, .play, .unloop, .seek(to: 2, play: true), .next], at: player.now + 1)
      _ = player.evaluation
    }
    #expect(decoded > 100, "seed \(seed)")
  }
}
