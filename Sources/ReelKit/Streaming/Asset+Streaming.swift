// Playlists as assets.

public import ReelAssets
public import ReelCore
import ReelHLS
import ReelIO
public import ReelStreaming

extension Asset {
  /// Opens the presentation that a playlist tells of.
  ///
  /// - Parameters:
  ///   - playlist: address of the web, or path of a file.
  ///   - loader: loads playlists, segments and keys; a `MediaLoader` without a client reads files alone.
  /// - Throws: as ``StreamingPresentation/init(address:loader:registry:options:)``.
  public static func open(
    playlist: String, loader: any ResourceLoader,
    options: StreamingOptions = .standard
  ) throws(MediaError) -> Asset {
    let presentation = try StreamingPresentation(
      address: playlist, loader: loader, registry: .standard, options: options)
    return Asset(presentation.demuxer, registry: .standard)
  }

  /// Whether a source holds a playlist, which is opened by its address.
  public static func isPlaylist(_ source: any ByteSource) throws(MediaError) -> Bool {
    Playlist.probe(try source.readFully(at: 0, count: 16))
  }
}

extension StreamingOptions {
  /// Segments are decrypted by libcrypto, where there is one.
  public static var standard: StreamingOptions { StreamingOptions(OpenOptions()) }

  /// The standard ones for an input that is opened so.
  public init(_ open: OpenOptions) {
    self.init()
    self.open = open
    steering = { (bytes) throws(MediaError) in try SteeringManifest(json: bytes) }
    decrypt = { (bytes, key, vector) throws(MediaError) in
      try AES128CBC.decrypt(bytes, key: key, initializationVector: vector)
    }
  }
}

extension MediaRegistry {
  /// Playlists are opened by their address: what they name is beside them.
  static let playlist = ContainerFormat(
    name: "hls", probe: Playlist.probe,
    open: { (_, _) throws(MediaError) in
      throw MediaError(
        .unsupported, .streamingBareList, advice: "open it by its path or address")
    })
}
