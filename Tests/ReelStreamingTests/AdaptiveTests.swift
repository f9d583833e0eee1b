import Foundation
import ReelCore
import ReelHLS
import ReelTestSupport
import Testing

@testable import ReelStreaming

@Suite("Adaptive choice in virtual time")
struct AdaptiveTests {
  static let traces = [
    "cafe", "evening", "lossy", "mobile", "outages", "saw", "steady-fast", "steady-slow",
    "step-down", "step-up",
  ]

  static let levels = [800_000, 1_600_000, 3_000_000, 5_000_000, 8_000_000].enumerated().map {
    AdaptiveLevel(variantIndex: $0, bandwidth: Int64($1))
  }

  /// Ten minutes in segments of four seconds.
  static let plan = SessionPlan(
    levels: levels, durations: [Int64](repeating: 4_000_000, count: 150))

  static func trace(_ name: String) throws -> NetworkTrace {
    let file = Places.testVector("network/\(name).trace")
    return try NetworkTrace(parsing: String(contentsOf: file, encoding: .utf8))
  }

  /// The rule that everybody writes first: the highest variant that 80 % of the measured throughput
  /// carries, whatever the buffer. The reference that the controller is compared with.
  @Sendable static func plainThroughputRule(
    _ state: AdaptiveState, _ levels: [AdaptiveLevel]
  ) -> Int {
    guard let throughput = state.throughput else { return 0 }
    return levels.lastIndex { $0.bandwidth <= throughput / 10 * 8 } ?? 0
  }

  @Test("the session over a trace is the recorded one, on every run", arguments: traces)
  func golden(name: String) throws {
    let session = SimulatedSession(Self.plan, network: try Self.trace(name))
    let first = session.run()
    #expect(first.lines == session.run().lines)
    let summary =
      "startDelay=\(first.startDelay) stalls=\(first.stallCount) stallTime=\(first.stallTime) "
      + "mean=\(first.meanBandwidth) up=\(first.switchesUp) down=\(first.switchesDown) "
      + "abandoned=\(first.abandonedCount) bits=\(first.loadedBits) length=\(first.length)"
    let text = (first.lines + [summary, ""]).joined(separator: "\n")
    let mismatch = try GoldenText.difference("hls/\(name).session", text)
    #expect(mismatch == nil, "\(mismatch ?? "")")
  }

  @Test("the mean bitrate is at least that of a plain throughput rule", arguments: traces)
  func meanBitrate(name: String) throws {
    let (own, plain) = try Self.both(name)
    #expect(own.isComplete)
    #expect(own.meanBandwidth >= plain.meanBandwidth)
    #expect(own.stallTime <= plain.stallTime)
  }

  /// Kinds of networks: kbit/s of one change after the other.
  enum Kind: String, CaseIterable, Sendable {
    /// Anything between what just carries the lowest variant and 15 Mbit/s.
    case sustainable
    /// A walk in steps of up to 1.5 Mbit/s.
    case walk
    /// The same for ever.
    case constant
    /// Now and then nothing at all, for up to nine seconds.
    case outages

    func trace(_ seed: UInt64) -> NetworkTrace {
      var random = SeededGenerator(seed: seed)
      var (conditions, time): ([NetworkCondition], Int64) = ([], 0)
      var rate = random.int(in: 1050...12_000)
      for _ in 0..<(self == .constant ? 1 : 120) {
        switch self {
        case .sustainable: rate = random.int(in: 1050...(random.one(in: 3) ? 2_000 : 15_000))
        case .walk: rate = min(max(rate + random.int(in: -1_500...1_500), 1050), 15_000)
        case .constant: break
        case .outages: rate = random.one(in: 8) ? 0 : random.int(in: 1_500...12_000)
        }
        conditions.append(
          NetworkCondition(
            start: time, kilobitsPerSecond: Int64(rate),
            latency: Int64(random.int(in: 0...300_000)),
            lossPerMillion: Int64(random.int(in: 0...20_000))))
        time += Int64(random.int(in: 200_000...(rate == 0 ? 9_000_000 : 12_000_000)))
      }
      return NetworkTrace(conditions)
    }
  }

