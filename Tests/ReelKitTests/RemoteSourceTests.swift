internal import Foundation
internal import ReelAssets
internal import ReelCore
internal import ReelCurl
internal import ReelIO
internal import ReelKit
internal import ReelNetworkTestSupport
internal import ReelTestSupport
internal import Testing

@Suite("Sources over HTTP", .enabled(if: MediaServer.isMissing == nil, "needs python3"))
struct RemoteSourceTests {
  private func loader(allowsPrivate: Bool = true) throws -> FileSourceLoader {
    var policy = NetworkPolicy()
    policy.allowsPrivateNetwork = allowsPrivate
    var timeouts = HTTPTimeouts()
    timeouts.stall = .milliseconds(500)
    var retry = RetryPolicy()
    retry.maximumRetries = 1
    return FileSourceLoader(
      client: HTTPClient(
        transport: try CurlTransport(), policy: policy, timeouts: timeouts, retry: retry,
        clock: VirtualNetworkClock()))
  }

  @Test("a clip on a server loads as the file does")
  func loads() async throws {
    let server = try MediaServer(folder: Places.testVector("clips"))
    let asset = SourceAsset(server.address("demo.mp4"), loader: try loader())
    let (duration, tracks) = try await asset.load(.duration, .tracks)
    #expect(duration == MediaTime(value: 3, timescale: 1) && tracks.count == 1)
  }

  @Test(
    "what is not there becomes failed with its reason, never unknown for ever",
    arguments: [
      ("status=404", "404 Not Found"), ("status=403", "403 Forbidden"),
      ("status=503", "503 Service Unavailable"), ("stall=10", "no more bytes"),
      ("drop=9", "the connection lasts"), ("redirects=9", "redirects end"),
    ])
  func failures(faults: String, reason: String) throws {
    let server = try MediaServer(folder: Places.testVector("clips"))
    let clock = ManualClock()
    let player = LoopPlayer(clock: clock, loader: try loader()) {
      SourceName(server.address("demo.mp4", faults: faults))
      Events()
    }
    clock.advance(by: 2)
    #expect(player.currentItem?.status == .failed)
    guard case .remoteVideoError(let told) = player.error else {
      Issue.record("\(String(describing: player.error))")
      return
    }
    #expect(told.contains(reason), "\(told)")
  }

  @Test("nobody there, no such name, not allowed")
  func unreachable() async throws {
    for (address, reason, allowed) in [
      ("http://127.0.0.1:9/a.mp4", "Connection refused", true),
      ("http://no-such-host.invalid/a.mp4", "has an address", true),
      ("http://127.0.0.1:9/a.mp4", "loopback", false),
    ] {
      let asset = SourceAsset(address, loader: try loader(allowsPrivate: allowed))
      do {
        _ = try await asset.load(.duration)
        Issue.record("\(address) was opened")
      } catch {
        guard case .remoteVideoError(let told) = error else {
          Issue.record("\(error)")
          continue
        }
        #expect(told.contains(reason), "\(told)")
      }
    }
  }
}
