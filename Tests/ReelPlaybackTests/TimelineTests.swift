import ReelCore
import ReelTestSupport
import Testing

@testable import ReelPlayback

private let clip = Timeline.Input(
  source: "clip.mp4", duration: MediaTime(value: 352 * 1001, timescale: 30000))

@Suite struct TimelineTests {
  @Test("a pass ends at the duration and the next begins at zero in the same instant")
  func passesMeet() {
    var timeline = Timeline(inputs: [clip], initially: [.loop(passes: nil), .play])
    let duration = Rational(352 * 1001, 30000)
    let before = timeline.evaluate(at: duration - Rational(1001, 30000))
    #expect(before.pass == 0 && before.itemTime == Rational(351 * 1001, 30000))
    let seam = timeline.evaluate(at: duration)
    #expect(seam.pass == 1 && seam.itemTime == .zero)
  }

  @Test("the remainder of a tick is carried into the next pass")
  func remainderIsCarried() {
    var timeline = Timeline(
      inputs: [Timeline.Input(source: "a", duration: MediaTime(value: 5, timescale: 2))],
      initially: [.loop(passes: nil), .play])
    #expect(timeline.evaluate(at: Rational(3)).itemTime == Rational(1, 2))
    #expect(timeline.evaluate(at: Rational(100_003)).itemTime == Rational(100_003 * 2 % 5, 2))
  }

  @Test("10,000 passes do not drift", arguments: [1, 0.3, 1.75, -1] as [Float])
  func noDrift(rate: Float) throws {
    let duration = Rational(352 * 1001, 30000)
    let speed = try #require(Rational(exactly: rate))
    let length = duration / speed.magnitude
    var timeline = Timeline(
      inputs: [clip],
      initially: [
        .seek(to: rate < 0 ? duration : .zero, play: false), .loop(passes: nil), .rate(rate),
      ])
    for pass in stride(from: 0, through: 10_000, by: 1) {
      let at = Rational(pass) * length + Rational(1, 7)
      let shown = timeline.evaluate(at: at)
      #expect(shown.pass == pass)
      let expected = rate < 0 ? duration + Rational(1, 7) * speed : Rational(1, 7) * speed
      #expect(shown.itemTime == expected)
      #expect(!shown.itemTime.hasBeenRounded)
    }
    let log = timeline.takeLog()
    #expect(log.filter { $0.what == .queue(.loopCountChanged($0.pass)) }.count == 10_000)
  }

  @Test("N passes show N times the pictures of one", arguments: [1, 0.5, 1.75, -1] as [Float])
  func picturesOfPasses(rate: Float) {
    // 60 pictures at 30 Hz, asked for at 60 Hz.
    let frames = 60
    let input = Timeline.Input(
      source: "a", duration: MediaTime(value: Int64(frames), timescale: 30))
    let start: [PlayerCommand] = [
      .seek(to: rate < 0 ? Rational(2) : .zero, play: false), .loop(passes: nil), .rate(rate),
    ]
    var timeline = Timeline(inputs: [input], initially: start)
    func picture(_ evaluation: Evaluation) -> Int {
      let place = evaluation.itemTime * Rational(30)
      let index = Int(evaluation.side == .before ? place.ceiling - 1 : place.floor)
      return min(max(index, 0), frames - 1)
    }
    // 14 host seconds hold a whole number of passes at each of these rates.
    let passes = [1: 7, 0.5: 4, 1.75: 49, -1: 7][rate] ?? 0
    let ticksInPass = Int(
      (Rational(2) / (Rational(exactly: rate) ?? .one).magnitude * Rational(420)).floor)
    let shown = (0..<(ticksInPass * passes)).map { tick in
      picture(timeline.evaluate(at: Rational(tick, 420)))
    }
    let one = Array(shown[0..<ticksInPass])
    for pass in 0..<passes {
      #expect(Array(shown[pass * ticksInPass..<(pass + 1) * ticksInPass]) == one)
    }
    #expect(Set(one).count == frames)
  }

  @Test(
    "the pictures of 10,000 passes are 10,000 times those of one",
    arguments: [1, 0.3, 1.75, -1] as [Float])
  func picturesOfTenThousandPasses(rate: Float) throws {
    // Seven pictures of uneven lengths; each is asked for at its first instant and in its middle.
    let starts = [0, 1, 3, 4, 9, 10, 12, 13].map { Rational($0 * 1001, 30000) }
    let (pictures, duration) = (starts.count - 1, starts[starts.count - 1])
    let speed = try #require(Rational(exactly: rate))
    let input = Timeline.Input(source: "a", duration: MediaTime(duration))
    var timeline = Timeline(
      inputs: [input],
      initially: [
        .seek(to: rate < 0 ? duration : .zero, play: false), .loop(passes: nil), .rate(rate),
      ], tellsPasses: false)
    func picture(_ shown: Evaluation) -> Int? {
      starts.dropLast().lastIndex {
        shown.side == .before ? $0 < shown.itemTime : $0 <= shown.itemTime
      }
    }
    let forward = (0..<pictures).flatMap { [$0, $0] }
    let one = rate < 0 ? forward.reversed() : forward
    // Item times at which each picture is reached, in the direction of travel.
    let marks = (rate < 0 ? starts.reversed() : starts).map {
      ($0 - (rate < 0 ? duration : 0)) / speed
    }
    var wrong = 0
    for pass in 0..<10_000 {
      let begin = Rational(pass) * (duration / speed.magnitude)
      var shown: [Int] = []
      for index in 0..<pictures {
        for at in [marks[index], (marks[index] + marks[index + 1]) / 2] {
          shown.append(picture(timeline.evaluate(at: begin + at)) ?? -1)
        }
      }
      if shown != one { wrong += 1 }
    }
    #expect(wrong == 0, "passes that differ from the first")
    #expect(timeline.player.queue.pass == 9_999)
  }

