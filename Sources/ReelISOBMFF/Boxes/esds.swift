// Elementary stream descriptor. ISO/IEC 14496-14:2020 §6.7.2 (esds), ISO/IEC 14496-1:2010 §7.2.6.5.

import ReelCore

/// ESDBox (`esds`): which codec, and its configuration.
struct ElementaryStreamDescriptorBox {
  /// ISO/IEC 14496-1 Table 5, MP4 registration authority; 0 when not told.
  private(set) var objectTypeIndication: UInt8 = 0
  private(set) var streamType: UInt8 = 0
  /// Bits a second; 0 when not told.
  private(set) var maximumBitRate: UInt32 = 0
  private(set) var averageBitRate: UInt32 = 0
  /// DecoderSpecificInfo: AudioSpecificConfig, or the visual object sequence header.
  private(set) var decoderSpecificInfo: [UInt8] = []

  init(parsing reader: inout ByteReader, _ context: inout BoxContext) throws(MediaError) {
    _ = try reader.readVersion(upTo: 0, &context)
    try parseDescriptors(&reader, depth: 0)
  }

  /// ES_Descriptor (3), DecoderConfigDescriptor (4), DecoderSpecificInfo (5); others are skipped.
  private mutating func parseDescriptors(
    _ reader: inout ByteReader, depth: Int
  ) throws(MediaError) {
    guard depth < 4 else { return }  // LIMIT: 3 levels are all there is to read
    while reader.remaining >= 2 {
      let tag = try reader.read(UInt8.self)
      let size = min(try Self.readSize(&reader), reader.remaining)
      var body = try reader.sub(size)
      switch tag {
      case 3:
        try body.skip(2)
        let flags = try body.read(UInt8.self)
        if flags & 0x80 != 0 { try body.skip(2) }
        if flags & 0x40 != 0 { try body.skip(Int(try body.read(UInt8.self))) }
        if flags & 0x20 != 0 { try body.skip(2) }
        try parseDescriptors(&body, depth: depth + 1)
      case 4:
        objectTypeIndication = try body.read()
        streamType = try body.read(UInt8.self) >> 2
        _ = try body.readUInt24()
        maximumBitRate = try body.read()
        averageBitRate = try body.read()
        try parseDescriptors(&body, depth: depth + 1)
      case 5:
        decoderSpecificInfo = try body.readBytes(body.remaining)
      default:
        break
      }
    }
  }

  /// A size in up to four groups of seven bits. ISO/IEC 14496-1:2010 §8.3.3.
  private static func readSize(_ reader: inout ByteReader) throws(MediaError) -> Int {
    var size = 0
    for _ in 0..<4 {
      let byte = try reader.read(UInt8.self)
      size = size << 7 | Int(byte & 0x7F)
      if byte & 0x80 == 0 { break }
    }
    return size
  }
}
