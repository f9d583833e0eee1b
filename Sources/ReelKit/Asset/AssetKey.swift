// What can be asked of an asset, and loading it when it is asked for. Contract §5.

public import ReelAssets
public import ReelCore
internal import Synchronization

/// A property of an asset, with the type of its value.
public struct AssetKey<Value: Sendable>: Sendable {
  /// What the key is called in messages.
  public let name: String
  let read: @Sendable (Asset) throws(MediaError) -> Value

  init(_ name: String, _ read: @escaping @Sendable (Asset) throws(MediaError) -> Value) {
    self.name = name
    self.read = read
  }
}

extension AssetKey where Value == Bool {
  /// There is a track that can be played: video with a decoder, or audio, not encrypted.
  public static var isPlayable: AssetKey {
    AssetKey("playable") { asset in
      asset.tracks.contains { track in
        guard !track.isProtected else { return false }
        return switch track.kind {
        case .video: asset.registry.videoDecoders[track.codec] != nil
        case .audio: true
        default: false
        }
      }
    }
  }

  /// Some of the content is encrypted, so that it cannot be decoded without a key.
  public static var hasProtectedContent: AssetKey {
    AssetKey("hasProtectedContent") { $0.hasProtectedContent }
  }
}

extension AssetKey where Value == MediaTime {
  /// Length of the presentation; indefinite when only playing tells.
  public static var duration: AssetKey { AssetKey("duration") { $0.playableDuration } }
}

extension AssetKey where Value == [Track] {
  /// All tracks, in the container's order.
  public static var tracks: AssetKey { AssetKey("tracks") { $0.tracks } }
}

extension AssetKey where Value == AssetMetadata {
  /// Tags and pictures of the whole file.
  public static var metadata: AssetKey {
    AssetKey("metadata") { AssetMetadata(tags: $0.demuxer.tags, artwork: $0.demuxer.artwork) }
  }
}

extension AssetKey where Value == MediaSelectionGroup {
  /// The audio tracks.
  public static var audible: AssetKey {
    AssetKey("audible") { $0.mediaSelectionGroup(for: .audible) }
  }
  /// The subtitle tracks.
  public static var legible: AssetKey {
    AssetKey("legible") { $0.mediaSelectionGroup(for: .legible) }
  }
}

/// What a file tells about itself.
public struct AssetMetadata: Sendable {
  /// All tags, in order of appearance.
  public let tags: [Tag]
  /// Covers and other pictures, as they are stored.
  public let artwork: [Artwork]

  /// The tag `title`.
  public var title: String? { self["title"] }
  /// The tag `artist`, else `album_artist`.
  public var artist: String? { self["artist"] ?? self["album_artist"] }
  /// The tag `album`.
  public var album: String? { self["album"] }

  /// The first tag with this key, whatever its case.
  public subscript(key: String) -> String? {
    tags.first { $0.key.lowercased() == key.lowercased() }?.value
  }
}

extension Asset {
  /// The values of the keys, in their order.
  ///
  /// - Throws: what reading one of them runs into.
  public func load<each Value: Sendable>(
    _ keys: repeat AssetKey<each Value>
  ) async throws(MediaError) -> (repeat each Value) {
    (repeat try (each keys).read(self))
  }

  /// The container's duration, or where the frames end when the container tells none.
  var playableDuration: MediaTime {
    if duration.isNumeric { return duration }
    return (try? makeFrameReader().endTime) ?? duration
  }
}

/// An asset by its source, opened when the first key is asked for.
///
/// A later load replaces one that is under way: the earlier one is cancelled. What was opened once
/// stays open; a failure is kept and thrown again.
public final class SourceAsset: Sendable {
  /// How far loading is.
  public enum Status: Sendable, Hashable {
    /// Nothing has been asked for yet.
    case unknown
    /// A load is under way.
    case loading
    /// The source is open.
    case loaded
    /// With the reason.
    case failed(VPErrors)
    /// The load was cancelled; a later one begins anew.
    case cancelled
  }

  private struct State {
    var status: Status = .unknown
    var asset: Asset?
    /// Counts the loads, so that the answer of one that was replaced is told.
    var generation = 0
  }
  /// What is opened.
  public let source: SourceReference
  private let loader: any SourceLoader
  private let state = Mutex(State())

  /// An asset that nothing has been read of yet.
  public init(_ source: SourceReference, loader: any SourceLoader = FileSourceLoader()) {
    self.source = source
    self.loader = loader
  }

  /// An asset by name or address; extension `mp4` when a name has none.
  public convenience init(_ name: String, loader: any SourceLoader = FileSourceLoader()) {
    self.init(SourceReference(name: name), loader: loader)
  }

  /// How far loading is now.
  public var status: Status { state.withLock { $0.status } }

  /// Opens the source if it is not open, and reads the keys.
  ///
  /// - Throws: ``VPErrors`` with the reason; `failedToLoad` when the load was cancelled or replaced.
  public func load<each Value: Sendable>(
    _ keys: repeat AssetKey<each Value>
  ) async throws(VPErrors) -> (repeat each Value) {
    let asset = try await open()
    do {
      return (repeat try (each keys).read(asset))
    } catch {
      throw .failedToLoad(error.description)
    }
  }

  /// A load that is under way ends with an error.
  public func cancelLoading() {
    state.withLock { state in
      guard state.status == .loading else { return }
      state.generation += 1
      state.status = .cancelled
    }
  }

  private func open() async throws(VPErrors) -> Asset {
    let generation = state.withLock { state -> Int in
      guard state.asset == nil else { return state.generation }
      if case .failed = state.status { return state.generation }
      state.generation += 1
      state.status = .loading
      return state.generation
    }
    switch state.withLock({ ($0.asset, $0.status) }) {
    case (let asset?, _): return asset
    case (nil, .failed(let error)): throw error
    default: break
    }
    let (loader, source) = (loader, source)
    let outcome = await Task.detached { loader.outcome(of: source) }.value
    return try finish(outcome, of: generation)
  }

  private func finish(
    _ outcome: Result<LoadedSource, VPErrors>, of generation: Int
  ) throws(VPErrors) -> Asset {
    let result = state.withLock { state -> Result<Asset, VPErrors> in
      guard state.generation == generation else {
        return .failure(.failedToLoad("the load was cancelled or replaced by a later one"))
      }
      switch outcome {
      case .success(let loaded):
        guard let asset = loaded.asset else {
          return .failure(.failedToLoad("the source has no container"))
        }
        state.status = .loaded
        state.asset = asset
        return .success(asset)
      case .failure(let error):
        state.status = .failed(error)
        return .failure(error)
      }
    }
    return try result.get()
  }
}
