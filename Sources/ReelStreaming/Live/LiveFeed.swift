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

  public private(set) var reloader = PlaylistReloader()
  private let address: PlaylistAddress
  private let loader: any ResourceLoader
  private let clock: Clock
  private let context: PlaylistContext
  private var pending: [PlaylistReloader.Action]
  /// LIMIT: loads of one playlist; a day of reloads every second has fewer.
  public var maximumLoads = 100_000
  private var loadCount = 0

  public init(
    address: String, loader: any ResourceLoader, clock: Clock,
    context: PlaylistContext = PlaylistContext()
  ) {
    (self.address, self.loader, self.clock) = (PlaylistAddress(address), loader, clock)
    self.context = context
    pending = [.load(at: clock.now(), PlaylistReloader().firstRequest)]
  }

  /// The next new segments; nil when the playlist has ended.
  ///
  /// - Throws: what made it impossible to go on: `io` for a playlist that got no segments any more, what
  ///   the loader threw last; `limitExceeded` after so many loads.
  public mutating func next() throws(MediaError) -> Batch? {
    while !pending.isEmpty {
      switch pending.removeFirst() {
      case .append(let segments, let number):
        return Batch(segments: segments, number: number, restart: nil)
      case .restart(let segments, let number, let reason):
        return Batch(segments: segments, number: number, restart: reason)
      case .removed: continue
      case .end: return nil
      case .fail(let error): throw error
      case .load(let time, let request):
        guard loadCount < maximumLoads else {
          throw MediaError(.limitExceeded, .streamingReloads, detail: "\(loadCount)")
        }
        loadCount += 1
        if time > clock.now() { clock.sleep(time) }
        pending += reloader.handle(load(request))
      }
    }
    return nil
  }

  private func load(_ request: ReloadRequest) -> PlaylistReloader.Event {
    let requested = clock.now()
    do throws(MediaError) {
      let resource = try loader.load(
        ResourceRequest(
          request.address(of: address.address),
          maximumByteCount: context.limits.maximumBytes))
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
