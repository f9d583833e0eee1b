// A value for each sample, kept as runs or as a dense array, whichever is smaller.

/// One value a sample, with prefix sums: ``value(at:)``, ``sum(before:)`` and its inverse
/// ``lastIndex(withSumAtMost:)`` are O(log n).
///
/// A list of runs of equal values, as containers store them. ``compact()`` turns it into a dense
/// array when most runs are short. Memory: 8 bytes a run or 4 bytes a sample (for 32-bit values), and
/// 8 bytes for each 64 of either. Sums wrap instead of trapping; for values of 32 bits they are exact.
public struct RunLengthTable<Value: FixedWidthInteger & BitwiseCopyable & Sendable>: Sendable {
  /// Samples told of, below 2³².
  @inlinable public var count: Int { samples }
  /// Sum of all values.
  @inlinable public var total: Int64 { sum }
  @usableFromInline var samples = 0
  @usableFromInline var sum: Int64 = 0
  /// First sample of each run; empty when dense.
  @usableFromInline var starts: [UInt32] = []
  /// Value of each run, or of each sample when dense.
  @usableFromInline var values: [Value] = []
  /// Sum of everything before entries 0, 64, 128 …
  @usableFromInline var checkpoints: [Int64] = []
  @usableFromInline var isDense = false

  @usableFromInline static var checkpointShift: Int { 6 }

  /// A table of no samples, as runs.
  @inlinable public init() {}

  /// A table of one value a sample, in the smaller of the two forms.
  @inlinable
  public init(_ dense: [Value]) {
    var runCount = dense.isEmpty ? 0 : 1
    for i in dense.indices.dropFirst() where dense[i] != dense[i &- 1] { runCount &+= 1 }
    guard runCount * 2 > dense.count else {
      for value in dense { append(value) }
      return
    }
    isDense = true
    values = dense
    samples = dense.count
    checkpoints.reserveCapacity(dense.count >> Self.checkpointShift + 1)
    for i in dense.indices {
      if i & (1 << Self.checkpointShift - 1) == 0 { checkpoints.append(sum) }
      sum &+= Int64(truncatingIfNeeded: dense[i])
    }
  }

  /// Number of runs, or of samples when dense.
  @inlinable public var entryCount: Int { values.count }

  /// Bytes that the table holds.
  public var byteCount: Int {
    starts.count * 4 + values.count * MemoryLayout<Value>.size + checkpoints.count * 8
  }

  /// Appends `length` samples of one value. Lengths that would pass 2³² samples are cut.
  @inlinable
  public mutating func append(_ value: Value, count length: Int = 1) {
    let length = min(length, Int(UInt32.max) &- samples)
    guard length > 0 else { return }
    if isDense {
      for _ in 0..<length { appendDense(value) }
      return
    }
    if values.isEmpty || values[values.count &- 1] != value {
      if values.count & (1 << Self.checkpointShift - 1) == 0 { checkpoints.append(sum) }
      starts.append(UInt32(truncatingIfNeeded: samples))
      values.append(value)
    }
    samples &+= length
    sum &+= Int64(truncatingIfNeeded: value) &* Int64(length)
  }

  @inlinable
  mutating func appendDense(_ value: Value) {
    if values.count & (1 << Self.checkpointShift - 1) == 0 { checkpoints.append(sum) }
    values.append(value)
    samples &+= 1
    sum &+= Int64(truncatingIfNeeded: value)
  }

  /// Prepares for about `entries` entries that are known to be in the input.
  @inlinable
  public mutating func reserve(_ entries: Int) {
    starts.reserveCapacity(entries)
    values.reserveCapacity(entries)
  }

  /// Chooses the smaller of the two forms; to be called once the table is whole.
  @inlinable
  public mutating func compact() {
    guard !isDense, values.count > 1, values.count * 2 > samples else { return }
    var dense: [Value] = []
    dense.reserveCapacity(samples)
    for entry in values.indices {
      for _ in start(entry)..<end(entry) { dense.append(values[entry]) }
    }
    self = RunLengthTable(dense)
  }

  /// Forgets the samples from `newCount` (≥ 0) on.
  @inlinable
  public mutating func truncate(to newCount: Int) {
    guard newCount < samples else { return }
    guard newCount > 0 else {
      self = RunLengthTable()
      return
    }
    let entry = self.entry(containing: newCount - 1)
    sum = sum(before: newCount)
    if !isDense { starts.removeLast(starts.count - entry - 1) }
    values.removeLast(values.count - entry - 1)
    checkpoints.removeLast(checkpoints.count - (entry >> Self.checkpointShift) - 1)
    samples = newCount
  }
}

// MARK: Lookup

extension RunLengthTable {
  /// First sample of an entry; traps unless 0 ≤ `entry` < `entryCount`.
  @inlinable
  public func start(_ entry: Int) -> Int { isDense ? entry : Int(starts[entry]) }

  /// One past the last sample of an entry; traps unless 0 ≤ `entry` < `entryCount`.
  @inlinable
  public func end(_ entry: Int) -> Int {
    if isDense { return entry &+ 1 }
    return entry &+ 1 < starts.count ? Int(starts[entry &+ 1]) : samples
  }

  /// Value of an entry; traps unless 0 ≤ `entry` < `entryCount`.
  @inlinable
  public func entryValue(_ entry: Int) -> Value { values[entry] }

  /// The entry that holds sample `index`, 0 ..< `count`.
  @inlinable
  public func entry(containing index: Int) -> Int {
    if isDense { return index }
    var (low, high) = (0, starts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if Int(starts[middle]) <= index { low = middle } else { high = middle }
    }
    return low
  }

  /// The value of sample `index`; traps outside 0 ..< `count`.
  @inlinable
  public func value(at index: Int) -> Value {
    precondition(index >= 0 && index < count)
    return values[entry(containing: index)]
  }

  /// Sum of the values of the samples before `index`; traps outside 0 … `count`.
  @inlinable
  public func sum(before index: Int) -> Int64 {
    precondition(index >= 0 && index <= count)
    if index == samples { return sum }
    let entry = self.entry(containing: index)
    return sum(beforeEntry: entry)
      &+ Int64(truncatingIfNeeded: values[entry]) &* Int64(index &- start(entry))
  }

  @inlinable
  func sum(beforeEntry entry: Int) -> Int64 {
    let checkpoint = entry >> Self.checkpointShift
    var sum = checkpoints[checkpoint]
    for i in (checkpoint << Self.checkpointShift)..<entry {
      sum &+= Int64(truncatingIfNeeded: values[i]) &* Int64(end(i) &- start(i))
    }
    return sum
  }

  /// The last sample whose sum of earlier values is at most `target`, for tables of values ≥ 0; nil
  /// when the table is empty or `target` is negative.
  @inlinable
  public func lastIndex(withSumAtMost target: Int64) -> Int? {
    guard count > 0, target >= 0 else { return nil }
    var (low, high) = (0, checkpoints.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if checkpoints[middle] <= target { low = middle } else { high = middle }
    }
    var sum = checkpoints[low]
    let first = low << Self.checkpointShift
    let last = min(first + 1 << Self.checkpointShift, values.count)
    for entry in first..<last {
      let value = Int64(truncatingIfNeeded: values[entry])
      let length = Int64(end(entry) &- start(entry))
      if entry + 1 == last || sum &+ value &* length > target {
        guard value > 0 else { return end(entry) - 1 }
        return start(entry) + Int(min((target &- sum) / value, length - 1))
      }
      sum &+= value &* length
    }
    return count - 1
  }
}
