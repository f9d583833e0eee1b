import Foundation
import ReelCore
import ReelHLS

/// What the JSON beside a fixture says, in the words of the project the fixtures are from.
struct PlaylistExpectation {
  private let root: [String: Any]
  init(_ root: [String: Any]) { self.root = root }

  /// Every field the JSON has that the playlist contradicts, and the ones that are not compared.
  func differences(_ playlist: Playlist) -> [String] {
    var found = Comparison()
    switch playlist {
    case .media(let media): compare(media, &found)
    case .master(let master): compare(master, &found)
    }
    return found.differences
  }

  private func compare(_ header: PlaylistHeader, _ found: inout Comparison) {
    found.number("version", root["version"], header.version.map(Double.init))
    if root["independentSegments"] != nil {
      found.flag("independentSegments", root["independentSegments"], header.hasIndependentSegments)
    }
    let start = root["start"] as? [String: Any]
    found.number("start.timeOffset", start?["timeOffset"], header.start?.timeOffset.value)
    found.flag("start.precise", start?["precise"], header.start?.isPrecise ?? false)
  }

  // MARK: Media playlists

  private func compare(_ media: MediaPlaylist, _ found: inout Comparison) {
    compare(media.header, &found)
    found.flag("allowCache", root["allowCache"], media.allowsCache ?? true)
    found.flag("endList", root["endList"] ?? false, media.isEnded)
    found.text("playlistType", root["playlistType"], media.kind?.rawValue)
    found.number("targetDuration", root["targetDuration"], media.targetDuration.map(Double.init))
    if root["mediaSequence"] != nil {
      found.number("mediaSequence", root["mediaSequence"], Double(media.mediaSequence))
      found.number(
        "discontinuitySequence", root["discontinuitySequence"], Double(media.discontinuitySequence))
    }
    found.number(
      "partTargetDuration", root["partTargetDuration"], media.partTargetDuration?.value)
    let starts = media.segments.indices.filter { media.segments[$0].isDiscontinuity }
    found.equal("discontinuityStarts", root["discontinuityStarts"] as? [Int] ?? [], starts)
    compareServerControl(media, &found)
    let segments = root["segments"] as? [[String: Any]] ?? []
    found.equal("segments.count", segments.count, media.segments.count)
    for (index, (expected, segment)) in zip(segments, media.segments).enumerated() {
      compare(segment, expected, "segments[\(index)]", &found)
    }
    comparePreload(media, &found)
    let reports = root["renditionReports"] as? [[String: Any]] ?? []
    found.equal("renditionReports.count", reports.count, media.renditionReports.count)
    for (expected, report) in zip(reports, media.renditionReports) {
      found.text("renditionReports.uri", expected["uri"], report.uri)
      found.number(
        "renditionReports.lastMsn", expected["lastMsn"],
        report.lastMediaSequenceNumber.map(Double.init))
      found.number(
        "renditionReports.lastPart", expected["lastPart"], report.lastPart.map(Double.init))
    }
  }

  private func compareServerControl(_ media: MediaPlaylist, _ found: inout Comparison) {
    let control = root["serverControl"] as? [String: Any]
    if let control {
      found.flag(
        "serverControl.canBlockReload", control["canBlockReload"] ?? false,
        media.serverControl?.canBlockReload ?? false)
      found.flag(
        "serverControl.canSkipDateranges", control["canSkipDateranges"] ?? false,
        media.serverControl?.canSkipDateRanges ?? false)
      found.number(
        "serverControl.canSkipUntil", control["canSkipUntil"],
        media.serverControl?.canSkipUntil?.value)
      found.number(
        "serverControl.holdBack", control["holdBack"], media.serverControl?.holdBack?.value)
      found.number(
        "serverControl.partHoldBack", control["partHoldBack"],
        media.serverControl?.partHoldBack?.value)
    }
    let skip = root["skip"] as? [String: Any]
    found.number(
      "skip", skip?["skippedSegments"], (media.skip?.segmentCount).map(Double.init))
  }

