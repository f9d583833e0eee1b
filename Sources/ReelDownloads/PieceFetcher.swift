// Fetching one file: from the byte where it stopped, and never a mixture of two contents.

internal import ReelCore
internal import ReelIO
internal import Synchronization

/// What the fetchers of a download share.
final class FetchSession: Sendable {
  let folder: StoreFolder
  let client: HTTPClient
  let options: DownloadOptions
  private let journal: Mutex<StoredFile>
  private let begun: Mutex<[String: (tag: String, total: Int64?)]>
  private let stopped = Atomic<Bool>(false)

  init(
    folder: StoreFolder, client: HTTPClient, options: DownloadOptions, journal: sending StoredFile,
    begun: [String: (tag: String, total: Int64?)]
  ) {
    self.folder = folder
    self.client = client
    self.options = options
    self.journal = Mutex(journal)
    self.begun = Mutex(begun)
  }

  /// Asks all transfers to end.
  func stop() { stopped.store(true, ordering: .relaxed) }
  var isStopped: Bool { stopped.load(ordering: .relaxed) }

  func log(_ line: [UInt8], syncing: Bool = false) throws(MediaError) {
    try journal.withLock { (journal) throws(MediaError) in
      try journal.write(line)
      if syncing { try journal.sync() }
    }
  }

  func begin(_ name: String, tag: String, total: Int64?) throws(MediaError) {
    try log(DownloadJournal.begin(name, tag: tag, total: total))
    begun.withLock { $0[name] = (tag, total) }
  }

  /// Entity tag and length of the content that the unfinished file begins.
  func beginning(of name: String) -> (tag: String, total: Int64?)? { begun.withLock { $0[name] } }

  /// Waits before another attempt, in steps, so that a stop is noticed.
  func pause(_ duration: Duration) {
    var left = duration
    while left > .zero && !isStopped {
      let step = min(left, .milliseconds(100))
      client.clock.sleep(for: step)
      left -= step
    }
  }
}

/// Fetches one file of a download.
struct PieceFetcher {
  let session: FetchSession
  let piece: DownloadPiece

  private var part: String { piece.name + ".part" }
  private var place: Place { .named(String(piece.address.prefix { $0 != "?" })) }
  private var limit: Int64 {
    switch piece.kind {
    case .key: 1024
    case .file: session.options.maximumFileBytes
    default: session.options.maximumSegmentBytes
    }
  }

  /// LIMIT: attempts at one file, however much each of them brings.
  private static let maximumAttempts = 10_000
  private static let fruitfulByteCount: Int64 = 32 << 10

  /// The file, stored under its name.
  ///
  /// - Throws: what a server or the disk answers in the end; `io` with `downloadStopped`.
  func fetch() throws(MediaError) -> StoredPiece {
    var fruitless = 0
    // Contents whose entity tag was another one when it was asked for again.
    var doubted: Set<String> = []
    for _ in 0..<Self.maximumAttempts {
      guard !session.isStopped else { throw MediaError(.io, .downloadStopped, at: place) }
      let before = session.folder.size(part) ?? 0
      do throws(MediaError) {
        try attempt(isFirst: fruitless == 0)
        return try complete(&doubted)
      } catch {
        if error.rule == .networkCancelled { throw MediaError(.io, .downloadStopped, at: place) }
        let isWrong = Self.startsAnew.contains(error.rule)
        guard error.mayPass || isWrong else { throw error }
        if isWrong { try session.folder.remove(part) }
        let after = session.folder.size(part) ?? 0
        // What brings the file forward is no failure yet; a few bytes each time are one.
        fruitless = after - before >= Self.fruitfulByteCount ? 1 : fruitless + 1
        guard fruitless <= session.client.retry.maximumRetries else { throw error }
        session.pause(session.client.retry.delay(beforeRetry: fruitless - 1))
      }
    }
    throw MediaError(.io, .connectionLost, at: place, detail: "\(Self.maximumAttempts) attempts")
  }

