import Foundation
import ReelCore
import ReelKit
import ReelTestSupport
import Synchronization
import Testing

/// Segments that one pathway has not, and steering servers.
@Suite("Other ways to a presentation")
struct PathwayTests {
  /// Files of the ladder under several hosts, some of which fail.
  private final class Hosts: ResourceLoader {
    private let files: [String: [UInt8]]
    private let isBroken: @Sendable (String) -> Bool
    private let asked = Mutex<[String]>([])

    init(_ files: [String: [UInt8]], isBroken: @escaping @Sendable (String) -> Bool) {
      (self.files, self.isBroken) = (files, isBroken)
    }

    var addresses: [String] { asked.withLock { $0 } }

    func load(_ request: ResourceRequest) throws(MediaError) -> Resource {
      asked.withLock { $0.append(request.address) }
      let name = request.address.split(separator: "/").last?.prefix { $0 != "?" } ?? ""
      guard !isBroken(request.address), let bytes = files[String(name)] else {
        throw MediaError(.notFound, .streamingEmpty, at: .named(request.address))
      }
      return Resource(bytes: bytes, address: request.address)
    }
  }

  private static func master(_ more: String) -> [UInt8] {
    Array("#EXTM3U\n\(more)".utf8)
  }

  private static func variant(_ host: String, _ pathway: String?) -> String {
    "#EXT-X-STREAM-INF:BANDWIDTH=400000,CODECS=\"avc1.64000d\""
      + (pathway.map { ",PATHWAY-ID=\"\($0)\"" } ?? "") + "\nhttps://\(host)/high.m3u8\n"
  }

  private static func files(_ more: [String: [UInt8]]) throws -> [String: [UInt8]] {
    var files = more
    for name in ["high.m3u8"] + (0..<8).map({ "high-\($0).ts" }) {
      files[name] = [UInt8](try Data(contentsOf: Places.testVector("hls/ladder/\(name)")))
    }
    return files
  }

  private static func frameCount(_ loader: Hosts) throws -> Int {
    let asset = try Asset.open(playlist: "https://top/master.m3u8", loader: loader)
    return try asset.makeFrameReader().frameCount
  }

  @Test("a segment that one variant cannot give is taken from its twin, and so are those after it")
  func twins() throws {
    let list = Self.master(Self.variant("one", nil) + Self.variant("two", nil))
    let hosts = Hosts(try Self.files(["master.m3u8": list])) {
      $0.contains("one/high-3") || $0.contains("one/high-5")
    }
    #expect(try Self.frameCount(hosts) == 80)
    #expect(hosts.addresses.contains("https://two/high-3.ts"))
    #expect(hosts.addresses.contains("https://two/high-6.ts"))
    #expect(!hosts.addresses.contains("https://one/high-6.ts"))
  }

  @Test("when every way fails the first failure is told")
  func nothing() throws {
    let list = Self.master(Self.variant("one", nil) + Self.variant("two", nil))
    let hosts = Hosts(try Self.files(["master.m3u8": list])) { $0.contains("high-3") }
    do {
      _ = try Self.frameCount(hosts)
      Issue.record("it was read")
    } catch let error as MediaError {
      #expect(error.place == .named("https://one/high-3.ts"))
    }
  }

  @Test("a steering server says which pathway is used, adds others, and is asked when one fails")
  func steering() throws {
    let list = Self.master(
      "#EXT-X-CONTENT-STEERING:SERVER-URI=\"steer.json\",PATHWAY-ID=\"A\"\n"
        + Self.variant("a", "A") + Self.variant("b", "B"))
    let manifest = """
      {"VERSION":1,"TTL":60,"PATHWAY-PRIORITY":["C","B","A"],
       "PATHWAY-CLONES":[{"BASE-ID":"A","ID":"C","URI-REPLACEMENT":{"HOST":"c","PARAMS":{"k":"v"}}}]}
      """
    let hosts = Hosts(
      try Self.files(["master.m3u8": list, "steer.json": Array(manifest.utf8)])
    ) { $0.contains("//c/high-4") }
    #expect(try Self.frameCount(hosts) == 80)
    #expect(hosts.addresses.contains("https://c/high.m3u8?k=v"))
    #expect(hosts.addresses.contains("https://b/high-4.ts"))
    #expect(!hosts.addresses.contains { $0.contains("//a/") })
    let asked = hosts.addresses.filter { $0.contains("steer.json") }
    #expect(
      asked == [
        "https://top/steer.json?_HLS_pathway=\"A\"", "https://top/steer.json?_HLS_pathway=\"B\"",
      ])
  }

  @Test("a steering server that fails changes nothing")
  func silentServer() throws {
    let list = Self.master(
      "#EXT-X-CONTENT-STEERING:SERVER-URI=\"steer.json\",PATHWAY-ID=\"B\"\n"
        + Self.variant("a", "A") + Self.variant("b", "B"))
    let hosts = Hosts(try Self.files(["master.m3u8": list])) { _ in false }
    #expect(try Self.frameCount(hosts) == 80)
    #expect(!hosts.addresses.contains { $0.contains("//a/") })
  }

  @Test(
    "manifests that are wrong are refused",
    arguments: [
      "", "[]", "{}", "{\"VERSION\":2,\"PATHWAY-PRIORITY\":[\"A\"]}",
      "{\"VERSION\":1,\"PATHWAY-PRIORITY\":[]}",
      "{\"VERSION\":1,\"PATHWAY-PRIORITY\":[\"A\",\"A\"]}",
      "{\"VERSION\":1,\"TTL\":-5,\"PATHWAY-PRIORITY\":[\"A\"]}",
      "{\"VERSION\":1,\"PATHWAY-PRIORITY\":[\"A\"],\"PATHWAY-CLONES\":[{\"ID\":\"x\"}]}",
    ])
  func wrongManifests(text: String) {
    #expect(throws: MediaError.self) { _ = try SteeringManifest(json: Array(text.utf8)) }
  }
}
