// Fields of boxes under the standard's names.

import ReelCore

/// Reads the fields of boxes for a description.
enum BoxFields {
  typealias Field = ContainerNode.Field

  /// What is left to read behind the fields.
  struct Layout {
    var hasChildren = false
    static let leaf = Layout()
    static let parent = Layout(hasChildren: true)
  }

  /// Boxes that hold nothing but boxes.
  static let parents: Set<FourCC> = [
    "moov", "trak", "mdia", "minf", "stbl", "dinf", "edts", "udta", "mvex", "moof", "traf", "mfra",
    "sinf", "schi", "wave", "gmhd", "ilst", "tref", "iprp", "ipco", "trgr", "strk", "strd", "vttc",
  ]

  /// LIMIT: rows of a table that a description shows.
  static let maximumRows = 16

  /// Reads a box's fields and says whether boxes follow.
  static func read(
    _ type: FourCC, userType: [UInt8]?, handler: FourCC, from reader: inout ByteReader,
    _ context: inout BoxContext, into fields: inout [Field]
  ) throws(MediaError) -> Layout {
    if parents.contains(type) { return .parent }
    if let userType {
      fields.append(Field("usertype", hexadecimal(userType)))
      return .leaf
    }
    switch type {
    case "stsd", "dref":
      fields += try fullBox(&reader)
      fields.append(Field("entry_count", try reader.read(UInt32.self)))
      return .parent
    case "meta":
      guard reader.remaining >= 8 else { return .leaf }
      if try !MetadataBox.beginsWithBox(reader) { fields += try fullBox(&reader) }
      return .parent
    default:
      if MetadataNames.items[type] != nil || type == "----" {
        // An item of iTunes holds boxes; the same codes in user data hold texts.
        if try beginsWithData(reader) { return .parent }
        return .leaf
      }
      if try readHeader(type, &reader, &context, &fields) { return .leaf }
      if try readTable(type, &reader, &context, &fields) { return .leaf }
      if try readFragment(type, &reader, &context, &fields) { return .leaf }
      _ = try readMedia(type, &reader, &context, &fields)
      return .leaf
    }
  }

  private static func beginsWithData(_ reader: borrowing ByteReader) throws(MediaError) -> Bool {
    guard reader.remaining >= 8 else { return false }
    var copy = copy reader
    try copy.skip(4)
    let type = FourCC(rawValue: try copy.read())
    return type == "data" || type == "mean" || type == "name"
  }

  static func fullBox(_ reader: inout ByteReader) throws(MediaError) -> [Field] {
    let (version, flags) = try reader.readVersionAndFlags()
    return [Field("version", version), Field("flags", flags)]
  }

  static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// The fixed part of a sample entry; its boxes follow.
  static func readEntry(
    _ type: FourCC, handler: FourCC, from reader: inout ByteReader, into fields: inout [Field]
  ) throws(MediaError) {
    try reader.skip(6)
    fields.append(Field("data_reference_index", try reader.read(UInt16.self)))
    switch handler {
    case "vide":
      try reader.skip(16)
      fields.append(Field("width", try reader.read(UInt16.self)))
      fields.append(Field("height", try reader.read(UInt16.self)))
      try reader.skip(14)
      let name = try reader.readBytes(32)
      fields.append(
        Field(
          "compressorname",
          String(decoding: name.dropFirst().prefix(min(Int(name[0]), 31)), as: UTF8.self)))
      fields.append(Field("depth", try reader.read(UInt16.self)))
      try reader.skip(2)
    case "soun":
      let version = try reader.read(UInt16.self)
      fields.append(Field("version", version))
      try reader.skip(6)
      fields.append(Field("channelcount", try reader.read(UInt16.self)))
      fields.append(Field("samplesize", try reader.read(UInt16.self)))
      try reader.skip(4)
      fields.append(Field("samplerate", try reader.read(UInt32.self) >> 16))
      if version == 1 { try reader.skip(16) } else if version == 2 { try reader.skip(36) }
    default: break
    }
  }
}
