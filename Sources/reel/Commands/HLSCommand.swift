// `reel hls`: playlists and streaming sessions.

import ReelCore
import ReelIO
import ReelKit
import ReelRendering

enum HLSCommand: Command {
  static let name = "hls"
  static let summary = "check playlists, and simulate streaming sessions over a network"

  static let grammar = Grammar(
    [
      Option("--network", value: "TRACE"), Option("--json"), Option("--log"),
      Option("--max-bandwidth", value: "BITS"), Option("--max-height", value: "N"),
      Option("--buffer", value: "SECONDS"), Option("--strict"),
    ] + Arguments.networkOptions, operands: 2...2)

  static let help = """
    reel hls: check playlists, and simulate streaming sessions.

    usage: reel hls validate LIST [--strict] [--json]
           reel hls simulate LIST --network TRACE [--json] [--log]
                    [--max-bandwidth BITS] [--max-height N] [--buffer SECONDS]

    validate  tells which rules of RFC 8216 and its second edition the text of a playlist breaks, with
              line and clause. Status 0 when none, 1 when some.
    simulate  plays the list in virtual time: which variant each segment is loaded in, when playback
              waits, and what that comes to. Media playlists are read, segments are not. The same list
              and trace give the same session on every machine.

      --network TRACE   a file with a line for each change of the network: seconds, kbit/s, latency in
                        ms, loss in percent (the last two may be left out); or KBPS[,LATENCY[,LOSS]]
                        for a network that does not change
      --max-bandwidth BITS, --max-height N
                        leave out variants beyond these
      --buffer SECONDS  media to load ahead (default 30)
      --log             tell everything that happens, with its time
      --json            for programs
      --strict          faults that can be read past end reading
      --allow-private-network
                        load from this machine and private networks too

    examples:
      reel hls validate master.m3u8
      reel hls simulate master.m3u8 --network train.trace --log
      reel hls simulate https://example.com/master.m3u8 --network 2500,60 --json

    """

  static func run(_ arguments: Arguments) throws(CommandFailure) -> ExitStatus {
    let input = arguments.operands[1]
    do throws(MediaError) {
      switch arguments.operands[0] {
      case "validate": return try validate(input, arguments)
      case "simulate":
        guard let network = arguments.value("--network") else {
          throw MediaError(.usage, .hlsUsage, detail: "say --network TRACE; see --help")
        }
        return try simulate(input, network, arguments)
      default:
        throw MediaError(
          .usage, .hlsUsage, detail: "'\(arguments.operands[0])' is neither validate nor simulate")
      }
    } catch {
      throw CommandFailure(error, input: input)
    }
  }

  // MARK: validate

  private static func validate(
    _ input: String, _ arguments: Arguments
  ) throws(MediaError) -> ExitStatus {
    var options = StreamingOptions.standard
    if arguments.has("--strict") { options.open.strictness = .strict }
    let parsed = try StreamingPresentation.playlist(
      address: input, loader: arguments.inputs, options: options)
    let issues = parsed.warnings + parsed.playlist.issues
    var text = ""
    if arguments.has("--json") {
      text = "[" + issues.map { "\n  \(json($0))" }.joined(separator: ",") + "\n]\n"
    } else {
      text = issues.map { "\(input): \($0)\n" }.joined()
      text += issues.isEmpty ? "\(input): no rule is broken\n" : "\(issues.count) issues\n"
    }
    let status = StandardOutput.write(text)
    guard status == .done else { return status }
    return issues.isEmpty ? .done : .inputFailed
  }

  private static func json(_ issue: MediaError) -> String {
    let line: String =
      switch issue.place {
      case .line(let line), .column(_, let line): "\(line)"
      default: "null"
      }
    return
      "{\"rule\": \(quoted(issue.rule.code)), \"line\": \(line), "
      + "\"clause\": \(quoted(issue.rule.clause)), \"text\": \(quoted(issue.rule.text)), "
      + "\"detail\": \(quoted(issue.detail))}"
  }

  static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\\(scalar)"
      case "\u{0}"..<" ":
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  // MARK: simulate

  private static func simulate(
    _ input: String, _ network: String, _ arguments: Arguments
  ) throws(MediaError) -> ExitStatus {
    var caps = AdaptiveCaps()
    caps.maximumBandwidth = try number(arguments, "--max-bandwidth").map(Int64.init)
    if let height = try number(arguments, "--max-height") {
      caps.maximumResolution = Resolution(width: .max, height: height)
    }
    var controller = AdaptiveController()
    if let seconds = try number(arguments, "--buffer") {
      controller.maximumBuffer = Int64(seconds) * 1_000_000
    }
    let plan = try SessionPlan(
      address: input, loader: arguments.inputs, caps: caps, options: .standard)
    let report = SimulatedSession(
      plan, network: try trace(network), controller: controller
    ).run()
    let page = SessionPage(plan: plan, report: report)
    let status = StandardOutput.write(
      arguments.has("--json") ? page.json : page.text(withLog: arguments.has("--log")))
    guard status == .done else { return status }
    return report.isComplete ? .done : .inputFailed
  }

  private static func number(
    _ arguments: Arguments, _ option: String
  ) throws(MediaError) -> Int? {
    guard let text = arguments.value(option) else { return nil }
    guard let value = Int(text), 1...1_000_000_000 ~= value else {
      throw MediaError(.usage, .hlsUsage, detail: "\(option) \(text) is no number from 1 on")
    }
    return value
  }

  private static func trace(_ name: String) throws(MediaError) -> NetworkTrace {
    let words = name.split(separator: ",", omittingEmptySubsequences: false)
    if words.count <= 3, words.allSatisfy({ Rational($0) != nil }) {
      return try NetworkTrace(parsing: "0 " + words.joined(separator: " "))
    }
    do throws(MediaError) {
      let source = try FileSource.open(path: name, maximumStreamBytes: 16 << 20)
      let bytes = try source.readFully(at: 0, count: 16 << 20)
      return try NetworkTrace(parsing: String(decoding: bytes, as: UTF8.self))
    } catch {
      guard case .line = error.place else { throw error }
      throw MediaError(
        error.family, error.rule, at: .named(name), detail: "\(error.place): \(error.detail)")
    }
  }
}

extension Rule {
  static let hlsUsage = Rule("reel.hls", "reel hls takes validate LIST or simulate LIST")
}
