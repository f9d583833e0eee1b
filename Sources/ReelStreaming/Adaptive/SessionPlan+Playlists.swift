// What a session over a real list plays.

import ReelAssets
public import ReelCore
import ReelHLS

extension SessionPlan {
  /// The plan of a playlist: levels of its variants, durations and sizes of its segments.
  ///
  /// Media playlists of the variants are loaded as far as they are there: the first one that is gives
  /// the durations, and those with byte ranges the sizes. Segments themselves are not loaded.
  ///
  /// - Throws: what the loader throws for the playlist itself; `damaged` when no segments are known.
  public init(
    address: String, loader: any ResourceLoader, caps: AdaptiveCaps = AdaptiveCaps(),
    options: StreamingOptions = StreamingOptions()
  ) throws(MediaError) {
    let opening = PresentationOpening(loader: loader, registry: MediaRegistry(), options: options)
    let (parsed, place) = try opening.playlist(PlaylistAddress(address), namedBy: nil, [:])
    switch parsed.playlist {
    case .media(let media):
      let bandwidth = media.segments.lazy.compactMap(\.bitrate).first.map { Int64($0) * 1000 }
      self.init(
        levels: [AdaptiveLevel(variantIndex: 0, bandwidth: bandwidth ?? 1_000_000)],
        durations: media.segmentMicroseconds)
      sizes[0] = media.segmentBits
    case .master(let master):
      let levels = caps.levels(master.variants)
      self.init(levels: levels, durations: [])
      var failure: MediaError?
      for (index, level) in levels.enumerated() {
        do throws(MediaError) {
          let media = try opening.mediaPlaylist(
            master.variants[level.variantIndex].uri, master, place)
          if durations.isEmpty { durations = media.segmentMicroseconds }
          if media.segments.count == durations.count { sizes[index] = media.segmentBits }
        } catch {
          failure = failure ?? error
        }
      }
      if durations.isEmpty, let failure { throw failure }
    }
    guard !durations.isEmpty else {
      throw MediaError(.damaged, .streamingEmpty, at: .named(address))
    }
  }
}

extension MediaPlaylist {
  fileprivate var segmentMicroseconds: [Int64] {
    segments.map { segment in
      let scaled = Int128(segment.duration.unscaled) * 1_000_000 / Int128(segment.duration.scale)
      return max(Int64(clamping: scaled), 1)
    }
  }

  /// Nil unless every segment tells its size.
  fileprivate var segmentBits: [Int64]? {
    var sizes: [Int64] = []
    for segment in segments {
      guard let range = segment.byteRange else { return nil }
      sizes.append(Int64(clamping: Int128(range.length) * 8))
    }
    return sizes
  }
}
