// What finding picture boundaries needs of H.264 picture parameter sets and slice headers.
// ISO/IEC 14496-10:2020 §7.3.2.2, §7.3.3.

import ReelCore

/// The part of a picture parameter set that slice headers depend on.
struct H264PictureSummary: Sendable {
  let id: Int
  let sequenceID: Int
  /// bottom_field_pic_order_in_frame_present_flag
  let hasBottomOrder: Bool
  private(set) var hasRedundantCount = false

  /// Reads a picture parameter set NAL unit without emulation prevention; nil when out of range.
  init?(unescaped unit: [UInt8]) {
    var bits = BitReader(unit, from: 8)
    let (id, sequenceID) = (bits.readUE(), bits.readUE())
    bits.skip(1)
    hasBottomOrder = bits.readFlag()
    guard id <= 255, sequenceID <= 31 else { return nil }
    (self.id, self.sequenceID) = (Int(id), Int(sequenceID))
    let groups = bits.readUE()
    guard groups <= 7, !bits.overrun else { return nil }
    if groups > 0 { Self.skipSliceGroups(&bits, count: Int(groups) + 1) }
    _ = (bits.readUE(), bits.readUE())
    bits.skip(3)
    _ = (bits.readSE(), bits.readSE(), bits.readSE())
    bits.skip(2)
    hasRedundantCount = bits.readFlag()
    guard !bits.overrun else { return nil }
  }

  /// The slice group map. §7.3.2.2.
  private static func skipSliceGroups(_ bits: inout BitReader, count: Int) {
    switch bits.readUE() {
    case 0: for _ in 0..<count { _ = bits.readUE() }
    case 2: for _ in 0..<(count - 1) { _ = (bits.readUE(), bits.readUE()) }
    case 3, 4, 5:
      bits.skip(1)
      _ = bits.readUE()
    case 6:
      let size = Int(bits.readUE()) + 1
      let idBits = count > 4 ? 3 : count > 2 ? 2 : 1
      // More map units than bits are left is an overrun, whatever their number.
      bits.skip(min(size, max(bits.bitsLeft, 0) + 1) * idBits)
    default: break
    }
  }
}

/// The values of a slice header that tell whether two slices are of the same primary coded picture.
/// ISO/IEC 14496-10:2020 §7.4.1.2.4.
struct H264SliceSummary: Sendable {
  let firstMacroblock: UInt32
  let pictureID: Int
  var colourPlane: UInt32 = 0
  var frameNum: UInt32 = 0
  var isField = false
  var isBottomField = false
  let referenceIDC: UInt8
  let isIDR: Bool
  var idrPictureID: UInt32 = 0
  var orderType = 0
  var orderLSB: UInt32 = 0
  var bottomDelta: Int32 = 0
  var delta0: Int32 = 0
  var delta1: Int32 = 0
  /// redundant_pic_cnt > 0: the slice is of no primary picture.
  var isRedundant = false
  /// The parameter sets were there, so every field above is meant.
  var isComplete = false
  /// Slices may stand in any order (Baseline and Extended profiles).
  var allowsArbitraryOrder = true

  /// Reads the head of a slice or of a data partition A, `head` being its first bytes without
  /// emulation prevention.
  init(
    head: [UInt8], pictures: [H264PictureSummary?], sequences: [H264SequenceSummary?]
  ) {
    let type = (head.first ?? 0) & 31
    referenceIDC = (head.first ?? 0) >> 5 & 3
    isIDR = type == 5
    var bits = BitReader(head, from: 8)
    firstMacroblock = bits.readUE()
    _ = bits.readUE()
    let id = bits.readUE()
    pictureID = id <= 255 ? Int(id) : -1
    guard id < UInt32(pictures.count), let picture = pictures[Int(id)],
      let sequence = sequences[picture.sequenceID]
    else { return }
    allowsArbitraryOrder = sequence.profileIDC == 66 || sequence.profileIDC == 88
    readIdentity(&bits, picture, sequence)
    isComplete = !bits.overrun
  }

  /// slice_header() from colour_plane_id to redundant_pic_cnt. §7.3.3.
  private mutating func readIdentity(
    _ bits: inout BitReader, _ picture: H264PictureSummary, _ sequence: H264SequenceSummary
  ) {
    if sequence.hasSeparateColourPlanes { colourPlane = bits.read(2) }
    frameNum = bits.read(sequence.frameNumBits)
    if !sequence.hasOnlyFrames {
      isField = bits.readFlag()
      if isField { isBottomField = bits.readFlag() }
    }
    if isIDR { idrPictureID = bits.readUE() }
    orderType = sequence.pictureOrderCountType
    let hasBottom = picture.hasBottomOrder && !isField
    if orderType == 0 {
      orderLSB = bits.read(sequence.pictureOrderCountBits)
      if hasBottom { bottomDelta = bits.readSE() }
    } else if orderType == 1, !sequence.deltaPictureOrderIsZero {
      delta0 = bits.readSE()
      if hasBottom { delta1 = bits.readSE() }
    }
    if picture.hasRedundantCount { isRedundant = bits.readUE() > 0 }
  }

  /// Whether this slice begins another primary coded picture than `last`, the slice before it.
  ///
  /// Another picture parameter set or another distance of the bottom field counts only where a
  /// picture may begin, as it does for the decoder. docs/decisions/0006.
  func beginsPicture(after last: H264SliceSummary) -> Bool {
    guard isComplete, last.isComplete else { return firstMacroblock == 0 }
    return frameNum != last.frameNum || isField != last.isField
      || isBottomField != last.isBottomField
      || (referenceIDC != last.referenceIDC && (referenceIDC == 0 || last.referenceIDC == 0))
      || isIDR != last.isIDR || idrPictureID != last.idrPictureID
      || orderType != last.orderType
      || orderLSB != last.orderLSB || delta0 != last.delta0
      || (firstMacroblock == 0
        && (pictureID != last.pictureID || bottomDelta != last.bottomDelta
          || delta1 != last.delta1))
  }

  /// Whether this slice's field and the field of `first`, before it, are the two of a frame: a
  /// complementary field pair. §3.30, §3.31.
  func isSecondField(of first: H264SliceSummary) -> Bool {
    isComplete && first.isComplete && isField && first.isField && !isIDR
      && isBottomField != first.isBottomField && frameNum == first.frameNum
      && (referenceIDC == 0) == (first.referenceIDC == 0)
  }
}
