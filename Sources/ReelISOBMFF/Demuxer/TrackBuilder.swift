// From the boxes of a movie to the tracks of an asset.

import ReelCore

/// Makes ``Track`` values and sample tables out of `trak` boxes.
struct TrackBuilder {
  private(set) var tracks: [Track] = []
  private(set) var tables: [SampleTable] = []
  private let movieTimescale: Int32
  private let movieDuration: Int64?

  init(movie: MovieBox) {
    movieTimescale = movie.header?.timescale ?? 600
    movieDuration = movie.header?.duration
  }

  /// Length of the movie: the longest track, or what the header says when no track tells.
  var duration: MediaTime {
    let longest = tracks.map(\.duration).filter(\.isNumeric).max()
    if let longest, longest > .zero { return longest }
    guard let movieDuration else { return .indefinite }
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
    let table = try SampleTable(box, &context)
    track.language = mediaHeader.language
    track.isEnabled = box.header?.isEnabled ?? true
    track.mediaDuration = table.count > 0 ? table.deltas.total : mediaHeader.duration
    track.sampleCount = table.count
    track.edits = edits(box.edits, table)
    track.duration = presentationDuration(track, box)
    if let matrix = box.header?.matrix, matrix != Self.identity { track.matrix = matrix }
    if let name = box.handler?.name, !name.isEmpty { track.tags.append(Tag("handler_name", name)) }
    tracks.append(track)
    tables.append(table)
  }

  private static let identity: [Int32] = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x4000_0000]

  /// The edit list in presentation time. An edit of length 0 at the end stands for the rest of the
  /// media: writers that do not know the length yet put it there (ISO/IEC 14496-12:2020 §8.6.6.1).
  private func edits(_ box: EditListBox?, _ table: SampleTable) -> [TimelineEdit] {
    guard let entries = box?.entries else { return [] }
    return entries.map { entry in
      TimelineEdit(
        duration: MediaTime(value: entry.segmentDuration, timescale: movieTimescale),
        mediaStart: entry.mediaTime == -1 ? nil : entry.mediaTime, rate: entry.mediaRate)
    }
  }

  /// Sum of the edits, or the media as it is, or what the headers say.
  private func presentationDuration(_ track: Track, _ box: TrackBox) -> MediaTime {
    if let entries = box.edits?.entries, !entries.isEmpty {
      var total: Int64 = 0
      for entry in entries {
        total = total.addingReportingOverflow(entry.segmentDuration).partialValue
      }
      if total > 0 { return MediaTime(value: total, timescale: movieTimescale) }
    }
    if let media = track.mediaDuration, media > 0 {
      return MediaTime(value: media, timescale: track.timescale)
    }
    guard let duration = box.header?.duration else { return .indefinite }
    return MediaTime(value: duration, timescale: movieTimescale)
  }
}
