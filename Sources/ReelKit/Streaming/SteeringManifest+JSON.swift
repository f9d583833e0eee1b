// Steering manifests as servers write them. draft-pantos-hls-rfc8216bis-14 §7.2.

import ReelCore
public import ReelHLS
import ReelPlayback
import ReelStreaming

extension SteeringManifest {
  /// Reads a manifest.
  ///
  /// - Throws: `damaged` for what is no JSON, has no priorities or a time that is none; `unsupported` for
  ///   another version than 1; `limitExceeded`.
  public init(json bytes: [UInt8]) throws(MediaError) {
    // LIMIT: a manifest names pathways, not segments.
    guard bytes.count <= 1 << 20 else {
      throw MediaError(.limitExceeded, .steeringManifest, detail: "\(bytes.count) bytes")
    }
    let json = try JSONValue(parsing: String(decoding: bytes, as: UTF8.self))
    guard let version = json["VERSION"]?.integer else { throw Self.fault("VERSION") }
    guard version == 1 else {
      throw MediaError(.unsupported, .steeringManifest, detail: "version \(version)")
    }
    let priority = json["PATHWAY-PRIORITY"]?.strings ?? []
    guard !priority.isEmpty, Set(priority).count == priority.count, priority.count <= 256 else {
      throw Self.fault("PATHWAY-PRIORITY")
    }
    self.init(pathwayPriority: priority)
    if let own = json["TTL"] {
      guard let seconds = own.integer, 1...86_400 * 7 ~= seconds else { throw Self.fault("TTL") }
      timeToLive = seconds
    }
    reloadURI = json["RELOAD-URI"]?.text
    guard case .array(let clones)? = json["PATHWAY-CLONES"] else { return }
    guard clones.count <= 256 else { throw Self.fault("PATHWAY-CLONES") }
    self.clones = try clones.map { (own) throws(MediaError) in try Self.clone(own) }
  }

  private static func fault(_ name: String) -> MediaError {
    MediaError(.damaged, .steeringManifest, detail: name)
  }

  private static func clone(_ json: JSONValue) throws(MediaError) -> PathwayClone {
    guard let base = json["BASE-ID"]?.text, let id = json["ID"]?.text, !id.isEmpty,
      let replacement = json["URI-REPLACEMENT"]
    else { throw fault("PATHWAY-CLONES") }
    var clone = PathwayClone(baseID: base, id: id)
    clone.host = replacement["HOST"]?.text.flatMap { $0.isEmpty ? nil : $0 }
    clone.parameters = replacement["PARAMS"]?.texts ?? [:]
    clone.variantURIs = replacement["PER-VARIANT-URIS"]?.texts ?? [:]
    clone.renditionURIs = replacement["PER-RENDITION-URIS"]?.texts ?? [:]
    return clone
  }
}

extension JSONValue {
  /// The first member of this name.
  fileprivate subscript(name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  fileprivate var text: String? {
    if case .string(let text) = self { text } else { nil }
  }

  fileprivate var integer: Int64? {
    if case .number(let text) = self { Int64(text) } else { nil }
  }

  fileprivate var strings: [String]? {
    guard case .array(let values) = self else { return nil }
    let texts = values.compactMap(\.text).filter { !$0.isEmpty }
    return texts.count == values.count ? texts : nil
  }

  fileprivate var texts: [String: String]? {
    guard case .object(let members) = self else { return nil }
    var texts: [String: String] = [:]
    for member in members { texts[member.name] = member.value.text }
    return texts
  }
}
