// The cues of a file or track, found by time.

public import ReelCore

/// Cues in the order of their starts.
public struct CaptionTrack: Sendable, Hashable {
  public let cues: [Cue]
  /// Latest end of the cues up to each one, so that a search back can stop.
  private let latestEnds: [MediaTime]
  /// All starts and ends, ascending.
  private let changes: [MediaTime]
  /// LIMIT: four hours with a cue for every picture have fewer.
  public static let mostCues = 100_000

  /// Cues in any order; those with the same start keep theirs.
  public init(_ unordered: [Cue]) {
    let order = unordered.indices.sorted {
      (unordered[$0].start, $0) < (unordered[$1].start, $1)
    }
    cues = order.map { unordered[$0] }
    var ends: [MediaTime] = []
    for cue in cues { ends.append(max(ends.last ?? cue.end, cue.end)) }
    latestEnds = ends
    // Words with times of their own change the picture too.
    let inner = cues.flatMap { cue in
      cue.timestamps.filter { $0 > cue.start && $0 < cue.end }
    }
    changes = Array(Set(cues.flatMap { [$0.start, $0.end] } + inner)).sorted()
  }

  /// The cues shown at `time`, in order.
  public func cues(at time: MediaTime) -> [Cue] { indices(at: time).map { cues[$0] } }

  /// Which of the cues are shown at `time`, in order; `isBefore`: right before it.
  public func indices(at time: MediaTime, isBefore: Bool = false) -> [Int] {
    var index = cues.partition { isBefore ? $0.start < time : $0.start <= time } - 1
    var found: [Int] = []
    while index >= 0, isBefore ? latestEnds[index] >= time : latestEnds[index] > time {
      let end = cues[index].end
      if isBefore ? end >= time : end > time { found.append(index) }
      index -= 1
    }
    return found.reversed()
  }

  /// The first time after `time` (or the last before it) at which something changes; nil when nothing does.
  public func change(after time: MediaTime, backwards: Bool = false) -> MediaTime? {
    if backwards {
      let index = changes.partition { $0 < time } - 1
      return index >= 0 ? changes[index] : nil
    }
    let index = changes.partition { $0 <= time }
    return index < changes.count ? changes[index] : nil
  }
}

extension Array {
  /// Number of elements at the front for which `isFront` holds, given that it holds for none after them.
  fileprivate func partition(_ isFront: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isFront(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension Cue {
  /// The times inside of the text, in order of appearance.
  public var timestamps: [MediaTime] { content.flatMap(\.timestamps) }
}

extension CueNode {
  fileprivate var timestamps: [MediaTime] {
    switch self {
    case .text: []
    case .timestamp(let time): [time]
    case .element(let element): element.children.flatMap(\.timestamps)
    }
  }
}
