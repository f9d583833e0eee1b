// Prediction of motion vectors. ISO/IEC 23008-2:2020 §8.5.3.2.6 to §8.5.3.2.9.

import ReelCore
import ReelVideoCore

extension SliceDecoder {
  typealias Vector = SIMD2<Int16>

  /// mvpLX: candidate `index`, 0 or 1, of the predictor list. §8.5.3.2.6.
  func vectorPredictor(
    _ x: Int, _ y: Int, _ w: Int, _ h: Int, partIndex: Int, list: Int, refIdx: Int, index: Int
  ) -> Vector {
    let block = PredictionBlock(
      x: x, y: y, w: w, h: h, partIndex: partIndex, isQuarter: partMode == .quarters)
    let current = zAddress(x, y)
    let target = VectorTarget(
      list: list, reference: lists[list * 16 + refIdx],
      orderCount: listOrderCounts[list * 16 + refIdx],
      isLongTerm: listIsLongTerm[list * 16 + refIdx])
    // Left: A0, A1.
    let a0 = neighbour(x - 1, y + h, of: block, current: current)
    let a1 = neighbour(x - 1, y + h - 1, of: block, current: current)
    let isScaled = a0 != nil || a1 != nil
    var a =
      a0.flatMap { exactVector($0, target) } ?? a1.flatMap { exactVector($0, target) }
      ?? a0.flatMap { scaledVector($0, target) } ?? a1.flatMap { scaledVector($0, target) }
    // Above: B0, B1, B2.
    let b0 = neighbour(x + w, y - 1, of: block, current: current)
    let b1 = neighbour(x + w - 1, y - 1, of: block, current: current)
    let b2 = neighbour(x - 1, y - 1, of: block, current: current)
    var b =
      b0.flatMap { exactVector($0, target) } ?? b1.flatMap { exactVector($0, target) }
      ?? b2.flatMap { exactVector($0, target) }
    if !isScaled {
      if b != nil { a = b }
      b =
        b0.flatMap { scaledVector($0, target) } ?? b1.flatMap { scaledVector($0, target) }
        ?? b2.flatMap { scaledVector($0, target) }
    }
    if let a, index == 0 { return a }
    var count = 0
    if a != nil { count += 1 }
    if let b, b != a {
      if count == index { return b }
      count += 1
    }
    if count < 2, header.temporalMvpEnabled,
      let temporal = temporalVector(block, list: list, refIdx: refIdx), count == index
    {
      return temporal
    }
    return Vector(repeating: 0)
  }

  /// The vector of a neighbour that refers to the target picture, this list's first.
  @inline(__always)
  private func exactVector(_ motion: Motion, _ target: VectorTarget) -> Vector? {
    if motion.refIdx[target.list] >= 0 && motion.reference[target.list] == target.reference {
      return motion.vector(target.list)
    }
    let other = 1 - target.list
    if motion.refIdx[other] >= 0 && motion.reference[other] == target.reference {
      return motion.vector(other)
    }
    return nil
  }

  /// The vector of a neighbour that refers to another picture of the same kind, scaled by distance.
  private func scaledVector(_ motion: Motion, _ target: VectorTarget) -> Vector? {
    for list in [target.list, 1 - target.list] where motion.refIdx[list] >= 0 {
      let entry = list * 16 + Int(motion.refIdx[list])
      guard listIsLongTerm[entry] == target.isLongTerm else { continue }
      let vector = motion.vector(list)
      if target.isLongTerm { return vector }
      return Self.scale(
        vector, td: orderCount &- listOrderCounts[entry], tb: orderCount &- target.orderCount)
    }
    return nil
  }

  /// (8-179) to (8-183).
  static func scale(_ vector: Vector, td: Int32, tb: Int32) -> Vector {
    let td = min(max(td, -128), 127)
    let tb = min(max(tb, -128), 127)
    // A distance of 0 is none that a stream in order has.
    guard td != 0, td != tb else { return vector }
    let tx = (16384 + abs(td) / 2) / td
    let factor = min(max((tb * tx + 32) >> 6, -4096), 4095)
    var result = Vector()
    for i in 0..<2 {
      let product = factor * Int32(vector[i])
      let magnitude = (abs(product) + 127) >> 8
      result[i] = Int16(min(max(product < 0 ? -magnitude : magnitude, -32768), 32767))
    }
    return result
  }

  /// Temporal prediction, §8.5.3.2.8.
  func temporalVector(_ block: PredictionBlock, list: Int, refIdx: Int) -> Vector? {
    guard let collocated, !collocated.isSubstitute else { return nil }
    let (right, bottom) = (block.x + block.w, block.y + block.h)
    if block.y >> ctbLog2 == bottom >> ctbLog2, bottom < height, right < width,
      let vector = collocatedVector(collocated, right, bottom, list, refIdx)
    {
      return vector
    }
    return collocatedVector(
      collocated, block.x + block.w / 2, block.y + block.h / 2, list, refIdx)
  }

  /// §8.5.3.2.9: the vector of the collocated picture's block that covers (`x`, `y`).
  private func collocatedVector(
    _ picture: Picture, _ x: Int, _ y: Int, _ list: Int, _ refIdx: Int
  ) -> Vector? {
    waitFor(picture, line: y)
    let field = picture.motion
    guard field.width == motion.width, field.height == motion.height else { return nil }
    // Motion is kept for 16×16 blocks: that of the first 4×4 block.
    let motion = field.blocks[(y >> 4) &* 4 &* field.width &+ (x >> 4) &* 4]
    guard motion.isInter else { return nil }
    var from = list
    if motion.refIdx[0] < 0 {
      from = 1
    } else if motion.refIdx[1] < 0 {
      from = 0
    } else if !noBackwardPrediction {
      from = header.collocatedFromL0 ? 1 : 0
    }
    let place = Int(motion.reference[from])
    guard place < picture.referenceOrderCounts.count else { return nil }
    let entry = list * 16 + refIdx
    let isLongTerm = listIsLongTerm[entry]
    guard picture.referenceIsLongTerm[place] == isLongTerm else { return nil }
    let vector = motion.vector(from)
    let td = Int32(
      truncatingIfNeeded: picture.orderCount - picture.referenceOrderCounts[place])
    let tb = orderCount &- listOrderCounts[entry]
    return isLongTerm || td == tb ? vector : Self.scale(vector, td: td, tb: tb)
  }

  /// Waits until the lines of a reference up to `line` are final.
  @inline(__always)
  func waitFor(_ picture: Picture, line: Int) {
    let needed = min(max(line + 1, 1), height)
    if picture.progress.current < needed { picture.progress.wait(until: needed) }
  }
}

/// What a motion vector is predicted for.
struct VectorTarget {
  let list: Int
  /// Place of the picture in the reference picture set.
  let reference: Int8
  let orderCount: Int32
  let isLongTerm: Bool
}
