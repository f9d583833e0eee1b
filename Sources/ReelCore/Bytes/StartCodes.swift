// Start codes of MPEG's byte streams: the bytes 00 00 01.

/// Looking for start codes. ISO/IEC 14496-10:2020 Annex B; ISO/IEC 13818-2:2013 §6.2.1.
public enum StartCodes {
  /// The index of the first 00 00 01 from `start` (≥ 0) on; else where to go on once there are more
  /// bytes, which is no less than `start` and no more than `bytes.count`.
  @inlinable
  public static func first(
    in bytes: Span<UInt8>, from start: Int
  ) -> (index: Int, isFound: Bool) {
    let end = bytes.count
    var i = start
    while i &+ 2 < end {
      i = indexOfZeroPair(bytes, from: i)
      guard i &+ 2 < end else { break }
      // Looking at the third byte first lets the scan move by three over ordinary data.
      let third = bytes[i &+ 2]
      if third > 1 {
        i &+= 3
      } else if third == 1 && bytes[i] == 0 && bytes[i &+ 1] == 0 {
        return (i, true)
      } else {
        i &+= 1
      }
    }
    return (max(start, min(i, end)), false)
  }

  /// Moves over blocks of bytes none of which is a zero before another zero.
  @inlinable @inline(__always)
  static func indexOfZeroPair(_ bytes: Span<UInt8>, from start: Int) -> Int {
    var i = start
    let last = bytes.count &- 17
    guard i >= 0 else { return i }
    while i <= last {
      // SAFETY: 0 ≤ i and i + 17 ≤ count, by the two checks above.
      let a = unsafe bytes.bytes.unsafeLoadUnaligned(
        fromUncheckedByteOffset: i, as: SIMD2<UInt64>.self)
      let b = unsafe bytes.bytes.unsafeLoadUnaligned(
        fromUncheckedByteOffset: i &+ 1, as: SIMD2<UInt64>.self)
      // A byte of `pair` is 0 where two zeros meet; the borrow of a subtraction reaches its top bit.
      let pair = a | b
      let zeros = (pair &- 0x0101_0101_0101_0101) & ~pair & 0x8080_8080_8080_8080
      if zeros[0] | zeros[1] != 0 { return i }
      i &+= 16
    }
    return i
  }
}
