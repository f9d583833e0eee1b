import ReelCore
import Testing

@testable import ReelPlayback

/// Contract §4, row by row.
@Suite struct ContractEventsTests {
  private func bench() -> Bench {
    var bench = Bench(
      VideoSettings(name: "a", pictureInPicture: true, enableVector: true, events: []))
    _ = bench.takeLog()
    return bench
  }

  @Test("seek tells whether it moved and the time")
  func seek() {
    var bench = bench()
    bench.run(.seek(to: 3, play: true), at: 1)
    #expect(bench.takeEvents() == [.seek(true, currentTime: 3)])
    #expect(PlayerEvent.seek(true, currentTime: 3).description == "SeekSuccess")
    #expect(PlayerEvent.seek(false, currentTime: 3).description == "SeekFail")
  }

  @Test("paused is told once for each pause")
  func paused() {
    var bench = bench()
    bench.run(.pause, .pause, at: 1)
    #expect(bench.takeEvents() == [.paused])
    #expect(PlayerEvent.paused.description == "Paused")
  }

  @Test("waitingToPlayAtSpecifiedRate is told while playback waits for its item or its data")
  func waitingToPlayAtSpecifiedRate() {
    var bench = Bench()
    bench.answersLoads = false
    bench.apply(VideoSettings(name: "a", events: []), at: 0)
    #expect(bench.takeEvents().contains(.waitingToPlayAtSpecifiedRate))
    #expect(bench.player.queue.reasonForWaitingToPlay == .evaluatingBufferingRate)
    #expect(PlayerEvent.waitingToPlayAtSpecifiedRate.description == "Waiting")
  }

  @Test("another reason to wait is no second waitingToPlayAtSpecifiedRate")
  func waitingIsToldOnce() {
    var bench = Bench()
    bench.run(.play, at: 0)
    #expect(bench.player.queue.reasonForWaitingToPlay == .noItemToPlay)
    bench.withPlayer { player in
      player.withQueue(at: 1) { queue in
        let item = queue.makeItem(asset: AssetID(rawValue: 0), source: "x")
        queue.append(item, at: 1)
      }
    }
    #expect(bench.player.queue.reasonForWaitingToPlay == .evaluatingBufferingRate)
    let events = bench.takeEvents()
    #expect(events.filter { $0 == .waitingToPlayAtSpecifiedRate }.count == 1)
  }

  @Test("playing is told when time begins to run")
  func playing() {
    var bench = bench()
    bench.run(.pause, at: 1)
    bench.run(.play, at: 2)
    #expect(bench.takeEvents() == [.paused, .playing])
    #expect(PlayerEvent.playing.description == "Playing")
  }

  @Test("currentItemChanged tells the new item, for each pass of a loop as well")
  func currentItemChanged() {
    var bench = Bench(VideoSettings(name: "a", loop: true, events: []))
    let first = bench.takeEvents().compactMap { event in
      if case .currentItemChanged(let item) = event { item?.source } else { nil }
    }
    #expect(first == ["a.mp4"])
    bench.advance(to: 31)
    let replicas = bench.takeEvents().compactMap { event in
      if case .currentItemChanged(let item) = event { item?.id } else { nil }
    }
    #expect(replicas.count == 3 && Set(replicas).count == 3)
    #expect(PlayerEvent.currentItemChanged(newItem: nil).description == "ItemChanged")
  }

  @Test("currentItemRemoved is told when the queue is empty")
  func currentItemRemoved() {
    var bench = bench()
    bench.run(.next, at: 1)
    #expect(bench.takeEvents().contains(.currentItemRemoved))
    #expect(PlayerEvent.currentItemRemoved.description == "ItemRemoved")
  }

  @Test("volumeChanged tells the new volume, and only a change")
  func volumeChanged() {
    var bench = bench()
    bench.run(.volume(0.5), .volume(0.5), .volume(-1), at: 1)
    #expect(bench.takeEvents() == [.volumeChanged(newVolume: 0.5), .volumeChanged(newVolume: 0)])
    #expect(PlayerEvent.volumeChanged(newVolume: 0).description == "VolumeChanged")
  }

