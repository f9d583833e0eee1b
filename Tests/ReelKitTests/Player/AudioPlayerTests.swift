import ReelKit
import Synchronization
import Testing

/// Writes down what it is told.
private final class Diary: AudioPlayerDelegate {
  let lines = Recorder<String>()
  func didStartPlaying(_ player: AudioPlayer) { lines.add("start") }
  func didPause(_ player: AudioPlayer) { lines.add("pause") }
  func didStop(_ player: AudioPlayer) { lines.add("stop") }
  func didFinishPlaying(_ player: AudioPlayer, index: Int) { lines.add("finish \(index)") }
  func didUpdateTime(_ player: AudioPlayer, time: MediaTime, duration: MediaTime) {
    lines.add("time \(time.seconds) of \(duration.seconds)")
  }
  func didSwitchToTrack(_ player: AudioPlayer, index: Int, track: MediaFile) {
    lines.add("track \(index) \(track.title)")
  }
  func didUpdateStatus(_ player: AudioPlayer, status: AudioPlayerStatus) {
    lines.add("status \(status)")
  }
  func didHandleError(_ player: AudioPlayer, error: VPErrors) { lines.add("error \(error)") }
  func didFailedSetAudioSession(_ player: AudioPlayer, reason: String) {
    lines.add("session \(reason)")
  }
  func didUpdateAutoStopTime(_ player: AudioPlayer, secondsLeft: Double) {
    lines.add("left \(secondsLeft)")
  }
  func didUpdateAutoStopType(_ player: AudioPlayer, type: AutoStop) {
    lines.add("autoStop \(type)")
  }
}

private struct BusySession: AudioSessionService {
  struct Busy: Error, CustomStringConvertible { let description = "busy" }
  func setSession(_ session: AudioPlayerOptions.Session) throws { throw Busy() }
}

@Suite struct AudioPlayerTests {
  private let loader = FixedSourceLoader(durations: ["one": 3, "two": 2])
  private let tracks = [
    MediaFile(url: "one", title: "One"), MediaFile(url: "two", title: "Two"),
    MediaFile(url: "none", title: "None"),
  ]

  @Test("the delegate is told everything, in order, and so are the closures")
  func delegateAndClosures() {
    let clock = ManualClock()
    let player = AudioPlayer(clock: clock, loader: loader, session: BusySession())
    let diary = Diary()
    let closures = Recorder<String>()
    player.delegate = diary
    var callbacks = AudioPlayerCallbacks()
    callbacks.didStartPlaying = { closures.add("start") }
    callbacks.didPause = { closures.add("pause") }
    callbacks.didStop = { closures.add("stop") }
    callbacks.didFinishPlaying = { closures.add("finish \($0)") }
    callbacks.didUpdateTime = { closures.add("time \($0.seconds) of \($1.seconds)") }
    callbacks.didSwitchToTrack = { closures.add("track \($0) \($1.title)") }
    callbacks.didUpdateStatus = { closures.add("status \($0)") }
    callbacks.didHandleError = { closures.add("error \($0)") }
    callbacks.didFailedSetAudioSession = { closures.add("session \($0)") }
    callbacks.didUpdateAutoStopTime = { closures.add("left \($0)") }
    callbacks.didUpdateAutoStopType = { closures.add("autoStop \($0)") }
    player.callbacks = callbacks
    player.setPlaylist(tracks)
    player.play()
    clock.advance(by: 4)
    player.pause()
    player.setAutoStop(.after(seconds: 1))
    player.play()
    clock.advance(by: 1)
    player.stop()
    player.playTrack(at: 2)
    #expect(diary.lines.values == closures.values)
    let told = diary.lines.values.filter { !$0.hasPrefix("time") && !$0.hasPrefix("status") }
    #expect(
      told == [
        "track 0 One", "session busy", "start", "finish 0", "track 1 Two", "start", "pause",
        "autoStop after(seconds: 1.0)", "left 1.0", "start", "finish 1", "track 2 None",
        // Auto-stop is due in the same instant, before the source has answered.
        "left 0.0", "autoStop disable", "pause", "error source not found: none.mp3",
        // stop() and playTrack(at: 2)
        "stop", "track 2 None", "error source not found: none.mp3",
      ])
    #expect(diary.lines.values.contains("time 1.0 of 3.0"))
  }

  @Test("the now-playing info can be read, and remote commands reach the player")
  func nowPlaying() {
    let clock = ManualClock()
    let center = NowPlayingInfoCenter()
    let player = AudioPlayer(clock: clock, loader: loader, nowPlaying: center)
    #expect(!center.isSetUp)
    player.setPlaylist(tracks)
    player.play()
    #expect(center.isSetUp && center.info?.title == "One" && center.info?.duration == 3)
    center.send(.nextTrack)
    #expect(player.trackIndex == 1 && center.info?.title == "Two")
    center.send(.changePlaybackPosition(1.5))
    #expect(player.currentTime.seconds == 1.5)
    center.send(.togglePlayPause)
    #expect(!player.isPlaying && center.info?.playbackRate == 0)
    center.send(.changePlaybackRate(2))
    center.send(.play)
    #expect(player.isPlaying && center.info?.playbackRate == 2)
    center.send(.previousTrack)
    #expect(player.trackIndex == 0)
    center.send(.pause)
    center.send(.stop)
    #expect(!center.isSetUp && center.info == nil && player.status == .stopped)
    center.send(.play)
    #expect(!player.isPlaying)
  }

  @Test("in the delay between two tracks the toggle of a remote control pauses")
  func toggleInDelay() {
    let clock = ManualClock()
    let center = NowPlayingInfoCenter()
    var options = AudioPlayerOptions()
    options.loopDelay = 4
    let player = AudioPlayer(options: options, clock: clock, loader: loader, nowPlaying: center)
    player.setPlaylist(tracks)
    player.play()
    clock.advance(by: 5)
    center.send(.togglePlayPause)
    #expect(player.status == .paused)
    clock.advance(by: 60)
    #expect(player.trackIndex == 0)
    center.send(.togglePlayPause)
    #expect(player.trackIndex == 1 && player.isPlaying)
  }

  @Test("seeks in seconds, NaN is ignored")
  func seeks() {
    let player = AudioPlayer(clock: ManualClock(), loader: loader)
    player.setPlaylist(tracks)
    player.seek(to: 2)
    player.seekForward(by: 0.5)
    player.seekBackward(by: 1)
    player.seek(to: .nan)
    #expect(player.currentTime.seconds == 1.5 && player.duration.seconds == 3)
  }

  @Test("a list loops for ever with its delay")
  func listLoop() {
    let clock = ManualClock()
    var options = AudioPlayerOptions()
    options.loopDelay = 1
    let player = AudioPlayer(options: options, clock: clock, loader: loader)
    player.setPlaylist(Array(tracks.prefix(2)))
    player.setLoopType(.list)
    player.play()
    clock.advance(by: 700 + 0.5)
    #expect(player.trackIndex == 0 && player.currentTime.seconds == 0.5)
  }
}
