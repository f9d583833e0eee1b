internal import ReelAssets
internal import ReelCore
internal import ReelPlayback
internal import ReelTestSupport
internal import Testing

@testable internal import ReelRendering

@Suite("Offline renderer")
struct OfflineRendererTests {
  /// What a render of stills puts out: `picture@ticks+duration` each.
  func render(
    _ durations: [Int64], itemTicks: Int64? = nil, _ commands: [PlayerCommand] = [.play],
    script: String = "", options: OfflineRenderer.Options = .init()
  ) throws -> (lines: String, timeBase: Ratio) {
    let demuxer = StillDemuxer(durations: durations, itemTicks: itemTicks)
    let renderer = try OfflineRenderer(
      inputs: [.stills(demuxer)], commands: commands, script: Script(parsing: script),
      options: options)
    let sink = ListSink()
    try renderer.render(to: sink)
    #expect(sink.isFinished && !sink.isAbandoned)
    return (sink.lines.joined(separator: " "), sink.timing?.timeBase ?? .unknown)
  }

  func options(
    fps: Rational? = nil, from: Rational = .zero, duration: Rational? = nil
  ) -> OfflineRenderer.Options {
    var options = OfflineRenderer.Options()
    if let fps { options.sampling = .rate(fps) }
    options.from = from
    options.duration = duration
    return options
  }

  @Test("a constant rate is told in frames")
  func constantRate() throws {
    let result = try render([4, 4, 4])
    #expect(result.lines == "0@0+1 1@1+1 2@2+1")
    #expect(result.timeBase == Ratio(1, 25))
  }

  @Test("a variable rate stays variable, in ticks of the track")
  func variableRate() throws {
    let result = try render([4, 10, 1, 5])
    #expect(result.lines == "0@0+4 1@4+10 2@14+1 3@15+5")
    #expect(result.timeBase == Ratio(1, 100))
  }

  @Test("a shorter last packet does not make a rate variable")
  func shortLastPacket() throws {
    #expect(try render([4, 4, 4, 1]).timeBase == Ratio(1, 25))
    #expect(try render([4, 4, 1, 4]).timeBase == Ratio(1, 100))
  }

  @Test("the first picture of a pass follows the last of the one before")
  func loop() throws {
    let result = try render([4, 4, 4], [.loop(passes: 3), .play])
    #expect(result.lines == "0@0+1 1@1+1 2@2+1 0@3+1 1@4+1 2@5+1 0@6+1 1@7+1 2@8+1")
  }

  @Test("an item longer than its video holds the last picture to the end of the pass")
  func longItem() throws {
    let result = try render([4, 4], itemTicks: 20, [.loop(passes: 2), .play])
    #expect(result.lines == "0@0+1 1@1+4 0@5+1 1@6+4")
  }

  @Test("half the speed doubles the times, exactly")
  func slow() throws {
    let result = try render([4, 10, 1], [.playbackSpeed(0.5)])
    #expect(result.lines == "0@0+8 1@8+20 2@28+2")
  }

  @Test("a script seeks, pauses and goes on")
  func script() throws {
    let script = """
      0.02 seek 0.09 play
      0.04 pause
      1.00 play
      """
    let result = try render([4, 4, 4, 4], script: script)
    // At 2 ticks: item time 9 (picture 2); at 4 ticks: 11, held to 100; 12 comes a tick later.
    let ticks = try render([4, 4, 4, 4], script: script + "\n50 speed 1")
    #expect(result.timeBase == Ratio(1, 25))
    #expect(ticks.timeBase == Ratio(1, 100))
    #expect(ticks.lines.hasPrefix("0@0+2 2@2+2 2@4+96 2@100+1 3@101+4"))
  }

  @Test("backwards, pictures come in the other order and each for its own time")
  func backwards() throws {
    let result = try render([4, 10, 1, 5], script: "0 seek 0.20 pause\n0 rate -1")
    #expect(result.lines == "3@0+5 2@5+1 1@6+10 0@16+4")
  }

  @Test("a rate of its own samples what is shown at its instants")
  func sampled() throws {
    let result = try render([4, 4, 4], options: options(fps: Rational(50)))
    #expect(result.lines == "0@0+1 0@1+1 1@2+1 1@3+1 2@4+1 2@5+1")
    #expect(result.timeBase == Ratio(1, 50))
    let sparse = try render([4, 4, 4], options: options(fps: Rational(25, 2)))
    #expect(sparse.lines == "0@0+1 2@1+1")
  }

