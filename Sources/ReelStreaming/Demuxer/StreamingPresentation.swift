// From the address of a playlist to a presentation.

public import ReelAssets
public import ReelCore
public import ReelHLS

/// A playlist and what it leads to.
public struct StreamingPresentation: Sendable {
  /// The playlist that was asked for.
  public let playlist: Playlist
  /// Its address after redirects.
  public let address: PlaylistAddress
  /// The variant that was chosen, by its place in the master playlist.
  public let variantIndex: Int?
  /// What could be read past, in all playlists.
  public let warnings: [MediaError]
  /// The container that its segments make up.
  public let demuxer: SegmentedDemuxer

  /// Loads a playlist without opening what it names.
  ///
  /// - Throws: what the loader throws; `damaged` with the line; `limitExceeded`.
  public static func playlist(
    address: String, loader: any ResourceLoader, options: StreamingOptions = StreamingOptions()
  ) throws(MediaError) -> ParsedPlaylist {
    let opening = PresentationOpening(loader: loader, registry: MediaRegistry(), options: options)
    return try opening.playlist(PlaylistAddress(address), namedBy: nil, [:]).0
  }

  /// Loads and opens a playlist of either kind.
  ///
  /// - Parameters:
  ///   - address: address of the web, or path of a file.
  ///   - loader: loads playlists, segments and keys under a policy of its own.
  ///   - registry: opens segments by their content.
  /// - Throws: what the loader throws; `damaged` with the line; `unsupported` when no variant can be
  ///   decoded; `limitExceeded`.
  public init(
    address: String, loader: any ResourceLoader, registry: MediaRegistry,
    options: StreamingOptions = StreamingOptions()
  ) throws(MediaError) {
    let opening = PresentationOpening(loader: loader, registry: registry, options: options)
    let (parsed, place) = try opening.playlist(PlaylistAddress(address), namedBy: nil, [:])
    playlist = parsed.playlist
    self.address = place
    switch parsed.playlist {
    case .media(let media):
      let main = try SegmentedPlaylist(SegmentSequence(opening.store(media, place))) { _ in true }
      demuxer = SegmentedDemuxer([main])
      (variantIndex, warnings) = (nil, parsed.warnings)
    case .master(let master):
      let opened = try opening.open(master, place)
      (demuxer, variantIndex) = (opened.demuxer, opened.variant)
      warnings = parsed.warnings + opened.warnings
    }
  }
}

/// Opens the playlists that a master playlist names.
struct PresentationOpening {
  let loader: any ResourceLoader
  let registry: MediaRegistry
  let options: StreamingOptions
  private let keys: KeyStore
  /// Live playlists as they were followed, by address: they are not loaded again.
  var followed: [String: MediaPlaylist] = [:]

  init(loader: any ResourceLoader, registry: MediaRegistry, options: StreamingOptions) {
    (self.loader, self.registry, self.options) = (loader, registry, options)
    keys = KeyStore(loader: loader)
  }

  /// Loads a playlist.
  func playlist(
    _ address: PlaylistAddress, namedBy list: PlaylistAddress?, _ variables: [String: String]
  ) throws(MediaError) -> (ParsedPlaylist, PlaylistAddress) {
    if let known = followed[address.address] {
      return (ParsedPlaylist(playlist: .media(known)), address)
    }
    let request = ResourceRequest(
      address.address, namedBy: list?.address,
      maximumByteCount: options.playlistLimits.maximumBytes)
    let resource = try loader.load(request)
    let place = address.moved(to: resource.address)
    var context = context(variables)
    context.address = place.address
    return (try Playlist.parse(resource.bytes, context), place)
  }

  /// How playlists are read.
  func context(_ variables: [String: String]) -> PlaylistContext {
    var context = PlaylistContext()
    context.importedVariables = variables
    context.limits = options.playlistLimits
    context.strictness = options.open.strictness
    return context
  }

  func store(
    _ media: MediaPlaylist, _ address: PlaylistAddress, detour: SegmentStore.Detour? = nil
  ) throws(MediaError) -> SegmentStore {
    try SegmentStore(
      playlist: media, address: address, loader: loader, registry: registry, options: options,
      keys: keys, detour: detour)
  }

  /// A master playlist with its pathways, as a steering server says.
  func pathways(_ master: MasterPlaylist, _ place: PlaylistAddress) -> PathwaySet {
    PathwaySet(master, address: place, loader: loader, parse: options.steering)
  }

  /// The segments of a variant, by other ways where its own fails.
  func variant(
    _ index: Int, _ pathways: PathwaySet, _ place: PlaylistAddress
  ) throws(MediaError) -> (store: SegmentStore, warnings: [MediaError]) {
    let master = pathways.master
    let detour: SegmentStore.Detour = { (segment, store) throws(MediaError) in
      try pathways.open(
        segment, of: index, count: store.timeline.count,
        own: { () throws(MediaError) in try store.openOwn(segment) },
        store: { (other) throws(MediaError) in
          try media(master.variants[other].uri, master, place).store
        })
    }
    return try media(master.variants[index].uri, master, place, detour: detour)
  }

  /// The media playlist at a reference of the master playlist.
  func mediaPlaylist(
    _ reference: String, _ master: MasterPlaylist, _ place: PlaylistAddress
  ) throws(MediaError) -> MediaPlaylist {
    try media(reference, master, place).store.playlist
  }

