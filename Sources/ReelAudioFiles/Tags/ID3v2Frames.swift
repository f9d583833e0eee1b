// What the frames of ID3v2 tags say. ID3v2.4.0 Native Frames, ID3v2.3.0 §4, ID3v2.2.0 §4.

import ReelCore

extension TagList {
  /// Adds what a tag's frames say, under the names that FFmpeg uses.
  mutating func add(_ tag: ID3v2Tag) {
    if let fault = tag.fault { add(fault) }
    for frame in tag.frames {
      switch frame.id {
      case "TXXX", "TXX": addUserText(frame.payload)
      case "COMM", "COM": addComment(frame.payload, key: "comment")
      case "USLT", "ULT": addComment(frame.payload, key: "lyrics")
      case "APIC": addPicture(frame.payload)
      case "PIC": addOldPicture(frame.payload)
      case "PRIV": addPrivate(frame.payload)
      case let id where id.hasPrefix("T"): addText(id, frame.payload)
      default: break
      }
    }
  }

  private mutating func addText(_ id: String, _ payload: [UInt8]) {
    guard let encoding = payload.first else { return }
    let text = Self.text(payload.dropFirst(), encoding)
    add(Self.names[id] ?? id, id == "TCON" || id == "TCO" ? ID3Genre.resolved(text) : text)
  }

  private mutating func addUserText(_ payload: [UInt8]) {
    guard let encoding = payload.first else { return }
    let (name, value) = Self.split(payload.dropFirst(), encoding)
    add(Self.text(name, encoding), Self.text(value, encoding))
  }

  private mutating func addComment(_ payload: [UInt8], key: String) {
    guard payload.count >= 4 else { return }
    let encoding = payload[0]
    let (name, value) = Self.split(payload.dropFirst(4), encoding)
    let description = Self.text(name, encoding)
    add(description.isEmpty || key == "lyrics" ? key : description, Self.text(value, encoding))
  }

  /// APIC: encoding, MIME type, kind, description, picture.
  private mutating func addPicture(_ payload: [UInt8]) {
    guard let encoding = payload.first else { return }
    let rest = payload.dropFirst()
    guard let typeEnd = rest.firstIndex(of: 0), typeEnd + 2 < rest.endIndex else { return }
    let mimeType = TagText.latin1(rest[..<typeEnd])
    let (_, picture) = Self.split(rest[(typeEnd + 2)...], encoding)
    if !picture.isEmpty { artwork.append(Artwork(mimeType: mimeType, bytes: [UInt8](picture))) }
  }

  /// PIC of version 2.2: three characters in place of the MIME type.
  private mutating func addOldPicture(_ payload: [UInt8]) {
    guard payload.count > 6 else { return }
    let mimeType =
      switch TagText.latin1(payload[1..<4]) {
      case "PNG": "image/png"
      case "JPG": "image/jpeg"
      default: ""
      }
    let (_, picture) = Self.split(payload[5...], payload[0])
    if !picture.isEmpty { artwork.append(Artwork(mimeType: mimeType, bytes: [UInt8](picture))) }
  }

  /// RFC 8216 §3.4: the time of a packed audio segment.
  private mutating func addPrivate(_ payload: [UInt8]) {
    let owner = Array("com.apple.streaming.transportStreamTimestamp".utf8) + [0]
    guard payload.starts(with: owner), payload.count == owner.count + 8 else { return }
    let value = payload[owner.count...].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    transportTimestamp = Int64(value & (1 << 33 - 1))
  }

  /// Text in one of the four encodings. ID3v2.4.0 Structure §4.
  static func text(_ bytes: ArraySlice<UInt8>, _ encoding: UInt8) -> String {
    switch encoding {
    case 1: TagText.utf16(bytes, isBigEndian: false)
    case 2: TagText.utf16(bytes, isBigEndian: true)
    case 3: TagText.utf8(bytes)
    default: TagText.latin1(bytes)
    }
  }

  /// The part up to the terminator of the encoding, and the part behind it.
  static func split(
    _ bytes: ArraySlice<UInt8>, _ encoding: UInt8
  ) -> (ArraySlice<UInt8>, ArraySlice<UInt8>) {
    let width = encoding == 1 || encoding == 2 ? 2 : 1
    var i = bytes.startIndex
    while i + width <= bytes.endIndex {
      if bytes[i] == 0, width == 1 || bytes[i + 1] == 0 {
        return (bytes[..<i], bytes[(i + width)...])
      }
      i += width
    }
    return (bytes, bytes[bytes.endIndex...])
  }

  /// FFmpeg's names of text frames.
  private static let names: [String: String] = [
    "TALB": "album", "TAL": "album", "TCOM": "composer", "TCM": "composer", "TCON": "genre",
    "TCO": "genre", "TCOP": "copyright", "TCR": "copyright", "TENC": "encoded_by",
    "TEN": "encoded_by", "TIT2": "title", "TT2": "title", "TLAN": "language", "TLA": "language",
    "TPE1": "artist", "TP1": "artist", "TPE2": "album_artist", "TP2": "album_artist",
    "TPE3": "performer", "TP3": "performer", "TPOS": "disc", "TPA": "disc", "TPUB": "publisher",
    "TPB": "publisher", "TRCK": "track", "TRK": "track", "TSSE": "encoder", "TSS": "encoder",
    "TCMP": "compilation", "TCP": "compilation", "TDRC": "date", "TDRL": "date", "TYER": "date",
    "TYE": "date", "TDEN": "creation_time", "TSOA": "album-sort", "TSOP": "artist-sort",
    "TSOT": "title-sort", "TIT1": "grouping", "TT1": "grouping",
  ]
}
