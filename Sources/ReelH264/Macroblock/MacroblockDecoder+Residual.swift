// residual(): which blocks are coded, in which order, and how they are scaled. ISO/IEC 14496-10:2020 §7.3.5.3.

import ReelCore

/// Where the levels of a block go and what they are multiplied with.
struct BlockTarget {
  /// First coefficient in the buffer.
  var base: Int
  /// First index that is used (1 for AC blocks), and entries of the block.
  var start: Int
  var count: Int
  /// Offset of the scan in ``ResidualTables/scans`` and its step from index to index.
  var scan: Int
  var step = 1
  /// Offset in the scaling factors of raster position 0.
  var factors: Int
  /// qP / 6.
  var shift: Int32
  /// Right shift after scaling, with rounding: 4 for 4×4 and 6 for 8×8 blocks. §8.5.12.1, §8.5.13.1.
  var down: Int32
}

extension MacroblockDecoder {
  // MARK: Counts of coefficients

  /// Value in the cache for blocks that are not available.
  static var unavailableCount: UInt8 { 64 }

  /// Fills the counts of the neighbouring blocks. §9.2.1, §9.3.3.1.1.9.
  func fillCounts() {
    // CABAC asks for a coded_block_flag of missing neighbours: 1 in intra macroblocks, else 0.
    let isIntra = kind & MacroblockKind.intraMask != 0
    let missing: UInt8 = isCABAC ? (isIntra ? 1 : 0) : Self.unavailableCount
    let planeCount = chromaArrayType == 0 ? 1 : 3
    for plane in 0..<planeCount {
      let base = plane &* CachePosition.count &+ CachePosition.origin
      let columns = plane > 0 && chromaArrayType < 3 ? 2 : 4
      let rows = plane > 0 && chromaArrayType == 1 ? 2 : 4
      for column in 0..<columns {
        counts[base &- 8 &+ column] =
          top < 0
          ? missing
          : neighbourCount(top, plane &* 16 &+ (rows &- 1) &* 4 &+ column, isIntra)
      }
      for row in 0..<rows {
        // Rows of chroma blocks are mapped like the luma rows that they lie beside.
        let lumaRow = rows == 4 ? row : row &* 2
        let neighbour = left(lumaRow)
        let mapped = rows == 4 ? leftRow(row) : leftRow(lumaRow) >> 1
        counts[base &- 1 &+ row &* 8] =
          neighbour < 0
          ? missing : neighbourCount(neighbour, plane &* 16 &+ mapped &* 4 &+ columns &- 1, isIntra)
        for column in 0..<columns { counts[base &+ row &* 8 &+ column] = 0 }
      }
    }
  }

  @inline(__always)
  private func neighbourCount(_ neighbour: Int, _ block: Int, _ isIntra: Bool) -> UInt8 {
    // With data partitioning intra macroblocks must not depend on inter residual. §9.2.1.
    if isIntra && parameters.constrainedIntraPredFlag && isPartitioned
      && context.kind[neighbour] & MacroblockKind.inter != 0
    {
      return 0
    }
    return context.coefficientCounts[neighbour &* 48 &+ block]
  }

  /// nal_unit_type 2…4.
  var isPartitioned: Bool { header.nalUnitType == .partitionA }

  /// Writes the counts of this macroblock and the mask that the loop filter uses.
  func storeCounts() {
    let stored = index &* 48
    guard codedBlockPattern != 0 else {
      context.coefficientCounts.fill(stored..<stored &+ 48, with: 0)
      context.nonzeroLuma[index] = 0
      return
    }
    var mask: UInt16 = 0
    for row in 0..<4 {
      for column in 0..<4 {
        let count = counts[CachePosition.origin &+ row &* 8 &+ column]
        context.coefficientCounts[stored &+ row &* 4 &+ column] = count
        if count != 0 { mask |= 1 << UInt16(truncatingIfNeeded: row &* 4 &+ column) }
      }
    }
    // Chroma edges are filtered with the strengths of luma, in 4:4:4 as well. §8.7.2.1.
    context.nonzeroLuma[index] = spread(mask)
    guard chromaArrayType > 0 else { return }
    for plane in 1...2 {
      let base = plane &* CachePosition.count &+ CachePosition.origin
      for row in 0..<4 {
        for column in 0..<4 {
          let count = counts[base &+ row &* 8 &+ column]
          context.coefficientCounts[stored &+ plane &* 16 &+ row &* 4 &+ column] = count
        }
      }
    }
  }

