// A folder of downloads.

public import ReelCore
public import ReelIO

/// What is known of a download without working on it.
public struct DownloadInfo: Sendable, Hashable {
  /// Name of its folder in the store.
  public let id: String
  public let address: String
  public let state: DownloadState
  public let progress: DownloadProgress
  /// Path to open for playing; nil until everything is there.
  public let entry: String?
}

/// A file of a finished download that is not what it was.
public struct DownloadFault: Sendable, Hashable, CustomStringConvertible {
  public let file: String
  public let reason: String
  public var description: String { "\(file): \(reason)" }
}

/// Downloads in a folder, one folder each. Several processes may use a store; one at a time works on a
/// download.
///
///     DIR/ID/request      what was asked for
///     DIR/ID/plan         the files to fetch, until all are there
///     DIR/ID/journal      what has been done, until all is
///     DIR/ID/HASH.ts …    files; HASH.ts.part while they are fetched
///     DIR/ID/index.m3u8   the list to play, when all are there
///     DIR/ID/manifest     every file with its length and SHA-256, when all are there
public final class DownloadStore: Sendable {
  let folder: StoreFolder
  let client: HTTPClient?
  let defaults: DownloadOptions

  /// Opens a store, and makes its folder when it is missing.
  ///
  /// - Parameters:
  ///   - client: nil for a store that only lists, verifies, deletes and is played from.
  ///   - defaults: limits and number of fetches for downloads that are resumed.
  /// - Throws: `io`.
  public init(
    path: String, client: HTTPClient? = nil, defaults: DownloadOptions = DownloadOptions()
  ) throws(MediaError) {
    folder = try StoreFolder(path, creates: true)
    self.client = client
    self.defaults = defaults
  }

  /// A new download, or the one that was begun with the same address and choices.
  ///
  /// - Throws: `usage` for what is no address, `io`.
  public func download(
    _ address: String, options: DownloadOptions = DownloadOptions()
  ) throws(MediaError) -> Download {
    let web = try WebAddress(address)
    try client?.policy.check(web)
    let request = DownloadRequest(address: web.description, options: options)
    let own = try folder.folder(request.id, creates: true)
    if own.size(DownloadRequest.name) == nil {
      try own.write(request.text, to: DownloadRequest.name)
      try folder.sync()
    }
    return Download(id: try request.id, request: request, folder: own, client: client)
  }

  /// A download of the store by its identity, or by the begin of it where that is enough.
  ///
  /// - Throws: `notFound`, `damaged`, `io`.
  public func download(id: String) throws(MediaError) -> Download {
    let fitting = try ids().filter { $0.hasPrefix(id) && !id.isEmpty }
    guard fitting.count == 1 || fitting.contains(id) else {
      throw MediaError(
        .notFound, .downloadUnknown, at: .named(id),
        detail: fitting.isEmpty ? "" : "it may be \(fitting.joined(separator: " or "))")
    }
    let name = fitting.contains(id) ? id : fitting[0]
    let own = try folder.folder(name, creates: false)
    let text = try own.read(DownloadRequest.name) ?? []
    let request = try DownloadRequest(
      text, defaults: defaults, at: .named("\(own.path)/\(DownloadRequest.name)"))
    return Download(id: name, request: request, folder: own, client: client)
  }

  /// All downloads, sorted by identity.
  ///
  /// - Throws: `io`.
  public func list() throws(MediaError) -> [DownloadInfo] {
    var all: [DownloadInfo] = []
    for id in try ids() {
      do throws(MediaError) {
        all.append(try download(id: id).info())
      } catch {
        all.append(
          DownloadInfo(
            id: id, address: "", state: .failed(error.description), progress: DownloadProgress(),
            entry: nil))
      }
    }
    return all
  }

  private func ids() throws(MediaError) -> [String] {
    try folder.names().filter { name in
      name.utf8.count == 16
        && name.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }
  }

  /// Removes a download and all of its files.
  ///
  /// - Throws: `notFound`; `io`, with `downloadBusy` while a process works on it.
  public func delete(id: String) throws(MediaError) {
    let download = try download(id: id)
    try download.removeFiles()
    try folder.removeFolder(download.id)
    try folder.sync()
  }

  /// Stops the process that works on a download, if there is one, and removes it.
  ///
  /// - Throws: as ``delete(id:)``.
  public func cancel(id: String) throws(MediaError) {
    let download = try download(id: id)
    try download.stopOthers()
    try delete(id: download.id)
  }
}
