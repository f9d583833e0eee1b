import ClipScreen
import ReelKit
import Testing

@Suite struct ClipScreenTests {
  private let clock = ManualClock()
  private let player: LoopPlayer
  private let screen: ClipScreen

  init() {
    // Ten seconds that need no file. Nothing here waits: time moves when the clock is moved.
    player = LoopPlayer(clock: clock, loader: FixedSourceLoader(durations: ["trailer": 10]))
    screen = ClipScreen(player: player, opening: 1..<4)
  }

  @Test("the label counts down and begins again with each pass")
  func label() {
    screen.show("trailer")
    #expect(screen.timeLabel == "00:10")
    clock.advance(by: 7.5)
    #expect(screen.timeLabel == "00:02")
    clock.advance(by: 3600)
    #expect(screen.passes == 360 && screen.timeLabel == "00:02")
  }

  @Test("skipping is offered during the opening only, and leads behind it")
  func skip() {
    screen.show("trailer")
    #expect(screen.banner == .none)
    clock.advance(by: 1)
    #expect(screen.banner == .skipOpening)
    screen.tapSkip()
    #expect(player.currentTime.seconds == 4 && screen.banner == .none)
    screen.tapSkip()
    #expect(player.currentTime.seconds == 4)
  }

  @Test("the button pauses and plays on where it stood")
  func button() {
    screen.show("trailer")
    clock.advance(by: 2)
    screen.tapPlayButton()
    clock.advance(by: 60)
    #expect(screen.button == .play && player.currentTime.seconds == 2)
    screen.tapPlayButton()
    clock.advance(by: 1)
    #expect(screen.button == .pause && player.currentTime.seconds == 3)
  }

  @Test("a clip that is missing is told as such, at once")
  func missing() {
    screen.show("none")
    #expect(screen.banner == .problem("source not found: none.mp4"))
  }

  @Test("the events of a second come together")
  func events() {
    let kinds = EventList()
    player.onEvents { kinds.add($0) }
    screen.show("trailer", isSilent: true)
    clock.advance(by: 1)
    #expect(
      kinds.texts == [
        "ItemChanged", "Status: Unknown", "Waiting", "Status: ReadyToPlay", "Duration 10 sec",
        "Playing",
      ])
  }

  @Test("a scenario shows the same on every machine")
  func scenario() throws {
    let script = try Script(
      parsing: """
        0    loop
        2    speed 0.5
        5    seek 9 play
        """)
    var timeline = Timeline(
      inputs: [.init(source: "trailer", duration: MediaTime(value: 10, timescale: 1))],
      script: script)
    let shown = timeline.evaluate(at: 8)
    // From 9 on at the default rate: one second to the end, two of the next pass.
    #expect(shown.itemTime == 2 && shown.pass == 1 && shown.rate == 1)
  }
}
