// A live playlist that is loaded again and again.

public import ReelCore
public import ReelHLS

/// Loads a media playlist until it ends and gives its segments as they come: the reloader, hooked to a
/// loader and a clock. Not shared between threads.
public struct LiveFeed {
  /// Segments that are new.
  public struct Batch: Sendable {
    public var segments: [Segment]
    /// Media sequence number of the first one.
    public var number: Int64
    /// They do not follow what came before, and why.
    public var restart: MediaError?
  }

  /// The clock of a feed, microseconds.
  public struct Clock: Sendable {
    public var now: @Sendable () -> Int64
    /// Returns when `now` is at least this.
    public var sleep: @Sendable (_ until: Int64) -> Void
    public init(
      now: @escaping @Sendable () -> Int64, sleep: @escaping @Sendable (Int64) -> Void
    ) {
      (self.now, self.sleep) = (now, sleep)
    }
  }

  /// What came of a step.
  public enum Step: Sendable {
    case batch(Batch)
    /// A version was loaded; batches of what is new in it follow.
    case loaded
    /// Nothing is to be done before this time.
    case waiting(until: Int64)
    case ended
  }

  public private(set) var reloader = PlaylistReloader()
  /// Address of the last version that was loaded, after redirects.
  public private(set) var place: PlaylistAddress
  private let address: PlaylistAddress
  private let parent: PlaylistAddress?
  private let loader: any ResourceLoader
  private let clock: Clock
  private let context: PlaylistContext
  private var pending: [PlaylistReloader.Action]
  /// LIMIT: loads of one playlist; a day of reloads every second has fewer.
  public var maximumLoads = 100_000
  /// Called with what the server says will come next, before the playlist is asked for again: a request
  /// for it is answered when it is there. draft-pantos-hls-rfc8216bis-14 §6.2.6.
  public var preload: (@Sendable (PreloadHint, PlaylistAddress) -> Void)?
  private var loadCount = 0

  public init(
    address: String, loader: any ResourceLoader, clock: Clock,
    context: PlaylistContext = PlaylistContext()
  ) {
    self.init(
      PlaylistAddress(address), namedBy: nil, loader: loader, clock: clock, context: context)
  }

  /// - Parameters:
  ///   - parent: The playlist that names this one; the policy for what it may name holds for every load.
  ///   - context: With the variables that the parent exports.
  init(
    _ address: PlaylistAddress, namedBy parent: PlaylistAddress?, loader: any ResourceLoader,
    clock: Clock, context: PlaylistContext
  ) {
    (self.address, self.parent, self.loader, self.clock) = (address, parent, loader, clock)
    (self.context, place) = (context, address)
    pending = [.load(at: clock.now(), PlaylistReloader().firstRequest)]
  }

  /// The next new segments; nil when the playlist has ended.
  ///
  /// - Throws: what made it impossible to go on: `io` for a playlist that got no segments any more, what
  ///   the loader threw last; `limitExceeded` after so many loads.
  public mutating func next() throws(MediaError) -> Batch? {
    while true {
      switch try step() {
      case .batch(let batch): return batch
      case .loaded: continue
      case .waiting(let time): clock.sleep(time)
      case .ended: return nil
      }
    }
  }

  /// Does what is due now. - Throws: as ``next()``.
  public mutating func step() throws(MediaError) -> Step {
    while let action = pending.first {
      if case .load(let time, _) = action, time > clock.now() { return .waiting(until: time) }
      pending.removeFirst()
      switch action {
      case .append(let segments, let number):
        return .batch(Batch(segments: segments, number: number, restart: nil))
      case .restart(let segments, let number, let reason):
        return .batch(Batch(segments: segments, number: number, restart: reason))
      case .removed: continue
      case .end: return .ended
      case .fail(let error): throw error
      case .load(_, let request):
        guard loadCount < maximumLoads else {
          throw MediaError(.limitExceeded, .streamingReloads, detail: "\(loadCount)")
        }
        loadCount += 1
        pending += reloader.handle(load(request))
        return .loaded
      }
    }
    return .ended
  }

  /// The version that was loaded last does not follow from those before.
  var isRestarting: Bool {
    pending.contains { if case .restart = $0 { true } else { false } }
  }

  private mutating func load(_ request: ReloadRequest) -> PlaylistReloader.Event {
    if request.mediaSequenceNumber != nil, let preload {
      for hint in reloader.playlist?.preloadHints ?? [] { preload(hint, place) }
    }
    let requested = clock.now()
    do throws(MediaError) {
      let resource = try loader.load(
        ResourceRequest(
          request.address(of: address.address), namedBy: parent?.address,
          maximumByteCount: context.limits.maximumBytes))
      place = address.moved(to: resource.address)
      var own = context
      own.address = resource.address
      guard case .media(let media) = try Playlist.parse(resource.bytes, own).playlist else {
        throw MediaError(.damaged, .streamingDepth, at: .named(address.address))
      }
      return .loaded(media, requested: requested, now: clock.now())
    } catch {
      return .failed(error, now: clock.now())
    }
  }
}

extension Rule {
  public static let streamingReloads = Rule(
    "streaming.reloads", "a live playlist ends before it was loaded so often")
}
