// Sync samples. ISO/IEC 14496-12:2020 §8.6.2 (stss).

import ReelCore

/// SyncSampleBox (`stss`): the samples at which decoding can start. Without it, all are.
struct SyncSampleBox {
  /// Sample numbers from 0 (the file counts from 1), ascending.
  let samples: [UInt32]

  init(parsing reader: inout ByteReader, _ context: inout BoxContext) throws(MediaError) {
    _ = try reader.readVersion(upTo: 0, &context)
    let count = try reader.readEntryCount(entryByteCount: 4, &context)
    var samples: [UInt32] = []
    samples.reserveCapacity(count)
    var isAscending = true
    for _ in 0..<count {
      let start = reader.offset
      let number = try reader.read(UInt32.self)
      guard number > 0 else {
        try context.note(
          MediaError(.damaged, .syncSampleNumber, at: .offset(start), detail: "number 0"))
        continue
      }
      if let last = samples.last, last >= number - 1, isAscending {
        isAscending = false
        try context.note(
          MediaError(
            .damaged, .syncSampleNumber, at: .offset(start),
            detail: "number \(number) after \(last + 1)"))
      }
      samples.append(number - 1)
    }
    self.samples = isAscending ? samples : samples.sorted()
  }
}
