// The deblocking filter process: which edges, with which thresholds. ISO/IEC 14496-10:2020 §8.7.

import ReelCore

/// Filters the macroblocks of a decoded picture in place.
struct LoopFilter<S: H264Sample> {
  let context: PictureContext
  let motion: MotionField
  let motionBase: Int
  let widthInMbs: Int
  let heightInMbs: Int
  let y, cb, cr: PlaneView<S>
  let chromaArrayType: Int
  let bitDepthY: Int
  let bitDepthC: Int
  let isMbaff: Bool
  let isFieldPicture: Bool
  var slices: [SliceFilterParameters] = []

  init(
    _ target: borrowing PictureTarget<S>, sequence: SequenceParameterSet, isMbaff: Bool
  ) {
    context = target.context
    motion = target.motion
    motionBase = target.motionBase
    widthInMbs = target.widthInMbs
    heightInMbs = target.heightInMbs
    (y, cb, cr) = (target.y, target.cb, target.cr)
    chromaArrayType = sequence.chromaArrayType
    bitDepthY = sequence.bitDepthLuma
    bitDepthC = sequence.bitDepthChroma
    self.isMbaff = isMbaff
    isFieldPicture = target.structure.isField
  }

  /// Filters rows of macroblocks (pairs of rows in MBAFF frames, so an even range there).
  func filter(rows: Range<Int>) {
    if isMbaff {
      for pairRow in rows.lowerBound / 2..<rows.upperBound / 2 {
        for x in 0..<widthInMbs {
          filterMacroblock(x, pairRow * 2)
          filterMacroblock(x, pairRow * 2 + 1)
        }
      }
      return
    }
    for row in rows {
      for x in 0..<widthInMbs { filterMacroblock(x, row) }
    }
  }

  private func filterMacroblock(_ x: Int, _ row: Int) {
    let index = row &* widthInMbs &+ x
    let sliceNumber = Int(context.slice[index])
    guard sliceNumber >= 0 && sliceNumber < slices.count else { return }
    let slice = slices[sliceNumber]
    guard slice.disableDeblockingFilterIdc != 1 else { return }
    var macroblock = FilteredMacroblock(self, x: x, row: row, index: index, slice: slice)
    filterVertical(&macroblock)
    filterHorizontal(&macroblock)
  }

  // MARK: Vertical edges

  private func filterVertical(_ m: inout FilteredMacroblock) {
    if m.x > 0 {
      let pair = isMbaff ? m.index &- 1 &- (m.row & 1) &* widthInMbs : m.index &- 1
      if mayCross(to: pair, m) {
        if isMbaff && isField(pair) != m.isField {
          filterMixedLeft(m, pair: pair)
        } else {
          // The macroblock beside has the same place in its pair.
          let strengths = edgeStrengths(m, neighbour: m.index &- 1, isVertical: true)
          filterEdge(m, neighbour: m.index &- 1, edge: 0, isVertical: true, strengths)
        }
      }
    }
    filterInner(m, isVertical: true)
  }

  /// The left edge between a frame and a field pair: every other line, or each half, has another
  /// neighbour.
  private func filterMixedLeft(_ m: FilteredMacroblock, pair: Int) {
    for half in 0..<2 {
      let neighbour = pair &+ half &* widthInMbs
      var strengths: UInt32 = 0
      for group in 0..<4 {
        // A frame macroblock: lines of one parity, two in each group. A field macroblock: lines
        // 8 · half + 2 · group and the next.
        let lineQ = m.isField ? 8 &* half &+ 2 &* group : 4 &* group
        let lineP =
          m.isField
          ? (2 &* lineQ) & 15 : (16 &* (m.row & 1) &+ lineQ) >> 1
        let strength = mixedStrength(
          m, neighbour: neighbour, blockQ: lineQ >> 2 &* 4, blockP: lineP >> 2 &* 4 &+ 3,
          intraStrength: 4)
        strengths |= UInt32(strength) &<< UInt32(8 &* group)
      }
      guard strengths != 0 else { continue }
      let first = m.isField ? 8 &* half : half
      let step = m.isField ? 1 : 2
      filterLines(m, neighbour: neighbour, firstLine: first, lineStep: step, strengths)
    }
  }

