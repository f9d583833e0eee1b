import ReelCore
import Testing

@testable import ReelPlayback

/// Contract §3: looping, speed, seek and queue in time.
@Suite struct ContractTimeTests {
  private func bench(loop: Bool = false) -> Bench {
    var bench = Bench(VideoSettings(name: "a", loop: loop, events: []))
    _ = bench.takeLog()
    return bench
  }

  @Test("item time is piecewise linear in host time, exact whatever the rates")
  func piecewiseLinear() throws {
    var bench = bench()
    var expected = Rational.zero
    for (second, rate) in [0.3, 1.75, 0.7, 2, 0.1].enumerated() {
      bench.run(.rate(Float(rate)), at: Rational(second))
      expected += try #require(Rational(exactly: Float(rate)))
      bench.advance(to: Rational(second + 1))
      #expect(bench.itemTime == expected)
    }
    #expect(!bench.itemTime.hasBeenRounded)
  }

  @Test("after a million loops there is no drift")
  func noDrift() {
    var bench = bench(loop: true)
    bench.run(.seek(to: t("1/3"), play: true), .rate(0.3), at: t("1/7"))
    let speed = Rational(5_033_165, 1 << 24)
    let start = t("1/7") + (10 - t("1/3")) / speed
    let million = start + Rational(1_000_000) * 10 / speed
    bench.withPlayer { $0.queue.tellsPasses = false }
    bench.advance(to: million)
    #expect(bench.itemTime == 0 && bench.evaluation.pass == 1_000_001)
    bench.advance(to: million + 1)
    #expect(bench.itemTime == speed && !bench.itemTime.hasBeenRounded)
  }

