// Decoded frames that may be asked for again.

import ReelCore

/// Frames by sample, the least recently used ones given up beyond a budget of bytes.
struct FrameCache {
  private struct Entry {
    let frame: DecodedFrame
    let byteCount: Int
    var lastUse: Int
  }

  private var entries: [Int: Entry] = [:]
  private var byteCount = 0
  private var clock = 0
  private let budget: Int
  /// Frames that are kept whatever they weigh: a decoder may put out a whole picture buffer at once.
  private let minimumCount: Int

  init(budget: Int, minimumCount: Int) {
    self.budget = budget
    self.minimumCount = minimumCount
  }

  var count: Int { entries.count }

  /// The frame of a sample, which counts as used now.
  mutating func frame(ofSample sample: Int) -> DecodedFrame? {
    guard var entry = entries[sample] else { return nil }
    clock += 1
    entry.lastUse = clock
    entries[sample] = entry
    return entry.frame
  }

  mutating func insert(_ frame: DecodedFrame) {
    clock += 1
    let entry = Entry(frame: frame, byteCount: frame.frame.byteCount, lastUse: clock)
    if let old = entries.updateValue(entry, forKey: frame.sample) { byteCount -= old.byteCount }
    byteCount += entry.byteCount
    while byteCount > budget && entries.count > minimumCount { removeOldest() }
  }

  private mutating func removeOldest() {
    guard let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse }) else { return }
    byteCount -= oldest.value.byteCount
    entries[oldest.key] = nil
  }
}

extension VideoFrame {
  /// Bytes of the samples in memory.
  var byteCount: Int {
    switch storage {
    case .depth8(let planes): planes.y.count + planes.cb.count + planes.cr.count
    case .depth16(let planes): 2 * (planes.y.count + planes.cb.count + planes.cr.count)
    }
  }
}