  /// After these the bytes that are there are worth nothing.
  private static let startsAnew: Set<Rule> = [
    .httpRange, .httpChanged, .downloadPiece, .downloadLength,
  ]

  private func attempt(isFirst: Bool) throws(MediaError) {
    try session.client.policy.check(
      piece.address, namedBy: piece.namedBy.isEmpty ? nil : piece.namedBy)
    var request = HTTPRequest(try WebAddress(piece.address))
    request.opensConnection = !isFirst
    let file = try StoredFile(session.folder, part)
    let begun = session.beginning(of: piece.name)
    let canResume = file.byteCount > 0 && begun?.tag.isEmpty == false
    if file.byteCount > 0 && !canResume { try file.truncate() }
    if canResume, let total = begun?.total, file.byteCount == total { return try file.sync() }
    let start = (piece.range?.lowerBound ?? 0) + file.byteCount
    if let range = piece.range {
      guard start < range.upperBound else { return try file.sync() }
      request.fields.append(("Range", "bytes=\(start)-\(range.upperBound - 1)"))
    } else if canResume {
      request.fields.append(("Range", "bytes=\(start)-"))
    }
    if canResume, let tag = begun?.tag { request.fields.append(("If-Range", tag)) }
    let receiver = PieceReceiver(
      self, request.address, file, resumedTag: canResume ? begun?.tag : nil)
    receiver.limit = limit
    receiver.range = piece.range
    try session.client.get(request, receiver: receiver)
    try receiver.finish()
    try file.sync()
  }

  /// Checks, hashes and names what was fetched.
  private func complete(_ doubted: inout Set<String>) throws(MediaError) -> StoredPiece {
    var check = PieceCheck(piece)
    let stored = try check.examine(session.folder, part, at: place)
    if !check.isVouchedFor && !doubted.contains(stored.hash) { try confirm(stored, &doubted) }
    try session.folder.rename(part, to: piece.name)
    try session.log(DownloadJournal.done(piece.name, stored))
    return stored
  }
}

extension PieceFetcher {
  /// Asks once more where no format tells whether the bytes are whole and the right ones (keys, texts, cipher
  /// text, elementary audio): a server or a cache that sent something else, or cut it and announced the cut
  /// length, says so now.
  ///
  /// Servers whose tags differ from answer to answer are believed when the same bytes come a second time.
  ///
  /// - Throws: `httpChanged`, after which the file is fetched anew.
  private func confirm(_ stored: StoredPiece, _ doubted: inout Set<String>) throws(MediaError) {
    let address = try WebAddress(piece.address)
    let first = piece.range?.lowerBound ?? 0
    let receiver = HeadReceiver(address, byteLimit: 0)
    var request = HTTPRequest(address)
    request.fields = [("Range", "bytes=\(first)-\(first)")]
    do throws(MediaError) {
      try session.client.get(request, receiver: receiver)
    } catch {
      guard error.rule == .headIsEnough else { throw error }
    }
    guard let head = receiver.head else { return }
    let total: Int64? =
      switch head.status {
      case 206: head.contentRange?.total
      case 416: head["content-range"] == "bytes */0" ? 0 : nil
      default: head.contentLength
      }
    if piece.range == nil, let total, total != stored.byteCount {
      throw MediaError(
        .io, .httpChanged, at: place, detail: "\(stored.byteCount) bytes came, it has \(total)")
    }
    let known = session.beginning(of: piece.name)?.tag ?? ""
    guard let tag = head.strongEntityTag, !known.isEmpty, tag != known else { return }
    doubted.insert(stored.hash)
    throw MediaError(.io, .httpChanged, at: place, detail: "was \(known), is \(tag)")
  }
}

/// Writes an answer to the end of an unfinished file.
private final class PieceReceiver: HTTPReceiver {
  private let fetcher: PieceFetcher
  private let address: WebAddress
  private let file: StoredFile
  private let resumedTag: String?
  var limit = Int64.max
  var range: Range<Int64>?
  /// Length the file has when all is there; nil when the server does not tell.
  private var expected: Int64?
  private var isChunked = false
  private var toSkip: Int64 = 0

