// Picture order counts, reference picture sets and output order. ISO/IEC 23008-2:2020 §8.1.3, §8.3, §C.5.2.

import ReelCore
import ReelVideoCore

/// Follows the pictures of a stream: which ones are references, and when each one is put out.
final class PictureSequencer {
  private let options: HEVCDecoderOptions
  private let executor: any PictureExecutor
  private let allocator = PictureAllocator()
  private var buffer: [Picture] = []
  private var output: [Picture] = []
  private var sequence: SequenceParameterSet?
  /// PicOrderCntVal of the previous picture with TemporalId 0 that others may refer to.
  private var previousTid0 = 0
  /// The next picture begins a coded video sequence: the first one, or one behind an end of sequence.
  private var startsSequence = true
  /// NoRaslOutputFlag of the last intra random access point.
  private var skipsRASL = false
  private var number = 0
  /// The picture whose slices are being gathered.
  private(set) var job: PictureJob?
  private var firstHeader: SliceHeader?
  /// References of the last picture that were not there.
  private(set) var missingReferenceCount = 0

  init(executor: any PictureExecutor, options: HEVCDecoderOptions) {
    self.executor = executor
    self.options = options
  }

  /// Begins the picture of a first slice segment.
  ///
  /// - Returns: false for a picture that is skipped: a leading picture whose references are not there.
  func begin(
    _ header: SliceHeader, layout: PictureLayout, properties: FrameProperties
  ) -> Bool {
    let type = header.unit.type
    let isNewSequence = type.isIRAP && (type.isIDR || type.isBLA || startsSequence)
    if type.isIRAP { skipsRASL = isNewSequence }
    if type.isRASL && skipsRASL { return false }
    let orderCount = pictureOrderCount(header, layout.sequence, isNewSequence: isNewSequence)
    if isNewSequence || sequence !== layout.sequence {
      startSequence(
        layout.sequence, noOutput: header.noOutputOfPriorPics || (type == .cra && !startsSequence))
    }
    startsSequence = false
    let (references, isLongTerm) = referencePictureSet(header, orderCount, layout.sequence)
    makeRoom(layout.sequence)
    var properties = properties
    properties.decodeIndex = number
    let picture = Picture(
      storage: allocator.storage(for: layout.sequence),
      motion: allocator.motion(for: layout.sequence), orderCount: orderCount,
      properties: properties, isComplete: false)
    picture.referenceOrderCounts = references.map(\.orderCount)
    picture.referenceIsLongTerm = isLongTerm
    picture.isNeededForOutput = header.picOutput
    job = PictureJob(number: number, picture: picture, layout: layout, references: references)
    firstHeader = header
    number += 1
    if header.unit.temporalID == 0 && !type.isRASL && !type.isRADL && !type.isSubLayerNonReference {
      previousTid0 = orderCount
    }
    return true
  }

  /// Adds a slice segment to the picture that was begun.
  func add(_ header: SliceHeader, layout: PictureLayout, payload: [UInt8]) throws(MediaError) {
    guard let job, let firstHeader else { return }
    guard header.shortTerm == firstHeader.shortTerm, header.longTerm == firstHeader.longTerm,
      layout.sequence === job.layout.sequence
    else {
      throw MediaError(
        .damaged, .hevcSliceValue, detail: "a slice has another reference picture set")
    }
    let counts = (
      header.shortTerm.negative.count { $0.isUsed }, header.shortTerm.positive.count { $0.isUsed },
      header.longTerm.count { $0.isUsed }
    )
    let before = Array(0..<counts.0)
    let after = Array(counts.0..<counts.0 + counts.1)
    let longTerm = Array(counts.0 + counts.1..<counts.0 + counts.1 + counts.2)
    job.slices.append(
      SliceInput(
        header: header, layout: layout,
        referenceList0: Self.list(
          before + after + longTerm, header.activeL0, header.listEntriesL0),
        referenceList1: Self.list(
          after + before + longTerm, header.activeL1, header.listEntriesL1), payload: payload))
  }

  /// RefPicList0 or RefPicList1, §8.3.4.
  private static func list(_ order: [Int], _ active: Int, _ entries: [Int]?) -> [Int] {
    guard !order.isEmpty else { return [] }
    return (0..<active).map { i in
      if let entries, i < entries.count { return order[min(entries[i], order.count - 1)] }
      return order[i % order.count]
    }
  }

  func setHash(_ message: SupplementalMessage) {
    guard let job, options.checksPictureHashes else { return }
    job.hash = PictureHash(
      parsing: message.payload, planeCount: job.layout.sequence.chromaFormatIDC == 0 ? 1 : 3)
  }

  /// Ends the picture that was begun: it is decoded, and may be put out.
  func finish() {
    guard let job else { return }
    self.job = nil
    firstHeader = nil
    let picture = job.picture
    if picture.isNeededForOutput {
      for other in buffer where other.isNeededForOutput { other.latencyCount += 1 }
    }
    buffer.append(picture)
    executor.submit(job)
    bump(job.layout.sequence) { false }
  }

  /// The next picture begins a new sequence, as after end_of_seq_rbsp().
  func endSequence() { startsSequence = true }

  /// Puts all pictures out, at the end of the stream.
  func flush() {
    while putOut() {}
    buffer.removeAll()
    startsSequence = true
  }

  /// Forgets all pictures.
  func reset() {
    finish()
    for picture in buffer + output { picture.completion.wait(until: 1) }
    buffer.removeAll()
    output.removeAll()
    startsSequence = true
  }

