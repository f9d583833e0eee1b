import ReelCore
import Testing

@testable import ReelPlayback

/// Contract §2, row by row.
@Suite struct ContractCommandsTests {
  /// Ten seconds of "a", playing since host time 0, all extras enabled.
  private func playing() -> Bench {
    var bench = Bench(
      VideoSettings(name: "a", pictureInPicture: true, enableVector: true, events: []))
    _ = bench.takeLog()
    return bench
  }

  private func blur(_ radius: Double) -> FilterDescription {
    FilterDescription("CIGaussianBlur", ["inputRadius": radius])
  }

  @Test("idle changes and tells nothing")
  func idle() {
    var bench = playing()
    let before = bench.player
    bench.run(.idle, at: 0)
    #expect(bench.player == before && bench.takeLog().isEmpty)
  }

  @Test("play starts a paused player where it stands")
  func play() {
    var bench = playing()
    bench.run(.pause, at: 2)
    _ = bench.takeLog()
    bench.run(.play, at: 5)
    #expect(bench.takeEvents() == [.playing])
    bench.advance(to: 6)
    #expect(bench.itemTime == 3)
  }

  @Test("play while playing is no change")
  func playTwice() {
    var bench = playing()
    bench.run(.play, at: 2)
    #expect(bench.takeLog().isEmpty && bench.itemTime == 2)
  }

  @Test("play behind the end starts again from zero")
  func playAtTheEnd() {
    var bench = playing()
    bench.advance(to: 12)
    _ = bench.takeLog()
    bench.run(.play, at: 12)
    #expect(bench.itemTime == 0 && bench.status == .playing)
    bench.advance(to: 13)
    #expect(bench.itemTime == 1)
  }

  @Test(
    "play at the end starts again from zero, however the player got there",
    arguments: [
      [.end], [.seek(to: 10, play: false)], [.seek(to: 99, play: true)],
      [.pause, .seek(to: 99, play: false)], [.playbackSpeed(2), .end],
    ] as [[PlayerCommand]])
  func playAfterSeekToEnd(commands: [PlayerCommand]) {
    var bench = playing()
    bench.withPlayer { $0.execute(commands, at: 2) }
    bench.advance(to: 5)
    #expect(bench.itemTime == 10 && bench.status == .paused)
    _ = bench.takeLog()
    bench.run(.play, at: 5)
    #expect(bench.takeEvents() == [.playing] && bench.itemTime == 0)
    bench.advance(to: 6)
    #expect(bench.itemTime == 1)
  }

  @Test("pause holds the time")
  func pause() {
    var bench = playing()
    bench.run(.pause, at: t("2.5"))
    bench.advance(to: 9)
    #expect(bench.itemTime == t("2.5") && bench.takeEvents() == [.paused])
  }

  @Test("seek goes exactly there, tells it, and plays")
  func seek() {
    var bench = playing()
    bench.run(.pause, at: 1)
    _ = bench.takeLog()
    bench.run(.seek(to: t("10/3"), play: true), at: 2)
    #expect(bench.itemTime == t("10/3"))
    #expect(bench.takeEvents() == [.seek(true, currentTime: 10.0 / 3), .playing])
    bench.advance(to: 3)
    #expect(bench.itemTime == t("13/3"))
  }

  @Test("seek with play false pauses")
  func seekAndPause() {
    var bench = playing()
    bench.run(.seek(to: 3, play: false), at: 2)
    #expect(bench.takeEvents() == [.seek(true, currentTime: 3), .paused])
    #expect(bench.status == .paused && bench.itemTime == 3)
  }

  @Test("seek plays by default")
  func seekDefault() {
    #expect(PlaybackCommand.seek(to: 3) == .seek(to: 3, play: true))
  }

  @Test("seek below zero goes to the start")
  func seekBelowZero() {
    var bench = playing()
    bench.run(.seek(to: -5, play: false), at: 2)
    #expect(bench.itemTime == 0)
    #expect(bench.takeEvents().first == .seek(true, currentTime: 0))
  }

