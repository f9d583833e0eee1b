// Range of composition times. ISO/IEC 14496-12:2020 §8.6.1.4 (cslg).

import ReelCore

/// CompositionToDecodeBox (`cslg`): the shift that keeps composition times behind decoding times, and
/// their range. All in media ticks.
struct CompositionToDecodeBox {
  let compositionToDecodeShift: Int64
  let leastOffset: Int64
  let greatestOffset: Int64
  let startTime: Int64
  let endTime: Int64

  init(parsing reader: inout ByteReader, _ context: inout BoxContext) throws(MediaError) {
    let version = try reader.readVersion(upTo: 1, &context).version
    var values: [Int64] = []
    for _ in 0..<5 {
      values.append(version >= 1 ? try reader.read(Int64.self) : Int64(try reader.read(Int32.self)))
    }
    (compositionToDecodeShift, leastOffset, greatestOffset) = (values[0], values[1], values[2])
    (startTime, endTime) = (values[3], values[4])
  }
}
