internal import ReelCore
internal import ReelTestSupport
internal import Testing

@testable internal import ReelH264

@Suite("Picture parameter sets")
struct PictureParameterSetTests {
  @Test("give back every value that was written", arguments: 0..<200)
  func roundTrip(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let sequence = SequenceParameterSet.random(using: &random)
    let set = PictureParameterSet.random(for: sequence, using: &random)
    let bytes = HeaderWriter.picture(set, for: sequence)
    #expect(try PictureParameterSet(parsing: bytes, sequence: sequence) == set, "seed \(seed)")
    let ids = try PictureParameterSet.identifiers(in: bytes)
    #expect(ids == (set.picParameterSetID, set.seqParameterSetID))
  }

  private static let sequence = {
    var set = SequenceParameterSet()
    (set.picWidthInMbs, set.picHeightInMapUnits) = (4, 3)
    return set
  }()

  static let outOfRange: [(String, Int)] = [
    ("pic_parameter_set_id", 256), ("seq_parameter_set_id", 32), ("num_slice_groups_minus1", 8),
    ("num_ref_idx_l0_default_active_minus1", 32), ("num_ref_idx_l1_default_active_minus1", 32),
    ("weighted_bipred_idc", 3), ("pic_init_qp_minus26", -27), ("pic_init_qp_minus26", 26),
    ("pic_init_qs_minus26", -27), ("pic_init_qs_minus26", 26), ("chroma_qp_index_offset", -13),
    ("chroma_qp_index_offset", 13), ("second_chroma_qp_index_offset", -13),
    ("second_chroma_qp_index_offset", 13),
  ]

  @Test("refuse a value past its range", arguments: outOfRange)
  func range(name: String, value: Int) throws {
    let set = PictureParameterSet()
    let bad = HeaderWriter.picture(
      set, for: Self.sequence, lists: .some(nil), overrides: [name: value])
    let error = #expect(throws: MediaError.self) {
      try PictureParameterSet(parsing: bad, sequence: Self.sequence)
    }
    #expect(error?.family == .damaged && error?.rule == .h264PictureValue, "\(name)")
  }

  static let badGroups: [(SliceGroupMapping, Int, String, Int)] = [
    (.interleaved(runLengths: [1, 1]), 2, "run_length_minus1", 12),
    (.foreground(rectangles: [(0, 5)]), 2, "top_left", 12),
    (.foreground(rectangles: [(0, 5)]), 2, "bottom_right", 12),
    // Below and left of the top left corner: one column more to the left.
    (.foreground(rectangles: [(1, 5)]), 2, "bottom_right", 4),
    (.foreground(rectangles: [(6, 7)]), 2, "bottom_right", 5),
    (.boxOut(changeDirection: false), 2, "slice_group_change_rate_minus1", 12),
    (.boxOut(changeDirection: false), 3, "nothing", 0),
    (.raster(changeDirection: false), 3, "nothing", 0),
    (.explicit(groups: [UInt8](repeating: 0, count: 12)), 2, "pic_size_in_map_units_minus1", 10),
    (.explicit(groups: [UInt8](repeating: 0, count: 12)), 3, "slice_group_id", 3),
  ]

  @Test("refuse slice groups that do not fit the picture", arguments: badGroups)
  func groups(mapping: SliceGroupMapping, count: Int, name: String, value: Int) {
    var set = PictureParameterSet()
    set.numSliceGroups = count
    set.sliceGroupMapping = mapping
    let bad = HeaderWriter.picture(set, for: Self.sequence, overrides: [name: value])
    let error = #expect(throws: MediaError.self) {
      try PictureParameterSet(parsing: bad, sequence: Self.sequence)
    }
    #expect(error?.rule == .h264SliceGroups, "\(name)")
  }

  @Test("refuse slice_group_map_type 7")
  func mapType() {
    var set = PictureParameterSet()
    set.numSliceGroups = 2
    let bad = HeaderWriter.picture(set, for: Self.sequence, overrides: ["slice_group_map_type": 7])
    #expect(throws: MediaError.self) {
      try PictureParameterSet(parsing: bad, sequence: Self.sequence)
    }
  }

  @Test("throw at every prefix that cuts an element of the first editions", arguments: 0..<20)
  func prefixes(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let sequence = SequenceParameterSet.random(using: &random)
    var set = PictureParameterSet.random(for: sequence, using: &random)
    set.transform8x8ModeFlag = false
    set.secondChromaQPIndexOffset = set.chromaQPIndexOffset
    let whole = HeaderWriter.picture(set, for: sequence)
    for count in 1..<whole.count - 1 {
      let error = #expect(throws: MediaError.self) {
        try PictureParameterSet(parsing: Array(whole[..<count]), sequence: sequence)
      }
      #expect(error?.family == .damaged, "seed \(seed), \(count) bytes")
    }
  }

  @Test("end before the later elements where only padding follows")
  func padding() throws {
    let bytes = HeaderWriter.picture(PictureParameterSet(), for: Self.sequence)
    let padded = try PictureParameterSet(parsing: bytes + [0, 0, 0], sequence: Self.sequence)
    #expect(!padded.transform8x8ModeFlag && padded.scalingLists == .flat)
  }
}

