// How fast the network is, when.

public import ReelCore

/// The network from one moment on.
public struct NetworkCondition: Sendable, Hashable {
  /// Microseconds since the session began.
  public var start: Int64
  /// Kilobits a second, ≥ 0.
  public var kilobitsPerSecond: Int64
  /// Microseconds from a request to the first byte of its answer, ≥ 0.
  public var latency: Int64
  /// Packets lost, in a million: they are sent again, so throughput falls by as much. 0…999,999.
  public var lossPerMillion: Int64

  public init(
    start: Int64, kilobitsPerSecond: Int64, latency: Int64 = 0, lossPerMillion: Int64 = 0
  ) {
    (self.start, self.kilobitsPerSecond) = (max(start, 0), max(kilobitsPerSecond, 0))
    (self.latency, self.lossPerMillion) = (max(latency, 0), min(max(lossPerMillion, 0), 999_999))
  }

  /// Bits a second that arrive.
  var bitsPerSecond: Int64 {
    Int64(Int128(kilobitsPerSecond) * 1000 * Int128(1_000_000 - lossPerMillion) / 1_000_000)
  }
}

/// A network as it changes over time; the last condition lasts for ever.
///
/// Whole microseconds and bits: the same trace gives the same session everywhere.
public struct NetworkTrace: Sendable, Hashable {
  public let conditions: [NetworkCondition]

  /// LIMIT: a condition for every second of a day has fewer.
  public static let maximumConditions = 100_000

  /// Conditions in any order; before the first one its own holds.
  public init(_ conditions: [NetworkCondition]) {
    let sorted = conditions.sorted { $0.start < $1.start }
    self.conditions =
      sorted.isEmpty ? [NetworkCondition(start: 0, kilobitsPerSecond: 0)] : sorted
  }

  /// A network that does not change.
  public static func constant(
    kilobitsPerSecond: Int64, latency: Int64 = 0, lossPerMillion: Int64 = 0
  ) -> NetworkTrace {
    NetworkTrace([
      NetworkCondition(
        start: 0, kilobitsPerSecond: kilobitsPerSecond, latency: latency,
        lossPerMillion: lossPerMillion)
    ])
  }

  /// The network as transfers measured it: each says how fast it was from its begin.
  public init(measured transfers: [(start: Int64, byteCount: Int64, duration: Int64)]) {
    self.init(
      transfers.map { transfer in
        let bits = Int128(max(transfer.byteCount, 0)) * 8
        let rate = bits * 1000 / Int128(max(transfer.duration, 1))
        return NetworkCondition(
          start: transfer.start, kilobitsPerSecond: Int64(clamping: rate))
      })
  }

  /// Reads a trace: a line for each change, `seconds kbit/s [latency-ms [loss-%]]`; `#` begins a
  /// comment.
  ///
  /// - Throws: `damaged` with the line; `limitExceeded`.
  public init(parsing text: some StringProtocol) throws(MediaError) {
    var conditions: [NetworkCondition] = []
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      let words = line.prefix { $0 != "#" }.split { $0 == " " || $0 == "\t" || $0 == "\r" }
      if words.isEmpty { continue }
      let numbers = words.compactMap { Rational($0) }
      guard 2...4 ~= words.count, numbers.count == words.count,
        numbers.allSatisfy({ $0 >= .zero && $0 < Rational(1_000_000_000) })
      else {
        throw MediaError(
          .damaged, .networkTrace, at: .line(index + 1), detail: "\(line.prefix(60))")
      }
      guard conditions.count < Self.maximumConditions else {
        throw MediaError(.limitExceeded, .networkTrace, at: .line(index + 1))
      }
      func scaled(_ index: Int, _ factor: Int) -> Int64 {
        index < numbers.count ? Int64(clamping: (numbers[index] * Rational(factor)).floor) : 0
      }
      let condition = NetworkCondition(
        start: scaled(0, 1_000_000), kilobitsPerSecond: scaled(1, 1), latency: scaled(2, 1000),
        lossPerMillion: scaled(3, 10_000))
      if let last = conditions.last, last.start >= condition.start {
        throw MediaError(
          .damaged, .networkTrace, at: .line(index + 1), detail: "times do not ascend")
      }
      conditions.append(condition)
    }
    guard !conditions.isEmpty else {
      throw MediaError(.damaged, .networkTrace, at: .line(1), detail: "no conditions")
    }
    self.init(conditions)
  }

  /// The trace as a file has it; reading it gives an equal one.
  public var text: String {
    conditions.map { condition in
      let numbers = [
        Rational(condition.start, 1_000_000), Rational(condition.kilobitsPerSecond, 1),
        Rational(condition.latency, 1000), Rational(condition.lossPerMillion, 10_000),
      ]
      return numbers.map(\.description).joined(separator: " ") + "\n"
    }.joined()
  }

  /// The condition that holds at a time.
  public func condition(at time: Int64) -> NetworkCondition { conditions[index(at: time)] }

  private func index(at time: Int64) -> Int {
    var (low, high) = (0, conditions.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if conditions[middle].start <= time { low = middle } else { high = middle }
    }
    return low
  }

  /// Bits that arrive from `start` to `end`.
  func bits(from start: Int64, to end: Int64) -> Int64 {
    guard end > start else { return 0 }
    var (index, time, total) = (index(at: start), start, Int128(0))
    while time < end {
      let next = index + 1 < conditions.count ? min(conditions[index + 1].start, end) : end
      let until = max(next, time)
      total += Int128(conditions[index].bitsPerSecond) * Int128(until - time)
      (time, index) = (until, min(index + 1, conditions.count - 1))
    }
    return Int64(clamping: total / 1_000_000)
  }

  /// When the last of `bits` that begin to arrive at `start` is there; nil when it never is.
  func arrival(of bits: Int64, from start: Int64) -> Int64? {
    var missing = Int128(bits) * 1_000_000
    var (index, time) = (index(at: start), start)
    while missing > 0 {
      let rate = Int128(conditions[index].bitsPerSecond)
      let needed = rate > 0 ? (missing + rate - 1) / rate : Int128.max
      guard index + 1 < conditions.count else {
        return rate > 0 ? Int64(exactly: Int128(time) + needed) : nil
      }
      let length = max(conditions[index + 1].start - time, 0)
      if needed <= Int128(length) { return time + Int64(needed) }
      missing -= rate * Int128(length)
      (time, index) = (time + length, index + 1)
    }
    return time
  }
}

extension Rule {
  public static let networkTrace = Rule(
    "streaming.network-trace",
    "a network trace has lines of ascending seconds, kbit/s, latency in ms and loss in percent")
}
