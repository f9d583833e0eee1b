// Residual blocks as bins. ISO/IEC 14496-10:2020 §7.3.5.3.3, §9.3.3.1.1.9, §9.3.3.1.3.

extension CABACCoder {
  /// ctxIdxOffset plus ctxBlockCatOffset of a category's elements. Tables 9-34 and 9-40.
  private struct Contexts {
    let codedBlockFlag: Int
    let significant: Int
    let last: Int
    let level: Int

    init(category: Int, isField: Bool) {
      codedBlockFlag = 85 + [0, 4, 8, 12, 16][category]
      let map = [0, 15, 29, 44, 47][category]
      significant = (isField ? 277 : 105) + map
      last = (isField ? 338 : 166) + map
      level = 227 + [0, 10, 20, 30, 39][category]
    }
  }

  mutating func writeResidual(_ levels: [Int], _ block: ResidualBlock, at address: Int) -> Int {
    let category: Int
    switch block {
    case .lumaDC: category = 0
    case .lumaAC: category = 1
    case .luma: category = 2
    case .chromaDC: category = 3
    case .chromaAC: category = 4
    }
    let contexts = Contexts(category: category, isField: isField)
    let count = levels.count { $0 != 0 }
    encoder.encode(
      count == 0 ? 0 : 1, context: contexts.codedBlockFlag + codedIncrement(block, address))
    guard count > 0 else { return 0 }
    writeMap(levels, contexts, isChromaDC: category == 3)
    writeLevels(levels, contexts.level, isChromaDC: category == 3)
    return count
  }

  /// ctxIdxInc of coded_block_flag: a macroblock that is not available counts 1 for intra ones.
  private func codedIncrement(_ block: ResidualBlock, _ address: Int) -> Int {
    let missing = macroblocks.syntax[address].kind.isIntra
    func sum(_ left: Bool?, _ above: Bool?) -> Int {
      (left ?? missing ? 1 : 0) + (above ?? missing ? 2 : 0)
    }
    func ofDC(_ bit: Int) -> Int {
      sum(
        macroblocks.left(of: address).map { macroblocks.codedDC[$0] & bit != 0 },
        macroblocks.above(address).map { macroblocks.codedDC[$0] & bit != 0 })
    }
    func ofBlock(_ index: Int, across: Int, base: Int) -> Int {
      sum(
        macroblocks.left(of: address, block: index, across: across)
          .map { macroblocks.count($0, base: base) != 0 },
        macroblocks.above(address, block: index, across: across)
          .map { macroblocks.count($0, base: base) != 0 })
    }
    switch block {
    case .lumaDC: return ofDC(1)
    case .chromaDC(let plane): return ofDC(2 << plane)
    case .lumaAC(let index), .luma(let index): return ofBlock(index, across: 4, base: 0)
    case .chromaAC(let plane, let index): return ofBlock(index, across: 2, base: 16 + 4 * plane)
    }
  }

  /// significant_coeff_flag and last_significant_coeff_flag; what is significant last is inferred where it
  /// is the last of all.
  private mutating func writeMap(_ levels: [Int], _ contexts: Contexts, isChromaDC: Bool) {
    let last = levels.lastIndex { $0 != 0 } ?? 0
    for index in 0..<levels.count - 1 {
      // NumC8x8 is 1 in 4:2:0.
      let increment = isChromaDC ? min(index, 2) : index
      encoder.encode(levels[index] == 0 ? 0 : 1, context: contexts.significant + increment)
      guard levels[index] != 0 else { continue }
      encoder.encode(index == last ? 1 : 0, context: contexts.last + increment)
      if index == last { return }
    }
  }

  /// coeff_abs_level_minus1, UEG0 with uCoff 14, and signs, from the highest frequency down.
  private mutating func writeLevels(_ levels: [Int], _ base: Int, isChromaDC: Bool) {
    var (ones, greater) = (0, 0)
    for level in levels.reversed() where level != 0 {
      let value = abs(level) - 1
      let first = base + (greater != 0 ? 0 : min(4, 1 + ones))
      let others = base + 5 + min(4 - (isChromaDC ? 1 : 0), greater)
      for bin in 0..<min(value, 14) { encoder.encode(1, context: bin == 0 ? first : others) }
      if value < 14 {
        encoder.encode(0, context: value == 0 ? first : others)
      } else {
        writeSuffix(value - 14, order: 0)
      }
      encoder.encodeBypass(level < 0 ? 1 : 0)
      if value == 0 { ones += 1 } else { greater += 1 }
    }
  }
}