  /// With the 8×8 transform a coefficient counts for its whole 8×8 block.
  @inline(__always)
  private func spread(_ mask: UInt16) -> UInt16 {
    guard usesTransform8x8 else { return mask }
    var result: UInt16 = 0
    for quarter: UInt16 in [0x0033, 0x00CC, 0x3300, 0xCC00] where mask & quarter != 0 {
      result |= quarter
    }
    return result
  }

  // MARK: Residual

  /// residual( 0, 15 ).
  func parseResidual() {
    guard !hasFault else { return }
    guard !isPartitioned || hasResidualPartition else {
      // The partition is lost: the prediction stands alone.
      missingResidualCount += 1
      codedBlockPattern = 0
      return
    }
    parseLuma(plane: 0)
    if chromaArrayType == 1 || chromaArrayType == 2 {
      parseChroma()
    } else if chromaArrayType == 3 {
      parseLuma(plane: 1)
      parseLuma(plane: 2)
    }
  }

  private var hasResidualPartition: Bool {
    kind & MacroblockKind.intraMask != 0 ? input.partitionB != nil : input.partitionC != nil
  }

  /// qP of a plane's residual, with QpBdOffset: QP′Y or QP′C.
  func planeQP(_ plane: Int) -> Int {
    guard plane > 0 else { return qp + sequence.qpBdOffsetY }
    let offset =
      plane == 1 ? parameters.chromaQPIndexOffset : parameters.secondChromaQPIndexOffset
    return ChromaQP.value(lumaQP: qp, offset: offset, bdOffset: sequence.qpBdOffsetC)
      + sequence.qpBdOffsetC
  }

  /// residual_luma() of Y, or of Cb and Cr in 4:4:4.
  private func parseLuma(plane: Int) {
    let qp = planeQP(plane)
    let isIntra = kind & MacroblockKind.intraMask != 0
    let isFieldScan = isField || header.fieldPicFlag
    let list = (isIntra ? 0 : 3) + plane
    let counts = plane &* CachePosition.count
    let categories = plane == 0 ? 0 : plane == 1 ? 6 : 10
    // §8.6 wants the levels as they were sent.
    let isRaw = transformBypass || usesSwitchingTransform
    var target = BlockTarget(
      base: 0, start: 0, count: 16,
      scan: isFieldScan ? ResidualTables.field4x4 : ResidualTables.frame4x4,
      factors: isRaw
        ? ScalingTables.flat4x4 : ScalingTables.offset4x4(list: list, remainder: qp % 6),
      shift: isRaw ? 0 : Int32(qp / 6), down: 4)
    let isIntra16x16 = kind & MacroblockKind.intra16x16 != 0
    if isIntra16x16 {
      var dc = target
      dc.base = 768 + plane * 16
      dc.factors = ScalingTables.flat4x4
      dc.shift = 0
      if parseBlock(dc, category: categories, at: counts + CachePosition.origin, dcPlane: plane) > 0
      {
        codedDC |= 1 << plane
      }
      target.start = 1
      target.count = 15
    }
    for quarter in 0..<4 where codedBlockPattern >> quarter & 1 != 0 {
      if usesTransform8x8 {
        parse8x8(
          plane: plane, quarter: quarter, qp: qp, list: list, isFieldScan: isFieldScan,
          category: categories == 0 ? 5 : categories + 3)
        continue
      }
      for block in quarter &* 4..<quarter &* 4 &+ 4 {
        target.base = plane &* 256 &+ block &* 16
        let position = counts &+ CachePosition.of(raster: Int(ScanTables.blockRaster[block]))
        let count = parseBlock(
          target, category: categories &+ (isIntra16x16 ? 1 : 2), at: position, dcPlane: -1)
        self.counts[position] = UInt8(truncatingIfNeeded: count)
      }
    }
  }

