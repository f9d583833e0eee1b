// Walking the samples of a track one after the other.

import ReelCore

/// A position in a ``SampleTable``. Each step costs O(1), where a lookup costs O(log n).
struct SampleCursor {
  let table: SampleTable
  /// The next sample.
  private(set) var number = 0
  private var decodeTicks: Int64 = 0
  private var position: Int64 = 0
  private var chunk = 0
  private var chunkEnd = 0
  private var deltaEntry = 0
  private var offsetEntry = 0
  private var sizeEntry = 0
  /// Index into the sync samples of the first that is not before `number`.
  private var syncIndex = 0

  init(_ table: SampleTable) {
    self.table = table
    move(to: 0)
  }

  var isAtEnd: Bool { number >= table.count }

  /// Offset in the file of the next sample.
  var nextPosition: Int64 { position }

  /// First sample of the next chunk: up to there, samples follow one another in the file.
  var endOfChunk: Int { chunkEnd }

  /// Makes `newNumber` (0 … count) the next sample.
  mutating func move(to newNumber: Int) {
    number = newNumber
    guard newNumber < table.count else { return }
    decodeTicks = table.deltas.sum(before: newNumber)
    deltaEntry = table.deltas.entry(containing: newNumber)
    if table.compositionOffsets.count > 0 {
      offsetEntry = table.compositionOffsets.entry(containing: newNumber)
    }
    sizeEntry = table.sizes.entry(containing: newNumber)
    enterChunk(table.chunkIndex(of: newNumber))
    let skipped =
      table.sizes.sum(before: newNumber)
      - table.sizes.sum(before: Int(table.chunks[chunk].firstSample))
    position = position.addingReportingOverflow(skipped).partialValue
    syncIndex = table.syncSamples.map { Self.firstIndex(in: $0, atOrAfter: newNumber) } ?? 0
  }

  private mutating func enterChunk(_ index: Int) {
    chunk = index
    position = table.chunks[index].position
    chunkEnd =
      index + 1 < table.chunks.count ? Int(table.chunks[index + 1].firstSample) : table.count
  }

  private static func firstIndex(in samples: [UInt32], atOrAfter number: Int) -> Int {
    var (low, high) = (0, samples.count)
    while low < high {
      let middle = (low + high) / 2
      if Int(samples[middle]) < number { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The next sample, or nil at the end.
  mutating func next() -> SampleRecord? {
    guard number < table.count else { return nil }
    while number >= table.deltas.end(deltaEntry) { deltaEntry &+= 1 }
    while number >= table.sizes.end(sizeEntry) { sizeEntry &+= 1 }
    let delta = Int64(table.deltas.entryValue(deltaEntry))
    let byteCount = table.sizes.entryValue(sizeEntry)
    var presentationTicks = decodeTicks
    if table.compositionOffsets.count > 0 {
      while number >= table.compositionOffsets.end(offsetEntry) { offsetEntry &+= 1 }
      presentationTicks &+= Int64(table.compositionOffsets.entryValue(offsetEntry))
    }
    var isSync = true
    if let samples = table.syncSamples {
      isSync = syncIndex < samples.count && Int(samples[syncIndex]) == number
      if isSync { syncIndex &+= 1 }
      // A number that stands twice must not hide the ones behind it.
      while syncIndex < samples.count && Int(samples[syncIndex]) <= number { syncIndex &+= 1 }
    }
    let record = SampleRecord(
      decodeTicks: decodeTicks, presentationTicks: presentationTicks, durationTicks: delta,
      position: position, byteCount: byteCount,
      descriptionIndex: Int(table.chunks[chunk].descriptionIndex), isSync: isSync)
    decodeTicks &+= delta
    position = position.addingReportingOverflow(Int64(byteCount)).partialValue
    number &+= 1
    if number >= chunkEnd && number < table.count { enterChunk(chunk + 1) }
    return record
  }
}
