// A line on the terminal that tells how far the work is.

import Glibc

/// Counts pictures, or something else, on standard error; silent when that is no terminal.
struct Progress {
  private let label: String
  private let total: Int?
  private let unit: String
  private let isShown: Bool
  private let start = ContinuousClock.now
  private var lastShown = ContinuousClock.now
  private var hasLine = false

  /// - Parameters:
  ///   - total: Units to come; nil when unknown.
  ///   - unit: What is counted.
  init(_ label: String, total: Int?, unit: String = "pictures") {
    self.label = label
    self.unit = unit
    self.total = total
    isShown = isatty(STDERR_FILENO) == 1
  }

  /// To be called for each picture; writes a few times a second at most.
  ///
  /// - Parameter done: What part of all is done, 0…1; nil: told by the count.
  mutating func show(_ count: Int, of done: Double? = nil) {
    guard isShown else { return }
    let now = ContinuousClock.now
    guard now - lastShown > .milliseconds(100) else { return }
    lastShown = now
    let elapsed = (now - start) / .seconds(1)
    let rate = Int((Double(count) / max(elapsed, 0.001)).rounded())
    var line = "\(label): \(count) \(unit), \(rate) a second"
    let part = done ?? total.map { $0 > 0 ? Double(count) / Double($0) : 1 }
    if let part {
      let percent = Int((min(max(part, 0), 1) * 100).rounded(.down))
      let filled = percent / 5
      let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: 20 - filled)
      line += "  [\(bar)] \(percent) %"
    }
    StandardError.write("\r\u{1B}[2K" + line)
    hasLine = true
  }

  /// Takes the line away.
  mutating func clear() {
    if hasLine { StandardError.write("\r\u{1B}[2K") }
    hasLine = false
  }
}
