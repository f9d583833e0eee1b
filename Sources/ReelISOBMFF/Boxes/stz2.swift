// Compact sample sizes. ISO/IEC 14496-12:2020 §8.7.3.3 (stz2).

import ReelCore

extension SampleSizeBox {
  /// Reads a CompactSampleSizeBox (`stz2`): sizes of 4, 8 or 16 bits.
  init(parsingCompact reader: inout ByteReader, _ context: inout BoxContext) throws(MediaError) {
    _ = try reader.readVersion(upTo: 0, &context)
    try reader.skip(3)
    let start = reader.offset
    let fieldSize = try reader.read(UInt8.self)
    guard fieldSize == 4 || fieldSize == 8 || fieldSize == 16 else {
      throw MediaError(
        .damaged, .sampleSizeField, at: .offset(start), detail: "field_size \(fieldSize)")
    }
    let stated = Int(try reader.read(UInt32.self))
    let room = reader.remaining * 8 / Int(fieldSize)
    if stated > room {
      try context.note(
        MediaError(
          .damaged, .tableLength, at: .offset(start),
          detail: "\(stated) entries stated, room for \(room)"))
    }
    let count = min(stated, room)
    try Self.check(count, at: start, context)
    var sizes: [UInt32] = []
    sizes.reserveCapacity(count)
    var byte: UInt8 = 0
    for i in 0..<count {
      switch fieldSize {
      case 4:
        if i & 1 == 0 { byte = try reader.read() }
        sizes.append(UInt32(i & 1 == 0 ? byte >> 4 : byte & 15))
      case 8: sizes.append(UInt32(try reader.read(UInt8.self)))
      default: sizes.append(UInt32(try reader.read(UInt16.self)))
      }
    }
    self.init(sizes: sizes)
  }
}
