// Residual blocks in variable-length codes. ISO/IEC 14496-10:2020 §7.3.5.3.2, §9.2.

import ReelCore
import ReelVideoCore

/// Parsing of one block. Free functions over borrowed buffers, see ``CABACResidual``.
enum CAVLCResidual {
  @inline(__always)
  private static func coefficientToken(_ window: UInt32, _ tables: ResidualTables, nC: Int) -> Int {
    switch nC {
    case -1: tables.coeffTokenChromaDC420.lookUp(window)
    case -2: tables.coeffTokenChromaDC422.lookUp(window)
    case 0, 1: tables.coeffToken0.lookUp(window)
    case 2, 3: tables.coeffToken2.lookUp(window)
    case 4...7: tables.coeffToken4.lookUp(window)
    default: tables.coeffToken8.lookUp(window)
    }
  }

  /// Parses a block, scales its levels and puts them into `coefficients`; returns TotalCoeff, or −1
  /// where a code is none of its table.
  static func parse(
    _ source: inout SliceBitReader, _ data: borrowing SliceBytes, _ tables: ResidualTables,
    factors: borrowing CheckedBuffer<Int32>, into coefficients: borrowing CheckedBuffer<Int32>,
    _ target: BlockTarget, nC: Int
  ) -> Int {
    var reader = source
    defer { source = reader }
    let token = coefficientToken(reader.window(data), tables, nC: nC)
    reader.skip(token & 0xFF)
    guard token & 0xFF != 0 else { return -1 }
    let total = token >> 10
    guard total > 0 else { return 0 }
    guard total <= target.count else { return -1 }
    var levels: InlineArray<16, Int32> = .init(repeating: 0)
    readLevels(&reader, data, &levels, total: total, trailingOnes: token >> 8 & 3)
    var zeros = 0
    if total < target.count {
      let code = totalZeros(reader.window(data), tables, total: total, count: target.count)
      reader.skip(code & 0xFF)
      zeros = code >> 8
      guard code & 0xFF != 0, zeros + total <= target.count else { return -1 }
    }
    let rounding: Int32 = 1 &<< (target.down &- 1)
    var index = target.start + zeros + total - 1
    for i in 0..<total {
      let raster = Int(tables.scans[target.scan &+ index &* target.step])
      let scaled = (levels[i] &* factors[target.factors &+ raster]) &<< target.shift
      coefficients[target.base &+ raster] = (scaled &+ rounding) &>> target.down
      guard i + 1 < total else { break }
      if zeros > 0 {
        let code = tables.runBefore.lookUp(reader.window(data), index: zeros - 1)
        reader.skip(code & 0xFF)
        let run = code >> 8
        guard code & 0xFF != 0, run <= zeros else { return -1 }
        zeros -= run
        index -= run
      }
      index -= 1
    }
    return total
  }

  @inline(__always)
  private static func totalZeros(
    _ window: UInt32, _ tables: ResidualTables, total: Int, count: Int
  ) -> Int {
    switch count {
    case 4: tables.totalZerosChromaDC420.lookUp(window, index: total - 1)
    case 8: tables.totalZerosChromaDC422.lookUp(window, index: total - 1)
    default: tables.totalZeros4x4.lookUp(window, index: total - 1)
    }
  }

  /// trailing_ones_sign_flag, level_prefix and level_suffix. §9.2.2.
  @inline(__always)
  private static func readLevels(
    _ reader: inout SliceBitReader, _ data: borrowing SliceBytes,
    _ levels: inout InlineArray<16, Int32>, total: Int, trailingOnes: Int
  ) {
    if trailingOnes > 0 {
      let signs = reader.read(trailingOnes, data)
      for i in 0..<trailingOnes {
        levels[i] = signs >> UInt32(trailingOnes - 1 - i) & 1 != 0 ? -1 : 1
      }
    }
    guard trailingOnes < total else { return }
    var suffixLength = total > 10 && trailingOnes < 3 ? 1 : 0
    for i in trailingOnes..<total {
      let window = reader.window(data)
      let prefix = min(window.leadingZeroBitCount, 31)
      reader.skip(prefix + 1)
      var code = min(15, prefix) << suffixLength
      // levelSuffixSize: 4 for prefix 14 without suffix, prefix − 3 for escapes, else suffixLength.
      let size =
        prefix == 14 && suffixLength == 0 ? 4 : prefix >= 15 ? prefix - 3 : suffixLength
      if size > 0 { code += Int(reader.read(size, data)) }
      if prefix >= 15 && suffixLength == 0 { code += 15 }
      if prefix >= 16 { code += 1 << (prefix - 3) - 4096 }
      if i == trailingOnes && trailingOnes < 3 { code += 2 }
      let magnitude = (code + 2) >> 1
      levels[i] = Int32(truncatingIfNeeded: code & 1 == 0 ? magnitude : -magnitude)
      if suffixLength == 0 { suffixLength = 1 }
      if magnitude > 3 << (suffixLength - 1) && suffixLength < 6 { suffixLength += 1 }
    }
  }
}
