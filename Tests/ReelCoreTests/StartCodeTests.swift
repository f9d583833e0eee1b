internal import ReelCore
internal import ReelTestSupport
internal import Testing

@Suite("Start codes")
struct StartCodeTests {
  /// All indices of 00 00 01 that a search finds.
  private static func found(_ bytes: Span<UInt8>) -> [Int] {
    var indices: [Int] = []
    var next = StartCodes.first(in: bytes, from: 0)
    while next.isFound {
      indices.append(next.index)
      next = StartCodes.first(in: bytes, from: next.index + 3)
    }
    return indices
  }

  @Test("are found, and nothing behind the last byte is read, at any length up to a page's end")
  func pageEnd() throws {
    var random = SeededGenerator(seed: 1)
    for count in Array(0...200) + [4095, 4096, 4097] {
      let bytes = (0..<count).map { _ in UInt8(random.int(in: 0...2)) }
      let plain = bytes.indices.filter { bytes[$0...].starts(with: [0, 0, 1]) }
      let guarded = try #require(GuardedBytes(bytes))
      #expect(guarded.withSpan { Self.found($0) } == plain, "\(count) bytes")
    }
  }

  @Test("are told as begun where the bytes end", arguments: [[0], [0, 0], [7, 0, 0], [0, 0, 0]])
  func begun(bytes: [UInt8]) throws {
    let guarded = try #require(GuardedBytes(bytes))
    let next = guarded.withSpan { StartCodes.first(in: $0, from: 0) }
    #expect(!next.isFound)
    #expect(bytes[next.index...].allSatisfy { $0 == 0 } && next.index <= bytes.count)
  }
}
