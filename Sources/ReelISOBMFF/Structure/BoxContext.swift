// Walking boxes. ISO/IEC 14496-12:2020 §4.2.

import ReelCore

/// The header of a box: what it is and where.
struct BoxHeader {
  let type: FourCC
  /// Extended type of a `uuid` box, 16 bytes.
  var userType: [UInt8]?
  /// Offset of the box in the file.
  let offset: Int64
  /// Bytes before the payload: 8, 16, or 16 more with an extended type.
  var headerByteCount: Int
  /// Bytes of the whole box.
  var byteCount: Int64
}

/// What parsing carries along: where it stands, what it may use up, and what it noticed.
struct BoxContext {
  let limits: Limits
  let strictness: Strictness
  /// Samples a track may have: no more than the limit, and no more than the file has bytes. A count
  /// that is merely stated could otherwise make a small file cost as much as a large one.
  private(set) var maximumSampleCount: Int
  /// What was wrong and yet read past, in order of discovery.
  private(set) var warnings: [MediaError] = []
  /// Boxes seen so far.
  private(set) var boxCount = 0
  /// Boxes around the reader, outermost first, each with its number among those of its type where
  /// several are usual.
  private var path: [(type: FourCC, index: Int?)] = []
  /// Warnings beyond this many say nothing new.
  private static let maximumWarnings = 100

  init(limits: Limits = .standard, strictness: Strictness = .lenient) {
    self.limits = limits
    self.strictness = strictness
    maximumSampleCount = limits.maximumSamplesPerTrack
  }

  /// Takes note of how long the input is: the sum of its sources, nil for one that does not tell.
  mutating func bound(byByteCount byteCount: Int64?) {
    guard let byteCount else { return }
    maximumSampleCount = Int(
      min(Int64(limits.maximumSamplesPerTrack), max(byteCount, 0)))
  }

  /// Throws `error` if it breaks a rule of at least this level of strictness; else keeps it.
  mutating func note(_ error: MediaError, from level: Strictness = .standard) throws(MediaError) {
    let placed = located(error)
    if strictness >= level { throw placed }
    if warnings.count < Self.maximumWarnings { warnings.append(placed) }
  }

  /// The same error with the path of the boxes around it, unless it has one already.
  func located(_ error: MediaError) -> MediaError {
    guard case .offset(let offset) = error.place, !path.isEmpty else { return error }
    return error.at(.box(path: pathText, offset: offset))
  }

  /// The boxes around the reader as text, such as `moov/trak[1]/tkhd`.
  var pathText: String {
    path.map { step in
      step.index.map { "\(step.type)[\($0)]" } ?? step.type.description
    }.joined(separator: "/")
  }

  /// Counts a box against the limit.
  mutating func countBox(at offset: Int64) throws(MediaError) {
    boxCount += 1
    // LIMIT: a file of nothing but empty boxes costs no more than this many steps.
    guard boxCount <= limits.maximumBoxes else {
      throw MediaError(
        .limitExceeded, .boxCount, at: .offset(offset), detail: "more than \(limits.maximumBoxes)",
        advice: "raise Limits.maximumBoxes if the file is trusted")
    }
  }

  /// Boxes up to here were of use to so many samples: they no longer count.
  ///
  /// The limit is of boxes that tell nothing. A recording of a day has a million boxes in its fragments,
  /// and the limit of samples bounds those.
  mutating func excuseBoxes(since count: Int, forSamples samples: Int) {
    if boxCount - count <= 16 + 8 * samples { boxCount = count }
  }

  /// Enters a box; throws when it lies too deep.
  mutating func enter(_ type: FourCC, index: Int? = nil, at offset: Int64) throws(MediaError) {
    // LIMIT: nesting bounds the recursion of the parsers.
    guard path.count < limits.maximumNesting else {
      throw MediaError(
        .limitExceeded, .boxNesting, at: .box(path: pathText, offset: offset),
        detail: "deeper than \(limits.maximumNesting)")
    }
    path.append((type, index))
  }

  /// Number of boxes around the reader.
  var depth: Int { path.count }

  /// Leaves all boxes that are nested deeper than `depth`.
  mutating func leave(to depth: Int) { path.removeLast(path.count - depth) }

  /// Keeps a fault of the input as a warning when lenient; throws it otherwise, and any other error.
  mutating func tolerate(_ error: MediaError) throws(MediaError) {
    guard error.family == .damaged || error.family == .needsMoreData else { throw located(error) }
    try note(error)
  }
}

/// Types of which a parent usually has several, so that a path needs their number.
private let numberedTypes: Set<FourCC> = ["trak", "traf", "trun", "trex"]