  /// Strength between macroblocks of different field mode. §8.7.2.1: never 0.
  private func mixedStrength(
    _ m: FilteredMacroblock, neighbour: Int, blockQ: Int, blockP: Int, intraStrength: UInt8
  ) -> UInt8 {
    if m.isIntra || isIntra(neighbour, m) { return intraStrength }
    let isCoded =
      context.nonzeroLuma[m.index] >> UInt16(blockQ) & 1 != 0
      || context.nonzeroLuma[neighbour] >> UInt16(blockP) & 1 != 0
    return isCoded ? 2 : 1
  }

  /// Eight lines of a mixed left edge, two for each strength.
  private func filterLines(
    _ m: FilteredMacroblock, neighbour: Int, firstLine: Int, lineStep: Int, _ strengths: UInt32
  ) {
    for plane in 0..<(chromaArrayType == 0 ? 1 : 3) {
      let t = thresholds(m, neighbour: neighbour, plane: plane)
      guard t.alpha > 0 else { continue }
      let origin = m.origin(plane, self)
      let samples = samples(plane)
      if plane == 0 || chromaArrayType != 1 {
        // As many lines as luma has.
        let at = origin.at &+ firstLine &* origin.stride
        if plane == 0 || chromaArrayType == 3 {
          filterLumaEdge(
            samples, at: at, across: 1, along: lineStep &* origin.stride, linesPerStrength: 2,
            strengths: strengths, alpha: t.alpha, beta: t.beta, indexA: t.indexA,
            bitDepth: bitDepth(plane))
        } else {
          filterChromaEdge(
            samples, at: at, across: 1, along: lineStep &* origin.stride, linesPerStrength: 2,
            strengths: strengths, alpha: t.alpha, beta: t.beta, indexA: t.indexA,
            bitDepth: bitDepth(plane))
        }
      } else {
        let first = m.isField ? firstLine >> 1 : firstLine
        filterChromaEdge(
          samples, at: origin.at &+ first &* origin.stride, across: 1,
          along: lineStep &* origin.stride, linesPerStrength: 1, strengths: strengths,
          alpha: t.alpha, beta: t.beta, indexA: t.indexA, bitDepth: bitDepth(plane))
      }
    }
  }

  // MARK: Horizontal edges

  private func filterHorizontal(_ m: inout FilteredMacroblock) {
    filterTop(m)
    filterInner(m, isVertical: false)
  }

  private func filterTop(_ m: FilteredMacroblock) {
    guard isMbaff else {
      guard m.row > 0, mayCross(to: m.index &- widthInMbs, m) else { return }
      let neighbour = m.index &- widthInMbs
      let strengths = edgeStrengths(m, neighbour: neighbour, isVertical: false)
      filterEdge(m, neighbour: neighbour, edge: 0, isVertical: false, strengths)
      return
    }
    if m.row & 1 == 1 && !m.isField {
      // Inside the pair.
      let neighbour = m.index &- widthInMbs
      let strengths = edgeStrengths(m, neighbour: neighbour, isVertical: false)
      filterEdge(m, neighbour: neighbour, edge: 0, isVertical: false, strengths)
      return
    }
    let pair = m.index &- (m.row & 1) &* widthInMbs &- 2 &* widthInMbs
    guard m.row > 1, mayCross(to: pair, m) else { return }
    let isFieldAbove = isField(pair)
    if !m.isField && isFieldAbove {
      // A frame macroblock below a field pair: its lines of each parity against that field.
      for parity in 0..<2 {
        filterMixedTop(m, neighbour: pair &+ parity &* widthInMbs, parity: parity)
      }
      return
    }
    if m.isField != isFieldAbove {
      // A field macroblock below a frame pair.
      let neighbour = pair &+ widthInMbs
      filterEdge(
        m, neighbour: neighbour, edge: 0, isVertical: false,
        mixedTopStrengths(m, neighbour: neighbour))
      return
    }
    let neighbour = m.isField ? pair &+ (m.row & 1) &* widthInMbs : pair &+ widthInMbs
    let strengths = edgeStrengths(m, neighbour: neighbour, isVertical: false)
    filterEdge(m, neighbour: neighbour, edge: 0, isVertical: false, strengths)
  }

