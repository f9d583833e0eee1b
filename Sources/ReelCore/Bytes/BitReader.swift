// A most-significant-bit-first reader with Exp-Golomb codes, for codecs.

/// Reads bits of a payload, most significant first. ISO/IEC 14496-10:2020 §7.2, §9.1.
///
/// Reads past the end give zeros and set ``overrun``, which is to be checked once per syntax
/// structure; this keeps branches out of the inner loops. A reader is a value: copy it to look ahead.
@frozen
public struct BitReader: Sendable {
  @usableFromInline let bytes: [UInt8]
  /// Bits read so far.
  @usableFromInline var bit: Int
  @usableFromInline let end: Int

  /// A reader of the bits of `bytes` from `start` (in bits) up to `end` (in bits, at most all).
  @inlinable
  public init(_ bytes: [UInt8], from start: Int = 0, to end: Int? = nil) {
    self.bytes = bytes
    let all = bytes.count * 8
    self.end = min(max(end ?? all, 0), all)
    bit = min(max(start, 0), self.end)
  }

  /// A read went past the end; everything since then is zeros.
  @inlinable public var overrun: Bool { bit > end }
  /// Position in bits from the first byte.
  @inlinable public var position: Int { bit }
  /// Bits left, negative after an overrun.
  @inlinable public var bitsLeft: Int { end &- bit }

  /// The next 32 bits, zeros past the end, without moving.
  @inlinable
  public var window: UInt32 {
    @inline(__always) get {
      let first = bit >> 3
      var word: UInt64 = 0
      if first &+ 8 <= bytes.count {
        for i in 0..<8 { word = word << 8 | UInt64(bytes[first &+ i]) }
      } else {
        for i in 0..<8 {
          word = word << 8 | (first &+ i < bytes.count ? UInt64(bytes[first &+ i]) : 0)
        }
      }
      return UInt32(truncatingIfNeeded: (word << UInt64(bit & 7)) >> 32)
    }
  }

  /// The next `count` bits (0…32) as an unsigned number, without moving.
  @inlinable @inline(__always)
  public func peek(_ count: Int) -> UInt32 {
    count == 0 ? 0 : window >> UInt32(truncatingIfNeeded: 32 &- count)
  }

  /// u(n): the next `count` bits (0…32) as an unsigned number.
  @inlinable @inline(__always)
  public mutating func read(_ count: Int) -> UInt32 {
    let value = peek(count)
    skip(count)
    return value
  }

  /// One bit as a flag.
  @inlinable @inline(__always)
  public mutating func readFlag() -> Bool { read(1) != 0 }

  /// Moves by `count` bits (≥ 0); stops just past the end, so that a position never overflows.
  @inlinable @inline(__always)
  public mutating func skip(_ count: Int) {
    bit &+= count
    if bit > end { bit = end &+ 1 }
  }

  /// Moves to the next byte boundary.
  @inlinable
  public mutating func alignToByte() { skip(-bit & 7) }

  /// ue(v), §9.1: 0 … 2³²−2. More than 31 leading zeros is no code; it gives 2³²−1.
  @inlinable @inline(__always)
  public mutating func readUE() -> UInt32 {
    let word = window
    let zeros = word.leadingZeroBitCount
    if zeros <= 15 {
      skip(2 &* zeros &+ 1)
      return (word << UInt32(zeros)) >> UInt32(31 &- zeros) &- 1
    }
    return readLongUE(zeros)
  }

  @usableFromInline @inline(never)
  mutating func readLongUE(_ zeros: Int) -> UInt32 {
    skip(zeros)
    guard zeros < 32 else {
      skip(1)
      return .max
    }
    return read(zeros + 1) &- 1
  }

  /// se(v), §9.1.1.
  @inlinable @inline(__always)
  public mutating func readSE() -> Int32 {
    let code = readUE()
    let magnitude = Int32(truncatingIfNeeded: (UInt64(code) &+ 1) >> 1)
    return code & 1 == 0 ? 0 &- magnitude : magnitude
  }
}
