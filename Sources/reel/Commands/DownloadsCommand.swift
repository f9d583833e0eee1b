// `reel downloads`: what is in a store.

import ReelCore
import ReelDownloads

enum DownloadsCommand: Command {
  static let name = "downloads"
  static let summary = "list, pause, resume, cancel, delete or verify the downloads of a store"

  static let grammar = Grammar(
    [Option("--store", value: "DIR"), Option("--repair")] + Arguments.networkOptions,
    operands: 1...1024, operandName: "ACTION")

  static let help = """
    reel downloads: the downloads of a store.

    usage: reel downloads list --store DIR
           reel downloads pause|resume|cancel|delete|verify --store DIR [ID…]
                          [--repair] [--allow-private-network]

    ID is the name of a download, or as much of its begin as is needed; without one, all are meant, but
    cancel and delete want to be told which.

      list     a line for each: ID, state, files done and known, bytes, address, separated by tabs
      pause    ask the process that works on it to stop; what is there stays
      resume   go on; prints the path to play when everything is there
      cancel   stop the process that works on it, and remove what is there
      delete   remove it; refused while a process works on it
      verify   compare every file with the length and SHA-256 it had; --repair removes what changed, so
               that resume fetches it again

    Status: 0 done, 1 when a server failed or a file is not what it was, 2 wrong usage, 3 when the store
    cannot be written.

    examples:
      reel downloads list --store films
      reel downloads verify --store films --repair && reel downloads resume --store films

    """

  static func run(_ arguments: Arguments) throws(CommandFailure) -> ExitStatus {
    guard let path = arguments.value("--store") else {
      throw .usage("name the folder of the store: --store DIR; see --help")
    }
    let action = arguments.operands[0]
    let ids = Array(arguments.operands.dropFirst())
    do throws(MediaError) {
      let client = action == "resume" ? try arguments.inputs.client() : nil
      let store = try DownloadStore(path: path, client: client)
      switch action {
      case "list": return try list(store)
      case "pause": return try each(store, ids) { (d) throws(MediaError) in try d.pause() }
      case "resume": return try resume(store, ids)
      case "cancel", "delete":
        guard !ids.isEmpty else { throw MediaError(.usage, .downloadsID, detail: action) }
        for id in ids {
          if action == "cancel" { try store.cancel(id: id) } else { try store.delete(id: id) }
        }
        return .done
      case "verify": return try verify(store, ids, repairs: arguments.has("--repair"))
      default:
        let known = ["list", "pause", "resume", "cancel", "delete", "verify"]
        let hint = nearest(to: action, in: known).map { "did you mean '\($0)'?" } ?? ""
        throw MediaError(.usage, .downloadsAction, at: .named(action), advice: hint)
      }
    } catch {
      throw DownloadWork.failure(error, path)
    }
  }

  private static func list(_ store: DownloadStore) throws(MediaError) -> ExitStatus {
    var text = ""
    for info in try store.list() {
      let progress = info.progress
      let words = [
        info.id, info.state.description, "\(progress.completedPieces)/\(progress.totalPieces)",
        "\(progress.byteCount)", info.address,
      ]
      text += words.joined(separator: "\t") + "\n"
    }
    return StandardOutput.write(text)
  }

  private static func chosen(
    _ store: DownloadStore, _ ids: [String]
  ) throws(MediaError) -> [Download] {
    var downloads: [Download] = []
    for id in ids.isEmpty ? try store.list().map(\.id) : ids {
      downloads.append(try store.download(id: id))
    }
    return downloads
  }

  private static func each(
    _ store: DownloadStore, _ ids: [String], _ body: (Download) throws(MediaError) -> Void
  ) throws(MediaError) -> ExitStatus {
    for download in try chosen(store, ids) { try body(download) }
    return .done
  }

  private static func resume(
    _ store: DownloadStore, _ ids: [String]
  ) throws(MediaError) -> ExitStatus {
    var worst = ExitStatus.done
    for download in try chosen(store, ids) {
      do throws(MediaError) {
        let status = try DownloadWork.run(download, label: "downloads")
        if status != .done { worst = status }
      } catch {
        let failure = DownloadWork.failure(error, download.address)
        StandardError.write("reel downloads: \(download.id): \(failure.message)\n")
        worst = failure.status
      }
    }
    return worst
  }

  private static func verify(
    _ store: DownloadStore, _ ids: [String], repairs: Bool
  ) throws(MediaError) -> ExitStatus {
    var worst = ExitStatus.done
    for download in try chosen(store, ids) {
      do throws(MediaError) {
        let faults = repairs ? try download.repair() : try download.verify()
        for fault in faults {
          StandardError.write("reel downloads: \(download.id)/\(fault)\n")
        }
        if !faults.isEmpty && !repairs { worst = .inputFailed }
      } catch {
        StandardError.write("reel downloads: \(error)\n")
        worst = .inputFailed
      }
    }
    return worst
  }
}

extension Rule {
  static let downloadsAction = Rule(
    "reel.downloads-action", "downloads takes list, pause, resume, cancel, delete or verify")
  static let downloadsID = Rule("reel.downloads-id", "this needs to be told which download")
}
