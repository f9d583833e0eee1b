// The same content by other ways: pathways, and variants that differ in nothing but their address.

public import ReelCore
import ReelHLS
import Synchronization

/// Finds another way to a segment whose own way fails, and keeps to it. Shared by readers on any thread.
///
/// A steering manifest is loaded when the presentation is opened, and again when a pathway has failed. There
/// is no clock here, so a pathway that failed is left alone for as long as the presentation is open.
final class PathwaySet: Sendable {
  /// With the pathways that the manifest clones.
  let master: MasterPlaylist
  private let address: PlaylistAddress
  private let loader: any ResourceLoader
  private let parse: StreamingOptions.Steering?
  private let state: Mutex<State>

  private struct State {
    var steering: PathwaySteering
    /// Variants whose way failed.
    var failed: Set<Int> = []
    var stores: [Int: SegmentStore] = [:]
  }

  /// LIMIT: bytes of a steering manifest.
  private static let maximumManifestBytes = 1 << 20

  init(
    _ master: MasterPlaylist, address: PlaylistAddress, loader: any ResourceLoader,
    parse: StreamingOptions.Steering?
  ) {
    (self.address, self.loader, self.parse) = (address, loader, parse)
    var steering = PathwaySteering(master, address: address.address)
    var whole = master
    if let (manifest, from) = Self.load(steering, address, loader, parse) {
      whole = master.adding(manifest.clones, address: address.address)
      steering.take(manifest, from: from, known: whole.pathways, now: 0)
    }
    self.master = whole
    state = Mutex(State(steering: steering))
  }

  /// A server that does not answer changes nothing: the master playlist says enough to play.
  private static func load(
    _ steering: PathwaySteering, _ place: PlaylistAddress, _ loader: any ResourceLoader,
    _ parse: StreamingOptions.Steering?
  ) -> (SteeringManifest, String)? {
    guard let parse, let address = steering.manifestAddress(throughput: nil) else { return nil }
    do throws(MediaError) {
      if DataAddress.isOne(address) { return (try parse(DataAddress.bytes(address)), address) }
      let resource = try loader.load(
        ResourceRequest(
          address, namedBy: place.address, maximumByteCount: maximumManifestBytes))
      return (try parse(resource.bytes), resource.address)
    } catch {
      return nil
    }
  }

  /// Variants of the pathway that is used.
  var variants: [Int] {
    let current = state.withLock { $0.steering.current }
    return master.variants.indices.filter { master.variants[$0].stream.pathway == current }
  }

  /// Opens a segment of a variant by the way that works.
  ///
  /// - Parameters:
  ///   - own: opens it by its own way.
  ///   - store: opens the media playlist of a variant.
  /// - Throws: what its own way threw, when no other one works.
  func open(
    _ segment: Int, of variant: Int, count: Int,
    own: () throws(MediaError) -> OpenedSegment,
    store: (Int) throws(MediaError) -> SegmentStore
  ) throws(MediaError) -> OpenedSegment {
    var failure: MediaError?
    if !state.withLock({ $0.failed.contains(variant) }) {
      do {
        return try own()
      } catch {
        guard error.isOfTheWay else { throw error }
        failure = error
        note(variant)
      }
    }
    for other in ways(variant) {
      do throws(MediaError) {
        let other = try cached(other, store)
        guard other.timeline.count == count else { continue }
        return try other.openOwn(segment)
      } catch {
        guard error.isOfTheWay else { throw error }
        failure = failure ?? error
        note(other)
      }
    }
    throw failure ?? MediaError(.io, .streamingPathways, detail: "segment \(segment)")
  }

  /// A variant's way failed: its pathway is left, and the server asked what to do.
  private func note(_ variant: Int) {
    let pathway = master.variants[variant].stream.pathway
    let steering = state.withLock { state in
      state.failed.insert(variant)
      _ = state.steering.failed(pathway, now: 0)
      return state.steering
    }
    guard let (manifest, from) = Self.load(steering, address, loader, parse) else { return }
    state.withLock {
      $0.steering.take(manifest, from: from, known: master.pathways, now: 0)
    }
  }

  /// Other variants of the same quality, those of preferred pathways first, that have not failed.
  private func ways(_ variant: Int) -> [Int] {
    let stream = master.variants[variant].stream
    let (order, failed) = state.withLock { ($0.steering.pathways, $0.failed) }
    let rank = { (index: Int) in
      order.firstIndex(of: self.master.variants[index].stream.pathway) ?? order.count
    }
    return master.variants.indices.filter { index in
      let other = master.variants[index].stream
      return index != variant && !failed.contains(index) && other.bandwidth == stream.bandwidth
        && other.codecs == stream.codecs && other.resolution == stream.resolution
    }.sorted { (rank($0), $0) < (rank($1), $1) }
  }

  private func cached(
    _ variant: Int, _ store: (Int) throws(MediaError) -> SegmentStore
  ) throws(MediaError) -> SegmentStore {
    if let known = state.withLock({ $0.stores[variant] }) { return known }
    let made = try store(variant)
    state.withLock { $0.stores[variant] = made }
    return made
  }
}

extension MediaError {
  /// It is the way to the content that fails, not the content.
  fileprivate var isOfTheWay: Bool { family == .io || family == .notFound }
}

extension Rule {
  static let streamingPathways = Rule(
    "streaming.pathways", "some pathway leads to each segment",
    clause: "draft-pantos-hls-rfc8216bis-14 §7")
  public static let steeringManifest = Rule(
    "streaming.steering", "a steering manifest is JSON of version 1 with pathways by priority",
    clause: "draft-pantos-hls-rfc8216bis-14 §7.2")
}
