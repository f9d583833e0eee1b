// Samples of groups. ISO/IEC 14496-12:2020 §8.9.2 (sbgp).

import ReelCore

/// SampleToGroupBox (`sbgp`) of one grouping type.
struct SampleToGroupBox {
  let groupingType: FourCC
  /// Description of each sample, from 1; 0 for a sample in no group.
  private(set) var descriptionIndices = RunLengthTable<UInt32>()

  init(parsing reader: inout ByteReader, _ context: inout BoxContext) throws(MediaError) {
    let version = try reader.readVersion(upTo: 1, &context).version
    groupingType = FourCC(rawValue: try reader.read())
    if version >= 1 { try reader.skip(4) }
    let count = try reader.readEntryCount(entryByteCount: 8, &context)
    let limit = context.maximumSampleCount
    for _ in 0..<count {
      let length = Int(try reader.read(UInt32.self))
      let index = try reader.read(UInt32.self)
      // LIMIT: as for stts.
      descriptionIndices.append(index, count: min(length, limit - descriptionIndices.count))
    }
  }

  /// Samples in some group, at most `limit` of them, ascending.
  func members(below limit: Int) -> [UInt32] {
    var members: [UInt32] = []
    for entry in 0..<descriptionIndices.entryCount where descriptionIndices.entryValue(entry) > 0 {
      let range = descriptionIndices.start(entry)..<min(descriptionIndices.end(entry), limit)
      if !range.isEmpty { members.append(contentsOf: range.lazy.map { UInt32($0) }) }
    }
    return members
  }
}
