// JSON, written piece by piece.

/// Writes JSON in the layout of ffprobe: one member a line, four blanks a level.
///
/// Nothing is built up in memory but the bytes themselves, and those can be taken away at any time.
struct JSONWriter {
  private(set) var bytes: [UInt8] = []
  /// For each open object or array, whether it has a member already.
  private var hasMembers: [Bool] = []

  private static let blanks = [UInt8](repeating: 0x20, count: 64)

  init() { bytes.reserveCapacity(1 << 17) }

  /// Takes the bytes written so far.
  mutating func take() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes
  }

  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  // MARK: Structure

  mutating func beginObject(_ key: String? = nil) { begin(key, 0x7B) }
  mutating func endObject() { end(0x7D) }
  mutating func beginArray(_ key: String? = nil) { begin(key, 0x5B) }
  mutating func endArray() { end(0x5D) }

  private mutating func begin(_ key: String?, _ bracket: UInt8) {
    startMember(key)
    bytes.append(bracket)
    hasMembers.append(false)
  }

  private mutating func end(_ bracket: UInt8) {
    let hadMembers = hasMembers.popLast() ?? false
    if hadMembers { newLine() }
    bytes.append(bracket)
    if hasMembers.isEmpty { bytes.append(0x0A) }
  }

  private mutating func startMember(_ key: String?) {
    if let last = hasMembers.last {
      if last { bytes.append(0x2C) }
      hasMembers[hasMembers.count - 1] = true
      newLine()
    }
    guard let key else { return }
    append(quoted: key)
    bytes.append(0x3A)
    bytes.append(0x20)
  }

  private mutating func newLine() {
    bytes.append(0x0A)
    var count = hasMembers.count * 4
    while count > 0 {
      bytes.append(contentsOf: Self.blanks[0..<min(count, Self.blanks.count)])
      count -= Self.blanks.count
    }
  }

  // MARK: Members

  mutating func member(_ key: String, _ value: String) {
    startMember(key)
    append(quoted: value)
  }

  mutating func member(_ key: String, _ value: some BinaryInteger) {
    startMember(key)
    append(Int64(clamping: value))
  }

  /// A number as text, as ffprobe writes sizes and times.
  mutating func member(_ key: String, quoting value: some BinaryInteger) {
    startMember(key)
    bytes.append(0x22)
    append(Int64(clamping: value))
    bytes.append(0x22)
  }

  mutating func element(_ value: String) {
    startMember(nil)
    append(quoted: value)
  }

  mutating func element(_ value: Int64) {
    startMember(nil)
    append(value)
  }

  /// An array of numbers on one line.
  mutating func element(row: [Int64]) {
    startMember(nil)
    bytes.append(0x5B)
    for (index, value) in row.enumerated() {
      if index > 0 { bytes.append(contentsOf: [0x2C, 0x20]) }
      append(value)
    }
    bytes.append(0x5D)
  }

  // MARK: Values

  /// Bytes that are JSON already.
  mutating func append(raw: [UInt8]) { bytes.append(contentsOf: raw) }

  mutating func append(_ value: Int64) {
    if value < 0 { bytes.append(0x2D) }
    append(digits: value.magnitude)
  }

  /// Decimal digits, with zeros in front up to `width`.
  mutating func append(digits value: UInt64, width: Int = 1) {
    var rest = value
    var text: InlineArray<20, UInt8> = .init(repeating: 0x30)
    var start = 20
    while rest > 0 {
      start -= 1
      let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
      text[start] = 0x30 &+ UInt8(truncatingIfNeeded: digit)
      rest = quotient
    }
    start = min(start, 20 - width)
    for i in start..<20 { bytes.append(text[i]) }
  }

  mutating func append(quoted text: String) {
    bytes.append(0x22)
    for byte in text.utf8 {
      switch byte {
      case 0x22: bytes.append(contentsOf: [0x5C, 0x22])
      case 0x5C: bytes.append(contentsOf: [0x5C, 0x5C])
      case 0x0A: bytes.append(contentsOf: [0x5C, 0x6E])
      case 0x0D: bytes.append(contentsOf: [0x5C, 0x72])
      case 0x09: bytes.append(contentsOf: [0x5C, 0x74])
      case 0..<0x20:
        bytes.append(contentsOf: Array("\\u00".utf8))
        bytes.append(0x30 + byte >> 4)
        bytes.append(Array("0123456789abcdef".utf8)[Int(byte & 15)])
      default: bytes.append(byte)
      }
    }
    bytes.append(0x22)
  }
}
