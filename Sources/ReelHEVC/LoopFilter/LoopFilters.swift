// Filtering rows of coding tree blocks while later rows are decoded. ISO/IEC 23008-2:2020 §8.7.

import ReelCore
import ReelVideoCore

/// Follows the decoding of a picture row by row: deblocks a row once the next one is decoded (which
/// predicts from its unfiltered samples), applies sample adaptive offset once the next one is
/// deblocked, and publishes the lines that are final.
final class LoopFilters<S: HEVCSample> {
  let sequence: SequenceParameterSet
  let parameters: PictureParameterSet
  let layout: PictureLayout
  let context: PictureContext
  let y, cb, cr: PlaneView<S>
  /// By number of the slice.
  var slices: [SliceFilterParameters] = []
  /// Samples of a row before the offset, with the line above and below, and eight columns before.
  let before: FramePlanes<S>
  private let progress: LineProgress
  /// Coding tree blocks of each row that are still to come.
  private var missing: [Int]
  private var decodedRows = 0
  private var deblockedRows = 0
  private var finishedRows = 0

  init(
    _ job: PictureJob, planes: FramePlanes<S>, context: PictureContext, before: FramePlanes<S>
  ) {
    layout = job.layout
    sequence = job.layout.sequence
    parameters = job.layout.parameters
    self.context = context
    (y, cb, cr) = SliceDecoder<S>.views(of: planes)
    self.before = before
    progress = job.picture.progress
    missing = [Int](
      repeating: job.layout.sequence.widthInCtbs, count: job.layout.sequence.heightInCtbs)
  }

  /// Planes for ``before``.
  static func makeRows(_ sequence: SequenceParameterSet) -> FramePlanes<S> {
    FramePlanes(
      width: sequence.width + 64, height: sequence.ctbSize + 8, chromaFormat: sequence.chromaFormat)
  }

  /// A coding tree block is decoded.
  func finish(_ address: Int) {
    let row = address / sequence.widthInCtbs
    missing[row] -= 1
    guard missing[row] == 0 else { return }
    while decodedRows < missing.count && missing[decodedRows] == 0 { decodedRows += 1 }
    advance()
  }

  /// Filters the rest; all coding tree blocks must be there.
  func finish() {
    decodedRows = missing.count
    advance()
    progress.publish(.max)
  }

  private func advance() {
    let count = missing.count
    while deblockedRows < count && (decodedRows == count || deblockedRows + 1 < decodedRows) {
      deblock(row: deblockedRows)
      deblockedRows += 1
      while finishedRows < deblockedRows
        && (deblockedRows == count || finishedRows + 1 < deblockedRows)
      {
        applyOffsets(row: finishedRows)
        finishedRows += 1
        progress.publish(finishedRows << sequence.ctbLog2Size)
      }
    }
  }
}