  @Test("a pass ends at the duration and the next begins at zero in the same instant")
  func passBoundary() {
    var bench = bench(loop: true)
    bench.advance(to: t("9.999"))
    #expect(bench.itemTime == t("9.999") && bench.evaluation.pass == 0)
    bench.advance(to: 10)
    #expect(bench.itemTime == 0 && bench.evaluation.pass == 1 && bench.status == .playing)
    bench.advance(to: t("10.25"))
    #expect(bench.itemTime == t("0.25"))
    let texts = bench.takeTexts()
    #expect(
      texts == [
        "didPlayToEnd of=0", "currentItemChanged newItem=1 source=\"a.mp4\"",
        "loopCountChanged loopCount=1",
      ])
  }

  @Test("no frame is lost or shown twice at the seam")
  func seam() {
    // 25 pictures a second, asked for at 25 Hz: 250 numbers, each once a pass.
    var bench = bench(loop: true)
    let numbers = (0..<750).map { tick in
      bench.advance(to: Rational(tick, 25))
      return Int((bench.itemTime * 25).floor)
    }
    let pass = Array(0..<250)
    #expect(numbers == pass + pass + pass)
  }

  @Test("an item that ends pauses on its last frame, tells paused and then didPlayToEnd")
  func itemEnd() {
    var bench = bench()
    bench.advance(to: 11)
    #expect(bench.itemTime == 10 && bench.status == .paused && bench.evaluation.side == .before)
    let log = bench.takeLog()
    #expect(log.map { "\($0.what)" } == ["rateChanged rate=0.0", "paused", "didPlayToEnd of=0"])
    #expect(log.allSatisfy { $0.host == 10 && $0.itemTime == 10 })
  }

  @Test("in a queue an end leads to the next item, and after the last one the item is removed")
  func queueEnd() {
    var timeline = Timeline(inputs: [
      .init(source: "x", duration: MediaTime(value: 3, timescale: 1)),
      .init(source: "y", duration: MediaTime(value: 2, timescale: 1)),
    ])
    _ = timeline.takeLog()
    let second = timeline.evaluate(at: t("3.5"))
    #expect(second.asset?.rawValue == 1 && second.itemTime == t("0.5"))
    let after = timeline.evaluate(at: 6)
    #expect(after.asset == nil && after.item == nil)
    let events = timeline.takeLog().compactMap { entry -> String? in
      if case .event(let event) = entry.what { return "\(entry.host) \(event.name)" }
      return nil
    }
    #expect(
      events == ["3 currentItemChanged", "5 currentItemRemoved", "5 waitingToPlayAtSpecifiedRate"])
  }

  @Test("a player in AVFoundation's own mode stays at the end when it is told to play")
  func staysAtTheEnd() {
    var bench = bench()
    bench.withPlayer { $0.withQueue(at: 0) { $0.setPlaysAgainAtEnd(false, at: 0) } }
    bench.advance(to: 11)
    _ = bench.takeLog()
    bench.run(.play, at: 12)
    #expect(bench.itemTime == 10 && bench.status == .paused && bench.takeLog().isEmpty)
    bench.run(.rate(-1), at: 13)
    bench.advance(to: 14)
    #expect(bench.itemTime == 9)
  }

  @Test("play at the end starts again from zero with the transport's button")
  func playsAgain() {
    var bench = bench()
    bench.advance(to: 11)
    bench.run(.play, at: 12)
    bench.advance(to: 13)
    #expect(bench.itemTime == 1)
  }

  @Test("the engine takes any finite rate", arguments: [0.01, 2.5, 17, 100, 1e6] as [Float])
  func anyRate(rate: Float) throws {
    var bench = bench(loop: true)
    bench.run(.rate(rate), at: 0)
    let host = t("0.01")
    bench.advance(to: host)
    let way = host * (try #require(Rational(exactly: rate)))
    #expect(bench.itemTime == way - Rational((way / 10).floor, 1) * 10)
    bench.run(.rate(.nan), .rate(.infinity), at: host)
    #expect(bench.player.queue.rate == rate)
  }

  @Test("a rate that ends a pass every nanosecond costs no more than one that does not")
  func hugeRates() {
    var bench = bench(loop: true)
    bench.run(.rate(.greatestFiniteMagnitude), at: 0)
    bench.advance(to: 1_000_000)
    #expect(bench.takeLog().count < 10)
    #expect(bench.itemTime >= 0 && bench.itemTime <= 10)
    bench.run(.unloop, at: 1_000_001)
    bench.advance(to: 1_000_002)
    #expect(bench.status == .paused)
  }

  @Test("backwards playback stops at zero and tells the end")
  func backwards() {
    var bench = bench()
    bench.run(.rate(-2), at: 6)
    bench.advance(to: 8)
    #expect(bench.itemTime == 2 && bench.evaluation.rate == -2)
    _ = bench.takeLog()
    bench.advance(to: 20)
    #expect(bench.itemTime == 0 && bench.status == .paused)
    let log = bench.takeLog()
    #expect(log.map { "\($0.what)" } == ["rateChanged rate=0.0", "paused", "didPlayToEnd of=0"])
    #expect(log.first?.host == 9)
  }

  @Test("backwards playback wraps when looping")
  func backwardsLoop() {
    var bench = bench(loop: true)
    bench.run(.rate(-1), at: 4)
    bench.advance(to: 8)
    #expect(bench.itemTime == 10 && bench.evaluation.pass == 1 && bench.evaluation.side == .before)
    bench.advance(to: 9)
    #expect(bench.itemTime == 9)
    bench.advance(to: 28)
    #expect(bench.itemTime == 10 && bench.evaluation.pass == 3)
  }

  @Test("a change of direction turns round where it is")
  func turnRound() {
    var bench = bench(loop: true)
    bench.run(.rate(-1), at: 4)
    bench.run(.rate(1), at: 6)
    bench.advance(to: 7)
    #expect(bench.itemTime == 3 && bench.evaluation.pass == 0)
  }

  @Test("loopDelay holds the last frame between passes")
  func loopDelay() {
    var bench = bench()
    bench.run(.loopDelay(t("1.5")), .loop(passes: nil), at: 0)
    bench.advance(to: 11)
    #expect(bench.itemTime == 10 && bench.evaluation.pass == 0 && bench.evaluation.rate == 0)
    #expect(bench.status == .playing && bench.evaluation.side == .before)
    bench.advance(to: t("11.5"))
    #expect(bench.itemTime == 0 && bench.evaluation.pass == 1)
    bench.advance(to: 24)
    #expect(bench.itemTime == 1 && bench.evaluation.pass == 2)
    #expect(!bench.takeTexts().contains { $0.hasPrefix("paused") || $0.hasPrefix("playing") })
  }

  @Test("pause in a delay holds the frame; play begins the next pass")
  func pauseInDelay() {
    var bench = bench()
    bench.run(.loopDelay(2), .loop(passes: nil), at: 0)
    bench.run(.pause, at: 11)
    bench.advance(to: 30)
    #expect(bench.itemTime == 10 && bench.evaluation.pass == 0)
    _ = bench.takeLog()
    bench.run(.play, at: 30)
    #expect(bench.itemTime == 0 && bench.evaluation.pass == 1)
    #expect(bench.takeTexts().filter { $0.hasPrefix("didPlayToEnd") }.isEmpty)
    bench.advance(to: 31)
    #expect(bench.itemTime == 1)
  }

  @Test("a rate change in a delay keeps the delay's end")
  func rateChangeInDelay() {
    var bench = bench()
    bench.run(.loopDelay(2), .loop(passes: nil), at: 0)
    bench.run(.rate(2), at: 11)
    bench.advance(to: t("11.9"))
    #expect(bench.itemTime == 10 && bench.evaluation.pass == 0)
    bench.advance(to: 13)
    #expect(bench.itemTime == 2 && bench.evaluation.pass == 1)
    let starts = bench.takeLog().filter { $0.what == .queue(.loopCountChanged(1)) }
    #expect(starts.map(\.host) == [12])
    // Four seconds of the pass are left, two of the delay.
    bench.advance(to: 19)
    #expect(bench.itemTime == 0 && bench.evaluation.pass == 2)
  }

  @Test("unloop in a delay stops at once")
  func unloopInDelay() {
    var bench = bench()
    bench.run(.loopDelay(2), .loop(passes: nil), at: 0)
    bench.advance(to: 11)
    _ = bench.takeLog()
    bench.run(.unloop, at: 11)
    #expect(bench.status == .paused && bench.itemTime == 10)
    #expect(bench.takeEvents() == [.paused])
  }

  @Test(
    "a seek to the end of a pass is there, then the pass ends, then the next one begins",
    arguments: [1, -1] as [Float])
  func seekToTheEndOfAPass(rate: Float) {
    var bench = bench(loop: true)
    bench.run(.rate(rate), at: 3)
    bench.withPlayer { player in
      player.withQueue(at: 3) { queue in
        queue.seek(
          to: rate < 0 ? 0 : 10, tolerance: .zero, id: SeekID(rawValue: 99), at: 3)
      }
    }
    let log = bench.takeLog().drop { !"\($0.what)".hasPrefix("timeJumped") }
    #expect(
      log.map { "\($0.pass) \($0.itemTime) \($0.what)" } == [
        "0 \(rate < 0 ? 0 : 10) timeJumped of=0",
        "0 \(rate < 0 ? 0 : 10) seekFinished seek=99 finished=true",
        "0 \(rate < 0 ? 0 : 10) didPlayToEnd of=0",
        "1 \(rate < 0 ? 10 : 0) currentItemChanged newItem=1 source=\"a.mp4\"",
        "1 \(rate < 0 ? 10 : 0) loopCountChanged loopCount=1",
      ])
  }

  @Test("unloop while paused in a delay ends the loop there; play starts from zero")
  func unloopWhilePausedInDelay() {
    var bench = bench()
    bench.run(.loopDelay(2), .loop(passes: nil), at: 0)
    bench.run(.pause, at: 11)
    bench.run(.unloop, at: 12)
    #expect(bench.player.queue.looper == nil && bench.itemTime == 10)
    _ = bench.takeLog()
    bench.run(.play, at: 13)
    bench.advance(to: 30)
    #expect(bench.itemTime == 10 && bench.status == .paused && bench.evaluation.pass == 0)
    #expect(bench.takeTexts().filter { $0.hasPrefix("didPlayToEnd") }.count == 1)
  }

  @Test(
    "next in a loop goes to the next pass whether it plays, waits or is paused",
    arguments: ["playing", "paused", "backwards", "stalled", "between passes"])
  func nextInLoop(state: String) {
    var bench = bench(loop: true)
    bench.advance(to: 4)
    switch state {
    case "paused": bench.run(.pause, at: 4)
    case "backwards": bench.run(.rate(-1), at: 4)
    case "stalled":
      bench.withPlayer { player in
        guard let item = player.queue.currentItem else { return }
        player.setBuffer(ItemBuffer(isPlaybackLikelyToKeepUp: false), of: item.id, at: 4)
      }
    case "between passes":
      bench.run(.loopDelay(3), at: 4)
      bench.advance(to: 11)
    default: break
    }
    let now = bench.player.now
    let first = bench.player.queue.currentItem?.id
    _ = bench.takeLog()
    bench.run(.next, at: now)
    #expect(bench.evaluation.pass == 1 && bench.player.queue.loopCount == 1)
    #expect(bench.itemTime == (state == "backwards" ? 10 : 0))
    #expect(bench.player.queue.currentItem?.id != first)
    let texts = bench.takeTexts()
    #expect(texts.filter { $0.hasPrefix("currentItemChanged") }.count == 1)
    #expect(texts.filter { $0.hasPrefix("loopCountChanged") }.count == 1)
  }

  @Test("next behind the last pass of a loop goes to the next item, or empties the queue")
  func nextInLastPass() {
    for isPaused in [false, true] {
      var bench = bench()
      bench.run(.loop(passes: 2), at: 0)
      bench.advance(to: 12)
      if isPaused { bench.run(.pause, at: 12) }
      bench.run(.next, at: 13)
      #expect(bench.player.queue.currentItem == nil && bench.player.queue.looper == nil)
      #expect(bench.takeTexts().filter { $0.hasPrefix("didPlayToEnd") }.count == 1)
    }
  }

  @Test("seek in a delay ends it")
  func seekInDelay() {
    var bench = bench()
    bench.run(.loopDelay(2), .loop(passes: nil), at: 0)
    bench.run(.seek(to: 5, play: true), at: 11)
    bench.advance(to: 12)
    #expect(bench.itemTime == 6 && bench.evaluation.pass == 0)
  }

  @Test("a loop of N passes ends after them")
  func passLimit() {
    var bench = bench()
    bench.run(.loop(passes: 3), at: 0)
    bench.advance(to: 29)
    #expect(bench.evaluation.pass == 2 && bench.status == .playing)
    bench.advance(to: 31)
    #expect(bench.evaluation.pass == 2 && bench.status == .paused && bench.itemTime == 10)
    #expect(bench.takeTexts().filter { $0.hasPrefix("didPlayToEnd") }.count == 3)
  }

  @Test("pause, seek, rate change and loop at the same instant apply in the order given")
  func sameInstant() {
    var one = bench()
    one.run(.pause, .seek(to: 4, play: true), .rate(2), .loop(passes: nil), at: 1)
    #expect(one.status == .playing && one.itemTime == 4 && one.player.queue.rate == 2)
    var other = bench()
    other.run(.loop(passes: nil), .rate(2), .seek(to: 4, play: true), .pause, at: 1)
    #expect(other.status == .paused && other.itemTime == 4)
  }

  @Test("what is due at an instant happens before the commands of that instant")
  func dueBeforeCommands() {
    var bench = bench(loop: true)
    bench.run(.unloop, at: 10)
    // The pass that ended at 10 has already begun again: it is the last.
    bench.advance(to: 25)
    #expect(bench.evaluation.pass == 1 && bench.status == .paused)
    var paused = Bench(VideoSettings(name: "a", events: []))
    _ = paused.takeLog()
    paused.run(.pause, at: 10)
    #expect(paused.takeTexts().last == "didPlayToEnd of=0")
  }

  @Test("host times do not run backwards: an earlier one counts as now")
  func noBackwards() {
    var bench = bench()
    bench.advance(to: 5)
    bench.run(.pause, at: 2)
    #expect(bench.player.now == 5 && bench.itemTime == 5)
  }
}
