import ReelCore
import Testing

@testable import ReelPlayback

/// A playlist player whose tracks last five seconds each, unless told otherwise.
struct AudioBench {
  var player: AudioPlayerStateMachine
  var lengths: [String: MediaTime] = [:]
  var events: [TimedAudioEvent] = []
  var actions: [AudioPlayerAction] = []

  init(_ options: AudioPlayerOptions = AudioPlayerOptions(), tracks: [MediaFile] = []) {
    player = AudioPlayerStateMachine(options: options)
    player.setPlaylist(tracks, at: .zero)
    collect()
  }

  static func tracks(_ count: Int, loopType: LoopType = .none) -> [MediaFile] {
    (0..<count).map {
      MediaFile(url: "track\($0)", title: "Title \($0)", artist: "Artist", loopType: loopType)
    }
  }

  mutating func collect() {
    while true {
      events += player.takeEvents()
      let new = player.takeActions()
      actions += new
      guard !new.isEmpty else { return }
      for case .load(let id, let source) in new {
        if source.name.contains("missing") {
          player.itemDidFail(id, .sourceNotFound(source.description), at: player.now)
        } else {
          let length = lengths[source.name] ?? MediaTime(value: 5, timescale: 1)
          player.itemDidLoad(id, ItemFacts(duration: length), at: player.now)
        }
      }
    }
  }

  mutating func advance(to host: Rational) {
    // A load is answered in the instant it is asked for.
    while let due = player.nextDue, due <= host {
      player.advance(to: due)
      collect()
    }
    player.advance(to: host)
    collect()
  }

  mutating func run(_ body: (inout AudioPlayerStateMachine) -> Void) {
    body(&player)
    collect()
  }

  /// Everything but times and status, as text, since the last call.
  mutating func takeTexts() -> [String] {
    defer { events = [] }
    return events.compactMap { timed in
      switch timed.event {
      case .didUpdateTime, .didUpdateStatus: nil
      case .didSwitchToTrack(let index, _): "\(timed.host) switch \(index)"
      case .didFinishPlaying(let index): "\(timed.host) finish \(index)"
      case .didUpdateAutoStopTime(let left): "\(timed.host) left \(left)"
      case .didUpdateAutoStopType(let type): "\(timed.host) autoStop \(type)"
      case .didHandleError(let error): "\(timed.host) error \(error)"
      default: "\(timed.host) \(timed.event)"
      }
    }
  }

  var time: Rational { player.queue.currentTime }
}

/// Contract §6, row by row.
@Suite struct ContractAudioTests {
  @Test("media file: URL, title, cover, loop type")
  func mediaFile() {
    let file = MediaFile(
      url: "song", title: "Song", artist: "Band", cover: "cover.jpg", loopType: .oneTrack)
    #expect(file.source.resourceName == "song.mp3")
    var bench = AudioBench(tracks: [file])
    #expect(bench.player.currentTrack == file && bench.player.loopType == .oneTrack)
    bench.run { $0.setLoopType(.list, at: 1) }
    #expect(bench.player.loopType == .list)
  }

  @Test("setPlaylist makes the first track current and does not play")
  func setPlaylist() {
    var bench = AudioBench(tracks: AudioBench.tracks(3))
    #expect(bench.player.trackIndex == 0 && bench.player.queue.rate == 0)
    #expect(bench.takeTexts() == ["0 switch 0"])
    bench.run { $0.play(at: 1) }
    bench.run { $0.setPlaylist(AudioBench.tracks(2), at: 3) }
    #expect(bench.takeTexts() == ["1 didStartPlaying", "3 didStop", "3 switch 0"])
    #expect(bench.player.queue.rate == 0 && bench.time == 0)
    bench.run { $0.setPlaylist([], at: 4) }
    #expect(bench.player.trackIndex == nil && bench.player.queue.currentItem == nil)
  }

