// Edit list. ISO/IEC 14496-12:2020 §8.6.6 (elst).

import ReelCore

/// EditListBox (`elst`): how the media maps to the presentation.
struct EditListBox {
  struct Entry {
    /// In movie ticks.
    let segmentDuration: Int64
    /// In media ticks; −1 is an empty edit.
    let mediaTime: Int64
    /// 16.16; 1.0 is normal, 0 dwells on one sample.
    let mediaRate: Int32
  }
  let entries: [Entry]

  init(parsing reader: inout ByteReader, _ context: inout BoxContext) throws(MediaError) {
    let version = try reader.readVersion(upTo: 1, &context).version
    let count = try reader.readEntryCount(entryByteCount: version >= 1 ? 20 : 12, &context)
    var entries: [Entry] = []
    for _ in 0..<count {
      let duration = try reader.readVersionedInteger(version)
      let time =
        version >= 1 ? try reader.read(Int64.self) : Int64(try reader.read(Int32.self))
      entries.append(
        Entry(
          segmentDuration: Int64(clamping: duration), mediaTime: time,
          mediaRate: try reader.read(Int32.self)))
    }
    self.entries = entries
  }
}
