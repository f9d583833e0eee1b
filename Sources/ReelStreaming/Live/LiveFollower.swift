// Following live playlists until enough of them is there.

public import ReelCore
import ReelHLS

/// How live playlists are followed.
public struct LiveOptions: Sendable {
  /// The clock that reloads are made by.
  public var clock: LiveFeed.Clock
  /// Media to follow from where playback begins, seconds; nil: until the playlists end.
  public var duration: Rational?
  /// Partial segments are played where the server has them.
  public var usesParts = true
  /// Segments are loaded when they are told of, because they may be gone later.
  public var keepsSegments: Bool
  /// LIMIT: bytes of segments that are kept.
  public var maximumKeptBytes = 1 << 30

  public init(clock: LiveFeed.Clock, duration: Rational? = nil, keepsSegments: Bool = true) {
    (self.clock, self.duration, self.keepsSegments) = (clock, duration, keepsSegments)
  }
}

/// Follows the playlists of a live presentation beside each other, the first one of them as its measure.
struct LiveFollower {
  /// A playlist that is followed.
  struct Entry {
    var feed: LiveFeed
    var assembly: LiveAssembly
    /// When it is to be looked at again; nil when it has ended.
    var due: Int64?
    var failure: MediaError?
  }

  private(set) var entries: [Entry]
  private let options: LiveOptions
  private let store: LiveStore
  private let begin: Int64

  /// - Parameter store: what segments are kept in, and the loader that they come from.
  init(_ feeds: [LiveFeed], options: LiveOptions, store: LiveStore) {
    self.options = options
    self.store = store
    let begin = options.clock.now()
    self.begin = begin
    entries = feeds.map { feed in
      var own = feed
      if options.usesParts, options.keepsSegments {
        own.preload = { hint, place in store.keep(hint, of: place) }
      }
      return Entry(
        feed: own, assembly: LiveAssembly(usesParts: options.usesParts), due: begin)
    }
  }

  /// Reloads until the first playlist has as much as is wanted, or has ended.
  ///
  /// - Throws: what made it impossible to follow the first playlist; others end where they failed.
  mutating func follow() throws(MediaError) {
    while !isEnough {
      guard
        let next = entries.indices.filter({ entries[$0].due != nil })
          .min(by: { (entries[$0].due ?? 0, $0) < (entries[$1].due ?? 0, $1) }),
        let due = entries[next].due
      else { return }
      if due > options.clock.now() { options.clock.sleep(due) }
      do throws(MediaError) {
        try step(next)
      } catch {
        // What is there of the main playlist is not thrown away with an error at its end.
        entries[next].due = nil
        entries[next].failure = error
        if next == 0, entries[0].assembly.units.isEmpty { throw error }
      }
      if entries[0].due == nil { return }
    }
  }

  private var isEnough: Bool {
    guard let wanted = options.duration else { return false }
    return entries.allSatisfy { $0.due == nil || $0.assembly.duration >= wanted }
  }

  private mutating func step(_ index: Int) throws(MediaError) {
    switch try entries[index].feed.step() {
    case .loaded:
      if !entries[index].feed.isRestarting { try take(index, false) }
    case .batch(let batch):
      if batch.restart != nil { try take(index, true) }
    case .waiting(let time): entries[index].due = time
    case .ended: entries[index].due = nil
    }
  }

  private mutating func take(_ index: Int, _ isNew: Bool) throws(MediaError) {
    guard let playlist = entries[index].feed.reloader.playlist else { return }
    let place = entries[index].feed.place
    let known = entries[index].assembly.units.count
    try entries[index].assembly.take(
      playlist, at: options.clock.now() - begin, isNew: isNew,
      prepare: { (segment) throws(MediaError) in try place.absolute(segment) })
    guard options.keepsSegments else { return }
    for unit in entries[index].assembly.units.dropFirst(known) where !unit.segment.isGap {
      try store.keep(unit.segment, of: place)
    }
  }
}

extension PlaylistAddress {
  /// A segment with the addresses that its references lead to, where the list is one of the web: a list
  /// may have another address at every load.
  func absolute(_ segment: Segment) throws(MediaError) -> Segment {
    guard Self.isRemote(address) else { return segment }
    var own = segment
    own.uri = try absolute(segment.uri)
    if var section = segment.initializationSection {
      section.uri = try absolute(section.uri)
      section.keys = try absolute(section.keys)
      own.initializationSection = section
    }
    if !segment.keys.isEmpty { own.keys = try absolute(segment.keys) }
    return own
  }

  private func absolute(_ keys: [Key]) throws(MediaError) -> [Key] {
    var own = keys
    for index in own.indices { own[index].uri = try absolute(own[index].uri) }
    return own
  }

  private func absolute(_ reference: String) throws(MediaError) -> String {
    DataAddress.isOne(reference) ? reference : try resolve(reference).address
  }
}
