// Which variant to load next.

public import ReelHLS

/// A variant as the choice sees it.
public struct AdaptiveLevel: Sendable, Hashable {
  /// Place in the master playlist.
  public var variantIndex: Int
  /// Bits a second.
  public var bandwidth: Int64
  public init(variantIndex: Int, bandwidth: Int64) {
    (self.variantIndex, self.bandwidth) = (variantIndex, max(bandwidth, 1))
  }
}

/// What the user or the machine allows.
public struct AdaptiveCaps: Sendable, Hashable {
  /// Bits a second; nil for any.
  public var maximumBandwidth: Int64?
  /// Pixels; nil for any.
  public var maximumResolution: Resolution?
  /// First parts of RFC 6381 names, such as `avc1`, that can be decoded; nil for any.
  public var codecs: Set<String>?
  public init() {}

  /// The variants that may be chosen from, the lowest bandwidth first; those that differ in nothing but
  /// their address are one. The lowest one alone where the caps allow none.
  ///
  /// - Parameter places: of the variants to choose from; nil: all.
  public func levels(_ variants: [Variant], among places: [Int]? = nil) -> [AdaptiveLevel] {
    let places = (places ?? Array(variants.indices)).filter(variants.indices.contains)
    let usable = places.filter { allows(variants[$0].stream) }
    let lowest = places.min {
      (variants[$0].stream.bandwidth, $0) < (variants[$1].stream.bandwidth, $1)
    }
    let chosen = usable.isEmpty ? lowest.map { [$0] } ?? [] : usable
    var levels: [AdaptiveLevel] = []
    let ascending = chosen.sorted {
      (variants[$0].stream.bandwidth, $0) < (variants[$1].stream.bandwidth, $1)
    }
    for index in ascending {
      let bandwidth = max(variants[index].stream.bandwidth, 1)
      if levels.last?.bandwidth == bandwidth { continue }
      levels.append(AdaptiveLevel(variantIndex: index, bandwidth: bandwidth))
    }
    return levels
  }

  private func allows(_ stream: StreamDescription) -> Bool {
    if let maximumBandwidth, stream.bandwidth > maximumBandwidth { return false }
    if let limit = maximumResolution, let size = stream.resolution,
      size.width > limit.width || size.height > limit.height
    {
      return false
    }
    guard let codecs else { return true }
    return stream.codecs.allSatisfy { codecs.contains(String($0.prefix { $0 != "." })) }
  }
}

/// What is known when a segment has to be chosen. Microseconds and bits.
public struct AdaptiveState: Sendable, Hashable {
  /// Media that is loaded and not yet shown.
  public var buffer: Int64
  /// Bits a second; nil before the first measurement.
  public var throughput: Int64?
  /// Level of the segment before; nil for the first one.
  public var currentLevel: Int?
  /// Longest segment of the presentation.
  public var longestSegment: Int64
  public init(buffer: Int64, throughput: Int64?, currentLevel: Int?, longestSegment: Int64) {
    (self.buffer, self.throughput) = (buffer, throughput)
    (self.currentLevel, self.longestSegment) = (currentLevel, longestSegment)
  }
}

/// Chooses variants by measured throughput and by the buffer: a pure function.
///
/// Two rules. *Safety*: media for the longest segment is kept in reserve. While no more than that is
/// loaded, the lowest level is chosen, and a higher one that is still on its way when only the reserve
/// is left is given up, unless less than a segment of the lowest level is missing. So there is no stall
/// as long as a segment of the lowest level can be loaded in the time that it plays, whatever the
/// network does in between. *Quality*: beyond the reserve the level is the highest one that a share of
/// the throughput carries, and the share grows with the buffer, from 80 % to 120 %: a full buffer may
/// be spent. What had to be lower for the reserve's sake alone is loaded again at the level that the
/// throughput carries, as long as there is time before it is shown.
public struct AdaptiveController: Sendable, Hashable {
  /// Media to load ahead, microseconds.
  public var maximumBuffer: Int64 = 30_000_000
  /// Bits a second to begin with, from earlier sessions; nil begins with the lowest level.
  public var initialThroughput: Int64?
  public init() {}

  /// Media that is kept to fall back on.
  public func reserve(_ state: AdaptiveState) -> Int64 { state.longestSegment }

  /// The level of the next segment; levels ascend by bandwidth, of which there is at least one.
  public func level(_ state: AdaptiveState, _ levels: [AdaptiveLevel]) -> Int {
    guard state.currentLevel != nil else {
      return highest(levels, within: (initialThroughput ?? 0) / 5 * 4)
    }
    // A segment that is likely to be given up is not begun.
    let wished = wish(state, levels)
    let affordable = affordable(wished, state, levels)
    return affordable < wished && fills(wished, state, levels) ? 0 : affordable
  }

