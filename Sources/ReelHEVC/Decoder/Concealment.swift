// Making up coding tree units that were lost.

import ReelCore
import ReelVideoCore

/// Fills coding tree blocks that no slice held: from the first reference picture at the same place, or,
/// where there is none, with the value in the middle of the range.
struct Concealment<S: HEVCSample> {
  private let context: PictureContext
  private let sequence: SequenceParameterSet
  private let planes: [PlaneView<S>]
  private let reference: ReferenceView<S>?
  private let motion: MotionField

  init(
    _ job: PictureJob, planes: FramePlanes<S>, context: PictureContext,
    reference: ReferenceView<S>?
  ) {
    self.context = context
    sequence = job.layout.sequence
    let views = SliceDecoder<S>.views(of: planes)
    self.planes = [views.0, views.1, views.2]
    self.reference = reference
    motion = job.picture.motion
  }

  /// Makes up all missing blocks; returns how many there were.
  func conceal() -> Int {
    var lost = 0
    for address in 0..<sequence.ctbCount where context.slice[address] < 0 {
      if lost == 0 { reference?.picture.progress.wait(until: .max) }
      lost += 1
      fill(address % sequence.widthInCtbs, address / sequence.widthInCtbs)
    }
    return lost
  }

  private func fill(_ column: Int, _ row: Int) {
    let log2 = sequence.ctbLog2Size
    for index in 0..<(sequence.chromaFormatIDC == 0 ? 1 : 3) {
      let plane = planes[index]
      let width = index == 0 ? 1 << log2 : (1 << log2) >> sequence.chromaShiftX
      let height = index == 0 ? 1 << log2 : (1 << log2) >> sequence.chromaShiftY
      let depth = index == 0 ? sequence.bitDepthY : sequence.bitDepthC
      let count = min(width, plane.width - column * width)
      for y in row * height..<min((row + 1) * height, plane.height) {
        let at = y * plane.stride + column * width
        if let reference {
          let source = index == 0 ? reference.y : index == 1 ? reference.cb : reference.cr
          plane.copy(from: source, at: y * source.stride + column * width, to: at, count: count)
        } else {
          plane.fill(at: at, count: count, with: S(truncatingIfNeeded: 1 << (depth - 1)))
        }
      }
    }
    clear(column, row)
  }

  /// Leaves no motion, no edges and no offsets of a block that was given up halfway.
  private func clear(_ column: Int, _ row: Int) {
    let blocks = 1 << (sequence.ctbLog2Size - 2)
    let (x, y) = (column * blocks, row * blocks)
    for line in y..<y + blocks {
      let at = line * context.width4 + x
      context.verticalStrength.fill(at..<at + blocks, with: 0)
      context.horizontalStrength.fill(at..<at + blocks, with: 0)
      let count = min(blocks, motion.width - x)
      if line < motion.height && count > 0 {
        let from = line * motion.width + x
        motion.blocks.fill(from..<from + count, with: .intra)
      }
    }
    let address = (row * sequence.widthInCtbs + column) * 3
    for i in 0..<3 { context.offsets[address + i] = SampleAdaptiveOffset() }
  }
}
