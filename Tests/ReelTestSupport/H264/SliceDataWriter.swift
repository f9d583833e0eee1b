// slice_data(), macroblock_layer(), residual(). ISO/IEC 14496-10:2020 §7.3.4, §7.3.5.

/// Writes macroblocks behind a slice header, in the order they are given.
public struct SliceDataWriter {
  /// entropy_coding_mode_flag, with what CABAC needs.
  public enum EntropyCoding {
    case cavlc
    /// `contexts`: pStateIdx · 2 + valMPS of each ctxIdx at the start of the slice.
    case cabac(CABACEngineTables, contexts: [UInt8])
  }

  private var coder: any MacroblockCoder
  private let type: WrittenSliceType
  private let macroblocks: WrittenMacroblocks
  private let number: Int
  private let referenceCounts: [Int]
  /// The macroblock before, whose end is written when it is known whether it is the last.
  private var open: MacroblockSyntax?

  /// - Parameters:
  ///   - bits: the slice NAL unit up to the end of the header.
  ///   - number: tells the slices of a picture apart.
  ///   - isField: field scans' contexts are used.
  ///   - referenceCounts: active entries of both lists.
  public init(
    behind bits: BitWriter, _ coding: EntropyCoding, type: WrittenSliceType,
    in macroblocks: WrittenMacroblocks, number: Int, isField: Bool = false,
    referenceCounts: [Int] = [1, 1]
  ) {
    switch coding {
    case .cavlc:
      coder = CAVLCCoder(bits: bits, type: type, macroblocks: macroblocks)
    case .cabac(let tables, let contexts):
      coder = CABACCoder(
        behind: bits, tables, contexts: contexts, type: type, macroblocks: macroblocks,
        isField: isField)
    }
    self.type = type
    self.macroblocks = macroblocks
    self.number = number
    self.referenceCounts = referenceCounts
  }

  /// Adds a macroblock at an address within the picture.
  public mutating func write(_ macroblock: MacroblockSyntax, at address: Int) {
    if let open { coder.endMacroblock(open, isLast: false) }
    open = macroblock
    macroblocks.begin(macroblock, at: address, slice: number)
    if type != .i { coder.writeSkip(macroblock.kind == .skip, at: address) }
    if macroblock.kind != .skip { writeLayer(macroblock, address) }
  }

  /// Ends the slice: its bytes with the trailing bits.
  public mutating func finish() -> [UInt8] {
    if let open { coder.endMacroblock(open, isLast: true) }
    return coder.finish()
  }

  private mutating func writeLayer(_ macroblock: MacroblockSyntax, _ address: Int) {
    coder.writeType(macroblock, at: address)
    if macroblock.kind == .pcm { return coder.writeSamples(macroblock.samples) }
    if macroblock.kind.isIntra {
      if macroblock.kind == .intraNxN {
        for mode in macroblock.intraModes { coder.writeIntraMode(mode) }
      }
      coder.writeChromaMode(macroblock.chromaMode, at: address)
    } else {
      writeMotion(macroblock, address)
    }
    if macroblock.kind != .intra16x16 { coder.writePattern(macroblock, at: address) }
    guard macroblock.hasResidual else { return }
    coder.writeDeltaQP(macroblock.qpDelta)
    writeResidual(macroblock, address)
  }

  /// mb_pred() and sub_mb_pred(): all indices of list 0, of list 1, then all differences.
  private mutating func writeMotion(_ macroblock: MacroblockSyntax, _ address: Int) {
    func motion(_ list: Int, _ partition: Int) -> MacroblockSyntax.Motion? {
      list == 0 ? macroblock.motion[partition].list0 : macroblock.motion[partition].list1
    }
    for list in 0..<2 {
      for partition in macroblock.motion.indices {
        guard let motion = motion(list, partition) else { continue }
        let blocks = BlockOrder.blocks(of: macroblock.kind, partition: partition)
        if referenceCounts[list] > 1 {
          coder.writeReference(
            motion.reference, count: referenceCounts[list], list: list, at: address,
            block: blocks[0])
        }
        // The difference is not known yet to the partitions beside.
        macroblocks.set(
          .init(reference: motion.reference), list: list, at: address, blocks: blocks)
      }
    }
    for list in 0..<2 {
      for partition in macroblock.motion.indices {
        guard let motion = motion(list, partition) else { continue }
        let blocks = BlockOrder.blocks(of: macroblock.kind, partition: partition)
        coder.writeDifference(motion, list: list, at: address, block: blocks[0])
        macroblocks.set(motion, list: list, at: address, blocks: blocks)
      }
    }
  }

  private mutating func writeResidual(_ macroblock: MacroblockSyntax, _ address: Int) {
    if macroblock.kind == .intra16x16 {
      let count = coder.writeResidual(macroblock.lumaDC, .lumaDC, at: address)
      if count > 0 { macroblocks.setDC(1, at: address) }
    }
    for index in 0..<16 where macroblock.lumaPattern >> (index / 4) & 1 == 1 {
      let raster = BlockOrder.raster(index)
      let block = macroblock.kind == .intra16x16 ? ResidualBlock.lumaAC(raster) : .luma(raster)
      let count = coder.writeResidual(macroblock.luma[index], block, at: address)
      macroblocks.setCount(count, at: address, block: raster)
    }
    guard macroblock.chromaPattern > 0 else { return }
    for plane in 0..<2 {
      let count = coder.writeResidual(macroblock.chromaDC[plane], .chromaDC(plane), at: address)
      if count > 0 { macroblocks.setDC(2 << plane, at: address) }
    }
    guard macroblock.chromaPattern == 2 else { return }
    for index in 0..<8 {
      let count = coder.writeResidual(
        macroblock.chromaAC[index], .chromaAC(index / 4, block: index % 4), at: address)
      macroblocks.setCount(count, at: address, block: 16 + index)
    }
  }
}
