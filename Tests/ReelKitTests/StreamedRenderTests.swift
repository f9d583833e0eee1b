import Foundation
import ReelCore
import ReelIO
import ReelKit
import ReelTestSupport
import Testing

/// Playlists with variants, played over a network in virtual time.
@Suite("A presentation played over a network")
struct StreamedRenderTests {
  /// Sinks that note what they are given.
  private final class Notes: Sink {
    private(set) var pictures: [(start: Int64, duration: Int64)] = []
    func begin(_ timing: OutputTiming) {}
    func write(_ frame: VideoFrame, key: CompositionKey?, timing: PictureTiming) {
      pictures.append((timing.ticks, timing.duration))
    }
    func writeAgain(_ key: CompositionKey, timing: PictureTiming) -> Bool { false }
    func finish() {}
    func abandon() {}
  }

  private static let address = Places.testVector("hls/ladder/master.m3u8").path

  private static func presentation() throws -> AdaptivePresentation {
    try AdaptivePresentation(
      address: address, loader: MediaLoader(), registry: .standard, options: .standard)
  }

  private static func input(_ network: NetworkTrace) throws -> RenderInput {
    let presentation = try presentation()
    let asset = Asset(try presentation.demuxer(), registry: .standard)
    let session = StreamingSession(presentation.plan, network: network)
    return try RenderInput(
      name: "ladder", asset: asset, facts: try asset.facts(),
      stream: RenderStream(
        feed: StreamingFeed(session, duration: asset.duration),
        asset: { (feed) throws(MediaError) in
          Asset(
            try presentation.demuxer(levels: (feed as? StreamingFeed)?.session.levels),
            registry: .standard)
        }))
  }

  private static func log(_ network: NetworkTrace, _ script: String = "") throws -> [LogEntry] {
    let renderer = try OfflineRenderer(
      inputs: [try input(network)], script: try Script(parsing: script))
    var log: [LogEntry] = []
    renderer.onLog = { log.append($0) }
    try renderer.render(to: NullSink())
    return log
  }

  /// A network that is cut after two segments, and comes back faster than all variants.
  private static let cut = NetworkTrace([
    NetworkCondition(start: 0, kilobitsPerSecond: 150, latency: 20_000),
    NetworkCondition(start: 600_000, kilobitsPerSecond: 0, latency: 20_000),
    NetworkCondition(start: 4_000_000, kilobitsPerSecond: 5_000, latency: 20_000),
  ])

  @Test("the session of a render is the one that is simulated, instant for instant")
  func sameSession() throws {
    let traces: [NetworkTrace] = [
      .constant(kilobitsPerSecond: 450, latency: 20_000), Self.cut,
      .constant(kilobitsPerSecond: 4_000, latency: 5_000),
    ]
    for network in traces {
      let plan = try Self.presentation().plan
      let report = SimulatedSession(plan, network: network).run()
      let simulated = report.events.compactMap { time, event -> String? in
        switch event {
        case .loaded(let segment, let level, _, _, _):
          "\(time) loaded \(segment) \(plan.levels[level].variantIndex)"
        case .waiting: "\(time) waiting"
        case .playing: "\(time) playing"
        case .switched(let from, let to):
          "\(time) switched \(plan.levels[from].variantIndex) \(plan.levels[to].variantIndex)"
        default: nil
        }
      }
      let rendered = try Self.log(network).compactMap { entry -> String? in
        let time = (entry.host * Rational(1_000_000)).floor
        switch entry.what {
        case .stream(.segmentLoaded(let segment, let variant, _)):
          return "\(time) loaded \(segment) \(variant)"
        case .stream(.variantSwitched(let from, let to)): return "\(time) switched \(from) \(to)"
        case .event(.waitingToPlayAtSpecifiedRate): return "\(time) waiting"
        case .event(.playing): return "\(time) playing"
        default: return nil
        }
      }
      #expect(rendered.sorted() == simulated.sorted())
      #expect(try Self.log(network).map(\.json) == Self.log(network).map(\.json))
    }
  }

