// A presentation whose variants take turns.

public import ReelAssets
public import ReelCore
public import ReelHLS

/// The variants of a presentation that can take each other's place, and what a session has to know of them.
///
/// `reel hls simulate` runs a session over its plan; a render runs the same session beside a player and then
/// opens the segments in the variants that the session took.
public struct AdaptivePresentation: Sendable {
  /// Levels, durations and sizes of the segments.
  public let plan: SessionPlan
  /// What could be read past; variants that cannot take part.
  public let warnings: [MediaError]
  /// The largest picture of the variants that take part, as the list tells; nil when it does not.
  public let resolution: Resolution?
  /// Media playlist of each level; nil where only its bandwidth is known.
  private let stores: [SegmentStore?]
  private let opening: PresentationOpening
  private let master: (pathways: PathwaySet, address: PlaylistAddress)?

  /// Which variants take part.
  public enum Variants: Sendable {
    /// All that can.
    case all
    /// The one that the options choose.
    case chosen
  }

  /// Loads the master playlist and the media playlists of its variants; no segments.
  ///
  /// Variants take part that can be decoded, whose segments begin at the same times as those of the lowest
  /// one that is there, and that have no pictures only where none has.
  ///
  /// - Parameter live: How playlists are followed that have no end yet; nil: they are taken as they are.
  /// - Throws: what the loader throws for the playlist itself; `damaged` when no segments are known.
  public init(
    address: String, loader: any ResourceLoader, registry: MediaRegistry,
    caps: AdaptiveCaps = AdaptiveCaps(), variants: Variants = .all,
    options: StreamingOptions = StreamingOptions(), live: LiveOptions? = nil
  ) throws(MediaError) {
    var opening = PresentationOpening(loader: loader, registry: registry, options: options)
    let (parsed, place) = try opening.playlist(PlaylistAddress(address), namedBy: nil, [:])
    var levels = [AdaptiveLevel(variantIndex: 0, bandwidth: 1_000_000)]
    var playlist = parsed.playlist
    if case .master(let list) = parsed.playlist {
      let pathways = opening.pathways(list, place)
      levels = try Self.levels(pathways, caps, variants, opening)
      playlist = .master(pathways.master)
      master = (pathways, place)
    } else {
      master = nil
    }
    var availability: [Int64] = []
    if let live {
      let following = LiveOpening(opening: opening, options: live)
      (opening, availability) = try following.follow(playlist, place, levels)
    }
    self.opening = opening
    let lists = AdaptiveLists(levels, playlist, master?.pathways, place)
    let loaded = try lists.load(opening)
    (plan, stores) = (loaded.plan(availability), loaded.stores)
    (warnings, resolution) = (parsed.warnings + loaded.warnings, loaded.resolution)
    guard !plan.durations.isEmpty else {
      throw MediaError(.damaged, .streamingEmpty, at: .named(address))
    }
  }

  private static func levels(
    _ pathways: PathwaySet, _ caps: AdaptiveCaps, _ variants: Variants,
    _ opening: PresentationOpening
  ) throws(MediaError) -> [AdaptiveLevel] {
    let (list, allowed) = (pathways.master, pathways.variants)
    if case .chosen = variants {
      let index = try opening.choose(list, among: allowed)
      return [
        AdaptiveLevel(
          variantIndex: index, bandwidth: list.variants[index].stream.bandwidth)
      ]
    }
    let all = caps.levels(list.variants, among: allowed)
    // Sound alone is no lower quality of pictures.
    let pictures = all.filter { level in
      let stream = list.variants[level.variantIndex].stream
      return stream.resolution != nil || stream.codecs.contains { VideoCodecName.codec($0) != nil }
    }
    let shown = pictures.isEmpty ? all : pictures
    let decodable = shown.filter { opening.isDecodable(list.variants[$0.variantIndex]) }
    return decodable.isEmpty ? shown : decodable
  }

  /// The container of the segments, each in the variant of its level; nil for segments that are not there.
  ///
  /// - Parameter levels: a level for each segment; the lowest one that is there for all by default.
  /// - Throws: what opening the first segments throws; `io` for a level whose list could not be loaded.
  public func demuxer(levels: [Int?]? = nil) throws(MediaError) -> SegmentedDemuxer {
    let wanted = levels ?? lowest
    var (used, choice): ([Int], [Int?]) = ([], [])
    for level in wanted {
      guard let level, stores.indices.contains(level), stores[level] != nil else {
        choice.append(nil)
        continue
      }
      if let known = used.firstIndex(of: level) {
        choice.append(known)
      } else {
        choice.append(used.count)
        used.append(level)
      }
    }
    let own = used.compactMap { stores[$0] }
    guard let first = used.first, !own.isEmpty else {
      throw MediaError(.damaged, .streamingEmpty, detail: "no segment was loaded")
    }
    let segments = SegmentSequence(own, choice: choice)
    guard let master else {
      return SegmentedDemuxer([try SegmentedPlaylist(segments) { _ in true }])
    }
    let list = master.pathways.master
    let variant = list.variants[plan.levels[first].variantIndex]
    return try opening.open(segments, variant, list, master.address).demuxer
  }

