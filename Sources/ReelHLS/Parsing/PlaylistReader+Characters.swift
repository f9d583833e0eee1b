// The characters a playlist may have. RFC 8216 §4.1.

import ReelCore

extension PlaylistReader {
  /// UTF-8 without a byte order mark; no control characters but line ends and tabs, which one
  /// attribute is separated by.
  mutating func checkCharacters() throws(MediaError) {
    if text.starts(with: [0xEF, 0xBB, 0xBF]) {
      throw MediaError(
        .damaged, .playlistText, at: .column(1, line: 1), detail: "it begins with a byte order mark"
      )
    }
    guard !Self.isPlain(text.span) else { return }
    var (number, start, column) = (1, 0, 0)
    for (offset, byte) in text.enumerated() {
      column = offset - start + 1
      switch byte {
      case 10:
        number += 1
        start = offset + 1
      case 13:
        if offset + 1 < text.count, text[offset + 1] != 10 {
          throw fault("a carriage return within a line", column, number)
        }
      case 9: break
      case 0..<32, 127: throw fault("control character \(byte)", column, number)
      case 0xC2 where offset + 1 < text.count && 0x80...0x9F ~= text[offset + 1]:
        throw fault("control character \(text[offset + 1])", column, number)
      default: break
      }
    }
    if let offset = Self.firstInvalidByte(text.span) {
      let line = text[..<offset].count { $0 == 10 } + 1
      let start = text[..<offset].lastIndex(of: 10).map { $0 + 1 } ?? 0
      throw fault("not UTF-8", offset - start + 1, line)
    }
  }

  private func fault(_ detail: String, _ column: Int, _ line: Int) -> MediaError {
    MediaError(.damaged, .playlistText, at: .column(column, line: line), detail: detail)
  }

  /// All bytes are printable ASCII or line feeds. Without a way out of the loop, so that it is done
  /// sixteen bytes at a time.
  private static func isPlain(_ bytes: Span<UInt8>) -> Bool {
    var other: UInt8 = 0
    for index in bytes.indices {
      let byte = bytes[index]
      let isPrintable: UInt8 = (byte &- 32) < 95 ? 0 : 1
      let isLineFeed: UInt8 = byte == 10 ? 0 : 1
      other |= isPrintable & isLineFeed
    }
    return other == 0
  }

  /// Offset of the first byte that is not UTF-8 (Unicode 15.0 table 3-7); nil when all are.
  static func firstInvalidByte(_ bytes: Span<UInt8>) -> Int? {
    var position = 0
    while position < bytes.count {
      let lead = bytes[position]
      if lead < 0x80 {
        position += 1
        continue
      }
      let (count, second): (Int, ClosedRange<UInt8>)
      switch lead {
      case 0xC2...0xDF: (count, second) = (2, 0x80...0xBF)
      case 0xE0: (count, second) = (3, 0xA0...0xBF)
      case 0xED: (count, second) = (3, 0x80...0x9F)
      case 0xE1...0xEF: (count, second) = (3, 0x80...0xBF)
      case 0xF0: (count, second) = (4, 0x90...0xBF)
      case 0xF1...0xF3: (count, second) = (4, 0x80...0xBF)
      case 0xF4: (count, second) = (4, 0x80...0x8F)
      default: return position
      }
      guard position + count <= bytes.count, second ~= bytes[position + 1] else { return position }
      for next in 2..<4 where next < count {
        guard 0x80...0xBF ~= bytes[position + next] else { return position }
      }
      position += count
    }
    return nil
  }
}
