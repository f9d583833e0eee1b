// A source that behaves as badly as a source may.

public import ReelCore
import Synchronization

/// Bytes in memory behind a source that gives less than asked, fails before it succeeds, and does
/// not know its length. What is read through it must equal what is read without it.
public final class FaultyByteSource: ByteSource {
  /// What goes wrong.
  public struct Faults: Sendable, Hashable, CustomStringConvertible {
    /// Reads give a part of what was asked, down to one byte.
    public var givesParts = false
    /// The first read at each offset fails; it may be tried again.
    public var failsFirst = false
    public var hidesLength = false

    public init(givesParts: Bool = false, failsFirst: Bool = false, hidesLength: Bool = false) {
      (self.givesParts, self.failsFirst) = (givesParts, failsFirst)
      self.hidesLength = hidesLength
    }

    /// Every combination, the flawless one first.
    public static let all: [Faults] = (0..<8).map {
      Faults(givesParts: $0 & 1 != 0, failsFirst: $0 & 2 != 0, hidesLength: $0 & 4 != 0)
    }

    public var description: String {
      let words = [
        givesParts ? "partial reads" : nil, failsFirst ? "errors then success" : nil,
        hidesLength ? "unknown length" : nil,
      ].compactMap { $0 }
      return words.isEmpty ? "no faults" : words.joined(separator: ", ")
    }
  }

  public static let failure = Rule("test.injected-failure", "a read that fails on purpose")

  private let memory: MemorySource
  private let faults: Faults
  private let state: Mutex<(random: SeededGenerator, failed: Set<Int64>)>

  public init(_ bytes: [UInt8], _ faults: Faults, seed: UInt64 = 1) {
    memory = MemorySource(bytes)
    self.faults = faults
    state = Mutex((SeededGenerator(seed: seed), []))
  }

  public var byteCount: Int64? { faults.hidesLength ? nil : memory.byteCount }

  public func read(at offset: Int64, count: Int) throws(MediaError) -> [UInt8] {
    let plan: (fails: Bool, count: Int) = state.withLock { state in
      if faults.failsFirst, state.failed.insert(offset).inserted { return (true, 0) }
      guard faults.givesParts, count > 1 else { return (false, count) }
      let most = state.random.one(in: 4) ? 3 : 4096
      return (false, state.random.int(in: 1...min(count, most)))
    }
    if plan.fails { throw MediaError(.io, Self.failure, at: .offset(offset)) }
    return try memory.read(at: offset, count: plan.count)
  }
}

/// The result of `body`, called again as long as an injected failure stops it.
public func retrying<Result>(
  _ body: () throws(MediaError) -> Result
) throws(MediaError) -> Result {
  while true {
    do {
      return try body()
    } catch  where error.rule == FaultyByteSource.failure {
      continue
    }
  }
}
