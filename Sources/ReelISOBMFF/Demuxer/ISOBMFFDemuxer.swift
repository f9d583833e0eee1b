// The demuxer of MP4, MOV, M4V, M4A and 3GP files.

public import ReelCore

/// An opened ISO base media file. ISO/IEC 14496-12:2020, with QuickTime's older forms.
///
/// Opening reads the metadata only; media data is read packet by packet.
public struct ISOBMFFDemuxer: Demuxer {
  public var formatName: String { "mov,mp4,m4a,3gp,3g2,mj2" }
  public let tracks: [Track]
  public let duration: MediaTime
  public let tags: [Tag]
  public let warnings: [MediaError]
  public var hasIndex: Bool { true }

  let source: any ByteSource
  let limits: Limits
  let tables: [SampleTable]

  /// Opens a file.
  ///
  /// - Throws: `needsMoreData` when the file ends inside its metadata, `damaged` when it breaks a
  ///   rule that leaves no meaning (any rule of `strictness` otherwise), `unsupported`,
  ///   `limitExceeded`, `io`.
  public init(
    source: any ByteSource, limits: Limits = .standard, strictness: Strictness = .lenient
  ) throws(MediaError) {
    var context = BoxContext(limits: limits, strictness: strictness)
    let layout = try Self.readLayout(source, &context)
    var builder = TrackBuilder(movie: layout.movie)
    for track in layout.movie.tracks { try builder.append(track, &context) }
    self.source = source
    self.limits = limits
    tracks = builder.tracks
    tables = builder.tables
    duration = builder.duration
    tags = layout.fileType.map(Self.tags) ?? []
    warnings = context.warnings
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

  private struct Layout {
    var fileType: FileTypeBox?
    let movie: MovieBox
  }

  /// Finds and reads the boxes that describe the file, wherever they stand.
  private static func readLayout(
    _ source: any ByteSource, _ context: inout BoxContext
  ) throws(MediaError) -> Layout {
    var walker = TopLevelWalker(source)
    var (fileType, movie): (FileTypeBox?, MovieBox?)
    var hasMedia = false
    walk: while true {
      let box: TopLevelBox
      do {
        guard let next = try walker.next(&context) else { break walk }
        box = next
      } catch {
        // What follows a complete movie may be anything; without one it is the fault to tell.
        guard movie != nil, error.family == .damaged || error.family == .needsMoreData else {
          throw error
        }
        try context.note(error)
        break walk
      }
      switch box.type {
      case "ftyp" where fileType == nil:
        fileType = try parse(box, walker, &context, FileTypeBox.init(parsing:_:))
      case "moov" where movie == nil:
        movie = try parse(box, walker, &context, MovieBox.init(parsing:_:))
      case "mdat":
        hasMedia = true
        try checkEnd(box, source, &context)
      default:
        break
      }
      if hasMedia, let movie, !movie.isFragmented { break walk }
    }
    guard let movie else {
      throw MediaError(
        .damaged, .movieMissing, at: .offset(walker.offset), detail: "the file ends without one",
        advice: "a file whose recording was interrupted has no movie box")
    }
    return Layout(fileType: fileType, movie: movie)
  }

  /// Reads a top-level box of metadata.
  private static func parse<Box>(
    _ box: TopLevelBox, _ walker: TopLevelWalker, _ context: inout BoxContext,
    _ body: (inout ByteReader, inout BoxContext) throws(MediaError) -> Box
  ) throws(MediaError) -> Box {
    let bytes = try walker.payload(of: box, limits: context.limits)
    var reader = ByteReader(bytes.span, base: box.payloadOffset)
    try context.enter(box.type, at: box.offset)
    do {
      let parsed = try body(&reader, &context)
      context.leave()
      return parsed
    } catch {
      throw context.located(error)
    }
  }

  /// Notes a media box that reaches past the end of the file.
  private static func checkEnd(
    _ box: TopLevelBox, _ source: any ByteSource, _ context: inout BoxContext
  ) throws(MediaError) {
    guard let length = source.byteCount, let stated = box.byteCount,
      stated > length - box.offset
    else { return }
    try context.note(
      MediaError(
        .needsMoreData, .boxTruncated, at: .box(path: "\(box.type)", offset: box.offset),
        detail: "\(stated) bytes stated, \(length - box.offset) there"))
  }

  /// The tags that the brands make, named as FFmpeg names them.
  private static func tags(_ box: FileTypeBox) -> [Tag] {
    [
      Tag("major_brand", "\(box.majorBrand)"), Tag("minor_version", "\(box.minorVersion)"),
      Tag("compatible_brands", box.compatibleBrands.map(\.description).joined()),
    ]
  }

  public func makePacketReader(
    trackIndices: [Int]
  ) throws(MediaError) -> any PacketReader {
    for index in trackIndices where !tables.indices.contains(index) {
      throw MediaError(.usage, .noSuchTrack, detail: "index \(index) of \(tables.count)")
    }
    return ISOBMFFPacketReader(self, trackIndices: trackIndices)
  }
}

extension FileTypeBox {
  fileprivate init(
    parsing reader: inout ByteReader, _ context: inout BoxContext
  ) throws(MediaError) {
    try self.init(parsing: &reader)
  }
}
