// User data. ISO/IEC 14496-12:2020 §8.10.1 (udta); QuickTime File Format, "User Data Atoms".

import ReelCore

/// UserDataBox (`udta`) of a movie or a track: texts, metadata, chapters.
struct UserDataBox {
  private(set) var tags: [Tag] = []
  private(set) var artwork: [Artwork] = []
  /// Nero's chapter list (`chpl`): begins in 100 ns, and titles.
  private(set) var chapters: [(start: Int64, title: String)] = []

  init(parsing reader: inout ByteReader, _ context: inout BoxContext) throws(MediaError) {
    try reader.forEachBox(&context) { (header, reader, context) throws(MediaError) in
      switch header.type {
      case "meta":
        let box = try MetadataBox(parsing: &reader, &context)
        tags += box.tags
        artwork += box.artwork
      case "chpl": try parseChapters(&reader)
      case "name":
        let text = String(decoding: try reader.readBytes(reader.remaining), as: UTF8.self)
        if !text.isEmpty { tags.append(Tag("name", text)) }
      default:
        if let key = MetadataNames.userData(header.type) {
          if header.type.rawValue >> 24 == 0xA9 {
            try parseInternationalTexts(&reader, key)
          } else {
            try parseAssetText(&reader, header.type, key)
          }
        }
      }
    }
  }

  /// QuickTime's texts: length, language, bytes, for each language.
  private mutating func parseInternationalTexts(
    _ reader: inout ByteReader, _ key: String
  ) throws(MediaError) {
    guard reader.remaining >= 4 else { return }
    let length = Int(try reader.read(UInt16.self))
    let language = try reader.read(UInt16.self)
    let bytes = try reader.readBytes(min(length, reader.remaining))
    let text =
      language < 0x400 && String(validating: bytes, as: UTF8.self) == nil
      ? MacintoshRoman.string(bytes) : String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    if !text.isEmpty { tags.append(Tag(key, text)) }
  }

  /// 3GPP TS 26.244 §8.2: version and flags, language, text; the year of recording is a number.
  private mutating func parseAssetText(
    _ reader: inout ByteReader, _ type: FourCC, _ key: String
  ) throws(MediaError) {
    guard reader.remaining >= 6 else { return }
    _ = try reader.readVersionAndFlags()
    if type == "yrrc" {
      tags.append(Tag(key, "\(try reader.read(UInt16.self))"))
      return
    }
    try reader.skip(2)
    let bytes = try reader.readBytes(reader.remaining)
    let text: String
    if bytes.starts(with: [0xFE, 0xFF]) {
      let units = stride(from: 2, to: bytes.count & ~1, by: 2).map {
        UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
      }
      text = String(decoding: units.prefix { $0 != 0 }, as: UTF16.self)
    } else {
      text = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    if !text.isEmpty { tags.append(Tag(key, text)) }
  }

  private mutating func parseChapters(_ reader: inout ByteReader) throws(MediaError) {
    let version = try reader.readVersionAndFlags().version
    if version >= 1 { try reader.skip(4) }
    let count = Int(try reader.read(UInt8.self))
    for _ in 0..<count {
      let start = try reader.read(UInt64.self)
      let length = Int(try reader.read(UInt8.self))
      let title = String(decoding: try reader.readBytes(length), as: UTF8.self)
      chapters.append((Int64(clamping: start), title))
    }
  }
}
