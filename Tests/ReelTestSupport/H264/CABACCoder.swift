// Macroblocks as bins of context-adaptive arithmetic coding. ISO/IEC 14496-10:2020 §9.3.2, §9.3.3.1.

struct CABACCoder: MacroblockCoder {
  var encoder: CABACEncoder
  let macroblocks: WrittenMacroblocks
  let isField: Bool
  private let type: WrittenSliceType
  /// mb_qp_delta of the macroblock before; 0 where it sent none.
  private var previousDelta = 0
  private var delta = 0

  init(
    behind bits: BitWriter, _ tables: CABACEngineTables, contexts: [UInt8], type: WrittenSliceType,
    macroblocks: WrittenMacroblocks, isField: Bool
  ) {
    encoder = CABACEncoder(behind: bits, tables, contexts: contexts)
    (self.type, self.macroblocks, self.isField) = (type, macroblocks, isField)
  }

  /// A bit string, the first bit under the first context.
  private mutating func encode(_ word: String, _ contexts: Int...) {
    for (bit, context) in zip(word, contexts) {
      encoder.encode(bit == "1" ? 1 : 0, context: context)
    }
  }

  /// condTermFlagA + condTermFlagB, the latter `weight` times; neighbours that are not available count 0.
  private func increment(
    at address: Int, weight: Int = 1, _ condition: (MacroblockSyntax) -> Bool
  ) -> Int {
    func flag(_ neighbour: Int?) -> Int {
      neighbour.map { condition(macroblocks.syntax[$0]) } == true ? 1 : 0
    }
    return flag(macroblocks.left(of: address)) + weight * flag(macroblocks.above(address))
  }

  mutating func writeSkip(_ isSkipped: Bool, at address: Int) {
    let context = (type == .b ? 24 : 11) + increment(at: address) { $0.kind != .skip }
    encoder.encode(isSkipped ? 1 : 0, context: context)
  }

  // MARK: mb_type, Tables 9-36 to 9-39

  mutating func writeType(_ macroblock: MacroblockSyntax, at address: Int) {
    if macroblock.kind.isIntra { return writeIntraType(macroblock, address) }
    if type == .b { return writeBipredictiveType(macroblock, address) }
    switch macroblock.kind {
    case .inter16x16: encode("000", 14, 15, 16)
    case .inter16x8: encode("011", 14, 15, 17)
    case .inter8x16: encode("010", 14, 15, 17)
    default:
      encode("001", 14, 15, 16)
      // sub_mb_type P_L0_8x8.
      for _ in 0..<4 { encode("1", 21) }
    }
  }

  private mutating func writeBipredictiveType(_ macroblock: MacroblockSyntax, _ address: Int) {
    let first = 27 + increment(at: address) { $0.kind != .skip && $0.kind != .direct }
    if macroblock.kind == .direct { return encode("0", first) }
    let motion = macroblock.motion[0]
    switch (motion.list0 != nil, motion.list1 != nil) {
    case (true, true): encode("110000", first, 30, 31, 32, 32, 32)
    case (true, false): encode("100", first, 30, 32)
    default: encode("101", first, 30, 32)
    }
  }

  private mutating func writeIntraType(_ macroblock: MacroblockSyntax, _ address: Int) {
    let bits: (first: Int, luma: Int, chroma: Int, both: Int, mode: [Int])
    switch type {
    case .i:
      bits = (3 + increment(at: address) { $0.kind != .intraNxN }, 6, 7, 8, [9, 10])
    case .p:
      encode("1", 14)
      bits = (17, 18, 19, 19, [20, 20])
    case .b:
      encode(
        "111101", 27 + increment(at: address) { $0.kind != .skip && $0.kind != .direct },
        30, 31, 32, 32, 32)
      bits = (32, 33, 34, 34, [35, 35])
    }
    if macroblock.kind == .intraNxN { return encode("0", bits.first) }
    encode("1", bits.first)
    encoder.encodeTerminate(macroblock.kind == .pcm ? 1 : 0)
    if macroblock.kind == .pcm { return }
    encoder.encode(macroblock.lumaPattern == 0 ? 0 : 1, context: bits.luma)
    encoder.encode(macroblock.chromaPattern == 0 ? 0 : 1, context: bits.chroma)
    if macroblock.chromaPattern > 0 {
      encoder.encode(macroblock.chromaPattern - 1, context: bits.both)
    }
    encoder.encode(macroblock.intra16x16Mode >> 1, context: bits.mode[0])
    encoder.encode(macroblock.intra16x16Mode & 1, context: bits.mode[1])
  }

  // MARK: Prediction

  mutating func writeSamples(_ samples: [UInt8]) { encoder.write(samples: samples) }