  /// Whether a segment of the lowest level is to be loaded again at the wished one: where there is no time
  /// for that before the reserve, but both together come in less time than they play, so that the buffer
  /// grows until there is.
  public func fills(_ wished: Int, _ state: AdaptiveState, _ levels: [AdaptiveLevel]) -> Bool {
    guard let throughput = state.throughput, wished > 0, state.currentLevel != nil else {
      return false
    }
    let both = Int128(levels[0].bandwidth) + Int128(levels[wished].bandwidth)
    return both * 100 <= Int128(throughput) * 95
  }

  /// The level that the throughput carries, whether or not there is time for it before the reserve.
  public func wish(_ state: AdaptiveState, _ levels: [AdaptiveLevel]) -> Int {
    guard let throughput = state.throughput else { return 0 }
    let range = max(maximumBuffer - reserve(state), 1)
    let spare = min(max(state.buffer - reserve(state), 0), range)
    // Per mille of the throughput that may be asked of it: more to stay than to go up.
    let fullness = Int64(Int128(spare) * 1000 / Int128(range))
    let up = highest(levels, within: share(throughput, 800 + fullness * 400 / 1000))
    let stay = highest(levels, within: share(throughput, 900 + fullness * 600 / 1000))
    let current = state.currentLevel ?? 0
    return up > current ? up : min(current, stay)
  }

  /// Whether a segment that is there at a lower level is loaded again at the wished one: it is likely to
  /// come before it is shown, and before only the reserve is left.
  ///
  /// - Parameters:
  ///   - bits: of the segment at the wished level.
  ///   - mediaBefore: microseconds of media before it is shown.
  public func replaces(bits: Int64, mediaBefore: Int64, _ state: AdaptiveState) -> Bool {
    guard let throughput = state.throughput else { return false }
    let time = Int128(min(mediaBefore, state.buffer - reserve(state)))
    // A tenth more than it should take.
    return Int128(bits) * 1_100_000 <= time * Int128(throughput)
  }

  /// The highest level, at most `wanted`, whose segment is likely to be there before the reserve.
  private func affordable(
    _ wanted: Int, _ state: AdaptiveState, _ levels: [AdaptiveLevel]
  ) -> Int {
    let time = Int128(max(state.buffer - reserve(state), 0))
    let throughput = Int128(state.throughput ?? 0)
    var level = wanted
    while level > 0 {
      let bits = Int128(levels[level].bandwidth) * Int128(state.longestSegment)
      if bits <= time * throughput { return level }
      level -= 1
    }
    return 0
  }

  private func highest(_ levels: [AdaptiveLevel], within bandwidth: Int64) -> Int {
    levels.lastIndex { $0.bandwidth <= bandwidth } ?? 0
  }

  private func share(_ value: Int64, _ perMille: Int64) -> Int64 {
    Int64(clamping: Int128(value) * Int128(perMille) / 1000)
  }

  /// Microseconds to wait before the next request: a full buffer is not added to.
  public func delay(buffer: Int64, nextDuration: Int64) -> Int64 {
    max(buffer + nextDuration - maximumBuffer, 0)
  }

  /// Whether to give up a segment of a higher level when only the reserve is left.
  ///
  /// - Parameters:
  ///   - missing: bits that have not arrived.
  ///   - lowest: bits of the same segment at the lowest level.
  public func givesUp(missing: Int64, lowest: Int64) -> Bool { missing > lowest }
}

/// Throughput of the last transfers.
public struct ThroughputEstimate: Sendable, Hashable {
  private var transfers: [Transfer] = []
  private struct Transfer: Hashable {
    let bits: Int64
    let time: Int64
  }
  /// Transfers that count.
  private static let window = 4

  public init() {}

  /// Adds a transfer of so many bits in so many microseconds, latency counted.
  public mutating func add(bits: Int64, time: Int64) {
    transfers.append(Transfer(bits: max(bits, 0), time: max(time, 1)))
    if transfers.count > Self.window { transfers.removeFirst() }
  }

  /// Bits a second: of the last transfer or of the last few together, whichever is less; nil before the
  /// first one.
  public var bitsPerSecond: Int64? {
    guard let last = transfers.last else { return nil }
    let bits = transfers.reduce(Int128(0)) { $0 + Int128($1.bits) }
    let time = transfers.reduce(Int128(0)) { $0 + Int128($1.time) }
    let mean = bits * 1_000_000 / time
    let own = Int128(last.bits) * 1_000_000 / Int128(last.time)
    return Int64(clamping: min(mean, own))
  }
}
