// Growing a sample table by the runs of movie fragments. ISO/IEC 14496-12:2020 §8.8.

import ReelCore

extension SampleTable {
  /// Says that the next sample is decoded at `time` (0 … 2⁶⁰), wherever the last one ended.
  mutating func startFragment(at time: Int64) {
    let shift = time &- deltas.total
    guard shift != (timeShifts.last?.shift ?? 0) else { return }
    if timeShifts.last?.firstSample == UInt32(count) { timeShifts.removeLast() }
    timeShifts.append(TimeShift(firstSample: UInt32(count), shift: shift))
  }

  /// Says that the next sample's bytes begin at `position`.
  mutating func startRun(at position: Int64, description: UInt32) {
    if position == dataEnd && chunks.last?.descriptionIndex == description { return }
    if chunks.last?.firstSample == UInt32(count) { chunks.removeLast() }
    chunks.append(
      Chunk(firstSample: UInt32(count), descriptionIndex: description, position: position))
    dataEnd = position
  }

  /// Adds one sample behind the last.
  mutating func append(duration: UInt32, size: UInt32, isSync: Bool, compositionOffset: Int32) {
    note(isSync: isSync, from: count, count: 1)
    if compositionOffset != 0 && compositionOffsets.count < count {
      compositionOffsets.append(0, count: count - compositionOffsets.count)
    }
    if compositionOffset != 0 || compositionOffsets.count > 0 {
      compositionOffsets.append(compositionOffset)
    }
    deltas.append(Self.plausible(duration))
    sizes.append(size)
    dataEnd = dataEnd.addingReportingOverflow(Int64(size)).partialValue
  }

  /// Adds samples that are all alike, the first one's flags apart.
  mutating func append(
    count length: Int, duration: UInt32, size: UInt32, flags: SampleFlags, firstFlags: SampleFlags?
  ) {
    guard length > 0 else { return }
    append(
      duration: duration, size: size, isSync: !(firstFlags ?? flags).isNonSync,
      compositionOffset: 0)
    note(isSync: !flags.isNonSync, from: count, count: length - 1)
    if compositionOffsets.count > 0 { compositionOffsets.append(0, count: length - 1) }
    deltas.append(Self.plausible(duration), count: length - 1)
    sizes.append(size, count: length - 1)
    let bytes = Int64(size) * Int64(length - 1)
    dataEnd = dataEnd.addingReportingOverflow(bytes).partialValue
  }

  /// A duration of 2³¹ ticks or more is a negative number that went astray.
  private static func plausible(_ duration: UInt32) -> UInt32 {
    duration > UInt32(Int32.max) ? 0 : duration
  }

  /// Notes whether some samples are sync samples. The list begins with the first that is none.
  private mutating func note(isSync: Bool, from first: Int, count length: Int) {
    guard length > 0 else { return }
    if !isSync {
      if syncSamples == nil { syncSamples = SyncSamples(Array(0..<UInt32(first))) }
    } else {
      syncSamples?.append(first..<first + length)
    }
  }
}
