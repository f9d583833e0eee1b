// Look-up tables for the variable-length codes of CAVLC. ISO/IEC 14496-10:2020 §9.2.

import ReelCore

/// Decodes a prefix code of at most 16 bits in one or two look-ups of 8 bits each.
///
/// An entry is `value << 8 | length`; `length` 0 is no code. With the top bit set it is instead the
/// start of the 256 entries for the next 8 bits.
struct VLCTable: ~Copyable {
  private let entries: CheckedBuffer<UInt16>

  init(_ words: [CodeWord]) {
    var table = [UInt16](repeating: 0, count: 256)
    for word in words where word.length <= 8 {
      let shift = 8 - Int(word.length)
      let first = Int(word.bits) << shift
      for i in first..<first + 1 << shift {
        table[i] = UInt16(word.value) << 8 | UInt16(word.length)
      }
    }
    for word in words where word.length > 8 {
      let low = Int(word.length) - 8
      let prefix = Int(word.bits) >> low
      if table[prefix] == 0 {
        table[prefix] = 0x8000 | UInt16(table.count)
        table += [UInt16](repeating: 0, count: 256)
      }
      let base = Int(table[prefix] & 0x7FFF)
      let start = (Int(word.bits) & ((1 << low) - 1)) << (8 - low)
      for i in start..<start + 1 << (8 - low) {
        table[base + i] = UInt16(word.value) << 8 | UInt16(word.length)
      }
    }
    entries = CheckedBuffer(table)
  }

  /// `value << 8 | length` of the code at the top of `window`; 0 when there is none.
  @inline(__always)
  func lookUp(_ window: UInt32) -> Int {
    let entry = entries[Int(window >> 24)]
    if entry & 0x8000 == 0 { return Int(entry) }
    return Int(entries[Int(entry & 0x7FFF) &+ Int((window >> 16) & 0xFF)])
  }
}

/// The tables that residual blocks are decoded with, built once and only read since.
final class ResidualTables: @unchecked Sendable {
  static let shared = ResidualTables()

  /// All scans, one behind the other, at the offsets below.
  let scans: CheckedBuffer<UInt8>
  static let frame4x4 = 0
  static let field4x4 = 16
  static let frame8x8 = 32
  static let field8x8 = 96
  /// Raster order, for chroma DC of 4:2:0.
  static let plain = 160
  /// Chroma DC of 4:2:2: row · 2 + column of each index, (8-330).
  static let chromaDC422 = 176

  private init() {
    var all: [UInt8] = []
    for i in 0..<16 { all.append(ScanTables.frame4x4[i]) }
    for i in 0..<16 { all.append(ScanTables.field4x4[i]) }
    for i in 0..<64 { all.append(ScanTables.frame8x8[i]) }
    for i in 0..<64 { all.append(ScanTables.field8x8[i]) }
    all += (0..<16).map { UInt8($0) }
    all += [0, 2, 1, 4, 6, 3, 5, 7]
    scans = CheckedBuffer(all)
  }

  let coeffToken0 = VLCTable(CAVLCTables.coeffToken0)
  let coeffToken2 = VLCTable(CAVLCTables.coeffToken2)
  let coeffToken4 = VLCTable(CAVLCTables.coeffToken4)
  let coeffToken8 = VLCTable(CAVLCTables.coeffToken8)
  let coeffTokenChromaDC420 = VLCTable(CAVLCTables.coeffTokenChromaDC420)
  let coeffTokenChromaDC422 = VLCTable(CAVLCTables.coeffTokenChromaDC422)
  /// total_zeros: 512 entries for each TotalCoeff; see ``FixedVLC``.
  let totalZeros4x4 = FixedVLC(CAVLCTables.totalZeros4x4, bits: 9)
  let totalZerosChromaDC420 = FixedVLC(CAVLCTables.totalZerosChromaDC420, bits: 3)
  let totalZerosChromaDC422 = FixedVLC(CAVLCTables.totalZerosChromaDC422, bits: 5)
  let runBefore = FixedVLC(CAVLCTables.runBefore, bits: 11)
}

/// Several prefix codes that are chosen by a small index, each decoded in one look-up.
struct FixedVLC: ~Copyable {
  private let entries: CheckedBuffer<UInt16>
  private let bits: Int
  private let shift: UInt32
  private let tables: Int

  /// `codes[i]` is the code of index i; no word is longer than `bits`.
  init(_ codes: [[CodeWord]], bits: Int) {
    var table = [UInt16](repeating: 0, count: codes.count << bits)
    for (index, words) in codes.enumerated() {
      for word in words {
        let first = index << bits + Int(word.bits) << (bits - Int(word.length))
        for i in first..<first + 1 << (bits - Int(word.length)) {
          table[i] = UInt16(word.value) << 8 | UInt16(word.length)
        }
      }
    }
    entries = CheckedBuffer(table)
    self.bits = bits
    shift = UInt32(32 - bits)
    tables = codes.count
  }

  /// `value << 8 | length` of the code at the top of `window` by code `index` (clamped); 0: none.
  @inline(__always)
  func lookUp(_ window: UInt32, index: Int) -> Int {
    let index = min(max(index, 0), tables &- 1)
    return Int(entries[index &<< bits &+ Int(window &>> shift)])
  }
}
