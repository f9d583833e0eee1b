internal import Foundation
internal import ReelCore
internal import ReelCurl
internal import ReelIO
internal import ReelNetworkTestSupport
internal import ReelTestSupport
internal import Testing

/// A server, a folder it serves, and a client that may ask it.
struct ServerBench {
  let folder: TemporaryFolder
  let server: MediaServer
  let clock = VirtualNetworkClock()

  init() throws {
    folder = try TemporaryFolder()
    server = try MediaServer(folder: folder.url)
  }

  func client(_ change: (inout NetworkPolicy) -> Void = { _ in }) throws -> HTTPClient {
    var policy = NetworkPolicy()
    policy.allowsPrivateNetwork = true
    change(&policy)
    var timeouts = HTTPTimeouts()
    timeouts.connect = .seconds(5)
    timeouts.stall = .seconds(1)
    return try HTTPClient(
      transport: CurlTransport(), policy: policy, timeouts: timeouts, clock: clock)
  }

  func load(
    _ path: String, faults: String = "", range: Range<Int64>? = nil, limit: Int = 1 << 20
  ) throws -> Resource {
    try client().load(
      ResourceRequest(
        server.address(path, faults: faults), range: range, maximumByteCount: limit))
  }

  /// The rule that loading runs into.
  func rule(
    _ path: String, faults: String = "", range: Range<Int64>? = nil, limit: Int = 1 << 20
  ) throws -> String {
    do {
      _ = try load(path, faults: faults, range: range, limit: limit)
      return "none"
    } catch let error as MediaError {
      return error.rule.code
    }
  }

  /// The requests that the server saw.
  func log() throws -> [String] {
    let text = try load("_log").bytes
    return String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}

/// The server's own bytes.
func serverBytes(_ range: Range<Int>) -> [UInt8] {
  range.map { place in
    let word = UInt32(truncatingIfNeeded: place / 4) &* 2_654_435_761 &+ 12345
    return UInt8(truncatingIfNeeded: word >> UInt32(place % 4 * 8))
  }
}

@Suite("HTTP client", .enabled(if: MediaServer.isMissing == nil, "needs python3"))
struct HTTPClientTests {
  @Test("the whole, a range, and a range of a server that has none")
  func ranges() throws {
    let bench = try ServerBench()
    let all = serverBytes(0..<10_000)
    #expect(try bench.load("_bytes/10000").bytes == all)
    #expect(try bench.load("_bytes/10000", range: 17..<4321).bytes == Array(all[17..<4321]))
    let ignored = try bench.load("_bytes/10000", faults: "norange", range: 17..<4321)
    #expect(ignored.bytes == Array(all[17..<4321]))
    #expect(try bench.load("_bytes/10000", faults: "chunked").bytes == all)
    #expect(try bench.load("_bytes/10000", faults: "gzip").bytes == all)
    #expect(try bench.rule("_bytes/10", range: 20..<30) == "http.status")
    #expect(try bench.rule("_bytes/10", range: 5..<30) == "http.range")
    #expect(try bench.rule("_bytes/100", faults: "wrongrange", range: 5..<30) == "http.range")
  }

  @Test(
    "errors have their reason",
    arguments: [
      ("status=404", "http.status"), ("status=403", "http.status"), ("status=204", "http.status"),
      ("status=503", "http.busy"), ("drop=9", "net.lost"), ("truncate=100", "net.lost"),
      ("stall=100", "net.timeout"), ("slow=20", "net.timeout"),
      ("length=5", "net.lost"), ("headers=100", "http.head-size"),
      ("redirect=%2F_bytes%2F5,code=308", "none"), ("redirects=3", "none"),
      ("redirects=9", "net.redirects"), ("redirect=file%3A%2F%2F%2Fetc%2Fpasswd", "net.scheme"),
      ("redirect=gopher%3A%2F%2Fx%2F", "net.scheme"),
    ])
  func errors(faults: String, rule: String) throws {
    let bench = try ServerBench()
    #expect(try bench.rule("_bytes/10000", faults: faults) == rule)
  }

  @Test("what may pass is tried again with growing waits; what may not is not")
  func retries() throws {
    let bench = try ServerBench()
    #expect(try bench.load("_bytes/100", faults: "fail=2").bytes.count == 100)
    #expect(bench.clock.sleeps == [.milliseconds(250), .milliseconds(500)])
    #expect(try bench.load("_bytes/101", faults: "fail=1:429,retryafter=3").bytes.count == 101)
    #expect(bench.clock.sleeps.last == .seconds(3))
    #expect(try bench.load("_bytes/102", faults: "truncate=50:1").bytes == serverBytes(0..<102))
    let before = bench.clock.sleeps.count
    #expect(try bench.rule("_bytes/103", faults: "status=404") == "http.status")
    #expect(bench.clock.sleeps.count == before)
    #expect(try bench.rule("_bytes/104", faults: "status=500") == "http.busy")
    #expect(bench.clock.sleeps.count == before + 4)
    #expect(try bench.log().filter { $0.contains("_bytes/104") }.count == 5)
  }

