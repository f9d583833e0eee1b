// residual_block_cavlc(). ISO/IEC 14496-10:2020 §7.3.5.3.2, §9.2.

import ReelCore

extension MacroblockDecoder {
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
      total = parse(&reader, memory.bytes, target, table)
      bits = reader
    } else if kind & MacroblockKind.intraMask != 0 {
      reader = bitsB
      total = parse(&reader, memory.partitionB, target, table)
      bitsB = reader
    } else {
      reader = bitsC
      total = parse(&reader, memory.partitionC, target, table)
      bitsC = reader
    }
    if total < 0 {
      fail(.residualCode)
      return 0
    }
    return total
  }

  private func parse(
    _ reader: inout SliceBitReader, _ data: borrowing SliceBytes, _ target: BlockTarget, _ nC: Int
  ) -> Int {
    CAVLCResidual.parse(
      &reader, data, tables, factors: scaling.factors, into: memory.coefficients, target, nC: nC)
  }
}
