// Media header. ISO/IEC 14496-12:2020 §8.4.2 (mdhd).

import ReelCore

/// MediaHeaderBox (`mdhd`): timescale, length and language of a track's media.
struct MediaHeaderBox {
  let creationTime: UInt64
  /// Ticks a second, 1…2³¹−1.
  let timescale: Int32
  /// In media ticks; nil when the file says it cannot be told.
  let duration: Int64?
  /// ISO 639-2 code; nil for "und" and for what is no code.
  let language: String?

  init(parsing reader: inout ByteReader, _ context: inout BoxContext) throws(MediaError) {
    let version = try reader.readVersion(upTo: 1, &context).version
    creationTime = try reader.readVersionedInteger(version)
    _ = try reader.readVersionedInteger(version)
    timescale = try reader.readTimescale(&context)
    duration = try reader.readVersionedDuration(version)
    language = Self.language(packed: try reader.read())
  }

  /// The language that 16 bits tell: three 5-bit letters, or below 0x400 a Macintosh language code
  /// (QuickTime File Format, "Language Code Values").
  static func language(packed: UInt16) -> String? {
    if packed < 0x400 {
      return Int(packed) < macintoshLanguages.count ? macintoshLanguages[Int(packed)] : nil
    }
    var text = ""
    for shift in [10, 5, 0] {
      let letter = UInt8(truncatingIfNeeded: packed >> UInt16(shift)) & 31
      guard (1...26).contains(letter) else { return nil }
      text.unicodeScalars.append(Unicode.Scalar(letter + 0x60))
    }
    return text == "und" ? nil : text
  }

  /// ISO 639-2 codes of the Macintosh language codes 0…94.
  private static let macintoshLanguages: [String?] = [
    "eng", "fra", "ger", "ita", "dut", "sve", "spa", "dan", "por", "nor",  // 0
    "heb", "jpn", "ara", "fin", "gre", "ice", "mlt", "tur", "hr ", "chi",  // 10
    "urd", "hin", "tha", "kor", "lit", "pol", "hun", "est", "lav", nil,  // 20
    "fo ", nil, "rus", "chi", nil, "iri", "alb", "ron", "ces", "slk",  // 30
    "slv", "yid", "sr ", "mac", "bul", "ukr", "bel", "uzb", "kaz", "aze",  // 40
    "aze", "arm", "geo", "mol", "kir", "tgk", "tuk", "mon", nil, "pus",  // 50
    "kur", "kas", "snd", "tib", "nep", "san", "mar", "ben", "asm", "guj",  // 60
    "pa ", "ori", "mal", "kan", "tam", "tel", nil, "bur", "khm", "lao",  // 70
    "vie", "ind", "tgl", "may", "may", "amh", "tir", "orm", "som", "swa",  // 80
    nil, "run", nil, "mlg", "epo",  // 90
  ].map { (code: String?) -> String? in code.map { macintoshSpelling[$0] ?? $0 } }

  /// Codes of ISO 639-1 spelt in ISO 639-2.
  private static let macintoshSpelling = [
    "hr ": "hrv", "fo ": "fao", "sr ": "srp", "pa ": "pan",
  ]
}
