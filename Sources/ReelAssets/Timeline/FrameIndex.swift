// The frames of a track in presentation order, as its packets tell them, without decoding.

import ReelCore

/// Which sample is presented when. Frames are numbered in presentation order from 0, samples in
/// decoding order from 0.
///
/// Memory: 8 bytes a frame where frames are reordered, else a few bytes for each change of the frame
/// rate; and 24 bytes a sync sample where not every sample is one.
struct FrameIndex: Sendable {
  /// A sample at which decoding can start.
  struct Sync: Sendable {
    let sample: Int
    let presentationTicks: Int64
    /// Offset of its packet; −1 when it has none.
    let position: Int64
  }

  /// Ticks from each frame to the next one; prefix sums are presentation times.
  private(set) var steps = RunLengthTable<Int64>()
  /// Presentation time of frame 0.
  private(set) var firstTicks: Int64 = 0
  /// Presentation time of the last frame.
  private(set) var lastTicks: Int64 = 0
  /// Duration of the last frame, as far as its packet tells.
  private(set) var lastDuration: Int64 = 0
  /// Number of frames.
  private(set) var count = 0
  /// Sync samples in decoding order; emptied at the end when all samples are.
  private var syncs: [Sync] = []
  private(set) var isEverySampleSync = true
  /// Packets have no presentation times: frames are numbered as decoders put them out, and their
  /// times are those of the decoding order.
  private(set) var isOutputCounted = false
  /// A later sync sample had frames that belong before an earlier one's.
  private(set) var isDisordered = false

  /// Sample of each frame and frame of each sample; both empty while they are the same.
  private var samples: [UInt32] = []
  private var frames: [UInt32] = []

  init() {}

  // MARK: Building

  /// Adds samples that follow those already there in decoding and in presentation order.
  mutating func append(_ group: [FrameIndexBuilder.Entry]) {
    let base = count
    let order = Self.presentationOrder(group)
    if samples.isEmpty, let order, !order.isEmpty {
      samples = (0..<UInt32(base)).map { $0 }
      frames = samples
    }
    for position in group.indices {
      let entry = group[order.map { Int($0[position]) } ?? position]
      append(ticks: entry.ticks)
      lastDuration = entry.duration
    }
    guard !samples.isEmpty || order != nil else { return }
    for position in group.indices {
      samples.append(UInt32(base) + (order?[position] ?? UInt32(position)))
    }
    frames.append(contentsOf: repeatElement(0, count: group.count))
    for frame in base..<count { frames[Int(samples[frame])] = UInt32(frame) }
  }

  private mutating func append(ticks: Int64) {
    if count == 0 {
      (firstTicks, lastTicks) = (ticks, ticks)
    } else {
      if ticks < lastTicks { isDisordered = true }
      steps.append(max(ticks - lastTicks, 0))
      lastTicks = max(ticks, lastTicks)
    }
    count += 1
  }

  /// Positions of the entries by time, equal ones in decoding order; nil when they are in order.
  private static func presentationOrder(_ group: [FrameIndexBuilder.Entry]) -> [UInt32]? {
    var isSorted = true
    for i in group.indices.dropFirst() where group[i].ticks < group[i - 1].ticks {
      isSorted = false
      break
    }
    if isSorted { return nil }
    return (0..<UInt32(group.count)).sorted { a, b in
      let (first, second) = (group[Int(a)].ticks, group[Int(b)].ticks)
      return first != second ? first < second : a < b
    }
  }

  mutating func append(_ sync: Sync) { syncs.append(sync) }

  /// To be called for a sample that is no sync sample.
  mutating func noteNonSync() { isEverySampleSync = false }
  mutating func noteMissingTimes() { isOutputCounted = true }

  /// To be called when all samples are in.
  mutating func finish() {
    if isEverySampleSync { syncs = [] }
  }

  // MARK: Lookup

  /// Presentation time of a frame; traps outside 0 ..< `count`.
  func presentationTicks(_ frame: Int) -> Int64 {
    precondition(frame >= 0 && frame < count)
    return firstTicks &+ steps.sum(before: frame)
  }

  /// Ticks up to the next frame, or the last frame's own duration.
  func duration(_ frame: Int) -> Int64 {
    frame + 1 < count ? steps.value(at: frame) : lastDuration
  }

  /// The time at which the last frame ends.
  var endTicks: Int64 {
    count == 0 ? 0 : lastTicks.addingReportingOverflow(lastDuration).partialValue
  }

  func sample(ofFrame frame: Int) -> Int { samples.isEmpty ? frame : Int(samples[frame]) }
  /// Nil for a sample that the index does not reach.
  func frame(ofSample sample: Int) -> Int? {
    guard sample < count else { return nil }
    return frames.isEmpty ? sample : Int(frames[sample])
  }

  /// The last frame presented at or before `ticks`; nil when there is none.
  func lastFrame(presentedAtOrBefore ticks: Int64) -> Int? {
    guard count > 0, ticks >= firstTicks else { return nil }
    let (distance, overflow) = ticks.subtractingReportingOverflow(firstTicks)
    if overflow || distance >= lastTicks &- firstTicks { return count - 1 }
    return steps.lastIndex(withSumAtMost: distance)
  }

  /// The first frame presented at or after `ticks`; `count` when there is none.
  func firstFrame(presentedAtOrAfter ticks: Int64) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if presentationTicks(middle) < ticks { low = middle + 1 } else { high = middle }
    }
    return low
  }

  // MARK: Sync samples

  /// Sync sample number `index`; traps unless there is one of that number.
  func sync(_ index: Int) -> Sync {
    guard isEverySampleSync, syncs.isEmpty else { return syncs[index] }
    return Sync(
      sample: index, presentationTicks: presentationTicks(frame(ofSample: index) ?? index),
      position: -1)
  }

  /// Number of the last sync sample at or before a sample; nil when there is none.
  func syncIndex(atOrBefore sample: Int) -> Int? {
    if isEverySampleSync && syncs.isEmpty { return sample < count ? sample : nil }
    var (low, high) = (-1, syncs.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if syncs[middle].sample <= sample { low = middle } else { high = middle }
    }
    return low >= 0 ? low : nil
  }
}
