// HEVC decoder configuration. ISO/IEC 14496-15:2019 §8.3.3.1 (hvcC).

import ReelCore

/// HEVCDecoderConfigurationRecord (`hvcC`); as for avcC, only the container's part is taken apart.
struct HEVCConfigurationBox {
  let bytes: [UInt8]
  /// Bytes of each NAL unit's length, 1…4.
  let lengthByteCount: Int

  init(parsing reader: inout ByteReader, _ context: inout BoxContext) throws(MediaError) {
    let start = reader.offset
    bytes = try reader.readBytes(reader.remaining)
    guard bytes.count >= 22 else {
      throw MediaError(
        .needsMoreData, .truncated, at: .offset(start),
        detail: "22 bytes needed, \(bytes.count) there")
    }
    lengthByteCount = Int(bytes[21] & 3) + 1
  }
}
