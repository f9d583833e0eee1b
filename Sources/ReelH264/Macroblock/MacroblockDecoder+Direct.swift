// Direct prediction of B macroblocks. ISO/IEC 14496-10:2020 §8.4.1.2.

import ReelCore

/// Motion of a macroblock derived in direct mode: indices of the four 8×8 blocks and vectors of the
/// sixteen 4×4 blocks (raster), list 1 behind list 0.
struct DirectMotion {
  var references: InlineArray<8, Int8> = .init(repeating: -1)
  var vectors: InlineArray<32, MotionVector> = .init(repeating: .zero)
}

/// Motion of the co-located block. Table 8-6.
private struct ColocatedBlock {
  enum Scaling { case oneToOne, frameToField, fieldToFrame }
  var isIntra = true
  var vector = MotionVector.zero
  var reference: Int8 = -1
  var identity: Int32 = -1
  var scaling = Scaling.oneToOne
}

extension MacroblockDecoder {
  /// Derives B_Skip and B_Direct_16x16 into the caches.
  func deriveDirect() {
    let direct = directMotion()
    for list in 0..<2 {
      for block in 0..<4 { applyDirect(direct, block: block, list: list) }
    }
  }

  /// Writes one 8×8 block of derived motion into the caches.
  func applyDirect(_ direct: DirectMotion, block: Int, list: Int) {
    let raster = block >> 1 &* 8 &+ (block & 1) &* 2
    let position = list &* CachePosition.count &+ CachePosition.of(raster: raster)
    let reference = direct.references[list &* 4 &+ block]
    for row in 0..<2 {
      for column in 0..<2 {
        let at = position &+ row &* 8 &+ column
        referenceIndices[at] = reference
        vectors[at] = direct.vectors[list &* 16 &+ raster &+ row &* 4 &+ column]
      }
    }
  }

  /// Motion of all blocks of this macroblock in direct mode; the neighbours' motion must be cached.
  func directMotion() -> DirectMotion {
    waitForColocated()
    return header.directSpatialMvPredFlag ? spatialDirect() : temporalDirect()
  }

  // MARK: Spatial

  /// §8.4.1.2.2.
  private func spatialDirect() -> DirectMotion {
    var direct = DirectMotion()
    var references: InlineArray<2, Int8> = [-1, -1]
    var predicted: InlineArray<2, MotionVector> = [.zero, .zero]
    let origin = CachePosition.origin
    for list in 0..<2 {
      let position = list &* CachePosition.count &+ origin
      let a = referenceIndices[position &- 1]
      let b = referenceIndices[position &- 8]
      let diagonalIndex = referenceIndices[position &- 4]
      let c = diagonalIndex == -2 ? referenceIndices[position &- 9] : diagonalIndex
      let reference = minimumPositive(a, minimumPositive(b, c))
      references[list] = reference < 0 ? -1 : reference
      if reference >= 0 {
        predicted[list] = predictVector(position, width: 4, reference: reference)
      }
    }
    if references[0] < 0 && references[1] < 0 {
      for i in 0..<8 { direct.references[i] = 0 }
      return direct
    }
    for list in 0..<2 {
      for block in 0..<4 { direct.references[list &* 4 &+ block] = references[list] }
    }
    let mayBeStill = (references[0] == 0 || references[1] == 0) && !(colocated?.isLongTerm ?? true)
    let byCorner = sequence.direct8x8InferenceFlag
    for raster in 0..<16 {
      let row = raster >> 2
      let column = raster & 3
      if byCorner && (row & 1 != 0 || column & 1 != 0) { continue }
      let isStill = mayBeStill && isColocatedStill(row: row, column: column)
      for list in 0..<2 where references[list] >= 0 {
        let vector = isStill && references[list] == 0 ? .zero : predicted[list]
        direct.vectors[list &* 16 &+ raster] = vector
        guard byCorner else { continue }
        direct.vectors[list &* 16 &+ raster &+ 1] = vector
        direct.vectors[list &* 16 &+ raster &+ 4] = vector
        direct.vectors[list &* 16 &+ raster &+ 5] = vector
      }
    }
    return direct
  }

  /// MinPositive, (8-184): the smaller of two indices, negative ones not counting.
  @inline(__always)
  private func minimumPositive(_ a: Int8, _ b: Int8) -> Int8 {
    a >= 0 && b >= 0 ? min(a, b) : max(a, b)
  }

  /// colZeroFlag apart from its conditions on the reference of this macroblock.
  private func isColocatedStill(row: Int, column: Int) -> Bool {
    let block = colocatedBlock(row: row, column: column)
    return !block.isIntra && block.reference == 0 && block.vector.x >= -1 && block.vector.x <= 1
      && block.vector.y >= -1 && block.vector.y <= 1
  }

  // MARK: Temporal