extension ByteReader {
  /// Reads a box header and checks its size against what is left to read.
  ///
  /// - Throws: `needsMoreData` when the header itself is cut, `damaged` for a size that cannot be.
  mutating func readBoxHeader(_ context: inout BoxContext) throws(MediaError) -> BoxHeader {
    let start = offset
    let available = remaining
    try context.countBox(at: start)
    var byteCount = UInt64(try read(UInt32.self))
    let type = FourCC(rawValue: try read())
    var headerByteCount = 8
    if byteCount == 1 {
      byteCount = try read()
      headerByteCount = 16
    } else if byteCount == 0 {
      try context.note(MediaError(.damaged, .boxSizeZero, at: .offset(start), detail: "\(type)"))
      byteCount = UInt64(available)
    }
    var userType: [UInt8]?
    if type == "uuid" {
      userType = try readBytes(16)
      headerByteCount += 16
    }
    if byteCount < UInt64(headerByteCount) || byteCount > UInt64(available) {
      let fault = MediaError(
        .damaged, .boxSize, at: .offset(start),
        detail: "\(type) has size \(byteCount), \(available) bytes are there")
      guard byteCount >= UInt64(headerByteCount) else { throw fault }
      // Some writers forget to count a field; what is there can still be read.
      try context.note(fault)
      byteCount = UInt64(available)
    }
    return BoxHeader(
      type: type, userType: userType, offset: start, headerByteCount: headerByteCount,
      byteCount: Int64(byteCount))
  }

  /// Calls `body` with each box from here to the reader's end; what `body` leaves unread is skipped.
  mutating func forEachBox(
    _ context: inout BoxContext,
    _ body: (BoxHeader, inout ByteReader, inout BoxContext) throws(MediaError) -> Void
  ) throws(MediaError) {
    var numbers: [FourCC: Int] = [:]
    while !isAtEnd {
      if try skipTerminator(&context) { return }
      let header: BoxHeader
      do {
        header = try readBoxHeader(&context)
      } catch {
        // Where a size cannot be, nobody knows where the next box begins.
        try context.tolerate(error)
        return
      }
      var child = try sub(Int(header.byteCount) - header.headerByteCount)
      var index: Int?
      if numberedTypes.contains(header.type) {
        index = numbers[header.type, default: 0]
        numbers[header.type, default: 0] += 1
      }
      try context.enter(header.type, index: index, at: header.offset)
      let depth = context.depth
      do {
        try body(header, &child, &context)
      } catch {
        // A fault costs the box it lies in, not those around it.
        try context.tolerate(error)
      }
      context.leave(to: depth - 1)
    }
  }

  /// Skips what may follow the last child: QuickTime ends some lists with a 32-bit zero, and a few
  /// writers leave bytes that are too few for a box. True at the end.
  private mutating func skipTerminator(_ context: inout BoxContext) throws(MediaError) -> Bool {
    if remaining >= 8 { return false }
    let start = offset
    let count = remaining
    let rest = try readBytes(count)
    if count != 4 || rest.contains(where: { $0 != 0 }) {
      try context.note(
        MediaError(
          .damaged, .boxTrailingBytes, at: .offset(start), detail: "\(count) bytes too many"))
    }
    return true
  }

  /// Version and flags of a full box. ISO/IEC 14496-12:2020 §4.2.
  mutating func readVersionAndFlags() throws(MediaError) -> (version: UInt8, flags: UInt32) {
    (try read(UInt8.self), try readUInt24())
  }

  /// Version of a full box whose clause defines the versions 0 to `newest`.
  mutating func readVersion(
    upTo newest: UInt8, _ context: inout BoxContext
  ) throws(MediaError) -> (version: UInt8, flags: UInt32) {
    let start = offset
    let head = try readVersionAndFlags()
    if head.version > newest {
      try context.note(
        MediaError(.damaged, .boxVersion, at: .offset(start), detail: "version \(head.version)"))
    }
    return head
  }

  /// The number of entries of a table: what it states, or fewer where the box has no room for them.
  ///
  /// Nothing is ever sized from the stated count alone.
  mutating func readEntryCount(
    entryByteCount: Int, _ context: inout BoxContext
  ) throws(MediaError) -> Int {
    let start = offset
    let stated = Int(try read(UInt32.self))
    let room = remaining / entryByteCount
    if stated > room {
      try context.note(
        MediaError(
          .damaged, .tableLength, at: .offset(start),
          detail: "\(stated) entries stated, room for \(room)"))
    }
    return min(stated, room)
  }
}
