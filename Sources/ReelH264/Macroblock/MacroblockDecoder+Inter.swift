// Inter prediction of macroblocks. ISO/IEC 14496-10:2020 §8.4.2.

import ReelCore

/// How the samples of a block are weighted. §8.4.2.3.
private enum Weighting {
  case none, explicit, implicit
}

extension MacroblockDecoder {
  /// Predicts all partitions, then adds the residual.
  func reconstructInter() {
    switch partitionShape {
    case 0: predict(0, 0, 16, 16)
    case 1:
      predict(0, 0, 16, 8)
      predict(0, 2, 16, 8)
    case 2:
      predict(0, 0, 8, 16)
      predict(2, 0, 8, 16)
    default:
      if kind & MacroblockKind.direct != 0 && isUniform(0, 0, 4) {
        predict(0, 0, 16, 16)
      } else {
        for block in 0..<4 { predictSubmacroblock(block) }
      }
    }
    addInterResidual()
  }

  private func predictSubmacroblock(_ block: Int) {
    let x = (block & 1) &* 2
    let y = (block >> 1) &* 2
    let isDirect = directMask >> block & 1 != 0
    let shape =
      isDirect ? (sequence.direct8x8InferenceFlag || isUniform(x, y, 2) ? 0 : 3) : subShapes[block]
    switch shape {
    case 0: predict(x, y, 8, 8)
    case 1:
      predict(x, y, 8, 4)
      predict(x, y &+ 1, 8, 4)
    case 2:
      predict(x, y, 4, 8)
      predict(x &+ 1, y, 4, 8)
    default:
      predict(x, y, 4, 4)
      predict(x &+ 1, y, 4, 4)
      predict(x, y &+ 1, 4, 4)
      predict(x &+ 1, y &+ 1, 4, 4)
    }
  }

  /// All blocks of a square have the same motion, so they can be predicted at once.
  private func isUniform(_ x: Int, _ y: Int, _ size: Int) -> Bool {
    for list in 0..<listCount {
      let first = list &* CachePosition.count &+ CachePosition.origin &+ y &* 8 &+ x
      let (reference, vector) = (referenceIndices[first], vectors[first])
      for row in 0..<size {
        for column in 0..<size {
          let at = first &+ row &* 8 &+ column
          if referenceIndices[at] != reference || vectors[at] != vector { return false }
        }
      }
    }
    return true
  }

  /// Index into ``references`` for a reference index of a list.
  @inline(__always)
  private func entry(_ list: Int, _ reference: Int8) -> Int {
    (referenceSet &* 2 &+ list) &* 32 &+ Int(reference) & 31
  }

  /// Predicts the block at `x`, `y` (in 4×4 blocks) of `width` × `height` samples in all planes.
  private func predict(_ x: Int, _ y: Int, _ width: Int, _ height: Int) {
    let position = CachePosition.origin &+ y &* 8 &+ x
    let reference0 = referenceIndices[position]
    let reference1: Int8 = isBSlice ? referenceIndices[CachePosition.count &+ position] : -1
    let planeCount = chromaArrayType == 0 ? 1 : 3
    for plane in 0..<planeCount {
      let target = target(plane, x, y)
      let columns = width >> horizontalShift(plane)
      let rows = height >> verticalShift(plane)
      guard reference0 >= 0 && reference1 >= 0 else {
        let list = reference0 >= 0 ? 0 : 1
        let reference = list == 0 ? reference0 : max(reference1, 0)
        interpolate(
          plane, list: list, entry: entry(list, reference),
          vector: vectors[list &* CachePosition.count &+ position], x, y, self.plane(plane),
          target.at, target.stride, columns, rows)
        weightOne(plane, list: list, reference: reference, target, columns, rows)
        continue
      }
      interpolate(
        plane, list: 0, entry: entry(0, reference0), vector: vectors[position], x, y,
        self.plane(plane), target.at, target.stride, columns, rows)
      interpolate(
        plane, list: 1, entry: entry(1, reference1),
        vector: vectors[CachePosition.count &+ position], x, y, scratchView, 0,
        scratchView.stride, columns, rows)
      weightBoth(plane, reference0, reference1, target, columns, rows)
    }
  }

  /// The block's place in the picture.
  @inline(__always)
  private func target(_ plane: Int, _ x: Int, _ y: Int) -> BlockPosition {
    let origin = position(plane)
    let row = (y &* 4) >> verticalShift(plane)
    return BlockPosition(
      at: origin.at &+ row &* origin.stride &+ (x &* 4) >> horizontalShift(plane),
      stride: origin.stride)
  }

  // MARK: Fractional samples

