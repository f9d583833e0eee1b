// 64-bit chunk offsets. ISO/IEC 14496-12:2020 §8.7.5 (co64).

import ReelCore

extension ChunkOffsetBox {
  /// Reads a ChunkLargeOffsetBox (`co64`). An offset that no Int64 holds lies past any file.
  init(parsingLarge reader: inout ByteReader, _ context: inout BoxContext) throws(MediaError) {
    _ = try reader.readVersion(upTo: 0, &context)
    let count = try reader.readEntryCount(entryByteCount: 8, &context)
    var offsets: [Int64] = []
    offsets.reserveCapacity(count)
    for _ in 0..<count { offsets.append(Int64(clamping: try reader.read(UInt64.self))) }
    self.init(offsets: offsets)
  }
}
