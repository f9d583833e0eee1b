// Random access by fragments. ISO/IEC 14496-12:2020 §8.8.10 (tfra).

import ReelCore

/// TrackFragmentRandomAccessBox (`tfra`): where fragments with sync samples of a track are.
struct TrackFragmentRandomAccessBox {
  struct Entry {
    /// Presentation time in media ticks.
    let time: Int64
    /// Offset of the `moof` box in the file.
    let moofOffset: Int64
  }
  let trackID: UInt32
  let entries: [Entry]

  init(parsing reader: inout ByteReader, _ context: inout BoxContext) throws(MediaError) {
    let version = try reader.readVersion(upTo: 1, &context).version
    trackID = try reader.read()
    let lengths = try reader.read(UInt32.self)
    let numberBytes = [4, 2, 0].reduce(0) { $0 + Int(lengths >> UInt32($1) & 3) + 1 }
    let count = try reader.readEntryCount(
      entryByteCount: (version >= 1 ? 16 : 8) + numberBytes, &context)
    var entries: [Entry] = []
    for _ in 0..<count {
      let time = Int64(clamping: try reader.readVersionedInteger(version))
      let offset = Int64(clamping: try reader.readVersionedInteger(version))
      try reader.skip(numberBytes)
      entries.append(Entry(time: time, moofOffset: offset))
    }
    self.entries = entries
  }
}
