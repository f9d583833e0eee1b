// The decoded picture buffer: storing and output by bumping. ISO/IEC 14496-10:2020 §C.4.

/// Frame buffers and the order in which frames leave them.
///
/// All decisions come from headers. Frames that are due are appended to ``output``; the owner takes
/// them from there.
struct DecodedPictureBuffer {
  /// Frames in decoding order, at most ``capacity`` of them.
  private(set) var frames: [FrameStore] = []
  /// Frame buffers, ≥ 1.
  private(set) var capacity = 1
  /// Frames that may wait for output; nil when only a full buffer decides.
  private(set) var reorderFrames: Int?
  /// MaxLongTermFrameIdx; −1 for "no long-term frame indices".
  var maxLongTermFrameIdx = -1
  /// Frames due for output, first one first.
  private(set) var output: [FrameStore] = []
  /// Order count of the last frame that was put out since the buffer was emptied.
  private var lastOutputCount = Int.min

  init() {}

  /// Sets the sizes from a sequence parameter set. Frames that are stored stay.
  mutating func configure(_ sequence: SequenceParameterSet) {
    capacity = sequence.dpbFrames
    reorderFrames = sequence.reorderFrames
  }

  var framesNeededForOutput: Int { frames.count { $0.isNeededForOutput } }

  /// Takes the frames that are due.
  mutating func takeOutput() -> [FrameStore] {
    defer { output.removeAll(keepingCapacity: true) }
    return output
  }

  /// Frees frame buffers whose frame is neither waiting for output nor used for reference.
  mutating func removeUnused() {
    frames.removeAll { frame in
      guard !frame.isNeededForOutput && !frame.isUsedForReference else { return false }
      frame.isStored = false
      return true
    }
  }

  /// The "bumping" process, §C.4.5.3: puts out the first frame in output order.
  ///
  /// - Returns: false when no frame waits for output.
  mutating func bump() -> Bool {
    guard
      let first = frames.lazy.filter(\.isNeededForOutput).min(by: {
        $0.picOrderCnt < $1.picOrderCnt
      })
    else { return false }
    putOut(first)
    removeUnused()
    return true
  }

  private mutating func putOut(_ frame: FrameStore) {
    frame.isNeededForOutput = false
    lastOutputCount = frame.picOrderCnt
    output.append(frame)
  }

  /// All frames leave, in output order unless they are to be dropped (no_output_of_prior_pics_flag);
  /// as for IDR pictures and memory_management_control_operation 5. §C.4.4, §C.4.5.3.
  mutating func empty(withoutOutput: Bool = false) {
    for frame in frames {
      frame.unmark()
      if withoutOutput { frame.isNeededForOutput = false }
    }
    removeUnused()
    while bump() {}
    lastOutputCount = .min
  }

  /// Forgets everything, with nothing put out.
  mutating func reset() {
    empty(withoutOutput: true)
    output.removeAll()
    maxLongTermFrameIdx = -1
  }

  /// Stores a frame or first field that was just decoded and marked, §C.4.5.1, §C.4.5.2: bumps until
  /// a buffer is free. A non-reference picture that precedes all waiting ones is put out by
  /// ``complete(_:)`` without being stored.
  mutating func store(_ frame: FrameStore) {
    removeUnused()
    while frames.count >= capacity {
      if !frame.isUsedForReference && isFirstInOutputOrder(frame) { return }
      if !bump() && !evict() { break }
    }
    frame.isStored = true
    frames.append(frame)
  }

  /// Ends a frame: no further field will come. Puts out what the reordering depth allows.
  mutating func complete(_ frame: FrameStore) {
    if !frame.isStored {
      if frame.isNeededForOutput { putOut(frame) }
      return
    }
    // SPEC: a frame that comes after one that should have followed it shows that the stream reorders
    // more than it says. Waiting longer from here on keeps the rest in order.
    if let depth = reorderFrames, frame.isNeededForOutput, frame.picOrderCnt < lastOutputCount {
      reorderFrames = min(depth + 1, capacity)
    }
    removeUnused()
    while let reorderFrames, framesNeededForOutput > reorderFrames, bump() {}
  }

  private func isFirstInOutputOrder(_ frame: FrameStore) -> Bool {
    frame.isNeededForOutput
      && frames.allSatisfy { !$0.isNeededForOutput || frame.picOrderCnt < $0.picOrderCnt }
  }

  /// Makes room when every buffer is in use for reference, which marking in order never does.
  private mutating func evict() -> Bool {
    let candidate =
      frames.filter(\.isShortTerm).min { $0.frameNumWrap < $1.frameNumWrap } ?? frames.first
    guard let candidate else { return false }
    candidate.unmark()
    removeUnused()
    return true
  }
}
