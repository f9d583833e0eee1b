// All that decoding the macroblocks of one slice needs.

import ReelCore

/// A slice with its parsed header and final reference lists, ready for macroblock decoding.
struct SliceInput {
  let header: SliceHeader
  let sequence: SequenceParameterSet
  let picture: PictureParameterSet
  /// RefPicList0 and RefPicList1 after modification; entries are fields when the slice is of a field.
  /// Holes (missing references) are filled by the reference process before they come here.
  let referenceList0: [ReferencePicture]
  let referenceList1: [ReferencePicture]
  /// The payload without emulation prevention (of partition A where data is partitioned), with the
  /// NAL unit header, and the bit where slice_data() starts in it.
  let payload: [UInt8]
  let dataStart: Int
  /// Payloads of partitions B and C and the bit where their slice data starts; nil when lost or absent.
  var partitionB: (payload: [UInt8], dataStart: Int)?
  var partitionC: (payload: [UInt8], dataStart: Int)?
  /// mbToSliceGroupMap, §8.2.2.8; empty when there is one slice group.
  let sliceGroupMap: [UInt8]
  /// The stream is of an x264 before build 151, which chose the contexts of coded_block_flag of 8×8
  /// blocks in 4:4:4 in its own way. SPEC: followed for streams that say so, as nothing else shows them.
  var hasEarlyFlagContexts = false
}