  private func comparePreload(_ media: MediaPlaylist, _ found: inout Comparison) {
    guard let preload = root["preloadSegment"] as? [String: Any] else { return }
    let parts = preload["parts"] as? [[String: Any]] ?? []
    compare(media.unfinishedSegment?.parts ?? [], parts, "preloadSegment.parts", &found)
    let hints = preload["preloadHints"] as? [[String: Any]] ?? []
    found.equal("preloadHints.count", hints.count, media.preloadHints.count)
    for (index, (expected, hint)) in zip(hints, media.preloadHints).enumerated() {
      let place = "preloadHints[\(index)]"
      found.text("\(place).type", expected["type"], hint.type)
      found.text("\(place).uri", expected["uri"], hint.uri)
      let range = expected["byterange"] as? [String: Any]
      found.number("\(place).length", range?["length"], hint.byteRangeLength.map(Double.init))
      if let start = hint.byteRangeStart {
        found.number("\(place).offset", range?["offset"], Double(start))
      }
    }
  }

  private func compare(
    _ segment: Segment, _ expected: [String: Any], _ place: String, _ found: inout Comparison
  ) {
    found.text("\(place).uri", expected["uri"], segment.uri)
    found.text("\(place).title", expected["title"] ?? "", segment.title)
    found.number("\(place).duration", expected["duration"], segment.duration.value)
    found.number("\(place).timeline", expected["timeline"], Double(segment.discontinuitySequence))
    found.flag(
      "\(place).discontinuity", expected["discontinuity"] ?? false, segment.isDiscontinuity)
    compare(segment.byteRange, expected["byterange"], "\(place).byterange", &found)
    found.number(
      "\(place).dateTime",
      (expected["dateTimeString"] as? String).flatMap { DateTime($0) }.map {
        Double($0.milliseconds)
      }, segment.programDateTime.map { Double($0.milliseconds) })
    compare(segment.keys, expected["key"], "\(place).key", &found)
    let map = expected["map"] as? [String: Any]
    found.text("\(place).map.uri", map?["uri"], segment.initializationSection?.uri)
    compare(
      segment.initializationSection?.byteRange, map?["byterange"], "\(place).map.byterange", &found)
    compare(segment.initializationSection?.keys ?? [], map?["key"], "\(place).map.key", &found)
    let parts = expected["parts"] as? [[String: Any]] ?? []
    compare(segment.parts, parts, "\(place).parts", &found)
  }

  private func compare(
    _ keys: [Key], _ expected: Any?, _ place: String, _ found: inout Comparison
  ) {
    let key = expected as? [String: Any]
    found.text("\(place).method", key?["method"], keys.first?.method.name)
    found.text("\(place).uri", key?["uri"], keys.first?.uri)
    let words = (key?["iv"] as? [String: Any])?["bytes"] as? [Int]
    let bytes = words?.flatMap { word in (0..<4).map { UInt8(word >> (24 - 8 * $0) & 255) } }
    found.equal("\(place).iv", bytes ?? [], keys.first?.initializationVector ?? [])
  }

  private func compare(
    _ range: ByteRange?, _ expected: Any?, _ place: String, _ found: inout Comparison
  ) {
    let expected = expected as? [String: Any]
    found.number("\(place).length", expected?["length"], (range?.length).map(Double.init))
    found.number("\(place).offset", expected?["offset"], (range?.offset).map(Double.init))
  }

  private func compare(
    _ parts: [PartialSegment], _ expected: [[String: Any]], _ place: String,
    _ found: inout Comparison
  ) {
    found.equal("\(place).count", expected.count, parts.count)
    for (index, (wanted, part)) in zip(expected, parts).enumerated() {
      let place = "\(place)[\(index)]"
      found.text("\(place).uri", wanted["uri"], part.uri)
      found.number("\(place).duration", wanted["duration"], part.duration.value)
      found.flag("\(place).independent", wanted["independent"] ?? false, part.isIndependent)
      found.flag("\(place).gap", wanted["gap"] ?? false, part.isGap)
      compare(part.byteRange, wanted["byterange"], "\(place).byterange", &found)
    }
  }

  // MARK: Master playlists

