// What byte streams of H.264 and HEVC have in common.

import ReelCore
import ReelVideoCore

/// A byte stream of access units as one track: opened by its first parameter sets, read by its detector.
struct VideoByteStream {
  let track: Track
  private let source: any ByteSource
  private let limits: Limits
  private let makeDetector: @Sendable () -> any TimedDetector

  /// LIMIT: parameter sets are looked for in this many bytes from the start.
  private static let openingBytes: Int64 = 1 << 20
  /// FFmpeg's timescale of raw video; packets have no times that count in it.
  private static let defaultTimescale: Int32 = 1_200_000

  /// Opens the stream by reading up to its first parameter sets.
  ///
  /// - Throws: `damaged` when no start code is near the start; what the source throws.
  init(
    _ codec: CodecID, source: any ByteSource, limits: Limits,
    makeDetector: @escaping @Sendable () -> any TimedDetector
  ) throws(MediaError) {
    (self.source, self.limits, self.makeDetector) = (source, limits, makeDetector)
    let detector = makeDetector()
    var assembler = AccessUnitAssembler(detector, limits: limits)
    var hasStarted = false
    while detector.description == nil, assembler.endOffset < Self.openingBytes {
      let bytes = try source.read(at: assembler.endOffset, count: 1 << 14)
      if bytes.isEmpty {
        while try assembler.finish() != nil { hasStarted = true }
        break
      }
      assembler.append(bytes)
      while try assembler.next() != nil { hasStarted = true }
      hasStarted = hasStarted || assembler.hasStarted
    }
    guard hasStarted else {
      throw MediaError(
        assembler.endOffset == 0 ? .needsMoreData : .damaged, .elementaryStartCode,
        at: .offset(0), advice: "check that the input is video")
    }
    track = Self.makeTrack(codec, detector.description)
  }

  private static func makeTrack(_ codec: CodecID, _ sequence: (any SequenceDescription)?) -> Track {
    var format = VideoFormat()
    format.framing = .annexB
    if let sequence {
      (format.width, format.height) = (sequence.width, sequence.height)
      format.pixelAspectRatio = sequence.pixelAspectRatio
      format.colour = sequence.colour
    }
    let scale = sequence?.tick.flatMap { Int32(exactly: $0.scale) }
    return Track(
      id: 0, kind: .video, codec: codec, timescale: scale ?? defaultTimescale,
      formats: [.video(format)])
  }

  /// A reader from the first access unit; `usage` for any track but number 0.
  func makePacketReader(trackIndices: [Int]) throws(MediaError) -> any PacketReader {
    guard trackIndices.allSatisfy({ $0 == 0 }) else {
      throw MediaError(.usage, .elementaryTrack, detail: "asked for \(trackIndices)")
    }
    return VideoStreamReader(
      source: source, detector: makeDetector(), limits: limits, timescale: track.timescale,
      isEmpty: trackIndices.isEmpty)
  }
}
