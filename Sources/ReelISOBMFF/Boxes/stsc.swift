// Samples of chunks. ISO/IEC 14496-12:2020 §8.7.4 (stsc).

import ReelCore

/// SampleToChunkBox (`stsc`): how many samples a chunk has, and by which description.
struct SampleToChunkBox {
  struct Entry {
    /// Number of the first chunk of the run, from 0 (the file counts from 1).
    let firstChunk: UInt32
    let samplesPerChunk: UInt32
    /// Index into the sample descriptions, from 0 (the file counts from 1).
    let sampleDescriptionIndex: UInt32
  }
  let entries: [Entry]

  init(parsing reader: inout ByteReader, _ context: inout BoxContext) throws(MediaError) {
    _ = try reader.readVersion(upTo: 0, &context)
    let count = try reader.readEntryCount(entryByteCount: 12, &context)
    var entries: [Entry] = []
    entries.reserveCapacity(count)
    for _ in 0..<count {
      let start = reader.offset
      let first = try reader.read(UInt32.self)
      let samples = try reader.read(UInt32.self)
      let description = try reader.read(UInt32.self)
      // An entry out of order has no meaning: where would its run end?
      if first == 0
        || (entries.isEmpty ? first != 1 : first - 1 <= entries[entries.count - 1].firstChunk)
      {
        try context.note(
          MediaError(
            .damaged, .chunkNumber, at: .offset(start), detail: "first_chunk \(first)"))
        if !entries.isEmpty || first == 0 { continue }
      }
      if description == 0 {
        try context.note(
          MediaError(.damaged, .sampleDescriptionIndex, at: .offset(start), detail: "index 0"))
      }
      entries.append(
        Entry(
          firstChunk: entries.isEmpty ? 0 : first - 1, samplesPerChunk: samples,
          sampleDescriptionIndex: max(description, 1) - 1))
    }
    self.entries = entries
  }
}
