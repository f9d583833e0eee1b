// Construction of reference picture lists. ISO/IEC 14496-10:2020 §8.2.4.

/// A frame of the buffer, or one field of it, in a list.
struct ReferenceEntry: Equatable {
  let frame: FrameStore
  let structure: PictureStructure
  /// Marked "used for long-term reference".
  let isLongTerm: Bool

  static func == (a: ReferenceEntry, b: ReferenceEntry) -> Bool {
    a.frame === b.frame && a.structure == b.structure
  }
}

/// RefPicList0 and RefPicList1 of one slice. nil: "no reference picture".
struct ReferenceLists {
  var list0: [ReferenceEntry?] = []
  var list1: [ReferenceEntry?] = []
  /// Modification commands that named no marked picture.
  var missingCount = 0
}

/// Builds the lists of a slice from the marking in the buffer.
struct ReferenceListBuilder {
  let buffer: DecodedPictureBuffer
  let header: SliceHeader
  let sequence: SequenceParameterSet
  /// PicOrderCnt(CurrPic).
  let picOrderCnt: Int

  /// §8.2.4: initialisation, then modification. FrameNumWrap is updated here, as §8.2.4.1 wants.
  func lists() -> ReferenceLists {
    var lists = ReferenceLists()
    guard !header.sliceType.isIntra else { return lists }
    buffer.updateFrameNumWraps(current: header.frameNum, maxFrameNum: sequence.maxFrameNum)
    let initial = header.sliceType == .b ? initialB() : (initialP(), [])
    lists.list0 = fit(initial.0, header.numRefIdxL0Active)
    lists.list1 = fit(initial.1, header.numRefIdxL1Active)
    modify(&lists.list0, header.listModifications0, &lists.missingCount)
    modify(&lists.list1, header.listModifications1, &lists.missingCount)
    return lists
  }

  /// Cut to the active entries, or filled up with "no reference picture". §8.2.4.2.
  private func fit(_ list: [ReferenceEntry], _ count: Int) -> [ReferenceEntry?] {
    (0..<count).map { $0 < list.count ? list[$0] : nil }
  }

  // MARK: Initialisation, §8.2.4.2

  /// P and SP slices of frames (§8.2.4.2.1) and of fields (§8.2.4.2.2).
  func initialP() -> [ReferenceEntry] {
    if header.fieldPicFlag {
      // A field of the current frame counts as well: it is stored already.
      let short = buffer.frames.filter(\.isShortTerm).sorted { $0.frameNumWrap > $1.frameNumWrap }
      return alternate(short, isLongTerm: false) + alternate(longTermFields(), isLongTerm: true)
    }
    let short = buffer.frames.filter(\.isShortTermFrame)
      .sorted { $0.frameNumWrap > $1.frameNumWrap }
    return entries(short, isLongTerm: false) + entries(longTermFrames(), isLongTerm: true)
  }

  /// B slices of frames (§8.2.4.2.3) and of fields (§8.2.4.2.4).
  func initialB() -> ([ReferenceEntry], [ReferenceEntry]) {
    var list0: [ReferenceEntry]
    var list1: [ReferenceEntry]
    if header.fieldPicFlag {
      let short = inOrder(buffer.frames.filter(\.isShortTerm))
      // The first field of the same frame may have the count of this field: it counts as before it.
      let before = Array(short.filter { $0.picOrderCnt <= picOrderCnt }.reversed())
      let after = short.filter { $0.picOrderCnt > picOrderCnt }
      let long = alternate(longTermFields(), isLongTerm: true)
      list0 = alternate(before + after, isLongTerm: false) + long
      list1 = alternate(after + before, isLongTerm: false) + long
    } else {
      let short = inOrder(buffer.frames.filter(\.isShortTermFrame))
      let before = Array(short.filter { $0.picOrderCnt < picOrderCnt }.reversed())
      let after = short.filter { $0.picOrderCnt >= picOrderCnt }
      let long = entries(longTermFrames(), isLongTerm: true)
      list0 = entries(before + after, isLongTerm: false) + long
      list1 = entries(after + before, isLongTerm: false) + long
    }
    if list1.count > 1 && list1 == list0 { list1.swapAt(0, 1) }
    return (list0, list1)
  }