  @Test("nobody is there, and nobody has that name")
  func unreachable() throws {
    let bench = try ServerBench()
    let client = try bench.client()
    func rule(_ address: String) -> MediaError? {
      do {
        _ = try client.load(ResourceRequest(address, maximumByteCount: 10))
        return nil
      } catch { return error }
    }
    let refused = try #require(rule("http://127.0.0.1:9/x"))
    #expect(refused.rule == .connectionFailed && refused.detail == "Connection refused")
    let unknown = try #require(rule("http://no-such-host.invalid/x"))
    #expect(unknown.rule == .hostUnknown && unknown.family == .notFound)
    let plain = try #require(rule("https://127.0.0.1:\(bench.server.port)/x"))
    #expect(plain.rule == .secureConnection)
  }

  @Test("cookies go back to their origin and nowhere else")
  func cookies() throws {
    let bench = try ServerBench()
    let other = try MediaServer(folder: bench.folder.url)
    let client = try bench.client()
    func load(_ address: String) throws {
      _ = try client.load(ResourceRequest(address, maximumByteCount: 1000))
    }
    try load(bench.server.address("_bytes/1", faults: "cookie=token:secret;Path=%2F"))
    try load(bench.server.address("_bytes/2", faults: "need=token:secret"))
    try load(other.address("_bytes/3"))
    let away = other.address("_bytes/4").replacingOccurrences(of: "/", with: "%2F")
    try load(bench.server.address("_bytes/5", faults: "redirect=\(away)"))
    let log = try client.load(
      ResourceRequest(other.address("_log"), maximumByteCount: 10_000)
    ).bytes
    #expect(!String(decoding: log, as: UTF8.self).contains("secret"))
    #expect(try bench.log().filter { $0.contains("token=secret") }.count == 2)
  }

  @Test("long and endless answers end at the limit, compressed ones too")
  func limits() throws {
    let bench = try ServerBench()
    #expect(try bench.rule("_bytes/1001", limit: 1000) == "http.body-size")
    #expect(try bench.rule("_bytes/1001", faults: "chunked", limit: 1000) == "http.body-size")
    #expect(try bench.rule("_endless") == "http.body-size")
    #expect(try bench.rule("_bomb/20") == "http.body-size")
    let start = ContinuousClock.now
    #expect(try bench.rule("_huge/4294967296") == "http.body-size")
    #expect(ContinuousClock.now - start < .seconds(1))
  }
}

@Suite("Network policy on the wire", .enabled(if: MediaServer.isMissing == nil, "needs python3"))
struct WirePolicyTests {
  private func failure(_ client: HTTPClient, _ address: String) -> MediaError? {
    do throws(MediaError) {
      _ = try client.load(ResourceRequest(address, maximumByteCount: 1000))
      return nil
    } catch { return error }
  }

  @Test("a name that resolves to this machine is refused when the connection is made")
  func resolvedName() throws {
    let bench = try ServerBench()
    let client = try bench.client { $0.allowsPrivateNetwork = false }
    // The system's resolver reads these as 127.0.0.1, and nothing in the text says so.
    for host in ["127.1", "2130706433", "0x7f000001", "017700000001"] {
      let error = failure(client, "http://\(host):\(bench.server.port)/_bytes/1")
      #expect(error?.rule == .privateAddress, "\(host)")
    }
    for host in ["localhost", "127.0.0.1", "[::1]", "[::ffff:127.0.0.1]", "169.254.169.254"] {
      let error = failure(client, "http://\(host):\(bench.server.port)/_bytes/1")
      #expect(error?.rule == .privateAddress, "\(host)")
    }
    #expect(try bench.log().isEmpty)
  }

  @Test("a redirect to this machine is refused after the first hop")
  func redirects() throws {
    let answers = ScriptedTransport([
      "http://example.com/": (302, "http://127.0.0.1/admin"),
      "http://example.com/metadata": (301, "http://169.254.169.254/latest/meta-data"),
      "http://example.com/file": (307, "file:///etc/passwd"),
      "http://example.com/loop": (302, "/loop"),
      "http://example.com/ok": (302, "//example.org/there"),
      "http://example.org/there": (200, ""),
    ])
    let client = HTTPClient(transport: answers, clock: VirtualNetworkClock())
    #expect(failure(client, "http://example.com/")?.rule == .privateAddress)
    #expect(failure(client, "http://example.com/metadata")?.rule == .privateAddress)
    #expect(failure(client, "http://example.com/file")?.rule == .webScheme)
    #expect(failure(client, "http://example.com/loop")?.rule == .redirectCount)
    #expect(failure(client, "http://example.com/ok") == nil)
  }
}

/// Answers by address: a status, and where a redirect leads.
struct ScriptedTransport: HTTPTransport {
  let answers: [String: (status: Int, location: String)]
  init(_ answers: [String: (status: Int, location: String)]) { self.answers = answers }

  func exchange(
    _ request: HTTPRequest, policy: NetworkPolicy, timeouts: HTTPTimeouts,
    receiver: any HTTPReceiver
  ) throws(MediaError) {
    let answer = answers[request.address.description] ?? (404, "")
    let fields = answer.location.isEmpty ? [] : [("location", answer.location)]
    try receiver.receive(HTTPHead(status: answer.status, fields: fields))
  }
}
