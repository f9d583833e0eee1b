// The parameter sets that a decoder holds. ISO/IEC 14496-10:2020 §7.4.1.2.1.

import ReelCore

/// Parameter sets by id. A picture parameter set is read when a slice asks for it, against the
/// sequence parameter set of that moment, because the two may come in any order.
struct ParameterSets: Sendable {
  private var sequences: [SequenceParameterSet?] = Array(repeating: nil, count: 32)
  private var pictures: [Entry?] = Array(repeating: nil, count: 256)

  private struct Entry {
    let payload: [UInt8]
    let seqParameterSetID: Int
    var parsed: PictureParameterSet?
  }

  init() {}

  func sequence(_ id: Int) -> SequenceParameterSet? {
    sequences.indices.contains(id) ? sequences[id] : nil
  }

  /// Takes a sequence parameter set NAL unit (without emulation prevention).
  ///
  /// - Throws: `.damaged`; the set of that id stays as it was.
  mutating func addSequence(_ payload: [UInt8]) throws(MediaError) {
    let set = try SequenceParameterSet(parsing: payload)
    guard sequences[set.seqParameterSetID] != set else { return }
    sequences[set.seqParameterSetID] = set
    for id in pictures.indices
    where pictures[id]?.seqParameterSetID == set.seqParameterSetID {
      pictures[id]?.parsed = nil
    }
  }

  /// Takes a picture parameter set NAL unit (without emulation prevention).
  ///
  /// - Throws: `.damaged` when its ids cannot be read.
  mutating func addPicture(_ payload: [UInt8]) throws(MediaError) {
    let ids = try PictureParameterSet.identifiers(in: payload)
    guard pictures[ids.picParameterSetID]?.payload != payload else { return }
    pictures[ids.picParameterSetID] = Entry(
      payload: payload, seqParameterSetID: ids.seqParameterSetID)
  }

  /// The sets that a slice with this pic_parameter_set_id is decoded with.
  ///
  /// - Throws: `.damaged` when a set is missing or out of order.
  mutating func active(
    picParameterSetID id: Int
  ) throws(MediaError) -> (sequence: SequenceParameterSet, picture: PictureParameterSet) {
    guard pictures.indices.contains(id), let entry = pictures[id] else {
      throw MediaError(
        .damaged, .h264ParameterSetMissing, detail: "picture parameter set \(id) did not come")
    }
    guard let sequence = sequences[entry.seqParameterSetID] else {
      throw MediaError(
        .damaged, .h264ParameterSetMissing,
        detail: "sequence parameter set \(entry.seqParameterSetID) did not come")
    }
    if let parsed = entry.parsed { return (sequence, parsed) }
    let parsed = try PictureParameterSet(parsing: entry.payload, sequence: sequence)
    pictures[id]?.parsed = parsed
    return (sequence, parsed)
  }
}
