// What is in an input.

public import ReelAssets
public import ReelCore
public import ReelHLS
import ReelIO
import ReelStreaming

/// A description of an input: its format, its tracks, and what is wrong with it.
///
/// Frame counts are kept apart: what the container declares, what its tables hold, and what the edit
/// list presents.
public struct ProbeReport: Sendable {
  /// What to look at.
  public struct Options: Sendable, Hashable {
    /// How the input is opened.
    public var open = OpenOptions()
    /// List every packet.
    public var listsPackets = false
    /// Add a hash of its bytes to every packet.
    public var hashesPackets = false
    /// Show the tree of boxes or elements.
    public var showsStructure = false
    /// Everything at its default.
    public init() {}
  }

  /// Name of the input as it was given.
  public let name: String
  /// Bytes of the input; nil when not known.
  public let byteCount: Int64?
  /// What was asked for.
  public let options: Options
  /// The input as far as it could be opened; nil when not at all.
  public let asset: Asset?
  /// Its tracks, in the container's order.
  public private(set) var streams: [ProbeStream] = []
  /// Its chapters, by time.
  public private(set) var chapters: [Chapter] = []
  /// Boxes or elements, when asked for and when the format has some.
  public private(set) var structure: [ContainerNode] = []
  /// The playlist, where the input is one.
  public private(set) var playlist: Playlist?
  /// Which variant of a master playlist was opened, by its place in the list.
  public private(set) var variantIndex: Int?
  private var playlistWarnings: [MediaError] = []
  /// Why the input cannot be played; what is told besides is what could be read nevertheless.
  public let failure: MediaError?

  /// Describes a file; `-` is standard input.
  ///
  /// - Throws: `notFound`, `io`, `usage`. What is wrong with the input itself is in the report.
  public init(path: String, options: Options = Options()) throws(MediaError) {
    let source = try FileSource.open(path: path)
    if try Asset.isPlaylist(source) {
      try self.init(
        playlist: path, byteCount: source.byteCount, loader: MediaLoader(), options: options)
    } else {
      try self.init(source, name: path, options: options)
    }
  }

  /// Describes a playlist and the presentation it leads to.
  ///
  /// - Throws: what the loader throws for the playlist itself.
  public init(
    playlist address: String, byteCount: Int64? = nil, loader: any ResourceLoader,
    options: Options = Options()
  ) throws(MediaError) {
    name = address
    self.options = options
    self.byteCount = byteCount
    let streaming = StreamingOptions(options.open)
    do {
      let presentation = try StreamingPresentation(
        address: address, loader: loader, registry: .standard, options: streaming)
      asset = Asset(presentation.demuxer, registry: .standard)
      failure = nil
      playlist = presentation.playlist
      variantIndex = presentation.variantIndex
      playlistWarnings = presentation.warnings
    } catch {
      // What the list itself says can be told though what it names cannot be opened.
      failure = error
      asset = nil
      if let alone = try? StreamingPresentation.playlist(
        address: address, loader: loader, options: streaming)
      {
        (playlist, playlistWarnings) = (alone.playlist, alone.warnings)
      }
    }
    if let asset { try describeStreams(asset) }
  }

  /// Describes an input.
  ///
  /// - Throws: `io`.
  public init(
    _ source: any ByteSource, name: String, options: Options = Options(),
    registry: MediaRegistry = .standard
  ) throws(MediaError) {
    self.name = name
    self.options = options
    byteCount = source.byteCount
    var failure: MediaError?
    do {
      asset = try Asset(source, registry: registry, options: options.open)
    } catch {
      guard error.family != .io else { throw error }
      failure = error
      // What is there of a file that is cut inside its metadata is told all the same.
      var lenient = options.open
      (lenient.acceptsCutMetadata, lenient.strictness) = (true, .lenient)
      asset =
        error.family == .damaged || error.family == .needsMoreData
        ? try? Asset(source, registry: registry, options: lenient) : nil
    }
    self.failure = failure
    if options.showsStructure {
      structure = try registry.describe(source, options.open)
    }
    guard let asset else { return }
    chapters = (try? asset.demuxer.chapters()) ?? []
    try describeStreams(asset)
  }

  /// What was wrong and read past, and why the input could not be opened, in the order it was found.
  public var faults: [MediaError] {
    (failure.map { [$0] } ?? []) + playlistWarnings + (asset?.demuxer.warnings ?? [])
      + structure.compactMap(\.firstFault).prefix(asset == nil ? 1 : 0)
  }

  mutating func setStreams(_ streams: [ProbeStream]) { self.streams = streams }

  /// The input can be read.
  public var isReadable: Bool { failure == nil }

  /// Length of the presentation; indefinite when unknown.
  public var duration: MediaTime { asset?.duration ?? .indefinite }

  /// Bits a second on average; nil when length or size are not known.
  var bitRate: Int64? {
    guard playlist == nil, let byteCount, let seconds = Rational(duration), seconds > .zero else {
      return nil
    }
    let bits = Rational(byteCount, 1) * Rational(8) / seconds
    return Int64(clamping: bits.floor)
  }
}

extension MediaRegistry {
  /// The tree of boxes or elements of an input; empty for a format without one.
  func describe(
    _ source: any ByteSource, _ options: OpenOptions
  ) throws(MediaError) -> [ContainerNode] {
    let prefix = try source.readFully(at: 0, count: Self.probeByteCount)
    guard let format = containers.first(where: { $0.probe(prefix) }) else { return [] }
    return try format.describe?(source, options) ?? []
  }
}
