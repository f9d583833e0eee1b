// Inter prediction of one prediction block. ISO/IEC 23008-2:2020 §8.5.3.3.

import ReelCore

extension SliceDecoder {
  /// Predicts the samples of a block from its motion.
  func predictInter(_ x: Int, _ y: Int, _ w: Int, _ h: Int, _ motion: Motion) {
    for list in 0..<2 where motion.refIdx[list] >= 0 {
      let place = Int(motion.reference[list])
      guard place < references.count else { return fail(.hevcSliceElement, "refIdx") }
      usedReferences |= 1 << UInt32(place)
      let vertical = Int(motion.vectors[2 * list + 1])
      // Taps reach four lines down, and the loop filters of a row change lines above it.
      waitFor(references[place].picture, line: y + h + vertical >> 2 + 4)
    }
    predictComponent(0, x, y, w, h, motion)
    if chromaType != 0 {
      let (cx, cy) = (x >> chromaShiftX, y >> chromaShiftY)
      predictComponent(1, cx, cy, w >> chromaShiftX, h >> chromaShiftY, motion)
      predictComponent(2, cx, cy, w >> chromaShiftX, h >> chromaShiftY, motion)
    }
  }

  private func predictComponent(
    _ component: Int, _ x: Int, _ y: Int, _ w: Int, _ h: Int, _ motion: Motion
  ) {
    let uses0 = motion.refIdx[0] >= 0
    let uses1 = motion.refIdx[1] >= 0
    if uses0 { fetch(component, x, y, w, h, motion, list: 0, to: memory.prediction0) }
    if uses1 { fetch(component, x, y, w, h, motion, list: 1, to: memory.prediction1) }
    let plane = component == 0 ? self.y : component == 1 ? cb : cr
    let bitDepth = component == 0 ? bitDepthY : bitDepthC
    let block = plane.window(
      at: y * plane.stride + x, stride: plane.stride, columns: w, rows: h)
    let isWeighted = isBSlice ? parameters.weightedBipred : parameters.weightedPred
    if isWeighted {
      let weighting = weighting(component, motion, bitDepth)
      if uses0 && uses1 {
        WeightedPrediction<S>.weight(
          block, memory.prediction0, memory.prediction1, weighting, bitDepth: bitDepth)
      } else if uses0 {
        WeightedPrediction<S>.weight(block, memory.prediction0, weighting, bitDepth: bitDepth)
      } else {
        WeightedPrediction<S>.weight(block, memory.prediction1, weighting, bitDepth: bitDepth)
      }
    } else if uses0 && uses1 {
      WeightedPrediction<S>.average(
        block, memory.prediction0, memory.prediction1, bitDepth: bitDepth)
    } else if uses0 {
      WeightedPrediction<S>.put(block, memory.prediction0, bitDepth: bitDepth)
    } else {
      WeightedPrediction<S>.put(block, memory.prediction1, bitDepth: bitDepth)
    }
  }

  /// Explicit weights of a block; of one list they are `w0` and `o0`. §8.5.3.3.4.3.
  private func weighting(_ component: Int, _ motion: Motion, _ bitDepth: Int) -> Weighting {
    let denominator = component == 0 ? header.lumaLog2WeightDenom : header.chromaLog2WeightDenom
    var result = Weighting(
      log2WD: Int32(denominator + 14 - bitDepth), w0: 1, w1: 1, o0: 0, o1: 0)
    let i0 = Int(motion.refIdx[0])
    let i1 = Int(motion.refIdx[1])
    if i1 >= 0 && i1 < header.weightsL1.count {
      (result.w1, result.o1) = (
        header.weightsL1[i1].weight[component], header.weightsL1[i1].offset[component]
      )
      if i0 < 0 { (result.w0, result.o0) = (result.w1, result.o1) }
    }
    if i0 >= 0 && i0 < header.weightsL0.count {
      (result.w0, result.o0) = (
        header.weightsL0[i0].weight[component], header.weightsL0[i0].offset[component]
      )
    }
    return result
  }

