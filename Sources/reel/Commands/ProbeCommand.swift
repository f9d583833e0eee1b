// `reel probe`: what is in an input.

import ReelCore
import ReelKit
import ReelRendering

enum ProbeCommand: Command {
  static let name = "probe"
  static let summary = "tell what is in an input: format, tracks, packets"

  static let grammar = Grammar(
    [
      Option("--json"), Option("--packets"), Option("--boxes"), Option("--hash"),
      Option("--strict"), Option("--standard"),
    ] + Arguments.networkOptions, operands: 1...1)

  static let help = """
    reel probe: tell what is in an input.

    usage: reel probe INPUT [--json] [--packets [--hash]] [--boxes] [--standard|--strict]
                      [--allow-private-network]

    Tells the format, the length, the tracks with their codecs and sizes, tags, chapters, and what was
    wrong but could be read past, with offset and clause. Nothing is decoded. `-` is standard input;
    of an http or https address only the parts that are needed are read.

      --json      for programs: "streams", "chapters" and "format" with ffprobe's names and units, and
                  "faults"; "nb_frames" is what the container states, "nb_read_packets" what is
                  really there, "nb_presented_frames" what the edit list shows
      --packets   list the packets too, in file order, with presentation times as the first edit
                  shifts them; flags K sync sample, D outside of every edit
      --hash      with --packets --json: the MD5 of each packet's bytes
      --boxes     show the tree of boxes: type, offset, size, fields, and the fault where one is
      --standard  what the format's standard says "shall" of is an error
      --strict    what it says "should" of is an error too
      --allow-private-network
                  ask servers on this machine and in private networks too

    Status: 0 when the input can be read, 1 when it is damaged or of no known kind.

    examples:
      reel probe clip.mp4
      reel probe clip.mp4 --json | jq '.streams[0].width'
      reel probe clip.mp4 --packets --json | jq -r '.packets[] | select(.flags == "K_") | .pts_time'
      reel probe broken.mp4 --boxes

    """

  static func run(_ arguments: Arguments) throws(CommandFailure) -> ExitStatus {
    let input = arguments.operands[0]
    var options = ProbeReport.Options()
    options.listsPackets = arguments.has("--packets")
    options.hashesPackets = arguments.has("--hash")
    options.showsStructure = arguments.has("--boxes")
    if arguments.has("--standard") { options.open.strictness = .standard }
    if arguments.has("--strict") { options.open.strictness = .strict }
    do throws(MediaError) {
      let report = try report(input, arguments.inputs, options)
      let output = try FileOutput(path: "-")
      let sink = { (bytes: [UInt8]) throws(MediaError) in try output.write(bytes) }
      let tells = report.isReadable || options.showsStructure || report.playlist != nil
      if arguments.has("--json") || tells {
        try arguments.has("--json") ? report.writeJSON(to: sink) : report.writeText(to: sink)
      }
      try output.finish()
      if let failure = report.failure { throw failure }
      return .done
    } catch {
      throw CommandFailure(error, input: input)
    }
  }

  private static func report(
    _ input: String, _ opener: InputOpener, _ options: ProbeReport.Options
  ) throws(MediaError) -> ProbeReport {
    let source = try opener.source(input)
    guard input != "-", try Asset.isPlaylist(source) else {
      return try ProbeReport(source, name: input, options: options)
    }
    return try ProbeReport(
      playlist: input, byteCount: source.byteCount, loader: opener, options: options)
  }
}
