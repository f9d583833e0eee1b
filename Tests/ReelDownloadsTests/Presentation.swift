internal import Foundation
internal import ReelCore
internal import ReelCurl
internal import ReelDownloads
internal import ReelHLS
internal import ReelIO
internal import ReelNetworkTestSupport
internal import ReelTestSupport

/// A presentation in a folder: two variants, two languages of sound, subtitles; transport streams, byte
/// ranges, an initialization section, a key.
enum Presentation {
  static let master = """
    #EXTM3U
    #EXT-X-VERSION:7
    #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="English",LANGUAGE="en",DEFAULT=YES,URI="audio/en.m3u8"
    #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="Deutsch",LANGUAGE="de-DE",URI="audio/de.m3u8?session=1"
    #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="English",LANGUAGE="en",URI="subtitles.m3u8"
    #EXT-X-STREAM-INF:BANDWIDTH=300000,RESOLUTION=320x180,AUDIO="a",SUBTITLES="s"
    low.m3u8
    #EXT-X-STREAM-INF:BANDWIDTH=900000,RESOLUTION=1280x720,AUDIO="a",SUBTITLES="s"
    high/../high.m3u8

    """
  static let low = """
    #EXTM3U
    #EXT-X-TARGETDURATION:4
    #EXT-X-MEDIA-SEQUENCE:7
    #EXTINF:4.0,first
    0.ts
    #EXTINF:4.0,
    1.ts
    #EXT-X-DISCONTINUITY
    #EXT-X-KEY:METHOD=AES-128,URI="the.key"
    #EXTINF:3.5,
    2.ts
    #EXT-X-ENDLIST

    """
  static let high = """
    #EXTM3U
    #EXT-X-VERSION:7
    #EXT-X-TARGETDURATION:4
    #EXT-X-MAP:URI="all.mp4",BYTERANGE="40@0"
    #EXTINF:4.0,
    #EXT-X-BYTERANGE:3000@40
    all.mp4
    #EXTINF:4.0,
    #EXT-X-BYTERANGE:2000
    all.mp4
    #EXT-X-GAP
    #EXTINF:2.0,
    missing.mp4
    #EXT-X-ENDLIST

    """
  static func list(_ segments: [String]) -> String {
    "#EXTM3U\n#EXT-X-TARGETDURATION:4\n"
      + segments.map { "#EXTINF:4.0,\n\($0)\n" }.joined() + "#EXT-X-ENDLIST\n"
  }

  /// Packets with a sync byte and bytes that a seed decides.
  static func packets(_ count: Int, seed: UInt64) -> [UInt8] {
    var random = SeededGenerator(seed: seed)
    var bytes: [UInt8] = []
    for _ in 0..<count {
      bytes.append(0x47)
      for _ in 0..<187 { bytes.append(UInt8(truncatingIfNeeded: random.next())) }
    }
    return bytes
  }

  /// Boxes of these sizes.
  static func boxes(_ sizes: [(type: String, size: Int)]) -> [UInt8] {
    var bytes: [UInt8] = []
    for box in sizes {
      let size = UInt32(box.size)
      for shift: UInt32 in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: size >> shift)) }
      bytes += Array(box.type.utf8)
      bytes += [UInt8](repeating: 7, count: box.size - 8)
    }
    return bytes
  }

  static func write(to folder: URL) throws {
    func put(_ name: String, _ bytes: [UInt8]) throws {
      let url = folder.appendingPathComponent(name)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(bytes).write(to: url)
    }
    try put("master.m3u8", Array(master.utf8))
    try put("low.m3u8", Array(low.utf8))
    try put("high.m3u8", Array(high.utf8))
    try put("audio/en.m3u8", Array(list(["en0.ts", "en1.ts"]).utf8))
    try put("audio/de.m3u8", Array(list(["de0.ts"]).utf8))
    try put("subtitles.m3u8", Array(list(["s0.vtt", "empty.vtt"]).utf8))
    try put("s0.vtt", Array("WEBVTT\n\n00:00.000 --> 00:01.000\nHello\n".utf8))
    try put("empty.vtt", [])
    for index in 0..<2 { try put("\(index).ts", packets(60, seed: UInt64(index))) }
    try put("2.ts", [UInt8](repeating: 9, count: 16 * 500))
    try put("the.key", [UInt8](0..<16))
    for name in ["audio/en0.ts", "audio/en1.ts", "audio/de0.ts"] {
      try put(name, packets(30, seed: UInt64(name.utf8.count) + UInt64(name.utf8.last ?? 0)))
    }
    try put(
      "all.mp4",
      boxes([
        ("ftyp", 16), ("moov", 24), ("moof", 1000), ("mdat", 2000), ("moof", 500), ("mdat", 1500),
      ]))
    try put("clip.mp4", boxes([("ftyp", 20), ("mdat", 300_000)]))
  }
}

/// A served presentation and stores for it.
struct DownloadBench {
  let site: TemporaryFolder
  let stores: TemporaryFolder
  let server: MediaServer

  init() throws {
    site = try TemporaryFolder()
    stores = try TemporaryFolder()
    try Presentation.write(to: site.url)
    server = try MediaServer(folder: site.url)
  }

  static func client(retries: Int = 4) throws -> HTTPClient {
    var policy = NetworkPolicy()
    policy.allowsPrivateNetwork = true
    var timeouts = HTTPTimeouts()
    timeouts.stall = .milliseconds(700)
    var retry = RetryPolicy()
    retry.maximumRetries = retries
    return try HTTPClient(
      transport: CurlTransport(), policy: policy, timeouts: timeouts, retry: retry,
      clock: VirtualNetworkClock())
  }

  func store(_ name: String = "store", retries: Int = 4) throws -> DownloadStore {
    try DownloadStore(path: stores.path(name), client: Self.client(retries: retries))
  }

  /// The files of a download by name.
  func files(_ store: String, _ id: String) throws -> [String: [UInt8]] {
    try StoredTree.files(stores.url.appendingPathComponent(store).appendingPathComponent(id))
  }
}

/// What a download left behind.
enum StoredTree {
  static func files(_ folder: URL) throws -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      files[name] = [UInt8](try Data(contentsOf: folder.appendingPathComponent(name)))
    }
    return files
  }

  /// The presentation at a path with every name replaced by what it stands for, so that two stores of
  /// differently named servers can be compared.
  static func meaning(_ entry: String) throws -> String {
    let url = URL(fileURLWithPath: entry)
    let bytes = [UInt8](try Data(contentsOf: url))
    guard entry.hasSuffix(".m3u8") else { return try SHA256.digest(bytes) }
    var text = String(decoding: bytes, as: UTF8.self)
    let folder = url.deletingLastPathComponent()
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    where text.contains(name) && name != url.lastPathComponent {
      let inner = try meaning(folder.appendingPathComponent(name).path)
      text = text.replacingOccurrences(of: name, with: "<\(inner)>")
    }
    return text
  }
}
