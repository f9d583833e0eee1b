// From the boxes of a movie to the tracks of an asset.

import ReelCore

/// Makes ``Track`` values and sample tables out of `trak` boxes.
struct TrackBuilder {
  private(set) var tracks: [Track] = []
  private(set) var tables: [SampleTable] = []
  private var boxes: [TrackBox] = []
  /// Number of samples that each track's size table states.
  private var declaredCounts: [Int?] = []
  private let movieTimescale: Int32
  private let movieDuration: Int64?
  /// The matrix of the whole movie, unless it changes nothing.
  private let movieMatrix: [Int32]?

  init(movie: MovieBox) {
    movieTimescale = movie.header?.timescale ?? 600
    movieDuration = movie.fragmentDuration ?? movie.header?.duration
    movieMatrix = movie.header.flatMap { Self.turns($0.matrix) ? $0.matrix : nil }
  }

  var trackIDs: [Int] { tracks.map(\.id) }

  /// Length of the movie: the longest track, or what the headers say when no track tells.
  var duration: MediaTime {
    let longest = tracks.map(\.duration).filter(\.isNumeric).max()
    if let longest, longest > .zero { return longest }
    guard let movieDuration, movieDuration > 0 else { return .indefinite }
    return MediaTime(value: movieDuration, timescale: movieTimescale)
  }

  /// Adds a track. One without a media header has no times and so nothing to play: it is left out.
  mutating func append(_ box: TrackBox, _ context: inout BoxContext) throws(MediaError) {
    guard let mediaHeader = box.mediaHeader else {
      try context.note(
        MediaError(
          .damaged, .boxMissing, at: .named("moov/trak[\(tracks.count)]/mdia"), detail: "mdhd"))
      return
    }
    let entries = box.descriptions?.entries ?? []
    var track = Track(
      id: Int(box.header?.trackID ?? 0), kind: box.handler?.kind ?? .data,
      codec: entries.first?.codec ?? .unknown, timescale: mediaHeader.timescale,
      formats: entries.map(\.format))
    track.protection = entries.lazy.compactMap(\.protection).first
    track.isProtected = track.protection != nil
    track.language = mediaHeader.language
    track.isEnabled = box.header?.isEnabled ?? true
    if let matrix = box.header?.matrix {
      let whole = movieMatrix.map { Self.product(matrix, $0) } ?? matrix
      if Self.turns(whole) { track.matrix = whole }
    }
    track.extendedLanguage = box.extendedLanguage
    track.references = box.references
    track.tags = Self.tags(box, mediaHeader, entries.first)
    try context.enter("moov", at: 0)
    try context.enter("trak", index: tracks.count, at: 0)
    tables.append(try SampleTable(box, &context))
    context.leave(to: 0)
    tracks.append(track)
    boxes.append(box.withoutTables)
    declaredCounts.append(box.sizes.sampleCount)
  }

  /// The track's matrix followed by the movie's. ISO/IEC 14496-12:2020 §8.3.2.3: rows of three, the last
  /// column in 2.30, the others in 16.16.
  private static func product(_ a: [Int32], _ b: [Int32]) -> [Int32] {
    guard a.count == 9, b.count == 9 else { return a }
    var result: [Int32] = []
    for row in 0..<3 {
      for column in 0..<3 {
        var sum: Int64 = 0
        for k in 0..<3 {
          // Each term below 2⁶² >> 16, so that the sum of three fits.
          sum += Int64(a[row * 3 + k]) * Int64(b[k * 3 + column]) >> (k == 2 ? 30 : 16)
        }
        result.append(Int32(clamping: sum))
      }
    }
    return result
  }

  /// Whether a matrix changes anything. Nobody means one of zeros: some writers leave the field empty.
  private static func turns(_ matrix: [Int32]) -> Bool {
    matrix != identity && matrix.contains { $0 != 0 }
  }

  private static let identity: [Int32] = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x4000_0000]

  /// Tags of a track, named as FFmpeg names them.
  private static func tags(
    _ box: TrackBox, _ mediaHeader: MediaHeaderBox, _ entry: SampleEntry?
  ) -> [Tag] {
    var tags: [Tag] = []
    if let time = CalendarTime(secondsSince1904: mediaHeader.creationTime) {
      tags.append(Tag("creation_time", time.description))
    }
    if let name = box.handler?.name, !name.isEmpty { tags.append(Tag("handler_name", name)) }
    if let vendor = entry?.vendor { tags.append(Tag("vendor_id", vendor.bracketedDescription)) }
    if let name = entry?.compressorName, !name.isEmpty { tags.append(Tag("encoder", name)) }
    return tags + (box.userData?.tags ?? []) + (box.metadata?.tags ?? [])
  }

  /// Hands the tables over to be extended by fragments.
  mutating func takeTables() -> [SampleTable] {
    defer { tables = [] }
    return tables
  }

  /// Takes the finished tables back and works out what depends on all samples.
  mutating func finish(
    _ tables: [SampleTable], _ context: inout BoxContext
  ) throws(MediaError) {
    self.tables = tables
    for index in tracks.indices {
      let table = tables[index]
      tracks[index].sampleCount = table.count
      tracks[index].declaredSampleCount =
        (declaredCounts[index] ?? 0) > 0 ? declaredCounts[index] : nil
      tracks[index].byteCount = table.sizes.total
      if tracks[index].kind == .video {
        tracks[index].averageFrameRate = table.averageRate(tracks[index].timescale)
        tracks[index].commonFrameRate = table.commonRate(tracks[index].timescale)
      }
      tracks[index].mediaDuration =
        table.count > 0 ? table.endTicks : boxes[index].mediaHeader?.duration
      tracks[index].edits = edits(boxes[index].edits)
      tracks[index].duration = presentationDuration(tracks[index], boxes[index])
    }
  }

  /// The edit list in presentation time.
  private func edits(_ box: EditListBox?) -> [TimelineEdit] {
    guard let entries = box?.entries else { return [] }
    return entries.map { entry in
      TimelineEdit(
        duration: MediaTime(value: entry.segmentDuration, timescale: movieTimescale),
        mediaStart: entry.mediaTime == -1 ? nil : entry.mediaTime, rate: entry.mediaRate)
    }
  }

  /// Sum of the edits, or the media as it is, or what the headers say.
  private func presentationDuration(_ track: Track, _ box: TrackBox) -> MediaTime {
    var total = Rational.zero
    for edit in track.edits { total += Rational(edit.duration) ?? .zero }
    // An edit of length 0 shows all the media there is from its media time on.
    if let last = track.edits.last, let start = last.mediaStart, last.duration == .zero,
      let media = track.mediaDuration
    {
      let rest = Rational(max(media.subtractingReportingOverflow(start).partialValue, 0), 1)
      total += rest / Rational(Int(track.timescale))
    }
    if total > .zero { return MediaTime(total, timescale: movieTimescale) }
    if let media = track.mediaDuration, media > 0 {
      return MediaTime(value: media, timescale: track.timescale)
    }
    guard let duration = box.header?.duration, duration > 0 else { return .indefinite }
    return MediaTime(value: duration, timescale: movieTimescale)
  }
}
