import ReelCore
import Testing

@testable import ReelPlayback

/// Contract §7, row by row.
@Suite struct ContractTransportTests {
  private func bench(_ settings: VideoSettings = VideoSettings(name: "a")) -> (
    Bench, TransportModel
  ) {
    let bench = Bench(settings)
    var model = TransportModel()
    model.update(from: bench.player.queue)
    return (bench, model)
  }

  private func run(_ commands: [PlayerCommand], _ bench: inout Bench, _ model: inout TransportModel)
  {
    bench.withPlayer { $0.execute(commands, at: $0.now) }
    model.update(from: bench.player.queue)
  }

  @Test("states: playing, paused, loading, error with its text")
  func states() {
    var (bench, model) = bench()
    #expect(model.state == .playing)
    run([.pause], &bench, &model)
    #expect(model.state == .paused)
    var failed = TransportModel()
    failed.update(from: Bench(VideoSettings(name: "missing")).player.queue)
    #expect(failed.state == .error("source not found: missing.mp4"))
    var loading = Bench()
    loading.answersLoads = false
    loading.apply(VideoSettings(name: "a"), at: 0)
    failed.update(from: loading.player.queue)
    #expect(failed.state == .loading)
    failed.update(from: QueueStateMachine())
    #expect(failed.state == .paused)
  }

  @Test("button: play, pause, or replay once finished")
  func button() {
    var (bench, model) = bench()
    #expect(model.button == .pause)
    run(model.pressButton(), &bench, &model)
    #expect(model.button == .play && bench.status == .paused)
    run(model.pressButton(), &bench, &model)
    bench.advance(to: 12)
    model.update(from: bench.player.queue)
    #expect(model.button == .replay && model.isFinished && model.state == .paused)
    run(model.pressButton(), &bench, &model)
    #expect(bench.itemTime == 0 && bench.status == .playing && model.button == .pause)
  }

  @Test("paused between two passes of a loop nothing is finished: the button plays on")
  func buttonBetweenPasses() {
    var (bench, model) = bench()
    bench.run(.loopDelay(3), .loop(passes: nil), at: 0)
    bench.run(.pause, at: 11)
    model.update(from: bench.player.queue)
    #expect(model.button == .play && !model.isFinished)
    run(model.pressButton(), &bench, &model)
    #expect(bench.evaluation.pass == 1 && model.button == .pause)
  }

  @Test("scrubbing to the very end plays again from zero when the finger is off")
  func scrubbingToTheEnd() {
    var (bench, model) = bench()
    run(model.scrubbingBegan(), &bench, &model)
    run(model.scrubbingMoved(to: 1), &bench, &model)
    #expect(bench.itemTime == 10 && model.slider == 1)
    run(model.scrubbingEnded(), &bench, &model)
    #expect(bench.status == .playing && bench.itemTime == 0 && !model.isFinished)
  }

  @Test("slider: the place in the item, 0…1")
  func slider() {
    var (bench, model) = bench()
    #expect(model.slider == 0)
    bench.advance(to: t("2.5"))
    model.update(from: bench.player.queue)
    #expect(model.slider == 0.25)
    bench.advance(to: 20)
    model.update(from: bench.player.queue)
    #expect(model.slider == 1)
  }

  @Test("scrubbing: began pauses, moved seeks exactly, ended plays and is not finished any more")
  func scrubbing() {
    var (bench, model) = bench()
    bench.advance(to: 12)
    model.update(from: bench.player.queue)
    #expect(model.isFinished)
    #expect(model.scrubbingBegan() == [.pause])
    let moved = model.scrubbingMoved(to: 0.3)
    #expect(moved == [.seek(to: 3, play: false)])
    run(moved, &bench, &model)
    #expect(bench.itemTime == 3 && bench.status == .paused && model.slider == 0.3)
    #expect(model.scrubbingMoved(to: 7) == [.seek(to: 10, play: false)])
    #expect(model.scrubbingMoved(to: -1) == [.seek(to: 0, play: false)])
    #expect(model.scrubbingMoved(to: .nan) == [])
    let ended = model.scrubbingEnded()
    #expect(ended == [.play] && !model.isFinished)
    run(ended, &bench, &model)
    #expect(bench.status == .playing && model.button == .pause)
    #expect(model.scrubbingMoved(to: 0.5) == [] && model.scrubbingEnded() == [])
  }

