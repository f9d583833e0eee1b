import ReelCore
import Testing

@testable import ReelPlayback

/// Contract §1, row by row.
@Suite struct ContractSettingsTests {
  private let a = VideoSettings(name: "a", events: [])

  @Test("SourceName: an address, or a resource name")
  func sourceName() {
    let settings = VideoSettings { SourceName("clips/swipe") }
    #expect(settings.name == "clips/swipe")
    #expect(settings.source.resourceName == "clips/swipe.mp4")
    #expect(!settings.source.isRemote)
    for address in [
      "http://example.org/a.mp4", "https://example.org/live.m3u8", "http://localhost:8080/x.m3u8",
      "http://127.0.0.1/a.mp4", "HTTPS://EXAMPLE.ORG/a", "http://[::1]:80/a.mp4",
    ] {
      #expect(SourceReference(name: address).isRemote, "\(address)")
      #expect(SourceReference(name: address).description == address)
    }
    for name in [
      "http://", "ftp://example.org/a", "httpx://a", "http:a", "a/http://b", "", "http:// a",
    ] {
      #expect(!SourceReference(name: name).isRemote, "\(name)")
    }
    #expect(SourceReference(name: "file:///tmp/a.mov").isFileAddress)
  }

  @Test("SourceName is required: without it the source is not found")
  func sourceNameIsRequired() {
    var bench = Bench(VideoSettings { Events() })
    #expect(bench.takeEvents().contains(.error(.sourceNotFound(""))))
    #expect(bench.player.queue.currentItem?.status == .failed)
  }

  @Test("Ext: used when a resource name has none; mp4 without it")
  func ext() {
    #expect(VideoSettings { SourceName("a") }.source.resourceName == "a.mp4")
    let mov = VideoSettings {
      SourceName("a")
      Ext("mov")
    }
    #expect(mov.source.resourceName == "a.mov")
    #expect(SourceReference(name: "a.webm", ext: "mov").resourceName == "a.webm")
    #expect(SourceReference(name: "dir.d/a", ext: "mov").resourceName == "dir.d/a.mov")
    #expect(SourceReference(name: ".hidden", ext: "mov").resourceName == ".hidden.mov")
  }

  @Test("Gravity: resizeAspect without it", arguments: Gravity.allCases)
  func gravity(gravity: Gravity) {
    #expect(VideoSettings { SourceName("a") }.gravity == .resizeAspect)
    let bench = Bench(
      VideoSettings {
        SourceName("a")
        Gravity(gravity)
      })
    #expect(bench.evaluation.presentation.gravity == gravity)
  }

  @Test("Loop: starts again when the item ends; off without it")
  func loop() {
    var looping = Bench(
      VideoSettings {
        SourceName("a")
        Loop()
      })
    looping.advance(to: 25)
    #expect(looping.status == .playing && looping.evaluation.pass == 2)
    var once = Bench(VideoSettings { SourceName("a") })
    once.advance(to: 25)
    #expect(once.status == .paused && once.evaluation.pass == 0 && once.itemTime == 10)
  }

  @Test("Mute: starts silent; off without it")
  func mute() {
    let settings = VideoSettings {
      SourceName("a")
      Mute()
    }
    #expect(Bench(settings).evaluation.isMuted)
    #expect(!Bench(a).evaluation.isMuted)
  }

  @Test("NotAutoPlay: does not start when ready; without it it does")
  func notAutoPlay() {
    let settings = VideoSettings {
      SourceName("a")
      NotAutoPlay()
    }
    #expect(Bench(settings).status == .paused)
    #expect(Bench(a).status == .playing)
  }

