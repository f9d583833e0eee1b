// Movie fragments into sample tables. ISO/IEC 14496-12:2020 §8.8.4 (moof), §8.8.6 (traf).

import ReelCore

/// Adds the samples of movie fragments to the tables of the tracks they belong to.
struct FragmentCollector {
  private let extends: [UInt32: TrackExtendsBox]
  private let trackIndices: [UInt32: Int]
  private(set) var tables: [SampleTable]
  /// Samples of all tracks so far.
  var sampleCount: Int { tables.reduce(0) { $0 + $1.count } }
  /// Number of fragments read.
  private(set) var fragmentCount = 0
  /// End of the data that the last track fragment told of: where the next one begins by default.
  private var dataEnd: Int64 = 0

  init(extends: [TrackExtendsBox], trackIDs: [Int], tables: [SampleTable]) {
    self.extends = Dictionary(extends.map { ($0.trackID, $0) }, uniquingKeysWith: { a, _ in a })
    trackIndices = Dictionary(
      trackIDs.enumerated().map { (UInt32(truncatingIfNeeded: $1), $0) },
      uniquingKeysWith: { a, _ in a })
    self.tables = tables
  }

  /// Reads a MovieFragmentBox (`moof`) that begins at `offset` in the file.
  mutating func append(
    parsing reader: inout ByteReader, at offset: Int64, _ context: inout BoxContext
  ) throws(MediaError) {
    fragmentCount += 1
    dataEnd = offset
    try reader.forEachBox(&context) { (header, reader, context) throws(MediaError) in
      if header.type == "traf" { try appendTrack(&reader, moofOffset: offset, &context) }
    }
  }

  private mutating func appendTrack(
    _ reader: inout ByteReader, moofOffset: Int64, _ context: inout BoxContext
  ) throws(MediaError) {
    let start = reader.offset
    var fragment: TrackFragment?
    var loan = TableLoan()
    do {
      try reader.forEachBox(&context) { (header, reader, context) throws(MediaError) in
        if header.type == "tfhd" {
          guard fragment == nil else { return }
          fragment = try startTrack(&reader, moofOffset, &loan, &context)
        } else {
          try fragment?.append(header, parsing: &reader, to: &loan.table, &context)
        }
      }
    } catch {
      // What was read of the fragment before the fault stays.
      loan.putBack(into: &tables)
      throw error
    }
    loan.putBack(into: &tables)
    if let fragment {
      dataEnd = fragment.dataEnd
    } else {
      try context.note(MediaError(.damaged, .boxMissing, at: .offset(start), detail: "tfhd"))
    }
  }

  private mutating func startTrack(
    _ reader: inout ByteReader, _ moofOffset: Int64, _ loan: inout TableLoan,
    _ context: inout BoxContext
  ) throws(MediaError) -> TrackFragment? {
    let start = reader.offset
    let box = try TrackFragmentHeaderBox(parsing: &reader, &context)
    guard let index = trackIndices[box.trackID] else {
      try context.note(
        MediaError(
          .damaged, .fragmentTrack, at: .offset(start), detail: "track_ID \(box.trackID)"))
      return nil
    }
    loan.take(index, from: &tables)
    return TrackFragment(
      box, extends[box.trackID], moofOffset: moofOffset, implicitOffset: dataEnd)
  }

  /// Gives up the finished tables.
  consuming func finish() -> [SampleTable] {
    for index in tables.indices { tables[index].finish() }
    return tables
  }
}

/// A table that has left its array while it is written to, so that it is never copied.
private struct TableLoan {
  var table = SampleTable()
  private var index: Int?

  mutating func take(_ index: Int, from tables: inout [SampleTable]) {
    self.index = index
    swap(&table, &tables[index])
  }

  mutating func putBack(into tables: inout [SampleTable]) {
    guard let index else { return }
    swap(&table, &tables[index])
    self.index = nil
  }
}

/// A track fragment while its runs are read.
private struct TrackFragment {
  private let description: UInt32
  private let duration: UInt32
  private let size: UInt32
  private let flags: SampleFlags
  /// What data offsets count from.
  private let base: Int64
  /// End of the data of the last run, where one without an offset begins.
  private(set) var dataEnd: Int64