  /// Pictures that are due, in output order.
  func takeOutput() -> [Picture] {
    defer { output.removeAll() }
    return output
  }
}

extension PictureSequencer {
  /// PicOrderCntVal. §8.3.1.
  private func pictureOrderCount(
    _ header: SliceHeader, _ sequence: SequenceParameterSet, isNewSequence: Bool
  ) -> Int {
    let lsb = header.picOrderCntLsb
    if isNewSequence { return lsb }
    let range = 1 << sequence.log2MaxPicOrderCntLsb
    let previousLsb = previousTid0 & (range - 1)
    var msb = previousTid0 - previousLsb
    if lsb < previousLsb && previousLsb - lsb >= range / 2 {
      msb += range
    } else if lsb > previousLsb && lsb - previousLsb > range / 2 {
      msb -= range
    }
    // LIMIT: counts have 32 bits; a stream that goes on for longer than that starts anew.
    let value = msb + lsb
    return abs(value) < 1 << 30 ? value : lsb
  }

  /// No picture from before is a reference any more. §C.5.2.2.
  private func startSequence(_ sequence: SequenceParameterSet, noOutput: Bool) {
    self.sequence = sequence
    for picture in buffer { picture.marking = .unused }
    if noOutput && !options.outputsPriorPictures {
      for picture in buffer { picture.isNeededForOutput = false }
    }
    while putOut() {}
    buffer.removeAll()
  }

  /// The pictures that the current one may refer to, before, after and long-term ones, and which are
  /// long-term; all others lose their marking. §8.3.2.
  private func referencePictureSet(
    _ header: SliceHeader, _ orderCount: Int, _ sequence: SequenceParameterSet
  ) -> ([Picture], [Bool]) {
    missingReferenceCount = 0
    if header.unit.type.isIRAP && buffer.isEmpty && header.picTotalCurr == 0 { return ([], []) }
    let range = 1 << sequence.log2MaxPicOrderCntLsb
    var kept: [Picture] = []
    var longTerm: [Picture] = []
    for entry in header.longTerm {
      var wanted = entry.pocLsb
      var mask = range - 1
      if let cycle = entry.deltaPocMsbCycle {
        wanted += orderCount - cycle * range - (orderCount & (range - 1))
        mask = -1
      }
      let found = buffer.first {
        $0.marking != .unused && $0.orderCount & mask == wanted & mask
      }
      if let found { kept.append(found) }
      if entry.isUsed {
        longTerm.append(found ?? substitute(wanted, sequence, .longTerm))
      }
    }
    let longTermPictures = kept
    var shortTerm: [[Picture]] = [[], []]
    for (i, entries) in [header.shortTerm.negative, header.shortTerm.positive].enumerated() {
      for entry in entries {
        let wanted = orderCount + entry.deltaPOC
        let found = buffer.first { picture in
          picture.marking == .shortTerm && picture.orderCount == wanted
            && !longTermPictures.contains { $0 === picture }
        }
        if let found { kept.append(found) }
        if entry.isUsed {
          shortTerm[i].append(found ?? substitute(wanted, sequence, .shortTerm))
        }
      }
    }
    for picture in buffer where !kept.contains(where: { $0 === picture }) && !picture.isFresh {
      picture.marking = .unused
    }
    for picture in longTermPictures { picture.marking = .longTerm }
    for picture in buffer { picture.isFresh = false }
    let references = shortTerm[0] + shortTerm[1] + longTerm
    let isLongTerm = references.indices.map { $0 >= references.count - longTerm.count }
    return (references, isLongTerm)
  }

  /// A picture in the place of one that is not there. §8.3.3.
  private func substitute(
    _ orderCount: Int, _ sequence: SequenceParameterSet, _ marking: Picture.Marking
  ) -> Picture {
    missingReferenceCount += 1
    let picture = Picture(
      storage: allocator.storage(for: sequence), motion: allocator.motion(for: sequence),
      orderCount: orderCount, properties: FrameProperties(sequence), isComplete: true)
    picture.storage.fillGrey(sequence)
    picture.isSubstitute = true
    picture.marking = marking
    picture.isFresh = true
    buffer.append(picture)
    return picture
  }

  /// Puts pictures out until there is room for one more. §C.5.2.2.
  private func makeRoom(_ sequence: SequenceParameterSet) {
    removeUnused()
    bump(sequence) { [unowned self] in buffer.count >= sequence.maxDecPicBuffering }
  }

  /// "Bumping", §C.5.2.4, while too many pictures wait, or `isFull`.
  private func bump(_ sequence: SequenceParameterSet, while isFull: () -> Bool) {
    while true {
      let waiting = buffer.count { $0.isNeededForOutput }
      let maximumLatency = sequence.maxNumReorderPics + sequence.maxLatencyIncreasePlus1 - 1
      let isLate =
        sequence.maxLatencyIncreasePlus1 != 0
        && buffer.contains { $0.isNeededForOutput && $0.latencyCount >= maximumLatency }
      guard waiting > sequence.maxNumReorderPics || isLate || isFull(), putOut() else { return }
      removeUnused()
    }
  }

  private func removeUnused() {
    buffer.removeAll { !$0.isNeededForOutput && $0.marking == .unused }
  }

  /// Puts the first picture in output order out; false when none waits.
  private func putOut() -> Bool {
    let first = buffer.filter(\.isNeededForOutput).min { $0.orderCount < $1.orderCount }
    guard let first else { return false }
    first.isNeededForOutput = false
    output.append(first)
    return true
  }
}
