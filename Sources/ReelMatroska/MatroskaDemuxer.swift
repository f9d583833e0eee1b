// Matroska and WebM. RFC 8794 (EBML), RFC 9559 (Matroska).

public import ReelCore

/// A Matroska or WebM file: one track for each TrackEntry, times in the segment's ticks.
///
/// Limited on purpose: one segment, no EBML lacing beyond what RFC 9559 has, no linked segments, no
/// frames compressed by zlib, bzlib or lzo (their tracks have no packets, and a warning says so), no
/// decryption. Blocks that are damaged are gone over.
public struct MatroskaDemuxer: Demuxer {
  /// One name for both, as FFmpeg has it; ``docType`` tells which.
  public let formatName = "matroska,webm"
  /// In file order; numbers are TrackNumber, timescales the segment's.
  public let tracks: [Track]
  /// The Duration that the segment's Info tells; indefinite without one.
  public let duration: MediaTime
  /// The segment's Tags, and what its Info says where they do not.
  public let tags: [Tag]
  /// Tracks whose frames cannot be read, and elements that were read past.
  public let warnings: [MediaError]
  /// `matroska` or `webm`.
  public let docType: String
  /// Chapters of the first edition, with what Matroska tells of them.
  public let chapterList: [MatroskaChapter]

  private let layout: MatroskaLayout

  /// Whether `prefix`, the first bytes of an input, are of a Matroska or WebM file.
  public static func probe(_ prefix: [UInt8]) -> Bool { MatroskaOpening.probe(prefix) }

  /// Opens a file by reading its metadata.
  ///
  /// - Throws: `damaged` without a header, a segment or tracks; `needsMoreData` when the input ends
  ///   before them; `unsupported` for other document types; `limitExceeded`; what the source throws.
  public init(source: any ByteSource, limits: Limits = .standard) throws(MediaError) {
    let opening = try MatroskaOpening(source, limits: limits)
    let tracks = opening.entries.map { $0.track(opening.info, opening.tags) }
    self.tracks = tracks
    duration = opening.info.length
    tags = Self.merged(opening.info.tags, opening.tags.tags)
    docType = opening.docType
    chapterList = opening.chapters.list
    layout = MatroskaLayout(
      source: source, limits: limits, info: opening.info,
      tracks: zip(opening.entries, tracks).map { MatroskaTrack($0, codec: $1.codec) },
      cues: opening.cues, segmentStart: opening.segmentStart, segmentEnd: opening.segmentEnd,
      firstCluster: opening.firstCluster)
    warnings = opening.context.faults + Self.warnings(layout)
  }

  /// Tags override what Info says; their names are compared without case, as FFmpeg does.
  private static func merged(_ info: [Tag], _ tags: [Tag]) -> [Tag] {
    let names = Set(tags.map { $0.key.lowercased() })
    return info.filter { !names.contains($0.key) } + tags
  }

  private static func warnings(_ layout: MatroskaLayout) -> [MediaError] {
    layout.tracks.filter(\.isCompressed).map {
      MediaError(.unsupported, .matroskaEncoding, at: .named("track \($0.number)"))
    }
  }

  /// What a track's decoder is set up with, as the file has it: the header of an ASS script, the
  /// record of a codec. Traps unless the index is one of `tracks`.
  public func codecPrivate(trackIndex: Int) -> [UInt8] { layout.tracks[trackIndex].codecPrivate }

  /// A chapter without an end lasts until the next one, or to the end of the file.
  public func chapters() throws(MediaError) -> [Chapter] {
    chapterList.indices.map { index in
      let (chapter, next) = (chapterList[index], index + 1)
      let end =
        chapter.end ?? (next < chapterList.count ? chapterList[next].start : duration)
      return Chapter(
        start: chapter.start, end: end.isNumeric ? max(end, chapter.start) : chapter.start,
        title: chapter.title)
    }
  }

  /// A reader from the first cluster; `usage` for an index outside ``tracks``. A seek goes by the
  /// cues where there are some, else by the headers of blocks.
  public func makePacketReader(trackIndices: [Int]) throws(MediaError) -> any PacketReader {
    if let wrong = trackIndices.first(where: { !tracks.indices.contains($0) }) {
      throw MediaError(.usage, .matroskaTrackIndex, detail: "\(wrong) of \(tracks.count)")
    }
    return MatroskaReader(layout, selected: trackIndices)
  }
}