  @Test("a part is cut out; no length at all is one picture")
  func parts() throws {
    let part = try render(
      [4, 10, 1, 5], options: options(from: Rational(5, 100), duration: Rational(10, 100)))
    #expect(part.lines == "1@0+9 2@9+1")
    let one = try render([4, 10, 1, 5], options: options(from: Rational(5, 100), duration: .zero))
    #expect(one.lines == "1@0+0")
  }

  @Test("playback without an end needs a duration")
  func endless() throws {
    let error = #expect(throws: MediaError.self) {
      try render([4, 4], [.loop(passes: nil), .play])
    }
    #expect(error?.rule == .renderEndless)
    let result = try render(
      [4, 4], [.loop(passes: nil), .play], options: options(duration: Rational(20, 100)))
    #expect(result.lines == "0@0+1 1@1+1 0@2+1 1@3+1 0@4+1")
  }

  @Test("a picture that cannot be decoded leaves its time to the one before")
  func damaged() throws {
    var demuxer = StillDemuxer(durations: [4, 4, 4])
    demuxer.damaged = [1]
    let renderer = try OfflineRenderer(inputs: [.stills(demuxer)])
    let sink = ListSink()
    try renderer.render(to: sink)
    #expect(sink.lines == ["0@0+1", "2@2+1"])
    #expect(renderer.summary.missingCount == 1)
  }

  @Test("two inputs play one after the other")
  func queue() throws {
    let renderer = try OfflineRenderer(inputs: [
      .stills(StillDemuxer(durations: [4, 4])), .stills(StillDemuxer(durations: [10])),
    ])
    let sink = ListSink()
    try renderer.render(to: sink)
    #expect(sink.lines == ["0@0+4", "1@4+4", "0@8+10"])
  }
}

@Suite("Loops cost one pass")
struct LoopCacheTests {
  func render(
    passes: Int, to sink: any Sink, budget: Int = 256 << 20
  ) throws -> (decodes: Int, summary: OfflineRenderer.Summary) {
    let count = DecodeCount()
    let demuxer = StillDemuxer(durations: Array(repeating: 4, count: 12))
    var options = OfflineRenderer.Options()
    options.loopByteBudget = budget
    let renderer = try OfflineRenderer(
      inputs: [.stills(demuxer, count: count)], commands: [.loop(passes: passes), .play],
      options: options)
    try renderer.render(to: sink)
    return (count.value, renderer.summary)
  }

  @Test("a hundred passes to hashes decode each picture once")
  func hashes() throws {
    let (one, hundred) = (MemoryOutput(), MemoryOutput())
    #expect(try render(passes: 1, to: FrameMD5Sink(one)).decodes == 12)
    let result = try render(passes: 100, to: FrameMD5Sink(hundred))
    #expect(result.decodes == 12)
    #expect(result.summary.pictureCount == 1200)
    #expect(result.summary.repeatedCount == 1188)
    #expect(result.summary.repeatedPassCount == 99)
    let hashes = { (text: String) in
      text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { String($0.suffix(32)) }
    }
    let pass = hashes(one.text)
    #expect(hashes(hundred.text) == Array(repeating: pass, count: 100).flatMap { $0 })
  }

  @Test("a sink that needs the pictures gets kept ones, as far as the budget goes")
  func pictures() throws {
    let (all, some, none) = (MD5Sink(), MD5Sink(), MD5Sink())
    #expect(try render(passes: 4, to: all).decodes == 12)
    #expect(try render(passes: 4, to: none, budget: 0).decodes == 48)
    let decodes = try render(passes: 4, to: some, budget: 3000).decodes
    #expect(decodes > 12 && decodes < 48)
    #expect(all.digest == none.digest && all.digest == some.digest)
  }

  @Test("a thread of its own changes nothing")
  func pipelined() throws {
    let (plain, threaded) = (MemoryOutput(), MemoryOutput())
    _ = try render(passes: 7, to: Y4MSink(plain))
    _ = try render(passes: 7, to: PipelinedSink(Y4MSink(threaded)))
    #expect(plain.bytes == threaded.bytes)
    #expect(threaded.isFinished)
  }

  @Test("a failure on the other thread reaches the caller and abandons the output")
  func pipelinedFailure() throws {
    let sink = PipelinedSink(RawVideoSink(try FileOutput(path: "/dev/full")))
    let error = #expect(throws: MediaError.self) { try render(passes: 30, to: sink) }
    #expect(error?.rule == .outputFull)
  }
}
