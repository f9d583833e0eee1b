internal import ReelCore
internal import ReelCurl
internal import ReelIO
internal import ReelTestSupport
internal import Testing

@Suite("HTTP byte source", .enabled(if: MediaServer.isMissing == nil, "needs python3"))
struct HTTPByteSourceTests {
  private func source(
    _ bench: ServerBench, _ count: Int, faults: String = ""
  ) throws -> HTTPByteSource {
    var limits = HTTPByteSource.Limits()
    limits.blockByteCount = 1000
    limits.cachedBlocks = 8
    limits.readAheadBlocks = 4
    limits.maximumWholeBytes = 100_000
    return try HTTPByteSource(
      bench.server.address("_bytes/\(count)", faults: faults), client: bench.client(),
      limits: limits)
  }

  @Test("random reads equal the content", arguments: ["", "norange", "noetag", "chunked"])
  func randomReads(faults: String) throws {
    let bench = try ServerBench()
    let all = serverBytes(0..<50_001)
    let source = try source(bench, all.count, faults: faults)
    #expect(source.byteCount == 50_001)
    var random = SeededGenerator(seed: 7)
    for _ in 0..<100 {
      let start = random.int(in: 0...50_100)
      let count = random.int(in: 1...5000)
      let expected = start < all.count ? Array(all[start..<min(start + count, all.count)]) : []
      #expect(try source.readFully(at: Int64(start), count: count) == expected)
    }
  }

  @Test("reading on asks for more and more; what is cached is not asked for again")
  func readAhead() throws {
    let bench = try ServerBench()
    let source = try source(bench, 20_000)
    #expect(try source.readFully(at: 0, count: 20_000) == serverBytes(0..<20_000))
    // 1 block at opening, then 2, 4, 4, 4, 4, and what is left.
    #expect(source.requestCount <= 7)
    let before = source.requestCount
    _ = try source.readFully(at: 19_000, count: 900)
    #expect(source.requestCount == before)
    _ = try source.read(at: 0, count: 1)
    #expect(source.requestCount == before + 1)
  }

  @Test("content that changes is an error, never a mixture")
  func changes() throws {
    let bench = try ServerBench()
    let source = try source(bench, 20_000, faults: "change=2")
    #expect(throws: MediaError.self) { try source.readFully(at: 0, count: 20_000) }
    do { _ = try source.readFully(at: 0, count: 20_000) } catch {
      #expect(error.rule == .httpChanged)
    }
  }

  @Test(
    "short, wrong and lost answers are tried again or told",
    arguments: [
      ("fail=2", nil), ("truncate=500:2", nil), ("drop=1", nil),
      ("wrongrange", Rule.httpRange), ("status=404", .httpStatus), ("status=401", .httpStatus),
      ("truncate=500", .connectionLost),
    ])
  func faults(faults: String, rule: Rule?) throws {
    let bench = try ServerBench()
    do throws(MediaError) {
      let bytes = try Result { try source(bench, 3000, faults: faults) }
        .mapError { $0 as? MediaError ?? MediaError(.usage, .httpMessage) }.get()
        .readFully(at: 0, count: 3000)
      #expect(rule == nil && bytes == serverBytes(0..<3000))
    } catch {
      #expect(error.rule == rule)
    }
  }

  @Test("an empty file has no bytes; one too long for memory is told")
  func edges() throws {
    let bench = try ServerBench()
    let empty = try source(bench, 0)
    #expect(empty.byteCount == 0)
    #expect(try empty.read(at: 0, count: 10).isEmpty)
    #expect(throws: MediaError.self) { try source(bench, 100_001, faults: "norange") }
  }
}
