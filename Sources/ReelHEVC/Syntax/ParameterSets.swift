// The parameter sets of a stream. ISO/IEC 23008-2:2020 §7.4.2.4.2.

import ReelCore

/// All parameter sets seen so far, by their numbers.
struct ParameterSets {
  private var sequences = [SequenceParameterSet?](repeating: nil, count: 16)
  private var pictures = [PictureParameterSet?](repeating: nil, count: 64)
  /// Layouts of pictures in use, one for each picture parameter set.
  private var layouts = [PictureLayout?](repeating: nil, count: 64)
  private(set) var videoSets = [VideoParameterSet?](repeating: nil, count: 16)

  init() {}

  mutating func addVideo(_ unit: [UInt8]) throws(MediaError) {
    let set = try VideoParameterSet(parsing: unit)
    videoSets[set.id] = set
  }

  mutating func addSequence(_ unit: [UInt8], limits: Limits) throws(MediaError) {
    // A repetition is the same set: pictures compare sets by identity.
    if sequences.contains(where: { $0?.source == unit }) { return }
    let set = try SequenceParameterSet(parsing: unit, limits: limits)
    sequences[set.id] = set
  }

  mutating func addPicture(_ unit: [UInt8]) throws(MediaError) {
    if pictures.contains(where: { $0?.source == unit }) { return }
    let set = try PictureParameterSet(parsing: unit)
    pictures[set.id] = set
  }

  /// The sets that a slice with this slice_pic_parameter_set_id uses.
  mutating func active(_ id: Int) throws(MediaError) -> PictureLayout {
    guard let picture = pictures[id] else {
      throw MediaError(
        .damaged, .hevcParameterSetMissing, detail: "picture parameter set \(id)")
    }
    guard let sequence = sequences[picture.sequenceParameterSetID] else {
      throw MediaError(
        .damaged, .hevcParameterSetMissing,
        detail: "sequence parameter set \(picture.sequenceParameterSetID)")
    }
    if let layout = layouts[id], layout.sequence === sequence, layout.parameters === picture {
      return layout
    }
    if let tool = sequence.unsupportedTool ?? picture.unsupportedTool {
      throw MediaError(
        .unsupported, .hevcTool, detail: tool, advice: "use a stream of version 1 or 2 profiles")
    }
    let layout = try PictureLayout(sequence, picture)
    layouts[id] = layout
    return layout
  }
}
