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
    // LIMIT: editing programs write some hundreds; each costs a search in the sample tables.
    if count > Self.maximumEntries {
      try context.note(
        MediaError(
          .limitExceeded, .editCount, at: .offset(reader.offset), detail: "\(count) entries"))
    }
    var entries: [Entry] = []
    for _ in 0..<min(count, Self.maximumEntries) {
      let duration = try reader.readVersionedInteger(version)
      let time =
        version >= 1 ? try reader.read(Int64.self) : Int64(try reader.read(Int32.self))
      let rate = try Self.rate(&reader, &context)
      entries.append(
        Entry(segmentDuration: Int64(clamping: duration), mediaTime: time, mediaRate: rate))
    }
    self.entries = entries
  }

  private static let maximumEntries = 1 << 16

  /// A rate ≥ 0. Players do not play edits backwards: a negative rate is read as its magnitude.
  private static func rate(
    _ reader: inout ByteReader, _ context: inout BoxContext
  ) throws(MediaError) -> Int32 {
    let start = reader.offset
    let rate = try reader.read(Int32.self)
    guard rate < 0 else { return rate }
    try context.note(
      MediaError(.damaged, .editRate, at: .offset(start), detail: "rate \(rate)/65536"))
    return rate == .min ? .max : -rate
  }
}
