// Extended language tag. ISO/IEC 14496-12:2020 §8.4.6 (elng).

import ReelCore

/// ExtendedLanguageBox (`elng`): a BCP 47 tag such as `zh-Hans`.
struct ExtendedLanguageBox {
  let language: String

  init(parsing reader: inout ByteReader, _ context: inout BoxContext) throws(MediaError) {
    _ = try reader.readVersion(upTo: 0, &context)
    language = try reader.readTerminatedString()
  }
}

extension ByteReader {
  /// Text up to a null byte, which is passed, or to the end.
  mutating func readTerminatedString() throws(MediaError) -> String {
    var bytes: [UInt8] = []
    while !isAtEnd {
      let byte = try read(UInt8.self)
      if byte == 0 { break }
      bytes.append(byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
