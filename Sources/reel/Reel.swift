// The command line: finds the command, runs it, and turns its end into a line and a status.

import Glibc

@main
struct Reel {
  static let version = "0.1.0"

  static var commands: [any Command.Type] {
    [
      ProbeCommand.self, DecodeCommand.self, RenderCommand.self, CompareCommand.self,
      DownloadCommand.self, DownloadsCommand.self, BenchCommand.self, HLSCommand.self,
    ]
  }

  static func main() {
    // A reader who goes away is an error to tell (status 3), not a signal to die of.
    signal(SIGPIPE, SIG_IGN)
    // So is a limit on the size of files.
    signal(SIGXFSZ, SIG_IGN)
    let status = run(Array(CommandLine.arguments.dropFirst()))
    exit(status.rawValue)
  }

  private static func run(_ words: [String]) -> ExitStatus {
    guard let name = words.first else {
      StandardError.write(help)
      return .usage
    }
    let rest = Array(words.dropFirst())
    switch name {
    case "--help", "-h":
      return StandardOutput.write(help)
    case "--version":
      return StandardOutput.write("reel \(version)\n")
    case "help":
      guard let topic = rest.first else { return StandardOutput.write(help) }
      guard let command = command(named: topic) else { return unknown(topic) }
      return StandardOutput.write(command.help)
    default:
      guard let command = command(named: name) else { return unknown(name) }
      return run(command, rest)
    }
  }

  private static func run(_ command: any Command.Type, _ words: [String]) -> ExitStatus {
    do throws(CommandFailure) {
      let arguments = try Arguments(words, grammar: command.grammar)
      if arguments.has("--help") { return StandardOutput.write(command.help) }
      return try command.run(arguments)
    } catch {
      StandardError.write("reel \(command.name): \(error.message)\n")
      return error.status
    }
  }

  private static func command(named name: String) -> (any Command.Type)? {
    commands.first { $0.name == name }
  }

  private static func unknown(_ name: String) -> ExitStatus {
    let near = nearest(to: name, in: commands.map { $0.name })
    let hint = near.map { "did you mean '\($0)'? " } ?? ""
    StandardError.write("reel: unknown command '\(name)'; \(hint)see reel --help\n")
    return .usage
  }

  static var help: String {
    var text = """
      reel: a media player without a screen. Opens video files, decodes them, and renders what a
      player would show, the same bytes on every machine.

      usage: reel COMMAND [OPTIONS] INPUT…


      """
    for command in commands {
      let name = "  \(command.name)"
      text += name + String(repeating: " ", count: 13 - name.count) + command.summary + "\n"
    }
    return text + """

      `reel COMMAND --help` teaches one command, with examples. `reel --version` tells the version.
      Exit status: 0 done, 1 the input failed, 2 wrong usage, 3 the output failed.

      """
  }
}
