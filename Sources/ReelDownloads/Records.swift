// Lines of words: how the plan, the journal and the manifest are written.

internal import ReelCore

/// A line of words that may hold any bytes: what is no letter, digit or simple sign is escaped.
enum Record {
  static func line(_ words: [String]) -> [UInt8] {
    var line: [UInt8] = []
    for (index, word) in words.enumerated() {
      if index > 0 { line.append(UInt8(ascii: "\t")) }
      for byte in word.utf8 {
        if byte > 0x20 && byte < 0x7F && byte != UInt8(ascii: "%") {
          line.append(byte)
        } else {
          let digits = Array("0123456789ABCDEF".utf8)
          line += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
      }
    }
    line.append(UInt8(ascii: "\n"))
    return line
  }

  /// The lines of a text; one without an end is not there: its writer was killed.
  static func lines(_ bytes: [UInt8]) -> [[String]] {
    guard let end = bytes.lastIndex(of: UInt8(ascii: "\n")) else { return [] }
    return bytes[..<end].split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map
    {
      $0.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false).map(word)
    }
  }

  private static func word(_ bytes: ArraySlice<UInt8>) -> String {
    var out: [UInt8] = []
    var index = bytes.startIndex
    while index < bytes.endIndex {
      if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.endIndex,
        let high = digit(bytes[index + 1]), let low = digit(bytes[index + 2])
      {
        out.append(high << 4 | low)
        index += 3
      } else {
        out.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: out, as: UTF8.self)
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x41 + 10
    default: nil
    }
  }
}
