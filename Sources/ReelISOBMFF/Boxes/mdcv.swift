// Mastering display. ISO/IEC 14496-12:2020 §12.1.7 (mdcv).

import ReelCore

/// MasteringDisplayColourVolumeBox (`mdcv`).
struct MasteringDisplayBox {
  let display: MasteringDisplay

  init(parsing reader: inout ByteReader) throws(MediaError) {
    var points: [MasteringDisplay.Point] = []
    for _ in 0..<4 {
      points.append(
        MasteringDisplay.Point(
          x: Int(try reader.read(UInt16.self)), y: Int(try reader.read(UInt16.self))))
    }
    let (maximum, minimum) = (try reader.read(UInt32.self), try reader.read(UInt32.self))
    display = MasteringDisplay(
      primaries: Array(points.prefix(3)), whitePoint: points[3], maximumLuminance: Int(maximum),
      minimumLuminance: Int(minimum))
  }
}
