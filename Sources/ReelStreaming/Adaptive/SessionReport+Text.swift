// A session's log as text.

extension SessionReport {
  /// A line for each event: seconds, what happened, and its values. Stable: golden logs compare them.
  public var lines: [String] {
    events.map { time, event in "\(Self.seconds(time)) \(Self.words(event))" }
  }

  private static func words(_ event: SessionEvent) -> String {
    switch event {
    case .waiting: "waitingToPlayAtSpecifiedRate"
    case .playing: "playing"
    case .ended: "ended"
    case .failed: "failed"
    case .request(let segment, let level): "request segment=\(segment) level=\(level)"
    case .requestedAgain(let segment, let level, let instead):
      "request segment=\(segment) level=\(level) instead=\(instead)"
    case .switched(let from, let to): "switch from=\(from) to=\(to)"
    case .loaded(let segment, let level, let rate, let buffer, let end):
      "loaded segment=\(segment) level=\(level) kbps=\(rate / 1000) buffer=\(seconds(buffer)) "
        + "loadedTimeRange=0.000000-\(seconds(end))"
    case .abandoned(let segment, let level, let bits):
      "abandoned segment=\(segment) level=\(level) receivedBytes=\(bits / 8)"
    }
  }

  /// Seconds with six decimals.
  public static func seconds(_ microseconds: Int64) -> String {
    let digits = String(microseconds.magnitude % 1_000_000 + 1_000_000).dropFirst()
    return "\(microseconds < 0 ? "-" : "")\(microseconds.magnitude / 1_000_000).\(digits)"
  }
}
