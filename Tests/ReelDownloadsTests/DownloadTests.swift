internal import Foundation
internal import ReelCore
internal import ReelCurl
internal import ReelDownloads
internal import ReelHLS
internal import ReelIO
internal import ReelTestSupport
internal import Testing

@Suite("Downloads", .serialized, .enabled(if: MediaServer.isMissing == nil, "needs python3"))
struct DownloadTests {
  private func run(_ download: Download) -> MediaError? {
    do throws(MediaError) {
      try download.run()
      return nil
    } catch { return error }
  }

  @Test("a presentation is stored under names of hashes and plays from its index")
  func presentation() throws {
    let bench = try DownloadBench()
    var options = DownloadOptions()
    options.variant = .lowest
    options.audioLanguages = ["de"]
    options.subtitleLanguages = ["en"]
    let download = try bench.store().download(
      bench.server.address("master.m3u8"), options: options)
    #expect(run(download) == nil)
    let info = try download.info()
    #expect(info.state == .downloaded && info.progress.fraction == 1)
    let files = try bench.files("store", download.id)
    let allowed = /[0-9a-f]{32}\.(ts|vtt|key|m3u8|bin)|index\.m3u8|manifest|request|lock/
    #expect(files.keys.allSatisfy { $0.wholeMatch(of: allowed) != nil }, "\(files.keys)")
    let index = try Playlist.parse(#require(files["index.m3u8"])).playlist
    guard case .master(let master) = index else { return #expect(Bool(false)) }
    #expect(master.variants.map(\.stream.bandwidth) == [300_000])
    #expect(master.renditions.map(\.language) == ["de-DE", "en"])
    let video = try Playlist.parse(#require(files[master.variants[0].uri])).playlist
    guard case .media(let media) = video else { return #expect(Bool(false)) }
    #expect(media.mediaSequence == 7 && media.isEnded && media.segments.count == 3)
    #expect(media.segments[2].isDiscontinuity)
    #expect(files[media.segments[0].uri] == Presentation.packets(60, seed: 0))
    #expect(files[media.segments[2].keys.first?.uri ?? ""] == [UInt8](0..<16))
    #expect(try download.verify().isEmpty)
    // A second run asks for nothing.
    let before = try bench.log().count
    #expect(run(download) == nil)
    #expect(try bench.log().count == before)
  }

  @Test("byte ranges and initialization sections become files of their own; gaps stay gaps")
  func byteRanges() throws {
    let bench = try DownloadBench()
    let download = try bench.store().download(bench.server.address("high.m3u8"))
    #expect(run(download) == nil)
    let files = try bench.files("store", download.id)
    guard case .media(let media) = try Playlist.parse(#require(files["index.m3u8"])).playlist else {
      return #expect(Bool(false))
    }
    let all = bench.site.bytes("all.mp4")
    #expect(media.segments.allSatisfy { $0.byteRange == nil })
    #expect(files[media.segments[0].initializationSection?.uri ?? ""] == Array(all[..<40]))
    #expect(files[media.segments[0].uri] == Array(all[40..<3040]))
    #expect(files[media.segments[1].uri] == Array(all[3040..<5040]))
    #expect(media.segments[2].isGap && files[media.segments[2].uri] == nil)
  }

  @Test("choices that the list does not have are told with those it has")
  func choices() throws {
    let bench = try DownloadBench()
    func error(_ change: (inout DownloadOptions) -> Void) throws -> MediaError? {
      var options = DownloadOptions()
      change(&options)
      return run(try bench.store().download(bench.server.address("master.m3u8"), options: options))
    }
    #expect(try error { $0.variant = .lines(720) } == nil)
    #expect(try error { $0.variant = .bitRate(500_000) } == nil)
    let variant = try error { $0.variant = .lines(100) }
    #expect(variant?.rule == .downloadChoice && variant?.advice.contains("320x180") == true)
    let audio = try error { $0.audioLanguages = ["fr"] }
    #expect(audio?.rule == .downloadChoice && audio?.advice == "there are en, de-DE")
    let keys = try error {
      $0.storesKeys = false
      $0.variant = .lowest
    }
    #expect(keys?.rule == .downloadKeys && keys?.family == .protected)
  }

  @Test(
    "a cut transfer goes on at its byte, and what changed meanwhile is fetched anew",
    arguments: [
      "", "truncate=100000:3", "truncate=100000:2,noetag", "truncate=100000:2,change=2",
      "truncate=100000:2,norange", "truncate=100000:2,wrongrange", "stall=50000:2", "fail=3",
      "chunked", "drop=1",
    ])
  func resumes(faults: String) throws {
    let bench = try DownloadBench()
    let address = bench.server.address("clip.mp4", faults: faults)
    let download = try bench.store().download(address)
    let failure = run(download)
    #expect(failure == nil, "\(failure?.description ?? "")")
    let info = try download.info()
    let stored = [UInt8](try Data(contentsOf: URL(fileURLWithPath: info.entry ?? "")))
    var expected = bench.site.bytes("clip.mp4")
    if faults.contains("change") { for index in 0..<64 { expected[index] ^= 1 } }
    #expect(stored == expected)
    let log = try bench.log().filter { $0.contains("clip.mp4") }
    if faults == "truncate=100000:3" {
      #expect(log.contains { $0.contains("bytes=100000-") || $0.contains("bytes=200000-") })
    }
    #expect(try download.verify().isEmpty)
  }

  @Test(
    "what cannot be trusted is refused, and nothing is left that plays",
    arguments: [
      ("truncate=1000", "net.lost"), ("status=404", "http.status"), ("status=403", "http.status"),
      ("nolength", "download.length"),
      ("stall=10", "net.timeout"), ("length=-7", "download.piece"), ("length=9", "net.lost"),
    ])
  func refuses(faults: String, rule: String) throws {
    let bench = try DownloadBench()
    try Data(
      Presentation.list([bench.server.address("0.ts", faults: faults)]).utf8
    ).write(to: bench.site.url.appendingPathComponent("list.m3u8"))
    let download = try bench.store(retries: 2).download(bench.server.address("list.m3u8"))
    let error = run(download)
    #expect(error?.rule.code == rule, "\(error?.description ?? "none")")
    let info = try download.info()
    #expect(info.entry == nil)
    guard case .failed(let reason) = info.state else { return #expect(Bool(false)) }
    #expect(reason == error?.description)
    #expect(try bench.files("store", download.id)["index.m3u8"] == nil)
    #expect(throws: MediaError.self) { try download.verify() }
  }

  @Test("random faults end complete or with a precise error, never with a hole")
  func randomFaults() throws {
    let runs = ProcessInfo.processInfo.environment["REEL_DOWNLOAD_FAULT_RUNS"].flatMap { Int($0) }
    let bench = try DownloadBench()
    var options = DownloadOptions()
    options.variant = .lowest
    options.audioLanguages = ["en"]
    options.subtitleLanguages = ["en"]
    let clean = try bench.store("clean").download(
      bench.server.address("master.m3u8"), options: options)
    #expect(run(clean) == nil)
    let expected = try StoredTree.meaning(#require(clean.info().entry))
    var complete = 0
    var reasons: [String: Int] = [:]
    for seed in 0..<(runs ?? 10) {
      let store = try bench.store("faults-\(seed)")
      let address = bench.server.address("master.m3u8", faults: "random=\(seed):\(5 + seed % 40)")
      let download = try store.download(address, options: options)
      if let error = run(download) {
        #expect(!error.rule.code.isEmpty && error.place != .unknown, "seed \(seed): \(error)")
        #expect(try download.info().entry == nil, "seed \(seed)")
        reasons[error.rule.code, default: 0] += 1
      } else {
        complete += 1
        let stored = try StoredTree.meaning(#require(download.info().entry))
        #expect(stored == expected, "seed \(seed)")
        #expect(try download.verify().isEmpty, "seed \(seed)")
      }
    }
    if runs != nil { print("fault runs: \(complete) complete, \(reasons)") }
    #expect(complete > 0)
  }

  @Test("a file that is changed, cut or gone is told, and repaired by fetching it again")
  func verify() throws {
    let bench = try DownloadBench()
    let store = try bench.store()
    let download = try store.download(bench.server.address("low.m3u8"))
    #expect(run(download) == nil)
    let whole = try bench.files("store", download.id)
    let names = whole.keys.filter { $0.hasSuffix(".ts") }.sorted()
    func path(_ index: Int) -> URL {
      bench.stores.url.appendingPathComponent("store/\(download.id)/\(names[index])")
    }
    var bytes = try #require(whole[names[0]])
    bytes[100] ^= 1
    try Data(bytes).write(to: path(0))
    try Data(bytes.prefix(188)).write(to: path(1))
    try FileManager.default.removeItem(at: path(2))
    #expect(try download.verify().map(\.file) == names)
    #expect(try download.repair().count == 3)
    #expect(try download.info().state == .downloading)
    #expect(run(download) == nil)
    #expect(try bench.files("store", download.id) == whole)
  }

  @Test("a download is paused, listed, resumed, and removed")
  func states() async throws {
    let bench = try DownloadBench()
    let store = try bench.store()
    let download = try store.download(bench.server.address("clip.mp4", faults: "slow=100000"))
    #expect(try store.list().map(\.state) == [.downloading])
    let other = try store.download(id: String(download.id.prefix(5)))
    var isAsked = false
    do {
      for try await progress in download.updates where progress.byteCount > 50_000 && !isAsked {
        #expect(throws: MediaError.self) { try store.delete(id: download.id) }
        try other.pause()
        // A last progress may come when nobody works on it any more.
        isAsked = true
      }
      #expect(Bool(false), "the pause ends the updates")
    } catch let error as MediaError {
      #expect(error.rule == .downloadStopped)
    }
    let paused = try #require(store.list().first)
    #expect(paused.state == .paused && paused.progress.byteCount > 50_000)
    #expect(paused.entry == nil)
    var last = DownloadProgress()
    for try await progress in download.updates { last = progress }
    #expect(last.fraction == 1)
    #expect(try store.list().map(\.state) == [.downloaded])
    try store.delete(id: download.id)
    #expect(try store.list().isEmpty && bench.stores.names == ["store"])
    #expect(throws: MediaError.self) { try store.download(id: download.id) }
  }

  @Test("a live stream is recorded until it is long enough or ends, each segment once")
  func live() throws {
    let bench = try DownloadBench()
    let refused = try bench.store().download(bench.server.address("_live/a/30/3"))
    #expect(run(refused)?.rule == .downloadLive)
    for (total, seconds, count) in [(30, 8, 8...10), (9, 100, 7...9)] {
      var options = DownloadOptions()
      options.liveDuration = Rational(seconds)
      let download = try bench.store().download(
        bench.server.address("_live/b\(total)/\(total)/3"), options: options)
      #expect(run(download) == nil)
      let entry = try #require(download.info().entry)
      let text = [UInt8](try Data(contentsOf: URL(fileURLWithPath: entry)))
      guard case .media(let media) = try Playlist.parse(text).playlist else {
        Issue.record("it is no media playlist")
        continue
      }
      #expect(count.contains(media.segments.count) && media.isEnded, "\(media.segments.count)")
      for (index, segment) in media.segments.enumerated() {
        let number = Int(media.mediaSequence) + index
        let bytes = try bench.files("store", download.id)[segment.uri]
        #expect(bytes?.count == 1880 + 188 * number)
      }
    }
    var options = DownloadOptions()
    options.liveDuration = 100
    let stale = try bench.store().download(
      bench.server.address("_live/c/5/3", faults: "endless"), options: options)
    #expect(run(stale)?.rule == .downloadStale)
  }
}

extension DownloadBench {
  /// The requests that the server saw.
  func log() throws -> [String] {
    let resource = try Self.client().load(
      ResourceRequest(server.address("_log"), maximumByteCount: 1 << 20))
    return String(decoding: resource.bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
