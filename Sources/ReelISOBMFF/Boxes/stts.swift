// Decoding times. ISO/IEC 14496-12:2020 §8.6.1.2 (stts).

import ReelCore

/// TimeToSampleBox (`stts`): the delta from each sample's decoding time to the next one's.
struct TimeToSampleBox {
  /// Delta of each sample in media ticks; prefix sums are decoding times.
  private(set) var deltas = RunLengthTable<UInt32>()

  init() {}

  init(parsing reader: inout ByteReader, _ context: inout BoxContext) throws(MediaError) {
    _ = try reader.readVersion(upTo: 0, &context)
    let count = try reader.readEntryCount(entryByteCount: 8, &context)
    deltas.reserve(count)
    let limit = context.maximumSampleCount
    for _ in 0..<count {
      let length = Int(try reader.read(UInt32.self))
      let start = reader.offset
      var delta = try reader.read(UInt32.self)
      if delta > UInt32(Int32.max) {
        try context.note(
          MediaError(
            .damaged, .sampleDelta, at: .offset(start),
            detail: "delta \(Int32(bitPattern: delta)), read as 1"))
        delta = 1
      }
      // LIMIT: the sizes of the samples say how many there are; more deltas mean nothing.
      deltas.append(delta, count: min(length, limit - deltas.count))
    }
  }
}
