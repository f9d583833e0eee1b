// The demuxer of MP4, MOV, M4V, M4A and 3GP files and of fragmented ones, CMAF among them.

public import ReelCore

/// An opened ISO base media file. ISO/IEC 14496-12:2020, with QuickTime's older forms.
///
/// Opening reads the metadata only; media data is read packet by packet.
public struct ISOBMFFDemuxer: Demuxer {
  /// One name for the whole family, as FFmpeg has it.
  public var formatName: String { "mov,mp4,m4a,3gp,3g2,mj2" }
  /// Tracks with a media header, in the order of the movie box; their timescales are their own.
  public let tracks: [Track]
  /// The longest track with its edits; where no track tells, what the movie's header says, else
  /// indefinite.
  public let duration: MediaTime
  /// Of the file type, the movie's header, user data and metadata lists, named as FFmpeg names
  /// them.
  public let tags: [Tag]
  /// Rules that the file breaks and that could be read past, in file order.
  public let warnings: [MediaError]
  /// True: the sample tables tell every packet.
  public var hasIndex: Bool { true }
  /// Number of movie fragments; 0 for a file that has all in its movie box.
  public let fragmentCount: Int
  /// Pictures of the metadata lists.
  public let artwork: [Artwork]
  /// Event messages (`emsg`) between the fragments, in file order.
  public let eventMessages: [EventMessage]

  let source: any ByteSource
  let limits: Limits
  let tables: [SampleTable]
  /// Chapters of a list in the user data.
  let listedChapters: [Chapter]

  /// Opens a file.
  ///
  /// - Parameter initialization: the initialization segment (`ftyp`, `moov`) when `source` holds media
  ///   segments only.
  /// - Parameter acceptsCutMetadata: a file that ends inside its metadata is opened as far as that goes,
  ///   to be looked at rather than played.
  /// - Throws: `needsMoreData` when the file ends inside its metadata, `damaged` when it breaks a
  ///   rule that leaves no meaning (any rule of `strictness` otherwise), `unsupported`,
  ///   `limitExceeded`, `io`.
  public init(
    source: any ByteSource, initialization: (any ByteSource)? = nil, limits: Limits = .standard,
    strictness: Strictness = .lenient, acceptsCutMetadata: Bool = false
  ) throws(MediaError) {
    var context = BoxContext(limits: limits, strictness: strictness)
    context.bound(byByteCount: Self.byteCount(source, initialization))
    var layout = FileLayout(acceptsLess: acceptsCutMetadata)
    if let initialization { try layout.read(initialization, &context) }
    try layout.read(source, &context)
    let builder = try layout.finish(&context)
    self.source = source
    self.limits = limits
    tags = layout.tags
    tracks = Self.withGapless(builder.tracks, tags)
    tables = builder.tables
    duration = builder.duration
    artwork = layout.artwork
    eventMessages = layout.eventMessages
    listedChapters = layout.listedChapters(until: duration)
    fragmentCount = layout.fragmentCount
    warnings = context.warnings
  }

  /// Bytes of all sources; nil when one does not tell.
  private static func byteCount(
    _ source: any ByteSource, _ initialization: (any ByteSource)?
  ) -> Int64? {
    guard let bytes = source.byteCount else { return nil }
    guard let initialization else { return bytes }
    return initialization.byteCount.map { bytes.addingReportingOverflow($0).partialValue }
  }

  /// Whether a file that begins with these bytes (a few hundred are enough) is one of ours.
  public static func probe(_ prefix: [UInt8]) -> Bool {
    var offset = 0
    while offset + 8 <= prefix.count {
      var reader = ByteReader(prefix.span)
      guard (try? reader.skip(offset)) != nil, let size = try? reader.read(UInt32.self),
        let code = try? reader.read(UInt32.self)
      else { return false }
      let type = FourCC(rawValue: code)
      if size != 0 && size != 1 && size < 8 { return false }
      if decisiveTypes.contains(type) { return true }
      // Padding may stand before the first box that tells.
      guard type == "free" || type == "skip" || type == "wide", size >= 8 else { return false }
      offset += Int(size)
    }
    // All padding so far: no other format begins like this.
    return offset > 0
  }

  private static let decisiveTypes: Set<FourCC> = [
    "ftyp", "styp", "moov", "mdat", "moof", "sidx", "pnot", "emsg", "prft", "ssix",
  ]

  /// The tracks with what iTunes noted of the sound, when there is one audio track to mean.
  private static func withGapless(_ tracks: [Track], _ tags: [Tag]) -> [Track] {
    let audio = tracks.indices.filter { tracks[$0].kind == .audio }
    guard audio.count == 1, let note = tags.first(where: { $0.key == "iTunSMPB" }) else {
      return tracks
    }
    var tracks = tracks
    tracks[audio[0]].gapless = GaplessInformation(iTunSMPB: note.value)
    return tracks
  }

  /// A reader from the first sample of each track, in the order in which they lie in the file;
  /// `usage` for an index outside ``tracks``.
  public func makePacketReader(
    trackIndices: [Int]
  ) throws(MediaError) -> any PacketReader {
    for index in trackIndices where !tables.indices.contains(index) {
      throw MediaError(.usage, .noSuchTrack, detail: "index \(index) of \(tables.count)")
    }
    return ISOBMFFPacketReader(self, trackIndices: trackIndices)
  }
}