  init(_ fetcher: PieceFetcher, _ address: WebAddress, _ file: StoredFile, resumedTag: String?) {
    self.fetcher = fetcher
    self.address = address
    self.file = file
    self.resumedTag = resumedTag
  }

  var isCancelled: Bool { fetcher.session.isStopped }

  func receive(_ head: HTTPHead) throws(MediaError) {
    if head.status == 416, let resumedTag {
      // The content is shorter than what is there, so it is another one.
      throw wrong(.httpChanged, "shorter than \(file.byteCount) bytes, was \(resumedTag)")
    }
    if let failure = head.failure(at: address) { throw failure }
    try head.checkCoding(address)
    let tag = head.strongEntityTag ?? ""
    let offset = range?.lowerBound ?? 0
    if head.status == 206 {
      guard let part = head.contentRange, part.range.lowerBound == offset + file.byteCount else {
        throw wrong(.httpRange, head["content-range"] ?? "no range told")
      }
      if let resumedTag, !tag.isEmpty, tag != resumedTag {
        throw wrong(.httpChanged, "was \(resumedTag), is \(tag)")
      }
      if let range {
        guard part.range.upperBound == range.upperBound else {
          throw wrong(.httpRange, head["content-range"] ?? "")
        }
        expected = range.upperBound - range.lowerBound
      } else {
        guard let total = part.total, part.range.upperBound == total else {
          throw wrong(.httpRange, head["content-range"] ?? "")
        }
        let known = fetcher.session.beginning(of: fetcher.piece.name)?.total
        if let known, known != total {
          throw wrong(.httpChanged, "was \(known) bytes, is \(total)")
        }
        expected = total
      }
    } else {
      // All of it: the content changed, or the server has no ranges.
      try file.truncate()
      toSkip = offset
      // What is skipped comes over the network all the same.
      if let range, range.upperBound > limit {
        throw wrong(.httpRange, "no ranges, and \(range.lowerBound) bytes before this one")
      }
      expected = range.map { $0.upperBound - $0.lowerBound } ?? head.contentLength
      isChunked = head["transfer-encoding"] != nil
      guard expected != nil || isChunked else {
        throw wrong(.downloadLength, "neither Content-Length nor chunks")
      }
    }
    if let expected, expected > limit { throw tooLong(expected) }
    if file.byteCount == 0 {
      try fetcher.session.begin(fetcher.piece.name, tag: tag, total: expected)
    }
  }

  func receive(_ bytes: [UInt8]) throws(MediaError) {
    var bytes = bytes[...]
    if toSkip > 0 {
      let count = Int(min(toSkip, Int64(bytes.count)))
      bytes = bytes.dropFirst(count)
      toSkip -= Int64(count)
    }
    if range != nil, let expected {
      bytes = bytes.prefix(Int(clamping: expected - file.byteCount))
    }
    guard file.byteCount + Int64(bytes.count) <= min(limit, expected ?? limit) else {
      throw tooLong(file.byteCount + Int64(bytes.count))
    }
    try file.write(Array(bytes))
  }

  /// - Throws: `connectionLost` when less came than was announced.
  func finish() throws(MediaError) {
    guard let expected, file.byteCount != expected else { return }
    throw MediaError(
      .io, .connectionLost, at: .named(address.redacted),
      detail: "\(file.byteCount) of \(expected) bytes")
  }

  private func wrong(_ rule: Rule, _ detail: String) -> MediaError {
    MediaError(.io, rule, at: .named(address.redacted), detail: detail)
  }

  private func tooLong(_ count: Int64) -> MediaError {
    MediaError(
      .limitExceeded, .httpBodySize, at: .named(address.redacted),
      detail: "\(count) bytes or more, the limit is \(limit)")
  }
}

/// Whether a file is as whole as its format tells: servers cut files and announce the cut length.
struct PieceCheck {
  private let piece: DownloadPiece
  private var head: [UInt8] = []
  private var count: Int64 = 0

