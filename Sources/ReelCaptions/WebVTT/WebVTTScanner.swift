// Positions in a line. WebVTT §6.3.

internal import ReelCore

/// Walks over a line's bytes.
struct WebVTTScanner {
  let bytes: ArraySlice<UInt8>
  var index: Int

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    index = bytes.startIndex
  }

  var isAtEnd: Bool { index >= bytes.endIndex }
  var current: UInt8? { isAtEnd ? nil : bytes[index] }

  mutating func skipBlanks() {
    while let byte = current, byte == 0x20 || byte == 0x09 || byte == 0x0C { index += 1 }
  }

  /// Takes `byte` when it comes next.
  mutating func take(_ byte: UInt8) -> Bool {
    guard current == byte else { return false }
    index += 1
    return true
  }

  /// Takes `sequence` when it comes next.
  mutating func take(_ sequence: [UInt8]) -> Bool {
    guard bytes.endIndex - index >= sequence.count,
      bytes[index..<index + sequence.count].elementsEqual(sequence)
    else { return false }
    index += sequence.count
    return true
  }

  /// The digits that come next: their number and value; nil when there is none or too many.
  mutating func digits() -> (count: Int, value: Int64)? {
    let start = index
    var value: Int64 = 0
    while let byte = current, (0x30...0x39).contains(byte) {
      // LIMIT: 15 digits of hours are longer than anything lasts, and stay far from overflow.
      guard index - start < 15 else { return nil }
      value = value * 10 + Int64(byte - 0x30)
      index += 1
    }
    return index == start ? nil : (index - start, value)
  }

  /// A timestamp in milliseconds. WebVTT §6.3 ("collect a WebVTT timestamp").
  mutating func timestamp() -> Int64? {
    guard let first = digits() else { return nil }
    var mostSignificantIsHours = first.count != 2 || first.value > 59
    guard take(0x3A), let second = digits(), second.count == 2 else { return nil }
    var (hours, minutes, seconds): (Int64, Int64, Int64)
    if mostSignificantIsHours || current == 0x3A {
      mostSignificantIsHours = true
      guard take(0x3A), let third = digits(), third.count == 2 else { return nil }
      (hours, minutes, seconds) = (first.value, second.value, third.value)
    } else {
      (hours, minutes, seconds) = (0, first.value, second.value)
    }
    guard take(0x2E), let fraction = digits(), fraction.count == 3, minutes <= 59, seconds <= 59
    else { return nil }
    // LIMIT: as far as 64-bit milliseconds of any use reach.
    guard hours < 1_000_000_000 else { return nil }
    return ((hours * 60 + minutes) * 60 + seconds) * 1000 + fraction.value
  }
}

extension MediaTime {
  init(milliseconds: Int64) { self.init(value: milliseconds, timescale: 1000) }
}

extension ArraySlice<UInt8> {
  /// A percentage 0…100 with a percent sign behind it. WebVTT §6.2 ("parse a percentage string").
  var percentage: Double? {
    guard last == 0x25 else { return nil }
    guard let number = dropLast().decimal, (0...100).contains(number) else { return nil }
    return number
  }

  /// Digits with at most one point, digits on both sides of it.
  var decimal: Double? {
    let parts = split(separator: 0x2E, omittingEmptySubsequences: false)
    // LIMIT: longer numbers say nothing that shorter ones do not.
    guard count <= 64, parts.count <= 2,
      parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy { (0x30...0x39).contains($0) } })
    else { return nil }
    return Double(text)
  }

  /// The parts around the first `byte`; nil when there is none.
  func split(at byte: UInt8) -> (ArraySlice<UInt8>, ArraySlice<UInt8>)? {
    guard let index = firstIndex(of: byte) else { return nil }
    return (self[startIndex..<index], self[(index + 1)...])
  }

  /// The words between blanks and tabs.
  var words: [ArraySlice<UInt8>] { split { $0 == 0x20 || $0 == 0x09 || $0 == 0x0C } }
}
