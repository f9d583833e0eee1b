// Where the sync samples of a track lie, by cues and by reading block headers.

import ReelCore

/// Finds blocks to begin with, for one track.
final class MatroskaSyncIndex {
  private let layout: MatroskaLayout
  private let trackNumber: Int
  /// Sync blocks in the order of the file, as far as it was read from the first cluster.
  private var blocks: [BlockPlace] = []
  private var walker: ClusterWalker
  private var isComplete = false

  init(_ layout: MatroskaLayout, trackIndex: Int) {
    self.layout = layout
    trackNumber = layout.tracks[trackIndex].number
    walker = layout.walker(from: layout.firstCluster)
  }

  /// The last block of the track with a sync sample at or before `ticks`; the first when there is
  /// none; nil when the track has no sync sample.
  func block(atOrBefore ticks: Int64) throws(MediaError) -> BlockPlace? {
    if let found = try blockNearCue(atOrBefore: ticks) { return found }
    while !isComplete, !isPast(ticks, last: blocks.last) {
      guard let block = try walker.next() else {
        isComplete = true
        break
      }
      note(block)
    }
    return blocks.last { isAtOrBefore($0, ticks) } ?? blocks.first
  }

  private func note(_ block: BlockPlace) {
    guard block.trackNumber == trackNumber, block.isSync,
      blocks.count < layout.limits.maximumSamplesPerTrack
    else { return }
    blocks.append(block)
  }

  private func isAtOrBefore(_ block: BlockPlace, _ ticks: Int64) -> Bool {
    layout.info.ticks(block.time).map { $0 <= ticks } ?? false
  }

  /// Nothing that follows `last` can be the answer.
  private func isPast(_ ticks: Int64, last: BlockPlace?) -> Bool {
    last.map { !isAtOrBefore($0, ticks) } ?? false
  }

  /// Reads from the cluster of the last cue before the time; nil when there is no such cue, or it
  /// does not lead to a sync sample before the time.
  private func blockNearCue(atOrBefore ticks: Int64) throws(MediaError) -> BlockPlace? {
    guard let time = cueTime(ticks),
      let cue = layout.cues.last(track: trackNumber, atOrBefore: time)
    else { return nil }
    let position = layout.segmentStart.saturatingAdd(cue.position)
    guard position >= layout.firstCluster else { return nil }
    var walker = layout.walker(from: position)
    var best: BlockPlace?
    while let block = try walker.next() {
      if block.trackNumber == trackNumber, block.isSync {
        if !isAtOrBefore(block, ticks) { break }
        best = block
      }
      if let start = walker.clusterTime, best != nil, start > time { break }
    }
    return best
  }

  /// The segment's tick of a packet time.
  private func cueTime(_ ticks: Int64) -> Int64? {
    guard ticks >= 0 else { return nil }
    return layout.info.ticks(1) == 1 ? ticks : ticks / layout.info.timestampScale
  }
}