  /// The network as the first segments of the highest level that is there measure it.
  ///
  /// - Parameter segmentCount: segments that are loaded for it, from 1.
  /// - Throws: what the loader throws; `unsupported` where loading takes no time, as for files.
  public func measuredNetwork(segmentCount: Int = 6) throws(MediaError) -> NetworkTrace {
    guard let store = stores.last(where: { $0 != nil }) ?? nil else {
      throw MediaError(.damaged, .streamingEmpty)
    }
    var transfers: [(start: Int64, byteCount: Int64, duration: Int64)] = []
    var time: Int64 = 0
    let loadable = store.timeline.indices.lazy.filter(store.isLoadable)
    for index in loadable.prefix(max(segmentCount, 1)) {
      let transfer = try store.transfer(index)
      guard transfer.duration > 0 else {
        throw MediaError(
          .unsupported, .streamingMeasure, at: .named(store.address.address),
          advice: "give the network as numbers or as a trace")
      }
      transfers.append((time, transfer.byteCount, transfer.duration))
      time += transfer.duration
    }
    return NetworkTrace(measured: transfers)
  }

  private var lowest: [Int?] {
    let level = stores.firstIndex { $0 != nil }
    return plan.durations.map { _ in level }
  }
}

/// The media playlists of levels.
private struct AdaptiveLists {
  private let playlist: Playlist
  private let pathways: PathwaySet?
  private let place: PlaylistAddress
  private(set) var levels: [AdaptiveLevel]
  private(set) var stores: [SegmentStore?] = []
  private(set) var warnings: [MediaError] = []

  init(
    _ levels: [AdaptiveLevel], _ playlist: Playlist, _ pathways: PathwaySet?,
    _ place: PlaylistAddress
  ) {
    (self.levels, self.playlist) = (levels, playlist)
    (self.pathways, self.place) = (pathways, place)
  }

  /// With the lists that are there and whose segments begin where those of the lowest one do.
  func load(_ opening: PresentationOpening) throws(MediaError) -> AdaptiveLists {
    var own = self
    switch playlist {
    case .media(let media):
      let list = opening.followed[place.address] ?? media
      if let bitrate = list.segments.lazy.compactMap(\.bitrate).first {
        own.levels = [AdaptiveLevel(variantIndex: 0, bandwidth: Int64(bitrate) * 1000)]
      }
      own.stores = [try opening.store(list, place)]
    case .master:
      if let pathways { try own.load(pathways, opening) }
    }
    return own
  }

  private mutating func load(
    _ pathways: PathwaySet, _ opening: PresentationOpening
  ) throws(MediaError) {
    var failure: MediaError?
    for level in levels {
      do throws(MediaError) {
        let (store, more) = try opening.variant(level.variantIndex, pathways, place)
        warnings += more
        stores.append(store)
      } catch {
        failure = failure ?? error
        stores.append(nil)
      }
    }
    guard let base = stores.lazy.compactMap({ $0 }).first else {
      throw failure ?? MediaError(.damaged, .streamingEmpty, at: .named(place.address))
    }
    for index in levels.indices.reversed() {
      guard let store = stores[index], !store.timeline.isAligned(with: base.timeline) else {
        continue
      }
      warnings.append(
        MediaError(
          .unsupported, .streamingAlignment, at: .named(store.address.address),
          detail: "variant \(levels[index].variantIndex)"))
      stores.remove(at: index)
      levels.remove(at: index)
    }
  }

  func plan(_ availability: [Int64]) -> SessionPlan {
    var plan = SessionPlan(levels: levels, stores: stores)
    plan.availability = availability
    return plan
  }

  /// The largest one that the master playlist tells.
  var resolution: Resolution? {
    guard case .master(let master) = playlist else { return nil }
    return levels.compactMap { master.variants[$0.variantIndex].stream.resolution }
      .max { ($0.width * $0.height, $0.width) < ($1.width * $1.height, $1.width) }
  }
}

extension SegmentTimeline {
  /// Whether the segments of another playlist begin at the same times, but for rounding.
  func isAligned(with other: SegmentTimeline) -> Bool {
    guard count == other.count else { return false }
    return indices.allSatisfy { index in
      let difference = (start(index) - other.start(index)).magnitude
      return difference <= Rational(1, 2) + other.start(index) / Rational(200)
    }
  }
}

extension SessionPlan {
  /// The plan of levels with the media playlists that are known.
  init(levels: [AdaptiveLevel], stores: [SegmentStore?]) {
    let first = stores.lazy.compactMap { $0 }.first
    self.init(levels: levels, durations: first?.playlist.segmentMicroseconds ?? [])
    for (index, store) in stores.enumerated() {
      if let store, store.playlist.segments.count == durations.count {
        sizes[index] = store.playlist.segmentBits
      }
    }
  }
}

extension MediaPlaylist {
  /// Microseconds of each segment; starts are those of the timeline, rounded down.
  fileprivate var segmentMicroseconds: [Int64] {
    var (exact, last): (Int128, Int64) = (0, 0)
    return segments.map { segment in
      exact += Int128(segment.duration.unscaled) * 1_000_000_000 / Int128(segment.duration.scale)
      let end = Int64(clamping: exact / 1000)
      defer { last = max(end, last + 1) }
      return max(end - last, 1)
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

extension Rule {
  public static let streamingMeasure = Rule(
    "streaming.measure", "a network is measured by transfers that take time")
  public static let streamingAlignment = Rule(
    "streaming.alignment", "segments of variants that take turns begin at the same times",
    clause: "RFC 8216 §6.2.4")
}
