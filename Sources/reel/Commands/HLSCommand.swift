// `reel hls`: playlists and streaming sessions.

import ReelCore
import ReelIO
import ReelKit
import ReelPlayback
import ReelRendering

enum HLSCommand: Command {
  static let name = "hls"
  static let summary = "check playlists, and simulate streaming sessions over a network"

  static let grammar = Grammar(
    [
      Option("--json"), Option("--log"), Option("--strict"), Option("--duration", value: "T"),
    ] + NetworkArguments.options + Arguments.networkOptions, operands: 2...2)

  static let help = """
    reel hls: check playlists, simulate streaming sessions, measure networks.

    usage: reel hls validate LIST [--strict] [--json]
           reel hls simulate LIST --network TRACE [--json] [--log]
                    [--max-bandwidth BITS] [--max-height N] [--buffer SECONDS]
                    [--recording FILE] [--duration T]
           reel hls measure LIST [--max-bandwidth BITS] [--max-height N]

    validate  tells which rules of RFC 8216 and its second edition the text of a playlist breaks, with
              line and clause. Status 0 when none, 1 when some.
    simulate  plays the list in virtual time: which variant each segment is loaded in, when playback
              waits, and what that comes to. Media playlists are read, segments are not. The same list
              and trace give the same session on every machine, and it is the one that reel render
              --network plays.
    measure   loads the first segments of a list on the web and prints how fast they came, as a trace.

    \(NetworkArguments.help)
      --duration T      follow a live list until it has told of this many seconds
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
    let network = try NetworkArguments(arguments)
    do throws(MediaError) {
      switch arguments.operands[0] {
      case "validate": return try validate(input, arguments)
      case "simulate": return try simulate(input, network, arguments)
      case "measure": return try measure(input, network, arguments)
      default:
        throw MediaError(
          .usage, .hlsUsage,
          detail: "'\(arguments.operands[0])' is not validate, simulate or measure")
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
      "{\"rule\": \(JSONText.quoted(issue.rule.code)), \"line\": \(line), "
      + "\"clause\": \(JSONText.quoted(issue.rule.clause)), \"text\": \(JSONText.quoted(issue.rule.text)), "
      + "\"detail\": \(JSONText.quoted(issue.detail))}"
  }

  // MARK: simulate

  private static func simulate(
    _ input: String, _ network: NetworkArguments, _ arguments: Arguments
  ) throws(MediaError) -> ExitStatus {
    let presentation = try network.presentation(input, arguments.inputs, .all)
    let plan = presentation.plan
    let report = SimulatedSession(
      plan, network: try network.trace(for: presentation), controller: network.controller
    ).run()
    let page = SessionPage(plan: plan, report: report)
    let status = StandardOutput.write(
      arguments.has("--json") ? page.json : page.text(withLog: arguments.has("--log")))
    guard status == .done else { return status }
    return report.isComplete ? .done : .inputFailed
  }

  // MARK: measure

  private static func measure(
    _ input: String, _ network: NetworkArguments, _ arguments: Arguments
  ) throws(MediaError) -> ExitStatus {
    let presentation = try AdaptivePresentation(
      address: input, loader: arguments.inputs, registry: .standard, caps: network.caps,
      options: .standard)
    let trace = try presentation.measuredNetwork()
    return StandardOutput.write("# \(input)\n# seconds  kbit/s  latency-ms  loss-%\n" + trace.text)
  }
}

extension Rule {
  static let hlsUsage = Rule(
    "reel.hls", "reel hls takes validate LIST, simulate LIST or measure LIST")
}
