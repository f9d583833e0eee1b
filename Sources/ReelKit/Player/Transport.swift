// A transport over a player: what a screen binds to.

public import ReelPlayback
internal import Synchronization

/// Keeps a ``TransportModel`` up to date with a player, and turns touches into its commands.
public final class Transport: Sendable {
  private let player: LoopPlayer
  private let state = Mutex(TransportModel())

  /// A transport of a player.
  public init(_ player: LoopPlayer) { self.player = player }

  /// What is shown now.
  public var model: TransportModel {
    let queue = player.state.queue
    return state.withLock { model in
      model.update(from: queue)
      return model
    }
  }

  private func touch(_ body: (inout TransportModel) -> [PlayerCommand]) {
    let queue = player.state.queue
    let commands = state.withLock { model in
      model.update(from: queue)
      return body(&model)
    }
    if !commands.isEmpty { player.execute(commands) }
  }

  /// Play, pause or replay.
  public func pressButton() { touch { $0.pressButton() } }
  /// Scrubbing began: the player pauses.
  public func scrubbingBegan() { touch { $0.scrubbingBegan() } }
  /// The slider is at `place`, 0…1: an exact seek.
  public func scrubbingMoved(to place: Double) { touch { $0.scrubbingMoved(to: place) } }
  /// Scrubbing ended: the player plays.
  public func scrubbingEnded() { touch { $0.scrubbingEnded() } }
  /// Two rates slower, down to −2.
  public func rewind() { touch { $0.rewind() } }
  /// Two rates faster, up to 2.
  public func fastForward() { touch { $0.fastForward() } }
  /// Mutes, or unmutes.
  public func toggleMute() { touch { $0.toggleMute() } }
}
