import ReelCore
import ReelHLS
import Synchronization
import Testing

@testable import ReelStreaming

@Suite("Live playlists, loaded in virtual time")
struct LiveFeedTests {
  /// A server whose playlist gets a segment every four seconds, has a window of three, and ends.
  private final class Server: ResourceLoader {
    private struct State {
      var now: Int64 = 0
      var loads: [Int64] = []
    }
    private let state = Mutex(State())
    private let end: Int
    init(end: Int) { self.end = end }

    var clock: LiveFeed.Clock {
      LiveFeed.Clock(
        now: { self.state.withLock { $0.now } },
        sleep: { until in self.state.withLock { $0.now = max($0.now, until) } })
    }

    var loads: [Int64] { state.withLock { $0.loads } }

    func load(_ request: ResourceRequest) throws(MediaError) -> Resource {
      let now = state.withLock { state in
        state.loads.append(state.now)
        return state.now
      }
      // The third load fails.
      guard loads.count != 3 else {
        throw MediaError(.io, .streamingEmpty, at: .named(request.address))
      }
      let last = min(Int(now / 4_000_000) + 3, end)
      let first = max(last - 3, 0)
      var text = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-MEDIA-SEQUENCE:\(first)\n"
      for number in first..<last { text += "#EXTINF:4,\n\(number).ts\n" }
      if last == end { text += "#EXT-X-ENDLIST\n" }
      return Resource(bytes: Array(text.utf8), address: request.address)
    }
  }

  @Test("every segment comes once and in order, over a failed load, until the end")
  func feed() throws {
    let server = Server(end: 12)
    var feed = LiveFeed(address: "https://host/l.m3u8", loader: server, clock: server.clock)
    var names: [String] = []
    while let batch = try feed.next() {
      #expect(batch.number == Int64(names.count))
      #expect(batch.restart == nil)
      names += batch.segments.map(\.uri)
    }
    #expect(names == (0..<12).map { "\($0).ts" })
    #expect(server.loads.count <= 13)
  }

  @Test("a feed ends after so many loads")
  func limit() {
    let server = Server(end: 1_000_000)
    var feed = LiveFeed(address: "https://host/l.m3u8", loader: server, clock: server.clock)
    feed.maximumLoads = 50
    do throws(MediaError) {
      while try feed.next() != nil {}
      Issue.record("it ended by itself")
    } catch {
      #expect(error.rule == .streamingReloads)
    }
  }
}
