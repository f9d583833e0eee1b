// Opening presentations that have no end yet.

import ReelCore
import ReelHLS

/// Follows the live playlists of a presentation, so that it can be opened like one that is whole.
struct LiveOpening {
  let opening: PresentationOpening
  let options: LiveOptions

  /// The opening that knows the playlists as they were followed, and when each segment of the first one
  /// became known. Unchanged when nothing is live.
  func follow(
    _ playlist: Playlist, _ place: PlaylistAddress, _ levels: [AdaptiveLevel]
  ) throws(MediaError) -> (PresentationOpening, [Int64]) {
    var (addresses, parent): ([PlaylistAddress], PlaylistAddress?) = ([], nil)
    var variables: [String: String] = [:]
    switch playlist {
    case .media(let media):
      guard media.isLive else { return (opening, []) }
      addresses = [place]
    case .master(let master):
      addresses = try self.addresses(master, place, levels)
      guard let first = addresses.first,
        case .media(let media) = try opening.playlist(
          first, namedBy: place, master.exportedVariables
        ).0.playlist, media.isLive
      else { return (opening, []) }
      (parent, variables) = (place, master.exportedVariables)
    }
    let store = LiveStore(
      opening.loader, maximumSegmentBytes: opening.options.maximumSegmentBytes,
      maximumBytes: options.maximumKeptBytes)
    let feeds = addresses.map { address in
      LiveFeed(
        address, namedBy: parent, loader: opening.loader, clock: options.clock,
        context: opening.context(variables))
    }
    var follower = LiveFollower(feeds, options: options, store: store)
    try follower.follow()
    return joined(follower.entries, addresses, store)
  }

  /// Media playlists of the levels, then of the renditions of the lowest one.
  private func addresses(
    _ master: MasterPlaylist, _ place: PlaylistAddress, _ levels: [AdaptiveLevel]
  ) throws(MediaError) -> [PlaylistAddress] {
    var addresses: [PlaylistAddress] = []
    for level in levels {
      addresses.append(try place.resolve(master.variants[level.variantIndex].uri))
    }
    guard let lowest = levels.first else { return addresses }
    for rendition in opening.chosenRenditions(master, master.variants[lowest.variantIndex]) {
      guard let uri = rendition.uri else { continue }
      addresses.append(try place.resolve(uri))
    }
    return addresses
  }

  /// All playlists from the first segment that all of them have, as far as the first playlist goes.
  private func joined(
    _ entries: [LiveFollower.Entry], _ addresses: [PlaylistAddress], _ store: LiveStore
  ) -> (PresentationOpening, [Int64]) {
    var opening = PresentationOpening(
      loader: store, registry: opening.registry, options: opening.options)
    let used = entries.filter { !$0.assembly.units.isEmpty }
    let first = used.compactMap { $0.assembly.units.first?.number }.max() ?? 0
    let base = entries.first?.assembly.units ?? []
    let isShared = base.contains { $0.number >= first }
    var availability: [Int64] = []
    for (index, (entry, address)) in zip(entries, addresses).enumerated() {
      guard !entry.assembly.units.isEmpty else { continue }
      var assembly = entry.assembly
      if isShared { assembly.drop(before: first) }
      if index == 0 { availability = assembly.units.map(\.availability) }
      opening.followed[address.address] = assembly.playlist
    }
    return (opening, availability)
  }
}

extension MediaPlaylist {
  /// New segments may come.
  var isLive: Bool { !isEnded && kind != .vod }
}
