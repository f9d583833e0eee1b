// Tags at the end of a file: ID3v1 and APE.

import ReelCore

/// An ID3v1 tag, the last 128 bytes of a file.
struct ID3v1Tag {
  static let byteCount = 128
  private let bytes: [UInt8]

  /// Nil unless `bytes` are a tag.
  init?(_ bytes: [UInt8]) {
    guard bytes.count == Self.byteCount, bytes.starts(with: [0x54, 0x41, 0x47]) else { return nil }
    self.bytes = bytes
  }

  func add(to list: inout TagList) {
    list.add("title", TagText.latin1(bytes[3..<33]))
    list.add("artist", TagText.latin1(bytes[33..<63]))
    list.add("album", TagText.latin1(bytes[63..<93]))
    list.add("date", TagText.latin1(bytes[93..<97]))
    list.add("comment", TagText.latin1(bytes[97..<127]))
    // ID3v1.1: a track number in the last byte of the comment, behind a zero.
    if bytes[125] == 0, bytes[126] != 0 { list.add("track", "\(bytes[126])") }
    if let genre = ID3Genre.name(Int(bytes[127])) { list.add("genre", genre) }
  }
}

/// An APE tag, version 1 or 2: little-endian items before a footer of 32 bytes.
struct APETag {
  static let footerByteCount = 32
  /// Bytes of the items and the footer.
  let itemsAndFooterByteCount: Int
  /// Bytes of the whole tag with its header.
  let tagByteCount: Int
  private let itemCount: Int

  /// LIMIT: items of a tag, and bytes of it that are read.
  static let maximumByteCount = 1 << 24
  private static let maximumItems = 10_000

  /// Reads the footer, the last 32 bytes of the tag; nil when there is none.
  init?(footer bytes: [UInt8]) {
    guard bytes.count == Self.footerByteCount, bytes.starts(with: Array("APETAGEX".utf8)) else {
      return nil
    }
    let size = Self.integer(bytes, at: 12)
    itemCount = min(Self.integer(bytes, at: 16), Self.maximumItems)
    let flags = Self.integer(bytes, at: 20)
    guard size >= Self.footerByteCount, flags & 1 << 29 == 0 else { return nil }
    itemsAndFooterByteCount = size
    tagByteCount = size + (flags & 1 << 31 != 0 ? Self.footerByteCount : 0)
  }

  /// Bytes of a tag that begins with this header, as some stand before the sound; nil when none does.
  static func byteCount(header bytes: [UInt8]) -> Int? {
    guard bytes.count == footerByteCount, bytes.starts(with: Array("APETAGEX".utf8)),
      integer(bytes, at: 20) & 1 << 29 != 0
    else { return nil }
    return footerByteCount + integer(bytes, at: 12)
  }

  private static func integer(_ bytes: [UInt8], at i: Int) -> Int {
    Int(bytes[i]) | Int(bytes[i + 1]) << 8 | Int(bytes[i + 2]) << 16 | Int(bytes[i + 3]) << 24
  }

  /// Adds the text items of `items`, which are the bytes before the footer.
  func add(_ items: [UInt8], to list: inout TagList) {
    var i = 0
    for _ in 0..<itemCount {
      guard i + 8 <= items.count else { break }
      let size = Self.integer(items, at: i)
      let flags = Self.integer(items, at: i + 4)
      guard let keyEnd = items[(i + 8)...].firstIndex(of: 0), size <= items.count - keyEnd - 1
      else {
        list.add(MediaError(.damaged, .apeTag, detail: "item of \(size) bytes"))
        return
      }
      let key = TagText.latin1(items[(i + 8)..<keyEnd]).lowercased()
      i = keyEnd + 1 + size
      // Bits 1 and 2: 0 is UTF-8 text.
      if flags >> 1 & 3 == 0 {
        list.add(Self.names[key] ?? key, TagText.utf8(items[(keyEnd + 1)..<i]))
      }
    }
  }

  private static let names = ["year": "date", "album artist": "album_artist"]
}