  private func compare(_ master: MasterPlaylist, _ found: inout Comparison) {
    compare(master.header, &found)
    let playlists = root["playlists"] as? [[String: Any]] ?? []
    found.equal("playlists.count", playlists.count, master.variants.count)
    for (index, (expected, variant)) in zip(playlists, master.variants).enumerated() {
      let place = "playlists[\(index)]"
      found.text("\(place).uri", expected["uri"], variant.uri)
      let attributes = expected["attributes"] as? [String: Any] ?? [:]
      compare(variant.stream, attributes, place, &found)
      found.text("\(place).AUDIO", attributes["AUDIO"], variant.audio)
      found.text("\(place).SUBTITLES", attributes["SUBTITLES"], variant.subtitles)
      found.number("\(place).FRAME-RATE", attributes["FRAME-RATE"], variant.frameRate?.value)
      let captions: String? =
        switch variant.closedCaptions {
        case nil: nil
        case .some(.none): "NONE"
        case .some(.group(let group)): group
        }
      found.text("\(place).CLOSED-CAPTIONS", attributes["CLOSED-CAPTIONS"], captions)
    }
    let frames = root["iFramePlaylists"] as? [[String: Any]] ?? []
    found.equal("iFramePlaylists.count", frames.count, master.iFrameVariants.count)
    for (index, (expected, variant)) in zip(frames, master.iFrameVariants).enumerated() {
      found.text("iFramePlaylists[\(index)].uri", expected["uri"], variant.uri)
      compare(
        variant.stream, expected["attributes"] as? [String: Any] ?? [:],
        "iFramePlaylists[\(index)]",
        &found)
    }
    compareGroups(master, &found)
  }

  private func compare(
    _ stream: StreamDescription, _ expected: [String: Any], _ place: String,
    _ found: inout Comparison
  ) {
    let bandwidth: Double? = stream.bandwidth == 0 ? nil : Double(stream.bandwidth)
    found.number("\(place).BANDWIDTH", expected["BANDWIDTH"], bandwidth)
    found.number(
      "\(place).AVERAGE-BANDWIDTH", expected["AVERAGE-BANDWIDTH"],
      stream.averageBandwidth.map(Double.init))
    found.number("\(place).PROGRAM-ID", expected["PROGRAM-ID"], stream.programID.map(Double.init))
    let codecs = (expected["CODECS"] as? String)?.split(separator: ",").map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    found.equal("\(place).CODECS", codecs ?? [], stream.codecs)
    let size = expected["RESOLUTION"] as? [String: Any]
    found.number("\(place).width", size?["width"], (stream.resolution?.width).map(Double.init))
    found.number("\(place).height", size?["height"], (stream.resolution?.height).map(Double.init))
    found.text("\(place).VIDEO", expected["VIDEO"], stream.video)
    found.text("\(place).VIDEO-RANGE", expected["VIDEO-RANGE"], stream.videoRange)
    found.text("\(place).HDCP-LEVEL", expected["HDCP-LEVEL"], stream.hdcpLevel)
  }

  private func compareGroups(_ master: MasterPlaylist, _ found: inout Comparison) {
    guard let types = root["mediaGroups"] as? [String: [String: [String: [String: Any]]]] else {
      return
    }
    var count = 0
    for (type, groups) in types {
      for (group, renditions) in groups {
        for (name, expected) in renditions {
          count += 1
          let place = "mediaGroups.\(type).\(group).\(name)"
          let match = master.renditions.first {
            $0.type.rawValue == type && $0.groupID == group && $0.name == name
          }
          found.text("\(place).uri", expected["uri"], match?.uri)
          found.text("\(place).language", expected["language"], match?.language)
          found.text("\(place).instreamId", expected["instreamId"], match?.instreamID)
          found.flag("\(place).default", expected["default"], match?.isDefault ?? false)
          found.flag("\(place).autoselect", expected["autoselect"], match?.isAutoselect ?? false)
          found.flag("\(place).forced", expected["forced"] ?? false, match?.isForced ?? false)
        }
      }
    }
    found.equal("mediaGroups.count", count, master.renditions.count)
  }
}

/// Gathers what differs.
struct Comparison {
  var differences: [String] = []

  mutating func equal<T: Equatable>(_ place: String, _ expected: T, _ actual: T) {
    if expected != actual { differences.append("\(place): \(expected) expected, \(actual) found") }
  }
  mutating func number(_ place: String, _ expected: Any?, _ actual: Double?) {
    let number = (expected as? NSNumber)?.doubleValue ?? (expected as? String).flatMap(Double.init)
    equal(place, number, actual)
  }
  mutating func text(_ place: String, _ expected: Any?, _ actual: String?) {
    equal(place, expected as? String, actual)
  }
  mutating func flag(_ place: String, _ expected: Any?, _ actual: Bool) {
    equal(place, (expected as? NSNumber)?.boolValue ?? false, actual)
  }
}