  init(_ piece: DownloadPiece) { self.piece = piece }

  /// Length and hash of a file.
  ///
  /// - Throws: `io` with `downloadPiece` for one that is not whole.
  mutating func examine(
    _ folder: StoreFolder, _ name: String, at place: Place
  ) throws(MediaError) -> StoredPiece {
    let hash = try SHA256()
    var boxes = BoxWalk()
    var sync = PacketWalk()
    try folder.forEachPiece(name) { (bytes) throws(MediaError) in
      hash.update(bytes)
      if head.count < 16 { head += bytes.prefix(16 - head.count) }
      boxes.take(bytes)
      sync.take(bytes)
      count += Int64(bytes.count)
    }
    if let fault = fault(boxes, sync) {
      throw MediaError(.io, .downloadPiece, at: place, detail: fault)
    }
    return StoredPiece(byteCount: count, hash: hash.finish())
  }

  /// Whether the format tells that the file is whole; known after ``examine(_:_:at:)``.
  private(set) var isVouchedFor = false

  private mutating func fault(_ boxes: BoxWalk, _ sync: PacketWalk) -> String? {
    if piece.kind == .key { return count == 16 ? nil : "a key of \(count) bytes" }
    if count == 0 { return piece.name.hasSuffix(".vtt") ? nil : "no bytes" }
    if piece.isEncrypted { return count % 16 == 0 ? nil : "\(count) bytes of whole cipher blocks" }
    guard piece.kind == .segment || piece.kind == .section else { return nil }
    if piece.name.hasSuffix(".ts") {
      isVouchedFor = true
      return sync.fault
    }
    let type = head.count >= 8 ? String(decoding: head[4..<8], as: UTF8.self) : ""
    let isBoxes = ["ftyp", "styp", "moof", "moov", "sidx", "emsg", "prft"].contains(type)
    let isNamedSo = [".mp4", ".m4s", ".m4v", ".m4a", ".cmfv", ".cmfa"].contains {
      piece.name.hasSuffix($0)
    }
    isVouchedFor = isBoxes || isNamedSo
    return isVouchedFor ? boxes.fault(count) : nil
  }
}

/// Whether a file consists of transport packets.
private struct PacketWalk {
  private var count = 0
  private var isBroken = false

  mutating func take(_ bytes: [UInt8]) {
    var index = (188 - count % 188) % 188
    while index < bytes.count {
      if bytes[index] != 0x47 { isBroken = true }
      index += 188
    }
    count += bytes.count
  }

  var fault: String? {
    if isBroken { return "a packet without its sync byte" }
    return count % 188 == 0 ? nil : "\(count) bytes of packets of 188"
  }
}

/// Whether a file consists of whole boxes.
private struct BoxWalk {
  /// Bytes to the next box, and what is there of its header.
  private var left: UInt64 = 0
  private var header: [UInt8] = []
  private var isOpen = false
  private var isBroken = false

  mutating func take(_ bytes: [UInt8]) {
    var bytes = bytes[...]
    while !bytes.isEmpty && !isOpen && !isBroken {
      if left > 0 {
        let count = Int(min(left, UInt64(bytes.count)))
        bytes = bytes.dropFirst(count)
        left -= UInt64(count)
        continue
      }
      header.append(bytes.removeFirst())
      if header.count == 8 || header.count == 16 { measure() }
    }
  }

  private mutating func measure() {
    let size = header.prefix(4).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    if header.count == 8 && size == 1 { return }
    let total = header.count == 16 ? header[8...].reduce(UInt64(0)) { $0 << 8 | UInt64($1) } : size
    if header.count == 8 && size == 0 {
      // The last box: up to the end of the file.
      isOpen = true
    } else if total < UInt64(header.count) {
      isBroken = true
    } else {
      left = total - UInt64(header.count)
    }
    header = []
  }

  func fault(_ count: Int64) -> String? {
    if isBroken { return "a box shorter than its header" }
    return isOpen || left == 0 && header.isEmpty ? nil : "\(count) bytes end inside a box"
  }
}
