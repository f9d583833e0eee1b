// The work on a download in one process, from the lock to the manifest.

internal import Dispatch
internal import ReelCore
internal import ReelHLS
internal import ReelIO
internal import Synchronization

/// One run of a download.
final class DownloadRun {
  private let download: Download
  private let folder: StoreFolder
  private let client: HTTPClient
  private let options: DownloadOptions
  private let onProgress: (DownloadProgress) -> Void
  let session: FetchSession
  private var done: [String: StoredPiece]

  init(
    _ download: Download, _ client: HTTPClient, _ onProgress: @escaping (DownloadProgress) -> Void
  ) throws(MediaError) {
    self.download = download
    self.client = client
    self.onProgress = onProgress
    folder = download.folder
    options = download.request.options
    let text = try folder.read(DownloadJournal.name) ?? []
    let past = DownloadJournal(text)
    let file = try StoredFile(folder, DownloadJournal.name)
    // The line that a kill cut is ended, so that the next one is whole.
    if let last = text.last, last != UInt8(ascii: "\n") { try file.write([UInt8(ascii: "\n")]) }
    let boot = BootIdentity.current
    if past.boot != boot {
      // After a fall of the machine the end of an unfinished file may not be what was written.
      if !past.boot.isEmpty { try Self.removeParts(folder) }
      try file.write(DownloadJournal.boot(boot))
    }
    try file.write(DownloadJournal.state(.downloading))
    session = FetchSession(
      folder: folder, client: client, options: options, journal: file, begun: past.begun)
    done = past.done
  }

  private static func removeParts(_ folder: StoreFolder) throws(MediaError) {
    for name in try folder.names() where name.hasSuffix(".part") { try folder.remove(name) }
  }

  func work() throws(MediaError) {
    var plan = try loadPlan()
    try adoptFinished(plan)
    try fetch(plan)
    let live = LiveLists(client: client, options: options)
    while plan.lists.contains(where: \.isOpen) {
      let wait = try live.advance(&plan)
      try folder.write(plan.text, to: Download.planName)
      try fetch(plan)
      session.pause(wait)
      try checkControl()
    }
    try finish(plan)
  }

  private func loadPlan() throws(MediaError) -> DownloadPlan {
    if let text = try folder.read(Download.planName) {
      return try DownloadPlan(text, at: .named("\(folder.path)/\(Download.planName)"))
    }
    let address = download.request.address
    let planner = DownloadPlanner(loader: client, options: options)
    let plan = try planner.plan(address, isPlaylist: beginsAsPlaylist(address))
    try folder.write(plan.text, to: Download.planName)
    return plan
  }

  /// Whether the content at an address is a playlist: its first bytes say so, or its name or type does, and
  /// then an error page in its place is no media file to store.
  private func beginsAsPlaylist(_ address: String) throws(MediaError) -> Bool {
    let web = try WebAddress(address)
    return try client.retrying { (attempt) throws(MediaError) in
      let receiver = HeadReceiver(web, byteLimit: 16)
      var request = HTTPRequest(web)
      request.opensConnection = attempt.isRetry
      request.fields = [("Range", "bytes=0-15")]
      do throws(MediaError) {
        try client.get(request, receiver: receiver, attempt: attempt)
      } catch {
        guard error.rule == .headIsEnough else { throw error }
      }
      let name = web.path.lowercased()
      let type = receiver.head?.contentType ?? ""
      return Playlist.probe(receiver.bytes) || name.hasSuffix(".m3u8") || name.hasSuffix(".m3u")
        || type.hasSuffix("mpegurl")
    }
  }

  /// Files that have their name but no line in the journal: the kill came in between.
  private func adoptFinished(_ plan: DownloadPlan) throws(MediaError) {
    for piece in plan.pieces {
      let size = folder.size(piece.name)
      if let known = done[piece.name] {
        if size != known.byteCount { done[piece.name] = nil }
      } else if size != nil {
        var check = PieceCheck(piece)
        do throws(MediaError) {
          let stored = try check.examine(folder, piece.name, at: .named(piece.name))
          try session.log(DownloadJournal.done(piece.name, stored))
          done[piece.name] = stored
        } catch {
          guard error.rule == .downloadPiece else { throw error }
          try folder.remove(piece.name)
        }
      }
    }
  }

