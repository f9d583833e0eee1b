// Chunk offsets. ISO/IEC 14496-12:2020 §8.7.5 (stco, co64).

import ReelCore

/// ChunkOffsetBox (`stco`): where each chunk begins in the file.
struct ChunkOffsetBox {
  /// Offsets in the file, 0 … 2⁶³−1.
  private(set) var offsets: [Int64] = []

  init(offsets: [Int64] = []) { self.offsets = offsets }

  init(parsing reader: inout ByteReader, _ context: inout BoxContext) throws(MediaError) {
    _ = try reader.readVersion(upTo: 0, &context)
    let count = try reader.readEntryCount(entryByteCount: 4, &context)
    offsets = try reader.readIntegers(count, UInt32.self).map(Int64.init)
  }
}
