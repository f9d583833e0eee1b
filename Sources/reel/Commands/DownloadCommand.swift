// `reel download`: a presentation or a file into a store, to be played without a network.

import ReelCore
import ReelDownloads

enum DownloadCommand: Command {
  static let name = "download"
  static let summary = "download a presentation or a file into a store; goes on after a kill"

  static let grammar = Grammar(
    [
      Option("--store", value: "DIR"), Option("--variant", value: "V"),
      Option("--audio", value: "LANGUAGES"), Option("--subtitles", value: "LANGUAGES"),
      Option("--duration", value: "T"), Option("--no-keys"), Option("--jobs", value: "N"),
    ] + Arguments.networkOptions, operands: 1...1, operandName: "URL")

  static let help = """
    reel download: download a presentation or a file into a store, to be played without a network.

    usage: reel download URL --store DIR [--variant V] [--audio LANGUAGES] [--subtitles LANGUAGES]
                         [--duration T] [--no-keys] [--jobs N] [--allow-private-network]

    URL is an HLS list, told by its content, or a media file. What is there is kept, whatever stops the
    download: the same command goes on at the byte where it stopped, and asks the server whether the
    content is still the same. Files have names made of hashes; lists are rewritten to them. At the end
    the path to play is printed.

      --store DIR        folder of the store, made when it is missing
      --variant V        highest (the default), lowest, 720p (the highest of at most 720 lines), or
                         2500000 (of at most so many bits a second)
      --audio LANGUAGES  audio renditions by language, separated by commas (default: the list's own
                         default)
      --subtitles LANGUAGES
                         subtitles by language, separated by commas (default: none)
      --duration T       how much of a live stream to record; without it live streams are refused
      --no-keys          refuse lists with AES-128 keys, which would lie in the store in the clear
      --jobs N           fetches at the same time (default 4, at most 16)
      --allow-private-network
                         ask servers on this machine and in private networks too

    Status: 0 when everything is there, 1 when the server failed or somebody paused it, 3 when the store
    cannot be written; the disk may be full.

    examples:
      reel download https://example.com/film/master.m3u8 --store films --variant 720p --audio en,de
      reel download https://example.com/clip.mp4 --store films
      reel render "$(reel download https://example.com/a.m3u8 --store films)" -o md5:

    """

  static func run(_ arguments: Arguments) throws(CommandFailure) -> ExitStatus {
    guard let store = arguments.value("--store") else {
      throw .usage("name a folder for the store: --store DIR; see --help")
    }
    let options = try options(arguments)
    let address = arguments.operands[0]
    do throws(MediaError) {
      let store = try DownloadStore(path: store, client: arguments.inputs.client())
      let download = try store.download(address, options: options)
      return try DownloadWork.run(download, label: name)
    } catch {
      throw DownloadWork.failure(error, address)
    }
  }

  private static func options(
    _ arguments: Arguments
  ) throws(CommandFailure) -> DownloadOptions {
    var options = DownloadOptions()
    if let text = arguments.value("--variant") {
      guard let choice = VariantChoice(text) else {
        throw .usage("--variant takes highest, lowest, 720p or bits a second, not '\(text)'")
      }
      options.variant = choice
    }
    options.audioLanguages = list(arguments.value("--audio"))
    options.subtitleLanguages = list(arguments.value("--subtitles"))
    options.liveDuration = try arguments.time("--duration")
    options.storesKeys = !arguments.has("--no-keys")
    options.parallelFetches = try arguments.count("--jobs", in: 1...16) ?? 4
    return options
  }

  private static func list(_ text: String?) -> [String] {
    (text ?? "").split(separator: ",").map(String.init)
  }
}

/// What `download` and `downloads resume` share.
enum DownloadWork {
  /// Works on a download with a bar on the terminal, and prints the path to play.
  static func run(_ download: Download, label: String) throws(MediaError) -> ExitStatus {
    let bar = DownloadBar(label)
    do throws(MediaError) {
      try download.run { bar.show($0) }
    } catch {
      bar.clear()
      throw error
    }
    bar.clear()
    return StandardOutput.write("\(try download.info().entry ?? "")\n")
  }

  /// The end of a command that an error of the store or of a server stopped.
  static func failure(_ error: MediaError, _ input: String) -> CommandFailure {
    let output: Set<Rule> = [.downloadStore, .downloadSpace]
    guard output.contains(error.rule) else { return CommandFailure(error, input: input) }
    return CommandFailure(status: .outputFailed, message: error.description)
  }
}

/// A line on the terminal that tells how far a download is.
private final class DownloadBar {
  private var progress: Progress
  init(_ label: String) { progress = Progress(label, total: nil, unit: "KiB") }

  func show(_ state: DownloadProgress) {
    progress.show(Int(clamping: state.byteCount / 1024), of: state.fraction)
  }

  func clear() { progress.clear() }
}
