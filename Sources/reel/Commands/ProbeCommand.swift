// `reel probe`: what is in an input.

import ReelCore
import ReelKit
import ReelRendering

enum ProbeCommand: Command {
  static let name = "probe"
  static let summary = "tell what is in an input: format, tracks, packets"

  static let grammar = Grammar(
    [Option("--json"), Option("--packets"), Option("--boxes")], operands: 1...1)

  static let help = """
    reel probe: tell what is in an input.

    usage: reel probe INPUT [--json] [--packets] [--boxes]

    Tells the format, the length, the tracks with their codecs and sizes, tags, and what was wrong but
    could be read past. Nothing is decoded. `-` is standard input.

      --json     for programs: one object with "format", "tracks", "tags" and "warnings"; times as
                 ticks and as seconds
      --packets  list the packets too, in file order: track, presentation and decoding time and
                 duration in ticks, bytes, K for a sync sample, offset
      --boxes    list the boxes of an ISO base media file instead: offset, size, type

    Status: 0 when the input can be read, 1 when it is damaged or of no known kind.

    examples:
      reel probe clip.mp4
      reel probe clip.mp4 --json | jq '.tracks[0].width'
      reel probe clip.mp4 --packets | awk '$6 == "K"'

    """

  static func run(_ arguments: Arguments) throws(CommandFailure) -> ExitStatus {
    let input = arguments.operands[0]
    if arguments.has("--boxes") && arguments.has("--packets") {
      throw .usage("choose one of --boxes and --packets")
    }
    do throws(MediaError) {
      let output = try FileOutput(path: "-")
      if arguments.has("--boxes") {
        try BoxListing(path: input).write(to: output, asJSON: arguments.has("--json"))
      } else {
        let asset = try Asset.open(path: input)
        if arguments.has("--json") {
          try JSONReport(asset, name: input).write(
            to: output, withPackets: arguments.has("--packets"))
        } else {
          try TextReport(asset, name: input).write(
            to: output, withPackets: arguments.has("--packets"))
        }
      }
      try output.finish()
      return .done
    } catch {
      throw CommandFailure(error, input: input)
    }
  }
}
