// What the loop filter has to know of a slice. ISO/IEC 14496-10:2020 §7.4.3.

import ReelCore

/// Filter controls of a slice, found by the slice number of its macroblocks.
struct SliceFilterParameters: Sendable {
  /// 0 all edges, 1 none, 2 not across slices.
  var disableDeblockingFilterIdc: Int
  var filterOffsetA: Int
  var filterOffsetB: Int
  /// Of Cb and Cr.
  var chromaQPOffsets: InlineArray<2, Int>
  /// SP and SI slices are filtered like intra.
  var isSwitching: Bool

  init(_ input: SliceInput) {
    let header = input.header
    disableDeblockingFilterIdc = header.disableDeblockingFilterIdc
    filterOffsetA = header.filterOffsetA
    filterOffsetB = header.filterOffsetB
    chromaQPOffsets = [
      input.picture.chromaQPIndexOffset, input.picture.secondChromaQPIndexOffset,
    ]
    isSwitching = header.sliceType == .sp || header.sliceType == .si
  }
}
