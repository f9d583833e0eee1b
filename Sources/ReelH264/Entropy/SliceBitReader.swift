// A bit reader over padded slice data for CAVLC. ISO/IEC 14496-10:2020 §7.2, §9.1.

import ReelCore

/// Reads bits most significant first; past the end it reads zeros and tells so in ``overrun``.
struct SliceBitReader {
  /// Bits read.
  private(set) var position: Int
  /// Bits up to the last one set: the payload without its trailing stop bit. §7.3.2.11.
  let end: Int
  private let limit: Int

  /// A reader from bit `start` of data of `byteCount` bytes (padding not counted).
  init(_ bytes: borrowing SliceBytes, byteCount: Int, from start: Int) {
    var last = byteCount
    while last > 0 && bytes[last - 1] == 0 { last -= 1 }
    end = last == 0 ? 0 : last * 8 - 1 - bytes[last - 1].trailingZeroBitCount
    limit = byteCount * 8
    position = min(max(start, 0), limit)
  }

  /// more_rbsp_data().
  var hasMoreData: Bool { position < end }
  /// A read went past the payload.
  var overrun: Bool { position > end }

  /// The next 32 bits, without moving.
  @inline(__always)
  func window(_ bytes: borrowing SliceBytes) -> UInt32 {
    UInt32(
      truncatingIfNeeded: (bytes.loadBigEndian64(at: position &>> 3)
        &<< UInt64(truncatingIfNeeded: position & 7)) &>> 32)
  }

  @inline(__always)
  mutating func skip(_ count: Int) { position = min(position &+ count, limit &+ 64) }

  /// u(n), `count` 0…32.
  @inline(__always)
  mutating func read(_ count: Int, _ bytes: borrowing SliceBytes) -> UInt32 {
    let value = count == 0 ? 0 : window(bytes) &>> UInt32(truncatingIfNeeded: 32 &- count)
    skip(count)
    return value
  }

  /// ue(v), §9.1: 0…2³²−2; 2³²−1 where the bits are no code.
  @inline(__always)
  mutating func readUE(_ bytes: borrowing SliceBytes) -> Int {
    let word = window(bytes)
    let zeros = word.leadingZeroBitCount
    if zeros <= 15 {
      skip(2 &* zeros &+ 1)
      return Int(word &>> UInt32(truncatingIfNeeded: 31 &- 2 &* zeros)) &- 1
    }
    guard zeros < 32 else {
      // No code starts with 32 zeros: the largest value, which no element may have.
      skip(64)
      return Int(UInt32.max)
    }
    skip(zeros)
    return Int(read(zeros &+ 1, bytes)) &- 1
  }

  /// se(v), §9.1.1.
  @inline(__always)
  mutating func readSE(_ bytes: borrowing SliceBytes) -> Int {
    let code = readUE(bytes)
    return code & 1 == 0 ? 0 &- code / 2 : (code &+ 1) / 2
  }

  /// te(v) for values 0…`maximum`, §9.1.
  @inline(__always)
  mutating func readTE(maximum: Int, _ bytes: borrowing SliceBytes) -> Int {
    maximum > 1 ? readUE(bytes) : 1 &- Int(read(1, bytes))
  }

  mutating func alignToByte() { skip(-position & 7) }
  /// Moves to byte `offset`.
  mutating func move(toByte offset: Int) { position = min(max(offset * 8, 0), limit &+ 64) }
}