  func media(
    _ reference: String, _ master: MasterPlaylist, _ place: PlaylistAddress,
    detour: SegmentStore.Detour? = nil
  ) throws(MediaError) -> (store: SegmentStore, warnings: [MediaError]) {
    let (parsed, address) = try playlist(
      place.resolve(reference), namedBy: place, master.exportedVariables)
    // LIMIT: a list of lists of lists is no presentation.
    guard case .media(let media) = parsed.playlist else {
      throw MediaError(.damaged, .streamingDepth, at: .named(address.address))
    }
    return (try store(media, address, detour: detour), parsed.warnings)
  }

  func open(
    _ list: MasterPlaylist, _ place: PlaylistAddress
  ) throws(MediaError) -> (demuxer: SegmentedDemuxer, variant: Int, warnings: [MediaError]) {
    let pathways = pathways(list, place)
    let master = pathways.master
    let index = try choose(master, among: pathways.variants)
    let (store, warnings) = try variant(index, pathways, place)
    let opened = try open(SegmentSequence(store), master.variants[index], master, place)
    return (opened.demuxer, index, warnings + opened.warnings)
  }

  /// Opens a main playlist with the renditions that its variant names.
  func open(
    _ segments: SegmentSequence, _ variant: Variant, _ master: MasterPlaylist,
    _ place: PlaylistAddress
  ) throws(MediaError) -> (demuxer: SegmentedDemuxer, warnings: [MediaError]) {
    var warnings: [MediaError] = []
    let renditions = chosenRenditions(master, variant)
    let audio = master.renditions(.audio, group: variant.audio)
    // Sound in the variant's own segments is that of the rendition without an address.
    let hasOwnAudio = audio.isEmpty || audio.contains { $0.uri == nil }
    let main = try SegmentedPlaylist(segments) { $0.kind != .audio || hasOwnAudio }
    var playlists = [main]
    var described: [Rendition?] = [audio.first { $0.uri == nil }]
    for rendition in renditions {
      guard let uri = rendition.uri else { continue }
      do throws(MediaError) {
        let (store, more) = try media(uri, master, place)
        let kind: MediaKind = rendition.type == .audio ? .audio : .subtitle
        playlists.append(
          try SegmentedPlaylist(SegmentSequence(store), main: segments) { $0.kind == kind })
        described.append(rendition)
        warnings += more
      } catch {
        // A language that is not there is no reason to show nothing.
        warnings.append(error)
      }
    }
    let demuxer = SegmentedDemuxer(
      playlists,
      describe: { number, track in
        guard let rendition = described[number] else { return }
        if number == 0 && track.kind != .audio { return }
        track.describe(rendition)
      })
    return (demuxer, warnings)
  }

  func chosenRenditions(_ master: MasterPlaylist, _ variant: Variant) -> [Rendition] {
    let all =
      master.renditions(.audio, group: variant.audio)
      + master.renditions(.subtitles, group: variant.subtitles)
    let named = all.filter { $0.uri != nil }
    let chosen = options.loadsAllRenditions ? named : named.filter(\.isDefault)
    return Array(chosen.prefix(options.maximumRenditions))
  }

  // MARK: The variant

  /// The place of the variant that the options ask for.
  func choose(
    _ master: MasterPlaylist, among allowed: [Int]
  ) throws(MediaError) -> Int {
    let variants = master.variants
    if case .index(let index) = options.variant {
      guard variants.indices.contains(index) else {
        throw MediaError(.usage, .streamingVariant, detail: "\(index) of \(variants.count)")
      }
      return index
    }
    let usable = allowed.filter { isDecodable(variants[$0]) }
    let candidates = usable.isEmpty ? allowed : usable
    // Of equal bandwidth the first one in the list.
    let ascending = candidates.sorted {
      (variants[$0].stream.bandwidth, $1) < (variants[$1].stream.bandwidth, $0)
    }
    guard let lowest = ascending.first, let best = ascending.last else {
      throw MediaError(.damaged, .streamingVariant, detail: "no variants")
    }
    switch options.variant {
    case .best, .index: return best
    case .lowest:
      let bandwidth = variants[lowest].stream.bandwidth
      return candidates.first { variants[$0].stream.bandwidth == bandwidth } ?? lowest
    case .upTo(let limit):
      return ascending.last { variants[$0].stream.bandwidth <= limit } ?? lowest
    }
  }

  /// The variant says of no video codec that there is no decoder for it.
  func isDecodable(_ variant: Variant) -> Bool {
    let video = variant.stream.codecs.compactMap(VideoCodecName.codec)
    return video.allSatisfy { registry.videoDecoders[$0] != nil }
  }
}

/// Names of video codecs in playlists. RFC 6381 §3.3.
enum VideoCodecName {
  private static let codecs: [String: CodecID] = [
    "avc1": .h264, "avc3": .h264, "hvc1": .hevc, "hev1": .hevc, "dvh1": .hevc, "dvhe": .hevc,
    "mp4v": .mpeg4Visual, "av01": "av1", "vp09": "vp9", "vp08": "vp8", "vvc1": "vvc",
  ]

  /// The codec of `avc1.4d401e` and the like; nil for sound and subtitles and what is not known.
  static func codec(_ name: String) -> CodecID? {
    codecs[String(name.prefix { $0 != "." }).lowercased()]
  }
}

extension Track {
  /// What the rendition says of a track.
  fileprivate mutating func describe(_ rendition: Rendition) {
    if let language = rendition.language { self.language = language }
    isEnabled = rendition.isDefault
    tags.append(Tag("title", rendition.name))
    if let words = rendition.characteristics { tags.append(Tag("characteristics", words)) }
    if rendition.isForced { tags.append(Tag("forced", "YES")) }
  }
}
