// Chunks of PNG files. ISO/IEC 15948:2004 §5.

internal import ReelCore

enum PNGFormat {
  static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
  /// LIMIT: files have a handful of chunks; image data in pieces of 8 KB has some thousands.
  static let mostChunks = 1 << 20

  /// Adds a chunk to a file.
  static func append(_ type: FourCC, _ data: [UInt8], to file: inout [UInt8]) {
    append(UInt32(data.count), to: &file)
    let start = file.count
    append(type.rawValue, to: &file)
    file += data
    append(Zlib.checksum(file, start..<file.count), to: &file)
  }

  static func append(_ value: UInt32, to bytes: inout [UInt8]) {
    for shift in [24, 16, 8, 0] as [UInt32] {
      bytes.append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }
}

/// A chunk in a file.
struct PNGChunk {
  let type: FourCC
  /// Where its data lies in the file.
  let data: Range<Int>

  /// Lower case first letter: may be passed over.
  var isAncillary: Bool { type.rawValue & 0x2000_0000 != 0 }

  /// The chunk at `offset`.
  init(in file: [UInt8], at offset: Int) throws(MediaError) {
    guard offset <= file.count - 12 else {
      throw MediaError(.needsMoreData, .truncated, at: .offset(Int64(offset)))
    }
    let length = Int(Self.word(file, offset))
    guard length <= file.count - offset - 12 else {
      throw MediaError(
        .damaged, .pngChunk, at: .offset(Int64(offset)), detail: "\(length) bytes of data")
    }
    type = FourCC(rawValue: Self.word(file, offset + 4))
    data = offset + 8..<offset + 8 + length
    let stated = Self.word(file, data.upperBound)
    guard stated == Zlib.checksum(file, offset + 4..<data.upperBound) else {
      throw MediaError(.damaged, .pngChunk, at: .offset(Int64(offset)), detail: "CRC of \(type)")
    }
  }

  private static func word(_ bytes: [UInt8], _ at: Int) -> UInt32 {
    UInt32(bytes[at]) << 24 | UInt32(bytes[at + 1]) << 16 | UInt32(bytes[at + 2]) << 8
      | UInt32(bytes[at + 3])
  }
}