  /// §8.4.2.2: samples of one reference for a block, into `dst`.
  @inline(__always)
  private func interpolate(
    _ plane: Int, list: Int, entry: Int, vector: MotionVector, _ x: Int, _ y: Int,
    _ dst: PlaneView<S>, _ at: Int, _ stride: Int, _ width: Int, _ height: Int
  ) {
    // Rows of field macroblocks count within the field.
    let lumaX = mbX &* 16 &+ x &* 4
    let lumaY = (isMbaff && isField ? mbY >> 1 : mbY) &* 16 &+ y &* 4
    if plane == 0 {
      // Down to the last line that the six taps reach; chroma needs no more. A block above the
      // picture is made of its first line.
      let bottom = max(lumaY &+ Int(vector.y) >> 2 &+ height &+ 4, 1)
      if bottom > knownLines[entry] { waitForLines(entry, bottom) }
    }
    if plane == 0 || chromaArrayType == 3 {
      let source =
        plane == 0 ? references[entry].y : plane == 1 ? references[entry].cb : references[entry].cr
      predictLuma(
        dst, at: at, stride: stride, from: source, x: lumaX &* 4 &+ Int(vector.x),
        y: lumaY &* 4 &+ Int(vector.y), width: width, height: height, maximum: maximum(plane))
      return
    }
    let source = plane == 1 ? references[entry].cb : references[entry].cr
    let chromaX = (lumaX &* 4 &+ Int(vector.x))
    if chromaArrayType == 1 {
      let chromaY = lumaY &* 4 &+ Int(vector.y) &+ fieldOffset(references[entry].isBottomField)
      predictChroma(
        dst, at: at, stride: stride, from: source, x: chromaX >> 3, y: chromaY >> 3,
        xFraction: chromaX & 7, yFraction: chromaY & 7, width: width, height: height)
    } else {
      let chromaY = lumaY &* 4 &+ Int(vector.y)
      predictChroma(
        dst, at: at, stride: stride, from: source, x: chromaX >> 3, y: chromaY >> 2,
        xFraction: chromaX & 7, yFraction: (chromaY & 3) &* 2, width: width, height: height)
    }
  }

  /// The vertical chroma offset between fields of different parity, in 1/8 samples. Table 8-9.
  @inline(__always)
  private func fieldOffset(_ isReferenceBottom: Bool) -> Int {
    let isFieldCoded = header.fieldPicFlag || (isMbaff && isField)
    guard isFieldCoded else { return 0 }
    let isBottom = header.fieldPicFlag ? header.bottomFieldFlag : mbY & 1 != 0
    if isReferenceBottom == isBottom { return 0 }
    return isReferenceBottom ? -2 : 2
  }

  // MARK: Weights

  private var weighting: Weighting {
    if header.hasExplicitWeights { return .explicit }
    return isBSlice && parameters.weightedBipredIdc == 2 ? .implicit : .none
  }

  /// The explicit weight of a plane for a reference index; field macroblocks share the frame's.
  private func explicitWeight(
    _ plane: Int, list: Int, _ reference: Int8
  ) -> (weight: Int, offset: Int) {
    let index = isMbaff && isField ? Int(reference) >> 1 : Int(reference)
    let table = list == 0 ? header.weights0 : header.weights1
    guard index < table.count else { return (1 << logWD(plane), 0) }
    let entry = table[index]
    let scale = Int32(bitDepth(plane) &- 8)
    return switch plane {
    case 0: (Int(entry.lumaWeight), Int(entry.lumaOffset &<< scale))
    case 1: (Int(entry.cbWeight), Int(entry.cbOffset &<< scale))
    default: (Int(entry.crWeight), Int(entry.crOffset &<< scale))
    }
  }

  @inline(__always)
  private func logWD(_ plane: Int) -> Int {
    plane == 0 ? header.lumaLog2WeightDenom : header.chromaLog2WeightDenom
  }

  private func weightOne(
    _ plane: Int, list: Int, reference: Int8, _ target: BlockPosition, _ width: Int, _ height: Int
  ) {
    guard header.hasExplicitWeights else { return }
    let (weight, offset) = explicitWeight(plane, list: list, reference)
    let denominator = logWD(plane)
    if weight == 1 << denominator && offset == 0 { return }
    weightBlock(
      self.plane(plane), at: target.at, stride: target.stride, width: width, height: height,
      logWD: denominator, weight: weight, offset: offset, maximum: maximum(plane))
  }

  private func weightBoth(
    _ plane: Int, _ reference0: Int8, _ reference1: Int8, _ target: BlockPosition, _ width: Int,
    _ height: Int
  ) {
    var denominator = 5
    var (weight0, weight1) = (32, 32)
    var offset = 0
    switch weighting {
    case .none: break
    case .implicit:
      weight1 = Int(
        memory.implicitWeights[
          (referenceSet &* 32 &+ Int(reference0) & 31) &* 32 &+ Int(reference1) & 31])
      weight0 = 64 &- weight1
    case .explicit:
      denominator = logWD(plane)
      let first = explicitWeight(plane, list: 0, reference0)
      let second = explicitWeight(plane, list: 1, reference1)
      (weight0, weight1) = (first.weight, second.weight)
      offset = (first.offset &+ second.offset &+ 1) >> 1
    }
    let view = self.plane(plane)
    if weight0 == 1 << denominator && weight1 == weight0 && offset == 0 {
      averageBlock(
        view, at: target.at, stride: target.stride, with: scratchView, otherAt: 0,
        otherStride: scratchView.stride, width: width, height: height)
    } else {
      weightBlocks(
        view, at: target.at, stride: target.stride, with: scratchView, otherAt: 0,
        otherStride: scratchView.stride, width: width, height: height, logWD: denominator,
        weight0: weight0, weight1: weight1, offset: offset, maximum: maximum(plane))
    }
  }
}
