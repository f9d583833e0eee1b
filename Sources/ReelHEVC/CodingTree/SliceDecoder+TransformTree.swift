// Transform trees and units. ISO/IEC 23008-2:2020 §7.3.8.8, §7.3.8.10, §7.3.8.14.

import ReelCore

extension SliceDecoder {
  /// transform_tree(). `parentCb` and `parentCr`: cbf of the parent, bit 1 for the lower block of 4:2:2.
  func decodeTransformTree(
    _ x0: Int, _ y0: Int, _ xBase: Int, _ yBase: Int, _ log2Size: Int, _ depth: Int, _ index: Int,
    parentCb: Int, parentCr: Int
  ) {
    let isInterSplit =
      sequence.maxTransformHierarchyDepthInter == 0 && !isIntra && partMode != .whole && depth == 0
    var isSplit: Bool
    if log2Size <= sequence.maxTbLog2Size && log2Size > sequence.minTbLog2Size
      && depth < maxTrafoDepth && !(intraSplit && depth == 0)
    {
      isSplit = decision(Context.splitTransform + 5 - log2Size) == 1
    } else {
      isSplit =
        log2Size > sequence.maxTbLog2Size || (intraSplit && depth == 0) || isInterSplit
    }
    // A block of the smallest size cannot be split, whatever the stream asks for.
    if log2Size <= sequence.minTbLog2Size { isSplit = false }
    var cb = 0
    var cr = 0
    if log2Size > 2 && chromaType != 0 || chromaType == 3 {
      let hasTwo = chromaType == 2 && (!isSplit || log2Size == 3)
      if parentCb != 0 { cb = parseChromaCbf(depth, hasTwo) }
      if parentCr != 0 { cr = parseChromaCbf(depth, hasTwo) }
    } else if log2Size == 2 && chromaType != 0 && depth > 0 {
      (cb, cr) = (parentCb, parentCr)
    }
    if isSplit {
      let half = 1 << (log2Size - 1)
      for i in 0..<4 where !hasFault {
        decodeTransformTree(
          x0 + (i & 1) * half, y0 + (i >> 1) * half, x0, y0, log2Size - 1, depth + 1, i,
          parentCb: cb, parentCr: cr)
      }
      return
    }
    var hasLuma = true
    if isIntra || depth != 0 || cb != 0 || cr != 0 {
      hasLuma = decision(Context.cbfLuma + (depth == 0 ? 1 : 0)) == 1
    }
    if hasLuma {
      let blocks = 1 << (log2Size - 2)
      for row in 0..<blocks {
        let at = (y0 >> 2 + row) * context.width4 + x0 >> 2
        context.coded.fill(at..<at + blocks, with: 1)
      }
    }
    decodeTransformUnit(x0, y0, xBase, yBase, log2Size, index, hasLuma, cb, cr)
    if !header.deblockingDisabled { setTransformEdges(x0, y0, 1 << log2Size) }
  }

  private func parseChromaCbf(_ depth: Int, _ hasTwo: Bool) -> Int {
    var cbf = decision(Context.cbfChroma + depth)
    if hasTwo { cbf |= decision(Context.cbfChroma + depth) << 1 }
    return cbf
  }

  /// transform_unit(), with the prediction of intra blocks.
  private func decodeTransformUnit(
    _ x0: Int, _ y0: Int, _ xBase: Int, _ yBase: Int, _ log2Size: Int, _ index: Int,
    _ hasLuma: Bool, _ cb: Int, _ cr: Int
  ) {
    if hasLuma || cb != 0 || cr != 0 {
      parseQuantization(hasChroma: cb != 0 || cr != 0)
      if hasFault { return }
    }
    if isIntra { predictIntra(component: 0, x0, y0, log2Size, mode: lumaModeAt(x0, y0)) }
    var block = ResidualBlock(x: x0, y: y0, log2Size: log2Size, component: 0)
    if hasLuma {
      block.mode = isIntra ? lumaModeAt(x0, y0) : 0
      decodeResidual(block)
    }
    guard chromaType != 0 else { return }
    let part = intraSplit && chromaType == 3 ? partIndex(x0, y0) : 0
    if chromaType == 3 || log2Size > 2 {
      let log2C = chromaType == 3 ? log2Size : log2Size - 1
      let isCross =
        parameters.crossComponentPredictionEnabled && hasLuma
        && (!isIntra || chromaModeIsDerived[part])
      for component in 1...2 {
        decodeChroma(
          component, x0 >> chromaShiftX, y0 >> chromaShiftY, log2C, part,
          cbf: component == 1 ? cb : cr, isCross: isCross)
      }
    } else if index == 3 {
      for component in 1...2 {
        decodeChroma(
          component, xBase >> chromaShiftX, yBase >> chromaShiftY, 2, part,
          cbf: component == 1 ? cb : cr, isCross: false)
      }
    }
  }

