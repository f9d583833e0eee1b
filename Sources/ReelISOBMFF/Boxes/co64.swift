// 64-bit chunk offsets. ISO/IEC 14496-12:2020 §8.7.5 (co64).

import ReelCore

extension ChunkOffsetBox {
  /// Reads a ChunkLargeOffsetBox (`co64`). An offset that no Int64 holds lies past any file.
  init(parsingLarge reader: inout ByteReader, _ context: inout BoxContext) throws(MediaError) {
    _ = try reader.readVersion(upTo: 0, &context)
    let count = try reader.readEntryCount(entryByteCount: 8, &context)
    let offsets = try reader.readIntegers(count, UInt64.self).map { Int64(clamping: $0) }
    self.init(offsets: offsets)
  }
}
