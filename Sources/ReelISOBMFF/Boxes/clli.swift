// Content light level. ISO/IEC 14496-12:2020 §12.1.6 (clli).

import ReelCore

/// ContentLightLevelBox (`clli`).
struct ContentLightLevelBox {
  let level: ContentLightLevel

  init(parsing reader: inout ByteReader) throws(MediaError) {
    level = ContentLightLevel(
      maximumContentLight: Int(try reader.read(UInt16.self)),
      maximumFrameAverageLight: Int(try reader.read(UInt16.self)))
  }
}