  @Test("where nothing is loaded playback waits, with the stall told and the picture kept")
  func stalls() throws {
    let log = try Self.log(Self.cut)
    #expect(log.contains { if case .queue(.playbackStalled) = $0.what { true } else { false } })
    let waits = log.filter { $0.what == .event(.waitingToPlayAtSpecifiedRate) }
    #expect(waits.count == 2)
    let renderer = try OfflineRenderer(inputs: [try Self.input(Self.cut)])
    let notes = Notes()
    try renderer.render(to: notes)
    // Eighty frames and no other, each of them once: the one before the cut stays.
    #expect(notes.pictures.count == 80)
  }

  @Test("the pictures are those of the variants that were loaded, frame for frame")
  func pictures() throws {
    let network = NetworkTrace.constant(kilobitsPerSecond: 450, latency: 20_000)
    let renderer = try OfflineRenderer(inputs: [try Self.input(network)])
    let sink = HashNotes()
    try renderer.render(to: sink)
    let plan = try Self.presentation().plan
    let levels = SimulatedSession(plan, network: network).run().shownLevels
    #expect(Set(levels).count > 1)
    let names = ["low", "middle", "high"]
    var expected: [String] = []
    let all = try names.map { name in
      let path = Places.testVector("hls/ladder/\(name).m3u8").path
      let own = HashNotes()
      try OfflineRenderer(inputs: [RenderInput(name: name, asset: try .open(path: path))])
        .render(to: own)
      return own.hashes
    }
    for (segment, level) in levels.enumerated() {
      expected += all[level][segment * 10..<segment * 10 + 10]
    }
    #expect(sink.hashes == expected)
  }

  @Test("a seek loads where it leads to, and what was jumped over never")
  func seek() throws {
    let network = NetworkTrace.constant(kilobitsPerSecond: 150, latency: 20_000)
    let log = try Self.log(network, "0.6 seek 6.5 play\n")
    let loaded = log.compactMap { entry -> Int? in
      if case .stream(.segmentLoaded(let segment, _, _)) = entry.what { segment } else { nil }
    }
    #expect(loaded.contains(6) && loaded.contains(7) && !loaded.contains(4))
    let renderer = try OfflineRenderer(
      inputs: [try Self.input(network)], script: try Script(parsing: "0.6 seek 6.5 play\n"))
    let notes = Notes()
    try renderer.render(to: notes)
    #expect(notes.pictures.count < 40)
  }

  @Test("buffer progress is the end of what is loaded over the duration")
  func bufferProgress() throws {
    var timeline = Timeline(
      inputs: [.init(source: "ladder", duration: MediaTime(value: 8, timescale: 1))],
      feeds: [
        AssetID(rawValue: 0): StreamingFeed(
          StreamingSession(
            try Self.presentation().plan,
            network: .constant(kilobitsPerSecond: 150, latency: 20_000)),
          duration: MediaTime(value: 8, timescale: 1))
      ])
    timeline.advance(to: Rational(1, 10))
    #expect(timeline.player.queue.timeControlStatus == .waitingToPlayAtSpecifiedRate)
    var model = TransportModel()
    model.update(from: timeline.player.queue)
    #expect(model.bufferProgress == 0)
    timeline.advance(to: Rational(2))
    model.update(from: timeline.player.queue)
    #expect(model.bufferProgress > 0.2 && model.bufferProgress <= 1)
    // Going back gives the same again.
    let later = timeline.evaluate(at: Rational(2))
    timeline.advance(to: Rational(1, 2))
    #expect(timeline.evaluate(at: Rational(2)) == later)
  }
}

/// An MD5 for each picture.
private final class HashNotes: Sink {
  private(set) var hashes: [String] = []
  func begin(_ timing: OutputTiming) {}
  func write(_ frame: VideoFrame, key: CompositionKey?, timing: PictureTiming) {
    let sink = MD5Sink()
    sink.write(frame, key: nil, timing: timing)
    hashes.append(sink.summary)
  }
  func writeAgain(_ key: CompositionKey, timing: PictureTiming) -> Bool { false }
  func finish() {}
  func abandon() {}
}