  @Test("seek at or past the duration goes to the end", arguments: [10, 11, 1000])
  func seekPastTheEnd(target: Int) {
    var bench = playing()
    bench.run(.seek(to: Rational(target), play: false), at: 2)
    #expect(bench.itemTime == 10)
    #expect(bench.takeEvents().first == .seek(true, currentTime: 10))
  }

  @Test("seek shows the last picture at or before the target")
  func seekIsExact() {
    var bench = playing()
    bench.run(.seek(to: t("1001/30000"), play: false), at: 2)
    #expect(bench.evaluation.itemTime == t("1001/30000"))
    #expect(bench.evaluation.side == .atOrBefore)
    // A Double that stands for a picture's time is that time, not the binary fraction beside it.
    #expect(
      PlaybackCommand.seek(to: 1001.0 / 30000).exact(in: .zero)
        == .seek(to: t("1001/30000"), play: true))
  }

  @Test("seek with an unknown or zero duration moves nothing and tells false with the asked time")
  func seekWithoutDuration() {
    var bench = Bench()
    bench.sources["live.mp4"] = .success(ItemFacts(duration: .indefinite))
    bench.sources["empty.mp4"] = .success(ItemFacts(duration: .zero))
    for name in ["live", "empty"] {
      bench.apply(VideoSettings(name: name, notAutoPlay: true, events: []), at: 0)
      _ = bench.takeLog()
      bench.run(.seek(to: 3, play: true), at: 1)
      #expect(bench.takeEvents() == [.seek(false, currentTime: 3)], "\(name)")
      #expect(bench.itemTime == 0 && bench.status == .paused)
    }
    var empty = Bench()
    empty.run(.seek(to: 3, play: true), at: 1)
    #expect(empty.takeEvents() == [.seek(false, currentTime: 3)])
  }

  @Test("begin seeks to the start and leaves the player paused")
  func begin() {
    var bench = playing()
    bench.run(.begin, at: 4)
    #expect(bench.itemTime == 0 && bench.status == .paused)
    #expect(bench.takeEvents() == [.seek(true, currentTime: 0), .paused])
  }

  @Test("end seeks to the end and leaves the player paused")
  func end() {
    var bench = playing()
    bench.run(.end, at: 4)
    #expect(bench.itemTime == 10 && bench.status == .paused)
    #expect(bench.takeEvents() == [.seek(true, currentTime: 10), .paused])
    bench.advance(to: 20)
    #expect(!bench.takeTexts().contains { $0.hasPrefix("didPlayToEnd") })
  }

  @Test("end while looping stays at the end, paused")
  func endWhileLooping() {
    var bench = playing()
    bench.run(.loop(passes: nil), .end, at: 4)
    #expect(bench.itemTime == 10 && bench.status == .paused && bench.evaluation.pass == 0)
    bench.run(.play, at: 5)
    #expect(bench.itemTime == 0 && bench.evaluation.pass == 1)
  }

  @Test("a seek that takes time tells when it is there, and a newer one ends it with false")
  func seekThatTakesTime() {
    var bench = playing()
    bench.withPlayer { $0.withQueue(at: 1) { $0.setSeekLatency(1, at: 1) } }
    bench.run(.seek(to: 3, play: false), at: 1)
    bench.run(.seek(to: 99, play: false), at: t("1.5"))
    bench.advance(to: 2)
    #expect(
      bench.takeEvents() == [.waitingToPlayAtSpecifiedRate, .seek(false, currentTime: 3)])
    bench.advance(to: 4)
    #expect(bench.takeEvents() == [.seek(true, currentTime: 10), .paused])
    #expect(bench.itemTime == 10)
  }

  @Test("mute and unmute")
  func mute() {
    var bench = playing()
    bench.run(.mute, at: 1)
    #expect(bench.evaluation.isMuted)
    bench.run(.unmute, at: 2)
    #expect(!bench.evaluation.isMuted)
    #expect(bench.evaluation.volume == 1 && bench.status == .playing)
  }

  @Test("unmute makes sound again, and only mute silences")
  func unmute() {
    var bench = playing()
    bench.run(.unmute, at: 1)
    #expect(!bench.evaluation.isMuted && bench.takeLog().isEmpty)
  }

  @Test(
    "volume is clamped to 0…1",
    arguments: [(0.25, 0.25), (-1, 0), (7, 1), (.infinity, 1)] as [(Float, Float)])
  func volume(asked: Float, given: Float) {
    var bench = playing()
    bench.run(.volume(0.5), .volume(asked), at: 1)
    #expect(bench.evaluation.volume == given)
    bench.run(.volume(.nan), at: 2)
    #expect(bench.evaluation.volume == given)
  }

  @Test("playbackSpeed: negative counts as 0, 0 pauses, above 0 starts")
  func playbackSpeed() {
    var bench = playing()
    bench.run(.playbackSpeed(0.5), at: 2)
    bench.advance(to: 4)
    #expect(bench.itemTime == 3 && bench.takeEvents().isEmpty)
    bench.run(.playbackSpeed(0), at: 4)
    #expect(bench.status == .paused && bench.takeEvents() == [.paused])
    bench.run(.playbackSpeed(1.75), at: 5)
    #expect(bench.takeEvents() == [.playing])
    bench.advance(to: 6)
    #expect(bench.itemTime == t("4.75"))
    bench.run(.playbackSpeed(-3), at: 6)
    #expect(bench.status == .paused)
    bench.run(.playbackSpeed(.nan), .playbackSpeed(.infinity), at: 7)
    #expect(bench.status == .paused)
  }

  @Test("loop repeats from where the pass stands; when looping it is no change")
  func loop() {
    var bench = playing()
    bench.run(.loop(passes: nil), at: 3)
    #expect(bench.itemTime == 3 && bench.takeEvents().isEmpty)
    let looping = bench.player
    bench.run(.loop(passes: nil), at: 3)
    #expect(bench.player.queue == looping.queue)
    bench.advance(to: 14)
    #expect(bench.itemTime == 4 && bench.evaluation.pass == 1)
  }

  @Test("unloop lets the running pass end, then stops; when not looping it is no change")
  func unloop() {
    var bench = playing()
    bench.run(.loop(passes: nil), at: 3)
    bench.run(.unloop, at: 24)
    #expect(bench.status == .playing)
    bench.advance(to: 29)
    #expect(bench.status == .playing && bench.itemTime == 9)
    bench.advance(to: 31)
    #expect(bench.status == .paused && bench.itemTime == 10)
    var plain = playing()
    let before = plain.player
    plain.run(.unloop, at: 0)
    #expect(plain.player == before)
  }

  @Test("loop after unloop in the same pass goes on looping")
  func loopAfterUnloop() {
    var bench = playing()
    bench.run(.loop(passes: nil), at: 3)
    bench.run(.unloop, at: 4)
    bench.run(.loop(passes: nil), at: 5)
    bench.advance(to: 35)
    #expect(bench.status == .playing && bench.evaluation.pass == 3 && bench.itemTime == 5)
  }

  private func tracks() -> Bench {
    var bench = Bench()
    var facts = ItemFacts(duration: MediaTime(value: 10, timescale: 1))
    facts.legible = [
      MediaOption(trackID: 3, language: "de"), MediaOption(trackID: 4, language: "en-US"),
      MediaOption(trackID: 5, language: "fra"),
    ]
    facts.audible = [
      MediaOption(trackID: 1, language: "eng"), MediaOption(trackID: 2, language: nil),
      MediaOption(trackID: 6, language: "zh-Hant-TW"),
    ]
    bench.sources["a.mp4"] = .success(facts)
    bench.apply(VideoSettings(name: "a", subtitles: "mine", events: []), at: 0)
    _ = bench.takeLog()
    return bench
  }

  @Test("subtitles choose an embedded track by language; nil is off")
  func subtitles() {
    var bench = tracks()
    #expect(bench.evaluation.presentation.subtitles == .external("mine"))
    bench.run(.subtitles("en"), at: 1)
    #expect(
      bench.evaluation.presentation.subtitles
        == .embedded(MediaOption(trackID: 4, language: "en-US")))
    bench.run(.subtitles("fr"), at: 2)
    #expect(
      bench.evaluation.presentation.subtitles == .embedded(MediaOption(trackID: 5, language: "fra"))
    )
    bench.run(.subtitles("it"), at: 3)
    #expect(
      bench.evaluation.presentation.subtitles == .embedded(MediaOption(trackID: 5, language: "fra"))
    )
    #expect(bench.takeTexts().contains { $0.contains("no subtitles in") })
    bench.run(.subtitles(nil), at: 4)
    #expect(bench.evaluation.presentation.subtitles == .off)
  }

  @Test("subtitles asked for before the item is ready are chosen when it is")
  func subtitlesBeforeReady() {
    var bench = tracks()
    bench.answersLoads = false
    bench.apply(VideoSettings(name: "b", events: []), at: 5)
    bench.run(.subtitles("de"), at: 5)
    guard let item = bench.player.queue.currentItem else { return }
    var facts = ItemFacts(duration: MediaTime(value: 4, timescale: 1))
    facts.legible = [MediaOption(trackID: 9, language: "de-AT")]
    bench.withPlayer { $0.itemDidLoad(item.id, facts, at: 6) }
    #expect(
      bench.evaluation.presentation.subtitles
        == .embedded(MediaOption(trackID: 9, language: "de-AT")))
  }

  @Test("audioTrack chooses by language")
  func audioTrack() {
    var bench = tracks()
    #expect(bench.evaluation.presentation.audio == nil)
    bench.run(.audioTrack(languageCode: "en"), at: 1)
    #expect(bench.evaluation.presentation.audio?.trackID == 1)
    bench.run(.audioTrack(languageCode: "zh-hant"), at: 2)
    #expect(bench.evaluation.presentation.audio?.trackID == 6)
    bench.run(.audioTrack(languageCode: "sv"), at: 3)
    #expect(bench.evaluation.presentation.audio?.trackID == 6)
    #expect(bench.takeTexts().contains { $0.contains("no audio in") })
  }

  @Test(
    "brightness is clamped to −1…1",
    arguments: [(0.5, 0.5), (-7, -1), (2, 1), (.nan, 0)] as [(Float, Float)])
  func brightness(asked: Float, given: Float) {
    var bench = playing()
    bench.run(.brightness(asked), at: 1)
    #expect(bench.evaluation.presentation.brightness == given)
  }

  @Test(
    "contrast is clamped to 0…4",
    arguments: [(0.5, 0.5), (-7, 0), (9, 4), (.infinity, 1)] as [(Float, Float)])
  func contrast(asked: Float, given: Float) {
    var bench = playing()
    bench.run(.contrast(asked), at: 1)
    #expect(bench.evaluation.presentation.contrast == given)
  }

  @Test("filters run in the order added; clear makes room first")
  func filter() {
    var bench = playing()
    bench.run(
      .filter(blur(1), clear: false), .filter(FilterDescription("CISepiaTone"), clear: false), at: 1
    )
    bench.run(.filter(blur(2), clear: false), at: 2)
    #expect(
      bench.evaluation.presentation.filters == [blur(1), FilterDescription("CISepiaTone"), blur(2)])
    bench.run(.filter(blur(3), clear: true), at: 3)
    #expect(bench.evaluation.presentation.filters == [blur(3)])
    #expect(bench.takeLog().isEmpty && bench.status == .playing)
  }

  @Test("removeAllFilters takes the stack; brightness and contrast survive")
  func removeAllFilters() {
    var bench = playing()
    bench.run(.filter(blur(1), clear: false), .brightness(0.5), .contrast(2), at: 1)
    bench.run(.removeAllFilters, at: 2)
    let shown = bench.evaluation.presentation
    #expect(shown.filters.isEmpty && shown.brightness == 0.5 && shown.contrast == 2)
  }

  @Test("brightness and contrast are apart from the stack and change nothing in it")
  func brightnessIsIndependent() {
    var bench = playing()
    bench.run(.brightness(0.5), .filter(blur(1), clear: true), at: 1)
    #expect(bench.evaluation.presentation.brightness == 0.5)
    #expect(bench.evaluation.presentation.filters == [blur(1)])
  }

  @Test("addVector adds overlays in order; clear makes room first")
  func addVector() {
    let (one, two) = (VectorLayer(id: "1", shapes: []), VectorLayer(id: "2", shapes: []))
    var bench = playing()
    bench.run(.addVector(one, clear: false), .addVector(two, clear: false), at: 1)
    #expect(bench.evaluation.presentation.vectors == [one, two])
    bench.run(.addVector(one, clear: true), at: 2)
    #expect(bench.evaluation.presentation.vectors == [one])
  }

  @Test("removeAllVectors takes all overlays")
  func removeAllVectors() {
    var bench = playing()
    bench.run(.addVector(VectorLayer(id: "1", shapes: []), clear: false), .removeAllVectors, at: 1)
    #expect(bench.evaluation.presentation.vectors.isEmpty)
  }

  @Test("startPiP shows the inset once")
  func startPiP() {
    var bench = playing()
    bench.run(.startPiP, .startPiP, at: 1)
    #expect(bench.takeEvents() == [.startedPiP])
  }

  @Test("startPiP is an error where the output cannot show an inset")
  func startPiPUnsupported() {
    var bench = playing()
    bench.withPlayer { $0.setPictureInPictureSupported(false, at: 1) }
    bench.run(.startPiP, at: 1)
    #expect(bench.takeEvents() == [.error(.notSupportedPiP)])
  }

  @Test("stopPiP ends the inset once")
  func stopPiP() {
    var bench = playing()
    bench.run(.startPiP, .stopPiP, .stopPiP, at: 1)
    #expect(bench.takeEvents() == [.startedPiP, .stoppedPiP])
  }

  @Test("commands are equal by value, overlays by the id of their builder")
  func equality() {
    #expect(PlaybackCommand.play == .play)
    #expect(PlaybackCommand.play != .pause)
    #expect(PlaybackCommand.seek(to: 1) != .seek(to: 1, play: false))
    #expect(PlaybackCommand.volume(0.5) == .volume(0.5))
    #expect(PlaybackCommand.filter(blur(1)) == .filter(blur(1)))
    #expect(PlaybackCommand.filter(blur(1)) != .filter(blur(1), clear: true))
    #expect(PlaybackCommand.addVector(Logo(id: 1, width: 5)) == .addVector(Logo(id: 1, width: 9)))
    #expect(PlaybackCommand.addVector(Logo(id: 1, width: 5)) != .addVector(Logo(id: 2, width: 5)))
    #expect(PlaybackCommand.addVector(Logo(id: 1, width: 5)) != .removeAllVectors)
  }

  @Test("several commands at one instant are executed in order")
  func batch() {
    var bench = playing()
    bench.run(.pause, .seek(to: 7, play: true), .playbackSpeed(2), .loop(passes: nil), at: 1)
    bench.advance(to: 3)
    #expect(bench.itemTime == 1 && bench.evaluation.pass == 1)
    #expect(
      bench.takeEvents().map(\.name) == ["paused", "seek", "playing", "currentItemChanged"])
  }

  @Test("the core executes an equal command again")
  func coreExecutesEqualCommands() {
    var bench = playing()
    bench.run(.seek(to: 2, play: true), at: 5)
    bench.run(.seek(to: 2, play: true), at: 6)
    #expect(bench.itemTime == 2)
    bench.run(.filter(blur(1), clear: false), .filter(blur(1), clear: false), at: 7)
    #expect(bench.evaluation.presentation.filters.count == 2)
  }
}

/// An overlay of the tests.
struct Logo: ShapeLayerBuilderProtocol {
  let id: Int
  let width: Double
  func build(with geometry: (frame: Rect, bounds: Rect)) -> ShapeLayer {
    ShapeLayer(
      path: ShapeLayer.rectangle(
        Rect(x: geometry.bounds.size.width - width, y: 0, width: width, height: 10)),
      fill: .white)
  }
}