  /// The prediction from one list at 14 bits. §8.5.3.3.3.
  private func fetch(
    _ component: Int, _ x: Int, _ y: Int, _ w: Int, _ h: Int, _ motion: Motion, list: Int,
    to output: borrowing WordBlock
  ) {
    let reference = references[Int(motion.reference[list])]
    let vector = motion.vector(list)
    let isLuma = component == 0
    let plane = isLuma ? reference.y : component == 1 ? reference.cb : reference.cr
    // Luma in quarters; chroma in eighths of its samples where it is halved, in quarters otherwise.
    let shiftX = isLuma ? 2 : 2 + chromaShiftX
    let shiftY = isLuma ? 2 : 2 + chromaShiftY
    let (mvX, mvY) = (Int(vector[0]), Int(vector[1]))
    var fractionX = mvX & (1 << shiftX - 1)
    var fractionY = mvY & (1 << shiftY - 1)
    if !isLuma {
      fractionX <<= 1 - chromaShiftX
      fractionY <<= 1 - chromaShiftY
    }
    let taps = isLuma ? 8 : 4
    let before = isLuma ? 3 : 1
    let left = fractionX == 0 ? 0 : before
    let top = fractionY == 0 ? 0 : before
    let rows = fractionY == 0 ? h : h + taps - 1
    let columns = fractionX == 0 ? w : w + taps - 1
    let source = sourceWindow(
      plane, x + mvX >> shiftX - left, y + mvY >> shiftY - top, columns: columns, rows: rows,
      readable: Interpolation<S>.readable(w, taps: taps))
    interpolate(
      output, source, w, h, fractionX, fractionY, isLuma: isLuma,
      bitDepth: isLuma ? bitDepthY : bitDepthC)
  }

  private func interpolate(
    _ output: borrowing WordBlock, _ source: PlaneWindow<S>, _ w: Int, _ h: Int,
    _ fractionX: Int, _ fractionY: Int, isLuma: Bool, bitDepth: Int
  ) {
    let shift = bitDepth - 8
    if fractionX == 0 && fractionY == 0 {
      Interpolation<S>.copy(output, source, width: w, height: h, shift: 14 - bitDepth)
    } else if fractionY == 0 {
      if isLuma {
        Interpolation<S>.lumaAcross(
          output, source, fraction: fractionX, width: w, height: h, shift: shift)
      } else {
        Interpolation<S>.chromaAcross(
          output, source, fraction: fractionX, width: w, height: h, shift: shift)
      }
    } else if fractionX == 0 {
      if isLuma {
        Interpolation<S>.lumaDown(
          output, source, fraction: fractionY, width: w, height: h, shift: shift)
      } else {
        Interpolation<S>.chromaDown(
          output, source, fraction: fractionY, width: w, height: h, shift: shift)
      }
    } else if isLuma {
      Interpolation<S>.lumaAcross(
        memory.sums, source, fraction: fractionX, width: w, height: h + 7, shift: shift)
      Interpolation<S>.lumaDown(
        output, sums: memory.sums, fraction: fractionY, width: w, height: h)
    } else {
      Interpolation<S>.chromaAcross(
        memory.sums, source, fraction: fractionX, width: w, height: h + 3, shift: shift)
      Interpolation<S>.chromaDown(
        output, sums: memory.sums, fraction: fractionY, width: w, height: h)
    }
  }

  /// Reference samples from (`x`, `y`) on: the picture's own memory where they lie inside, else a
  /// copy that repeats its border. `readable` columns may be read, of which `columns` matter.
  private func sourceWindow(
    _ plane: PlaneView<S>, _ x: Int, _ y: Int, columns: Int, rows: Int, readable: Int
  ) -> PlaneWindow<S> {
    let readable = max(readable, columns)
    if x >= 0, y >= 0, x <= plane.width - columns, y <= plane.height - rows {
      let at = y * plane.stride + x
      if at + (rows - 1) * plane.stride + readable <= plane.count {
        return plane.window(at: at, stride: plane.stride, columns: readable, rows: rows)
      }
    }
    let border = Self.view(of: memory.border)
    let lastX = plane.width - 1
    let lastY = plane.height - 1
    // A block that lies wholly outside looks the same at any distance; this keeps sums small.
    let x = min(max(x, -128), lastX + 128)
    let y = min(max(y, -128), lastY + 128)
    let before = min(max(-x, 0), columns)
    let inside = max(min(columns, plane.width - x) - before, 0)
    for row in 0..<rows {
      let line = min(max(y + row, 0), lastY) * plane.stride
      let to = row * border.stride
      if before > 0 { border.fill(at: to, count: before, with: plane[line]) }
      if inside > 0 {
        border.copy(from: plane, at: line + x + before, to: to + before, count: inside)
      }
      if before + inside < columns {
        border.fill(
          at: to + before + inside, count: columns - before - inside, with: plane[line + lastX])
      }
    }
    return border.window(at: 0, stride: border.stride, columns: readable, rows: rows)
  }
}