  @Test("playTrack plays a track from its beginning; an index outside is an error")
  func playTrack() {
    var bench = AudioBench(tracks: AudioBench.tracks(3))
    _ = bench.takeTexts()
    bench.run { $0.playTrack(at: 2, at: 1) }
    bench.advance(to: 3)
    #expect(bench.player.trackIndex == 2 && bench.time == 2)
    bench.run { $0.playTrack(at: 2, at: 4) }
    #expect(bench.time == 0 && bench.player.queue.rate == 1)
    bench.run { $0.playTrack(at: 3, at: 4) }
    bench.run { $0.playTrack(at: -1, at: 4) }
    let texts = bench.takeTexts()
    #expect(texts.prefix(2) == ["1 switch 2", "1 didStartPlaying"])
    #expect(texts.filter { $0.hasPrefix("4 error") }.count == 2)
  }

  @Test("playNextTrack stops at the last one, or wraps in a list")
  func playNextTrack() {
    var bench = AudioBench(tracks: AudioBench.tracks(2))
    bench.run { $0.playNextTrack(at: 1) }
    #expect(bench.player.trackIndex == 1)
    bench.advance(to: 3)
    bench.run { $0.playNextTrack(at: 3) }
    #expect(bench.player.trackIndex == 1 && bench.time == 2)
    bench.run { $0.setLoopType(.list, at: 3) }
    bench.run { $0.playNextTrack(at: 3) }
    #expect(bench.player.trackIndex == 0 && bench.time == 0)
  }

  @Test("playPreviousTrack begins the first one again, or wraps in a list")
  func playPreviousTrack() {
    var bench = AudioBench(tracks: AudioBench.tracks(3))
    bench.run { $0.playTrack(at: 1, at: 0) }
    bench.run { $0.playPreviousTrack(at: 1) }
    #expect(bench.player.trackIndex == 0)
    bench.run { $0.playPreviousTrack(at: 3) }
    #expect(bench.player.trackIndex == 0 && bench.time == 0)
    bench.run { $0.setLoopType(.list, at: 3) }
    bench.run { $0.playPreviousTrack(at: 3) }
    #expect(bench.player.trackIndex == 2)
  }

  @Test("play and pause hold the place and tell it")
  func playPause() {
    var bench = AudioBench(tracks: AudioBench.tracks(1))
    _ = bench.takeTexts()
    bench.run { $0.play(at: 1) }
    bench.run { $0.play(at: 1) }
    bench.run { $0.pause(at: 3) }
    bench.run { $0.pause(at: 3) }
    bench.advance(to: 9)
    #expect(bench.time == 2 && bench.player.status == .paused)
    bench.run { $0.play(at: 9) }
    bench.advance(to: 10)
    #expect(bench.time == 3)
    #expect(bench.takeTexts() == ["1 didStartPlaying", "3 didPause", "9 didStartPlaying"])
  }

  @Test("stop goes back to the beginning and takes now-playing away")
  func stop() {
    var bench = AudioBench(tracks: AudioBench.tracks(2))
    bench.run { $0.playTrack(at: 1, at: 0) }
    _ = bench.takeTexts()
    bench.run { $0.stop(at: 3) }
    #expect(bench.time == 0 && bench.player.trackIndex == 1 && bench.player.status == .stopped)
    #expect(bench.takeTexts() == ["3 didStop"])
    #expect(bench.actions.last == .dismissNowPlaying)
    bench.run { $0.play(at: 4) }
    bench.advance(to: 5)
    #expect(bench.time == 1)
  }

  @Test("seek, seekForward and seekBackward are clamped to the track")
  func seek() {
    var bench = AudioBench(tracks: AudioBench.tracks(1))
    bench.run { $0.seek(to: t("2.5"), at: 0) }
    #expect(bench.time == t("2.5") && bench.player.queue.rate == 0)
    bench.run { $0.seekForward(by: 1, at: 0) }
    #expect(bench.time == t("3.5"))
    bench.run { $0.seekBackward(by: 10, at: 0) }
    #expect(bench.time == 0)
    bench.run { $0.seekForward(by: 100, at: 0) }
    #expect(bench.time == 5)
    bench.run { $0.seek(to: -1, at: 0) }
    #expect(bench.time == 0)
    bench.run { $0.play(at: 1) }
    bench.run { $0.seek(to: 3, at: 2) }
    bench.advance(to: 3)
    #expect(bench.time == 4)
  }

