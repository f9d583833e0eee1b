// The size of a cover, told by its first bytes.

import ReelCore

/// Width and height of a picture in JPEG, PNG or BMP; 0 by 0 where they are not told.
struct ArtworkDetails {
  private(set) var width = 0
  private(set) var height = 0

  init(_ artwork: Artwork) {
    let bytes = artwork.data
    switch artwork.codec.rawValue {
    case "png" where bytes.count >= 24:
      (width, height) = (Self.number(bytes[16..<20]), Self.number(bytes[20..<24]))
    case "bmp" where bytes.count >= 26:
      width = Self.number(bytes[18..<22].reversed())
      height = Self.number(bytes[22..<26].reversed())
    case "mjpeg": readJPEG(bytes)
    default: break
    }
  }

  /// Goes from marker to marker up to the frame header. ISO/IEC 10918-1:1994 §B.1, §B.2.2.
  private mutating func readJPEG(_ bytes: [UInt8]) {
    var i = 2
    while i + 9 <= bytes.count, bytes[i] == 0xFF {
      let marker = bytes[i + 1]
      // SOF0 … SOF15 but for the tables and the reserved code among them.
      if (0xC0...0xCF).contains(marker), marker != 0xC4, marker != 0xC8, marker != 0xCC {
        height = Self.number(bytes[i + 5..<i + 7])
        width = Self.number(bytes[i + 7..<i + 9])
        return
      }
      i += 2 + max(Self.number(bytes[i + 2..<i + 4]), 2)
    }
  }

  private static func number(_ bytes: some Sequence<UInt8>) -> Int {
    bytes.reduce(0) { $0 << 8 | Int($1) }
  }
}