@Suite("Parameter sets of a decoder")
struct ParameterSetsTests {
  private func sequence(id: Int, width: Int = 1) -> SequenceParameterSet {
    var set = SequenceParameterSet()
    set.seqParameterSetID = id
    set.picWidthInMbs = width
    set.crop = SampleRect(x: 0, y: 0, width: width * 16, height: 16)
    return set
  }

  private func picture(id: Int, of sequence: Int, qp: Int = 26) -> [UInt8] {
    var set = PictureParameterSet()
    set.picParameterSetID = id
    set.seqParameterSetID = sequence
    set.picInitQP = qp
    return HeaderWriter.picture(set, for: SequenceParameterSet())
  }

  @Test("are found whichever of the two comes first")
  func order() throws {
    var sets = ParameterSets()
    try sets.addPicture(picture(id: 7, of: 3))
    #expect(throws: MediaError.self) { try sets.active(picParameterSetID: 7) }
    try sets.addSequence(HeaderWriter.sequence(sequence(id: 3)))
    #expect(try sets.active(picParameterSetID: 7).sequence.seqParameterSetID == 3)
  }

  @Test("are missing by name until they come")
  func missing() {
    var sets = ParameterSets()
    let error = #expect(throws: MediaError.self) { try sets.active(picParameterSetID: 0) }
    #expect(error?.rule == .h264ParameterSetMissing)
  }

  @Test("change when a set of the same id has other content")
  func replacement() throws {
    var sets = ParameterSets()
    try sets.addSequence(HeaderWriter.sequence(sequence(id: 0)))
    try sets.addPicture(picture(id: 0, of: 0))
    #expect(try sets.active(picParameterSetID: 0).picture.picInitQP == 26)
    try sets.addPicture(picture(id: 0, of: 0, qp: 30))
    #expect(try sets.active(picParameterSetID: 0).picture.picInitQP == 30)
    try sets.addSequence(HeaderWriter.sequence(sequence(id: 0, width: 5)))
    #expect(try sets.active(picParameterSetID: 0).sequence.picWidthInMbs == 5)
  }

  @Test("are read again when the sequence they name changes")
  func dependence() throws {
    var sets = ParameterSets()
    try sets.addSequence(HeaderWriter.sequence(sequence(id: 0, width: 2)))
    var set = PictureParameterSet()
    set.numSliceGroups = 2
    set.sliceGroupMapping = .explicit(groups: [0, 1])
    try sets.addPicture(HeaderWriter.picture(set, for: sequence(id: 0, width: 2)))
    #expect(try sets.active(picParameterSetID: 0).picture.numSliceGroups == 2)
    // The map no longer fits the picture.
    try sets.addSequence(HeaderWriter.sequence(sequence(id: 0, width: 3)))
    let error = #expect(throws: MediaError.self) { try sets.active(picParameterSetID: 0) }
    #expect(error?.rule == .h264SliceGroups)
  }

  @Test("stay as they were when a damaged one comes")
  func damaged() throws {
    var sets = ParameterSets()
    try sets.addSequence(HeaderWriter.sequence(sequence(id: 0, width: 4)))
    let bad = HeaderWriter.sequence(sequence(id: 0), overrides: ["pic_order_cnt_type": 3])
    #expect(throws: MediaError.self) { try sets.addSequence(bad) }
    #expect(sets.sequence(0)?.picWidthInMbs == 4)
  }
}
