// Sample adaptive offset. ISO/IEC 23008-2:2020 §8.7.3.

import ReelCore

extension LoopFilters {
  /// Applies the offsets of one row of coding tree blocks. The row below must have been deblocked.
  func applyOffsets(row: Int) {
    guard sequence.saoEnabled else { return }
    for component in 0..<(sequence.chromaFormatIDC == 0 ? 1 : 3) {
      let plane = component == 0 ? y : component == 1 ? cb : cr
      before.withPlane(component) { keep(plane, in: $0, row, component) }
      let rows = SliceDecoder<S>.view(of: before, component)
      for column in 0..<sequence.widthInCtbs {
        let offset = context.offsets[(row * sequence.widthInCtbs + column) * 3 + component]
        if offset.type != 0 { apply(offset, plane, rows, row, column, component) }
      }
    }
  }

  /// Columns before the first sample of a kept line.
  private static var margin: Int { 16 }

  private func shifts(_ component: Int) -> (x: Int, y: Int) {
    component == 0 ? (0, 0) : (sequence.chromaShiftX, sequence.chromaShiftY)
  }

  /// Copies the row's lines and the one below; the one above was kept before its row changed.
  private func keep(
    _ plane: PlaneView<S>, in rows: borrowing SamplePlane<S>, _ row: Int, _ component: Int
  ) {
    let size = sequence.ctbSize >> shifts(component).y
    let first = row * size
    let view = SliceDecoder<S>.view(of: rows)
    // The last line of the row before lies where it was copied to.
    if row > 0 {
      view.copy(
        from: view, at: size * rows.stride + Self.margin, to: Self.margin, count: plane.width)
    }
    for line in 0..<min(size + 1, plane.height - first) {
      view.copy(
        from: plane, at: (first + line) * plane.stride,
        to: (line + 1) * rows.stride + Self.margin, count: plane.width)
    }
  }

  private func apply(
    _ offset: SampleAdaptiveOffset, _ plane: PlaneView<S>, _ rows: PlaneView<S>, _ row: Int,
    _ column: Int, _ component: Int
  ) {
    let shift = shifts(component)
    let (width, height) = (sequence.ctbSize >> shift.x, sequence.ctbSize >> shift.y)
    let (x, y) = (column * width, row * height)
    let (w, h) = (min(width, plane.width - x), min(height, plane.height - y))
    let block = plane.window(at: y * plane.stride + x, stride: plane.stride, columns: w, rows: h)
    let source = rows.window(
      at: x + Self.margin - 8, stride: rows.stride, columns: (w + 7) & ~7 + 16, rows: h + 2)
    let bitDepth = component == 0 ? sequence.bitDepthY : sequence.bitDepthC
    if offset.type == 1 {
      OffsetFilter<S>.band(
        block, source, position: Int(offset.bandPosition), offset.offsets, bitDepth: bitDepth)
    } else {
      let (dx, dy) = [(-1, 0), (0, -1), (-1, -1), (1, -1)][Int(offset.edgeClass & 3)]
      OffsetFilter<S>.edge(
        block, source, dx: dx, dy: dy, offset.offsets, maximum: 1 << Int16(bitDepth) - 1)
      restoreBorder(block, source, row, column, dx, dy)
    }
    if context.hasUnfilteredBlocks { restoreUnfiltered(block, source, x, y, shift) }
  }

  /// Gives samples back whose neighbours are outside of the picture or may not be used.
  private func restoreBorder(
    _ block: PlaneWindow<S>, _ source: PlaneWindow<S>, _ row: Int, _ column: Int, _ dx: Int,
    _ dy: Int
  ) {
    let (w, h) = (block.columns, block.rows)
    let address = row * sequence.widthInCtbs + column
    // Both neighbours of every border sample lie in one of the blocks around.
    for (sx, sy) in [(dx, dy), (-dx, -dy)] {
      // Samples whose neighbour at (sx, sy) is in another block, by that block.
      for (bx, by) in [(sx, sy), (sx, 0), (0, sy)] where bx != 0 || by != 0 {
        guard !isUsable(address, row + by, column + bx) else { continue }
        let columns = bx == 0 ? 0..<w : bx < 0 ? 0..<1 : w - 1..<w
        let lines = by == 0 ? 0..<h : by < 0 ? 0..<1 : h - 1..<h
        for y in lines {
          for x in columns
          where (bx != 0) == (x + sx < 0 || x + sx >= w)
            && (by != 0) == (y + sy < 0 || y + sy >= h)
          {
            block[y, x] = source[y + 1, x + 8]
          }
        }
      }
    }
  }

  /// Whether the samples of another coding tree block may be compared with. §8.7.3.2.
  private func isUsable(_ address: Int, _ row: Int, _ column: Int) -> Bool {
    guard row >= 0, row < sequence.heightInCtbs, column >= 0, column < sequence.widthInCtbs else {
      return false
    }
    let other = row * sequence.widthInCtbs + column
    let (own, its) = (context.slice[address], context.slice[other])
    if own != its {
      // The slice that comes later decides.
      let later = layout.rasterToTile[address] > layout.rasterToTile[other] ? own : its
      if later >= 0 && Int(later) < slices.count && !slices[Int(later)].acrossSlices {
        return false
      }
    }
    return parameters.loopFilterAcrossTilesEnabled
      || layout.tileID[address] == layout.tileID[other]
  }

  /// Gives the samples of lossless and pcm blocks back.
  private func restoreUnfiltered(
    _ block: PlaneWindow<S>, _ source: PlaneWindow<S>, _ x0: Int, _ y0: Int,
    _ shift: (x: Int, y: Int)
  ) {
    let log2 = sequence.minCbLog2Size
    for y in 0..<block.rows {
      let line = (((y0 + y) << shift.y) >> log2) * context.widthInMinCbs
      for x in 0..<block.columns
      where context.flags[line + ((x0 + x) << shift.x) >> log2] & BlockFlags.unfiltered != 0 {
        block[y, x] = source[y + 1, x + 8]
      }
    }
  }
}
