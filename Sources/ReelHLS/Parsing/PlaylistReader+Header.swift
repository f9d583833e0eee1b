// Tags of both kinds of playlist. RFC 8216 §4.3.1 and §4.3.5.

import ReelCore

extension PlaylistReader {
  mutating func readHeaderTag(_ tag: PlaylistTag, _ value: Range<Int>) throws(MediaError) {
    switch tag {
    case .version:
      guard let version = Self.integer(text[value]), version <= 1_000_000 else {
        return try complain(.playlistVersion, "it is no whole number", at: value.lowerBound)
      }
      if header.version != nil { try complain(.playlistVersion, "a second one") }
      header.version = Int(version)
    case .independentSegments: header.hasIndependentSegments = true
    case .start:
      var list = try attributes(value)
      guard let offset = try decimal("TIME-OFFSET", &list, signed: true) else {
        return try complain(.playlistMissingAttribute, "TIME-OFFSET is missing")
      }
      header.start = StartPoint(timeOffset: offset, isPrecise: try flag("PRECISE", &list))
    case .define: try define(value)
    case .header: try complain(.playlistHeader, "a second one")
    default: break
    }
  }
}
