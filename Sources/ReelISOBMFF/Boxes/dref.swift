// Data references. ISO/IEC 14496-12:2020 §8.7.2 (dref).

import ReelCore

/// DataReferenceBox (`dref`): where the media data of a track lies.
struct DataReferenceBox {
  struct Entry {
    let type: FourCC
    /// Media data is in this same file.
    let isSelfContained: Bool
    /// Location text of a `url ` entry.
    let location: String

    /// Media data is in another file. An address without a location means this file, whatever its flag
    /// says: some writers leave it out.
    var isElsewhere: Bool { !isSelfContained && !(type == "url " && location.isEmpty) }
  }
  let entries: [Entry]

  init(parsing reader: inout ByteReader, _ context: inout BoxContext) throws(MediaError) {
    _ = try reader.readVersion(upTo: 0, &context)
    _ = try reader.readEntryCount(entryByteCount: 12, &context)
    var entries: [Entry] = []
    try reader.forEachBox(&context) { (header, reader, _) throws(MediaError) in
      let flags = try reader.readVersionAndFlags().flags
      var location = ""
      if header.type == "url " {
        location = String(
          decoding: try reader.readBytes(reader.remaining).prefix { $0 != 0 }, as: UTF8.self)
      }
      entries.append(
        Entry(type: header.type, isSelfContained: flags & 1 != 0, location: location))
    }
    self.entries = entries
  }
}