  init(
    _ header: TrackFragmentHeaderBox, _ extends: TrackExtendsBox?, moofOffset: Int64,
    implicitOffset: Int64
  ) {
    description = header.sampleDescriptionIndex ?? extends?.sampleDescriptionIndex ?? 0
    duration = header.sampleDuration ?? extends?.sampleDuration ?? 0
    size = header.sampleSize ?? extends?.sampleSize ?? 0
    flags = header.sampleFlags ?? extends?.sampleFlags ?? SampleFlags(rawValue: 0)
    if let offset = header.baseDataOffset {
      base = Int64(clamping: offset)
    } else {
      base = header.defaultBaseIsMoof ? moofOffset : implicitOffset
    }
    dataEnd = base
  }

  /// Reads a child of the `traf` box into the table.
  mutating func append(
    _ header: BoxHeader, parsing reader: inout ByteReader, to table: inout SampleTable,
    _ context: inout BoxContext
  ) throws(MediaError) {
    switch header.type {
    case "tfdt":
      let box = try TrackFragmentDecodeTimeBox(parsing: &reader, &context)
      if let time = box.baseMediaDecodeTime { table.startFragment(at: time) }
    case "uuid" where header.userType == Self.timeOfSmoothStreaming:
      let version = try reader.readVersionAndFlags().version
      let time = try reader.readVersionedInteger(version)
      if time <= 1 << 60 { table.startFragment(at: Int64(time)) }
    case "trun":
      try appendRun(&reader, to: &table, &context)
    default:
      break
    }
  }

  /// Extended type of Smooth Streaming's box with the time of a fragment (`tfxd`), which stands where
  /// other files have `tfdt`.
  private static let timeOfSmoothStreaming: [UInt8] = [
    0x6D, 0x1D, 0x9B, 0x05, 0x42, 0xD5, 0x44, 0xE6, 0x80, 0xE2, 0x14, 0x1D, 0xAF, 0xF7, 0x57, 0xB2,
  ]

  /// Reads a run into the table.
  private mutating func appendRun(
    _ reader: inout ByteReader, to table: inout SampleTable, _ context: inout BoxContext
  ) throws(MediaError) {
    let start = reader.offset
    let run = try TrackRunBox(parsing: &reader, &context)
    // LIMIT: a run may state any number of samples that take no bytes of their own.
    guard table.count + run.sampleCount <= context.limits.maximumSamplesPerTrack else {
      throw MediaError(
        .limitExceeded, .sampleCountLimit, at: .offset(start),
        detail: "\(run.sampleCount) more than \(table.count) samples",
        advice: "raise Limits.maximumSamplesPerTrack if the file is trusted")
    }
    if let offset = run.dataOffset {
      dataEnd = base.addingReportingOverflow(Int64(offset)).partialValue
    }
    table.startRun(at: dataEnd, description: description)
    let room = max(context.maximumSampleCount - table.count, 0)
    if run.sampleCount > room {
      try context.note(
        MediaError(
          .damaged, .sampleCountOfBytes, at: .offset(start),
          detail: "\(run.sampleCount) samples, read as \(room)"))
    }
    if !run.hasDuration && !run.hasSize && !run.hasFlags && !run.hasCompositionOffset {
      table.append(
        count: min(run.sampleCount, room), duration: duration, size: size, flags: flags,
        firstFlags: run.firstSampleFlags)
    } else {
      try appendEach(run, min(run.sampleCount, room), &reader, to: &table)
    }
    dataEnd = table.dataEnd
  }

  private func appendEach(
    _ run: TrackRunBox, _ count: Int, _ reader: inout ByteReader, to table: inout SampleTable
  ) throws(MediaError) {
    let fields = [run.hasDuration, run.hasSize, run.hasFlags, run.hasCompositionOffset]
    // Read at once: a long recording has a million entries.
    let values = try reader.readIntegers(count * fields.count { $0 }, UInt32.self)
    var k = 0
    for i in 0..<count {
      var (duration, size, flags, offset) = (self.duration, self.size, self.flags, Int32(0))
      if run.hasDuration { (duration, k) = (values[k], k &+ 1) }
      if run.hasSize { (size, k) = (values[k], k &+ 1) }
      if run.hasFlags { (flags, k) = (SampleFlags(rawValue: values[k]), k &+ 1) }
      if run.hasCompositionOffset { (offset, k) = (Int32(bitPattern: values[k]), k &+ 1) }
      if i == 0, let first = run.firstSampleFlags { flags = first }
      table.append(
        duration: duration, size: size, isSync: !flags.isNonSync, compositionOffset: offset)
    }
  }
}
