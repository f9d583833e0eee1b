// Macroblocks in Exp-Golomb and context-adaptive variable-length codes. ISO/IEC 14496-10:2020 §9.1, §9.2.

struct CAVLCCoder: MacroblockCoder {
  private var bits: BitWriter
  private let type: WrittenSliceType
  private let macroblocks: WrittenMacroblocks
  /// mb_skip_run so far.
  private var skipped: UInt32 = 0

  init(bits: BitWriter, type: WrittenSliceType, macroblocks: WrittenMacroblocks) {
    (self.bits, self.type, self.macroblocks) = (bits, type, macroblocks)
  }

  private mutating func write(_ word: String) {
    for bit in word { bits.writeFlag(bit == "1") }
  }

  mutating func writeSkip(_ isSkipped: Bool, at address: Int) {
    if isSkipped {
      skipped += 1
    } else {
      bits.writeUE(skipped)
      skipped = 0
    }
  }

  mutating func writeType(_ macroblock: MacroblockSyntax, at address: Int) {
    let intraOffset: UInt32 = type == .i ? 0 : type == .p ? 5 : 23
    switch macroblock.kind {
    case .intraNxN: bits.writeUE(intraOffset)
    case .pcm: bits.writeUE(intraOffset + 25)
    case .intra16x16:
      // Table 7-11.
      let number =
        1 + macroblock.intra16x16Mode + 4 * macroblock.chromaPattern
        + (macroblock.lumaPattern == 0 ? 0 : 12)
      bits.writeUE(intraOffset + UInt32(number))
    case .skip: preconditionFailure("a skipped macroblock has no type")
    case .direct: bits.writeUE(0)
    case .inter16x16:
      let motion = macroblock.motion[0]
      bits.writeUE(
        type == .p ? 0 : motion.list1 == nil ? 1 : motion.list0 == nil ? 2 : 3)
    case .inter16x8: bits.writeUE(1)
    case .inter8x16: bits.writeUE(2)
    case .inter8x8:
      bits.writeUE(3)
      for _ in 0..<4 { bits.writeUE(0) }
    }
  }

  mutating func writeSamples(_ samples: [UInt8]) {
    bits.alignToByte()
    for sample in samples { bits.write(UInt64(sample), bits: 8) }
  }

  mutating func writeIntraMode(_ mode: Int?) {
    bits.writeFlag(mode == nil)
    if let mode { bits.write(UInt64(mode), bits: 3) }
  }

  mutating func writeChromaMode(_ mode: Int, at address: Int) { bits.writeUE(UInt32(mode)) }

  mutating func writeReference(_ index: Int, count: Int, list: Int, at address: Int, block: Int) {
    // te(v), §9.1.1.
    if count == 2 { bits.writeFlag(index == 0) } else { bits.writeUE(UInt32(index)) }
  }

  mutating func writeDifference(
    _ motion: MacroblockSyntax.Motion, list: Int, at address: Int, block: Int
  ) {
    bits.writeSE(Int32(motion.x))
    bits.writeSE(Int32(motion.y))
  }

  mutating func writePattern(_ macroblock: MacroblockSyntax, at address: Int) {
    let pattern = macroblock.lumaPattern + 16 * macroblock.chromaPattern
    let table = macroblock.kind.isIntra ? CAVLCCodes.patternIntra : CAVLCCodes.patternInter
    bits.writeUE(UInt32(table.firstIndex(of: pattern) ?? 0))
  }

  mutating func writeDeltaQP(_ delta: Int) { bits.writeSE(Int32(delta)) }

  mutating func writeResidual(_ levels: [Int], _ block: ResidualBlock, at address: Int) -> Int {
    CAVLCResidualBlock(levels).write(nC: self.nC(block, address), &bits)
  }

  mutating func endMacroblock(_ macroblock: MacroblockSyntax, isLast: Bool) {}

  mutating func finish() -> [UInt8] {
    if skipped > 0 { bits.writeUE(skipped) }
    bits.writeTrailingBits()
    return bits.bytes
  }

