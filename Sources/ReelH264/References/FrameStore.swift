// A frame buffer of the decoded picture buffer with its marking. ISO/IEC 14496-10:2020 §8.2.5, Annex C.

/// What the decoding of headers knows of a frame, a complementary field pair or a single field.
///
/// Only the control side touches it; the samples are in ``picture``, which workers read and write.
/// Fields are bits: 1 top, 2 bottom, as in ``PictureStructure``.
final class FrameStore {
  /// Samples and motion; nil for "non-existing" frames that stand in for a gap in frame_num.
  let picture: Picture?
  /// Fields that were decoded, or inferred for non-existing frames.
  private(set) var fields: UInt8 = 0
  /// Fields marked "used for short-term reference" and "used for long-term reference".
  var shortTermFields: UInt8 = 0
  var longTermFields: UInt8 = 0
  /// FrameNum; 0 after memory_management_control_operation 5.
  var frameNum: Int
  /// FrameNumWrap relative to the current picture. (8-27).
  private(set) var frameNumWrap = 0
  /// LongTermFrameIdx, where a field is marked long-term.
  var longTermFrameIdx = 0
  private(set) var topFieldOrderCount = 0
  private(set) var bottomFieldOrderCount = 0
  /// A field of it was decoded as a reference picture (nal_ref_idc ≠ 0).
  let isReference: Bool
  /// Its first picture was an IDR picture.
  var isIDR = false
  /// "needed for output": not handed out yet.
  var isNeededForOutput: Bool
  /// It takes up a frame buffer. A frame that is put out without being stored does not.
  var isStored = false
  /// What the frame will carry when it is put out.
  var properties = FrameProperties()
  /// The jobs that decode its fields, in decoding order.
  var jobs: [PictureJob] = []
  /// A non-existing frame where gaps are not allowed: a frame was lost.
  var isLost = false
  /// It may lack references from before decoding began.
  var isSuspect = false
  /// See ``PictureJob/trustedFrom``.
  var trustedFrom = 0
  /// References named by slice headers of this frame that were never decoded.
  var missingReferenceCount = 0

  init(picture: Picture?, frameNum: Int, isReference: Bool) {
    self.picture = picture
    self.frameNum = frameNum
    self.isReference = isReference
    isNeededForOutput = picture != nil
  }

  var isNonExisting: Bool { picture == nil }
  var isShortTerm: Bool { shortTermFields != 0 }
  var isLongTerm: Bool { longTermFields != 0 }
  var isUsedForReference: Bool { shortTermFields | longTermFields != 0 }
  /// Both fields are there and marked so; only then a frame can refer to it. §8.2.4.2.1.
  var isShortTermFrame: Bool { shortTermFields == 3 }
  var isLongTermFrame: Bool { longTermFields == 3 }

  /// PicOrderCnt of the frame, of a pair, or of its only field. (8-1).
  var picOrderCnt: Int {
    switch fields {
    case 1: topFieldOrderCount
    case 2: bottomFieldOrderCount
    default: min(topFieldOrderCount, bottomFieldOrderCount)
    }
  }

  /// PicOrderCnt of a part of it.
  func picOrderCnt(_ structure: PictureStructure) -> Int {
    switch structure {
    case .topField: topFieldOrderCount
    case .bottomField: bottomFieldOrderCount
    case .frame: picOrderCnt
    }
  }

  /// Adds a decoded frame or field with its order counts.
  func add(_ structure: PictureStructure, _ counts: PictureOrderCounts) {
    fields |= structure.rawValue
    if structure != .bottomField { setOrderCount(.topField, counts.top) }
    if structure != .topField { setOrderCount(.bottomField, counts.bottom) }
    picture?.decodedFields = fields
  }

  /// Takes tempPicOrderCnt off the counts after memory_management_control_operation 5. §8.2.1.
  func rebaseOrderCounts(_ structure: PictureStructure) {
    let base = picOrderCnt(structure)
    if structure != .bottomField { setOrderCount(.topField, topFieldOrderCount - base) }
    if structure != .topField { setOrderCount(.bottomField, bottomFieldOrderCount - base) }
  }

  private func setOrderCount(_ field: PictureStructure, _ count: Int) {
    if field == .topField {
      topFieldOrderCount = count
      picture?.topFieldOrderCount = Int32(clamping: count)
    } else {
      bottomFieldOrderCount = count
      picture?.bottomFieldOrderCount = Int32(clamping: count)
    }
  }

  /// FrameNumWrap, (8-27).
  func updateFrameNumWrap(current frameNum: Int, maxFrameNum: Int) {
    frameNumWrap = self.frameNum > frameNum ? self.frameNum - maxFrameNum : self.frameNum
  }

  func unmark(_ fields: UInt8 = 3) {
    shortTermFields &= ~fields
    longTermFields &= ~fields
  }
}
