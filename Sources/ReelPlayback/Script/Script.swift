// Scenario scripts: commands at host times, as text or as JSON lines.

public import ReelCore

/// A command at a host time.
public struct ScriptEntry: Sendable, Hashable {
  /// Host time in seconds, ≥ 0.
  public let time: Rational
  /// What is executed.
  public let command: PlayerCommand
  /// Line of the script, from 1; 0 when the entry was made in code.
  public let line: Int
  /// An entry made in code.
  public init(time: Rational, command: PlayerCommand, line: Int = 0) {
    self.time = time
    self.command = command
    self.line = line
  }
}

/// Commands in the order they are executed: by time, and as written at one time.
///
/// ```
/// # TIME COMMAND [ARGS], one a line
/// 0     play
/// 1.5   seek 3.0 play
/// 4     filter CIGaussianBlur inputRadius=4
/// {"time": 5, "command": "unloop"}
/// ```
///
/// Times are seconds (`1.5`, `1e-3`), exact fractions (`1001/30000`) or clock times (`1:02:03.5`). A line that
/// begins with `{` is JSON with the members `time`, `command` and the arguments by name.
public struct Script: Sendable, Hashable {
  /// By time; those of one time as written.
  public private(set) var entries: [ScriptEntry]

  /// A script of these entries, in any order.
  public init(_ entries: [ScriptEntry] = []) {
    // Stable: entries of one time stay in the order given.
    self.entries = entries.enumerated().sorted {
      ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
    }.map(\.element)
  }

  /// The commands of a text.
  ///
  /// - Throws: `.damaged` with the line, for anything that is no command.
  public init(parsing text: String) throws(MediaError) {
    var entries: [ScriptEntry] = []
    var number = 0
    // A byte order mark, as some editors put it at the start.
    let body =
      text.unicodeScalars.first == "\u{FEFF}"
      ? text.unicodeScalars.dropFirst() : text.unicodeScalars[...]
    for line in String(body).split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      number += 1
      // LIMIT: a million commands are eleven days at one a second.
      guard number <= 1_000_000 else {
        throw MediaError(.limitExceeded, .scriptSize, at: .line(number))
      }
      do {
        guard let parsed = try ScriptLine(parsing: String(line)) else { continue }
        entries.append(
          ScriptEntry(time: parsed.time, command: try parsed.command(), line: number))
      } catch {
        throw error.at(.line(number))
      }
    }
    self.init(entries)
  }
}