  /// nC of a block, −1 for chroma DC. §9.2.1.
  private func nC(_ block: ResidualBlock, _ address: Int) -> Int {
    let place: (block: Int, across: Int, base: Int)
    switch block {
    case .lumaDC: place = (0, 4, 0)
    case .lumaAC(let index), .luma(let index): place = (index, 4, 0)
    case .chromaDC: return -1
    case .chromaAC(let plane, let index): place = (index, 2, 16 + 4 * plane)
    }
    let left = macroblocks.left(of: address, block: place.block, across: place.across)
      .map { macroblocks.count($0, base: place.base) }
    let above = macroblocks.above(address, block: place.block, across: place.across)
      .map { macroblocks.count($0, base: place.base) }
    if let left, let above { return (left + above + 1) / 2 }
    return left ?? above ?? 0
  }
}

/// The codes of one block of levels. §7.3.5.3.2.
struct CAVLCResidualBlock {
  private let maximumCount: Int
  /// Values from the highest frequency down, each with the zeros before it.
  private var coefficients: [(level: Int, run: Int)] = []

  /// `levels` in the order of the scan.
  init(_ levels: [Int]) {
    maximumCount = levels.count
    var run = 0
    for level in levels {
      if level == 0 {
        run += 1
      } else {
        coefficients.insert((level, run), at: 0)
        run = 0
      }
    }
  }

  /// Writes the block and returns TotalCoeff.
  func write(nC: Int, _ bits: inout BitWriter) -> Int {
    func write(_ word: String) {
      for bit in word { bits.writeFlag(bit == "1") }
    }
    let total = coefficients.count
    let ones = min(coefficients.prefix { abs($0.level) == 1 }.count, 3)
    write(CAVLCCodes.coeffToken(nC: nC)[total][ones])
    guard total > 0 else { return 0 }
    for coefficient in coefficients.prefix(ones) { bits.writeFlag(coefficient.level < 0) }
    writeLevels(behind: ones, &bits)
    var zeros = coefficients.map(\.run).reduce(0, +)
    if total < maximumCount {
      let table = nC < 0 ? CAVLCCodes.totalZerosChromaDC : CAVLCCodes.totalZeros
      write(table[total - 1][zeros])
    }
    for coefficient in coefficients.dropLast() where zeros > 0 {
      write(CAVLCCodes.runBefore[min(zeros, 7) - 1][coefficient.run])
      zeros -= coefficient.run
    }
    return total
  }

  /// level_prefix and level_suffix of all but the trailing ones: §9.2.2.1 the other way round.
  private func writeLevels(behind ones: Int, _ bits: inout BitWriter) {
    var suffixLength = coefficients.count > 10 && ones < 3 ? 1 : 0
    for (index, coefficient) in coefficients.enumerated().dropFirst(ones) {
      let level = coefficient.level
      var code = level > 0 ? 2 * level - 2 : -2 * level - 1
      if index == ones && ones < 3 { code -= 2 }
      Self.write(code: code, suffixLength, &bits)
      if suffixLength == 0 { suffixLength = 1 }
      if abs(level) > 3 << (suffixLength - 1) && suffixLength < 6 { suffixLength += 1 }
    }
  }

  private static func write(code: Int, _ suffixLength: Int, _ bits: inout BitWriter) {
    func write(prefix: Int, suffix: Int, _ length: Int) {
      bits.write(1, bits: prefix + 1)
      bits.write(UInt64(suffix), bits: length)
    }
    if suffixLength == 0 && code < 14 { return write(prefix: code, suffix: 0, 0) }
    if suffixLength == 0 && code < 30 { return write(prefix: 14, suffix: code - 14, 4) }
    let escape = suffixLength == 0 ? 30 : 15 << suffixLength
    if code < escape {
      return write(
        prefix: code >> suffixLength, suffix: code & (1 << suffixLength - 1), suffixLength)
    }
    // Prefixes above 15 have a longer suffix each, from where the one before ends.
    var prefix = 15
    while code - escape >= (1 << (prefix - 2)) - 4096 { prefix += 1 }
    write(prefix: prefix, suffix: code - escape - ((1 << (prefix - 3)) - 4096), prefix - 3)
  }
}
