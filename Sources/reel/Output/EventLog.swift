// `--events FILE`: what the player tells, as JSON lines.

import ReelCore
import ReelPlayback
import ReelRendering

/// Writes a player's log, one JSON object a line.
final class EventLog {
  private let output: FileOutput

  /// Opens the file; `-` is standard output.
  init(path: String) throws(MediaError) {
    output = try FileOutput(path: path)
  }

  func write(_ entry: LogEntry) throws(MediaError) {
    try output.write(Array(entry.json.utf8) + [UInt8(ascii: "\n")])
  }

  /// The file gets its name.
  func finish() throws(MediaError) { try output.finish() }

  /// No unfinished file is left.
  func abandon() { output.abandon() }
}
