internal import Foundation
internal import ReelCore
internal import ReelDownloads
internal import ReelIO
internal import ReelNetworkTestSupport
internal import ReelTestSupport
internal import Testing

/// Answers by address, without a network.
private struct MemoryTransport: HTTPTransport {
  let answers: [String: (status: Int, location: String, body: [UInt8])]

  init(_ answers: [String: String], redirects: [String: String] = [:]) {
    var all = answers.mapValues { (status: 200, location: "", body: Array($0.utf8)) }
    for (from, to) in redirects { all[from] = (302, to, []) }
    self.answers = all
  }

  func exchange(
    _ request: HTTPRequest, policy: NetworkPolicy, timeouts: HTTPTimeouts,
    receiver: any HTTPReceiver
  ) throws(MediaError) {
    guard let answer = answers[request.address.description] else {
      return try receiver.receive(HTTPHead(status: 404, fields: []))
    }
    var fields = [("content-length", "\(answer.body.count)")]
    if !answer.location.isEmpty { fields.append(("location", answer.location)) }
    try receiver.receive(HTTPHead(status: answer.status, fields: fields))
    if !answer.body.isEmpty { try receiver.receive(answer.body) }
  }
}

@Suite("Hostile lists")
struct HostileListTests {
  private static let site = "http://media.example.com/a/list.m3u8"

  /// What downloading a list runs into, and what it leaves in the store.
  private func outcome(
    _ answers: [String: String], redirects: [String: String] = [:]
  ) throws -> (error: MediaError?, names: [String]) {
    let folder = try TemporaryFolder()
    let client = HTTPClient(
      transport: MemoryTransport(answers, redirects: redirects), clock: VirtualNetworkClock())
    let store = try DownloadStore(path: folder.path("store"), client: client)
    let download = try store.download(Self.site)
    #expect(folder.names == ["store"])
    var failure: MediaError?
    do throws(MediaError) { try download.run() } catch { failure = error }
    let inner = folder.path("store/\(download.id)")
    return (failure, try FileManager.default.contentsOfDirectory(atPath: inner).sorted())
  }

  private static func list(segment: String, tag: String = "") -> String {
    "#EXTM3U\n#EXT-X-VERSION:6\n#EXT-X-TARGETDURATION:4\n\(tag)#EXTINF:4,\n\(segment)\n#EXT-X-ENDLIST\n"
  }

  @Test(
    "segments, keys and sections that lead to files or into private networks are refused",
    arguments: [
      ("file:///etc/passwd", "net.local-file"), ("FILE:/etc/passwd", "net.local-file"),
      ("concat:a.ts|/etc/passwd", "net.scheme"),

      ("data:video/mp2t;base64,RwA=", "net.scheme"), ("crypto:file:///etc/passwd", "net.scheme"),
      ("gopher://media.example.com/x", "net.scheme"), ("http://localhost/x", "net.private-address"),
      ("http://localhost.:8080/x", "net.private-address"),
      ("http://127.0.0.1/x", "net.private-address"),
      ("http://169.254.169.254/latest/meta-data", "net.private-address"),
      ("http://[::1]/x", "net.private-address"),
      ("http://[::ffff:10.0.0.1]/", "net.private-address"),
      ("//192.168.0.1/x", "net.private-address"), ("http://100.64.0.1/x", "net.private-address"),
      ("http://user:secret@media.example.com/x", "net.address"),
      ("http://media.example.com\\@127.0.0.1/x", "net.address"),
    ])
  func places(address: String, rule: String) throws {
    let segment = try outcome([Self.site: Self.list(segment: address)])
    #expect(segment.error?.rule.code == rule, "\(segment.error?.description ?? "none")")
    for tag in [
      "#EXT-X-KEY:METHOD=AES-128,URI=\"\(address)\"\n", "#EXT-X-MAP:URI=\"\(address)\"\n",
    ] {
      let other = try outcome([
        Self.site: Self.list(segment: "0.ts", tag: tag),
        "http://media.example.com/a/0.ts": "\u{47}" + String(repeating: "x", count: 187),
      ])
      #expect(other.error?.rule.code == rule, "\(tag): \(other.error?.description ?? "none")")
    }
  }

  @Test(
    "a redirect into them is refused",
    arguments: [
      ("http://127.0.0.1/x", "net.private-address"), ("file:///etc/passwd", "net.scheme"),
      ("http://169.254.169.254/", "net.private-address"), ("/a/0.ts", "net.redirects"),
    ])
  func redirects(target: String, rule: String) throws {
    let result = try outcome(
      [Self.site: Self.list(segment: "0.ts")],
      redirects: ["http://media.example.com/a/0.ts": target])
    #expect(result.error?.rule.code == rule, "\(result.error?.description ?? "none")")
    let list = try outcome([:], redirects: [Self.site: target])
    #expect(list.error?.rule.code == rule || target == "/a/0.ts")
  }

  @Test("no name of a list becomes a name in the store")
  func names() throws {
    for name in [
      "../../../../escape.ts", "..%2f..%2fescape.ts", "a/b/../../../x.sh", "%00.ts", ".hidden.ts",
    ] {
      let address = try WebAddress(Self.site).resolving(name).description
      let result = try outcome([
        Self.site: Self.list(segment: name), address: "\u{47}" + String(repeating: "x", count: 187),
      ])
      #expect(result.error == nil, "\(name): \(result.error?.description ?? "")")
      let allowed = /[0-9a-f]{32}\.(ts|bin)|index\.m3u8|manifest|request|lock/
      #expect(
        result.names.count == 5 && result.names.allSatisfy { $0.wholeMatch(of: allowed) != nil })
    }
  }

  @Test("a list of lists of lists ends at the second")
  func nesting() throws {
    let master = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nlist.m3u8\n"
    let circle = try outcome([Self.site: master])
    #expect(circle.error?.rule == .downloadNesting)
    let deeper = try outcome([
      Self.site: "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\ninner.m3u8\n",
      "http://media.example.com/a/inner.m3u8": master,
    ])
    #expect(deeper.error?.rule == .downloadNesting)
  }

  @Test("protected segments are told apart from broken ones")
  func protected() throws {
    for key in [
      "METHOD=SAMPLE-AES,URI=\"k\"", "METHOD=SAMPLE-AES-CTR,URI=\"k\",KEYFORMAT=\"urn:x\"",
    ] {
      let result = try outcome([Self.site: Self.list(segment: "0.ts", tag: "#EXT-X-KEY:\(key)\n")])
      #expect(result.error?.family == .protected)
    }
  }

  @Test(
    "endless, announced and compressed floods end at the limit",
    .enabled(if: MediaServer.isMissing == nil),
    arguments: ["_endless", "_huge/4294967296", "_bomb/8", "_bytes/10?x"])
  func floods(path: String) throws {
    let bench = try DownloadBench()
    var options = DownloadOptions()
    options.maximumPlaylistBytes = 1 << 20
    let list = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n\(bench.server.address(path))\n"
    try Data(list.utf8).write(to: bench.site.url.appendingPathComponent("flood.m3u8"))
    let download = try bench.store().download(
      bench.server.address("flood.m3u8"), options: options)
    do throws(MediaError) {
      try download.run()
      #expect(Bool(false))
    } catch {
      let isFlood = !path.contains("?")
      #expect(error.rule.code.hasPrefix(isFlood ? "http.body-size" : "hls."), "\(error)")
    }
  }
}
