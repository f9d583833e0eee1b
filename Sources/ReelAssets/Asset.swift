// An opened input: its tracks, and readers of their frames.

public import ReelCore

/// An input, opened. A value: copies share the container, readers are made anew each time.
public struct Asset: Sendable {
  /// The container.
  public let demuxer: any Demuxer
  /// Where decoders for its tracks come from.
  public let registry: MediaRegistry

  /// Opens an input as what its bytes say it is.
  ///
  /// - Throws: as ``MediaRegistry/open(_:_:)``.
  public init(
    _ source: any ByteSource, registry: MediaRegistry, options: OpenOptions = OpenOptions()
  ) throws(MediaError) {
    self.init(try registry.open(source, options), registry: registry)
  }

  /// An asset of a container that was opened already.
  public init(_ demuxer: any Demuxer, registry: MediaRegistry) {
    self.demuxer = demuxer
    self.registry = registry
  }

  /// All tracks, in the container's order; indices into them name tracks everywhere else.
  public var tracks: [Track] { demuxer.tracks }
  /// Length of the presentation; indefinite when only reading tells.
  public var duration: MediaTime { demuxer.duration }
  /// Samples of at least one track are encrypted.
  public var hasProtectedContent: Bool { tracks.contains(where: \.isProtected) }

  /// Indices of the tracks of a kind.
  public func trackIndices(_ kind: MediaKind) -> [Int] {
    tracks.indices.filter { tracks[$0].kind == kind }
  }

  /// The video track to show: the first enabled one that there is a decoder for, else the first one;
  /// nil when there is no video.
  public var videoTrackIndex: Int? {
    let video = trackIndices(.video)
    return video.first {
      tracks[$0].isEnabled && !tracks[$0].isProtected
        && registry.videoDecoders[tracks[$0].codec] != nil
    } ?? video.first
  }

  /// Index of the track to read: the one asked for, or the one to show.
  private func videoTrack(_ index: Int?) throws(MediaError) -> Int {
    guard let index = index ?? videoTrackIndex else {
      let kinds = tracks.map { "\($0.codec)" }.joined(separator: ", ")
      throw MediaError(
        .unsupported, .assetNoVideo, detail: tracks.isEmpty ? "no tracks" : "tracks: \(kinds)")
    }
    guard tracks.indices.contains(index) else {
      throw MediaError(.usage, .assetTrackIndex, detail: "\(index) of \(tracks.count)")
    }
    guard tracks[index].kind == .video else {
      throw MediaError(.usage, .assetTrackKind, detail: "track \(index) is \(tracks[index].kind)")
    }
    return index
  }

  /// Frames of a video track by number or time, in any order.
  ///
  /// - Parameter trackIndex: nil for the track to show.
  /// - Throws: `unsupported` when there is no video or no decoder for it, `protected`, `usage`.
  public func makeFrameReader(
    trackIndex: Int? = nil, options: FrameReader.Options = FrameReader.Options()
  ) throws(MediaError) -> FrameReader {
    try FrameReader(asset: self, trackIndex: videoTrack(trackIndex), options: options)
  }

  /// Frames of a video track one after the other, as a decoder puts them out, edit list applied.
  ///
  /// - Parameter trackIndex: nil for the track to show.
  /// - Throws: as ``makeFrameReader(trackIndex:options:)``.
  public func makeLinearFrameReader(
    trackIndex: Int? = nil, options: DecodeOptions = DecodeOptions()
  ) throws(MediaError) -> LinearFrameReader {
    try LinearFrameReader(asset: self, trackIndex: videoTrack(trackIndex), options: options)
  }

  /// Number of frames that the presentation of a track shows, told by its packet headers alone.
  ///
  /// - Throws: `usage` for an index without a track; `limitExceeded`, `io`.
  public func presentedFrameCount(trackIndex: Int) throws(MediaError) -> Int {
    guard tracks.indices.contains(trackIndex) else {
      throw MediaError(.usage, .assetTrackIndex, detail: "\(trackIndex) of \(tracks.count)")
    }
    let builder = try FrameIndexBuilder.complete(
      track: tracks[trackIndex], limits: .standard,
      makeReader: { () throws(MediaError) in
        try demuxer.makePacketReader(trackIndices: [trackIndex])
      })
    let edits = tracks[trackIndex].edits
    guard !edits.isEmpty else { return builder.index.count }
    return try PresentationTimeline(
      edits, timescale: tracks[trackIndex].timescale, index: builder.index, limits: .standard
    ).count(builder.index)
  }
}
