// Which containers and codecs there are. Filled in above this layer.

public import ReelCore

/// A container format: how to tell it and how to open it.
public struct ContainerFormat: Sendable {
  /// FFmpeg's short name.
  public let name: String
  /// Whether an input that begins with these bytes is of this format.
  public let probe: @Sendable (_ prefix: [UInt8]) -> Bool
  /// Opens an input that ``probe`` accepted; throws what the demuxer's initializer throws.
  public let open:
    @Sendable (_ source: any ByteSource, _ options: OpenOptions) throws(MediaError) -> any Demuxer
  /// The tree of boxes or elements, as far as it can be read; nil for formats without one.
  public let describe: Describe?

  /// Gives the nodes of an input's outermost level; what cannot be read is a fault of its node, so
  /// that only `io` is thrown.
  public typealias Describe =
    @Sendable (_ source: any ByteSource, _ options: OpenOptions) throws(MediaError) ->
    [ContainerNode]

  /// A format whose three functions are pure: they may be called from several threads at once.
  public init(
    name: String, probe: @escaping @Sendable ([UInt8]) -> Bool,
    open: @escaping @Sendable (any ByteSource, OpenOptions) throws(MediaError) -> any Demuxer,
    describe: Describe? = nil
  ) {
    self.name = name
    self.probe = probe
    self.open = open
    self.describe = describe
  }
}

/// How an input is to be opened.
public struct OpenOptions: Sendable, Hashable {
  /// Bounds on what the input may cost.
  public var limits = Limits.standard
  /// What becomes of an input that breaks a rule and can be read all the same.
  public var strictness = Strictness.lenient
  /// A file that ends inside its metadata is opened as far as that goes, to be looked at.
  public var acceptsCutMetadata = false
  /// The standard limits; everything that leaves a meaning is read.
  public init() {}
}

/// How video is to be decoded.
public struct DecodeOptions: Sendable, Hashable {
  /// Bounds on what the pictures may cost.
  public var limits = Limits.standard
  /// Threads a decoder may use, ≥ 1.
  public var threadCount = 1
  /// What to do with pictures that cannot be decoded in full.
  public var concealment = ConcealmentPolicy.conceal
  /// One thread, the standard limits; damage is concealed and told.
  public init() {}
}

/// Containers in the order they are tried, and decoders by codec.
public struct MediaRegistry: Sendable {
  /// Makes a decoder for a track's format; throws `unsupported` or `damaged` when its configuration
  /// record says that it cannot be decoded.
  public typealias MakeVideoDecoder =
    @Sendable (_ format: VideoFormat, _ options: DecodeOptions) throws(MediaError) ->
    any VideoDecoder

  /// In the order in which they are asked; the first that accepts an input has it.
  public var containers: [ContainerFormat]
  /// Decoders by the codec that a track names.
  public var videoDecoders: [CodecID: MakeVideoDecoder]

  /// A registry of these formats and decoders; ReelKit has one with all of Reel's.
  public init(
    containers: [ContainerFormat] = [], videoDecoders: [CodecID: MakeVideoDecoder] = [:]
  ) {
    self.containers = containers
    self.videoDecoders = videoDecoders
  }

  /// Bytes that formats are told by.
  public static let probeByteCount = 1 << 12

  /// Opens an input as what its first bytes say it is.
  ///
  /// - Throws: `damaged` for an empty input, `unsupported` for one of no known format, what the
  ///   container throws, `io`.
  public func open(
    _ source: any ByteSource, _ options: OpenOptions = OpenOptions()
  ) throws(MediaError) -> any Demuxer {
    let prefix = try source.readFully(at: 0, count: Self.probeByteCount)
    guard !prefix.isEmpty else {
      throw MediaError(.damaged, .assetEmpty, detail: "0 bytes")
    }
    guard let format = containers.first(where: { $0.probe(prefix) }) else {
      throw MediaError(
        .unsupported, .assetFormat, at: .offset(0),
        detail: "it begins with \(Self.hexadecimal(prefix.prefix(8)))",
        advice: "known are \(containers.map(\.name).joined(separator: ", "))")
    }
    return try format.open(source, options)
  }

  private static func hexadecimal(_ bytes: ArraySlice<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
  }
}
