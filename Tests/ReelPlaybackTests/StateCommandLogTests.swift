import Foundation
import ReelCore
import ReelTestSupport
import Testing

@testable import ReelPlayback

/// Every command in every state, as a text that a person can review. `RECORD=1` writes the texts anew.
@Suite struct StateCommandLogTests {
  static let states: [(name: String, make: @Sendable () -> Bench)] = [
    ("no-item", { Bench() }),
    (
      "loading",
      {
        var bench = Bench()
        bench.answersLoads = false
        bench.apply(settings, at: 0)
        return bench
      }
    ),
    ("failed", { Bench(VideoSettings(name: "missing", events: [])) }),
    ("ready-paused", { Bench(VideoSettings(name: "a", notAutoPlay: true, events: [])) }),
    ("playing", { Bench(settings) }),
    (
      "playing-fast",
      {
        var bench = Bench(settings)
        bench.run(.playbackSpeed(1.75), at: 0)
        return bench
      }
    ),
    (
      "playing-backwards",
      {
        var bench = Bench(settings)
        bench.run(.seek(to: 5, play: true), .rate(-1), at: 0)
        return bench
      }
    ),
    (
      "paused-in-the-middle",
      {
        var bench = Bench(settings)
        bench.run(.seek(to: 5, play: false), at: 0)
        return bench
      }
    ),
    (
      "played-to-end",
      {
        var bench = Bench(settings)
        bench.run(.seek(to: 10, play: true), at: 0)
        return bench
      }
    ),
    (
      "looping",
      {
        var bench = Bench(settings)
        bench.run(.loop(passes: nil), .seek(to: 8, play: true), at: 0)
        return bench
      }
    ),
    (
      "looping-paused",
      {
        var bench = Bench(settings)
        bench.run(.loop(passes: nil), .seek(to: 8, play: false), at: 0)
        return bench
      }
    ),
    (
      "between-passes",
      {
        var bench = Bench(settings)
        bench.run(.loopDelay(3), .loop(passes: nil), .seek(to: 10, play: true), at: 0)
        return bench
      }
    ),
    (
      "loop-ending",
      {
        var bench = Bench(settings)
        bench.run(.loop(passes: nil), .seek(to: 8, play: true), .unloop, at: 0)
        return bench
      }
    ),
    (
      "stalled",
      {
        var bench = Bench(settings)
        bench.withPlayer { player in
          guard let item = player.queue.currentItem else { return }
          player.setBuffer(ItemBuffer(loadedTimeRanges: []), of: item.id, at: 0)
        }
        return bench
      }
    ),
    (
      "seeking",
      {
        var bench = Bench(settings)
        bench.withPlayer { player in
          player.withQueue(at: 0) { queue in
            queue.setSeekLatency(2, at: 0)
            queue.seek(to: 7, tolerance: .zero, id: SeekID(rawValue: 99), at: 0)
          }
        }
        return bench
      }
    ),
    (
      "queue-of-two",
      {
        var bench = Bench(settings)
        bench.withPlayer { player in
          player.withQueue(at: 0) { queue in
            queue.setActionAtItemEnd(.advance, at: 0)
            let next = queue.makeItem(asset: AssetID(rawValue: 1), source: "b.mp4")
            queue.append(next, at: 0)
            queue.itemDidLoad(
              next.id, ItemFacts(duration: MediaTime(value: 4, timescale: 1)), at: 0)
          }
        }
        bench.run(.seek(to: 8, play: true), at: 0)
        return bench
      }
    ),
    (
      "live",
      {
        var bench = Bench()
        bench.sources["live.mp4"] = .success(ItemFacts(duration: .indefinite))
        bench.apply(VideoSettings(name: "live", events: []), at: 0)
        return bench
      }
    ),
    (
      "inset-with-everything",
      {
        var bench = Bench(settings)
        bench.run(
          .startPiP, .filter(FilterDescription("CISepiaTone"), clear: false), .brightness(0.5),
          .contrast(2), .addVector(VectorLayer(id: "box", shapes: []), clear: false), .mute,
          .gravity(.resize), at: 0)
        return bench
      }
    ),
  ]

  private static let settings = VideoSettings(
    name: "a", pictureInPicture: true, enableVector: true, events: [])

  static let commands: [PlayerCommand] = [
    .idle, .play, .pause, .seek(to: 3, play: true), .seek(to: 3, play: false),
    .seek(to: -1, play: true), .seek(to: 99, play: true), .begin, .end, .mute, .unmute,
    .volume(0.5), .playbackSpeed(0), .playbackSpeed(2), .rate(-1), .loop(passes: nil),
    .loop(passes: 2), .loopDelay(1), .unloop, .subtitles("en"), .subtitles(nil),
    .audioTrack(languageCode: "en"), .brightness(-2), .contrast(3),
    .filter(FilterDescription("CIGaussianBlur", ["inputRadius": 4]), clear: false),
    .filter(FilterDescription("CIGaussianBlur", ["inputRadius": 4]), clear: true),
    .removeAllFilters, .addVector(VectorLayer(id: "logo", shapes: []), clear: false),
    .removeAllVectors, .startPiP, .stopPiP, .gravity(.resizeAspectFill), .next,
  ]

  private static func name(_ command: PlayerCommand) -> String {
    switch command {
    case .filter(let filter, let clear): "filter \(filter)\(clear ? " clear" : "")"
    case .addVector(let layer, _): "addVector \(layer.id)"
    case .seek(let time, let play): "seek \(time) \(play ? "play" : "pause")"
    case .subtitles(let language): "subtitles \(language ?? "off")"
    case .loop(let passes): "loop\(passes.map { " \($0)" } ?? "")"
    case .gravity(let gravity): "gravity \(gravity)"
    default: "\(command)"
    }
  }

  /// The log of each command at host time 1.5, followed for six seconds.
  private static func text(of state: (name: String, make: @Sendable () -> Bench)) -> String {
    var start = state.make()
    start.advance(to: 1)
    _ = start.takeLog()
    var lines = ["state \(state.name)", "  \(start.player)", ""]
    for command in commands {
      var bench = start
      bench.run(command, at: t("1.5"))
      lines.append("command \(name(command))")
      lines.append("  \(bench.player)")
      bench.advance(to: t("7.5"))
      lines += bench.takeLog().map { "    \($0)" }
      lines.append("  \(bench.player)")
      lines.append("")
    }
    return lines.dropLast().joined(separator: "\n") + "\n"
  }

  @Test("every command in every state does what its log says", arguments: states.indices)
  func pairs(index: Int) throws {
    let state = Self.states[index]
    let text = Self.text(of: state)
    let file = Places.testVector("golden/playback/\(state.name).log")
    if ProcessInfo.processInfo.environment["RECORD"] == "1" {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    let recorded = try String(decoding: Data(contentsOf: file), as: UTF8.self)
    if recorded != text {
      let (old, new) = (recorded.split(separator: "\n"), text.split(separator: "\n"))
      let first = zip(old, new).enumerated().first { $0.element.0 != $0.element.1 }
      Issue.record(
        """
        \(state.name): line \((first?.offset ?? min(old.count, new.count)) + 1) differs
        recorded: \(first?.element.0 ?? "(its end)")
        now:      \(first?.element.1 ?? "(its end)")
        RECORD=1 records what is now.
        """)
    }
  }

  @Test("there is a log for every state and no other")
  func logsAreComplete() throws {
    let folder = Places.testVector("golden/playback")
    let logs = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(Set(logs) == Set(Self.states.map { "\($0.name).log" }))
  }
}
