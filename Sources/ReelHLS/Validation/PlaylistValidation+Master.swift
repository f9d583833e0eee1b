// Rules of master playlists.

import ReelCore

extension PlaylistValidation {
  mutating func check(_ master: MasterPlaylist) {
    check(master.header)
    for rendition in master.renditions { check(rendition, master.header) }
    checkGroups(master)
    for variant in master.variants { check(variant, master) }
    checkGroupMembers(master)
    let captions = master.variants.count { $0.closedCaptions == .some(.none) }
    if captions > 0 && captions < master.variants.count { add(.issueNoCaptions) }
    for variant in master.iFrameVariants { check(variant, master) }
    checkSession(master)
    if let pathway = master.contentSteering?.pathwayID,
      !master.variants.contains(where: { ($0.stream.pathwayID ?? ".") == pathway })
    {
      add(.issuePathway, 0, pathway)
    }
  }

  private mutating func check(_ rendition: Rendition, _ header: PlaylistHeader) {
    if rendition.type == .closedCaptions {
      let id = rendition.instreamID ?? ""
      if rendition.uri != nil || !Self.isInstreamID(id) {
        add(.issueClosedCaptions, rendition.line, id)
      }
      if id.hasPrefix("SERVICE") { requireVersion(7, header, "SERVICE", rendition.line) }
    } else if rendition.instreamID != nil {
      add(.issueRenditionAttributes, rendition.line, "INSTREAM-ID with \(rendition.type.rawValue)")
    }
    if rendition.type == .subtitles, rendition.uri == nil {
      add(.issueSubtitleAddress, rendition.line)
    }
    if rendition.isForced, rendition.type != .subtitles {
      add(.issueRenditionAttributes, rendition.line, "FORCED with \(rendition.type.rawValue)")
    }
    if let id = rendition.stableRenditionID, !Self.isStableID(id) {
      add(.issueStableID, rendition.line, id)
    }
  }

  private static func isInstreamID(_ id: String) -> Bool {
    if ["CC1", "CC2", "CC3", "CC4"].contains(id) { return true }
    guard id.hasPrefix("SERVICE"), let number = Int(id.dropFirst(7)) else { return false }
    return 1...63 ~= number
  }

  private static func isStableID(_ id: String) -> Bool {
    id.utf8.allSatisfy {
      65...90 ~= $0 || 97...122 ~= $0 || 48...57 ~= $0 || "+/=.-_".utf8.contains($0)
    }
  }

  private struct Group: Hashable {
    let type: Rendition.Kind
    let id: String
  }

  private mutating func checkGroups(_ master: MasterPlaylist) {
    var names: [Group: Set<String>] = [:]
    var defaults: Set<Group> = []
    for rendition in master.renditions {
      let group = Group(type: rendition.type, id: rendition.groupID)
      if !names[group, default: []].insert(rendition.name).inserted {
        add(.issueGroupNames, rendition.line, "\"\(rendition.name)\" twice")
      }
      if rendition.isDefault, !defaults.insert(group).inserted {
        add(.issueGroupNames, rendition.line, "a second default")
      }
    }
  }

  private mutating func check(_ variant: Variant, _ master: MasterPlaylist) {
    var groups: [(Rendition.Kind, String?)] = [
      (.audio, variant.audio), (.video, variant.stream.video), (.subtitles, variant.subtitles),
    ]
    if case .group(let id) = variant.closedCaptions { groups.append((.closedCaptions, id)) }
    for (type, id) in groups {
      guard let id, master.renditions(type, group: id).isEmpty else { continue }
      add(.issueGroup, variant.line, "\(type.rawValue)=\"\(id)\"")
    }
    if let id = variant.stream.stableVariantID, !Self.isStableID(id) {
      add(.issueStableID, variant.line, id)
    }
    if variant.stream.programID != nil, master.header.version ?? 1 >= 6 {
      add(.issueRemoved, variant.line, "PROGRAM-ID, removed in version 6")
    }
  }

  /// Groups that variants name for the same type have members of the same names.
  private mutating func checkGroupMembers(_ master: MasterPlaylist) {
    for type in [Rendition.Kind.audio, .subtitles] {
      var first: Set<String>?
      var seen: Set<String> = []
      for variant in master.variants {
        guard let id = type == .audio ? variant.audio : variant.subtitles,
          seen.insert(id).inserted
        else { continue }
        let members = Set(master.renditions(type, group: id).map(\.name))
        if let first, first != members { add(.issueGroupMembers, variant.line, "\"\(id)\"") }
        first = first ?? members
      }
    }
  }

  private mutating func check(_ variant: IFrameVariant, _ master: MasterPlaylist) {
    let forbidden = ["FRAME-RATE", "AUDIO", "SUBTITLES", "CLOSED-CAPTIONS"]
    for attribute in variant.stream.unknownAttributes where forbidden.contains(attribute.name) {
      add(.issueIFrameAttributes, variant.line, attribute.name)
    }
    if let id = variant.stream.video, master.renditions(.video, group: id).isEmpty {
      add(.issueGroup, variant.line, "VIDEO=\"\(id)\"")
    }
  }

  private mutating func checkSession(_ master: MasterPlaylist) {
    var seen: Set<String> = []
    for data in master.sessionData {
      if (data.value == nil) == (data.uri == nil) {
        add(.issueSessionData, data.line, data.dataID)
      }
      if !seen.insert("\(data.dataID)\n\(data.language ?? "")").inserted {
        add(.issueSessionData, data.line, "\(data.dataID) twice")
      }
    }
    for (index, key) in master.sessionKeys.enumerated() {
      check(key, master.header)
      if master.sessionKeys[..<index].contains(key) { add(.issueSessionKey, key.line) }
    }
  }
}
