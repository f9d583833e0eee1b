// One media playlist of a presentation with the tracks that are in it.

import ReelCore
import ReelHLS

/// A media playlist, or several variants of one, opened: its segments and its tracks.
struct SegmentedPlaylist: Sendable {
  let segments: SegmentSequence
  /// Whose anchors are used for segments of the same group; nil in the main playlist.
  let main: SegmentSequence?
  /// Tracks with all their formats, times of the playlist.
  private(set) var tracks: [Track] = []
  private(set) var finders: [SegmentedTrack] = []
  private(set) var warnings: [MediaError] = []

  /// Opens one segment for each initialization section, and one without any.
  ///
  /// - Parameter wants: tracks that are taken.
  /// - Throws: what opening the first segment throws.
  init(
    _ segments: SegmentSequence, main: SegmentSequence? = nil, wants: (Track) -> Bool
  ) throws(MediaError) {
    self.segments = segments
    self.main = main
    var seen: Set<SegmentedTrack.Section> = []
    let possible = segments.stores.reduce(0) { $0 + $1.sections.count + 1 }
    for index in segments.timeline.indices where segments.isLoadable(index) {
      let section = segments.section(ofSegment: index)
      guard seen.insert(section).inserted else { continue }
      let opened: OpenedSegment
      do {
        opened = try segments.open(index)
      } catch {
        if seen.count == 1 && error.family != .protected { throw error }
        warnings.append(error)
        if error.family == .protected { break }
        continue
      }
      if seen.count == 1 {
        takeTracks(opened.demuxer, wants)
        warnings += opened.demuxer.warnings
      }
      takeFormats(opened.demuxer, section)
      if seen.count >= possible { break }
    }
    guard !seen.isEmpty else {
      throw MediaError(.damaged, .streamingEmpty, at: .named(segments.stores[0].address.address))
    }
    if tracks.isEmpty, warnings.last?.family == .protected { takeProtected() }
    let keys = segments.playlist.segments.lazy.map(\.keys).first { $0.protectsSamples }
    guard let keys else { return }
    for index in tracks.indices {
      tracks[index].isProtected = true
      if tracks[index].protection == nil {
        var protection = ContentProtection()
        protection.scheme = keys.sampleScheme
        tracks[index].protection = protection
      }
    }
  }

  private mutating func takeTracks(_ demuxer: any Demuxer, _ wants: (Track) -> Bool) {
    let all = demuxer.tracks.finders
    for (track, finder) in zip(demuxer.tracks, all) where wants(track) {
      var own = track
      own.formats = []
      own.edits = []
      (own.sampleCount, own.declaredSampleCount, own.byteCount) = (nil, nil, nil)
      own.gapless = nil
      let length = segments.timeline.duration
      own.duration = MediaTime(
        value: length.ticks(timescale: track.timescale, rounding: .standard).value,
        timescale: track.timescale)
      own.mediaDuration = own.duration.value
      if !segments.playlist.isEnded { (own.duration, own.mediaDuration) = (.indefinite, nil) }
      tracks.append(own)
      finders.append(finder)
    }
  }

  private mutating func takeFormats(_ demuxer: any Demuxer, _ section: SegmentedTrack.Section) {
    for index in finders.indices {
      guard let inner = finders[index].index(in: demuxer.tracks) else { continue }
      for (number, format) in demuxer.tracks[inner].formats.enumerated() {
        let known = tracks[index].formats.firstIndex(of: format)
        if known == nil { tracks[index].formats.append(format) }
        let key = SegmentedTrack.FormatKey(section: section, format: number)
        finders[index].formatIndices[key] = known ?? tracks[index].formats.count - 1
      }
      if demuxer.tracks[inner].isProtected { tracks[index].isProtected = true }
    }
  }

  /// Segments that cannot even be opened without a DRM system: a track that says so.
  private mutating func takeProtected() {
    var track = Track(
      id: 1, kind: .video, codec: .unknown, timescale: 90_000, formats: [.video(VideoFormat())])
    track.isProtected = true
    track.protection = ContentProtection()
    track.duration = MediaTime(segments.timeline.duration)
    tracks = [track]
    finders = tracks.finders
  }
}

extension SegmentStore {
  /// Index into `sections` of a segment's initialization section; −1 for none.
  func section(ofSegment index: Int) -> Int {
    guard let section = playlist.segments[index].initializationSection else { return -1 }
    return sections.firstIndex(of: section) ?? -1
  }
}
