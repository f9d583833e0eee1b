// Decoded reference picture marking. ISO/IEC 14496-10:2020 §8.2.5.

import ReelCore

/// The picture that is being marked.
struct CurrentMarking {
  let frame: FrameStore
  let structure: PictureStructure
  /// It is the second field of ``frame``, whose first field is in the buffer already.
  let isSecondField: Bool
  let header: SliceHeader
  let sequence: SequenceParameterSet

  fileprivate var maxFrames: Int { max(sequence.maxNumRefFrames, 1) }
}

/// The two kinds of marking.
enum ReferenceTerm {
  case shortTerm
  case longTerm
}

extension DecodedPictureBuffer {
  /// FrameNumWrap of all short-term frames relative to the current frame_num. (8-27).
  func updateFrameNumWraps(current frameNum: Int, maxFrameNum: Int) {
    for frame in frames {
      frame.updateFrameNumWrap(current: frameNum, maxFrameNum: maxFrameNum)
    }
  }

  /// Marks all pictures "unused for reference".
  func unmarkAll() {
    for frame in frames { frame.unmark() }
  }

  /// §8.2.5.1 for a reference picture, before it is stored. Buffers of an IDR picture were emptied
  /// before, so that only its own marking is left.
  ///
  /// - Returns: the first operation that named no marked picture; it was passed over.
  mutating func mark(_ current: CurrentMarking) -> MediaError? {
    let header = current.header
    var fault: MediaError?
    updateFrameNumWraps(current: header.frameNum, maxFrameNum: current.sequence.maxFrameNum)
    if header.isIDR {
      markIDR(current)
    } else if header.marking.adaptiveRefPicMarkingModeFlag {
      for operation in header.marking.operations {
        if !apply(operation, current) && fault == nil {
          fault = MediaError(.damaged, .h264MarkingTarget, detail: "\(operation)")
        }
      }
      if current.frame.longTermFields & current.structure.rawValue == 0 {
        current.frame.shortTermFields |= current.structure.rawValue
      }
    } else {
      if !(current.isSecondField && current.frame.isShortTerm) { slideWindow(current) }
      current.frame.shortTermFields |= current.structure.rawValue
    }
    keepWithinBounds(current)
    return fault
  }

  private mutating func markIDR(_ current: CurrentMarking) {
    if current.header.marking.longTermReferenceFlag {
      current.frame.longTermFields |= current.structure.rawValue
      current.frame.longTermFrameIdx = 0
      maxLongTermFrameIdx = 0
    } else {
      current.frame.shortTermFields |= current.structure.rawValue
      maxLongTermFrameIdx = -1
    }
  }

  /// The sliding window, §8.2.5.3. Also for the frames of a gap in frame_num.
  mutating func slideWindow(_ current: CurrentMarking) {
    slideWindow(keeping: current.maxFrames - 1, except: current.frame)
  }

  /// Unmarks short-term frames, smallest FrameNumWrap first, until `count` frames are marked.
  mutating func slideWindow(keeping count: Int, except current: FrameStore?) {
    while frames.count(where: { $0 !== current && $0.isUsedForReference }) > count {
      let oldest = frames.filter { $0 !== current && $0.isShortTerm }
        .min { $0.frameNumWrap < $1.frameNumWrap }
      guard let oldest else { return }
      oldest.shortTermFields = 0
    }
  }

  /// Operations may mark more frames than max_num_ref_frames only against the rule of §8.2.5.1;
  /// the surplus goes, so that the buffer stays bounded.
  private mutating func keepWithinBounds(_ current: CurrentMarking) {
    slideWindow(keeping: current.maxFrames - 1, except: current.frame)
    while let surplus = frames.first(where: { $0 !== current.frame && $0.isUsedForReference }),
      frames.count(where: { $0 !== current.frame && $0.isUsedForReference })
        > current.maxFrames - 1
    {
      surplus.unmark()
    }
  }

  /// One operation of §8.2.5.4; false when it names no picture that is marked as it should be.
  private mutating func apply(
    _ operation: MemoryManagementControlOperation, _ current: CurrentMarking
  ) -> Bool {
    switch operation {
    case .shortTermUnused(let difference):
      guard let entry = shortTerm(difference, current) else { return false }
      entry.frame.shortTermFields &= ~entry.structure.rawValue
    case .longTermUnused(let number):
      guard let entry = longTerm(number, current) else { return false }
      entry.frame.longTermFields &= ~entry.structure.rawValue
    case .shortTermToLongTerm(let difference, let index):
      guard let entry = shortTerm(difference, current) else { return false }
      freeLongTermFrameIdx(index, for: entry.frame)
      entry.frame.shortTermFields &= ~entry.structure.rawValue
      entry.frame.longTermFields |= entry.structure.rawValue
      entry.frame.longTermFrameIdx = index
    case .maxLongTermFrameIdx(let plus1):
      for frame in frames where frame.isLongTerm && frame.longTermFrameIdx >= plus1 {
        frame.longTermFields = 0
      }
      maxLongTermFrameIdx = plus1 - 1
    case .allUnused:
      unmarkAll()
      maxLongTermFrameIdx = -1
    case .currentToLongTerm(let index):
      freeLongTermFrameIdx(index, for: current.frame)
      // A first field under another index or marking would leave the frame with two.
      current.frame.longTermFields |= current.structure.rawValue
      current.frame.longTermFrameIdx = index
    }
    return true
  }

  /// The short-term frame, or the field of it, with picNumX = CurrPicNum − difference. (8-39).
  private func shortTerm(_ difference: Int, _ current: CurrentMarking) -> ReferenceEntry? {
    find(current.header.currPicNum - difference, .shortTerm, for: current.structure)
  }

  /// The long-term frame, or the field of it, with LongTermPicNum `number`. §8.2.5.4.2.
  private func longTerm(_ number: Int, _ current: CurrentMarking) -> ReferenceEntry? {
    find(number, .longTerm, for: current.structure)
  }

  /// The frame, or field of a frame, with a PicNum (by ``FrameStore/frameNumWrap``) or LongTermPicNum,
  /// for a current picture of the structure `current`. §8.2.4.1.
  func find(
    _ number: Int, _ term: ReferenceTerm, for current: PictureStructure
  ) -> ReferenceEntry? {
    // Fields of the same parity have 2n + 1, of the opposite parity 2n. The arithmetic shift gives n
    // for negative n as well.
    let part = current == .frame ? .frame : number & 1 == 1 ? current : current.opposite
    let wanted = current == .frame ? number : number >> 1
    let frame = frames.first { frame in
      switch term {
      case .shortTerm:
        frame.shortTermFields & part.rawValue == part.rawValue && frame.frameNumWrap == wanted
      case .longTerm:
        frame.longTermFields & part.rawValue == part.rawValue && frame.longTermFrameIdx == wanted
      }
    }
    return frame.map {
      ReferenceEntry(frame: $0, structure: part, isLongTerm: term == .longTerm)
    }
  }

  /// Takes `index` away from every frame but the one it is to belong to. §8.2.5.4.3, §8.2.5.4.6.
  private func freeLongTermFrameIdx(_ index: Int, for owner: FrameStore) {
    for frame in frames where frame.isLongTerm && frame.longTermFrameIdx == index {
      if frame !== owner { frame.longTermFields = 0 }
    }
    if owner.isLongTerm && owner.longTermFrameIdx != index { owner.longTermFields = 0 }
  }
}