  /// On a line that never changes the second and third segment may have no time for more than the lowest
  /// variant, and nothing later makes up for it: at most 1 % of ten minutes.
  @Test(
    "over random networks it is above the plain rule's, without more stalls",
    arguments: Kind.allCases)
  func randomTraces(kind: Kind) {
    var own = (mean: 0.0, stall: Int64(0), count: 0)
    var plain = own
    var (lowestStall, lessCount, worst) = (Int64(0), 0, 1.0)
    for seed: UInt64 in 1...250 {
      let network = kind.trace(seed)
      let ours = SimulatedSession(Self.plan, network: network).run()
      let theirs = SimulatedSession(
        Self.plan, network: network, choose: Self.plainThroughputRule
      ).run()
      let lowest = SimulatedSession(Self.plan, network: network, choose: { _, _ in 0 }).run()
      let ratio = Double(ours.meanBandwidth) / Double(theirs.meanBandwidth)
      #expect(ours.isComplete, "seed \(seed)")
      #expect(ratio >= (kind == .constant ? 0.99 : 1), "seed \(seed): \(ratio)")
      if kind != .outages {
        #expect(ours.stallCount == 0, "seed \(seed): \(ours.stallTime) µs")
        #expect(lowest.stallCount == 0, "seed \(seed)")
      }
      (worst, lessCount) = (min(worst, ratio), lessCount + (ratio < 1 ? 1 : 0))
      own = (
        own.mean + Double(ours.meanBandwidth), own.stall + ours.stallTime,
        own.count + ours.stallCount
      )
      plain = (
        plain.mean + Double(theirs.meanBandwidth), plain.stall + theirs.stallTime,
        plain.count + theirs.stallCount
      )
      lowestStall += lowest.stallTime
    }
    let gain = Int(own.mean / plain.mean * 1000)
    print(
      "\(kind): bitrate \(gain) ‰ of the plain rule's, worst \(Int(worst * 1000)) ‰, below in "
        + "\(lessCount) of 250; stalls \(own.count) to \(plain.count), "
        + "\(own.stall / 1000) to \(plain.stall / 1000) ms (lowest alone \(lowestStall / 1000))")
    #expect(gain > 1150)
    #expect(own.stall <= plain.stall / 10 * 11)
  }

  @Test("over all traces it is above that of the plain rule, with no stall at all")
  func meanOfAll() throws {
    let all = try Self.traces.map(Self.both)
    let own = all.reduce(0) { $0 + $1.0.meanBandwidth }
    let plain = all.reduce(0) { $0 + $1.1.meanBandwidth }
    print("mean of ten traces: \(own / 10) to \(plain / 10) bit/s")
    #expect(own > plain)
    #expect(all.allSatisfy { $0.0.stallCount == 0 })
  }

  private static func both(_ name: String) throws -> (SessionReport, SessionReport) {
    let network = try trace(name)
    return (
      SimulatedSession(plan, network: network).run(),
      SimulatedSession(plan, network: network, choose: plainThroughputRule).run()
    )
  }

  @Test("no stall where the lowest variant can be sustained, whatever else the network does")
  func noStall() {
    for seed: UInt64 in 1...400 {
      var random = SeededGenerator(seed: seed)
      var conditions: [NetworkCondition] = []
      var time: Int64 = 0
      for _ in 0..<120 {
        // A segment of the lowest variant (3.2 Mbit) arrives within its four seconds: at least
        // 1 Mbit/s less losses, after at most 0.7 s. A change in between keeps that.
        let isLow = random.one(in: 3)
        let loss = Int64(random.int(in: 0...30_000))
        conditions.append(
          NetworkCondition(
            start: time,
            kilobitsPerSecond: Int64(random.int(in: isLow ? 1_000...1_100 : 1_000...15_000)),
            latency: Int64(random.int(in: 0...650_000)), lossPerMillion: loss))
        time += Int64(random.int(in: 200_000...12_000_000))
      }
      let report = SimulatedSession(Self.plan, network: NetworkTrace(conditions)).run()
      #expect(report.stallCount == 0, "seed \(seed): \(report.stallTime) µs")
      #expect(report.isComplete, "seed \(seed)")
    }
  }

