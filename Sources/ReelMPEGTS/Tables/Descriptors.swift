// Descriptors of programs and streams. Rec. ITU-T H.222.0 §2.6.

import ReelCore

/// A list of descriptors: tags and payloads.
struct Descriptors: Hashable {
  let list: [(tag: UInt8, payload: [UInt8])]

  init(_ bytes: ArraySlice<UInt8>) {
    var list: [(UInt8, [UInt8])] = []
    var i = bytes.startIndex
    while i + 2 <= bytes.endIndex {
      let end = i + 2 + Int(bytes[i + 1])
      guard end <= bytes.endIndex else { break }
      list.append((bytes[i], [UInt8](bytes[i + 2..<end])))
      i = end
    }
    self.list = list
  }

  /// The payload of the first descriptor with this tag.
  subscript(tag: UInt8) -> [UInt8]? { list.first { $0.tag == tag }?.payload }

  /// The format_identifier of a registration_descriptor. §2.6.8.
  var registration: FourCC? {
    guard let payload = self[0x05], payload.count >= 4 else { return nil }
    var value: UInt32 = 0
    for byte in payload[..<4] { value = value << 8 | UInt32(byte) }
    return FourCC(rawValue: value)
  }

  /// The first language of ISO_639_language_descriptor, or of DVB's subtitling and teletext
  /// descriptors; nil for "und" and for what is no code. §2.6.18; EN 300 468 §6.2.41, §6.2.43.
  var language: String? {
    for tag: UInt8 in [0x0A, 0x59, 0x56] {
      guard let payload = self[tag], payload.count >= 3 else { continue }
      let code = payload[..<3]
      guard code.allSatisfy({ (0x61...0x7A).contains($0 | 0x20) }) else { continue }
      let text = String(decoding: code.map { $0 | 0x20 }, as: UTF8.self)
      return text == "und" ? nil : text
    }
    return nil
  }

  static func == (a: Descriptors, b: Descriptors) -> Bool {
    a.list.elementsEqual(b.list) { $0.tag == $1.tag && $0.payload == $1.payload }
  }

  func hash(into hasher: inout Hasher) {
    for entry in list {
      hasher.combine(entry.tag)
      hasher.combine(entry.payload)
    }
  }
}
