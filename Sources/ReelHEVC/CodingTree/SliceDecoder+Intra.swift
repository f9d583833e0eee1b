// Neighbouring samples of intra blocks. ISO/IEC 23008-2:2020 §6.4.1, §8.4.4.2.

import ReelCore

extension SliceDecoder {
  /// MinTbAddrZs of the block that covers a luma position inside the picture.
  @inline(__always)
  func zAddress(_ x: Int, _ y: Int) -> Int32 {
    layout.minTbAddrZs[
      (y >> sequence.minTbLog2Size) &* layout.widthInMinTbs &+ x >> sequence.minTbLog2Size]
  }

  /// Availability in z-scan order, §6.4.1: the block at (`x`, `y`) was decoded no later than the one
  /// with address `current` and is of the same slice and tile.
  @inline(__always)
  func isAvailable(_ x: Int, _ y: Int, current: Int32) -> Bool {
    guard x >= 0, y >= 0, x < width, y < height else { return false }
    guard zAddress(x, y) <= current else { return false }
    let address = (y >> ctbLog2) &* sequence.widthInCtbs &+ x >> ctbLog2
    return address == ctbAddress || isSameSliceAndTile(address)
  }

  /// Predicts a block; `x`, `y` in samples of the component.
  func predictIntra(component: Int, _ x: Int, _ y: Int, _ log2Size: Int, mode: Int) {
    let size = 1 << log2Size
    let plane = component == 0 ? self.y : component == 1 ? cb : cr
    let bitDepth = component == 0 ? bitDepthY : bitDepthC
    let n = memory.neighbours
    if parameters.constrainedIntraPred {
      gatherConstrained(plane, component, x, y, size, bitDepth)
    } else {
      gather(plane, component, x, y, size, bitDepth)
    }
    let block = plane.window(
      at: y * plane.stride + x, stride: plane.stride, columns: size, rows: size)
    var isFiltered = false
    if (component == 0 || chromaType == 3) && mode != 1 && size > 4
      && !sequence.range.intraSmoothingDisabled
    {
      let distance = mode == 0 ? 10 : min(abs(mode - 26), abs(mode - 10))
      isFiltered = distance > (size == 8 ? 7 : size == 16 ? 1 : 0)
    }
    if isFiltered {
      n.filter(
        size: size,
        isStrong: sequence.strongIntraSmoothingEnabled && component == 0 && size == 32,
        bitDepth: bitDepth)
      predict(block, mode, n, left: n.filteredLeft, top: n.filteredTop, log2Size, component)
    } else {
      predict(block, mode, n, left: n.left, top: n.top, log2Size, component)
    }
  }

  private func predict(
    _ block: PlaneWindow<S>, _ mode: Int, _ n: IntraNeighbours,
    left: borrowing CheckedBuffer<Int16>, top: borrowing CheckedBuffer<Int16>, _ log2Size: Int,
    _ component: Int
  ) {
    let hasEdges = component == 0 && log2Size < 5
    switch mode {
    case 0:
      IntraPrediction<S>.planar(block, left: left, top: top, log2Size: log2Size)
    case 1:
      IntraPrediction<S>.dc(block, left: left, top: top, log2Size: log2Size, hasEdges: hasEdges)
    default:
      // disableIntraBoundaryFilter
      let isLossless = sequence.range.implicitRDPCMEnabled && isBypass
      let bitDepth = component == 0 ? bitDepthY : bitDepthC
      IntraPrediction<S>.angular(
        block, mode: mode, n, left: left, top: top, log2Size: log2Size,
        hasEdges: hasEdges && !isLossless, maximum: 1 << Int32(bitDepth) - 1)
    }
  }