  @Test(
    "label of what is left: mm:ss, from an hour up h:mm:ss, nothing when unknown",
    arguments: [
      (0, "00:00"), (5.9, "00:05"), (65, "01:05"), (3599.99, "59:59"), (3600, "1:00:00"),
      (36_061, "10:01:01"), (-3, "00:00"), (.nan, nil), (.infinity, nil), (1e300, nil),
    ] as [(Double, String?)])
  func remainingLabel(seconds: Double, text: String?) {
    #expect(TimeText.remaining(seconds) == text)
  }

  @Test(
    "label of the duration: m:ss, nothing when unknown",
    arguments: [
      (0, "0:00"), (65, "1:05"), (3700, "61:40"), (.nan, nil), (-.infinity, nil),
    ] as [(Double, String?)])
  func durationLabel(seconds: Double, text: String?) {
    #expect(TimeText.duration(seconds) == text)
    #expect(TimeText.duration(MediaTime.indefinite) == nil)
    #expect(TimeText.remaining(MediaTime.invalid) == nil)
  }

  @Test("labels follow the player")
  func labels() {
    var (bench, model) = bench()
    bench.advance(to: t("3.25"))
    model.update(from: bench.player.queue)
    #expect(model.remainingLabel == "00:06" && model.durationLabel == "0:10")
    model.update(from: QueueStateMachine())
    #expect(model.remainingLabel == nil && model.durationLabel == nil)
  }

  @Test("controls do nothing while the duration is unknown")
  func controlsDisabled() {
    var bench = Bench()
    bench.answersLoads = false
    bench.apply(VideoSettings(name: "a"), at: 0)
    var model = TransportModel()
    model.update(from: bench.player.queue)
    #expect(!model.areControlsEnabled)
    #expect(model.pressButton() == [] && model.scrubbingBegan() == [] && model.rewind() == [])
    #expect(model.fastForward() == [] && model.slider == 0)
    let (_, ready) = self.bench()
    #expect(ready.areControlsEnabled)
  }

  @Test("muting hides the volume control")
  func muting() {
    var (bench, model) = bench()
    #expect(!model.isVolumeControlHidden && model.toggleMute() == [.mute])
    run([.mute], &bench, &model)
    #expect(model.isVolumeControlHidden && model.toggleMute() == [.unmute])
  }

  @Test("buffer progress: end of the first loaded range over the duration, 0 when unknown")
  func bufferProgress() throws {
    var (bench, model) = bench()
    #expect(model.bufferProgress == 1)
    let item = try #require(bench.player.queue.currentItem)
    let loaded = MediaTimeRange(start: .zero, duration: MediaTime(value: 4, timescale: 1))
    bench.withPlayer { $0.setBuffer(ItemBuffer(loadedTimeRanges: [loaded]), of: item.id, at: 0) }
    model.update(from: bench.player.queue)
    #expect(model.bufferProgress == 0.4)
    bench.withPlayer { $0.setBuffer(ItemBuffer(loadedTimeRanges: []), of: item.id, at: 0) }
    model.update(from: bench.player.queue)
    #expect(model.bufferProgress == 0)
    model.update(from: QueueStateMachine())
    #expect(model.bufferProgress == 0)
  }

  @Test("the label's time observer has an interval of half a second")
  func observerInterval() {
    #expect(TransportModel.timeObserverInterval == t("0.5"))
  }

  @Test("rewind and fastForward step the rate by two between −2 and 2")
  func winding() {
    var (bench, model) = bench()
    bench.run(.seek(to: 5, play: true), at: 0)
    run(model.rewind(), &bench, &model)
    #expect(bench.player.queue.rate == -1)
    run(model.rewind(), &bench, &model)
    #expect(bench.player.queue.rate == -2)
    run(model.rewind(), &bench, &model)
    #expect(bench.player.queue.rate == -2)
    run(model.fastForward(), &bench, &model)
    #expect(bench.player.queue.rate == 0)
    run(model.fastForward(), &bench, &model)
    run(model.fastForward(), &bench, &model)
    #expect(bench.player.queue.rate == 2)
  }
}
