// From a source's name to what a player has to know of it.

public import ReelAssets
public import ReelCore
public import ReelIO
public import ReelPlayback

/// A source that has been opened.
public struct LoadedSource: Sendable {
  /// What the player has to know.
  public let facts: ItemFacts
  /// The container, where there is one to read pictures from.
  public let asset: Asset?
  /// A source that is open.
  public init(facts: ItemFacts, asset: Asset? = nil) {
    self.facts = facts
    self.asset = asset
  }
}

/// Opens sources for players. Tests bring their own, or use ``FixedSourceLoader``.
public protocol SourceLoader: Sendable {
  /// Opens a source. Called on a thread of its own under a ``HostClock``, in the instant it is asked
  /// for under a ``ManualClock``.
  func load(_ source: SourceReference) throws(VPErrors) -> LoadedSource
}

extension SourceLoader {
  /// What loading a source comes to.
  func outcome(of source: SourceReference) -> Result<LoadedSource, VPErrors> {
    do throws(VPErrors) { return .success(try load(source)) } catch { return .failure(error) }
  }
}

/// Sources that are known beforehand, by name: for tests without files.
public struct FixedSourceLoader: SourceLoader {
  private let outcomes: [String: Result<ItemFacts, VPErrors>]

  /// Sources by name, with what loading them comes to.
  public init(_ outcomes: [String: Result<ItemFacts, VPErrors>]) { self.outcomes = outcomes }

  /// Sources of these lengths in seconds.
  public init(durations: [String: Double]) {
    self.init(
      durations.mapValues { seconds in
        .success(
          ItemFacts(duration: Rational(simplest: seconds).map { MediaTime($0) } ?? .indefinite))
      })
  }

  /// The source of this name (with or without its extension); any other is not found.
  public func load(_ source: SourceReference) throws(VPErrors) -> LoadedSource {
    guard let outcome = outcomes[source.name] ?? outcomes[source.description] else {
      throw source.isRemote
        ? .remoteVideoError("404: \(source.name)") : .sourceNotFound(source.description)
    }
    return LoadedSource(facts: try outcome.get())
  }
}

/// Opens files: `file://` addresses, and resource names in folders.
public struct FileSourceLoader: SourceLoader {
  /// Folders that resource names are looked for in, in order.
  public let folders: [String]
  private let remote: (@Sendable (SourceReference) throws(VPErrors) -> LoadedSource)?

  /// - Parameters:
  ///   - folders: Where resource names are looked for, in order.
  ///   - remote: Opens http(s) addresses; without it they fail with the reason.
  public init(
    folders: [String] = ["."],
    remote: (@Sendable (SourceReference) throws(VPErrors) -> LoadedSource)? = nil
  ) {
    self.folders = folders
    self.remote = remote
  }

  /// Files as by ``init(folders:remote:)``, and `http` and `https` addresses through a client: media in
  /// ranges, playlists by their segments.
  ///
  /// What the server answers becomes the reason of `remoteVideoError`: its status, that it has no
  /// address, that it did not answer in time, that the policy forbids to ask it.
  public init(folders: [String] = ["."], client: HTTPClient) {
    self.init(
      folders: folders,
      remote: { (source) throws(VPErrors) in
        do throws(MediaError) {
          let bytes = try HTTPByteSource(source.name, client: client)
          let asset =
            try Asset.isPlaylist(bytes)
            ? Asset.open(playlist: source.name, loader: MediaLoader(client: client))
            : Asset.open(bytes)
          return LoadedSource(facts: try asset.facts(), asset: asset)
        } catch {
          throw .remoteVideoError(error.description)
        }
      })
  }

  /// Opens a file. - Throws: `sourceNotFound` when no folder has it, `failedToLoad` with the reason
  /// when it cannot be played, `remoteVideoError` for an address without a loader for it.
  public func load(_ source: SourceReference) throws(VPErrors) -> LoadedSource {
    if source.isRemote {
      guard let remote else {
        throw .remoteVideoError("\(source.name): no loader for network addresses was given")
      }
      return try remote(source)
    }
    for path in paths(source) {
      do throws(MediaError) {
        let bytes = try FileSource.open(path: path)
        // A stored presentation: its list names files beside it.
        let asset =
          try Asset.isPlaylist(bytes)
          ? Asset.open(playlist: path, loader: MediaLoader()) : Asset.open(bytes)
        return LoadedSource(facts: try asset.facts(), asset: asset)
      } catch {
        if error.family == .notFound { continue }
        throw .failedToLoad(error.description)
      }
    }
    throw .sourceNotFound(source.description)
  }

  private func paths(_ source: SourceReference) -> [String] {
    if source.isFileAddress {
      return [Self.path(fileAddress: source.name)]
    }
    let name = source.resourceName
    return name.hasPrefix("/") ? [name] : folders.map { "\($0)/\(name)" }
  }

  /// The path of `file:///…` with its `%XX` escapes undone; a host is skipped.
  static func path(fileAddress: String) -> String {
    let body = fileAddress.utf8.dropFirst("file://".utf8.count)
    let path = PercentEncoding.decoded(body.drop { $0 != UInt8(ascii: "/") })
    return String(decoding: path, as: UTF8.self)
  }
}

extension Asset {
  /// What a player has to know of the asset.
  ///
  /// - Throws: `protected` when the picture and sound cannot be decoded without a key, `unsupported`
  ///   when there is neither.
  public func facts() throws(MediaError) -> ItemFacts {
    let playable = tracks.filter { $0.kind == .video || $0.kind == .audio }
    guard !playable.isEmpty else {
      throw MediaError(.unsupported, .assetNoVideo, detail: "no video or audio track")
    }
    guard playable.contains(where: { !$0.isProtected }) else {
      throw MediaError(.protected, .assetProtected)
    }
    var facts = ItemFacts(duration: playableDuration)
    facts.audible = mediaSelectionGroup(for: .audible).options
    facts.legible = mediaSelectionGroup(for: .legible).options
    if let video = videoTrackIndex { facts.frameDuration = tracks[video].frameDuration }
    return facts
  }
}

extension Track {
  /// Mean time between samples; nil when it cannot be told.
  fileprivate var frameDuration: MediaTime? {
    guard let mediaDuration, let sampleCount, sampleCount > 0, mediaDuration > 0 else { return nil }
    return MediaTime(Rational(mediaDuration, timescale) / Rational(sampleCount))
  }
}
