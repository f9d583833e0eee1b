// Reading of syntax elements with their ranges. ISO/IEC 14496-10:2020 §7.2, §9.1; ISO/IEC 23008-2:2020 §7.2,
// §9.2.

package import ReelCore

/// A ``BitReader`` over one RBSP that checks ranges and knows where the RBSP's data ends.
package struct SyntaxReader {
  package private(set) var bits: BitReader
  /// Bit of the rbsp_stop_one_bit; data lies before it. §7.3.2.11.
  package let stopBit: Int
  private let truncated: Rule

  /// A reader of `payload` (without emulation prevention) from bit `start`; `truncated` is what a read past its
  /// end breaks.
  package init(_ payload: [UInt8], from start: Int, truncated: Rule) {
    self.truncated = truncated
    bits = BitReader(payload, from: start)
    // Trailing zero bytes are cabac_zero_words or padding; the last 1 bit before them is the stop.
    if let last = payload.lastIndex(where: { $0 != 0 }) {
      stopBit = last * 8 + 7 - payload[last].trailingZeroBitCount
    } else {
      stopBit = 0
    }
  }

  /// more_rbsp_data(), §7.2.
  package var hasMoreData: Bool { bits.position < stopBit }
  /// Position in bits from the first byte of the payload.
  package var position: Int { bits.position }

  /// u(n), `count` in 0…32.
  package mutating func u(_ count: Int) -> Int { Int(bits.read(count)) }

  /// u(1).
  package mutating func flag() -> Bool { bits.readFlag() }

  package mutating func skip(_ count: Int) { bits.skip(count) }

  /// ue(v) inside `range`; throws `rule` with the name and the value otherwise.
  package mutating func ue(
    _ range: ClosedRange<Int>, _ name: StaticString, _ rule: Rule
  ) throws(MediaError) -> Int {
    try check(Int(bits.readUE()), range, name, rule)
  }

  /// se(v) inside `range`; throws `rule` with the name and the value otherwise.
  package mutating func se(
    _ range: ClosedRange<Int>, _ name: StaticString, _ rule: Rule
  ) throws(MediaError) -> Int {
    try check(Int(bits.readSE()), range, name, rule)
  }

  /// se(v) of full range, −2³¹+1…2³¹−1.
  package mutating func se(_ name: StaticString, _ rule: Rule) throws(MediaError) -> Int {
    try se((-1 << 31) + 1...(1 << 31) - 1, name, rule)
  }

  /// u(n) inside `range`; throws `rule` with the name and the value otherwise.
  package mutating func u(
    _ count: Int, _ range: ClosedRange<Int>, _ name: StaticString, _ rule: Rule
  ) throws(MediaError) -> Int {
    try check(u(count), range, name, rule)
  }

  private func check(
    _ value: Int, _ range: ClosedRange<Int>, _ name: StaticString, _ rule: Rule
  ) throws(MediaError) -> Int {
    // A value read past the end is no value: the end is the fault to report.
    try requireNoOverrun()
    guard range.contains(value) else {
      throw MediaError(
        .damaged, rule,
        detail: "\(name) is \(value), allowed is \(range.lowerBound)…\(range.upperBound)")
    }
    return value
  }

  /// Throws when a read went past the end of the payload.
  package func requireNoOverrun() throws(MediaError) {
    if bits.overrun {
      throw MediaError(.damaged, truncated, at: .offset(Int64(bits.position / 8)))
    }
  }
}

extension FixedWidthInteger {
  /// Ceil(Log2(self)) for self ≥ 1; 0 for smaller values. §5.7 (HEVC: §5.8).
  package var ceilLog2: Int { self <= 1 ? 0 : Self.bitWidth - (self - 1).leadingZeroBitCount }
}