  @Test("backwards at one tick a picture, every picture is shown exactly once a pass")
  func backwardsOnce() {
    let input = Timeline.Input(source: "a", duration: MediaTime(value: 10, timescale: 10))
    var timeline = Timeline(
      inputs: [input],
      initially: [.seek(to: Rational(1), play: false), .loop(passes: nil), .rate(-1)])
    let shown = (0..<20).map { tick in
      let place = timeline.evaluate(at: Rational(tick, 10))
      #expect(place.side == .before)
      return Int((place.itemTime * Rational(10)).ceiling - 1)
    }
    #expect(shown == Array((0..<10).reversed()) + Array((0..<10).reversed()))
  }

  @Test("asked in any order a timeline gives the same answers")
  func anyOrder() throws {
    let script = try Script(
      parsing: """
        0 loop
        1.5 seek 3 play
        2 speed 0.5
        4 filter CIGaussianBlur inputRadius=4
        5 pause
        6 speed 1.75
        20 unloop
        """)
    var forward = Timeline(inputs: [clip], script: script)
    let times = (0..<400).map { Rational($0, 10) }
    let answers = times.map { forward.evaluate(at: $0) }
    var random = SeededGenerator(seed: 1)
    var other = Timeline(inputs: [clip], script: script)
    for index in times.indices.shuffled(using: &random).prefix(100) {
      #expect(other.evaluate(at: times[index]) == answers[index])
    }
  }

  @Test("an hour of looping with commands every second costs less than a second")
  func anHour() throws {
    let commands = [
      "seek 1.25 play", "speed 0.3", "speed 1.75", "filter CIGaussianBlur inputRadius=4 clear",
      "play", "pause", "play", "brightness 0.1",
    ]
    let text = (0..<3600).map { "\($0) \(commands[$0 % commands.count])" }.joined(separator: "\n")
    var timeline = Timeline(
      inputs: [clip], initially: [.loop(passes: nil), .play], script: try Script(parsing: text))
    // Measured: 0.1 s.
    let cost = ProcessorTime.cost {
      for tick in 0..<3600 * 30 { _ = timeline.evaluate(at: Rational(tick, 30)) }
    }
    #expect(timeline.takeLog().count > 3000)
    #expect(cost < .seconds(1))
  }

  @Test("a timeline knows its end")
  func end() throws {
    let length = Rational(352 * 1001, 30000)
    #expect(Timeline(inputs: [clip]).end() == length)
    #expect(Timeline(inputs: [clip, clip]).end() == length + length)
    #expect(
      Timeline(inputs: [clip], initially: [.loop(passes: 3), .play]).end() == Rational(3) * length)
    #expect(
      Timeline(inputs: [clip], initially: [.loop(passes: 1_000_000_000), .play]).end()
        == Rational(1_000_000_000) * length)
    #expect(Timeline(inputs: [clip], initially: [.loop(passes: nil), .play]).end() == nil)
    let script = try Script(parsing: "30 unloop")
    #expect(
      Timeline(inputs: [clip], initially: [.loop(passes: nil), .play], script: script).end()
        == Rational(3) * length)
    #expect(Timeline(inputs: [clip], initially: []).end() == .zero)
  }

  @Test("loopDelay holds the last picture between passes")
  func loopDelay() {
    let input = Timeline.Input(source: "a", duration: MediaTime(value: 2, timescale: 1))
    var timeline = Timeline(
      inputs: [input], initially: [.loopDelay(Rational(1, 2)), .loop(passes: nil), .play])
    let held = timeline.evaluate(at: Rational(9, 4))
    #expect(held.pass == 0 && held.itemTime == Rational(2) && held.rate == 0)
    #expect(held.timeControlStatus == .playing)
    let next = timeline.evaluate(at: Rational(5, 2))
    #expect(next.pass == 1 && next.itemTime == .zero && next.rate == 1)
    #expect(timeline.evaluate(at: Rational(25, 10) * Rational(1000) + Rational(1)).itemTime == .one)
  }

  @Test("unloop lets the running pass end, then stops")
  func unloop() throws {
    let input = Timeline.Input(source: "a", duration: MediaTime(value: 2, timescale: 1))
    var timeline = Timeline(
      inputs: [input], initially: [.loop(passes: nil), .play],
      script: try Script(parsing: "5 unloop"))
    #expect(timeline.evaluate(at: Rational(11, 2)).itemTime == Rational(3, 2))
    let ended = timeline.evaluate(at: Rational(7))
    #expect(ended.timeControlStatus == .paused && ended.itemTime == Rational(2) && ended.pass == 2)
  }
}