  private func mixedTopStrengths(_ m: FilteredMacroblock, neighbour: Int) -> UInt32 {
    var strengths: UInt32 = 0
    for column in 0..<4 {
      let strength = mixedStrength(
        m, neighbour: neighbour, blockQ: column, blockP: 12 &+ column, intraStrength: 3)
      strengths |= UInt32(strength) &<< UInt32(8 &* column)
    }
    return strengths
  }

  private func filterMixedTop(_ m: FilteredMacroblock, neighbour: Int, parity: Int) {
    let strengths = mixedTopStrengths(m, neighbour: neighbour)
    for plane in 0..<(chromaArrayType == 0 ? 1 : 3) {
      let origin = m.origin(plane, self)
      filterRow(
        m, neighbour: neighbour, plane: plane, at: origin.at &+ parity &* origin.stride,
        stride: 2 &* origin.stride, strengths)
    }
  }

  // MARK: Inner edges

  private func filterInner(_ m: FilteredMacroblock, isVertical: Bool) {
    let usesTransform8x8 = m.kind & MacroblockKind.transform8x8 != 0
    for edge in 1..<4 {
      // In 4:2:2 the chroma rows of odd edges are transform edges even where luma's are not.
      let isChromaOnly = usesTransform8x8 && edge & 1 == 1
      if isChromaOnly && (isVertical || chromaArrayType != 2) { continue }
      let strengths =
        m.isIntra ? 0x0303_0303 : innerStrengths(m, edge: edge, isVertical: isVertical)
      guard strengths != 0 else { continue }
      filterEdge(
        m, neighbour: m.index, edge: edge, isVertical: isVertical, strengths,
        isChromaOnly: isChromaOnly)
    }
  }

  // MARK: Strengths

  @inline(__always)
  func isField(_ index: Int) -> Bool { context.kind[index] & MacroblockKind.field != 0 }

  @inline(__always)
  private func isIntra(_ index: Int, _ m: FilteredMacroblock) -> Bool {
    if context.kind[index] & MacroblockKind.intraMask != 0 { return true }
    let slice = Int(context.slice[index])
    return slice >= 0 && slice < slices.count && slices[slice].isSwitching
  }

  /// The edge to a neighbouring macroblock is filtered as far as slices go.
  private func mayCross(to neighbour: Int, _ m: FilteredMacroblock) -> Bool {
    m.slice.disableDeblockingFilterIdc != 2
      || context.slice[neighbour] == context.slice[m.index]
  }

  /// Strengths of a macroblock edge between macroblocks of the same field mode.
  private func edgeStrengths(
    _ m: FilteredMacroblock, neighbour: Int, isVertical: Bool
  ) -> UInt32 {
    if m.isIntra || isIntra(neighbour, m) {
      // Horizontal edges between fields are never filtered with strength 4.
      return !isVertical && (isFieldPicture || m.isField) ? 0x0303_0303 : 0x0404_0404
    }
    let codedQ = context.nonzeroLuma[m.index] & (isVertical ? 0x1111 : 0x000F)
    let codedP = context.nonzeroLuma[neighbour] & (isVertical ? 0x8888 : 0xF000)
    if codedQ | codedP == 0 && context.divisions[m.index] == 0 && context.divisions[neighbour] == 0
    {
      // Undivided macroblocks have one strength along the whole edge.
      return motionDiffers(m, 0, neighbour, 15) ? 0x0101_0101 : 0
    }
    var strengths: UInt32 = 0
    for i in 0..<4 {
      let blockQ = isVertical ? i &* 4 : i
      let blockP = isVertical ? i &* 4 &+ 3 : 12 &+ i
      strengths |=
        UInt32(strength(m, blockQ, neighbour, blockP)) &<< UInt32(truncatingIfNeeded: 8 &* i)
    }
    return strengths
  }

