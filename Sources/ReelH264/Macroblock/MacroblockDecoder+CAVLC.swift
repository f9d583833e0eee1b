// residual_block_cavlc(). ISO/IEC 14496-10:2020 §7.3.5.3.2, §9.2.

import ReelCore

extension MacroblockDecoder {
  /// Scales a level and puts it at scan index `k` of its block.
  @inline(__always)
  func place(_ level: Int32, _ k: Int, _ target: borrowing BlockTarget) {
    let raster = Int(tables.scans[target.scan &+ k &* target.step])
    let factor = scaling.factors[target.factors &+ raster]
    let rounding: Int32 = 1 &<< (target.down &- 1)
    memory.coefficients[target.base &+ raster] =
      ((level &* factor) &<< target.shift &+ rounding) &>> target.down
  }

  /// Chroma DC of 4:2:0 and 4:2:2.
  func parseChromaDCCAVLC(_ target: BlockTarget) -> Int {
    parseCAVLC(target, table: target.count == 4 ? -1 : -2)
  }

  /// One block coded with nC = `table`; returns TotalCoeff. Partitioned slices keep residual apart.
  func parseCAVLC(_ target: BlockTarget, table: Int) -> Int {
    var reader: SliceBitReader
    let total: Int
    if !isPartitioned {
      reader = bits
      total = parse(&reader, memory.bytes, target, nC: table)
      bits = reader
    } else if kind & MacroblockKind.intraMask != 0 {
      reader = bitsB
      total = parse(&reader, memory.partitionB, target, nC: table)
      bitsB = reader
    } else {
      reader = bitsC
      total = parse(&reader, memory.partitionC, target, nC: table)
      bitsC = reader
    }
    if total < 0 {
      fail(.residualCode)
      return 0
    }
    return total
  }

  @inline(__always)
  private func coefficientToken(_ window: UInt32, nC: Int) -> Int {
    switch nC {
    case -1: tables.coeffTokenChromaDC420.lookUp(window)
    case -2: tables.coeffTokenChromaDC422.lookUp(window)
    case 0, 1: tables.coeffToken0.lookUp(window)
    case 2, 3: tables.coeffToken2.lookUp(window)
    case 4...7: tables.coeffToken4.lookUp(window)
    default: tables.coeffToken8.lookUp(window)
    }
  }

  /// TotalCoeff, or −1 where a code is none of its table.
  @inline(__always)
  private func parse(
    _ reader: inout SliceBitReader, _ data: borrowing SliceBytes, _ target: borrowing BlockTarget,
    nC: Int
  ) -> Int {
    let token = coefficientToken(reader.window(data), nC: nC)
    reader.skip(token & 0xFF)
    guard token & 0xFF != 0 else { return -1 }
    let total = token >> 10
    guard total > 0 else { return 0 }
    guard total <= target.count else { return -1 }
    var levels: InlineArray<16, Int32> = .init(repeating: 0)
    readLevels(&reader, data, &levels, total: total, trailingOnes: token >> 8 & 3)
    var zeros = 0
    if total < target.count {
      let code = totalZeros(reader.window(data), total: total, count: target.count)
      reader.skip(code & 0xFF)
      zeros = code >> 8
      guard code & 0xFF != 0, zeros + total <= target.count else { return -1 }
    }
    var index = target.start + zeros + total - 1
    for i in 0..<total {
      place(levels[i], index, target)
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
  private func totalZeros(_ window: UInt32, total: Int, count: Int) -> Int {
    switch count {
    case 4: tables.totalZerosChromaDC420.lookUp(window, index: total - 1)
    case 8: tables.totalZerosChromaDC422.lookUp(window, index: total - 1)
    default: tables.totalZeros4x4.lookUp(window, index: total - 1)
    }
  }

  /// trailing_ones_sign_flag, level_prefix and level_suffix. §9.2.2.
  @inline(__always)
  private func readLevels(
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
