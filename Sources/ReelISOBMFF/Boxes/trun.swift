// Samples of a track fragment. ISO/IEC 14496-12:2020 §8.8.8 (trun).

import ReelCore

/// TrackRunBox (`trun`) up to its table of samples, which is read straight into the sample table.
struct TrackRunBox {
  let sampleCount: Int
  /// Bytes from the base of the fragment; nil when the run follows the one before.
  private(set) var dataOffset: Int32?
  private(set) var firstSampleFlags: SampleFlags?
  let hasDuration: Bool
  let hasSize: Bool
  let hasFlags: Bool
  let hasCompositionOffset: Bool

  /// Reads the head and leaves the reader at the first entry.
  init(parsing reader: inout ByteReader, _ context: inout BoxContext) throws(MediaError) {
    let start = reader.offset
    let flags = try reader.readVersion(upTo: 1, &context).flags
    hasDuration = flags & 0x100 != 0
    hasSize = flags & 0x200 != 0
    hasFlags = flags & 0x400 != 0
    hasCompositionOffset = flags & 0x800 != 0
    let stated = Int(try reader.read(UInt32.self))
    if flags & 0x01 != 0 { dataOffset = try reader.read() }
    if flags & 0x04 != 0 { firstSampleFlags = SampleFlags(rawValue: try reader.read()) }
    let entryByteCount = 4 * [hasDuration, hasSize, hasFlags, hasCompositionOffset].count { $0 }
    let room = entryByteCount > 0 ? reader.remaining / entryByteCount : stated
    if stated > room {
      try context.note(
        MediaError(
          .damaged, .tableLength, at: .offset(start),
          detail: "\(stated) samples stated, room for \(room)"))
    }
    sampleCount = min(stated, room)
  }
}
