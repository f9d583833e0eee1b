// One download: planning, fetching, finishing, and going on after whatever stopped it.

internal import Dispatch
public import ReelCore
internal import ReelHLS
internal import ReelIO
internal import Synchronization

/// A download of a store.
public final class Download: Sendable {
  public let id: String
  let request: DownloadRequest
  let folder: StoreFolder
  let client: HTTPClient?
  static let lockName = "lock"
  static let controlName = "control"
  static let planName = "plan"

  init(id: String, request: DownloadRequest, folder: StoreFolder, client: HTTPClient?) {
    self.id = id
    self.request = request
    self.folder = folder
    self.client = client
  }

  /// The address it was begun with.
  public var address: String { request.address }

  /// Works on the download until it is complete.
  ///
  /// - Parameter onProgress: called now and then on the calling thread.
  /// - Throws: what stopped it: `io` with `downloadStopped` when it was paused or cancelled by somebody
  ///   else, `downloadBusy` when another process works on it, `downloadSpace` when the disk is full; what the
  ///   server answered. Running it again goes on where it stopped.
  public func run(
    onProgress: @escaping (DownloadProgress) -> Void = { _ in }
  ) throws(MediaError) {
    let lock = try StoreLock(folder, Self.lockName)
    defer { withExtendedLifetime(lock) {} }
    if folder.size(DownloadManifest.name) != nil {
      try removeWorkFiles()
      return onProgress(try progress())
    }
    guard let client else {
      throw MediaError(.limitExceeded, .offline, at: .named(request.address))
    }
    try folder.remove(Self.controlName)
    let run = try DownloadRun(self, client, onProgress)
    do throws(MediaError) {
      try run.work()
    } catch {
      // The reason is kept for those who list the store; a full disk may not take it.
      let state: DownloadState =
        error.rule == .downloadStopped ? .paused : .failed(error.description)
      try? run.session.log(DownloadJournal.state(state))
      throw error
    }
  }

