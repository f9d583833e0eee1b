// From the bytes of a file to its lines.

internal import ReelCore

/// The lines of a text file, each as UTF-8 without its end.
struct CaptionText {
  let lines: [ArraySlice<UInt8>]

  /// LIMIT: 64 MiB are days of captions.
  static let mostBytes = 64 << 20

  /// Decodes a file: UTF-8, UTF-16 behind a byte order mark, and Windows-1252 where the bytes are no
  /// UTF-8. Lines end with LF, CR LF or CR; NUL becomes U+FFFD.
  ///
  /// - Parameter allowsOther: take encodings other than UTF-8.
  init(_ bytes: [UInt8], allowsOther: Bool) throws(MediaError) {
    guard bytes.count <= Self.mostBytes else {
      throw MediaError(.limitExceeded, .captionSize, detail: "\(bytes.count) bytes")
    }
    lines = Self.lines(Self.utf8(bytes, allowsOther: allowsOther))
  }

  private static func utf8(_ bytes: [UInt8], allowsOther: Bool) -> [UInt8] {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return valid(Array(bytes.dropFirst(3))) }
    if allowsOther {
      if bytes.starts(with: [0xFF, 0xFE]) { return utf16(bytes, isBigEndian: false) }
      if bytes.starts(with: [0xFE, 0xFF]) { return utf16(bytes, isBigEndian: true) }
      if String(validating: bytes, as: UTF8.self) == nil { return windows1252(bytes) }
    }
    return valid(bytes)
  }

  /// The bytes with U+FFFD where they are no UTF-8, and for NUL.
  private static func valid(_ bytes: [UInt8]) -> [UInt8] {
    let hasNul = bytes.contains(0)
    if !hasNul && String(validating: bytes, as: UTF8.self) != nil { return bytes }
    let decoded = Array(String(decoding: bytes, as: UTF8.self).utf8)
    return hasNul ? decoded.flatMap { $0 == 0 ? [0xEF, 0xBF, 0xBD] : [$0] } : decoded
  }

  static func utf16(_ bytes: [UInt8], isBigEndian: Bool) -> [UInt8] {
    var units: [UInt16] = []
    units.reserveCapacity(bytes.count / 2)
    for i in stride(from: 2, to: bytes.count - 1, by: 2) {
      let (a, b) = (UInt16(bytes[i]), UInt16(bytes[i + 1]))
      units.append(isBigEndian ? a << 8 | b : b << 8 | a)
    }
    return valid(Array(String(decoding: units, as: UTF16.self).utf8))
  }

  private static func windows1252(_ bytes: [UInt8]) -> [UInt8] {
    // 0x80 … 0x9F, as the WHATWG Encoding Standard has them; the rest is Latin-1.
    let upper: [UInt32] = [
      0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039,
      0x0152, 0x8D, 0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
      0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D, 0x017E, 0x0178,
    ]
    var text = String.UnicodeScalarView()
    for byte in bytes {
      let value = (0x80...0x9F).contains(byte) ? upper[Int(byte) - 0x80] : UInt32(byte)
      if let scalar = Unicode.Scalar(value) { text.append(scalar) }
    }
    return valid(Array(String(text).utf8))
  }

  private static func lines(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    var lines: [ArraySlice<UInt8>] = []
    var start = 0
    var i = 0
    while i < bytes.count {
      if bytes[i] == 0x0A || bytes[i] == 0x0D {
        lines.append(bytes[start..<i])
        if bytes[i] == 0x0D, i + 1 < bytes.count, bytes[i + 1] == 0x0A { i += 1 }
        start = i + 1
      }
      i += 1
    }
    // A last line without an end is a line; an empty one behind the last end is none.
    if start < bytes.count { lines.append(bytes[start...]) }
    return lines
  }
}

extension ArraySlice<UInt8> {
  var text: String { String(decoding: self, as: UTF8.self) }

  /// Without blanks and tabs (and form feeds) at both ends.
  var trimmed: ArraySlice<UInt8> {
    func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0C }
    var part = self
    while let first = part.first, isBlank(first) { part.removeFirst() }
    while let last = part.last, isBlank(last) { part.removeLast() }
    return part
  }

  /// The bytes hold `needle`.
  func contains(sequence needle: [UInt8]) -> Bool {
    guard count >= needle.count, let first = needle.first else { return needle.isEmpty }
    for i in startIndex...endIndex - needle.count where self[i] == first {
      if self[i..<i + needle.count].elementsEqual(needle) { return true }
    }
    return false
  }
}

/// `-->`, which parts the two times of a cue.
let arrow: [UInt8] = [0x2D, 0x2D, 0x3E]
