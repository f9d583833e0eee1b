import ReelKit
import Synchronization

/// A screen of an application: plays a clip in a loop, shows what is left, offers to skip the opening,
/// and tells why it cannot play.
///
/// The player comes from outside, so that tests can give it a clock that they move.
public final class ClipScreen: Sendable {
  public enum Banner: Sendable, Equatable {
    case none
    case skipOpening
    case problem(String)
  }

  private struct State {
    var banner = Banner.none
    var passes = 0
  }
  private let player: LoopPlayer
  private let transport: Transport
  private let opening: Range<Double>
  private let state = Mutex(State())

  /// - Parameters:
  ///   - player: A player without settings yet.
  ///   - opening: Seconds of the clip that may be skipped.
  public init(player: LoopPlayer, opening: Range<Double> = 0..<0) {
    self.player = player
    self.opening = opening
    transport = Transport(player)
    player.onTime { [weak self] published in self?.timeChanged(published.time.seconds) }
    player.onLog { [weak self] entry in self?.happened(entry) }
  }

  public func show(_ clip: String, isSilent: Bool = false) {
    player.apply(
      VideoSettings {
        SourceName(clip)
        Loop()
        if isSilent { Mute() }
        TimePublishing(MediaTime(value: 1, timescale: 4))
        Events()
      })
  }

  public func tapPlayButton() { transport.pressButton() }

  public func tapSkip() {
    guard banner == .skipOpening else { return }
    player.send([.idle, .seek(to: opening.upperBound)])
  }

  public var banner: Banner { state.withLock { $0.banner } }
  public var passes: Int { state.withLock { $0.passes } }
  public var timeLabel: String { transport.model.remainingLabel ?? "--:--" }
  public var button: TransportModel.Button { transport.model.button }

  private func timeChanged(_ seconds: Double) {
    state.withLock { state in
      if case .problem = state.banner { return }
      state.banner = opening.contains(seconds) ? .skipOpening : .none
    }
  }

  private func happened(_ entry: LogEntry) {
    switch entry.what {
    case .event(.error(let error)): state.withLock { $0.banner = .problem("\(error)") }
    case .queue(.loopCountChanged(let count)): state.withLock { $0.passes = count }
    default: break
    }
  }
}
