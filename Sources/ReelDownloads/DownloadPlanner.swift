// From an address to the list of files that make a presentation playable without a network.

internal import ReelCore
internal import ReelHLS
internal import ReelIO

/// Reads playlists, chooses, and rewrites them to names of the store.
struct DownloadPlanner {
  let loader: any ResourceLoader
  let options: DownloadOptions
  static let indexName = "index.m3u8"

  /// The plan for an address: a presentation when the content is a playlist, else one file.
  ///
  /// - Parameter isPlaylist: What the first bytes of the content say.
  func plan(_ address: String, isPlaylist: Bool) throws(MediaError) -> DownloadPlan {
    guard isPlaylist else {
      let piece = try DownloadPiece(.file, address, namedBy: "")
      var plan = DownloadPlan(entry: piece.name)
      plan.add(piece)
      return plan
    }
    var plan = DownloadPlan(entry: Self.indexName)
    let (playlist, base) = try list(address, nil)
    switch playlist {
    case .media(let media):
      try add(media, as: Self.indexName, at: base, nil, to: &plan)
    case .master(let master):
      try add(master, at: base, to: &plan)
    }
    return plan
  }

  /// A playlist, and the address that references in it are relative to.
  func list(
    _ address: String, _ parent: StoredList.Parent?
  ) throws(MediaError) -> (Playlist, String) {
    let resource = try loader.load(
      ResourceRequest(
        address, namedBy: parent?.address, maximumByteCount: options.maximumPlaylistBytes))
    var context = PlaylistContext()
    context.importedVariables = parent?.variables ?? [:]
    context.address = resource.address
    do throws(MediaError) {
      return (try Playlist.parse(resource.bytes, context).playlist, resource.address)
    } catch {
      // The message needs the list besides the line.
      throw MediaError(
        error.family, error.rule, at: .named(resource.address.prefix { $0 != "?" }.description),
        detail: [error.place.description, error.detail].filter { !$0.isEmpty }
          .joined(separator: ": "), advice: error.advice)
    }
  }

  // MARK: Master playlists

  private func add(
    _ master: MasterPlaylist, at base: String, to plan: inout DownloadPlan
  ) throws(MediaError) {
    var local = MasterPlaylist()
    local.header.version = master.header.version
    local.header.hasIndependentSegments = master.header.hasIndependentSegments
    var variant = try choose(master)
    let parent = StoredList.Parent(address: base, variables: master.exportedVariables)
    variant.uri = try addList(variant.uri, parent, to: &plan)
    variant.unknownTags = []
    variant.stream.unknownAttributes = []
    var renditions = try audio(master, variant)
    renditions += try subtitles(master, variant)
    for index in renditions.indices {
      if let uri = renditions[index].uri {
        renditions[index].uri = try addList(uri, parent, to: &plan)
      }
      renditions[index].unknownAttributes = []
    }
    // A group of which nothing is kept must not be named.
    if !renditions.contains(where: { $0.type == .audio }) { variant.audio = nil }
    if !renditions.contains(where: { $0.type == .subtitles }) { variant.subtitles = nil }
    (variant.stream.video, variant.closedCaptions) = (nil, nil)
    local.variants = [variant]
    local.renditions = renditions
    plan.lists.append(
      StoredList(name: Self.indexName, address: base, text: try local.write(), isOpen: false))
  }

  private func choose(_ master: MasterPlaylist) throws(MediaError) -> Variant {
    let sorted = master.variants.sorted { $0.stream.bandwidth < $1.stream.bandwidth }
    let chosen: Variant? =
      switch options.variant {
      case .highest: sorted.last
      case .lowest: sorted.first
      case .lines(let lines):
        sorted.filter {
          ($0.stream.resolution?.height ?? 0) <= lines && $0.stream.resolution != nil
        }
        .max {
          ($0.stream.resolution?.height ?? 0, $0.stream.bandwidth)
            < ($1.stream.resolution?.height ?? 0, $1.stream.bandwidth)
        }
      case .bitRate(let rate): sorted.last { $0.stream.bandwidth <= rate }
      }
    guard let chosen else {
      let all = sorted.map {
        ($0.stream.resolution.map { "\($0) " } ?? "") + "\($0.stream.bandwidth)"
      }
      throw MediaError(
        .notFound, .downloadChoice, detail: "variant \(options.variant)",
        advice: all.isEmpty
          ? "the list has no variants" : "there are \(all.joined(separator: ", "))")
    }
    return chosen
  }

  private func audio(
    _ master: MasterPlaylist, _ variant: Variant
  ) throws(MediaError) -> [Rendition] {
    let group = master.renditions(.audio, group: variant.audio)
    guard options.audioLanguages.isEmpty else {
      return try select(options.audioLanguages, of: group, "audio")
    }
    return (group.first(where: \.isDefault) ?? group.first).map { [$0] } ?? []
  }

  private func subtitles(
    _ master: MasterPlaylist, _ variant: Variant
  ) throws(MediaError) -> [Rendition] {
    guard !options.subtitleLanguages.isEmpty else { return [] }
    let group = master.renditions(.subtitles, group: variant.subtitles)
    return try select(options.subtitleLanguages, of: group, "subtitles")
  }