  /// §8.4.1.2.3.
  private func temporalDirect() -> DirectMotion {
    var direct = DirectMotion()
    let byCorner = sequence.direct8x8InferenceFlag
    for raster in 0..<16 {
      let row = raster >> 2
      let column = raster & 3
      if byCorner && (row & 1 != 0 || column & 1 != 0) { continue }
      let block = colocatedBlock(row: row, column: column)
      let reference = block.isIntra ? 0 : mappedReference(block)
      var vector = block.vector
      switch block.scaling {
      case .oneToOne: break
      case .frameToField: vector.y = vector.y / 2
      case .fieldToFrame: vector.y = vector.y &* 2
      }
      var vector0 = vector
      var vector1 = MotionVector.zero
      if block.isIntra { vector0 = .zero }
      let scale = memory.distanceScales[referenceSet &* 32 &+ reference]
      if scale != 0x7FFF && !block.isIntra {
        vector0 = MotionVector(x: scaled(vector.x, scale), y: scaled(vector.y, scale))
        vector1 = MotionVector(x: vector0.x &- vector.x, y: vector0.y &- vector.y)
      }
      let quarter = row >> 1 &* 2 &+ column >> 1
      direct.references[quarter] = Int8(truncatingIfNeeded: reference)
      direct.references[4 &+ quarter] = 0
      let last = byCorner ? 1 : 0
      for i in 0...last {
        for j in 0...last {
          direct.vectors[raster &+ i &* 4 &+ j] = vector0
          direct.vectors[16 &+ raster &+ i &* 4 &+ j] = vector1
        }
      }
    }
    return direct
  }

  @inline(__always)
  private func scaled(_ component: Int16, _ scale: Int32) -> Int16 {
    Int16(truncatingIfNeeded: (scale &* Int32(component) &+ 128) >> 8)
  }

  /// refIdxL0 that names the picture which the co-located block refers to; 0 where none does.
  private func mappedReference(_ block: ColocatedBlock) -> Int {
    var identity = block.identity
    switch block.scaling {
    case .oneToOne: break
    case .frameToField:
      // The field of that frame with the parity of this picture or macroblock.
      let parity = isMbaff ? Int32(mbY & 1) : header.bottomFieldFlag ? 1 : 0
      identity = identity & ~3 | (1 + parity)
    case .fieldToFrame:
      // The frame or complementary field pair with that field.
      identity = identity | 3
    }
    let base = referenceSet &* 64
    let count = min(referenceCounts[0] &* (referenceSet == 0 ? 1 : 2), 32)
    for i in 0..<count where references[base &+ i].identity == identity { return i }
    return 0
  }

  // MARK: The co-located block

  /// §8.4.1.2.1: the block of the co-located picture for the 4×4 block at `row`, `column`.
  private func colocatedBlock(row: Int, column: Int) -> ColocatedBlock {
    guard let colocated else { return ColocatedBlock() }
    var column = column
    // yCol in blocks, or the corner of the 8×8 block that stands for all of it.
    var rowCol = row
    if sequence.direct8x8InferenceFlag {
      column = column < 2 ? 0 : 3
      rowCol = row < 2 ? 0 : 3
    }
    let lower = rowCol >> 1
    var block = ColocatedBlock()
    var at: Int
    var blockRow = rowCol
    if header.fieldPicFlag {
      (at, blockRow, block.scaling) = colocatedOfField(colocated, rowCol: rowCol)
    } else if colocated.coding == .fields {
      if isMbaff && isField {
        at = mbY & 1 &* colocated.motion.half &+ mbY >> 1 &* widthInMbs &+ mbX
      } else {
        at = colocated.nearerParity &* colocated.motion.half &+ mbY >> 1 &* widthInMbs &+ mbX
        blockRow = mbY & 1 &* 2 &+ lower
        block.scaling = .fieldToFrame
      }
    } else {
      at = index
      let isFieldCol = isMbaff && colocated.motion.flags[index] & MotionField.fieldFlag != 0
      if isMbaff && isFieldCol != isField {
        let pairRow = mbY & ~1
        if isField {
          at = (pairRow &+ lower) &* widthInMbs &+ mbX
          blockRow = rowCol &* 2 & 3
          block.scaling = .frameToField
        } else {
          at = (pairRow &+ colocated.nearerParity) &* widthInMbs &+ mbX
          blockRow = mbY & 1 &* 2 &+ lower
          block.scaling = .fieldToFrame
        }
      }
    }
    read(colocated.motion, at: at, row: blockRow, column: column, into: &block)
    return block
  }

  /// Macroblock and block row in the co-located picture when fields are coded.
  private func colocatedOfField(
    _ colocated: ColocatedPicture, rowCol: Int
  ) -> (at: Int, row: Int, ColocatedBlock.Scaling) {
    switch colocated.coding {
    case .fields:
      return (colocated.parity &* colocated.motion.half &+ index, rowCol, .oneToOne)
    case .mbaffFrame:
      let pair = 2 &* mbY &* widthInMbs &+ mbX
      if colocated.motion.flags[pair] & MotionField.fieldFlag != 0 {
        return (pair &+ (header.bottomFieldFlag ? widthInMbs : 0), rowCol, .oneToOne)
      }
      fallthrough
    case .frame:
      let at = (2 &* mbY &+ rowCol >> 1) &* widthInMbs &+ mbX
      return (at, rowCol &* 2 & 3, .frameToField)
    }
  }

  /// mvCol and refIdxCol: of list 0, or of list 1 where list 0 is not used.
  private func read(
    _ field: MotionField, at: Int, row: Int, column: Int, into block: inout ColocatedBlock
  ) {
    block.isIntra = field.flags[at] & MotionField.intraFlag != 0
    guard !block.isIntra else { return }
    let quarter = at &* 4 &+ row >> 1 &* 2 &+ column >> 1
    let vector = at &* 16 &+ row &* 4 &+ column
    block.reference = field.referenceIndices0[quarter]
    if block.reference >= 0 {
      block.identity = field.referenceIdentities0[quarter]
      block.vector = field.vectors0[vector]
    } else {
      block.reference = field.referenceIndices1[quarter]
      block.identity = field.referenceIdentities1[quarter]
      block.vector = field.vectors1[vector]
    }
  }
}
