// Walking the samples of a track one after the other.

import ReelCore

/// A position in a ``SampleTable``. Each step costs O(1), where a lookup costs O(log n).
struct SampleCursor {
  /// Where in each of the tables a sample lies. A plain value, so that a step can be taken back.
  struct Position {
    /// The sample.
    fileprivate(set) var number = 0
    fileprivate(set) var decodeTicks: Int64 = 0
    /// Offset in the file.
    fileprivate(set) var offset: Int64 = 0
    fileprivate var chunk = 0
    fileprivate(set) var chunkEnd = 0
    fileprivate var deltaEntry = 0
    fileprivate var offsetEntry = 0
    fileprivate var sizeEntry = 0
    /// Index of the first time shift that begins behind the sample.
    fileprivate var nextShift = 0
    /// The first sync sample that is not before `number`.
    fileprivate var nextSync = 0
  }

  let table: SampleTable
  /// The next sample; may be set to where the cursor stood before.
  var position = Position()

  init(_ table: SampleTable) {
    self.table = table
    move(to: 0)
  }

  var number: Int { position.number }
  var isAtEnd: Bool { position.number >= table.count }

  /// Makes sample `number` (0 … count) the next one.
  mutating func move(to number: Int) {
    position = Position()
    position.number = number
    guard number < table.count else { return }
    position.decodeTicks = table.decodeTicks(number)
    position.nextShift = table.timeShiftIndex(of: number) + 1
    position.deltaEntry = table.deltas.entry(containing: number)
    if table.compositionOffsets.count > 0 {
      position.offsetEntry = table.compositionOffsets.entry(containing: number)
    }
    position.sizeEntry = table.sizes.entry(containing: number)
    enterChunk(table.chunkIndex(of: number))
    let skipped =
      table.sizes.sum(before: number)
      - table.sizes.sum(before: Int(table.chunks[position.chunk].firstSample))
    position.offset = position.offset.addingReportingOverflow(skipped).partialValue
    position.nextSync = table.syncSamples?.first(atOrAfter: number) ?? .max
  }

  private mutating func enterChunk(_ index: Int) {
    position.chunk = index
    position.offset = table.chunks[index].position
    position.chunkEnd =
      index + 1 < table.chunks.count ? Int(table.chunks[index + 1].firstSample) : table.count
  }

  /// The next sample, or nil at the end.
  mutating func next() -> SampleRecord? {
    let number = position.number
    guard number < table.count else { return nil }
    while number >= table.deltas.end(position.deltaEntry) { position.deltaEntry &+= 1 }
    while number >= table.sizes.end(position.sizeEntry) { position.sizeEntry &+= 1 }
    let delta = Int64(table.deltas.entryValue(position.deltaEntry))
    let byteCount = table.sizes.entryValue(position.sizeEntry)
    let record = SampleRecord(
      decodeTicks: position.decodeTicks, presentationTicks: nextPresentationTicks(),
      durationTicks: delta, position: position.offset, byteCount: byteCount,
      descriptionIndex: Int(table.chunks[position.chunk].descriptionIndex), isSync: passSync())
    position.decodeTicks &+= delta
    position.offset = position.offset.addingReportingOverflow(Int64(byteCount)).partialValue
    position.number = number &+ 1
    if position.nextShift < table.timeShifts.count { passShift() }
    if number &+ 1 >= position.chunkEnd && number &+ 1 < table.count {
      enterChunk(position.chunk + 1)
    }
    return record
  }

  /// Applies the time shifts that begin with the next sample.
  private mutating func passShift() {
    while position.nextShift < table.timeShifts.count,
      Int(table.timeShifts[position.nextShift].firstSample) <= position.number
    {
      let before = position.nextShift > 0 ? table.timeShifts[position.nextShift - 1].shift : 0
      position.decodeTicks += table.timeShifts[position.nextShift].shift - before
      position.nextShift += 1
    }
  }

  private mutating func nextPresentationTicks() -> Int64 {
    guard table.compositionOffsets.count > 0 else { return position.decodeTicks }
    while position.number >= table.compositionOffsets.end(position.offsetEntry) {
      position.offsetEntry &+= 1
    }
    return position.decodeTicks
      &+ Int64(table.compositionOffsets.entryValue(position.offsetEntry))
  }

  /// Whether the next sample is a sync sample; finds the one behind it then.
  private mutating func passSync() -> Bool {
    guard let samples = table.syncSamples else { return true }
    guard position.nextSync == position.number else { return false }
    position.nextSync = samples.first(atOrAfter: position.number + 1) ?? .max
    return true
  }
}