  /// Samples around a block, those that are not available substituted. §8.4.4.2.2.
  ///
  /// Each side is there as a whole or not at all, but for the picture's end: blocks are aligned to
  /// their size, so one position tells.
  private func gather(
    _ plane: PlaneView<S>, _ component: Int, _ x: Int, _ y: Int, _ size: Int, _ bitDepth: Int
  ) {
    let n = memory.neighbours
    let shiftX = component == 0 ? 0 : chromaShiftX
    let shiftY = component == 0 ? 0 : chromaShiftY
    let (lumaX, lumaY) = (x << shiftX, y << shiftY)
    let current = zAddress(lumaX, lumaY)
    let hasLeft = isAvailable(lumaX - 1, lumaY, current: current)
    let hasTop = isAvailable(lumaX, lumaY - 1, current: current)
    let hasCorner = isAvailable(lumaX - 1, lumaY - 1, current: current)
    let belowY = (y + size) << shiftY
    let belowCount =
      hasLeft && isAvailable(lumaX - 1, belowY, current: current)
      ? min(size, (height - belowY) >> shiftY) : 0
    let rightX = (x + size) << shiftX
    let rightCount =
      isAvailable(rightX, lumaY - 1, current: current)
      ? min(size, (width - rightX) >> shiftX) : 0
    let at = y * plane.stride + x
    let end = 2 * size
    guard hasLeft || hasTop || hasCorner || rightCount > 0 else {
      let grey = Int16(1) << Int16(bitDepth - 1)
      n.left.fill(0..<end + 1, with: grey)
      n.top.fill(0..<end + 1, with: grey)
      return
    }
    if hasLeft {
      var from = at - 1
      for i in 1...size + belowCount {
        n.left[i] = Int16(truncatingIfNeeded: plane[from])
        from &+= plane.stride
      }
    }
    if hasCorner { n.top[0] = Int16(truncatingIfNeeded: plane[at - plane.stride - 1]) }
    if hasTop {
      let from = at - plane.stride
      for i in 0..<size { n.top[1 &+ i] = Int16(truncatingIfNeeded: plane[from &+ i]) }
    }
    if rightCount > 0 {
      let from = at - plane.stride + size
      for i in 0..<rightCount {
        n.top[1 &+ size &+ i] = Int16(truncatingIfNeeded: plane[from &+ i])
      }
    }
    // From the lower left end up, then across.
    let known = hasLeft ? size + belowCount : 0
    if !hasLeft {
      let value = hasCorner ? n.top[0] : hasTop ? n.top[1] : n.top[1 + size]
      n.left.fill(1..<end + 1, with: value)
    } else if known < end {
      n.left.fill(known + 1..<end + 1, with: n.left[known])
    }
    if !hasCorner { n.top[0] = n.left[1] }
    n.left[0] = n.top[0]
    if !hasTop { n.top.fill(1..<size + 1, with: n.top[0]) }
    if rightCount < size {
      n.top.fill(1 + size + rightCount..<end + 1, with: n.top[size + rightCount])
    }
  }

  /// The same under constrained_intra_pred_flag, where only samples of intra blocks count.
  private func gatherConstrained(
    _ plane: PlaneView<S>, _ component: Int, _ x: Int, _ y: Int, _ size: Int, _ bitDepth: Int
  ) {
    let n = memory.neighbours
    let shiftX = component == 0 ? 0 : chromaShiftX
    let shiftY = component == 0 ? 0 : chromaShiftY
    let current = zAddress(x << shiftX, y << shiftY)
    let end = 2 * size
    /// The sample of position `i` in the order of substitution: up the left side, then across.
    func position(_ i: Int) -> (x: Int, y: Int) {
      i <= end ? (x - 1, y + end - 1 - i) : (x + i - end - 1, y - 1)
    }
    func isUsable(_ i: Int) -> Bool {
      let (px, py) = position(i)
      let (lumaX, lumaY) = (px << shiftX, py << shiftY)
      return isAvailable(lumaX, lumaY, current: current)
        && context.flags[minCbIndex(lumaX, lumaY)] & BlockFlags.intra != 0
    }
    func store(_ i: Int, _ value: Int16) {
      if i < end { n.left[end - i] = value } else { n.top[i - end] = value }
    }
    var value: Int16?
    var firstUsable = 0
    for i in 0...2 * end {
      if isUsable(i) {
        let (px, py) = position(i)
        if value == nil { firstUsable = i }
        value = Int16(truncatingIfNeeded: plane[py * plane.stride + px])
      }
      if let value { store(i, value) }
    }
    guard value != nil else {
      let grey = Int16(1) << Int16(bitDepth - 1)
      n.left.fill(0..<end + 1, with: grey)
      n.top.fill(0..<end + 1, with: grey)
      return
    }
    let first = firstUsable < end ? n.left[end - firstUsable] : n.top[firstUsable - end]
    for i in 0..<firstUsable { store(i, first) }
    n.left[0] = n.top[0]
  }
}
