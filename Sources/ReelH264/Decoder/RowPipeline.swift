// Filtering rows of macroblocks while later rows are decoded.

import ReelCore

/// Follows the decoding of a picture row by row: filters each row once the next one is decoded (which
/// predicts from its unfiltered samples) and publishes the lines that are final.
///
/// It stops at the first macroblock out of order or lost; ``finish()`` does what is left.
final class RowPipeline<S: H264Sample> {
  private var filter: LoopFilter<S>
  private let progress: PictureProgress
  private let structure: PictureStructure
  private let widthInMbs: Int
  private let heightInMbs: Int
  /// Rows that are decoded and filtered together: 2 in MBAFF frames.
  private let step: Int
  private var decodedRows = 0
  private var filteredRows = 0
  /// Rows can be followed: slices come in order and hold whole rows in raster order.
  private var isFollowing: Bool

  init(
    _ filter: LoopFilter<S>, progress: PictureProgress, structure: PictureStructure,
    isInOrder: Bool
  ) {
    self.filter = filter
    self.progress = progress
    self.structure = structure
    widthInMbs = filter.widthInMbs
    heightInMbs = filter.heightInMbs
    step = filter.isMbaff ? 2 : 1
    isFollowing = isInOrder
  }

  /// A further slice begins.
  func add(_ slice: SliceFilterParameters) { filter.slices.append(slice) }

  /// The macroblocks of a row (of a pair of rows in MBAFF frames, then the lower) are decoded.
  func finishRow(_ row: Int) {
    guard isFollowing else { return }
    guard row + 1 == decodedRows + step, isComplete(decodedRows..<row + 1) else {
      isFollowing = false
      return
    }
    decodedRows = row + 1
    if decodedRows - step > filteredRows {
      filterRows(upTo: decodedRows - step)
    }
  }

  private func isComplete(_ rows: Range<Int>) -> Bool {
    for index in rows.lowerBound * widthInMbs..<rows.upperBound * widthInMbs
    where filter.context.slice[index] < 0 {
      return false
    }
    return true
  }

  private func filterRows(upTo end: Int) {
    filter.filter(rows: filteredRows..<end)
    filteredRows = end
    // The next row's upper edge changes three lines above it, six where it is filtered by fields.
    progress.publish(max(end * 16 - 8, 0), structure)
  }

  /// Filters the rest; all macroblocks must be there.
  func finish() {
    if filteredRows < heightInMbs { filter.filter(rows: filteredRows..<heightInMbs) }
    filteredRows = heightInMbs
    progress.publish(.max, structure)
  }
}