  /// Stops when another process asked for it.
  private func checkControl() throws(MediaError) {
    if folder.size(Download.controlName) != nil { session.stop() }
    guard session.isStopped else { return }
    try? folder.remove(Download.controlName)
    throw MediaError(.io, .downloadStopped, at: .named(download.request.address))
  }

  // MARK: Fetching

  private func fetch(_ plan: DownloadPlan) throws(MediaError) {
    let missing = plan.pieces.filter { done[$0.name] == nil }
    let base = done.values.reduce(Int64(0)) { $0 + $1.byteCount }
    guard !missing.isEmpty else { return report(plan, [:], base) }
    try checkControl()
    let fetchers = PieceFetchers(session: session, pieces: missing)
    let group = DispatchGroup()
    let queue = DispatchQueue(label: "reel.download", attributes: .concurrent)
    for _ in 0..<min(max(options.parallelFetches, 1), 16, missing.count) {
      queue.async(group: group) { fetchers.work() }
    }
    while group.wait(timeout: .now() + .milliseconds(100)) == .timedOut {
      if folder.size(Download.controlName) != nil { session.stop() }
      report(plan, fetchers.done, base)
    }
    done.merge(fetchers.done) { $1 }
    report(plan, [:], done.values.reduce(Int64(0)) { $0 + $1.byteCount })
    if let failure = fetchers.failure {
      if failure.rule == .downloadStopped { try checkControl() }
      throw failure
    }
  }

  private func report(_ plan: DownloadPlan, _ more: [String: StoredPiece], _ base: Int64) {
    var progress = DownloadProgress()
    progress.completedPieces = done.count + more.count
    progress.totalPieces = plan.pieces.count
    progress.byteCount = base + more.values.reduce(0) { $0 + $1.byteCount }
    progress.fraction = Double(progress.completedPieces) / Double(max(progress.totalPieces, 1))
    if plan.pieces.count == 1, let only = plan.pieces.first, progress.completedPieces == 0 {
      progress.byteCount = folder.size(only.name + ".part") ?? 0
      if let total = session.beginning(of: only.name)?.total, total > 0 {
        progress.fraction = Double(progress.byteCount) / Double(total)
      }
    }
    onProgress(progress)
  }

  // MARK: The end

  /// Everything is there: the lists get their names, then the manifest says so.
  private func finish(_ plan: DownloadPlan) throws(MediaError) {
    var manifest = DownloadManifest(address: download.request.address, entry: plan.entry)
    for piece in plan.pieces {
      guard let stored = done[piece.name], folder.size(piece.name) == stored.byteCount else {
        throw MediaError(.io, .downloadIncomplete, at: .named(piece.name), advice: "resume it")
      }
      manifest.files.append((piece.name, stored))
    }
    for list in plan.lists {
      try folder.write(list.text, to: list.name)
      manifest.files.append(
        (
          list.name,
          StoredPiece(byteCount: Int64(list.text.count), hash: try SHA256.digest(list.text))
        ))
    }
    try folder.sync()
    try folder.write(manifest.text, to: DownloadManifest.name)
    try download.removeWorkFiles()
    try folder.sync()
  }
}

/// Fetches files of a list on several threads at once.
private final class PieceFetchers: Sendable {
  private struct State {
    var next = 0
    var done: [String: StoredPiece] = [:]
    /// The failure of the file that comes first.
    var failure: (index: Int, error: MediaError)?
  }
  private let session: FetchSession
  private let pieces: [DownloadPiece]
  private let state = Mutex(State())

  init(session: FetchSession, pieces: [DownloadPiece]) {
    self.session = session
    self.pieces = pieces
  }

  var done: [String: StoredPiece] { state.withLock { $0.done } }
  var failure: MediaError? { state.withLock { $0.failure?.error } }

  /// Takes one file after the other until there is none left, or one failed.
  func work() {
    while let index = take() {
      do throws(MediaError) {
        let stored = try PieceFetcher(session: session, piece: pieces[index]).fetch()
        state.withLock { $0.done[pieces[index].name] = stored }
      } catch {
        state.withLock { state in
          let isBetter = state.failure.map { known in
            known.error.rule == .downloadStopped
              || error.rule != .downloadStopped && index < known.index
          }
          if isBetter ?? true { state.failure = (index, error) }
        }
      }
    }
  }

  private func take() -> Int? {
    state.withLock { state in
      guard state.failure == nil, !session.isStopped || state.next == 0, state.next < pieces.count
      else { return nil }
      state.next += 1
      return state.next - 1
    }
  }
}
