// AVC decoder configuration. ISO/IEC 14496-15:2019 §5.3.3.1 (avcC).

import ReelCore

/// AVCDecoderConfigurationRecord (`avcC`): parameter sets and the size of NAL unit lengths. Only what
/// the container itself needs is taken apart; the decoder gets the whole record.
struct AVCConfigurationBox {
  /// The record.
  let bytes: [UInt8]
  /// Bytes of each NAL unit's length, 1…4.
  let lengthByteCount: Int

  init(parsing reader: inout ByteReader, _ context: inout BoxContext) throws(MediaError) {
    let start = reader.offset
    bytes = try reader.readBytes(reader.remaining)
    guard bytes.count >= 5 else {
      throw MediaError(
        .needsMoreData, .truncated, at: .offset(start),
        detail: "5 bytes needed, \(bytes.count) there")
    }
    lengthByteCount = Int(bytes[4] & 3) + 1
    if lengthByteCount == 3 {
      try context.note(
        MediaError(.damaged, .lengthSize, at: .offset(start), detail: "lengthSizeMinusOne 2"))
    }
  }
}
