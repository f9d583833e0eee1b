// Significance maps and levels of residual blocks. ISO/IEC 14496-10:2020 §7.3.5.3.3, §9.3.3.1.3.

import ReelCore

/// Contexts of residual blocks by ctxBlockCat: ctxIdxOffset plus ctxBlockCatOffset of Tables 9-34, 9-40.
enum ResidualContexts {
  static let codedBlockFlag: InlineArray<14, Int16> = [
    85, 89, 93, 97, 101, 1012, 460, 464, 468, 1016, 472, 476, 480, 1020,
  ]
  static let significantFrame: InlineArray<14, Int16> = [
    105, 120, 134, 149, 152, 402, 484, 499, 513, 660, 528, 543, 557, 718,
  ]
  static let significantField: InlineArray<14, Int16> = [
    277, 292, 306, 321, 324, 436, 776, 791, 805, 675, 820, 835, 849, 733,
  ]
  static let lastFrame: InlineArray<14, Int16> = [
    166, 181, 195, 210, 213, 417, 572, 587, 601, 690, 616, 631, 645, 748,
  ]
  static let lastField: InlineArray<14, Int16> = [
    338, 353, 367, 382, 385, 451, 864, 879, 893, 699, 908, 923, 937, 757,
  ]
  static let level: InlineArray<14, Int16> = [
    227, 237, 247, 257, 266, 426, 952, 962, 972, 708, 982, 992, 1002, 766,
  ]
}

/// Parsing of one block whose coded_block_flag is 1.
///
/// Free functions over borrowed buffers: their addresses and the engine stay in registers through the
/// loops over bins, which are a third of the time of a stream at high rates.
enum CABACResidual {
  /// Parses a block, scales its levels and puts them into `coefficients`; returns their count (≥ 1) and
  /// the engine after them. By value: through a reference every bin would store the engine.
  static func parse(
    _ decoder: CABACDecoder, states: borrowing CheckedBuffer<UInt8>,
    bytes: borrowing SliceBytes, scans: borrowing CheckedBuffer<UInt8>,
    factors: borrowing CheckedBuffer<Int32>, into coefficients: borrowing CheckedBuffer<Int32>,
    _ target: BlockTarget, category: Int, isFieldScan: Bool
  ) -> (count: Int, engine: CABACDecoder) {
    var engine = decoder
    var positions: InlineArray<64, UInt8> = .init(repeating: 0)
    let found =
      target.count == 64
      ? map8x8(&engine, states, bytes, category, isFieldScan, &positions)
      : map(&engine, states, bytes, target.count, category, isFieldScan, &positions)
    let base = Int(ResidualContexts.level[category])
    let largerLimit = category == 3 ? 3 : 4
    let rounding: Int32 = 1 &<< (target.down &- 1)
    var ones = 1
    var larger = 0
    var k = found &- 1
    // coeff_abs_level_minus1 and coeff_sign_flag, from the highest frequency down.
    while k >= 0 {
      let first = larger > 0 ? 0 : min(4, ones)
      var magnitude: Int32 = 1
      if engine.decision(base &+ first, states, bytes) == 0 {
        ones &+= 1
      } else {
        let context = base &+ 5 &+ min(largerLimit, larger)
        magnitude = 2
        while magnitude < 15 && engine.decision(context, states, bytes) == 1 { magnitude &+= 1 }
        if magnitude == 15 { magnitude &+= escape(&engine, bytes) }
        larger &+= 1
      }
      let sign = Int32(truncatingIfNeeded: engine.bypass(bytes))
      let level = (magnitude ^ (0 &- sign)) &+ sign
      let index = target.start &+ Int(positions[k])
      let raster = Int(scans[target.scan &+ index])
      let scaled = (level &* factors[target.factors &+ raster]) &<< target.shift
      coefficients[target.base &+ raster] = (scaled &+ rounding) &>> target.down
      k &-= 1
    }
    return (found, engine)
  }

  /// significant_coeff_flag and last_significant_coeff_flag of a block of at most 16 coefficients:
  /// writes the significant indices, returns their count.
  @inline(__always)
  private static func map(
    _ engine: inout CABACDecoder, _ states: borrowing CheckedBuffer<UInt8>,
    _ bytes: borrowing SliceBytes, _ count: Int, _ category: Int, _ isFieldScan: Bool,
    _ positions: inout InlineArray<64, UInt8>
  ) -> Int {
    let significant = Int(
      isFieldScan
        ? ResidualContexts.significantField[category] : ResidualContexts.significantFrame[category])
    let last = Int(
      isFieldScan ? ResidualContexts.lastField[category] : ResidualContexts.lastFrame[category])
    // Chroma DC contexts count 8×8 chroma blocks (NumC8x8): one or two levels share one, at most 2.
    let isChromaDC = category == 3
    let shift = isChromaDC && count == 8 ? 1 : 0
    let limit = isChromaDC ? 2 : 15
    let end = count &- 1
    var found = 0
    var i = 0
    while i < end {
      let inc = min(i >> shift, limit)
      if engine.decision(significant &+ inc, states, bytes) == 1 {
        positions[found] = UInt8(truncatingIfNeeded: i)
        found &+= 1
        if engine.decision(last &+ inc, states, bytes) == 1 { return found }
      }
      i &+= 1
    }
    // No last_significant_coeff_flag was 1: the last position is significant by inference.
    positions[found] = UInt8(truncatingIfNeeded: end)
    return found &+ 1
  }

  /// The same of an 8×8 block, whose contexts are those of Table 9-43.
  @inline(__always)
  private static func map8x8(
    _ engine: inout CABACDecoder, _ states: borrowing CheckedBuffer<UInt8>,
    _ bytes: borrowing SliceBytes, _ category: Int, _ isFieldScan: Bool,
    _ positions: inout InlineArray<64, UInt8>
  ) -> Int {
    let significant = Int(
      isFieldScan
        ? ResidualContexts.significantField[category] : ResidualContexts.significantFrame[category])
    let last = Int(
      isFieldScan ? ResidualContexts.lastField[category] : ResidualContexts.lastFrame[category])
    var found = 0
    var i = 0
    while i < 63 {
      let inc = Int(isFieldScan ? SignificanceTables.field[i] : SignificanceTables.frame[i])
      if engine.decision(significant &+ inc, states, bytes) == 1 {
        positions[found] = UInt8(truncatingIfNeeded: i)
        found &+= 1
        if engine.decision(last &+ Int(SignificanceTables.last[i]), states, bytes) == 1 {
          return found
        }
      }
      i &+= 1
    }
    positions[found] = 63
    return found &+ 1
  }

  /// The Exp-Golomb suffix of UEG0, §9.3.2.3.
  @inline(__always)
  private static func escape(_ engine: inout CABACDecoder, _ bytes: borrowing SliceBytes) -> Int32 {
    var k: Int32 = 0
    var value: Int32 = 0
    while k < 24 && engine.bypass(bytes) == 1 {
      value &+= 1 &<< k
      k &+= 1
    }
    while k > 0 {
      k &-= 1
      value &+= Int32(truncatingIfNeeded: engine.bypass(bytes)) &<< k
    }
    return value
  }
}
