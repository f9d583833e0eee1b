import Foundation
import ReelKit
import Testing

/// Tracks as a container would tell them, without a file.
private struct MadeDemuxer: Demuxer {
  var formatName = "made"
  var tracks: [Track]
  var duration = MediaTime(value: 5, timescale: 1)
  var tags = [Tag("title", "A title"), Tag("ARTIST", "Somebody")]
  var warnings: [MediaError] = []
  var artwork = [Artwork(codec: "png", data: [1, 2, 3])]

  func makePacketReader(trackIndices: [Int]) throws(MediaError) -> any PacketReader {
    throw MediaError(.unsupported, .assetNoVideo)
  }

  static func track(
    _ id: Int, _ kind: MediaKind, _ language: String? = nil, isProtected: Bool = false
  ) -> Track {
    var track = Track(id: id, kind: kind, codec: "aac", timescale: 1000, formats: [])
    track.language = language
    track.isProtected = isProtected
    return track
  }
}

/// Gives assets that were made beforehand, after a while.
private struct MadeLoader: SourceLoader {
  let assets: [String: Asset]
  var delay = 0.0

  func load(_ source: SourceReference) throws(VPErrors) -> LoadedSource {
    if delay > 0 { Thread.sleep(forTimeInterval: delay) }
    guard let asset = assets[source.name] else { throw .sourceNotFound(source.description) }
    do throws(MediaError) {
      return LoadedSource(facts: try asset.facts(), asset: asset)
    } catch {
      throw .failedToLoad(error.description)
    }
  }
}

@Suite struct AssetKeyTests {
  private func asset(_ tracks: Track...) -> Asset {
    Asset(MadeDemuxer(tracks: tracks), registry: MediaRegistry())
  }

  @Test("keys are loaded when they are asked for, with the type of their value")
  func keys() async throws {
    let loader = MadeLoader(
      assets: [
        "song": asset(MadeDemuxer.track(1, .audio, "eng"), MadeDemuxer.track(2, .subtitle, "de"))
      ])
    let source = SourceAsset("song", loader: loader)
    #expect(source.status == .unknown)
    let (isPlayable, isProtected, duration) = try await source.load(
      .isPlayable, .hasProtectedContent, .duration)
    #expect(isPlayable && !isProtected && duration == MediaTime(value: 5, timescale: 1))
    let (tracks, metadata) = try await source.load(.tracks, .metadata)
    #expect(tracks.map(\.id) == [1, 2] && source.status == .loaded)
    #expect(metadata.title == "A title" && metadata.artist == "Somebody" && metadata.album == nil)
    #expect(metadata.artwork.first?.data == [1, 2, 3])
    #expect(try await asset(MadeDemuxer.track(1, .video)).load(.isPlayable) == false)
  }

  @Test("protected content is told apart from broken content; both have a reason")
  func protectedAndBroken() async throws {
    let locked = asset(MadeDemuxer.track(1, .audio, isProtected: true))
    let loader = MadeLoader(assets: ["locked": locked, "empty": asset()])
    #expect(try await locked.load(.isPlayable, .hasProtectedContent) == (false, true))
    do {
      _ = try locked.facts()
      Issue.record("a locked asset is playable")
    } catch {
      #expect(error.family == .protected)
    }
    for (name, word) in [("locked", "key"), ("empty", "track")] {
      let source = SourceAsset(name, loader: loader)
      do {
        _ = try await source.load(.duration)
        Issue.record("\(name) loaded")
      } catch {
        guard case .failedToLoad(let reason) = error else {
          Issue.record("\(error)")
          return
        }
        #expect(reason.contains(word), "\(reason)")
        #expect(source.status == .failed(error))
      }
      await #expect(throws: VPErrors.self) { try await source.load(.tracks) }
    }
    let missing = SourceAsset("missing", loader: loader)
    await #expect(throws: VPErrors.sourceNotFound("missing.mp4")) {
      try await missing.load(.tracks)
    }
  }

  @Test("a later load replaces an earlier one that is under way; so does cancelling")
  func laterLoadReplaces() async throws {
    let loader = MadeLoader(assets: ["song": asset(MadeDemuxer.track(1, .audio))], delay: 0.2)
    let source = SourceAsset("song", loader: loader)
    let first = Task { () -> Bool in (try? await source.load(.duration)) != nil }
    while source.status != .loading { await Task.yield() }
    #expect(try await source.load(.duration) == MediaTime(value: 5, timescale: 1))
    #expect(await first.value == false)
    let other = SourceAsset("song", loader: loader)
    let cancelled = Task { () -> Bool in (try? await other.load(.duration)) != nil }
    while other.status != .loading { await Task.yield() }
    other.cancelLoading()
    #expect(await cancelled.value == false && other.status == .cancelled)
    #expect(try await other.load(.isPlayable))
  }

  @Test("audible and legible options are chosen by language")
  func mediaSelection() async throws {
    let asset = asset(
      MadeDemuxer.track(1, .audio, "eng"), MadeDemuxer.track(2, .audio, "de-AT"),
      MadeDemuxer.track(3, .subtitle, "en-US"),
      MadeDemuxer.track(4, .subtitle, "en", isProtected: true))
    let (audible, legible) = try await asset.load(.audible, .legible)
    #expect(audible.options.map(\.trackID) == [1, 2] && legible.options.map(\.trackID) == [3])
    #expect(audible.options(for: "en").map(\.trackID) == [1])
    #expect(audible.option(forPreferredLanguages: ["fr", "de"])?.trackID == 2)
    #expect(legible.options(for: "en-US").map(\.trackID) == [3])
    #expect(legible.option(forPreferredLanguages: ["ja"]) == nil)
  }
}