  mutating func writeIntraMode(_ mode: Int?) {
    encoder.encode(mode == nil ? 1 : 0, context: 68)
    guard let mode else { return }
    for bit in 0..<3 { encoder.encode(mode >> bit & 1, context: 69) }
  }

  mutating func writeChromaMode(_ mode: Int, at address: Int) {
    let first =
      64
      + increment(at: address) {
        $0.kind.isIntra && $0.kind != .pcm && $0.chromaMode != 0
      }
    let word = ["0", "10", "110", "111"][mode]
    encode(word, first, 67, 67)
  }

  mutating func writeReference(_ index: Int, count: Int, list: Int, at address: Int, block: Int) {
    func isPositive(_ place: WrittenMacroblocks.BlockPlace?) -> Int {
      let motion = place.flatMap { macroblocks.motion($0, list: list) }
      return motion.map { $0.reference > 0 } == true ? 1 : 0
    }
    var context =
      54 + isPositive(macroblocks.left(of: address, block: block, across: 4))
      + 2 * isPositive(macroblocks.above(address, block: block, across: 4))
    for bin in 0..<index {
      encoder.encode(1, context: context)
      context = bin == 0 ? 58 : 59
    }
    encoder.encode(0, context: context)
  }

  mutating func writeDifference(
    _ motion: MacroblockSyntax.Motion, list: Int, at address: Int, block: Int
  ) {
    let neighbours = [
      macroblocks.left(of: address, block: block, across: 4),
      macroblocks.above(address, block: block, across: 4),
    ].compactMap { $0 }.compactMap { macroblocks.motion($0, list: list) }
    write(difference: motion.x, base: 40, sum: neighbours.map { abs($0.x) }.reduce(0, +))
    write(difference: motion.y, base: 47, sum: neighbours.map { abs($0.y) }.reduce(0, +))
  }

  /// UEG3, signedValFlag 1, uCoff 9. §9.3.2.3, §9.3.3.1.1.7.
  private mutating func write(difference: Int, base: Int, sum: Int) {
    var context = base + (sum < 3 ? 0 : sum > 32 ? 2 : 1)
    let magnitude = abs(difference)
    for bin in 0..<min(magnitude, 9) {
      encoder.encode(1, context: context)
      context = base + min(3 + bin, 6)
    }
    if magnitude < 9 {
      encoder.encode(0, context: context)
    } else {
      writeSuffix(magnitude - 9, order: 3)
    }
    if magnitude > 0 { encoder.encodeBypass(difference < 0 ? 1 : 0) }
  }

  /// Exp-Golomb of an order in bypass bins.
  mutating func writeSuffix(_ value: Int, order: Int) {
    var (value, order) = (value, order)
    while value >= 1 << order {
      encoder.encodeBypass(1)
      value -= 1 << order
      order += 1
    }
    encoder.encodeBypass(0)
    for bit in (0..<order).reversed() { encoder.encodeBypass(value >> bit & 1) }
  }

  // MARK: Residual

  mutating func writePattern(_ macroblock: MacroblockSyntax, at address: Int) {
    for index in 0..<4 {
      func isEmpty(_ place: WrittenMacroblocks.BlockPlace?) -> Int {
        guard let place else { return 0 }
        let neighbour = macroblocks.syntax[place.macroblock]
        let isCoded = neighbour.kind == .pcm || neighbour.lumaPattern >> place.block & 1 == 1
        return isCoded ? 0 : 1
      }
      let context =
        73 + isEmpty(macroblocks.left(of: address, block: index, across: 2))
        + 2 * isEmpty(macroblocks.above(address, block: index, across: 2))
      encoder.encode(macroblock.lumaPattern >> index & 1, context: context)
    }
    let any = increment(at: address, weight: 2) { $0.kind == .pcm || $0.chromaPattern > 0 }
    encoder.encode(macroblock.chromaPattern == 0 ? 0 : 1, context: 77 + any)
    guard macroblock.chromaPattern > 0 else { return }
    let all = increment(at: address, weight: 2) { $0.kind == .pcm || $0.chromaPattern == 2 }
    encoder.encode(macroblock.chromaPattern - 1, context: 81 + all)
  }

  mutating func writeDeltaQP(_ delta: Int) {
    self.delta = delta
    // Table 9-3.
    let mapped = delta > 0 ? 2 * delta - 1 : -2 * delta
    var context = previousDelta == 0 ? 60 : 61
    for bin in 0..<mapped {
      encoder.encode(1, context: context)
      context = bin == 0 ? 62 : 63
    }
    encoder.encode(0, context: context)
  }

  mutating func endMacroblock(_ macroblock: MacroblockSyntax, isLast: Bool) {
    previousDelta = macroblock.kind != .pcm && macroblock.hasResidual ? delta : 0
    delta = 0
    encoder.encodeTerminate(isLast ? 1 : 0)
  }

  mutating func finish() -> [UInt8] { encoder.bits.bytes }
}