  private func select(
    _ languages: [String], of group: [Rendition], _ what: String
  ) throws(MediaError) -> [Rendition] {
    var chosen: [Rendition] = []
    for language in languages {
      guard let found = group.first(where: { LanguageTag.matches(language, $0.language) }) else {
        let all = group.compactMap(\.language).joined(separator: ", ")
        throw MediaError(
          .notFound, .downloadChoice, detail: "\(what) in \(language)",
          advice: all.isEmpty ? "the list names no \(what)" : "there are \(all)")
      }
      if !chosen.contains(found) { chosen.append(found) }
    }
    return chosen
  }

  // MARK: Media playlists

  /// Adds the list that a master names, and its files; the name it has in the store.
  private func addList(
    _ reference: String, _ parent: StoredList.Parent, to plan: inout DownloadPlan
  ) throws(MediaError) -> String {
    let address = URIReference.resolve(reference, against: parent.address)
    let name = String(try SHA256.digest(Array(address.utf8)).prefix(32)) + ".m3u8"
    if plan.lists.contains(where: { $0.name == name }) { return name }
    let (playlist, final) = try list(address, parent)
    guard case .media(let media) = playlist else {
      // LIMIT: lists of lists of lists.
      throw MediaError(
        .damaged, .downloadNesting, at: .named(address.prefix { $0 != "?" }.description))
    }
    try add(media, as: name, at: final, parent, to: &plan)
    return name
  }

  private func add(
    _ media: MediaPlaylist, as name: String, at address: String, _ parent: StoredList.Parent?,
    to plan: inout DownloadPlan
  ) throws(MediaError) {
    guard !media.segments.isEmpty || !media.isEnded else {
      throw MediaError(
        .damaged, .downloadEmpty, at: .named(address.prefix { $0 != "?" }.description))
    }
    guard media.isEnded || options.liveDuration != nil else {
      throw MediaError(
        .unsupported, .downloadLive, at: .named(address.prefix { $0 != "?" }.description),
        advice: "say how much of it to record")
    }
    var local = stripped(media)
    local.segments = []
    try append(media.segments, of: address, to: &local, &plan)
    plan.lists.append(
      StoredList(
        name: name, address: address, parent: parent, text: try local.write(),
        isOpen: !media.isEnded))
  }

  /// Everything that points elsewhere, or that only a live player needs, is left out.
  private func stripped(_ media: MediaPlaylist) -> MediaPlaylist {
    var local = MediaPlaylist()
    local.header.version = media.header.version
    local.header.hasIndependentSegments = media.header.hasIndependentSegments
    local.header.start = media.isEnded ? media.header.start : nil
    local.targetDuration = media.targetDuration
    local.mediaSequence = media.mediaSequence
    local.discontinuitySequence = media.discontinuitySequence
    local.hasOnlyIFrames = media.hasOnlyIFrames
    local.isEnded = true
    local.kind = .vod
    return local
  }

  /// Appends segments under their names in the store, and their files to the plan.
  func append(
    _ segments: [Segment], of address: String, to local: inout MediaPlaylist,
    _ plan: inout DownloadPlan
  ) throws(MediaError) {
    let base = URIReference(address)
    for remote in segments {
      var segment = remote
      let keys = try clearKeys(remote.keys, base, address, &plan)
      segment.keys = keys
      if let section = remote.initializationSection {
        segment.initializationSection = try store(section, base, address, &plan)
      }
      let piece = try DownloadPiece(
        .segment, URIReference(remote.uri).resolved(against: base).description, namedBy: address,
        range: remote.byteRange.map { $0.offset..<$0.end }, isEncrypted: !keys.isEmpty)
      segment.uri = piece.name
      segment.byteRange = nil
      segment.parts = []
      segment.unknownTags = []
      segment.title = ""
      if !remote.isGap { plan.add(piece) }
      local.segments.append(segment)
    }
  }

  private func store(
    _ section: InitializationSection, _ base: URIReference, _ address: String,
    _ plan: inout DownloadPlan
  ) throws(MediaError) -> InitializationSection {
    let keys = try clearKeys(section.keys, base, address, &plan)
    let piece = try DownloadPiece(
      .section, URIReference(section.uri).resolved(against: base).description, namedBy: address,
      range: section.byteRange.map { $0.offset..<$0.end }, isEncrypted: !keys.isEmpty)
    plan.add(piece)
    return InitializationSection(uri: piece.name, keys: keys)
  }

  /// The key to use of those that apply, its file in the plan; empty when the segment is in the clear.
  private func clearKeys(
    _ keys: [Key], _ base: URIReference, _ address: String, _ plan: inout DownloadPlan
  ) throws(MediaError) -> [Key] {
    guard !keys.isEmpty else { return [] }
    guard var key = keys.first(where: { $0.method == .aes128 && $0.isIdentity }) else {
      throw MediaError(
        .protected, .downloadProtected, at: .named(address.prefix { $0 != "?" }.description),
        detail: keys.map(\.method.name).joined(separator: ", "))
    }
    guard options.storesKeys else {
      throw MediaError(
        .protected, .downloadKeys, at: .named(address.prefix { $0 != "?" }.description),
        detail: "AES-128")
    }
    let piece = try DownloadPiece(
      .key, URIReference(key.uri).resolved(against: base).description, namedBy: address)
    plan.add(piece)
    key.uri = piece.name
    key.unknownAttributes = []
    return [key]
  }
}