  private func lumaModeAt(_ x: Int, _ y: Int) -> Int {
    Int(context.intraMode[(y >> 2) * context.width4 + x >> 2])
  }

  /// The quarter of an N×N coding unit that a block lies in.
  private func partIndex(_ x: Int, _ y: Int) -> Int {
    let shift = cuLog2 - 1
    return (x - cuX) >> shift + 2 * ((y - cuY) >> shift)
  }

  /// One chroma component of a transform unit: one block, two of 4:2:2.
  private func decodeChroma(
    _ component: Int, _ x: Int, _ y: Int, _ log2Size: Int, _ part: Int, cbf: Int, isCross: Bool
  ) {
    var scale = 0
    if isCross {
      var value = 0
      let base = Context.log2ResScaleAbs + 4 * (component - 1)
      while value < 4 && decision(base + value) == 1 { value += 1 }
      if value != 0 {
        scale = 1 << (value - 1)
        if decision(Context.resScaleSign + component - 1) == 1 { scale = -scale }
      }
    }
    for i in 0..<(chromaType == 2 ? 2 : 1) where !hasFault {
      let top = y + i << log2Size
      if isIntra {
        predictIntra(component: component, x, top, log2Size, mode: chromaModes[part])
      }
      var block = ResidualBlock(x: x, y: top, log2Size: log2Size, component: component)
      block.mode = isIntra ? chromaModes[part] : 0
      block.resScale = scale
      if cbf >> i & 1 == 1 {
        decodeResidual(block)
      } else if scale != 0 {
        addCrossComponent(block)
      }
    }
  }

  /// cu_qp_delta_abs and the chroma offsets, once a quantization group. §7.3.8.14, §7.4.9.14.
  private func parseQuantization(hasChroma: Bool) {
    if parameters.cuQpDeltaEnabled && !isCuQpDeltaCoded {
      isCuQpDeltaCoded = true
      parseQpDelta()
    }
    if header.cuChromaQpOffsetEnabled && hasChroma && !isBypass && !isCuChromaQpOffsetCoded {
      isCuChromaQpOffsetCoded = true
      chromaQpsAreStale = true
      if decision(Context.cuChromaQpOffsetFlag) == 1 {
        var index = 0
        let last = parameters.cbQpOffsetList.count - 1
        while index < last && decision(Context.cuChromaQpOffsetIdx) == 1 { index += 1 }
        cuQpOffsetCb = parameters.cbQpOffsetList[index]
        cuQpOffsetCr = parameters.crQpOffsetList[index]
      } else {
        (cuQpOffsetCb, cuQpOffsetCr) = (0, 0)
      }
    }
    if chromaQpsAreStale { deriveChromaQps() }
  }

  private func parseQpDelta() {
    var delta = 0
    if decision(Context.cuQpDeltaAbs) == 1 {
      delta = 1
      while delta < 5 && decision(Context.cuQpDeltaAbs + 1) == 1 { delta += 1 }
      if delta == 5 { delta += expGolomb(0) }
    }
    if delta != 0 && bypass() == 1 { delta = -delta }
    let offset = sequence.qpBdOffsetY
    guard delta >= -(26 + offset / 2), delta <= 25 + offset / 2 else {
      return fail(.hevcSliceElement, "CuQpDeltaVal is \(delta)")
    }
    // (8-283)
    qpY = (predictedQpY + delta + 52 + 2 * offset) % (52 + offset) - offset
    chromaQpsAreStale = true
  }

  /// A k-th order Exp-Golomb code in bypass bins. §9.3.3.5.
  func expGolomb(_ order: Int) -> Int {
    var k = order
    var value = 0
    // LIMIT: no value in range has a longer prefix.
    while k < 31 && bypass() == 1 {
      value += 1 << k
      k += 1
    }
    return value + cabac.bypass(k, bytes)
  }

  /// Qp′Cb and Qp′Cr. §8.6.1, (8-287) to (8-291).
  private func deriveChromaQps() {
    chromaQpsAreStale = false
    guard chromaType != 0 else { return }
    qpCb = chromaQp(parameters.cbQpOffset + header.cbQpOffset + cuQpOffsetCb)
    qpCr = chromaQp(parameters.crQpOffset + header.crQpOffset + cuQpOffsetCr)
  }

  private func chromaQp(_ offset: Int) -> Int {
    let index = min(max(qpY + offset, -sequence.qpBdOffsetC), 57)
    let qp = chromaType == 1 ? ChromaQP.value(index) : min(index, 51)
    return qp + sequence.qpBdOffsetC
  }
}

/// QpC as a function of qPi for 4:2:0. Table 8-10.
enum ChromaQP {
  private static let middle: InlineArray<14, UInt8> = [
    29, 30, 31, 32, 33, 33, 34, 34, 35, 35, 36, 36, 37, 37,
  ]

  @inline(__always)
  static func value(_ index: Int) -> Int {
    if index < 30 { return index }
    return index >= 44 ? index - 6 : Int(middle[index - 30])
  }
}
