// The arithmetic decoding engine. ISO/IEC 23008-2:2020 §9.3.2.5, §9.3.4.3.

import ReelCore

/// Slice data with zeros behind it, so that reading ahead needs no test for the end.
typealias SliceBytes = CheckedBuffer<UInt8>

/// Decodes bins from slice data.
///
/// `value` holds ivlOffset in its top bits and the bits that follow it below, so that renormalising
/// is a shift of both and new bytes are fetched in groups of four. Bytes past the end read as zeros;
/// ``overrun`` tells of it, to be checked once per coding unit: the bin loops have no error branch.
/// The engine is four numbers, so that a loop over bins can keep a copy of it in registers; the bytes
/// and the context states are lent to each call.
struct CABACDecoder {
  /// ivlCurrRange, 256…510 between bins.
  private var range: UInt32 = 510
  /// ivlOffset · 2⁴⁸ plus the bits read ahead.
  private var value: UInt64 = 0
  /// How many of the bits read ahead are still there, ≥ 16 between bins.
  private var ahead: Int = 0
  /// Next byte to fetch.
  private var position: Int = 0
  /// Bytes without padding.
  private let end: Int

  /// Zeros that must follow the data in ``SliceBytes``.
  static let padding = 64

  /// An engine for `end` bytes of data; ``restart(at:_:)`` starts it.
  init(end: Int) { self.end = end }

  /// Starts the engine at a byte: of slice data, of a substream, behind pcm samples. §9.3.2.5.
  mutating func restart(at newPosition: Int, _ bytes: borrowing SliceBytes) {
    position = min(max(newPosition, 0), end)
    range = 510
    // 9 bits of ivlOffset and 47 read ahead.
    value = bytes.loadBigEndian64(at: position) >> 7 & ~1
    position &+= 7
    ahead = 47
  }

  /// Bits that the slice does not have were consumed.
  var overrun: Bool { position &- ahead / 8 > end &+ 2 }

  /// Byte after a terminating bin of 1, where pcm samples or the next substream start.
  ///
  /// An encoder that terminates writes out exactly the nine bits that ivlOffset holds, the last being
  /// a stop bit; then it aligns.
  var bytePosition: Int { (position &* 8 &- ahead &+ 7) / 8 }

  @inline(__always)
  private mutating func refill(_ bytes: borrowing SliceBytes) {
    let word = UInt64(bytes.loadBigEndian32(at: min(position, end &+ 8)))
    value |= word &<< UInt64(truncatingIfNeeded: 16 &- ahead)
    position &+= 4
    ahead &+= 32
  }

  /// DecodeDecision: one bin, 0 or 1. §9.3.4.3.2. Free of branches but for the refill.
  @inline(__always)
  mutating func decision(
    _ context: Int, _ states: borrowing CheckedBuffer<UInt8>, _ bytes: borrowing SliceBytes
  ) -> Int {
    let state = Int(states[context])
    let rangeLPS = UInt32(
      CABACTables.rangeLPS[(state & 0x7E) &* 2 &+ Int(truncatingIfNeeded: range >> 6 & 3)])
    let rangeMPS = range &- rangeLPS
    let scaled = UInt64(rangeMPS) &<< 48
    // All ones for the least probable symbol.
    let mask = value >= scaled ? UInt64.max : 0
    value &-= scaled & mask
    let newRange = rangeMPS &+ (rangeLPS &- rangeMPS) & UInt32(truncatingIfNeeded: mask)
    let isLPS = Int(truncatingIfNeeded: mask) & 1
    states[context] = CABACTables.transition[(state &+ isLPS &* 128) & 0xFF]
    let shift = newRange.leadingZeroBitCount &- 23
    range = newRange &<< UInt32(truncatingIfNeeded: shift)
    value = value &<< UInt64(truncatingIfNeeded: shift)
    ahead &-= shift
    if ahead < 16 { refill(bytes) }
    return (state ^ isLPS) & 1
  }

  /// DecodeBypass: one equiprobable bin. §9.3.4.3.4.
  @inline(__always)
  mutating func bypass(_ bytes: borrowing SliceBytes) -> Int {
    value = value &<< 1
    ahead &-= 1
    if ahead < 16 { refill(bytes) }
    let scaled = UInt64(range) &<< 48
    let mask = value >= scaled ? UInt64.max : 0
    value &-= scaled & mask
    return Int(truncatingIfNeeded: mask) & 1
  }

  /// `count` (0…32) bypass bins, the first in the highest bit.
  @inline(__always)
  mutating func bypass(_ count: Int, _ bytes: borrowing SliceBytes) -> Int {
    var result = 0
    for _ in 0..<count { result = result &<< 1 | bypass(bytes) }
    return result
  }

  /// DecodeTerminate: 1 ends a slice segment or substream or announces pcm samples. §9.3.4.3.5.
  mutating func terminate(_ bytes: borrowing SliceBytes) -> Int {
    range &-= 2
    if value >= UInt64(range) &<< 48 { return 1 }
    if range < 256 {
      range = range &<< 1
      value = value &<< 1
      ahead &-= 1
      if ahead < 16 { refill(bytes) }
    }
    return 0
  }

  /// The state of each context at the start of a slice: pStateIdx · 2 + valMps. §9.3.2.2.
  static func initializeContexts(
    _ states: borrowing CheckedBuffer<UInt8>, initType: Int, qp: Int
  ) {
    let qp = Int32(truncatingIfNeeded: min(max(qp, 0), 51))
    for i in 0..<Context.count {
      let value = Int32(ContextTables.initValues[initType * Context.count + i])
      let slope = (value >> 4) * 5 - 45
      let offset = ((value & 15) << 3) - 16
      let state = min(max(1, ((slope * qp) >> 4) + offset), 126)
      states[i] = UInt8(state <= 63 ? (63 - state) * 2 : (state - 64) * 2 + 1)
    }
  }
}
