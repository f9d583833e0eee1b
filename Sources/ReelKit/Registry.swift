// All containers and codecs of Reel, assembled. Nothing below this layer knows them all.

@_exported public import ReelAssets
import ReelAudioFiles
@_exported public import ReelCore
import ReelElementary
import ReelH264
import ReelHEVC
@_exported public import ReelHLS
import ReelIO
import ReelISOBMFF
import ReelMPEGTS
import ReelMatroska
@_exported public import ReelPlayback
@_exported public import ReelRendering
@_exported public import ReelStreaming

extension MediaRegistry {
  /// Everything this package reads, in the order inputs are tried: formats with unmistakable first
  /// bytes before those that are told by what follows.
  public static let standard = MediaRegistry(
    containers: [
      isobmff, matroska, wave, playlist, transportStream, h264Stream, hevcStream, audioStream,
    ],
    videoDecoders: [.h264: h264, .hevc: hevc])

  private static let isobmff = ContainerFormat(
    name: "mov,mp4,m4a,3gp,3g2,mj2", probe: ISOBMFFDemuxer.probe,
    open: { (source, options) throws(MediaError) in
      try ISOBMFFDemuxer(
        source: source, limits: options.limits, strictness: options.strictness,
        acceptsCutMetadata: options.acceptsCutMetadata)
    },
    describe: { (source, options) throws(MediaError) in
      try ISOBMFFDemuxer.describe(source, limits: options.limits)
    })

  private static let h264Stream = ContainerFormat(
    name: "h264", probe: H264StreamDemuxer.probe,
    open: { (source, options) throws(MediaError) in
      try H264StreamDemuxer(source: source, limits: options.limits)
    })

  private static let hevcStream = ContainerFormat(
    name: "hevc", probe: HEVCStreamDemuxer.probe,
    open: { (source, options) throws(MediaError) in
      try HEVCStreamDemuxer(source: source, limits: options.limits)
    })
}

extension MediaRegistry {
  private static let h264: MakeVideoDecoder = {
    (format, options) throws(MediaError) in
    var decoding = H264DecoderOptions()
    decoding.threads = options.threadCount
    decoding.concealment = options.concealment
    decoding.limits = options.limits
    return try H264Decoder(
      configuration: format.configuration, framing: format.framing, options: decoding)
  }

  private static let hevc: MakeVideoDecoder = {
    (format, options) throws(MediaError) in
    var decoding = HEVCDecoderOptions()
    decoding.threads = options.threadCount
    decoding.concealment = options.concealment
    decoding.limits = options.limits
    return try HEVCDecoder(
      configuration: format.configuration, framing: format.framing, options: decoding)
  }
}

extension MediaRegistry {
  private static let matroska = ContainerFormat(
    name: "matroska,webm", probe: MatroskaDemuxer.probe,
    open: { (source, options) throws(MediaError) in
      try MatroskaDemuxer(source: source, limits: options.limits)
    },
    describe: { (source, options) throws(MediaError) in
      try MatroskaDemuxer.describe(source, limits: options.limits)
    })

  private static let wave = ContainerFormat(
    name: "wav", probe: WaveDemuxer.probe,
    open: { (source, options) throws(MediaError) in
      try WaveDemuxer(source: source, limits: options.limits)
    })

  private static let transportStream = ContainerFormat(
    name: "mpegts", probe: TransportStreamDemuxer.probe,
    open: { (source, options) throws(MediaError) in
      try TransportStreamDemuxer(source: source, limits: options.limits)
    },
    describe: { (source, options) throws(MediaError) in
      try TransportStreamDemuxer.describe(source, limits: options.limits)
    })

  /// Behind all others: its frames have no more than a sync word of eleven bits.
  private static let audioStream = ContainerFormat(
    name: "mp3,aac,loas", probe: AudioStreamDemuxer.probe,
    open: { (source, options) throws(MediaError) in
      try AudioStreamDemuxer(source: source, limits: options.limits)
    })
}

extension Asset {
  /// Opens a file; `-` is standard input. What it is, is told by its content. A playlist is opened with
  /// the files beside it.
  ///
  /// - Throws: `notFound`, `io`; `unsupported` for an unknown format, `damaged`, `limitExceeded`.
  public static func open(
    path: String, options: OpenOptions = OpenOptions()
  ) throws(MediaError) -> Asset {
    let source = try FileSource.open(path: path)
    guard try isPlaylist(source) else { return try open(source, options: options) }
    return try open(
      playlist: path, loader: MediaLoader(), options: StreamingOptions(options))
  }

  /// Opens an input whose bytes come from `source`.
  ///
  /// - Throws: as ``open(path:options:)``.
  public static func open(
    _ source: any ByteSource, options: OpenOptions = OpenOptions()
  ) throws(MediaError) -> Asset {
    try Asset(source, registry: .standard, options: options)
  }
}
