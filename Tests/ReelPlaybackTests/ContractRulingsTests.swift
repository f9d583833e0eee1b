import ReelCore
import Testing

@testable import ReelPlayback

/// Contract §11: where the original players surprise.
@Suite struct ContractRulingsTests {
  private let sepia = FilterDescription("CISepiaTone")

  @Test("a player is neither muted nor looping by default")
  func defaults() {
    let settings = VideoSettings { SourceName("a") }
    #expect(!settings.mute && !settings.loop && !settings.notAutoPlay)
    let bench = Bench(settings)
    #expect(!bench.evaluation.isMuted && bench.player.queue.looper == nil)
  }

  @Test("filters that are set before or during a loop hold on every pass")
  func filtersHoldOnEveryPass() {
    var bench = Bench(VideoSettings(name: "a", loop: true))
    bench.run(.filter(sepia, clear: false), .brightness(0.5), at: 1)
    for pass in 1...5 {
      bench.advance(to: Rational(pass * 10 + 1))
      #expect(bench.evaluation.pass == pass)
      #expect(bench.evaluation.presentation.filters == [sepia])
      #expect(bench.evaluation.presentation.brightness == 0.5)
    }
    bench.run(.filter(FilterDescription("CIColorInvert"), clear: false), at: 52)
    bench.advance(to: 63)
    #expect(bench.evaluation.presentation.filters.count == 2)
  }

  @Test("a change of filters tells pause and play in compatibility mode only, and never pauses")
  func filtersTellPause() {
    for mode in [[], .filtersTellPause] as [PlayerCompatibility] {
      var bench = Bench(VideoSettings(name: "a", events: []), compatibility: mode)
      _ = bench.takeLog()
      bench.run(.removeAllFilters, at: 1)
      #expect(bench.takeEvents().isEmpty)
      bench.run(.filter(sepia, clear: false), at: 1)
      #expect(bench.takeEvents() == (mode.isEmpty ? [] : [.paused, .playing]))
      bench.run(.removeAllFilters, at: 2)
      #expect(bench.takeEvents() == (mode.isEmpty ? [] : [.paused, .playing]))
      bench.run(.pause, .filter(sepia, clear: false), at: 3)
      #expect(bench.takeEvents() == [.paused])
      #expect(bench.itemTime == 3)
    }
  }
}
