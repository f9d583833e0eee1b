// Descriptions of sample groups. ISO/IEC 14496-12:2020 §8.9.3 (sgpd), §10 (the groups).

import ReelCore

/// SampleGroupDescriptionBox (`sgpd`) of one grouping type.
struct SampleGroupDescriptionBox {
  let groupingType: FourCC
  let version: UInt8
  /// Bytes of each description.
  let entries: [[UInt8]]
  /// Description of samples that no group names, from 1; 0 for none.
  let defaultIndex: UInt32

  init(parsing reader: inout ByteReader, _ context: inout BoxContext) throws(MediaError) {
    version = try reader.readVersion(upTo: 3, &context).version
    groupingType = FourCC(rawValue: try reader.read())
    let length = version >= 1 ? Int(try reader.read(UInt32.self)) : Self.lengths[groupingType] ?? 0
    defaultIndex = version >= 2 ? try reader.read() : 0
    let isVariable = version >= 1 && length == 0
    let count = try reader.readEntryCount(
      entryByteCount: max(isVariable ? 4 : length, 1), &context)
    var entries: [[UInt8]] = []
    for _ in 0..<count {
      let bytes = isVariable ? Int(try reader.read(UInt32.self)) : length
      entries.append(try reader.readBytes(bytes))
    }
    self.entries = entries
  }

  /// Bytes of a description in version 0, which does not tell them.
  private static let lengths: [FourCC: Int] = ["roll": 2, "prol": 2, "rap ": 1, "sync": 1]
}
