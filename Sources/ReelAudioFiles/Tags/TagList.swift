// Tags from several places of one file.

import ReelCore

extension Artwork {
  /// A picture of a tag: what it is its own first bytes tell, or else the type that the tag names.
  init(mimeType: String, bytes: [UInt8]) {
    let stated: CodecID =
      switch mimeType {
      case "image/jpeg", "image/jpg": "mjpeg"
      case "image/png": "png"
      case "image/bmp": "bmp"
      default: .unknown
      }
    self.init(codec: Artwork.codec(of: bytes) ?? stated, data: bytes)
  }
}

/// What tags of any kind tell of a file.
struct TagList: Sendable {
  private(set) var tags: [Tag] = []
  var artwork: [Artwork] = []
  /// Apple's time of the first sample of a packed audio segment, 90 kHz. RFC 8216 §3.4.
  var transportTimestamp: Int64?
  private(set) var faults: [MediaError] = []

  /// LIMIT: tags of a file; more are left out.
  private static let maximumTags = 1000

  /// Adds a tag unless one of its name is there; empty values tell nothing.
  mutating func add(_ key: String, _ value: String) {
    guard !value.isEmpty, !key.isEmpty, tags.count < Self.maximumTags,
      !tags.contains(where: { $0.key == key })
    else { return }
    tags.append(Tag(key, value))
  }

  mutating func add(_ fault: MediaError) { faults.append(fault) }
}

/// Text of tags without the zero bytes and blanks that fill a field.
enum TagText {
  /// ISO/IEC 8859-1:1998, up to the first zero byte.
  static func latin1(_ bytes: ArraySlice<UInt8>) -> String {
    var text = ""
    for byte in bytes.prefix(while: { $0 != 0 }) {
      text.unicodeScalars.append(Unicode.Scalar(byte))
    }
    return trimmed(text)
  }

  static func utf8(_ bytes: ArraySlice<UInt8>) -> String {
    trimmed(String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self))
  }

  /// UTF-16 up to the first zero unit; a byte order mark overrides `isBigEndian`.
  static func utf16(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) -> String {
    var rest = bytes
    var isBigEndian = isBigEndian
    if rest.starts(with: [0xFE, 0xFF]) {
      (isBigEndian, rest) = (true, rest.dropFirst(2))
    } else if rest.starts(with: [0xFF, 0xFE]) {
      (isBigEndian, rest) = (false, rest.dropFirst(2))
    }
    var units: [UInt16] = []
    var i = rest.startIndex
    while i + 1 < rest.endIndex {
      let (first, second) = (UInt16(rest[i]), UInt16(rest[i + 1]))
      let unit = isBigEndian ? first << 8 | second : second << 8 | first
      if unit == 0 { break }
      units.append(unit)
      i += 2
    }
    return trimmed(String(decoding: units, as: UTF16.self))
  }

  private static func trimmed(_ text: String) -> String {
    var end = text.endIndex
    while end > text.startIndex, text[text.index(before: end)] == " " {
      end = text.index(before: end)
    }
    return String(text[..<end])
  }
}
