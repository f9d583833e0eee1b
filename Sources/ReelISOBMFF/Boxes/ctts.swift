// Composition times. ISO/IEC 14496-12:2020 §8.6.1.3 (ctts).

import ReelCore

/// CompositionOffsetBox (`ctts`): what to add to a sample's decoding time to get its composition time.
struct CompositionOffsetBox {
  /// Offset of each sample in media ticks.
  private(set) var offsets = RunLengthTable<Int32>()

  init() {}

  /// Version 0 tells unsigned offsets. Those above 2³¹−1 are read as negative in both versions: files
  /// with such values come from writers that did not set the version (Apple's among them).
  init(parsing reader: inout ByteReader, _ context: inout BoxContext) throws(MediaError) {
    _ = try reader.readVersion(upTo: 1, &context)
    let count = try reader.readEntryCount(entryByteCount: 8, &context)
    offsets.reserve(count)
    let limit = context.maximumSampleCount
    for _ in 0..<count {
      let length = Int(try reader.read(UInt32.self))
      let offset = try reader.read(Int32.self)
      // LIMIT: as for stts.
      offsets.append(offset, count: min(length, limit - offsets.count))
    }
  }
}