  @Test("setPlaybackRate holds for what plays and what follows; a rate that is none is an error")
  func setPlaybackRate() {
    var bench = AudioBench(tracks: AudioBench.tracks(2))
    bench.run { $0.setPlaybackRate(to: 2, at: 0) }
    #expect(bench.player.queue.rate == 0)
    bench.run { $0.play(at: 0) }
    bench.advance(to: 1)
    #expect(bench.time == 2)
    bench.advance(to: 3)
    #expect(bench.player.trackIndex == 1 && bench.time == 1)
    _ = bench.takeTexts()
    for rate in [0, -1, .nan, .infinity] as [Float] {
      bench.run { $0.setPlaybackRate(to: rate, at: 3) }
    }
    #expect(bench.takeTexts().filter { $0.contains("error") }.count == 4)
    #expect(bench.player.queue.rate == 2)
  }

  @Test("loop type none plays the list once")
  func loopTypeNone() {
    var bench = AudioBench(tracks: AudioBench.tracks(2))
    _ = bench.takeTexts()
    bench.run { $0.play(at: 0) }
    bench.advance(to: 30)
    #expect(
      bench.takeTexts() == [
        "0 didStartPlaying", "5 finish 0", "5 switch 1", "5 didStartPlaying", "10 finish 1",
      ])
    #expect(bench.player.status == .finished && bench.player.queue.rate == 0)
    bench.run { $0.play(at: 31) }
    bench.advance(to: 32)
    #expect(bench.player.trackIndex == 1 && bench.time == 1)
  }

  @Test("loop type one track repeats it without drift")
  func loopTypeOneTrack() {
    var bench = AudioBench(tracks: AudioBench.tracks(2, loopType: .oneTrack))
    bench.lengths["track0"] = MediaTime(value: 1001, timescale: 30000)
    bench.run { $0.setPlaylist(AudioBench.tracks(2, loopType: .oneTrack), at: 0) }
    bench.run { $0.setPlaybackRate(to: 0.3, at: 0) }
    bench.run { $0.play(at: 0) }
    _ = bench.takeTexts()
    let pass = t("1001/30000") / Rational(5_033_165, 1 << 24)
    bench.advance(to: Rational(1000) * pass + t("1/100"))
    #expect(bench.time == t("1/100") * Rational(5_033_165, 1 << 24))
    #expect(bench.player.trackIndex == 0)
    let finished = bench.events.filter { $0.event == .didFinishPlaying(index: 0) }
    #expect(finished.count == 1000 && finished.last?.host == Rational(1000) * pass)
  }

  @Test("loop type list begins again with the first track")
  func loopTypeList() {
    var bench = AudioBench(tracks: AudioBench.tracks(2, loopType: .list))
    bench.run { $0.play(at: 0) }
    bench.advance(to: 22)
    #expect(bench.player.trackIndex == 0 && bench.time == 2)
  }

  @Test("loopDelay parts a track from what follows it")
  func loopDelay() {
    var options = AudioPlayerOptions()
    options.loopDelay = 2
    var bench = AudioBench(options, tracks: AudioBench.tracks(2))
    bench.run { $0.play(at: 0) }
    bench.advance(to: 6)
    #expect(bench.player.trackIndex == 0 && bench.time == 5)
    bench.advance(to: 8)
    #expect(bench.player.trackIndex == 1 && bench.time == 1)
    // Pause in a delay: what follows begins when playback goes on.
    bench.advance(to: 12)
    var single = AudioBench(options, tracks: AudioBench.tracks(1, loopType: .oneTrack))
    single.run { $0.play(at: 0) }
    single.run { $0.pause(at: 6) }
    single.advance(to: 20)
    #expect(single.time == 5)
    single.run { $0.play(at: 20) }
    single.advance(to: 21)
    #expect(single.time == 1)
  }

  @Test("auto-stop disabled lets the list play on")
  func autoStopDisable() {
    var bench = AudioBench(tracks: AudioBench.tracks(1, loopType: .oneTrack))
    bench.run { $0.play(at: 0) }
    bench.run { $0.setAutoStop(.after(seconds: 3), at: 0) }
    bench.run { $0.setAutoStop(.disable, at: 1) }
    bench.advance(to: 12)
    #expect(bench.player.queue.rate == 1 && bench.time == 2)
    #expect(!bench.takeTexts().contains { $0.hasPrefix("2 left") })
  }

  @Test("auto-stop after the track's end does the action there and is disabled again")
  func autoStopAfterTrackEnd() {
    var bench = AudioBench(tracks: AudioBench.tracks(3, loopType: .list))
    _ = bench.takeTexts()
    bench.run { $0.play(at: 0) }
    bench.run { $0.setAutoStop(.afterTrackEnd, at: 1) }
    bench.advance(to: 20)
    #expect(bench.player.trackIndex == 0 && bench.player.queue.rate == 0)
    #expect(bench.player.autoStop == .disable)
    #expect(
      bench.takeTexts() == [
        "0 didStartPlaying", "1 autoStop afterTrackEnd", "5 finish 0", "5 autoStop disable",
        "5 didPause",
      ])
    #expect(bench.player.status == .paused)
    var options = AudioPlayerOptions()
    options.actionAfterAutoStop = .stop
    var stopping = AudioBench(options, tracks: AudioBench.tracks(3))
    stopping.run { $0.play(at: 0) }
    stopping.run { $0.setAutoStop(.afterTrackEnd, at: 1) }
    stopping.advance(to: 20)
    #expect(stopping.player.status == .stopped && stopping.time == 0)
    #expect(stopping.takeTexts().last == "5 didStop")
  }

  @Test("in the delay between two tracks there is something to pause or stop, once")
  func pauseInDelay() {
    var options = AudioPlayerOptions()
    options.loopDelay = 4
    var bench = AudioBench(options, tracks: AudioBench.tracks(2))
    bench.run { $0.play(at: 0) }
    bench.advance(to: 6)
    #expect(bench.player.status == .playing && bench.player.isOn)
    var other = bench
    _ = bench.takeTexts()
    bench.run { $0.pause(at: 6) }
    bench.run { $0.pause(at: 7) }
    #expect(bench.takeTexts() == ["6 didPause"] && !bench.player.isOn)
    _ = other.takeTexts()
    other.run { $0.setPlaylist(AudioBench.tracks(1), at: 6) }
    #expect(other.takeTexts() == ["6 didStop", "6 switch 0"])
  }

  @Test("auto-stop after seconds tells what is left each second and then does the action")
  func autoStopAfterSeconds() {
    var options = AudioPlayerOptions()
    options.actionAfterAutoStop = .stop
    var bench = AudioBench(options, tracks: AudioBench.tracks(1))
    _ = bench.takeTexts()
    bench.run { $0.play(at: 0) }
    bench.run { $0.setAutoStop(.after(seconds: 2.5), at: 1) }
    bench.advance(to: 10)
    #expect(
      bench.takeTexts() == [
        "0 didStartPlaying", "1 autoStop after(seconds: 2.5)", "1 left 2.5", "2 left 1.5",
        "3 left 0.5", "3.5 left 0.0", "3.5 autoStop disable", "3.5 didStop",
      ])
    #expect(bench.time == 0 && bench.player.status == .stopped)
  }

  @Test("auto-stop pauses where that is the action; seconds that are none are an error")
  func autoStopPauses() {
    var bench = AudioBench(tracks: AudioBench.tracks(1))
    bench.run { $0.play(at: 0) }
    bench.run { $0.setAutoStop(.after(seconds: 2), at: 0) }
    bench.advance(to: 4)
    #expect(bench.time == 2 && bench.player.status == .paused)
    _ = bench.takeTexts()
    for seconds in [-1, .nan, .infinity] as [Double] {
      bench.run { $0.setAutoStop(.after(seconds: seconds), at: 5) }
    }
    #expect(bench.takeTexts().filter { $0.contains("error") }.count == 3)
    #expect(bench.player.autoStop == .disable)
  }

  @Test("didUpdateTime comes at its interval and on jumps, starts and stops")
  func didUpdateTime() {
    var bench = AudioBench(tracks: AudioBench.tracks(1))
    bench.events = []
    bench.run { $0.play(at: 0) }
    bench.run { $0.seek(to: t("4.25"), at: t("1.5")) }
    bench.advance(to: 3)
    let times = bench.events.compactMap { timed -> String? in
      if case .didUpdateTime(let time, let duration) = timed.event {
        return "\(timed.host): \(time) of \(duration ?? -1)"
      }
      return nil
    }
    #expect(times == ["1: 1 of 5", "1.5: 4.25 of 5", "2.25: 5 of 5"])
  }

  @Test("didUpdateStatus tells each change of status")
  func didUpdateStatus() {
    var bench = AudioBench(tracks: AudioBench.tracks(1))
    bench.run { $0.play(at: 0) }
    bench.run { $0.pause(at: 1) }
    bench.run { $0.play(at: 2) }
    bench.advance(to: 10)
    bench.run { $0.stop(at: 11) }
    let statuses = bench.events.compactMap { timed -> AudioPlayerStatus? in
      if case .didUpdateStatus(let status) = timed.event { return status }
      return nil
    }
    #expect(statuses == [.playing, .paused, .playing, .finished, .stopped])
  }

  @Test("didHandleError tells of a broken track, which stays current")
  func didHandleError() {
    var tracks = AudioBench.tracks(2)
    tracks[0].url = "missing"
    var bench = AudioBench(tracks: tracks)
    #expect(bench.player.status == .idle || bench.player.status == .failed)
    bench.run { $0.play(at: 1) }
    #expect(bench.takeTexts().contains("0 error source not found: missing.mp3"))
    #expect(bench.player.trackIndex == 0 && bench.player.status == .failed)
    bench.run { $0.playNextTrack(at: 2) }
    #expect(bench.player.queue.timeControlStatus == .playing)
  }

  @Test("didFailedSetAudioSession")
  func didFailedSetAudioSession() {
    var bench = AudioBench(tracks: AudioBench.tracks(1))
    bench.run { $0.sessionDidFail("busy", at: 1) }
    #expect(bench.events.map(\.event).contains(.didFailedSetAudioSession("busy")))
  }

  @Test("now playing holds title, artist, cover, length, place and rate")
  func nowPlaying() {
    var tracks = AudioBench.tracks(2)
    tracks[1].cover = "cover.png"
    var bench = AudioBench(tracks: tracks)
    #expect(!bench.actions.contains(.setUpNowPlaying))
    bench.run { $0.playTrack(at: 1, at: 0) }
    bench.run { $0.pause(at: 2) }
    #expect(bench.actions.filter { $0 == .setUpNowPlaying }.count == 1)
    let infos = bench.actions.compactMap { action -> NowPlayingInfo? in
      if case .updateNowPlaying(let info) = action { return info }
      return nil
    }
    #expect(
      infos.last
        == NowPlayingInfo(
          title: "Title 1", artist: "Artist", cover: "cover.png", duration: 5,
          elapsedPlaybackTime: 2, playbackRate: 0, queueIndex: 1, queueCount: 2))
    #expect(infos.contains { $0.playbackRate == 1 })
  }

  @Test("without showsNowPlaying nothing is shown")
  func nowPlayingOff() {
    var options = AudioPlayerOptions()
    options.showsNowPlaying = false
    var bench = AudioBench(options, tracks: AudioBench.tracks(1))
    bench.run { $0.play(at: 0) }
    bench.run { $0.stop(at: 1) }
    #expect(
      bench.actions.allSatisfy {
        if case .load = $0 { true } else { false }
      })
  }

  @Test("tracks of no length in a loop cost at most a thousand starts a second")
  func emptyTracks() {
    var bench = AudioBench(tracks: [])
    bench.lengths["track0"] = .zero
    bench.run { $0.setPlaylist(AudioBench.tracks(1, loopType: .oneTrack), at: 0) }
    bench.run { $0.play(at: 0) }
    bench.advance(to: 1)
    #expect(bench.events.filter { $0.event == .didFinishPlaying(index: 0) }.count <= 1001)
  }
}
