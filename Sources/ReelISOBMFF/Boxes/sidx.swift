// Segment index. ISO/IEC 14496-12:2020 §8.16.3 (sidx).

import ReelCore

/// SegmentIndexBox (`sidx`): lengths and times of the subsegments that follow it.
struct SegmentIndexBox {
  struct Reference {
    /// It refers to another index rather than to media.
    let isIndex: Bool
    let byteCount: UInt32
    /// In ticks of the index.
    let duration: UInt32
    let startsWithAccessPoint: Bool
  }
  let referenceID: UInt32
  let timescale: Int32
  let earliestPresentationTime: UInt64
  /// Bytes from the end of the box to the first subsegment.
  let firstOffset: UInt64
  let references: [Reference]

  init(parsing reader: inout ByteReader, _ context: inout BoxContext) throws(MediaError) {
    let version = try reader.readVersion(upTo: 1, &context).version
    referenceID = try reader.read()
    timescale = try reader.readTimescale(&context)
    earliestPresentationTime = try reader.readVersionedInteger(version)
    firstOffset = try reader.readVersionedInteger(version)
    try reader.skip(2)
    let stated = Int(try reader.read(UInt16.self))
    var references: [Reference] = []
    for _ in 0..<min(stated, reader.remaining / 12) {
      let size = try reader.read(UInt32.self)
      let duration = try reader.read(UInt32.self)
      let access = try reader.read(UInt32.self)
      references.append(
        Reference(
          isIndex: size >> 31 == 1, byteCount: size & 0x7FFF_FFFF, duration: duration,
          startsWithAccessPoint: access >> 31 == 1))
    }
    self.references = references
  }
}
