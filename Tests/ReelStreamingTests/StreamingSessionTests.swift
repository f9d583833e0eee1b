import ReelCore
import ReelTestSupport
import Testing

@testable import ReelStreaming

@Suite("A session beside a playhead")
struct StreamingSessionTests {
  private static let plan = AdaptiveTests.plan

  private func session(_ kilobitsPerSecond: Int64) -> StreamingSession {
    StreamingSession(
      Self.plan,
      network: .constant(kilobitsPerSecond: kilobitsPerSecond, latency: 20_000))
  }

  /// Plays from `position` at `time`.
  private func play(
    _ session: inout StreamingSession, from position: Int64, at time: Int64, rate: Rational = .one
  ) {
    session.follow(SessionPlayhead(time: time, position: position, rate: rate))
  }

  @Test("while nothing plays it loads as far ahead as wanted, and no farther")
  func paused() {
    var session = session(20_000)
    session.advance(to: 3_600_000_000)
    #expect(session.loadedRanges.count == 1)
    #expect(session.buffer >= 26_000_000 && session.buffer <= 30_000_000)
    #expect(session.nextDue == nil)
    #expect(session.playhead.position == 0)
  }

  @Test("a jump gives up what is under way and loads where the playhead is")
  func jump() {
    var session = session(4_000)
    session.advance(to: 1_000_000)
    play(&session, from: 0, at: 1_000_000)
    session.advance(to: 2_000_000)
    play(&session, from: 400_000_000, at: 2_000_000)
    session.advance(to: 4_000_000)
    #expect(session.abandonedCount == 1)
    #expect(session.levels[100] != nil)
    #expect(session.loadedRanges.count == 2)
    let requests = session.takeEvents().compactMap { event -> Int? in
      if case .request(let segment, _) = event.event { return segment }
      return nil
    }
    #expect(requests.contains(100))
  }

  @Test("a segment that was shown keeps its level")
  func keepsLevels() {
    for seed: UInt64 in 1...60 {
      var random = SeededGenerator(seed: seed)
      var session = StreamingSession(
        Self.plan, network: AdaptiveTests.Kind.sustainable.trace(seed))
      var (position, time): (Int64, Int64) = (0, 0)
      var shown: [Int: Int] = [:]
      for _ in 0..<200 {
        time += Int64(random.int(in: 1...3_000_000))
        session.advance(to: time)
        position = session.playhead.position(at: time)
        if random.one(in: 5) { position = Int64(random.int(in: 0...599_000_000)) }
        let here = Self.plan.segment(at: position)
        let rate: Rational =
          session.levels[here] == nil
          ? .zero : [.one, .zero, Rational(2), Rational(1, 2)][random.int(in: 0...3)]
        session.follow(SessionPlayhead(time: time, position: position, rate: rate))
        if let level = session.levels[here] {
          #expect(shown[here] ?? level == level, "seed \(seed) segment \(here)")
          shown[here] = level
        }
      }
      for (segment, level) in shown { #expect(session.levels[segment] == level, "seed \(seed)") }
    }
  }

  @Test("media that plays twice as fast needs twice the throughput")
  func speed() {
    var levels: [Int] = []
    for rate in [Rational.one, Rational(2)] {
      var session = session(7_000)
      session.advance(to: 2_000_000)
      play(&session, from: 0, at: 2_000_000, rate: rate)
      session.advance(to: 40_000_000)
      levels.append(session.levels.compactMap { $0 }.last ?? 0)
    }
    #expect(levels[0] > levels[1])
  }

  @Test("backwards it loads what lies before the playhead")
  func backwards() {
    var session = session(4_000)
    play(&session, from: 100_000_000, at: 0, rate: Rational(-1))
    session.advance(to: 1_000_000)
    #expect(session.levels[24] != nil && session.levels[25] == nil)
    #expect(session.buffer > 0)
    #expect(session.loadedEnd < 100_000_000)
  }

  @Test("a segment is not asked for before a live list tells of it")
  func availability() {
    var plan = Self.plan
    plan.availability = plan.durations.indices.map { Int64(max($0 - 2, 0)) * 4_000_000 }
    plan.startPosition = 0
    let report = SimulatedSession(plan, network: .constant(kilobitsPerSecond: 20_000)).run()
    #expect(report.isComplete && report.stallCount == 0)
    for (time, event) in report.events {
      guard case .request(let segment, _) = event else { continue }
      #expect(time >= plan.availability[segment])
    }
  }

  @Test("how it is told of time makes no difference")
  func steps() {
    for seed: UInt64 in 1...40 {
      var random = SeededGenerator(seed: seed)
      let network = AdaptiveTests.Kind.outages.trace(seed)
      var (whole, stepped) = (
        StreamingSession(Self.plan, network: network), StreamingSession(Self.plan, network: network)
      )
      var time: Int64 = 0
      while time < 60_000_000 {
        time += Int64(random.int(in: 1...900_000))
        stepped.advance(to: time)
      }
      whole.advance(to: time)
      #expect(whole.levels == stepped.levels && whole.loadedBits == stepped.loadedBits)
      #expect(whole.takeEvents().map(\.event) == stepped.takeEvents().map(\.event), "seed \(seed)")
    }
  }
}
