// Tracks of a playlist, and where each segment has them.

import ReelCore

/// Finds a track of the playlist in its segments.
struct SegmentedTrack: Sendable {
  let kind: MediaKind
  let codec: CodecID
  /// Number among the tracks of this kind and codec.
  let ordinal: Int
  let timescale: Int32
  /// Format of the playlist's track by initialization section and format in the segment.
  var formatIndices: [FormatKey: Int] = [:]

  /// An initialization section of one of the playlists; −1 for none.
  struct Section: Hashable, Sendable {
    let store: Int
    let section: Int
  }

  struct FormatKey: Hashable, Sendable {
    let section: Section
    let format: Int
  }

  /// Index of this track among those of a segment; nil when it has none.
  func index(in tracks: [Track]) -> Int? {
    var count = 0
    for (index, track) in tracks.enumerated() where track.kind == kind && track.codec == codec {
      if count == ordinal { return index }
      count += 1
    }
    return nil
  }
}

extension [Track] {
  /// What finds these tracks in other segments.
  var finders: [SegmentedTrack] {
    var counts: [String: Int] = [:]
    return map { track in
      let name = "\(track.kind) \(track.codec)"
      defer { counts[name, default: 0] += 1 }
      return SegmentedTrack(
        kind: track.kind, codec: track.codec, ordinal: counts[name] ?? 0,
        timescale: track.timescale)
    }
  }
}
