// Where, when and how large each sample of a track is. ISO/IEC 14496-12:2020 §8.6, §8.7.

import ReelCore

/// What the tables tell of one sample.
struct SampleRecord {
  /// Media ticks.
  var decodeTicks: Int64
  /// Media ticks.
  var presentationTicks: Int64
  /// Media ticks, ≥ 0.
  var durationTicks: Int64
  /// Offset in the file.
  var position: Int64
  var byteCount: UInt32
  /// Index into the sample descriptions, from 0.
  var descriptionIndex: Int
  var isSync: Bool
}

/// The samples of a track in decoding order. Every lookup is O(log n).
struct SampleTable: Sendable {
  /// A run of samples that lie one behind the other in the file.
  struct Chunk: Sendable {
    var firstSample: UInt32
    var descriptionIndex: UInt32
    var position: Int64
  }

  /// From a sample on, decoding times are this much later than the durations before it add up to.
  struct TimeShift: Sendable {
    var firstSample: UInt32
    var shift: Int64
  }

  var count: Int { sizes.count }
  var deltas = RunLengthTable<UInt32>()
  /// Ascending by sample; empty when times follow from the durations alone.
  var timeShifts: [TimeShift] = []
  /// Empty when all offsets are 0.
  var compositionOffsets = RunLengthTable<Int32>()
  var sizes = RunLengthTable<UInt32>()
  var chunks: [Chunk] = []
  /// Nil when every sample is a sync sample.
  var syncSamples: SyncSamples?
  /// Sample descriptions, from 0, whose media data lies in another file.
  private(set) var externalDescriptions: Set<Int> = []
  /// Offset in the file behind the last sample.
  var dataEnd: Int64 = -1
  /// Least and greatest composition offset.
  private(set) var offsetBounds: ClosedRange<Int64> = 0...0

  init() {}

  /// Bytes that the table holds.
  var byteCount: Int {
    deltas.byteCount + compositionOffsets.byteCount + sizes.byteCount
      + chunks.count * MemoryLayout<Chunk>.stride
      + timeShifts.count * MemoryLayout<TimeShift>.stride + (syncSamples?.byteCount ?? 0)
  }

  /// The table that the boxes of a `stbl` tell.
  ///
  /// - Throws: `limitExceeded` for more samples than the limit; in strict modes `damaged` where the
  ///   boxes contradict each other.
  init(_ track: TrackBox, _ context: inout BoxContext) throws(MediaError) {
    externalDescriptions = track.externalDescriptions
    if let grouping = SampleGrouping(track) {
      try layOut(track, grouping, &context)
      return
    }
    try layOut(track, nil, &context)
    deltas = track.times.deltas
    deltas.truncate(to: count)
    if deltas.count < count {
      try noteDifference("stts", deltas.count, &context)
      // The last delta goes on, so that times at least keep growing.
      let last = deltas.entryCount > 0 ? deltas.entryValue(deltas.entryCount - 1) : 0
      deltas.append(last, count: count - deltas.count)
    }
    compositionOffsets = track.compositionOffsets.offsets
    compositionOffsets.truncate(to: count)
    if compositionOffsets.count > 0 && compositionOffsets.count < count {
      try noteDifference("ctts", compositionOffsets.count, &context)
      compositionOffsets.append(0, count: count - compositionOffsets.count)
    }
    try takeSyncSamples(track, &context)
  }

  /// Sync samples, and those at which an open group begins: QuickTime's partial sync samples and the
  /// groups `rap ` and `sync` (ISO/IEC 14496-12:2020 §10.4, §10.8). What they cannot show alone, a
  /// reader finds out.
  private mutating func takeSyncSamples(
    _ track: TrackBox, _ context: inout BoxContext
  ) throws(MediaError) {
    guard let sync = track.syncSamples?.samples else { return }
    var samples = sync
    if let last = sync.last, Int(last) >= count {
      try noteDifference("stss", Int(last) + 1, &context)
    }
    samples += track.partialSyncSamples?.samples ?? []
    for group in track.groups where group.groupingType == "rap " || group.groupingType == "sync" {
      samples += group.members(below: count)
    }
    if samples.count > sync.count { samples.sort() }
    syncSamples = SyncSamples(
      samples.last.map { Int($0) < count } ?? true ? samples : samples.filter { $0 < count })
  }

  private func noteDifference(
    _ box: String, _ other: Int, _ context: inout BoxContext
  ) throws(MediaError) {
    try context.note(
      MediaError(
        .damaged, .sampleCountsDiffer, at: .named(context.pathText),
        detail: "\(box) tells of \(other) samples, there are \(count)"))
  }

  /// Chooses the small forms and measures the offsets, once all samples are in.
  mutating func finish() {
    deltas.compact()
    compositionOffsets.compact()
    sizes.compact()
    let count = self.count
    syncSamples?.compact(sampleCount: count)
    var (low, high) = (Int64.max, Int64.min)
    for entry in 0..<compositionOffsets.entryCount {
      let value = Int64(compositionOffsets.entryValue(entry))
      (low, high) = (min(low, value), max(high, value))
    }
    offsetBounds = low <= high ? low...high : 0...0
  }

