import ReelCore
import ReelHLS
import Testing

@Suite("Content steering")
struct PathwaySteeringTests {
  private static let text = """
    #EXTM3U
    #EXT-X-CONTENT-STEERING:SERVER-URI="/steer?x=1",PATHWAY-ID="B"
    #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="English",STABLE-RENDITION-ID="sound",URI="a/en.m3u8"
    #EXT-X-STREAM-INF:BANDWIDTH=100,PATHWAY-ID="A",AUDIO="a",STABLE-VARIANT-ID="one"
    https://a.host:8080/1.m3u8?token=5&k=1
    #EXT-X-STREAM-INF:BANDWIDTH=100,PATHWAY-ID="B"
    https://b.host/1.m3u8

    """

  private func master() throws -> MasterPlaylist {
    guard case .master(let master) = try Playlist.parse(Array(Self.text.utf8)).playlist else {
      Issue.record("it is no master playlist")
      return MasterPlaylist()
    }
    return master
  }

  @Test("the pathway of the playlist is used until a manifest or a failure says another")
  func order() throws {
    let master = try master()
    var steering = PathwaySteering(master, address: "https://host/m/master.m3u8")
    #expect(steering.current == "B" && steering.nextLoad == 0)
    #expect(
      steering.manifestAddress(throughput: 5_000)
        == "https://host/steer?x=1&_HLS_pathway=\"B\"&_HLS_throughput=5000")
    var manifest = SteeringManifest(pathwayPriority: ["C", "A", "B"])
    manifest.timeToLive = 10
    manifest.reloadURI = "again"
    steering.take(
      manifest, from: "https://host/steer", known: master.pathways, now: 1_000_000)
    #expect(steering.current == "A" && steering.nextLoad == 11_000_000)
    #expect(steering.manifestURI == "https://host/again")
    #expect(steering.failed("A", now: 2_000_000) == "B")
    #expect(steering.failed("B", now: 3_000_000) == nil)
    // Left alone for as long as the manifest holds.
    steering.take(manifest, from: "https://host/again", known: master.pathways, now: 11_000_000)
    #expect(steering.current == "B" || steering.current == "A")
    steering.take(manifest, from: "https://host/again", known: master.pathways, now: 13_000_000)
    #expect(steering.current == "A")
    steering.manifestFailed(isGone: true, now: 13_000_000)
    #expect(steering.nextLoad == nil)
  }

  @Test(
    "a clone has the addresses of its base with another host, parameters, or whole ones by name")
  func clones() throws {
    let master = try master()
    var clone = PathwayClone(baseID: "A", id: "C")
    clone.host = "c.host"
    clone.parameters = ["k": "2", "z": "9"]
    clone.renditionURIs = ["sound": "https://sound.host/en.m3u8"]
    var second = PathwayClone(baseID: "C", id: "D")
    second.variantURIs = ["one": "d/1.m3u8"]
    let unknown = PathwayClone(baseID: "X", id: "E")
    let taken = PathwayClone(baseID: "A", id: "B")
    let whole = master.adding(
      [clone, second, unknown, taken], address: "https://host/m/master.m3u8")
    #expect(whole.pathways == ["A", "B", "C", "D"])
    #expect(whole.variants[2].uri == "https://c.host/1.m3u8?token=5&k=2&z=9")
    #expect(whole.variants[3].uri == "https://host/m/d/1.m3u8")
    #expect(
      whole.renditions(.audio, group: whole.variants[2].audio)[0].uri
        == "https://sound.host/en.m3u8")
    #expect(whole.renditions(.audio, group: whole.variants[3].audio).count == 1)
    // What was there is as it was.
    #expect(Array(whole.variants.prefix(2)) == master.variants)
  }

  @Test("without steering there is one pathway")
  func none() {
    var master = MasterPlaylist()
    master.variants = [Variant(uri: "a", stream: StreamDescription())]
    var steering = PathwaySteering(master, address: "https://host/m.m3u8")
    #expect(steering.current == "." && steering.nextLoad == nil)
    #expect(steering.manifestAddress(throughput: nil) == nil)
    #expect(steering.failed(".", now: 0) == nil)
  }
}
