// Which samples of a track are sync samples.

/// Numbers of sync samples, ascending: a list, or one bit a sample where there are many.
struct SyncSamples: Sendable {
  private var list: [UInt32]
  /// Bit `n & 63` of word `n >> 6` for sample `n`; empty while the list is used.
  private var bits: [UInt64] = []

  /// Takes a list in ascending order.
  init(_ list: [UInt32] = []) { self.list = list }

  var isEmpty: Bool { list.isEmpty && bits.isEmpty }
  var byteCount: Int { list.count * 4 + bits.count * 8 }

  /// Adds numbers that are greater than all there are. To be called before ``compact(sampleCount:)``.
  mutating func append(_ numbers: Range<Int>) {
    if numbers.count == 1 {
      list.append(UInt32(numbers.lowerBound))
    } else {
      list.append(contentsOf: UInt32(numbers.lowerBound)..<UInt32(numbers.upperBound))
    }
  }

  /// Chooses the smaller form for a track of so many samples, which all numbers are below.
  mutating func compact(sampleCount: Int) {
    guard bits.isEmpty, list.count * 32 > sampleCount, let last = list.last else { return }
    var bits = [UInt64](repeating: 0, count: Int(last) >> 6 + 1)
    for number in list { bits[Int(number) >> 6] |= 1 << UInt64(number & 63) }
    self.bits = bits
    list = []
  }

  /// The first one at or behind `number` (≥ 0); nil when there is none.
  func first(atOrAfter number: Int) -> Int? {
    guard !bits.isEmpty else {
      let index = listIndex(atOrAfter: number)
      return index < list.count ? Int(list[index]) : nil
    }
    var word = number >> 6
    guard word < bits.count else { return nil }
    var rest = bits[word] & (.max << UInt64(number & 63))
    while rest == 0 {
      word += 1
      guard word < bits.count else { return nil }
      rest = bits[word]
    }
    return word << 6 + rest.trailingZeroBitCount
  }

  /// The last one at or before `number`; nil when there is none.
  func last(atOrBefore number: Int) -> Int? {
    guard number >= 0 else { return nil }
    guard !bits.isEmpty else {
      let index = listIndex(atOrAfter: number + 1) - 1
      return index >= 0 ? Int(list[index]) : nil
    }
    var word = min(number >> 6, bits.count - 1)
    var rest = bits[word]
    if word == number >> 6 { rest &= .max >> UInt64(63 - number & 63) }
    while rest == 0 {
      guard word > 0 else { return nil }
      word -= 1
      rest = bits[word]
    }
    return word << 6 + 63 - rest.leadingZeroBitCount
  }

  /// Whether sample `number` (≥ 0) is one; never looks further than at its own place.
  func contains(_ number: Int) -> Bool {
    guard !bits.isEmpty else {
      let index = listIndex(atOrAfter: number)
      return index < list.count && Int(list[index]) == number
    }
    let word = number >> 6
    return word < bits.count && bits[word] >> UInt64(number & 63) & 1 != 0
  }

  private func listIndex(atOrAfter number: Int) -> Int {
    var (low, high) = (0, list.count)
    while low < high {
      let middle = (low + high) / 2
      if Int(list[middle]) < number { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
