import Foundation
import ReelKit
import ReelTestSupport
import Synchronization
import Testing

/// What closures were called with, from any thread.
final class Recorder<Value: Sendable>: Sendable {
  private let state = Mutex<[Value]>([])
  func add(_ value: Value) { state.withLock { $0.append(value) } }
  var values: [Value] { state.withLock { $0 } }
}

/// A loader that is a closure.
struct Loader: SourceLoader {
  let outcome: @Sendable (SourceReference) -> Result<LoadedSource, VPErrors>
  func load(_ source: SourceReference) throws(VPErrors) -> LoadedSource {
    try outcome(source).get()
  }
}

@Suite struct LoopPlayerTests {
  private let loader = FixedSourceLoader(durations: ["a": 10, "b": 4])

  private func player(
    _ clock: ManualClock, @SettingsBuilder _ settings: () -> [any Setting]
  ) -> LoopPlayer {
    LoopPlayer(
      settings: VideoSettings(builder: settings), clock: clock, loader: loader,
      bounds: Rect(x: 0, y: 0, width: 100, height: 50))
  }

  @Test("a player plays when its clock is moved, and only then")
  func followsTheClock() {
    let clock = ManualClock()
    let player = player(clock) {
      SourceName("a")
      Loop()
    }
    #expect(player.timeControlStatus == .playing && player.currentTime == .zero)
    clock.advance(by: 12.5)
    #expect(player.currentTime == MediaTime(value: 5, timescale: 2))
    #expect(player.evaluation.pass == 1 && player.duration == MediaTime(value: 10, timescale: 1))
    #expect(player.isLooping)
  }

  @Test("who hears that an item is ready finds its container, which is opened once")
  func containerOfTheItem() throws {
    let opened = Recorder<String>()
    let files = FileSourceLoader(folders: [Places.testVector("clips").path])
    let player = LoopPlayer(
      clock: ManualClock(),
      loader: Loader { source in
        opened.add(source.name)
        do throws(VPErrors) {
          return .success(try files.load(source))
        } catch {
          return .failure(error)
        }
      })
    let found = Recorder<Bool>()
    _ = player.onLog { [weak player] _ in
      if player?.currentItem?.status == .readyToPlay { found.add(player?.currentAsset != nil) }
    }
    #expect(player.currentAsset == nil)
    player.apply(VideoSettings(fileName: "demo"))
    #expect(!found.values.isEmpty && found.values.allSatisfy { $0 })
    #expect(player.currentAsset?.tracks.isEmpty == false)
    #expect(opened.values == ["demo"])
  }

  @Test("a command equal to the one before it is ignored unless idle stands between them")
  func equalCommandIsIgnored() {
    let clock = ManualClock()
    let player = player(clock) { SourceName("a") }
    player.send(.seek(to: 3))
    clock.advance(by: 1)
    player.send(.seek(to: 3))
    #expect(player.currentTime == MediaTime(value: 4, timescale: 1))
    player.send(.idle)
    player.send(.seek(to: 3))
    #expect(player.currentTime == MediaTime(value: 3, timescale: 1))
    player.execute(.seek(to: 5, play: true), .seek(to: 5, play: true))
    #expect(player.currentTime == MediaTime(value: 5, timescale: 1))
  }

  @Test("overlays with the same id are the same command")
  func equalOverlays() {
    let player = player(ManualClock()) {
      SourceName("a")
      EnableVector()
    }
    player.send(.addVector(Corner(id: UUID(uuid: UUID_NULL), side: 10)))
    player.send(.addVector(Corner(id: UUID(uuid: UUID_NULL), side: 20)))
    #expect(player.evaluation.presentation.vectors.count == 1)
    player.send([.idle, .addVector(Corner(id: UUID(uuid: UUID_NULL), side: 20))])
    #expect(player.evaluation.presentation.vectors.count == 2)
  }

  @Test("several commands at one instant run in order")
  func commandsAtOneInstant() {
    let clock = ManualClock()
    let player = player(clock) { SourceName("a") }
    player.send([.pause, .seek(to: 7), .playbackSpeed(2), .loop])
    clock.advance(by: 2)
    #expect(player.currentTime == MediaTime(value: 1, timescale: 1) && player.rate == 2)
  }

  @Test("a seek to NaN changes nothing and is noted; infinities are the ends")
  func seekToNaN() {
    let clock = ManualClock()
    let player = player(clock) { SourceName("a") }
    let notes = Recorder<String>()
    player.onLog { if case .diagnostic(let text) = $0.what { notes.add(text) } }
    clock.advance(by: 2)
    player.send(.seek(to: .nan))
    #expect(player.currentTime == MediaTime(value: 2, timescale: 1) && notes.values.count == 1)
    player.send(.seek(to: .infinity, play: false))
    #expect(player.currentTime == MediaTime(value: 10, timescale: 1))
    player.send(.seek(to: -.infinity, play: false))
    #expect(player.currentTime == .zero)
  }

