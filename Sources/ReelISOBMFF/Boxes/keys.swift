// Keys of QuickTime metadata. QuickTime File Format, "Metadata Item Keys Atom" (keys).

import ReelCore

/// The keys box of a `meta` box with the `mdta` handler: names that items refer to by number.
struct MetadataKeysBox {
  /// Names such as `com.apple.quicktime.make`, in order from 1.
  let names: [String]

  init(parsing reader: inout ByteReader, _ context: inout BoxContext) throws(MediaError) {
    _ = try reader.readVersion(upTo: 0, &context)
    _ = try reader.readEntryCount(entryByteCount: 8, &context)
    var names: [String] = []
    try reader.forEachBox(&context) { (_, reader, _) throws(MediaError) in
      names.append(String(decoding: try reader.readBytes(reader.remaining), as: UTF8.self))
    }
    self.names = names
  }
}
