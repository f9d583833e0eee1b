// The feeds of a scenario's items, run along with its player.

internal import ReelCore

/// Keeps the feed of the current item and the player at one time.
struct FeedRunner: Sendable {
  /// Feeds by the input they belong to, as they are now.
  private(set) var feeds: [AssetID: any ItemFeed]
  /// The input whose feed runs.
  private var running: AssetID?

  init(_ feeds: [AssetID: any ItemFeed]) { self.feeds = feeds }

  var isEmpty: Bool { feeds.isEmpty }

  /// The next host time at which something happens of itself.
  var nextDue: Rational? { running.flatMap { feeds[$0]?.nextDue } }

  /// Nothing of an item with a feed is there at the begin.
  func prepare(_ player: inout PlayerStateMachine) {
    for item in player.queue.entries where feeds[item.asset] != nil {
      player.queue.setBuffer(
        ItemBuffer(loadedTimeRanges: [], isPlaybackLikelyToKeepUp: false), of: item.id, at: .zero)
    }
    player.drainQueue()
  }

  /// Brings the feed of the current item to the player's time, and the player to what the feed has.
  mutating func follow(_ player: inout PlayerStateMachine) {
    // Data makes playback go on, which the feed has to know; that changes nothing more.
    for _ in 0..<2 {
      guard let item = player.queue.currentItem, var feed = feeds[item.asset] else {
        running = nil
        return
      }
      running = item.asset
      feed.follow(
        FeedPlayhead(
          host: player.now, itemTime: player.queue.currentTime,
          rate: Rational(exactly: player.queue.effectiveRate) ?? .zero))
      for event in feed.takeEvents() { player.record(.stream(event.event)) }
      feeds[item.asset] = feed
      let buffer = feed.buffer
      guard buffer != item.buffer else { return }
      player.record(.stream(.loadedTimeRangesChanged(buffer.loadedTimeRanges ?? [])))
      player.queue.setBuffer(buffer, of: item.id, at: player.now)
      player.drainQueue()
    }
  }
}