  @Test("events come as one batch a second, to closures and streams")
  func eventBatches() async {
    let clock = ManualClock()
    let player = player(clock) {
      SourceName("a")
      Events([.playing, .paused])
    }
    let batches = Recorder<EventBatch>()
    player.onEvents { batches.add($0) }
    let stream = player.events
    clock.advance(by: 1.5)
    player.send(.pause)
    #expect(batches.values.map { $0.events.map(\.event) } == [[.playing]])
    clock.advance(by: 1.0)
    #expect(batches.values.last?.events == [TimedEvent(host: Rational(3, 2), event: .paused)])
    #expect(batches.values.last?.host == 2)
    var read: [EventBatch] = []
    for await batch in stream {
      read.append(batch)
      if read.count == 2 { break }
    }
    #expect(read == batches.values)
  }

  @Test("a subscription that is cancelled is not called any more, even from within a call")
  func cancelSubscription() {
    let clock = ManualClock()
    let player = player(clock) { SourceName("a") }
    let calls = Recorder<Int>()
    let second = Mutex<Subscription?>(nil)
    player.onLog { _ in
      calls.add(1)
      second.withLock { $0 }?.cancel()
    }
    second.withLock { $0 = player.onLog { _ in calls.add(2) } }
    player.send(.pause)
    #expect(!calls.values.isEmpty && !calls.values.contains(2))
  }

  @Test("the time is published at its interval and on jumps, starts and stops")
  func timePublishing() {
    let clock = ManualClock()
    let player = player(clock) {
      SourceName("a")
      TimePublishing(MediaTime(value: 1, timescale: 2))
    }
    let times = Recorder<LoopPlayer.PublishedTime>()
    player.onTime { times.add($0) }
    clock.advance(by: 1.25)
    player.send(.seek(to: 5))
    clock.advance(by: 0.75)
    #expect(times.values.map(\.host) == [Rational(1, 2), 1, Rational(5, 4), Rational(7, 4)])
    #expect(times.values.map(\.time.seconds) == [0.5, 1, 5, 5.5])
  }

