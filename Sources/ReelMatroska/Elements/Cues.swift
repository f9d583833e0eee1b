// Cues: where to begin reading for a time. RFC 9559 §5.1.5.

import ReelCore

/// The cues of a segment in the order of their times.
struct Cues: Sendable {
  struct Cue: Sendable {
    /// The segment's ticks.
    let time: Int64
    let track: Int
    /// Offset of the cluster from the Segment's first byte.
    let position: Int64
  }

  private(set) var list: [Cue] = []

  mutating func read(_ element: EBMLElement, _ context: inout EBMLContext) throws(MediaError) {
    var list = self.list
    defer { self.list = list.sorted { $0.time < $1.time } }
    try element.forEachChild(&context) { (id, child, context) throws(MediaError) in
      guard id == ElementID.cuePoint else { return }
      var time: Int64?
      var places: [(track: Int, position: Int64)] = []
      try child.forEachChild(&context) { (id, field, context) throws(MediaError) in
        if id == ElementID.cueTime { time = Int64(exactly: try field.unsigned()) }
        guard id == ElementID.cueTrackPositions else { return }
        var (track, position) = (0, Int64?.none)
        try field.forEachChild(&context) { (id, value, _) throws(MediaError) in
          if id == ElementID.cueTrack { track = try value.integer() }
          if id == ElementID.cueClusterPosition {
            position = Int64(exactly: try value.unsigned())
          }
        }
        if let position { places.append((track, position)) }
      }
      guard let time else { return }
      for place in places {
        list.append(Cue(time: time, track: place.track, position: place.position))
      }
    }
  }

  /// The last cue of a track at or before a time.
  func last(track: Int, atOrBefore time: Int64) -> Cue? {
    var (low, high) = (0, list.count)
    while low < high {
      let middle = (low + high) / 2
      if list[middle].time <= time { low = middle + 1 } else { high = middle }
    }
    return list[..<low].last { $0.track == track }
  }
}
