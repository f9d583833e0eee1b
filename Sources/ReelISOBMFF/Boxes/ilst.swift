// Metadata items. QuickTime File Format, "Metadata Item List Atom" (ilst), as iTunes writes it too.

import ReelCore

/// The value of one metadata item.
struct MetadataValue {
  /// Well-known type: 1 UTF-8, 2 UTF-16, 13 JPEG, 14 PNG, 21 and 22 integers, 23 and 24 floats, 27 BMP.
  let type: UInt32
  let bytes: [UInt8]
  /// Offset of the value in the file.
  let position: Int64

  /// A `data` box.
  init(parsing reader: inout ByteReader) throws(MediaError) {
    type = try reader.read(UInt32.self) & 0xFF_FFFF
    try reader.skip(4)
    position = reader.offset
    bytes = try reader.readBytes(reader.remaining)
  }

  /// A big-endian signed integer of 1…8 bytes; nil for other lengths.
  var integer: Int64? {
    guard (1...8).contains(bytes.count) else { return nil }
    var value = Int64(Int8(bitPattern: bytes[0]))
    for byte in bytes.dropFirst() { value = value << 8 | Int64(byte) }
    return value
  }

  /// A big-endian unsigned 16-bit integer at `offset`; 0 past the end.
  func word(at offset: Int) -> Int {
    offset + 1 < bytes.count ? Int(bytes[offset]) << 8 | Int(bytes[offset + 1]) : 0
  }

  /// The value as text; nil for pictures and for types without a text form.
  var text: String? {
    switch type {
    case 1: String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    case 2:
      String(
        decoding: stride(from: 0, to: bytes.count & ~1, by: 2).map { UInt16(word(at: $0)) },
        as: UTF16.self)
    case 21: integer.map { "\($0)" }
    case 22: unsigned.map { "\($0)" }
    case 23 where bytes.count == 4: "\(Float(bitPattern: UInt32(unsigned ?? 0)))"
    case 24 where bytes.count == 8: "\(Double(bitPattern: unsigned ?? 0))"
    case 0: bytes.allSatisfy { $0 >= 0x20 } ? String(decoding: bytes, as: UTF8.self) : nil
    default: nil
    }
  }

  private var unsigned: UInt64? {
    guard (1...8).contains(bytes.count) else { return nil }
    return bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// The picture that the value is, by its type or by its first bytes; nil when it is none.
  var artwork: Artwork? {
    let stated: CodecID? =
      switch type {
      case 13: "mjpeg"
      case 14: "png"
      case 27: "bmp"
      default: nil
      }
    let found = Artwork.codec(of: bytes)
    // A text may begin as a bitmap does.
    guard let codec = found ?? stated, stated != nil || codec != "bmp" else { return nil }
    return Artwork(codec: codec, data: bytes, position: position)
  }
}

/// The metadata item list (`ilst`): items by code or by key number.
struct MetadataItemListBox {
  private(set) var tags: [Tag] = []
  private(set) var artwork: [Artwork] = []

  /// `keys` are the names that items refer to when the handler is `mdta`.
  init(
    parsing reader: inout ByteReader, keys: [String]?, _ context: inout BoxContext
  ) throws(MediaError) {
    try reader.forEachBox(&context) { (header, reader, context) throws(MediaError) in
      var (values, name): ([MetadataValue], String?) = ([], nil)
      try reader.forEachBox(&context) { (header, reader, _) throws(MediaError) in
        switch header.type {
        case "data": values.append(try MetadataValue(parsing: &reader))
        case "name": name = try Self.freeText(&reader)
        default: break
        }
      }
      for value in values { add(header.type, name: name, value, keys) }
    }
  }

  /// Text of the `name` box of a free-form item.
  private static func freeText(_ reader: inout ByteReader) throws(MediaError) -> String {
    try reader.skip(4)
    return String(decoding: try reader.readBytes(reader.remaining), as: UTF8.self)
  }

  private mutating func add(
    _ type: FourCC, name: String?, _ value: MetadataValue, _ keys: [String]?
  ) {
    let key: String
    if let keys {
      let index = Int(type.rawValue)
      guard index >= 1, index <= keys.count else { return }
      key = keys[index - 1]
    } else if type == "----" {
      guard let name else { return }
      key = name
    } else if type == "covr" {
      if let picture = value.artwork { artwork.append(picture) }
      return
    } else {
      guard let known = MetadataNames.items[type] else { return }
      key = known
    }
    if let picture = value.artwork {
      artwork.append(picture)
    } else if let text = Self.text(type, value) {
      tags.append(Tag(key, text))
    }
  }

  /// The text of a value, for the codes whose values have a form of their own.
  private static func text(_ type: FourCC, _ value: MetadataValue) -> String? {
    switch type {
    case "gnre": MusicGenre.name(value.word(at: 0) - 1)
    case "trkn", "disk":
      value.word(at: 4) > 0
        ? "\(value.word(at: 2))/\(value.word(at: 4))" : "\(value.word(at: 2))"
    case "tmpo", "cpil", "pgap", "pcst", "hdvd", "rtng", "stik", "akID", "cnID", "tvsn", "tves":
      (value.integer).map { "\($0)" }
    default: value.text
    }
  }
}
