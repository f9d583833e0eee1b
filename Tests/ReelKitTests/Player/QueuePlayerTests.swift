import ReelKit
import Synchronization
import Testing

@Suite struct QueuePlayerTests {
  private let loader = FixedSourceLoader(durations: ["a": 10, "b": 4, "c": 2])

  private func player(_ clock: ManualClock, _ names: String...) -> QueuePlayer {
    QueuePlayer(
      items: names.map { SourceReference(name: $0) }, clock: clock, loader: loader)
  }

  @Test("items are loaded when they enter the queue and play one after the other")
  func plays() {
    let clock = ManualClock()
    let player = player(clock, "c", "b")
    #expect(player.items.map(\.status) == [.readyToPlay, .readyToPlay])
    player.play()
    clock.advance(by: 3)
    #expect(player.currentItem?.source == "b.mp4" && player.currentTime.seconds == 1)
    clock.advance(by: 10)
    #expect(player.currentItem == nil && player.reasonForWaitingToPlay == .noItemToPlay)
  }

  @Test("insert, remove, advance and replace keep the queue's rules")
  func queue() throws {
    let player = player(ManualClock(), "a", "b")
    let extra = player.makeItem("c")
    let first = try #require(player.currentItem)
    try player.insert(extra, after: first.id)
    #expect(player.items.map(\.source) == ["a.mp4", "c.mp4", "b.mp4"])
    #expect(throws: MediaError.self) { try player.insert(extra) }
    player.advanceToNextItem()
    #expect(player.currentItem?.id == extra.id && player.currentItem?.status == .readyToPlay)
    try player.replaceCurrentItem(with: player.currentItem)
    let other = player.makeItem("a")
    try player.replaceCurrentItem(with: other)
    #expect(player.items.map(\.source) == ["a.mp4", "b.mp4"])
    player.remove(other.id)
    player.removeAllItems()
    #expect(player.items.isEmpty)
  }

  @Test("a seek tells whether it got there; a newer one ends it at once")
  func seek() async {
    let clock = ManualClock()
    let player = player(clock, "a")
    let finished = Mutex<[Bool]>([])
    player.setSeekLatency(1)
    player.seek(to: MediaTime(value: 2, timescale: 1)) { done in
      finished.withLock { $0.append(done) }
    }
    player.seek(to: MediaTime(value: 5, timescale: 1)) { done in
      finished.withLock { $0.append(done) }
    }
    #expect(finished.withLock { $0 } == [false])
    clock.advance(by: 1)
    #expect(finished.withLock { $0 } == [false, true] && player.currentTime.seconds == 5)
    player.setSeekLatency(0)
    #expect(
      await player.seek(
        to: MediaTime(value: 7, timescale: 1), toleranceBefore: .zero, toleranceAfter: .zero))
    #expect(await !player.seek(to: MediaTime(value: 70, timescale: 1)))
    #expect(await !player.seek(to: .indefinite))
    #expect(await !player.seek(to: .zero, toleranceBefore: MediaTime(value: -1, timescale: 1)))
    #expect(player.currentTime.seconds == 7)
  }

  @Test("rate, default rate, action, volume and the like can be read and set")
  func properties() {
    let clock = ManualClock()
    let player = player(clock, "a")
    player.defaultRate = 2
    player.play()
    #expect(player.rate == 2 && player.timeControlStatus == .playing)
    player.rate = -1
    #expect(player.rate == -1)
    player.pause()
    player.actionAtItemEnd = .pause
    player.volume = 3
    player.isMuted = true
    player.automaticallyWaitsToMinimizeStalling = false
    #expect(player.actionAtItemEnd == .pause && player.volume == 1 && player.isMuted)
    #expect(!player.automaticallyWaitsToMinimizeStalling && player.defaultRate == 2)
  }

  @Test("observers and events are called in order")
  func observers() throws {
    let clock = ManualClock()
    let player = player(clock, "c")
    let calls = Recorder<String>()
    let periodic = try player.addPeriodicTimeObserver(
      forInterval: MediaTime(value: 1, timescale: 1)
    ) {
      calls.add("time \($0.seconds)")
    }
    _ = try player.addBoundaryTimeObserver(forTimes: [MediaTime(value: 3, timescale: 2)]) { _ in
      calls.add("boundary")
    }
    player.onEvent { event in
      if case .didPlayToEnd = event.kind { calls.add("end") }
    }
    player.play()
    clock.advance(by: 1.25)
    player.removeTimeObserver(periodic)
    clock.advance(by: 5)
    #expect(calls.values == ["time 0.0", "time 1.0", "boundary", "end"])
  }

  @Test("a looper plays copies of its template until it is disabled")
  func looper() throws {
    let clock = ManualClock()
    let player = QueuePlayer(clock: clock, loader: loader)
    player.actionAtItemEnd = .pause
    let template = player.makeItem("c")
    let looper = try PlayerLooper(player: player, templateItem: template)
    #expect(looper.status == .ready && looper.loopingPlayerItems.count == 3)
    player.play()
    clock.advance(by: 7)
    #expect(looper.loopCount == 3 && player.currentTime.seconds == 1)
    #expect(player.currentItem.map { looper.loopingPlayerItems.contains($0.id) } == true)
    #expect(throws: MediaError.self) { try PlayerLooper(player: player, templateItem: template) }
    looper.disableLooping()
    #expect(looper.status == .cancelled)
    clock.advance(by: 5)
    #expect(player.timeControlStatus == .paused && player.currentTime.seconds == 2)
    #expect(player.actionAtItemEnd == .pause && looper.loopCount == 3)
  }

  @Test("a looper of a source that does not exist fails with the reason")
  func failedLooper() throws {
    let player = QueuePlayer(clock: ManualClock(), loader: loader)
    let looper = try PlayerLooper(player: player, templateItem: player.makeItem("none"))
    #expect(looper.status == .failed && looper.error == .sourceNotFound("none.mp4"))
  }
}

@Suite struct TransportTests {
  @Test("a transport follows its player and tells it what is touched")
  func transport() {
    let clock = ManualClock()
    let player = LoopPlayer(
      settings: VideoSettings(name: "a"), clock: clock,
      loader: FixedSourceLoader(durations: ["a": 10]))
    let transport = Transport(player)
    #expect(transport.model.button == .pause && transport.model.durationLabel == "0:10")
    transport.pressButton()
    #expect(player.timeControlStatus == .paused)
    transport.scrubbingBegan()
    transport.scrubbingMoved(to: 0.4)
    #expect(player.currentTime.seconds == 4 && transport.model.remainingLabel == "00:06")
    transport.scrubbingEnded()
    clock.advance(by: 10)
    #expect(transport.model.button == .replay)
    transport.pressButton()
    #expect(player.currentTime == .zero && player.timeControlStatus == .playing)
    transport.fastForward()
    #expect(player.rate == 2)
    transport.rewind()
    transport.toggleMute()
    #expect(transport.model.isVolumeControlHidden && transport.model.state == .paused)
  }
}
