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
          PercentEncoding.append(byte, to: &line)
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
      $0.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false).map {
        String(decoding: PercentEncoding.decoded($0), as: UTF8.self)
      }
    }
  }
}
