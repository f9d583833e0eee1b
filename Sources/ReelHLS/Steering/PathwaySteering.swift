// Which pathway is used. draft-pantos-hls-rfc8216bis-14 §7.4.

import ReelCore

/// Decides which pathway a client uses: a value without a clock or network. Times are microseconds of the
/// caller's clock.
public struct PathwaySteering: Sendable, Hashable {
  /// All pathways, in order of preference.
  public private(set) var pathways: [String]
  /// The one to use.
  public private(set) var current: String
  /// Where the manifest is to be loaded from; nil without steering.
  public private(set) var manifestURI: String?
  /// When; nil without steering, or when the server said that it has no more to say.
  public private(set) var nextLoad: Int64?
  /// Pathways that failed, and until when they are left alone.
  private var penalties: [String: Int64] = [:]
  private var timeToLive: Int64 = 300

  /// - Parameter address: of the master playlist.
  public init(_ master: MasterPlaylist, address: String, now: Int64 = 0) {
    let known = master.pathways
    pathways = known
    let wanted = master.contentSteering?.pathwayID
    current = wanted.flatMap { known.contains($0) ? $0 : nil } ?? known.first ?? "."
    manifestURI = master.contentSteering.map {
      URIReference.resolve($0.serverURI, against: address)
    }
    nextLoad = manifestURI == nil ? nil : now
  }

  /// The address to load the manifest from, with what the server wants to know.
  ///
  /// - Parameter throughput: bits a second; nil when not measured.
  public func manifestAddress(throughput: Int64?) -> String? {
    guard let manifestURI else { return nil }
    var reference = URIReference(manifestURI)
    guard reference.scheme?.lowercased() != "data" else { return manifestURI }
    var pairs = (reference.query ?? "").split(separator: "&").map(String.init)
    pairs.removeAll { $0.hasPrefix("_HLS_") }
    pairs.append("_HLS_pathway=\"\(current)\"")
    if let throughput { pairs.append("_HLS_throughput=\(throughput)") }
    reference.query = pairs.joined(separator: "&")
    return reference.description
  }

  /// A manifest was loaded from an address.
  ///
  /// - Parameter known: pathways of the master playlist with the manifest's clones.
  public mutating func take(
    _ manifest: SteeringManifest, from address: String, known: [String], now: Int64
  ) {
    timeToLive = manifest.timeToLive
    if let reload = manifest.reloadURI {
      manifestURI = URIReference.resolve(reload, against: address)
    }
    // Pathways that the manifest does not name are not used while one that it names can be.
    let named = manifest.pathwayPriority.filter(known.contains)
    pathways = named + known.filter { !named.contains($0) }
    nextLoad = now + timeToLive * 1_000_000
    choose(now)
  }

  /// The manifest could not be loaded.
  ///
  /// - Parameter isGone: the server answered 410: it is not asked any more.
  public mutating func manifestFailed(isGone: Bool, now: Int64) {
    nextLoad = isGone ? nil : now + timeToLive * 1_000_000
  }

  /// Everything of a pathway that was tried has failed: it is left alone until the manifest is next loaded.
  ///
  /// - Returns: the pathway to use now; nil when none is left.
  public mutating func failed(_ pathway: String, now: Int64) -> String? {
    penalties[pathway] = now + timeToLive * 1_000_000
    let isLeft = pathways.contains { isUsable($0, now) }
    if isLeft { choose(now) }
    return isLeft ? current : nil
  }

  private func isUsable(_ pathway: String, _ now: Int64) -> Bool {
    penalties[pathway].map { $0 <= now } ?? true
  }

  private mutating func choose(_ now: Int64) {
    if let best = pathways.first(where: { isUsable($0, now) }) { current = best }
  }
}
