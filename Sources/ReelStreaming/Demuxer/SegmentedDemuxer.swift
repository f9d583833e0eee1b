// A presentation of segments as one container.

public import ReelCore
public import ReelHLS

/// The segments of media playlists as one input: a main playlist, and others for sound and subtitles.
///
/// Times count from the begin of the main playlist. Segments are loaded when packets of them are
/// asked for; opening loads the first one of each playlist and one for each initialization section.
public struct SegmentedDemuxer: Demuxer {
  public let formatName = "hls"
  public let tracks: [Track]
  public let duration: MediaTime
  public let tags: [Tag] = []
  public let warnings: [MediaError]
  /// The main playlist.
  public let playlist: MediaPlaylist
  let playlists: [SegmentedPlaylist]
  /// Playlist and track in it of each track.
  private let places: [(playlist: Int, track: Int)]

  init(
    _ playlists: [SegmentedPlaylist], describe: (Int, inout Track) -> Void = { _, _ in },
    warnings: [MediaError] = []
  ) {
    var (tracks, places): ([Track], [(Int, Int)]) = ([], [])
    var ids: Set<Int> = []
    for (number, playlist) in playlists.enumerated() {
      for (index, track) in playlist.tracks.enumerated() {
        var own = track
        describe(number, &own)
        if !ids.insert(own.id).inserted {
          own.id = (ids.max() ?? 0) + 1
          ids.insert(own.id)
        }
        tracks.append(own)
        places.append((number, index))
      }
    }
    (self.tracks, self.places, self.playlists) = (tracks, places, playlists)
    self.warnings = warnings + playlists.flatMap(\.warnings)
    playlist = playlists.first?.segments.playlist ?? MediaPlaylist()
    let length = playlists.first?.segments.timeline.duration ?? .zero
    duration =
      playlist.isEnded ? MediaTime(length) : .indefinite
  }

  public func makePacketReader(trackIndices: [Int]) throws(MediaError) -> any PacketReader {
    var selections = playlists.map { [Int?](repeating: nil, count: $0.tracks.count) }
    for index in trackIndices {
      guard places.indices.contains(index) else {
        throw MediaError(.usage, .streamingTrackIndex, detail: "\(index) of \(places.count)")
      }
      selections[places[index].playlist][places[index].track] = index
    }
    return SegmentedReader(
      zip(playlists, selections).map { playlist, outer in
        outer.contains { $0 != nil } ? SegmentCursor(playlist, outer: outer) : nil
      }, places: places, timescales: tracks.map(\.timescale))
  }
}

/// Joins the packets of several playlists in the order of their decoding times.
final class SegmentedReader: PacketReader {
  private var cursors: [SegmentCursor?]
  private let places: [(playlist: Int, track: Int)]
  private let timescales: [Int32]
  /// The next packet of each playlist, read ahead when there are several.
  private var ahead: [Packet?]
  private var isAtEnd: [Bool]

  init(
    _ cursors: [SegmentCursor?], places: [(playlist: Int, track: Int)], timescales: [Int32]
  ) {
    (self.cursors, self.places, self.timescales) = (cursors, places, timescales)
    ahead = [Packet?](repeating: nil, count: cursors.count)
    isAtEnd = cursors.map { $0 == nil }
  }

  func next() throws(MediaError) -> Packet? {
    var best: (index: Int, time: Rational)?
    for index in cursors.indices where !isAtEnd[index] {
      if ahead[index] == nil { ahead[index] = try cursors[index]?.next() }
      guard let packet = ahead[index] else {
        isAtEnd[index] = true
        continue
      }
      let ticks = packet.decodeTicks ?? packet.presentationTicks ?? 0
      let time = Rational(ticks, timescales[packet.trackIndex])
      if best.map({ time < $0.time }) ?? true { best = (index, time) }
    }
    guard let best else { return nil }
    defer { ahead[best.index] = nil }
    return ahead[best.index]
  }

  func seek(trackIndex: Int, toSyncAtOrBefore ticks: Int64) throws(MediaError) {
    guard places.indices.contains(trackIndex), cursors[places[trackIndex].playlist] != nil else {
      throw MediaError(.usage, .streamingTrackIndex, detail: "\(trackIndex)")
    }
    let place = places[trackIndex]
    let time = Rational(ticks, timescales[trackIndex])
    for index in cursors.indices {
      ahead[index] = nil
      isAtEnd[index] = cursors[index] == nil
      if index == place.playlist {
        try cursors[index]?.seek(track: place.track, toSyncAtOrBefore: ticks)
      } else {
        cursors[index]?.seek(toSegmentAt: time)
      }
    }
  }
}
