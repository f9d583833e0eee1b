// MPEG-2 transport streams. Rec. ITU-T H.222.0 (06/2021) = ISO/IEC 13818-1:2022.

public import ReelCore

/// A transport stream: one track for each stream of its programs, all times in 90 kHz.
///
/// Packets of video tracks are access units with start codes, those of AAC and MPEG audio tracks are
/// frames (AAC without ADTS or LATM headers), those of other tracks are PES packets or sections.
/// Times count on where 33 bits wrap. The presentation begins at the earliest time of picture or sound
/// near the start of the input.
public struct TransportStreamDemuxer: Demuxer {
  /// A program and the tracks that belong to it.
  public struct Program: Sendable, Hashable {
    /// program_number
    public var number: Int
    /// Indices into ``TransportStreamDemuxer/tracks``, in the order of the program map; programs
    /// may share tracks.
    public var trackIndices: [Int]
    /// Names of the service, where they are told.
    public var tags: [Tag]
  }

  /// Whatever lies between the packets.
  public let formatName = "mpegts"
  /// One for each PID of the program maps near the start; its number is the PID, its timescale
  /// 90,000.
  public let tracks: [Track]
  /// From the first time to the latest one near the end; indefinite where the source does not tell
  /// its length, or there are no times.
  public let duration: MediaTime
  /// Names of the service where there is one program; else programs have their own.
  public let tags: [Tag]
  /// Gaps, scrambled packets and damaged headers near the start, by PID.
  public let warnings: [MediaError]
  /// In the order of the program association.
  public let programs: [Program]
  /// The earliest presentation time near the start of the input, 90 kHz; nil when there is none.
  public let startTicks: Int64?

  /// ``startTicks``, or 0 where there is none.
  public var presentationOrigin: MediaTime {
    startTicks.map { MediaTime(value: $0, timescale: 90_000) } ?? .zero
  }

  private let source: any ByteSource
  private let layout: TransportPacketLayout
  private let limits: Limits
  private let streams: [TransportTrack]

  /// Whether `prefix`, the first bytes of an input, are of a transport stream.
  public static func probe(_ prefix: [UInt8]) -> Bool { TransportPacketLayout.probe(prefix) }

  /// Opens a stream: finds its packets, programs and formats within the first megabytes, and its
  /// length near the end where the source tells its own.
  ///
  /// - Throws: `damaged` when there are no packets or no programs; `limitExceeded`; what the source
  ///   throws.
  public init(source: any ByteSource, limits: Limits = .standard) throws(MediaError) {
    let opening = try TransportStreamOpening(source, limits: limits)
    (self.source, self.limits) = (source, limits)
    (layout, streams) = (opening.layout, opening.streams)
    (tracks, programs, warnings) = (opening.tracks, opening.programs, opening.warnings)
    (duration, startTicks) = (opening.duration, opening.startTicks)
    tags = programs.count == 1 ? programs[0].tags : []
  }

  /// A reader from the first packet of the input; `usage` for an index outside ``tracks``. A seek
  /// reads the track up to its time once, because a transport stream has no index.
  public func makePacketReader(trackIndices: [Int]) throws(MediaError) -> any PacketReader {
    if let wrong = trackIndices.first(where: { !tracks.indices.contains($0) }) {
      throw MediaError(.usage, .transportTrackIndex, detail: "\(wrong) of \(tracks.count)")
    }
    return TransportStreamReader(
      TransportInput(
        source: source, layout: layout, tracks: streams, selected: Set(trackIndices), limits: limits
      ))
  }
}