  /// By PicOrderCnt, smallest first. With order count type 0, frames that fill a gap have no count
  /// and take no part. §8.2.4.2.3.
  private func inOrder(_ frames: [FrameStore]) -> [FrameStore] {
    frames.filter { !($0.isNonExisting && sequence.picOrderCntType == 0) }
      .sorted { $0.picOrderCnt < $1.picOrderCnt }
  }

  private func longTermFrames() -> [FrameStore] {
    buffer.frames.filter(\.isLongTermFrame).sorted { $0.longTermFrameIdx < $1.longTermFrameIdx }
  }

  private func longTermFields() -> [FrameStore] {
    buffer.frames.filter(\.isLongTerm).sorted { $0.longTermFrameIdx < $1.longTermFrameIdx }
  }

  private func entries(_ frames: [FrameStore], isLongTerm: Bool) -> [ReferenceEntry] {
    frames.map { ReferenceEntry(frame: $0, structure: .frame, isLongTerm: isLongTerm) }
  }

  /// Fields in turn, beginning with the parity of the current field; when one parity is used up, the
  /// rest of the other follows. §8.2.4.2.5.
  private func alternate(_ frames: [FrameStore], isLongTerm: Bool) -> [ReferenceEntry] {
    let same = header.structure
    let other = same.opposite
    func fields(_ structure: PictureStructure) -> [ReferenceEntry] {
      frames.filter {
        (isLongTerm ? $0.longTermFields : $0.shortTermFields) & structure.rawValue != 0
      }.map { ReferenceEntry(frame: $0, structure: structure, isLongTerm: isLongTerm) }
    }
    let (a, b) = (fields(same), fields(other))
    var list: [ReferenceEntry] = []
    let pairs = min(a.count, b.count)
    for i in 0..<pairs {
      list.append(a[i])
      list.append(b[i])
    }
    return list + a[pairs...] + b[pairs...]
  }

  // MARK: Modification, §8.2.4.3

  private func modify(
    _ list: inout [ReferenceEntry?], _ commands: [ReferenceListModification],
    _ missingCount: inout Int
  ) {
    let maxPicNum = header.maxPicNum(sequence)
    var predicted = header.currPicNum
    for (index, command) in commands.enumerated() where index < list.count {
      let entry: ReferenceEntry?
      switch command {
      case .subtract(let difference):
        predicted -= difference
        if predicted < 0 { predicted += maxPicNum }
        entry = shortTerm(predicted, maxPicNum)
      case .add(let difference):
        predicted += difference
        if predicted >= maxPicNum { predicted -= maxPicNum }
        entry = shortTerm(predicted, maxPicNum)
      case .longTerm(let number):
        entry = longTerm(number)
      }
      if entry == nil { missingCount += 1 }
      insert(entry, at: index, &list)
    }
  }

  /// picNumLX from picNumLXNoWrap, (8-36), and the picture that has it. §8.2.4.3.1.
  private func shortTerm(_ noWrap: Int, _ maxPicNum: Int) -> ReferenceEntry? {
    let picNum = noWrap > header.currPicNum ? noWrap - maxPicNum : noWrap
    return buffer.find(picNum, .shortTerm, for: header.structure)
  }

  /// §8.2.4.3.2.
  private func longTerm(_ number: Int) -> ReferenceEntry? {
    buffer.find(number, .longTerm, for: header.structure)
  }

  /// Puts the picture at `index`, moves the rest back and takes its later occurrence out. (8-37).
  private func insert(
    _ entry: ReferenceEntry?, at index: Int, _ list: inout [ReferenceEntry?]
  ) {
    let count = list.count
    list.insert(entry, at: index)
    if let entry {
      let rest = list[(index + 1)...].filter { $0 != entry }
      list.replaceSubrange((index + 1)..., with: rest)
    }
    while list.count < count { list.append(nil) }
    list.removeLast(list.count - count)
  }
}