  /// Strengths of an edge inside an inter macroblock.
  private func innerStrengths(_ m: FilteredMacroblock, edge: Int, isVertical: Bool) -> UInt32 {
    let division = context.divisions[m.index]
    let mayDiffer =
      division == 4
      || (edge == 2 && (division == 3 || division == (isVertical ? 2 : 1)))
    let mask = context.nonzeroLuma[m.index]
    if !mayDiffer && mask == 0 { return 0 }
    var strengths: UInt32 = 0
    for i in 0..<4 {
      let blockQ = isVertical ? i &* 4 &+ edge : edge &* 4 &+ i
      let blockP = isVertical ? blockQ &- 1 : blockQ &- 4
      var value: UInt32 = 0
      if (mask >> UInt16(truncatingIfNeeded: blockQ) | mask >> UInt16(truncatingIfNeeded: blockP))
        & 1
        != 0
      {
        value = 2
      } else if mayDiffer && motionDiffers(m, blockQ, m.index, blockP) {
        value = 1
      }
      strengths |= value &<< UInt32(truncatingIfNeeded: 8 &* i)
    }
    return strengths
  }

  @inline(__always)
  private func strength(_ m: FilteredMacroblock, _ blockQ: Int, _ neighbour: Int, _ blockP: Int)
    -> UInt8
  {
    if context.nonzeroLuma[m.index] >> UInt16(truncatingIfNeeded: blockQ) & 1 != 0
      || context.nonzeroLuma[neighbour] >> UInt16(truncatingIfNeeded: blockP) & 1 != 0
    {
      return 2
    }
    return motionDiffers(m, blockQ, neighbour, blockP) ? 1 : 0
  }

  /// Different reference pictures or number of vectors, or vectors a whole sample apart.
  private func motionDiffers(
    _ m: FilteredMacroblock, _ blockQ: Int, _ neighbour: Int, _ blockP: Int
  ) -> Bool {
    let q = motionBase &+ m.index
    let p = motionBase &+ neighbour
    let quarterQ = q &* 4 &+ blockQ >> 3 &* 2 &+ (blockQ >> 1) & 1
    let quarterP = p &* 4 &+ blockP >> 3 &* 2 &+ (blockP >> 1) & 1
    let q0 = motion.referenceIdentities0[quarterQ]
    let q1 = motion.referenceIdentities1[quarterQ]
    let p0 = motion.referenceIdentities0[quarterP]
    let p1 = motion.referenceIdentities1[quarterP]
    let isStraight = p0 == q0 && p1 == q1
    let isCrossed = p0 == q1 && p1 == q0
    guard isStraight || isCrossed else { return true }
    let vq = q &* 16 &+ blockQ
    let vp = p &* 16 &+ blockP
    let limit: Int16 = isFieldPicture || m.isField ? 2 : 4
    // An unused list has no vector to compare.
    let straight =
      (q0 >= 0 && apart(motion.vectors0[vp], motion.vectors0[vq], limit))
      || (q1 >= 0 && apart(motion.vectors1[vp], motion.vectors1[vq], limit))
    if isStraight && (!isCrossed || !straight) { return straight }
    let crossed =
      (q1 >= 0 && apart(motion.vectors0[vp], motion.vectors1[vq], limit))
      || (q0 >= 0 && apart(motion.vectors1[vp], motion.vectors0[vq], limit))
    return isStraight ? straight && crossed : crossed
  }

  @inline(__always)
  private func apart(_ a: MotionVector, _ b: MotionVector, _ limit: Int16) -> Bool {
    abs(Int32(a.x) &- Int32(b.x)) >= 4 || abs(Int32(a.y) &- Int32(b.y)) >= Int32(limit)
  }
}