  @Test("a session's books balance", arguments: traces)
  func balance(name: String) throws {
    let report = SimulatedSession(Self.plan, network: try Self.trace(name)).run()
    #expect(report.length == report.startDelay + report.stallTime + Self.plan.duration)
    #expect(report.shownLevels.count == Self.plan.durations.count)
    var last: Int64 = 0
    for (time, event) in report.events {
      #expect(time >= last)
      last = time
      if case .loaded(_, _, _, let buffer, let end) = event {
        #expect(buffer >= 0 && buffer <= 34_000_000 && end <= Self.plan.duration)
      }
    }
  }

  @Test("a network that gives nothing fails instead of waiting for ever")
  func dead() {
    let report = SimulatedSession(Self.plan, network: .constant(kilobitsPerSecond: 0)).run()
    #expect(!report.isComplete)
    #expect(report.events.map(\.event) == [.waiting, .request(segment: 0, level: 0), .failed])
  }

  @Test("caps leave out what is too large or cannot be decoded")
  func caps() {
    func variant(_ bandwidth: Int64, _ height: Int, _ codec: String) -> Variant {
      var stream = StreamDescription()
      stream.bandwidth = bandwidth
      stream.resolution = Resolution(width: height * 16 / 9, height: height)
      stream.codecs = [codec, "mp4a.40.2"]
      return Variant(uri: "\(bandwidth)", stream: stream)
    }
    let variants = [
      variant(3000, 1080, "avc1.640028"), variant(1000, 360, "avc1.4d401e"),
      variant(2000, 720, "hvc1.1"), variant(1000, 360, "avc1.4d401e"),
    ]
    var caps = AdaptiveCaps()
    #expect(caps.levels(variants).map(\.variantIndex) == [1, 2, 0])
    caps.codecs = ["avc1", "mp4a"]
    #expect(caps.levels(variants).map(\.variantIndex) == [1, 0])
    caps.maximumResolution = Resolution(width: 1280, height: 720)
    #expect(caps.levels(variants).map(\.variantIndex) == [1])
    caps.maximumBandwidth = 10
    #expect(caps.levels(variants).map(\.variantIndex) == [1])
  }

  @Test("a start from an earlier session's throughput begins higher, and a cut is given up in time")
  func givesUp() {
    var controller = AdaptiveController()
    controller.initialThroughput = 6_000_000
    let network = NetworkTrace([
      NetworkCondition(start: 0, kilobitsPerSecond: 20_000),
      NetworkCondition(start: 20_000_000, kilobitsPerSecond: 1_000),
    ])
    let report = SimulatedSession(Self.plan, network: network, controller: controller).run()
    #expect(report.shownLevels.first == 2)
    #expect(report.stallCount == 0)
    #expect(report.abandonedCount > 0)
  }

  @Test(
    "traces tell the line of what is wrong",
    arguments: [
      ("", 1), ("0 100\nx 5", 2), ("0 100\n1", 2), ("5 100\n5 90", 2), ("0 -4", 1),
      ("# only\n# comments\n", 1), ("0 1 2 3 4", 1),
    ])
  func wrongTraces(text: String, line: Int) {
    do {
      _ = try NetworkTrace(parsing: text)
      Issue.record("it was read")
    } catch {
      #expect(error.place == .line(line))
    }
  }

  @Test("bits and times of a trace agree to the microsecond")
  func arithmetic() throws {
    let trace = try NetworkTrace(parsing: "0 1000 50 0\n2 0\n3.5 500 0 50 # half is lost")
    #expect(trace.bits(from: 0, to: 2_000_000) == 2_000_000)
    #expect(trace.bits(from: 1_000_000, to: 4_500_000) == 1_250_000)
    #expect(trace.arrival(of: 2_000_000, from: 0) == 2_000_000)
    #expect(trace.arrival(of: 2_000_001, from: 0) == 3_500_004)
    #expect(trace.arrival(of: 250_000, from: 2_000_000) == 4_500_000)
    #expect(trace.condition(at: 10).latency == 50_000)
    #expect(NetworkTrace.constant(kilobitsPerSecond: 0).arrival(of: 1, from: 0) == nil)
    let measured = NetworkTrace(measured: [(start: 0, byteCount: 125_000, duration: 1_000_000)])
    #expect(measured.condition(at: 5).kilobitsPerSecond == 1000)
  }

  @Test("a trace as text reads back as itself", arguments: traces)
  func traceText(name: String) throws {
    let trace = try Self.trace(name)
    #expect(try NetworkTrace(parsing: trace.text) == trace)
  }
}