  /// Works on the download on a thread of its own, and tells how far it is. Ending the iteration pauses it.
  public var updates: AsyncThrowingStream<DownloadProgress, any Error> {
    AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let box = EndMark()
      continuation.onTermination = { [self] reason in
        if case .cancelled = reason, !box.isSet { try? pause() }
      }
      DispatchQueue.global().async { [self] in
        do throws(MediaError) {
          try run { continuation.yield($0) }
          box.set()
          continuation.finish()
        } catch {
          box.set()
          continuation.finish(throwing: error)
        }
      }
    }
  }

  /// Asks the process that works on the download to stop; what is there stays.
  ///
  /// - Throws: `io`.
  public func pause() throws(MediaError) {
    guard folder.size(DownloadManifest.name) == nil else { return }
    try folder.write(Array("pause\n".utf8), to: Self.controlName)
    do throws(MediaError) {
      // Nobody works on it: the journal is ours to write.
      let lock = try StoreLock(folder, Self.lockName)
      let journal = try StoredFile(folder, DownloadJournal.name)
      try journal.write(DownloadJournal.state(.paused))
      try folder.remove(Self.controlName)
      withExtendedLifetime(lock) {}
    } catch {
      guard error.rule == .downloadBusy else { throw error }
    }
  }

  /// What is known of it.
  ///
  /// - Throws: `damaged`, `io`.
  public func info() throws(MediaError) -> DownloadInfo {
    let manifest = try self.manifest()
    let journal = DownloadJournal(try folder.read(DownloadJournal.name) ?? [])
    return DownloadInfo(
      id: id, address: request.address, state: manifest == nil ? journal.state : .downloaded,
      progress: try progress(), entry: manifest.map { "\(folder.path)/\($0.entry)" })
  }

  private func manifest() throws(MediaError) -> DownloadManifest? {
    guard let text = try folder.read(DownloadManifest.name) else { return nil }
    return try DownloadManifest(text, at: .named("\(folder.path)/\(DownloadManifest.name)"))
  }

  private func progress() throws(MediaError) -> DownloadProgress {
    var progress = DownloadProgress()
    if let manifest = try manifest() {
      progress.completedPieces = manifest.files.count
      progress.totalPieces = manifest.files.count
      progress.byteCount = manifest.files.reduce(0) { $0 + $1.piece.byteCount }
      progress.fraction = 1
      return progress
    }
    let journal = DownloadJournal(try folder.read(DownloadJournal.name) ?? [])
    progress.completedPieces = journal.done.count
    progress.byteCount = journal.done.values.reduce(0) { $0 + $1.byteCount }
    if let text = try folder.read(Self.planName) {
      let plan = try DownloadPlan(text, at: .named("\(folder.path)/\(Self.planName)"))
      progress.totalPieces = plan.pieces.count
      progress.byteCount += plan.pieces.reduce(0) { $0 + (folder.size($1.name + ".part") ?? 0) }
      progress.fraction =
        Double(progress.completedPieces) / Double(max(progress.totalPieces, 1))
    }
    return progress
  }

  /// Compares every file of a finished download with the manifest.
  ///
  /// - Throws: `io` with `downloadIncomplete` when it is not finished; `damaged`, `io`.
  public func verify() throws(MediaError) -> [DownloadFault] {
    guard let manifest = try manifest() else {
      throw MediaError(
        .io, .downloadIncomplete, at: .named(folder.path), detail: "it is not finished",
        advice: "resume it")
    }
    var faults: [DownloadFault] = []
    for file in manifest.files {
      guard let size = folder.size(file.name) else {
        faults.append(DownloadFault(file: file.name, reason: "missing"))
        continue
      }
      guard size == file.piece.byteCount else {
        faults.append(
          DownloadFault(file: file.name, reason: "\(size) bytes, was \(file.piece.byteCount)"))
        continue
      }
      let hash = try SHA256()
      try folder.forEachPiece(file.name) { (bytes) throws(MediaError) in hash.update(bytes) }
      if hash.finish() != file.piece.hash {
        faults.append(DownloadFault(file: file.name, reason: "its bytes changed"))
      }
    }
    return faults
  }

  /// Makes a finished download with faults unfinished again: running it fetches what is wrong.
  ///
  /// - Throws: as ``verify()``.
  public func repair() throws(MediaError) -> [DownloadFault] {
    let faults = try verify()
    guard !faults.isEmpty else { return [] }
    let lock = try StoreLock(folder, Self.lockName)
    for fault in faults { try folder.remove(fault.file) }
    try folder.remove(DownloadManifest.name)
    withExtendedLifetime(lock) {}
    return faults
  }

  // MARK: Files

  /// Waits until nobody works on the download, having asked so.
  func stopOthers() throws(MediaError) {
    try folder.write(Array("cancel\n".utf8), to: Self.controlName)
    for _ in 0..<100 {
      do throws(MediaError) {
        _ = try StoreLock(folder, Self.lockName)
        return
      } catch {
        guard error.rule == .downloadBusy else { throw error }
        SystemNetworkClock().sleep(for: .milliseconds(100))
      }
    }
  }

  func removeFiles() throws(MediaError) {
    let lock = try StoreLock(folder, Self.lockName)
    // The manifest first: what is left of an interrupted removal is no finished download.
    try folder.remove(DownloadManifest.name)
    for name in try folder.names() { try folder.remove(name) }
    withExtendedLifetime(lock) {}
  }

  func removeWorkFiles() throws(MediaError) {
    for name in [Self.planName, DownloadJournal.name, Self.controlName] { try folder.remove(name) }
    for name in try folder.names() where name.hasSuffix(".part") || name.hasSuffix(".tmp") {
      try folder.remove(name)
    }
  }
}

/// Set when a run has ended by itself.
private final class EndMark: Sendable {
  private let mark = Mutex(false)
  var isSet: Bool { mark.withLock { $0 } }
  func set() { mark.withLock { $0 = true } }
}