  private func parse8x8(
    plane: Int, quarter: Int, qp: Int, list: Int, isFieldScan: Bool, category: Int
  ) {
    // The 8×8 lists come as Intra Y, Inter Y, Intra Cb, Inter Cb, Intra Cr, Inter Cr.
    let list8x8 = plane * 2 + (list >= 3 ? 1 : 0)
    var target = BlockTarget(
      base: plane &* 256 &+ quarter &* 64, start: 0, count: 64,
      scan: isFieldScan ? ResidualTables.field8x8 : ResidualTables.frame8x8,
      factors: transformBypass
        ? ScalingTables.flat8x8 : ScalingTables.offset8x8(list: list8x8, remainder: qp % 6),
      shift: transformBypass ? 0 : Int32(qp / 6), down: 6)
    let origin =
      plane &* CachePosition.count &+ CachePosition.origin &+ (quarter >> 1) &* 16
      &+ (quarter & 1) &* 2
    if isCABAC {
      let count = parse8x8CABAC(target, category: category, at: origin)
      let stored = UInt8(truncatingIfNeeded: min(count, 16))
      counts[origin] = stored
      counts[origin &+ 1] = stored
      counts[origin &+ 8] = stored
      counts[origin &+ 9] = stored
      return
    }
    for part in 0..<4 {
      target.count = 16
      target.step = 4
      target.scan = (isFieldScan ? ResidualTables.field8x8 : ResidualTables.frame8x8) + part
      let position = origin &+ (part >> 1) &* 8 &+ part & 1
      let count = parseCAVLC(target, table: neighbourAverage(position))
      counts[position] = UInt8(truncatingIfNeeded: count)
    }
  }

  /// Chroma DC and AC of 4:2:0 and 4:2:2.
  private func parseChroma() {
    let pattern = codedBlockPattern >> 4
    guard pattern != 0 else { return }
    let is422 = chromaArrayType == 2
    for plane in 1...2 {
      let target = BlockTarget(
        base: 768 + plane * 16, start: 0, count: is422 ? 8 : 4,
        scan: is422 ? ResidualTables.chromaDC422 : ResidualTables.plain,
        factors: ScalingTables.flat4x4, shift: 0, down: 4)
      let count =
        isCABAC
        ? parseDCCABAC(target, category: 3, plane: plane)
        : parseChromaDCCAVLC(target)
      if count > 0 { codedDC |= 1 << plane }
    }
    guard pattern & 2 != 0 else { return }
    let isIntra = kind & MacroblockKind.intraMask != 0
    let isFieldScan = isField || header.fieldPicFlag
    let isRaw = transformBypass || usesSwitchingTransform
    for plane in 1...2 {
      let qp = planeQP(plane)
      var target = BlockTarget(
        base: 0, start: 1, count: 15,
        scan: isFieldScan ? ResidualTables.field4x4 : ResidualTables.frame4x4,
        factors: isRaw
          ? ScalingTables.flat4x4
          : ScalingTables.offset4x4(list: (isIntra ? 0 : 3) + plane, remainder: qp % 6),
        shift: isRaw ? 0 : Int32(qp / 6), down: 4)
      let origin = plane &* CachePosition.count &+ CachePosition.origin
      for block in 0..<(is422 ? 8 : 4) {
        target.base = plane &* 256 &+ block &* 16
        let position = origin &+ (block >> 1) &* 8 &+ block & 1
        let count = parseBlock(target, category: 4, at: position, dcPlane: -1)
        counts[position] = UInt8(truncatingIfNeeded: count)
      }
    }
  }

  /// A block by the entropy coder in use; returns its count of coefficients.
  @inline(__always)
  private func parseBlock(
    _ target: BlockTarget, category: Int, at position: Int, dcPlane: Int
  ) -> Int {
    guard isCABAC else { return parseCAVLC(target, table: neighbourAverage(position)) }
    return dcPlane >= 0
      ? parseDCCABAC(target, category: category, plane: dcPlane)
      : parse4x4CABAC(target, category: category, at: position)
  }

  /// nC, §9.2.1: the mean of the neighbours' counts that are available.
  @inline(__always)
  private func neighbourAverage(_ position: Int) -> Int {
    let a = Int(counts[position &- 1])
    let b = Int(counts[position &- 8])
    if a == 64 { return b == 64 ? 0 : b }
    return b == 64 ? a : (a &+ b &+ 1) >> 1
  }
}
