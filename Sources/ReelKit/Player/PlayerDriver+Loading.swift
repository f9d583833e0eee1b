// Opening what a machine asks for.

import ReelCore
import ReelPlayback

/// A machine whose items are loaded outside of it.
protocol LoadingMachine: DrivenMachine {
  mutating func itemDidLoad(_ id: ItemID, _ facts: ItemFacts, at host: Rational)
  mutating func itemDidFail(_ id: ItemID, _ failure: VPErrors, at host: Rational)
}

extension PlayerStateMachine: LoadingMachine {}
extension QueueStateMachine: LoadingMachine {}
extension AudioPlayerStateMachine: LoadingMachine {}

extension PlayerDriver where Machine: LoadingMachine {
  /// Opens a source and tells the machine what came of it: in this instant where time is virtual, else
  /// later, from a task of its own that keeps nobody alive. The machine ignores an answer that it no
  /// longer waits for.
  ///
  /// - Parameter willLoad: Called with a source that is open and the machine, which has not been told yet
  ///   and is locked.
  func load(
    _ source: SourceReference, for id: ItemID, with loader: any SourceLoader,
    willLoad: @escaping @Sendable (LoadedSource, borrowing Machine) -> Void = { _, _ in }
  ) {
    guard clock.isVirtual else {
      Task.detached { [weak self] in
        self?.finish(loader.outcome(of: source), for: id, willLoad)
      }
      return
    }
    finish(loader.outcome(of: source), for: id, willLoad)
  }

  private func finish(
    _ outcome: Result<LoadedSource, VPErrors>, for id: ItemID,
    _ willLoad: (LoadedSource, borrowing Machine) -> Void
  ) {
    perform { machine, now in
      switch outcome {
      case .success(let loaded):
        willLoad(loaded, machine)
        machine.itemDidLoad(id, loaded.facts, at: now)
      case .failure(let error): machine.itemDidFail(id, error, at: now)
      }
    }
  }
}