  @Test("observers are called at their times; after removal no more")
  func observers() throws {
    let clock = ManualClock()
    let player = player(clock) { SourceName("a") }
    let times = Recorder<Double>()
    let periodic = try player.addPeriodicTimeObserver(
      forInterval: MediaTime(value: 1, timescale: 1)
    ) {
      times.add($0.seconds)
    }
    let boundary = try player.addBoundaryTimeObserver(forTimes: [MediaTime(value: 3, timescale: 2)])
    {
      times.add(-$0.seconds)
    }
    clock.advance(by: 2)
    #expect(times.values == [1, -1.5, 2])
    player.removeTimeObserver(periodic)
    player.removeTimeObserver(boundary)
    player.send(.begin)
    clock.advance(by: 5)
    #expect(times.values == [1, -1.5, 2])
    #expect(throws: MediaError.self) {
      try player.addPeriodicTimeObserver(forInterval: .zero) { _ in }
    }
  }

  @Test("a closure may call the player; what comes of it is told after")
  func closuresMayCall() {
    let clock = ManualClock()
    let player = player(clock) { SourceName("b") }
    let log = Recorder<String>()
    player.onLog { [weak player] entry in
      log.add("\(entry.host) \(entry.what)")
      if case .queue(.didPlayToEnd) = entry.what { player?.send([.idle, .play]) }
    }
    clock.advance(by: 9)
    #expect(player.currentTime == MediaTime(value: 1, timescale: 1))
    #expect(
      log.values.filter { $0.contains("didPlayToEnd") } == [
        "4 didPlayToEnd of=0", "8 didPlayToEnd of=0",
      ])
  }

  @Test("overlays are built again for new bounds")
  func overlaysAndBounds() {
    let player = player(ManualClock()) {
      SourceName("a")
      EnableVector()
    }
    player.send(.addVector(Corner(id: UUID(), side: 10)))
    func corner() -> PathElement? {
      player.evaluation.presentation.vectors.first?.shapes.first?.path.first
    }
    #expect(corner() == .move(Point(x: 90, y: 0)))
    player.setBounds(Rect(x: 0, y: 0, width: 300, height: 50))
    #expect(corner() == .move(Point(x: 290, y: 0)))
    player.send(.removeAllVectors)
    #expect(player.evaluation.presentation.vectors.isEmpty)
  }

  @Test("a source that does not exist ends in failed with its reason")
  func missingSource() {
    let clock = ManualClock()
    for (name, error) in [
      ("nothing", VPErrors.sourceNotFound("nothing.mp4")),
      ("https://example.org/gone.mp4", .remoteVideoError("404: https://example.org/gone.mp4")),
    ] {
      let player = player(clock) { SourceName(name) }
      #expect(player.currentItem?.status == .failed)
      #expect(player.error == error && player.timeControlStatus == .paused)
    }
  }

  @Test("real files: missing, broken and remote ones fail with a reason each")
  func fileLoader() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("reel-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data("not a film".utf8).write(to: folder.appendingPathComponent("bad name.mp4"))
    let files = FileSourceLoader(folders: [folder.path])
    func failure(_ name: String) -> VPErrors? {
      do {
        _ = try files.load(SourceReference(name: name))
        return nil
      } catch {
        return error
      }
    }
    #expect(failure("none") == .sourceNotFound("none.mp4"))
    #expect(failure("file:///nonexistent/x.mp4") == .sourceNotFound("file:///nonexistent/x.mp4"))
    guard case .failedToLoad(let reason) = failure("bad name") else {
      Issue.record("a broken file was opened")
      return
    }
    #expect(reason.contains("format"))
    let address = "file://" + folder.path + "/bad%20name.mp4"
    #expect(failure(address) == .failedToLoad(reason))
    guard case .remoteVideoError = failure("https://example.org/a.mp4") else {
      Issue.record("a remote source without a loader")
      return
    }
  }

  @Test("a saved player goes on as the one it was saved from")
  func saveAndRestore() throws {
    let clock = ManualClock()
    let player = player(clock) {
      SourceName("a")
      Loop()
      TimePublishing()
      Events()
    }
    clock.advance(by: 3.3)
    player.send([.playbackSpeed(0.3), .filter(FilterDescription("CISepiaTone"))])
    clock.advance(by: 1)
    let saved = try JSONEncoder().encode(player.state)
    let other = ManualClock()
    other.advance(to: clock.now)
    let restored = LoopPlayer(
      restoring: try JSONDecoder().decode(PlayerStateMachine.self, from: saved), clock: other,
      loader: loader)
    let (first, second) = (Recorder<String>(), Recorder<String>())
    player.onLog { first.add($0.json) }
    restored.onLog { second.add($0.json) }
    for moved in [clock, other] { moved.advance(by: 100) }
    #expect(first.values == second.values && first.values.count > 20)
    #expect(player.evaluation == restored.evaluation)
  }

  @Test("a player that was saved while loading asks for its source again")
  func restoreWhileLoading() {
    var machine = PlayerStateMachine()
    machine.apply(VideoSettings(name: "a"), at: 0)
    _ = machine.takeActions()
    let player = LoopPlayer(restoring: machine, clock: ManualClock(), loader: loader)
    #expect(player.currentItem?.status == .readyToPlay && player.timeControlStatus == .playing)
  }

  @Test("the short form plays a file by its name")
  func shortForm() {
    let player = LoopPlayer(
      fileName: "a", gravity: .resize, command: .seek(to: 2, play: false), clock: ManualClock(),
      loader: loader)
    #expect(player.currentTime == MediaTime(value: 2, timescale: 1))
    #expect(player.evaluation.presentation.gravity == .resize)
  }

  @Test("two players of one clock run in step, whichever was made first")
  func twoPlayers() {
    let clock = ManualClock()
    let one = player(clock) {
      SourceName("a")
      Loop()
    }
    let two = player(clock) {
      SourceName("b")
      Loop()
    }
    clock.advance(by: 42)
    #expect(one.currentTime.seconds == 2 && two.currentTime.seconds == 2)
  }

  @Test("a player that nobody holds is let go")
  func letGo() {
    let clock = ManualClock()
    weak var player: LoopPlayer?
    do {
      let strong = self.player(clock) {
        SourceName("a")
        Loop()
        Events()
      }
      player = strong
      strong.onLog { _ in }
    }
    #expect(player == nil)
    clock.advance(by: 100)
  }

  @Test("under a host clock the same machine runs in real time", .timeLimit(.minutes(1)))
  func hostClock() async throws {
    let player = LoopPlayer(
      settings: VideoSettings(name: "short", loop: true, events: []), clock: HostClock(),
      loader: FixedSourceLoader(durations: ["short": 0.05]))
    var passes = 0
    for await batch in player.events {
      passes +=
        batch.events.filter {
          if case .currentItemChanged = $0.event { true } else { false }
        }.count
      if passes > 5 { break }
    }
    #expect(player.timeControlStatus == .playing)
    #expect(player.state.now > Rational(1, 4))
  }

  private let UUID_NULL: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
}

/// A square at the top right; its id is a UUID, as application code has it.
private struct Corner: ShapeLayerBuilderProtocol {
  let id: UUID
  let side: Double
  func build(with geometry: (frame: Rect, bounds: Rect)) -> ShapeLayer {
    ShapeLayer(
      path: ShapeLayer.rectangle(
        Rect(x: geometry.bounds.size.width - side, y: 0, width: side, height: side)), fill: .white)
  }
}
