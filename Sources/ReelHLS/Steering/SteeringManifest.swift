// What a steering server says. draft-pantos-hls-rfc8216bis-14 §7.

import ReelCore

/// A steering manifest: which pathways are preferred, and which ones exist besides those of the master
/// playlist. draft-pantos-hls-rfc8216bis-14 §7.2.
public struct SteeringManifest: Sendable, Hashable {
  /// Seconds until it is to be loaded again, > 0.
  public var timeToLive: Int64 = 300
  /// Where from; nil: where it came from. Relative to that.
  public var reloadURI: String?
  /// Pathways, the most preferred one first.
  public var pathwayPriority: [String]
  public var clones: [PathwayClone] = []
  public init(pathwayPriority: [String]) { self.pathwayPriority = pathwayPriority }
}

/// A pathway that is another one with other addresses. draft-pantos-hls-rfc8216bis-14 §7.3.
public struct PathwayClone: Sendable, Hashable {
  public var baseID: String
  public var id: String
  /// Host that takes the place of the addresses' own; nil for none.
  public var host: String?
  /// Set in the query of every address, in order of their names.
  public var parameters: [String: String] = [:]
  /// Whole addresses by STABLE-VARIANT-ID.
  public var variantURIs: [String: String] = [:]
  /// Whole addresses by STABLE-RENDITION-ID.
  public var renditionURIs: [String: String] = [:]
  public init(baseID: String, id: String) { (self.baseID, self.id) = (baseID, id) }
}

extension StreamDescription {
  /// Its pathway; `.` when it names none. draft-pantos-hls-rfc8216bis-14 §4.4.6.2.
  public var pathway: String { pathwayID ?? "." }
}

extension MasterPlaylist {
  /// Pathways in the order in which variants name them.
  public var pathways: [String] {
    var seen: [String] = []
    for variant in variants where !seen.contains(variant.stream.pathway) {
      seen.append(variant.stream.pathway)
    }
    return seen
  }

  /// The playlist with the pathways that a steering manifest clones.
  ///
  /// A clone whose base is not there, or whose name is taken, is passed over. References are resolved
  /// against `address`, so that their host can be replaced.
  public func adding(_ clones: [PathwayClone], address: String) -> MasterPlaylist {
    var whole = self
    for clone in clones {
      let known = whole.pathways
      guard known.contains(clone.baseID), !known.contains(clone.id) else { continue }
      var groups: Set<String> = []
      for variant in whole.variants where variant.stream.pathway == clone.baseID {
        var copy = variant
        copy.stream.pathwayID = clone.id
        copy.uri = clone.replaced(
          variant.uri, variant.stream.stableVariantID.flatMap { clone.variantURIs[$0] }, address)
        for group in [copy.audio, copy.subtitles, copy.stream.video].compactMap({ $0 }) {
          groups.insert(group)
        }
        copy.audio = copy.audio.map(clone.group)
        copy.subtitles = copy.subtitles.map(clone.group)
        copy.stream.video = copy.stream.video.map(clone.group)
        whole.variants.append(copy)
      }
      for rendition in whole.renditions
      where groups.contains(rendition.groupID) && rendition.type != .closedCaptions {
        var copy = rendition
        copy.groupID = clone.group(rendition.groupID)
        copy.uri = rendition.uri.map { uri in
          clone.replaced(
            uri, rendition.stableRenditionID.flatMap { clone.renditionURIs[$0] }, address)
        }
        whole.renditions.append(copy)
      }
    }
    return whole
  }
}

extension PathwayClone {
  fileprivate func group(_ name: String) -> String { "\(name) \(id)" }

  fileprivate func replaced(_ uri: String, _ own: String?, _ address: String) -> String {
    if let own { return URIReference.resolve(own, against: address) }
    var reference = URIReference(URIReference.resolve(uri, against: address))
    if let host {
      // A port belongs to the host that it was told for.
      reference.authority = host
    }
    var pairs = (reference.query ?? "").split(separator: "&").map(String.init)
    for (name, value) in parameters.sorted(by: { $0.key < $1.key }) {
      pairs.removeAll { $0.prefix { $0 != "=" } == name }
      pairs.append("\(name)=\(value)")
    }
    reference.query = pairs.isEmpty ? nil : pairs.joined(separator: "&")
    return reference.description
  }
}
