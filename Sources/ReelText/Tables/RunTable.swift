// Properties of scalars, looked up in tables of runs.

/// A property of all scalars as the runs that have one value each.
struct RunTable: Sendable {
  private let entries: [UInt32]

  /// - Parameter entries: ascending; the first scalar of a run, shifted left by 8, and its value. The
  ///   first entry is for scalar 0.
  init(_ entries: [UInt32]) { self.entries = entries }

  subscript(scalar: UInt32) -> UInt8 {
    let wanted = scalar << 8 | 0xFF
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle] <= wanted { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? UInt8(truncatingIfNeeded: entries[low - 1]) : 0
  }
}
