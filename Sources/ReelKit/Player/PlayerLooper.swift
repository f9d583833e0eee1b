// A loop over an item of a queue player, as AVPlayerLooper.

public import ReelCore
public import ReelPlayback

/// Loops over copies of a template item, made at once: later changes of the template are not seen, and
/// the template itself is never played.
public final class PlayerLooper: Sendable {
  private let player: QueuePlayer
  /// The items that take turns.
  public let loopingPlayerItems: [ItemID]

  /// - Parameters:
  ///   - templateItem: An item of the player's ``QueuePlayer/makeItem(_:)`` that is not in the queue.
  ///   - timeRange: What is repeated; invalid: all of it.
  /// - Throws: `.usage` when the player has a loop already, or the range does not lie in a known
  ///   duration.
  public init(
    player: QueuePlayer, templateItem: PlayerItem, timeRange: MediaTimeRange = .invalid,
    existingItemsOrdering: Looper.ItemOrdering = .loopingItemsPrecedeExistingItems
  ) throws(MediaError) {
    self.player = player
    loopingPlayerItems = try player.startLooping(
      templateItem, timeRange: timeRange, ordering: existingItemsOrdering)
  }

  private var looper: Looper? {
    guard let looper = player.state.looper, looper.loopingPlayerItems == loopingPlayerItems else {
      return nil
    }
    return looper
  }

  private var finished: FinishedLoop? {
    guard let loop = player.state.finishedLoop, loop.loopingPlayerItems == loopingPlayerItems else {
      return nil
    }
    return loop
  }

  /// Cancelled once the loop is over.
  public var status: LooperStatus { looper?.status ?? .cancelled }
  /// Why the loop failed; also after it is over, until the player ends another loop.
  public var error: VPErrors? { looper?.failure ?? finished?.failure }

  /// Times the item has started again, from 0. It stays when the loop is over, until the player ends
  /// another loop.
  public var loopCount: Int {
    looper != nil ? player.state.loopCount : finished?.loopCount ?? 0
  }

  /// Lets the running pass end; then the player does what its `actionAtItemEnd` says.
  public func disableLooping() {
    guard looper != nil else { return }
    player.driver.perform { machine, now in machine.disableLooping(at: now) }
  }
}
