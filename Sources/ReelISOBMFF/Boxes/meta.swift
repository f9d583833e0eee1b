// Metadata. ISO/IEC 14496-12:2020 §8.11.1 (meta); QuickTime File Format, "Metadata Atom".

import ReelCore

/// MetaBox (`meta`) with iTunes' or QuickTime's items.
struct MetadataBox {
  private(set) var handlerType: FourCC?
  private(set) var tags: [Tag] = []
  private(set) var artwork: [Artwork] = []

  init(parsing reader: inout ByteReader, _ context: inout BoxContext) throws(MediaError) {
    // QuickTime's box has no version and flags. Where it has none, a box header begins here: its
    // type then stands where the size of the first child would be.
    if reader.remaining >= 8, try !Self.beginsWithBox(reader) {
      _ = try reader.readVersionAndFlags()
    }
    var keys: MetadataKeysBox?
    try reader.forEachBox(&context) { (header, reader, context) throws(MediaError) in
      switch header.type {
      case "hdlr": handlerType = try HandlerBox(parsing: &reader, &context).handlerType
      case "keys": keys = try MetadataKeysBox(parsing: &reader, &context)
      case "ilst":
        let list = try MetadataItemListBox(
          parsing: &reader, keys: handlerType == "mdta" ? keys?.names ?? [] : nil, &context)
        tags += list.tags
        artwork += list.artwork
      default: break
      }
    }
  }

  /// Whether a box header stands where a full box would have its version.
  static func beginsWithBox(_ reader: borrowing ByteReader) throws(MediaError) -> Bool {
    var copy = copy reader
    try copy.skip(4)
    let type = FourCC(rawValue: try copy.read())
    return ["hdlr", "keys", "ilst", "free", "mhdr"].contains(type)
  }
}
