// What a command of `reel` is.

import ReelCore
import ReelRendering

/// One of the words that may stand behind `reel`.
protocol Command {
  static var name: String { get }
  /// A line for `reel --help`.
  static var summary: String { get }
  /// The whole text of `reel NAME --help`.
  static var help: String { get }
  static var grammar: Grammar { get }
  static func run(_ arguments: Arguments) throws(CommandFailure) -> ExitStatus
}

/// What the shell sees. Stable: scripts depend on it.
enum ExitStatus: Int32 {
  case done = 0
  case inputFailed = 1
  case usage = 2
  case outputFailed = 3
}

/// The end of a command that did not do what it was asked: a status and one line.
struct CommandFailure: Error {
  let status: ExitStatus
  let message: String

  static func usage(_ message: String) -> CommandFailure {
    CommandFailure(status: .usage, message: message)
  }

  /// A failure of reading `input` or of writing an output.
  init(_ error: MediaError, input: String) {
    if error.isOutputFailure {
      self.init(status: .outputFailed, message: error.description)
    } else if error.family == .usage {
      self.init(status: .usage, message: error.description)
    } else if error.place == .named(input) {
      self.init(status: .inputFailed, message: error.description)
    } else {
      let place = error.place == .unknown ? ": " : ", "
      self.init(status: .inputFailed, message: input + place + error.description)
    }
  }

  init(status: ExitStatus, message: String) {
    self.status = status
    // One line, whatever a file had in its strings.
    self.message = String(message.map { $0.isNewline ? " " : $0 })
  }
}