  @Test(
    "TimePublishing: the time at an interval, a second at timescale 600 when empty; off without it")
  func timePublishing() {
    #expect(TimePublishing().interval.value == 600 && TimePublishing().interval.timescale == 600)
    func times(_ settings: VideoSettings) -> [Rational] {
      var bench = Bench(settings)
      _ = bench.takeLog()
      bench.advance(to: t("3.5"))
      return bench.takeLog().compactMap { if case .time(let time) = $0.what { time } else { nil } }
    }
    #expect(
      times(
        VideoSettings {
          SourceName("a"); TimePublishing()
        }) == [1, 2, 3])
    #expect(
      times(
        VideoSettings {
          SourceName("a")
          TimePublishing(MediaTime(value: 3, timescale: 2))
        }) == [t("1.5"), 3])
    #expect(times(a) == [])
  }

  @Test("TimePublishing of no length is told and publishes nothing")
  func timePublishingOfNoLength() {
    var bench = Bench(
      VideoSettings {
        SourceName("a")
        TimePublishing(.zero)
      })
    bench.advance(to: 3)
    let texts = bench.takeTexts()
    #expect(texts.contains { $0.contains("TimePublishing") })
    #expect(!texts.contains { $0.hasPrefix("time ") })
  }

  @Test("Subtitles: an external file; off without it")
  func subtitles() {
    let bench = Bench(
      VideoSettings {
        SourceName("a")
        Subtitles("english")
      })
    #expect(bench.evaluation.presentation.subtitles == .external("english"))
    #expect(SourceReference(name: "english", ext: "vtt").resourceName == "english.vtt")
    #expect(Bench(a).evaluation.presentation.subtitles == .off)
  }

  @Test("EnableVector: without it the overlay commands do nothing and say so")
  func enableVector() {
    let layer = VectorLayer(id: "logo", shapes: [])
    var without = Bench(a)
    _ = without.takeLog()
    without.run(.addVector(layer, clear: false), .removeAllVectors, at: 1)
    #expect(without.evaluation.presentation.vectors.isEmpty)
    #expect(without.takeTexts().filter { $0.hasPrefix("diagnostic") }.count == 2)
    var with = Bench(
      VideoSettings {
        SourceName("a")
        EnableVector()
      })
    with.run(.addVector(layer, clear: false), at: 1)
    #expect(with.evaluation.presentation.vectors == [layer])
    with.run(.removeAllVectors, at: 2)
    #expect(with.evaluation.presentation.vectors.isEmpty)
  }

  @Test("PictureInPicture: without it startPiP and stopPiP do nothing and say so")
  func pictureInPicture() {
    var without = Bench(a)
    _ = without.takeLog()
    without.run(.startPiP, .stopPiP, at: 1)
    #expect(!without.evaluation.presentation.isInset)
    #expect(without.takeTexts().filter { $0.hasPrefix("diagnostic") }.count == 2)
    var with = Bench(
      VideoSettings {
        SourceName("a")
        PictureInPicture()
      })
    _ = with.takeLog()
    with.run(.startPiP, at: 1)
    #expect(with.evaluation.presentation.isInset)
    with.run(.stopPiP, at: 2)
    #expect(!with.evaluation.presentation.isInset)
    #expect(with.takeEvents() == [.startedPiP, .stoppedPiP])
  }

  @Test("Events: absent none at all, empty or nil all, else those that match")
  func events() {
    func delivered(_ settings: VideoSettings) -> [PlayerEvent] {
      var bench = Bench(settings)
      bench.run(.pause, .volume(0.5), at: t("0.5"))
      bench.advance(to: 2)
      return bench.takeBatches().flatMap(\.events).map(\.event)
    }
    #expect(delivered(VideoSettings { SourceName("a") }) == [])
    let all = delivered(
      VideoSettings {
        SourceName("a"); Events()
      })
    #expect(
      all
        == delivered(
          VideoSettings {
            SourceName("a"); Events([])
          }))
    #expect(
      all
        == delivered(
          VideoSettings {
            SourceName("a"); Events(nil)
          }))
    #expect(all.contains(.paused) && all.contains(.playing))
    #expect(
      delivered(
        VideoSettings {
          SourceName("a"); Events([.paused, .volumeChangedAny])
        })
        == [.paused, .volumeChanged(newVolume: 0.5)])
  }

  @Test("forms: builder with if, memberwise, short; all give equal values")
  func forms() {
    let isSilent = true
    let built = VideoSettings {
      SourceName("swipe")
      Ext("mov")
      if isSilent { Mute() }
      if !isSilent { Loop() } else { Gravity(.resize) }
      for _ in 0..<1 { EnableVector() }
      Events([.playing])
    }
    let memberwise = VideoSettings(
      name: "swipe", ext: "mov", mute: true, gravity: .resize, enableVector: true,
      events: [.playing])
    #expect(built == memberwise)
    let short = VideoSettings(
      fileName: "swipe", ext: "mov", gravity: .resizeAspectFill,
      timePublishing: MediaTime(value: 1, timescale: 2))
    #expect(
      short
        == VideoSettings {
          SourceName("swipe")
          Ext("mov")
          Gravity(.resizeAspectFill)
          TimePublishing(MediaTime(value: 1, timescale: 2))
        })
    #expect(built != short)
  }

  @Test("doubled settings are an error that is reported and changes nothing")
  func doubledSettings() {
    let doubled = VideoSettings {
      SourceName("b")
      Loop()
      Loop()
      Events()
    }
    #expect(!doubled.areUnique)
    var fresh = Bench(doubled)
    #expect(fresh.takeEvents() == [.error(.settingsNotUnique)])
    #expect(fresh.player.queue.currentItem == nil)
    #expect(fresh.player.error == .settingsNotUnique)
    fresh.advance(to: 1)
    #expect(fresh.takeBatches().flatMap(\.events).map(\.event) == [.error(.settingsNotUnique)])
    var running = Bench(a)
    running.advance(to: 1)
    _ = running.takeLog()
    running.apply(doubled, at: 1)
    #expect(running.takeEvents() == [.error(.settingsNotUnique)])
    #expect(running.player.queue.currentItem?.source == "a.mp4" && running.status == .playing)
  }

  @Test("settings with the same source apply what changed without interrupting playback")
  func sameSource() {
    var bench = Bench(a)
    bench.advance(to: 3)
    bench.run(.filter(FilterDescription("CISepiaTone"), clear: false), at: 3)
    _ = bench.takeLog()
    bench.apply(
      VideoSettings(
        name: "a", subtitles: "en", loop: true, mute: true,
        timePublishing: MediaTime(value: 1, timescale: 1), gravity: .resize, events: []), at: 3)
    #expect(bench.itemTime == 3 && bench.status == .playing)
    let shown = bench.evaluation
    #expect(shown.presentation.gravity == .resize && shown.isMuted)
    #expect(shown.presentation.subtitles == .external("en"))
    #expect(shown.presentation.filters.count == 1)
    #expect(!bench.takeTexts().contains { $0.hasPrefix("paused") || $0.hasPrefix("playing") })
    bench.advance(to: 15)
    #expect(bench.evaluation.pass == 1)
    bench.apply(a, at: 15)
    #expect(!bench.evaluation.isMuted && bench.evaluation.presentation.subtitles == .off)
    bench.advance(to: 40)
    #expect(bench.status == .paused && bench.evaluation.pass == 1)
  }

  @Test("another source stops, clears, inserts, loops if asked and plays")
  func anotherSource() {
    var bench = Bench(VideoSettings(name: "a", loop: true, events: []))
    bench.run(
      .filter(FilterDescription("CISepiaTone"), clear: false), .brightness(0.25), .contrast(2),
      at: 3)
    _ = bench.takeLog()
    bench.apply(VideoSettings(name: "b", events: []), at: 4)
    #expect(bench.player.queue.items.map(\.source) == ["b.mp4"])
    #expect(bench.evaluation.presentation.filters.isEmpty)
    #expect(bench.evaluation.presentation.brightness == 0.25)
    #expect(bench.evaluation.presentation.contrast == 2)
    #expect(bench.player.queue.looper == nil)
    #expect(bench.itemTime == 0 && bench.status == .playing)
    let names = bench.takeEvents().map(\.name)
    #expect(
      names == [
        "paused", "currentItemRemoved", "currentItemChanged", "itemStatusChanged",
        "waitingToPlayAtSpecifiedRate", "itemStatusChanged", "duration", "playing",
      ])
    bench.advance(to: 20)
    #expect(bench.status == .paused && bench.itemTime == 4)
  }

  @Test("a later source replaces one that is still loading")
  func laterLoadReplaces() {
    var bench = Bench()
    bench.answersLoads = false
    bench.apply(VideoSettings(name: "a", events: []), at: 0)
    bench.apply(VideoSettings(name: "b", events: []), at: 1)
    let actions = bench.takeActions()
    guard case .load(let first, _) = actions.first, case .load(let second, _) = actions.last else {
      Issue.record("\(actions)")
      return
    }
    #expect(actions.contains(.cancelLoading(first)))
    let facts = ItemFacts(duration: MediaTime(value: 9, timescale: 1))
    bench.withPlayer { $0.itemDidLoad(first, facts, at: 2) }
    #expect(bench.player.queue.currentItem?.id == second && bench.status != .playing)
    bench.withPlayer { $0.itemDidLoad(second, facts, at: 3) }
    #expect(bench.status == .playing)
  }

  @Test("compatibility: settings with the same source change nothing at all")
  func sameSourceIgnoredInCompatibility() {
    var bench = Bench(a, compatibility: .sameSourceIsIgnored)
    bench.apply(VideoSettings(name: "a", mute: true, gravity: .resize, events: []), at: 1)
    #expect(!bench.evaluation.isMuted && bench.evaluation.presentation.gravity == .resizeAspect)
  }
}