  /// Fills `sizes` and `chunks` from `stsz`, `stsc` and the chunk offsets.
  private mutating func layOut(
    _ track: TrackBox, _ grouping: SampleGrouping?, _ context: inout BoxContext
  ) throws(MediaError) {
    let box = track.sizes
    let runs = track.sampleToChunk?.entries ?? []
    let offsets = track.chunkOffsets.offsets
    var (run, sample) = (0, 0)
    for (number, position) in offsets.enumerated() where !runs.isEmpty {
      while run + 1 < runs.count && Int(runs[run + 1].firstChunk) <= number { run += 1 }
      var length = min(Int(runs[run].samplesPerChunk), box.sampleCount - sample)
      if grouping == nil {
        try SampleSizeBox.check(sample + max(length, 0), at: 0, context)
        // LIMIT: samples of a stated size cost no bytes of the table; those of the file bound them.
        length = min(length, context.maximumSampleCount - sample)
      }
      guard length > 0 else { continue }
      let description = runs[run].sampleDescriptionIndex
      if position != dataEnd || chunks.last?.descriptionIndex != description {
        chunks.append(
          Chunk(
            firstSample: UInt32(grouping == nil ? sample : count), descriptionIndex: description,
            position: position))
      }
      let byteCount =
        grouping.map { append(chunkOf: length, $0) }
        ?? box.byteCount(of: sample..<sample + length)
      dataEnd = position.addingReportingOverflow(byteCount).partialValue
      sample += length
      try SampleSizeBox.check(count, at: 0, context)
    }
    if sample < box.sampleCount {
      try context.note(
        MediaError(
          .damaged, .sampleCountsDiffer, at: .named(context.pathText),
          detail: "sizes tell of \(box.sampleCount) samples, chunks hold \(sample)"))
    }
    if grouping != nil { return }
    if box.constantSize != 0 {
      sizes.append(box.constantSize, count: sample)
    } else {
      sizes = RunLengthTable(sample < box.sizes.count ? Array(box.sizes.prefix(sample)) : box.sizes)
    }
  }

  // MARK: Lookup by number

  /// Everything the tables tell of sample `number`; traps outside 0 ..< `count`.
  func record(_ number: Int) -> SampleRecord {
    precondition(number >= 0 && number < count)
    let chunk = chunks[chunkIndex(of: number)]
    let decodeTicks = self.decodeTicks(number)
    return SampleRecord(
      decodeTicks: decodeTicks,
      presentationTicks: decodeTicks + compositionOffset(number),
      durationTicks: Int64(deltas.value(at: number)),
      position: chunk.position.addingReportingOverflow(
        sizes.sum(before: number) - sizes.sum(before: Int(chunk.firstSample))
      ).partialValue,
      byteCount: sizes.value(at: number), descriptionIndex: Int(chunk.descriptionIndex),
      isSync: isSync(number))
  }

  func presentationTicks(_ number: Int) -> Int64 {
    decodeTicks(number) + compositionOffset(number)
  }

  func decodeTicks(_ number: Int) -> Int64 {
    let index = timeShiftIndex(of: number)
    return deltas.sum(before: number) + (index >= 0 ? timeShifts[index].shift : 0)
  }

  /// Index of the time shift that a sample has; −1 for none.
  func timeShiftIndex(of number: Int) -> Int {
    var (low, high) = (-1, timeShifts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if Int(timeShifts[middle].firstSample) <= number { low = middle } else { high = middle }
    }
    return low
  }

  /// The time at which the last sample ends; 0 without samples.
  var endTicks: Int64 { count == 0 ? 0 : deltas.total + (timeShifts.last?.shift ?? 0) }

  private func compositionOffset(_ number: Int) -> Int64 {
    compositionOffsets.count > 0 ? Int64(compositionOffsets.value(at: number)) : 0
  }

  /// Index of the chunk that holds a sample.
  func chunkIndex(of number: Int) -> Int {
    var (low, high) = (0, chunks.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if Int(chunks[middle].firstSample) <= number { low = middle } else { high = middle }
    }
    return low
  }

  func isSync(_ number: Int) -> Bool {
    syncSamples?.contains(number) ?? true
  }

  // MARK: Lookup by time

  /// The last sample whose decoding time is at or before `ticks`; nil when there is none.
  func lastSample(decodedAtOrBefore ticks: Int64) -> Int? {
    guard !timeShifts.isEmpty else { return deltas.lastIndex(withSumAtMost: ticks) }
    // The last stretch of unbroken times that begins by then.
    var (low, high) = (-1, timeShifts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if startTicks(timeShifts[middle]) <= ticks { low = middle } else { high = middle }
    }
    let end = low + 1 < timeShifts.count ? Int(timeShifts[low + 1].firstSample) : count
    let shift = low >= 0 ? timeShifts[low].shift : 0
    guard end > 0, let index = deltas.lastIndex(withSumAtMost: ticks.clampedDifference(shift))
    else { return nil }
    return min(index, end - 1)
  }

  private func startTicks(_ shift: TimeShift) -> Int64 {
    deltas.sum(before: Int(shift.firstSample)) + shift.shift
  }

  /// The last sync sample that is presented at or before `ticks`; the first one when all are later;
  /// 0 when the track has no sync sample at all; nil for an empty track.
  func syncSample(presentedAtOrBefore ticks: Int64) -> Int? {
    guard count > 0 else { return nil }
    // No later sample can be presented so early: its decoding time is too late already.
    let (bound, overflow) = ticks.subtractingReportingOverflow(offsetBounds.lowerBound)
    let last = overflow ? count - 1 : lastSample(decodedAtOrBefore: bound) ?? 0
    guard let syncSamples else {
      var number = last
      while number > 0 && presentationTicks(number) > ticks { number -= 1 }
      return number
    }
    guard let first = syncSamples.first(atOrAfter: 0) else { return 0 }
    var number = syncSamples.last(atOrBefore: last) ?? first
    while presentationTicks(number) > ticks,
      let earlier = syncSamples.last(atOrBefore: number - 1)
    {
      number = earlier
    }
    return number
  }
}

extension Int64 {
  /// The difference, or the nearest value that 64 bits hold.
  fileprivate func clampedDifference(_ other: Int64) -> Int64 {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (self < 0 ? .min : .max) : difference
  }
}