  @Test("error tells why an item failed")
  func error() {
    var bench = Bench(VideoSettings(name: "missing", events: []))
    #expect(bench.takeEvents().contains(.error(.sourceNotFound("missing.mp4"))))
    #expect(
      PlayerEvent.error(.settingsNotUnique).description
        == "Error: settings are not unique: each may be given once")
  }

  @Test("boundsChanged tells the new bounds, and only a change")
  func boundsChanged() {
    var bench = bench()
    let bounds = Rect(x: 0, y: 0, width: 640, height: 360)
    bench.withPlayer { $0.setBounds(bounds, at: 1) }
    bench.withPlayer { $0.setBounds(bounds, at: 2) }
    bench.withPlayer { $0.setBounds(Rect(x: 0, y: 0, width: .nan, height: 1), at: 3) }
    #expect(bench.takeEvents() == [.boundsChanged(bounds)])
    #expect(PlayerEvent.boundsChanged(bounds).description == "BoundsChanged")
  }

  @Test("startedPiP")
  func startedPiP() {
    var bench = bench()
    bench.run(.startPiP, at: 1)
    #expect(bench.takeEvents() == [.startedPiP])
    #expect(PlayerEvent.startedPiP.description == "StartedPiP")
  }

  @Test("stoppedPiP, also when the setting is taken away")
  func stoppedPiP() {
    var bench = bench()
    bench.run(.startPiP, at: 1)
    bench.apply(VideoSettings(name: "a", events: []), at: 2)
    #expect(bench.takeEvents() == [.startedPiP, .stoppedPiP])
    #expect(PlayerEvent.stoppedPiP.description == "StoppedPiP")
  }

  @Test("itemStatusChanged: unknown, then readyToPlay or failed")
  func itemStatusChanged() {
    func statuses(_ name: String) -> [PlayerEvent] {
      var bench = Bench(VideoSettings(name: name, events: []))
      return bench.takeEvents().filter { PlayerEventFilter.itemStatusChangedAny.matches($0) }
    }
    #expect(statuses("a") == [.itemStatusChanged(.unknown), .itemStatusChanged(.readyToPlay)])
    #expect(statuses("missing") == [.itemStatusChanged(.unknown), .itemStatusChanged(.failed)])
    #expect(PlayerEvent.itemStatusChanged(.readyToPlay).description == "Status: ReadyToPlay")
    #expect(PlayerEvent.itemStatusChanged(.unknown).description == "Status: Unknown")
    #expect(PlayerEvent.itemStatusChanged(.failed).description == "Status: Failed")
  }

  @Test("duration is told once the item is ready")
  func duration() {
    var bench = Bench(VideoSettings(name: "a", events: []))
    let events = bench.takeEvents()
    let ten = PlayerEvent.duration(MediaTime(value: 10, timescale: 1))
    #expect(events.filter { PlayerEventFilter.durationAny.matches($0) } == [ten])
    #expect(
      events.firstIndex(of: .itemStatusChanged(.readyToPlay))
        == events.firstIndex(of: ten).map { $0 - 1 })
    #expect(ten.description == "Duration 10 sec")
    #expect(PlayerEvent.duration(.indefinite).description == "Duration unknown")
  }

  /// One event of each kind, with the filter that stands for it.
  private static let pairs: [(PlayerEvent, PlayerEventFilter)] = [
    (.seek(true, currentTime: 1), .seekAny), (.seek(false, currentTime: 2), .seekAny),
    (.paused, .paused), (.waitingToPlayAtSpecifiedRate, .waitingToPlayAtSpecifiedRate),
    (.playing, .playing), (.currentItemChanged(newItem: nil), .currentItemChangedAny),
    (.currentItemRemoved, .currentItemRemoved), (.error(.notSupportedPiP), .errorAny),
    (.volumeChanged(newVolume: 1), .volumeChangedAny), (.boundsChanged(.zero), .boundsChangedAny),
    (.startedPiP, .startedPiP), (.stoppedPiP, .stoppedPiP),
    (.itemStatusChanged(.failed), .itemStatusChangedAny), (.duration(.zero), .durationAny),
  ]

  @Test(
    "each filter lets through its own event and no other", arguments: PlayerEventFilter.allCases)
  func filters(filter: PlayerEventFilter) {
    for (event, own) in Self.pairs {
      #expect(filter.matches(event) == (filter == own), "\(filter) and \(event)")
    }
    #expect(Self.pairs.contains { $0.1 == filter })
  }

  @Test("events come as one batch a second of host time, each with its host time")
  func batches() {
    var bench = bench()
    _ = bench.takeBatches()
    bench.run(.pause, at: t("1.25"))
    bench.run(.play, at: t("1.75"))
    bench.run(.pause, at: 2)
    bench.advance(to: t("2.5"))
    let batches = bench.takeBatches()
    // The events of loading came in second 0.
    #expect(batches.map(\.host) == [1, 2])
    #expect(batches.last?.events.map(\.host) == [t("1.25"), t("1.75")])
    #expect(batches.last?.events.map(\.event) == [.paused, .playing])
    bench.advance(to: 10)
    #expect(bench.takeBatches().map(\.host) == [3])
    bench.advance(to: 100)
    #expect(bench.takeBatches().isEmpty)
  }

  @Test("a player tells when its next batch is due")
  func batchDue() {
    var bench = bench()
    bench.advance(to: 3)
    bench.run(.pause, at: t("3.5"))
    #expect(bench.player.nextDue == 4)
    bench.advance(to: 4)
    #expect(bench.player.nextDue == nil)
  }

  @Test(
    "errors can be compared, thrown and read",
    arguments: [
      (.sourceNotFound("x"), "source not found: x"), (.failedToLoad("y"), "failed to load: y"),
      (.remoteVideoError("404"), "remote video error: 404"),
      (.settingsNotUnique, "settings are not unique: each may be given once"),
      (.notSupportedPiP, "picture in picture is not supported or not enabled"),
    ] as [(VPErrors, String)])
  func errors(error: VPErrors, text: String) {
    #expect(error.description == text && error == error)
    #expect(throws: error) { throw error }
  }

  @Test("a source that does not exist ends in failed with its reason, never in unknown")
  func unreachable() {
    for (name, failure) in [
      ("https://example.org/missing.mp4", VPErrors.remoteVideoError("404 Not Found")),
      ("broken", .failedToLoad("moov is missing")), ("missing", .sourceNotFound("missing.mp4")),
    ] {
      var bench = Bench()
      let source = SourceReference(name: name)
      bench.sources[source.description] = .failure(failure)
      bench.apply(VideoSettings(name: name, loop: true, events: []), at: 0)
      #expect(bench.player.queue.currentItem?.status == .failed)
      #expect(bench.player.queue.currentItem?.failure == failure)
      #expect(bench.takeEvents().suffix(3).contains(.error(failure)))
      #expect(bench.status == .paused)
    }
  }

  @Test("settings with the same source again load a failed source anew")
  func retry() {
    var bench = Bench(VideoSettings(name: "late", events: []))
    #expect(bench.player.queue.currentItem?.status == .failed)
    bench.sources["late.mp4"] = .success(ItemFacts(duration: MediaTime(value: 5, timescale: 1)))
    bench.apply(VideoSettings(name: "late", events: []), at: 2)
    #expect(bench.status == .playing)
  }
}
