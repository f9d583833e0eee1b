// Bit rates. ISO/IEC 14496-12:2020 §8.5.2.2 (btrt).

import ReelCore

/// BitRateBox (`btrt`): buffer size and bit rates of a sample entry.
struct BitRateBox {
  let bufferByteCount: UInt32
  let maximumBitRate: UInt32
  let averageBitRate: UInt32

  init(parsing reader: inout ByteReader) throws(MediaError) {
    bufferByteCount = try reader.read()
    maximumBitRate = try reader.read()
    averageBitRate = try reader.read()
  }
}
