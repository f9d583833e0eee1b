// What the macroblocks written so far said, for those beside and below. ISO/IEC 14496-10:2020 §6.4.

/// The macroblocks of a picture (a frame without MBAFF, or a field), as far as the coding of others looks at
/// them. A neighbour counts only within its slice.
public final class WrittenMacroblocks {
  public let widthInMbs: Int
  /// Slice of each macroblock; −1: not written.
  private var slices: [Int]
  private(set) var syntax: [MacroblockSyntax]
  /// total_coeff of each luma block in raster order, then of 4 Cb and 4 Cr blocks.
  private var counts: [Int]
  /// Bits of the DC blocks that have coefficients: luma 1, Cb 2, Cr 4.
  private(set) var codedDC: [Int]
  /// Of each list: the motion of each 4×4 block in raster order, nil where none was sent.
  private var motion: [[MacroblockSyntax.Motion?]]

  public init(widthInMbs: Int, heightInMbs: Int) {
    let count = widthInMbs * heightInMbs
    self.widthInMbs = widthInMbs
    slices = .init(repeating: -1, count: count)
    syntax = .init(repeating: MacroblockSyntax(.skip), count: count)
    counts = .init(repeating: 0, count: 24 * count)
    codedDC = .init(repeating: 0, count: count)
    motion = .init(repeating: .init(repeating: nil, count: 16 * count), count: 2)
  }

  /// Begins a macroblock: what it says is known to its own blocks, its coefficients are not.
  func begin(_ macroblock: MacroblockSyntax, at address: Int, slice: Int) {
    slices[address] = slice
    syntax[address] = macroblock
    codedDC[address] = macroblock.kind == .pcm ? 7 : 0
    for block in 0..<24 { counts[24 * address + block] = macroblock.kind == .pcm ? 16 : 0 }
    for list in 0..<2 {
      for block in 0..<16 { motion[list][16 * address + block] = nil }
    }
  }

  func setCount(_ count: Int, at address: Int, block: Int) { counts[24 * address + block] = count }

  func setDC(_ bit: Int, at address: Int) { codedDC[address] |= bit }

  /// Luma blocks of a partition get its motion.
  func set(_ value: MacroblockSyntax.Motion, list: Int, at address: Int, blocks: [Int]) {
    for block in blocks { motion[list][16 * address + block] = value }
  }

  /// mbAddrA, mbAddrB where they are available. §6.4.9.
  func left(of address: Int) -> Int? {
    address % widthInMbs == 0 ? nil : available(address - 1, like: address)
  }

  func above(_ address: Int) -> Int? {
    address < widthInMbs ? nil : available(address - widthInMbs, like: address)
  }

  private func available(_ neighbour: Int, like address: Int) -> Int? {
    slices[neighbour] == slices[address] ? neighbour : nil
  }

  /// Where a block lies: its macroblock and its raster index in a square of `across` blocks. §6.4.11.
  struct BlockPlace {
    let macroblock: Int
    let block: Int
  }

  func left(of address: Int, block: Int, across: Int) -> BlockPlace? {
    if block % across > 0 { return BlockPlace(macroblock: address, block: block - 1) }
    return left(of: address).map { BlockPlace(macroblock: $0, block: block + across - 1) }
  }

  func above(_ address: Int, block: Int, across: Int) -> BlockPlace? {
    if block >= across { return BlockPlace(macroblock: address, block: block - across) }
    return above(address).map {
      BlockPlace(macroblock: $0, block: block + across * (across - 1))
    }
  }

  /// total_coeff at a place; `base` 0 for luma, 16 for Cb, 20 for Cr.
  func count(_ place: BlockPlace, base: Int) -> Int {
    counts[24 * place.macroblock + base + place.block]
  }

  func motion(_ place: BlockPlace, list: Int) -> MacroblockSyntax.Motion? {
    motion[list][16 * place.macroblock + place.block]
  }
}

/// Which blocks are which.
enum BlockOrder {
  /// The raster index of luma4x4BlkIdx. §6.4.3.
  static func raster(_ index: Int) -> Int {
    let x = index & 1 | index >> 1 & 2
    let y = index >> 1 & 1 | index >> 2 & 2
    return 4 * y + x
  }

  /// Raster indices of the luma blocks of a partition.
  static func blocks(of kind: MacroblockSyntax.Kind, partition: Int) -> [Int] {
    (0..<16).filter { block in
      switch kind {
      case .inter16x8: block / 8 == partition
      case .inter8x16: block % 4 / 2 == partition
      case .inter8x8: block / 8 * 2 + block % 4 / 2 == partition
      default: true
      }
    }
  }
}
