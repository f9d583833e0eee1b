// What a download consists of: known before the first segment is asked for, and the same after a kill.

internal import ReelCore
internal import ReelIO

/// A file to fetch.
struct DownloadPiece: Sendable, Hashable {
  enum Kind: String, Sendable {
    case segment, section, key, subtitles, file
  }

  /// File name in the store, made of a hash.
  let name: String
  let kind: Kind
  let address: String
  /// The list that names it; empty for the user's own address.
  let namedBy: String
  let range: Range<Int64>?
  /// The bytes are cipher text: nothing but their number can be checked.
  let isEncrypted: Bool

  /// Extensions that a name may have, whatever the address says.
  private static let extensions: Set<String> = [
    "ts", "m4s", "mp4", "m4v", "m4a", "cmfv", "cmfa", "aac", "mp3", "ac3", "ec3", "vtt", "mov",
  ]

  init(
    _ kind: Kind, _ address: String, namedBy: String, range: Range<Int64>? = nil,
    isEncrypted: Bool = false
  ) throws(MediaError) {
    let part = range.map { " \($0.lowerBound)-\($0.upperBound)" } ?? ""
    let hash = try SHA256.digest(Array((address + part).utf8))
    let path = address.prefix { $0 != "?" && $0 != "#" }
    let last = path.split(separator: "/").last.flatMap { $0.split(separator: ".").last } ?? ""
    let known = Self.extensions.contains(last.lowercased()) ? last.lowercased() : "bin"
    name = "\(hash.prefix(32)).\(kind == .key ? "key" : known)"
    self.kind = kind
    self.address = address
    self.namedBy = namedBy
    self.range = range
    self.isEncrypted = isEncrypted
  }

  fileprivate init?(_ words: [String]) {
    guard words.count == 8, let kind = Kind(rawValue: words[2]) else { return nil }
    name = words[1]
    self.kind = kind
    address = words[3]
    namedBy = words[4]
    if let low = Int64(words[5]), let high = Int64(words[6]), low >= 0, high > low {
      range = low..<high
    } else {
      range = nil
    }
    isEncrypted = words[7] == "encrypted"
  }

  fileprivate var words: [String] {
    [
      "piece", name, kind.rawValue, address, namedBy, range.map { "\($0.lowerBound)" } ?? "-",
      range.map { "\($0.upperBound)" } ?? "-", isEncrypted ? "encrypted" : "clear",
    ]
  }
}

/// A playlist of the store.
struct StoredList: Sendable, Hashable {
  let name: String
  /// Where the list came from.
  let address: String
  /// The list that named it, and the variables that one exports; nil for the user's own address.
  var parent: Parent?
  /// The list as it will stand in the store: every name in it is one of the store.
  var text: [UInt8]
  /// The remote list had no end yet: it is to be read again.
  var isOpen: Bool

  /// What is needed to read the list again as it was read first.
  struct Parent: Sendable, Hashable {
    let address: String
    let variables: [String: String]

    /// A line for each variable, in order of their names.
    fileprivate var words: [String] {
      let lines = variables.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
      return [address, lines.joined(separator: "\n")]
    }

    fileprivate init(_ address: String, _ text: String) {
      var variables: [String: String] = [:]
      for line in text.split(separator: "\n") {
        let sides = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        if sides.count == 2 { variables[String(sides[0])] = String(sides[1]) }
      }
      self.init(address: address, variables: variables)
    }

    init(address: String, variables: [String: String]) {
      (self.address, self.variables) = (address, variables)
    }
  }
}

/// All files of a download.
struct DownloadPlan: Sendable {
  /// Name of the file to open for playing.
  var entry: String
  var lists: [StoredList] = []
  private(set) var pieces: [DownloadPiece] = []
  private var names: Set<String> = []

  init(entry: String) { self.entry = entry }

  /// Adds a file unless it is there.
  mutating func add(_ piece: DownloadPiece) {
    if names.insert(piece.name).inserted { pieces.append(piece) }
  }

  private static let title = "reel-plan 1"

  var text: [UInt8] {
    get throws(MediaError) {
      var text = Record.line([Self.title]) + Record.line(["entry", entry])
      for list in lists {
        text += Record.line(
          [
            "list", list.name, list.address, list.isOpen ? "open" : "ended",
            String(decoding: list.text, as: UTF8.self),
          ] + (list.parent?.words ?? []))
      }
      for piece in pieces { text += Record.line(piece.words) }
      return text + Record.line(["end", try SHA256.digest(text)])
    }
  }

  /// Reads a plan.
  ///
  /// - Throws: `damaged` for one that is not whole.
  init(_ text: [UInt8], at place: Place) throws(MediaError) {
    let damaged = MediaError(.damaged, .downloadPlan, at: place, advice: "delete it and begin anew")
    var lines = Record.lines(text)
    guard let end = lines.popLast(), end.count == 2, end[0] == "end" else { throw damaged }
    let body = Array(text.dropLast(Record.line(end).count))
    guard try SHA256.digest(body) == end[1], lines.first == [Self.title] else { throw damaged }
    entry = ""
    for words in lines.dropFirst() {
      switch words.first {
      case "entry" where words.count == 2: entry = words[1]
      case "list" where words.count == 5 || words.count == 7:
        lists.append(
          StoredList(
            name: words[1], address: words[2],
            parent: words.count == 7 ? StoredList.Parent(words[5], words[6]) : nil,
            text: Array(words[4].utf8), isOpen: words[3] == "open"))
      case "piece":
        guard let piece = DownloadPiece(words) else { throw damaged }
        add(piece)
      default: throw damaged
      }
    }
    let all = [entry] + lists.map(\.name) + pieces.map(\.name)
    guard all.allSatisfy(Self.isName) else { throw damaged }
  }

  /// Names of the store have no slash and no leading dot, whatever a file says.
  static func isName(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= 80 && name.utf8.first != UInt8(ascii: ".")
      && name.utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) || $0 == UInt8(ascii: ".")
      }
  }
}
