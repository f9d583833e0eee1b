// What a download has done so far, line by line, so that a kill loses nothing but the line that was being written.

internal import ReelCore

/// A stored file as the manifest and the journal have it.
struct StoredPiece: Sendable, Hashable {
  var byteCount: Int64
  var hash: String
}

/// The journal of an unfinished download. Lines:
/// `boot ID` · `begin NAME TAG TOTAL` · `done NAME BYTES SHA256` · `state STATE REASON`.
struct DownloadJournal {
  private(set) var done: [String: StoredPiece] = [:]
  /// Entity tag and length of the content that an unfinished file holds the begin of.
  private(set) var begun: [String: (tag: String, total: Int64?)] = [:]
  private(set) var state = DownloadState.downloading
  private(set) var boot = ""

  static let name = "journal"

  init(_ text: [UInt8]) {
    for words in Record.lines(text) { take(words) }
  }

  private mutating func take(_ words: [String]) {
    switch (words.first, words.count) {
    case ("boot", 2): boot = words[1]
    case ("begin", 4): begun[words[1]] = (words[2], Int64(words[3]))
    case ("done", 4):
      if let count = Int64(words[2]) {
        done[words[1]] = StoredPiece(byteCount: count, hash: words[3])
      }
    case ("state", 3):
      state =
        switch words[1] {
        case "paused": .paused
        case "failed": .failed(words[2])
        default: .downloading
        }
    default: break
    }
  }

  static func boot(_ id: String) -> [UInt8] { Record.line(["boot", id]) }

  static func begin(_ name: String, tag: String, total: Int64?) -> [UInt8] {
    Record.line(["begin", name, tag, total.map { "\($0)" } ?? "-"])
  }

  static func done(_ name: String, _ piece: StoredPiece) -> [UInt8] {
    Record.line(["done", name, "\(piece.byteCount)", piece.hash])
  }

  static func state(_ state: DownloadState) -> [UInt8] {
    switch state {
    case .paused: Record.line(["state", "paused", ""])
    case .failed(let reason): Record.line(["state", "failed", reason])
    default: Record.line(["state", "downloading", ""])
    }
  }
}

/// The manifest of a finished download: every file with its length and hash.
struct DownloadManifest {
  static let name = "manifest"
  private static let title = "reel-download 1"
  var address: String
  var entry: String
  var files: [(name: String, piece: StoredPiece)] = []

  init(address: String, entry: String) {
    self.address = address
    self.entry = entry
  }

  var text: [UInt8] {
    var text = Record.line([Self.title]) + Record.line(["address", address])
    text += Record.line(["entry", entry])
    for file in files.sorted(by: { $0.name < $1.name }) {
      text += Record.line(["file", file.name, "\(file.piece.byteCount)", file.piece.hash])
    }
    return text
  }

  init(_ text: [UInt8], at place: Place) throws(MediaError) {
    let damaged = MediaError(.damaged, .downloadPlan, at: place, advice: "delete it and begin anew")
    let lines = Record.lines(text)
    guard lines.count >= 3, lines[0] == [Self.title], lines[1].count == 2, lines[2].count == 2
    else {
      throw damaged
    }
    (address, entry) = (lines[1][1], lines[2][1])
    for words in lines.dropFirst(3) {
      guard words.count == 4, words[0] == "file", DownloadPlan.isName(words[1]),
        let count = Int64(words[2])
      else { throw damaged }
      files.append((words[1], StoredPiece(byteCount: count, hash: words[3])))
    }
  }
}
